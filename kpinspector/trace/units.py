"""The units inside a parsed JSON text: what registry replies and lists are unpacked to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from kpinspector.trace.model import JsonValue
from kpinspector.trace.records import REPORT_FORMAT, JsonPath

OTHER_UNITS: Final = ("ToolCallPattern", "ExpertSOP")

_TRACE_KEYS = ("@type", "steps")
_NEEDED: Final = frozenset(("task", "steps"))  # for a text, and thereby for a vector
_TELLING: Final = frozenset(("@type", "format", "data", "unit"))


@dataclass(frozen=True, slots=True)
class Unit:
    """A value in the place of a trace, and its path in the text."""

    path: JsonPath
    value: JsonValue

    @property
    def in_list(self) -> bool:
        """Whether the unit is one of several that its text can hold."""
        return any(isinstance(part, int) for part in self.path)


@dataclass(slots=True)
class Room:
    """How many more problems are kept."""

    left: int


def units(value: JsonValue, room: Room, path: JsonPath = ()) -> Iterator[Unit | int]:
    """All units in order: lists give their items, replies what they hold, however nested.

    A list directly in a list is no form of trace file and is given as it stands. What can only be
    a problem takes room; where there is none left such items of a list are counted.
    """
    if isinstance(value, list):
        counted = 0
        for index, item in enumerate(value):
            if room.left <= 0 and is_hopeless(item):
                counted += 1
                continue
            if counted:
                yield counted
                counted = 0
            yield from _inside(item, room, (*path, index))
        if counted:
            yield counted
        return
    key = held_under(value)
    if key is not None and isinstance(value, dict):
        yield from units(value[key], room, (*path, key))
        return
    yield from _inside(value, room, path)


def _inside(value: JsonValue, room: Room, path: JsonPath) -> Iterator[Unit | int]:
    """A value that is a unit, or a reply that holds some."""
    if held_under(value) is not None:
        yield from units(value, room, path)
        return
    room.left -= is_hopeless(value)
    yield Unit(path, value)


def is_hopeless(value: JsonValue) -> bool:
    """Whether a value in the place of a unit is a problem, whatever else it says."""
    if not isinstance(value, dict):
        return True
    names = value.keys()
    if names >= _NEEDED and value["task"] is not None and isinstance(value["steps"], list):
        return False
    if names.isdisjoint(_TELLING):
        return True
    other = value.get("@type") in OTHER_UNITS or is_report(value)
    return not other and held_under(value) is None


def is_report(value: Mapping[str, JsonValue]) -> bool:
    """Whether a value is a report of this program, or wants to be one."""
    has_steps = any(key in value for key in _TRACE_KEYS)
    return value.get("format") == REPORT_FORMAT and not has_steps


def held_under(value: JsonValue) -> str | None:
    """The key under which a registry reply holds its units; None for anything else."""
    if not isinstance(value, dict) or any(key in value for key in _TRACE_KEYS) or is_report(value):
        return None
    if isinstance(value.get("data"), (list, dict)):
        return "data"
    return "unit" if isinstance(value.get("unit"), dict) else None
