"""Finds the offset, line and column of a JSON path in a text, on demand.

All texts here are valid JSON up to the places asked for; values that are not on the path are
skipped by the C decoder.
"""

import re
from collections.abc import Iterable
from json import JSONDecoder
from typing import Final, TypeAlias

from kpinspector.trace.javascript import JsonPath, whole_characters

_SPACE = re.compile(r"[ \t\n\r]*+")
# stores nothing, lets other threads run at every object, and accepts integers of any length
_PASSER: Final = JSONDecoder(object_pairs_hook=lambda _members: None, parse_int=float)
_Wanted: TypeAlias = list[tuple[JsonPath, JsonPath]]
"""Paths that are asked for, each with the part of it that is not followed yet."""


class Lines:
    """Line and column of offsets in one text, both from 1; quick in the order of offsets."""

    def __init__(self, text: str, first_line: int = 1, first_column: int = 1) -> None:
        self._text = text
        self._first = first_line, 1 - first_column
        self._line, self._start = self._first
        self._offset = 0

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        if offset < self._offset:
            self._line, self._start = self._first
            self._offset = 0
        if count := self._text.count("\n", self._offset, offset):
            self._line += count
            self._start = self._text.rfind("\n", self._offset, offset) + 1
        self._offset = offset
        return self._line, offset - self._start + 1


def offset_of(text: str, path: str | JsonPath, start: int = 0) -> int:
    """Offset of the value at a path, or of the nearest value around it.

    A path is a tuple, or has dots as in an issue (``steps.2.tool.name``). The value that it counts
    from begins at ``start``, or after white space there.

    Raises:
        ValueError: the text is not JSON.
    """
    # digits stay text, and are an index inside a list
    parts = path if isinstance(path, tuple) else tuple(path.split(".")) if path else ()
    return offsets_of(text, [parts], start)[parts]


def offsets_of(text: str, paths: Iterable[JsonPath], start: int = 0) -> dict[JsonPath, int]:
    """The offsets of many paths in one pass over the text, each as `offset_of` gives it.

    Raises:
        ValueError: the text is not JSON.
    """
    found: dict[JsonPath, int] = {}
    try:
        _look_inside(text, after_space(text, start), [(path, path) for path in paths], found)
    except IndexError as error:
        raise ValueError("the text ends too early to be JSON") from error
    return found


def _look_inside(text: str, offset: int, wanted: _Wanted, found: dict[JsonPath, int]) -> None:
    """Find wanted paths in a value; paths that it lacks get the offset of the value."""
    bracket = text[offset]
    ahead: dict[str | int, _Wanted] = {}
    for path, rest in wanted:
        found[path] = offset
        if rest:
            ahead.setdefault(rest[0], []).append((path, rest[1:]))
    if bracket not in "[{":
        return
    position = after_space(text, offset + 1)
    index, left = 0, len(ahead)
    while left and text[position] not in "]}":
        part: str | int = index
        if bracket == "{":
            key, position = _PASSER.raw_decode(text, position)
            part = whole_characters(key)
            position = after_space(text, after_space(text, position) + 1)
        if inner := ahead.get(part) or ahead.get(str(part)):
            _look_inside(text, position, inner, found)
            left -= bracket == "["  # of two members with the same name the last counts
        if left:
            position = after_space(text, _PASSER.raw_decode(text, position)[1])
            position = after_space(text, position + (text[position] == ","))
        index += 1


def after_space(text: str, position: int) -> int:
    """The offset of the next character that is no white space."""
    match = None if text[position : position + 1] > " " else _SPACE.match(text, position)
    return match.end() if match else position
