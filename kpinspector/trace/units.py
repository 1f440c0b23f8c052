"""The units inside a parsed JSON text: what registry replies and lists are unpacked to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kpinspector.trace.model import JsonValue
from kpinspector.trace.records import REPORT_FORMAT, JsonPath

_TRACE_KEYS = ("@type", "steps")


@dataclass(frozen=True, slots=True)
class Unit:
    """A value in the place of a trace, and its path in the text."""

    path: JsonPath
    value: JsonValue

    @property
    def in_list(self) -> bool:
        """Whether the unit is one of several that its text can hold."""
        return any(isinstance(part, int) for part in self.path)


def units(value: JsonValue, path: JsonPath = ()) -> Iterator[Unit]:
    """All units in order: lists give their items, replies what they hold, however nested.

    A list directly in a list is no form of trace file and is given as it stands.
    """
    if isinstance(value, list):
        for index, item in enumerate(value):
            inner = (*path, index)
            yield from (Unit(inner, item),) if isinstance(item, list) else units(item, inner)
        return
    key = _held_under(value) if isinstance(value, dict) else None
    if isinstance(value, dict) and key is not None:
        yield from units(value[key], (*path, key))
    else:
        yield Unit(path, value)


def is_report(value: Mapping[str, JsonValue]) -> bool:
    """Whether a value is a report of this program, or wants to be one."""
    has_steps = any(key in value for key in _TRACE_KEYS)
    return value.get("format") == REPORT_FORMAT and not has_steps


def _held_under(value: Mapping[str, JsonValue]) -> str | None:
    """The key under which a registry reply holds its units; None for anything else."""
    if any(key in value for key in _TRACE_KEYS) or is_report(value):
        return None
    if isinstance(value.get("data"), (list, dict)):
        return "data"
    return "unit" if isinstance(value.get("unit"), dict) else None
