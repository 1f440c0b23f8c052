"""Values as JSON that any parser reads, for people and to be copied."""

import json
import re

from kpinspector.trace.javascript import JsonValue

_INFINITIES = re.compile(r'("(?:[^"\\]|\\.)*")|Infinity')


def encoded(
    value: JsonValue, *, indent: int | None = None, sort_keys: bool = False, compact: bool = False
) -> str:
    """A value as JSON. Infinity, which JSON cannot name, becomes ``1e999``."""
    separators = (",", ":") if compact else None
    text = json.dumps(
        value, ensure_ascii=False, indent=indent, sort_keys=sort_keys, separators=separators
    )
    return _INFINITIES.sub(_number, text) if "Infinity" in text else text


def _number(match: re.Match[str]) -> str:
    return match[1] or "1e999"
