"""Where a JSON path stands in a text: offsets, lines and columns, found on demand.

All texts here are valid JSON up to the places asked for; values off the way are passed over by
the C decoder.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from json import JSONDecoder
from typing import Final

from kpinspector.trace.javascript import DECODER, JsonPath, read_integer
from kpinspector.trace.model import whole_characters

_SPACE = re.compile(r"[ \t\n\r]*+")
_ENDS: Final = JSONDecoder(  # holds no objects
    object_pairs_hook=lambda _members: None, parse_int=read_integer
)


@dataclass(slots=True)
class _Wanted:
    """The paths to look up, as a tree."""

    below: dict[str | int, "_Wanted"] = field(default_factory=dict)


@dataclass(slots=True)
class _Met:
    """The places that were found, as a tree: where a value begins, and those inside it."""

    offset: int
    inside: dict[str | int, "_Met"] = field(default_factory=dict)


class Lines:
    """Line and column of offsets in one text, both from 1; lines end with a line feed.

    Quick where offsets are asked for in their order.
    """

    def __init__(self, text: str, first_line: int = 1) -> None:
        self._text = text
        self._first_line = self._line = first_line
        self._start = self._offset = 0

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        if offset < self._offset:
            self._line, self._start, self._offset = self._first_line, 0, 0
        self._line += self._text.count("\n", self._offset, offset)
        self._start = max(self._start, self._text.rfind("\n", self._offset, offset) + 1)
        self._offset = offset
        return self._line, offset - self._start + 1


def locate(text: str, path: str | JsonPath) -> tuple[int, int]:
    """Line and column where the value at a path begins, or the nearest value around it.

    Args:
        text: Valid JSON.
        path: As a tuple, or with dots as in an issue (``steps.2.tool.name``).

    Raises:
        ValueError: the text is not JSON.
    """
    return Lines(text).at(offset_of(text, path))


def locate_lines(text: str, path: str | JsonPath) -> tuple[int, int]:
    """The first and the last line of the value at a path, or of the nearest value around it.

    Raises:
        ValueError: the text is not JSON.
    """
    start = offset_of(text, path)
    lines = Lines(text)
    return lines.at(start)[0], lines.at(_value_end(text, start) - 1)[0]


def offset_of(text: str, path: str | JsonPath, start: int = 0) -> int:
    """Offset of the value at a path, or of the nearest value around it.

    Args:
        text: At ``start``, or after white space there, the value begins that the path counts from.
        path: As for `locate`.
        start: An offset.

    Raises:
        ValueError: the text is not JSON.
    """
    parts = _parts(path) if isinstance(path, str) else path
    return offsets_of(text, [parts], start)[parts]


def offsets_of(text: str, paths: Iterable[JsonPath], start: int = 0) -> dict[JsonPath, int]:
    """The offsets of many paths in one pass over the text, each as `offset_of` gives it.

    Raises:
        ValueError: the text is not JSON.
    """
    wanted = _Wanted()
    asked = list(paths)
    for path in asked:
        node = wanted
        for part in path:
            node = node.below.setdefault(part, _Wanted())
    met = _Met(after_space(text, start))
    try:
        _look_inside(text, met, wanted, inside=False)
    except IndexError as error:
        raise ValueError("the text ends too early to be JSON") from error
    return {path: _nearest(met, path) for path in asked}


def _parts(dotted: str) -> JsonPath:
    """The parts of a dotted path; digits stay text, and are an index inside a list."""
    return tuple(dotted.split(".")) if dotted else ()


def _nearest(met: _Met, path: JsonPath) -> int:
    for part in path:
        if part not in met.inside:
            break
        met = met.inside[part]
    return met.offset


def _look_inside(text: str, met: _Met, wanted: _Wanted, *, inside: bool = True) -> int:
    """Fill in the places wanted inside a value; returns the offset after the value."""
    bracket = text[met.offset]
    if not wanted.below or bracket not in "[{":
        return _value_end(text, met.offset)
    position = after_space(text, met.offset + 1)
    index = 0
    while text[position] not in "]}":
        part: str | int = index
        if bracket == "{":
            key, position = DECODER.raw_decode(text, position)
            part = whole_characters(key)
            position = after_space(text, after_space(text, position) + 1)
        position = _look_at_member(text, position, part, met, wanted)
        if bracket == "[" and len(met.inside) == len(wanted.below):
            # nobody looks behind the outermost value
            return _ENDS.raw_decode(text, met.offset)[1] if inside else position
        if text[position] == ",":
            position = after_space(text, position + 1)
        index += 1
    return position + 1


def _look_at_member(text: str, position: int, part: str | int, met: _Met, wanted: _Wanted) -> int:
    """Look at one member of a container; returns the offset of the comma or bracket after it."""
    name = part if part in wanted.below else str(part)
    if name not in wanted.below:
        return after_space(text, _value_end(text, position))
    member = met.inside[name] = _Met(position)
    return after_space(text, _look_inside(text, member, wanted.below[name]))


def _value_end(text: str, start: int) -> int:
    return DECODER.raw_decode(text, start)[1]


def after_space(text: str, position: int) -> int:
    """The offset of the next character that is no white space."""
    match = _SPACE.match(text, position)
    return match.end() if match else position
