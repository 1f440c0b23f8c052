"""Strict JSON to values: fast when all is well, and says nothing of what is wrong."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, Final

from pydantic_core import from_json

from kpinspector.trace.model import JsonValue
from kpinspector.trace.records import JsonPath, whole_characters

_INTEGER_BITS: Final = 1023


@dataclass(frozen=True, slots=True)
class Parsed:
    """A JSON value, and the paths of the texts in which a lone surrogate became U+FFFD."""

    value: JsonValue
    replaced: tuple[JsonPath, ...] = ()


def parse(data: bytes) -> Parsed | None:
    """Parse one JSON text; None where only the scanner can tell what is wrong, if anything is.

    One more pair of brackets makes the parser's own limit of depth that of the scanner.
    """
    try:
        values = from_json(b"[%b]" % data, allow_inf_nan=False)
    except ValueError:
        return None
    if len(values) != 1 or _any_overflow(values):
        return None
    return Parsed(values[0])


def parse_scanned(text: str) -> Parsed:
    """Parse a text that the scanner found nothing wrong with; lone surrogates become U+FFFD."""
    holder: list[Any] = [json.loads(text)]
    replaced = tuple(path[1:] for path in _replace_surrogates(holder))
    return Parsed(holder[0], replaced)


def _any_overflow(values: list[Any]) -> bool:
    """Whether a number is beyond what a double holds; such a one came out infinite or huge."""
    waiting: list[Any] = [values]
    while waiting:
        members = waiting.pop()
        for member in members.values() if type(members) is dict else members:
            kind = type(member)
            if kind is dict or kind is list:
                waiting.append(member)
            elif kind is float:
                if member in (inf, -inf):
                    return True
            elif kind is int and member.bit_length() > _INTEGER_BITS:
                return True
    return False


def _replace_surrogates(container: Any, path: JsonPath = ()) -> Iterator[JsonPath]:
    """Replace in place, giving the path of each text or key that had to change."""
    if type(container) is dict:
        yield from _replace_in_keys(container, path)
        members: Iterable[tuple[str | int, Any]] = list(container.items())
    else:
        members = enumerate(container)
    for key, member in members:
        inner = (*path, key)
        if type(member) is str:
            whole = whole_characters(member)
            if whole != member:
                container[key] = whole
                yield inner
        elif type(member) in (dict, list):
            yield from _replace_surrogates(member, inner)


def _replace_in_keys(container: dict[str, Any], path: JsonPath) -> Iterator[JsonPath]:
    if all(key == whole_characters(key) for key in container):
        return
    members = list(container.items())
    container.clear()
    for key, member in members:
        whole = whole_characters(key)
        container[whole] = member
        if whole != key:
            yield (*path, whole)
