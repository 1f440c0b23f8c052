"""Values as JSON: one writer for every answer, by the names that it tells, masked on its way out.

What says which trace an entry is about stays: the file, the record, the digest of the text.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from json import dumps
from math import isfinite
from operator import attrgetter
from pathlib import PurePath
from typing import Any, Final, TypeAlias

from pydantic_core import to_json

from kpinspector.scoring.findings import Neighbour
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.trace.clear import MASK, masked_in
from kpinspector.trace.javascript import number_text
from kpinspector.trace.records import Problem, Skipped
from kpinspector.trace.schema import Issue

Told: TypeAlias = Mapping[type, tuple[str, ...]]

_TOLD: Final[Told] = {
    Neighbour: ("key", "id=trace_id", "objective", "path=source_path", "similarity", "record"),
    Novelty: tuple(one.name for one in fields(Novelty) if one.name != "own"),
    # of the kinds of these too
    **{kind: tuple(one.name for one in fields(kind)) for kind in (Issue, Problem, Skipped)},
}

# controls beyond C0, which JSON escapes anyway; marks of text direction; zero-width characters
_UNSEEN = re.compile(
    "[\x7f-\x9f\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff0-\ufffb\U000e0000-\U000e0fff]"
)


def told_members(kind: type, told: Told = _TOLD) -> dict[str, str]:
    """The members that JSON has of a dataclass, each with the attribute whose value it is."""
    known = (each[one] for one in kind.__mro__ for each in (told, _TOLD) if one in each)
    own = next(known, None) or tuple(one.name for one in fields(kind))
    pairs = (name.partition("=") for name in own)
    return {name.rstrip("_"): attribute or name for name, _, attribute in pairs}


def json_values(
    value: Any,
    told: Told = _TOLD,
    mask: Callable[[str], str] = masked_in,
    check: Callable[[], None] = lambda: None,
) -> Any:
    """A value as JSON has it; numbers that it cannot name have those of JavaScript.

    Args:
        value: Of dataclasses, mappings and sequences.
        told: What JSON has of some dataclasses; of all others it has the fields.
        mask: What becomes of every text but the path of a file.
        check: Called for each item of a sequence; may raise to stop.
    """
    if is_dataclass(value):
        names = told_members(type(value), told)
        value = {name: attrgetter(attribute)(value) for name, attribute in names.items()}
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if isfinite(value) else number_text(value)
        case str():
            return mask(str(value))
        case PurePath():
            return str(value)
        case Mapping():
            return _members(value, lambda one: json_values(one, told, mask, check), mask)
    made = []
    for one in sorted(value) if isinstance(value, frozenset) else value:
        check()
        made.append(json_values(one, told, mask, check))
    return made


def _members(
    value: Mapping[str, Any], written: Callable[[Any], Any], mask: Callable[[str], str]
) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, one in value.items():
        shown = mask(str(name))
        while shown in made:  # two names may begin alike
            shown += MASK
        made[shown] = one if name == "path" and "record" in value else written(one)
    match value:
        case {"id": str(whole), "key": str(key)} if key.startswith(whole):
            made["key"] = made["id"] + key.removeprefix(whole)
    return made


def report_json(value: Any, check: Callable[[], None] = lambda: None) -> bytes:
    """UTF-8 JSON with a stable key order, two spaces deep, ending in a line feed.

    Control characters and invisible ones are escaped.
    """
    text = to_json(json_values(value, check=check), indent=2).decode()
    return _UNSEEN.sub(lambda found: dumps(found[0])[1:-1], text).encode() + b"\n"
