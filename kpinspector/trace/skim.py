"""Passing quickly over records that can only be problems, once as many are kept as may be.

A file of a few megabytes can hold millions of them. Each is counted, none is looked at closely;
what might be a trace, a report or another unit is read as always.
"""

import re
from collections.abc import Generator, Iterator, Sequence
from typing import TypeAlias

from kpinspector.trace.scan import MANY, Frame

# a trace has an object and a list; an empty list is skipped, not a problem
_PLAIN_LINE = re.compile(
    rb"[ \t\r\n]*+(?!\[[ \t]*\])(?:[^\n\[@\\]++|[^\n{@\\]++)(?:\n|\Z)",
)
_TEXT = r'"[^"\n@\\]*+"'
_FLAT = rf'(?:[^\[\]{{}}"@\\]++|{_TEXT}){MANY}'
_PLAIN_ITEM = re.compile(
    rf'(?:[^\[\]{{}},"@\\]++|{_TEXT}|\{{{_FLAT}\}}|\[{_FLAT}\]){MANY}(?=[,\]])'
)
_LOOSE = re.compile(r'"(?:[^"\\\n]|\\[^\n])' + MANY + r'"|[\[\]{},]|[^"\[\]{},]++')

Item: TypeAlias = int | tuple[int, int]
"""How many items can only be problems, or the offsets of one that may be more."""


def may_be_more(data: bytes) -> bool:
    """Whether a text may hold a trace, or the text of one, a report or another unit."""
    if b"@" in data or b"\\" in data or b'"format"' in data:
        return True
    return b'"task"' in data and b'"steps"' in data


def plain_lines(data: bytes, start: int) -> tuple[int, int]:
    """How many lines from an offset on can only be problems, and the offset behind them.

    Each counts as one record, whatever brackets are in it.
    """
    count = 0
    while (line := _PLAIN_LINE.match(data, start)) is not None:
        count += 1
        start = line.end()
    return count, start


def loose_end(text: str, start: int, open_marks: Sequence[str] = ()) -> int | None:
    """The comma or bracket behind an item, going by brackets and quotation marks alone.

    Args:
        text: Of a list.
        start: Inside the item, where ``open_marks`` are open.
        open_marks: Opening brackets, the outermost first.
    """
    marks = list(open_marks)
    position = start
    while (token := _LOOSE.match(text, position)) is not None:
        mark = text[position]
        if not marks and mark in ",]":
            return position if position > start else None
        if mark in "[{":
            marks.append(mark)
        elif mark in "]}" and (not marks or marks.pop() + mark not in {"[]", "{}"}):
            return None
        position = token.end()
    return None


def items_behind(text: str, position: int, frames: Sequence[Frame]) -> Iterator[Item]:
    """What is left of a list of records, and of those around it, behind one of its items.

    Args:
        text: All of it.
        position: Where the comma or bracket behind the item stands.
        frames: The containers that are open there; all of its lists are lists of records.
    """
    levels = [level for level, frame in enumerate(frames) if not frame.is_object]
    inner = len(frames) - 1
    stop: int | None = position
    for level in reversed(levels):
        if level < inner and stop is not None:
            stop = loose_end(text, stop, "{" * (inner - level - 1))
        if stop is not None:
            stop = yield from _items(text, stop)
        if stop is None:
            return
        inner = level


def _items(text: str, stop: int) -> Generator[Item, None, int | None]:
    """The items behind a comma; returns the offset behind the bracket, None where it is lost."""
    plain = 0
    while text[stop] == ",":
        start = stop + 1
        item = _PLAIN_ITEM.match(text, start)
        is_plain = item is not None and item.end() > start
        end = item.end() if item and is_plain else loose_end(text, start)
        if end is None:
            yield plain + 1
            return None
        if is_plain or not may_be_more(text[start:end].encode("utf-8", "surrogateescape")):
            plain += 1
        else:
            yield plain
            yield start, end
            plain = 0
        stop = end
    yield plain
    return stop + 1
