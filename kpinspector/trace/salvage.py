"""Salvages the sound records of a broken JSON text.

In a list of records, an item with a fault is replaced by a placeholder when its brackets still
balance, and scanning goes on behind it; else the text is closed behind the last value before the
fault. Offsets and lines of what is kept do not change.
"""

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.records import MOST_PROBLEMS
from kpinspector.trace.scan import MANY, OpenContainer, Scanner, SyntaxFault

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


ENVELOPE_KEYS: Final = ("data", "knowledge_units", "unit")
_NOT_A_LINE_END = re.compile(r"[^\n]")


def may_be_more(data: bytes) -> bool:
    """Whether a text may hold anything but a problem: a trace, a report or another unit."""
    if b"@" in data or b"\\" in data or b'"format"' in data:
        return True
    return b'"task"' in data and b'"steps"' in data


def plain_lines(data: bytes, start: int) -> tuple[int, int]:
    """How many lines from an offset onwards can only be problems, and the offset after them.

    Each counts as one record, whatever brackets are in it.
    """
    count = 0
    while (line := _PLAIN_LINE.match(data, start)) is not None:
        count += 1
        start = line.end()
    return count, start


def loose_end(text: str, start: int, open_marks: Sequence[str] = ()) -> int | None:
    """The comma or bracket after an item, found by brackets and quotation marks alone.

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


def items_behind(text: str, position: int, frames: Sequence[OpenContainer]) -> Iterator[Item]:
    """The items of a list of records, and of those around it, that follow a place.

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
    """The items after a comma; returns the offset after the bracket, None where it is lost."""
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


@dataclass(frozen=True, slots=True)
class Salvage:
    """What could be kept.

    Attributes:
        text: Valid JSON, or empty.
        broken: The fault of each list item that a placeholder replaces.
        last: The fault after which nothing could be kept, if there was one.
        last_item: The path of the list item that holds that fault, if one does.
        rest: Where the list goes on, and the containers open there, once as many items were
            replaced as allowed.
    """

    text: str
    broken: dict[JsonPath, SyntaxFault]
    last: SyntaxFault | None = None
    last_item: JsonPath | None = None
    rest: tuple[int, tuple[OpenContainer, ...]] | None = None


@dataclass(frozen=True, slots=True)
class _Hole:
    """A list item that is replaced: its offsets, its path and what is wrong with it."""

    start: int
    stop: int
    item: JsonPath
    fault: SyntaxFault


def salvage(text: str, end: str) -> Salvage:
    """Scan a text to its end, or to the first fault that cannot be passed over."""
    scanner = Scanner(text, end)
    holes: list[_Hole] = []
    while (fault := scanner.run()) is not None:
        level = _record_list(scanner)
        start = _item_start(scanner, level)
        item = None if start is None else fault.holder[: level + 1]
        stop = None if start is None else loose_end(text, start)
        if start is None or item is None or stop is None:
            kept = _filled(text[: _safe_end(scanner)], holes) + _closing(scanner)
            return Salvage(kept, {hole.item: hole.fault for hole in holes}, fault, item)
        while holes and holes[-1].start >= start:
            holes.pop()
        holes.append(_Hole(start, stop, item, fault))
        scanner.resume(level, stop)
        if len(holes) == MOST_PROBLEMS:
            kept = _filled(text[:stop], holes) + _closing(scanner)
            broken = {hole.item: hole.fault for hole in holes}
            return Salvage(kept, broken, rest=(stop, tuple(scanner.frames)))
    return Salvage(_filled(text, holes), {hole.item: hole.fault for hole in holes})


def is_balanced(text: str) -> bool:
    """Whether a text is one list or object by its brackets and quotation marks alone."""
    text = text.strip()
    return text.startswith(("{", "[")) and loose_end(text + ",", 0) == len(text)


def _filled(text: str, holes: list[_Hole]) -> str:
    """The text with a placeholder in each hole; line ends stay where they are."""
    pieces: list[str] = []
    kept = 0
    for hole in holes:
        blank = _NOT_A_LINE_END.sub(" ", text[hole.start + 1 : hole.stop])
        pieces += [text[kept : hole.start], "0", blank]
        kept = hole.stop
    return "".join([*pieces, text[kept:]])


def _record_list(scanner: Scanner) -> int:
    """The level of the innermost open list whose items are records, or -1."""
    found = -1
    for level, frame in enumerate(scanner.frames):
        if frame.is_object:
            if not _is_envelope(scanner, frame):
                break
        elif level == found + 1 and level:
            break
        else:
            found = level
    return found


def _is_envelope(scanner: Scanner, frame: OpenContainer) -> bool:
    return frame.key >= 0 and scanner.key_text(frame) in ENVELOPE_KEYS


def _item_start(scanner: Scanner, level: int) -> int | None:
    """Where the broken item of the list at a level begins; None if the fault is in no item."""
    if level < 0:
        return None
    if level + 1 < len(scanner.frames):
        return scanner.frames[level + 1].start
    return scanner.position if scanner.in_value else None


def _safe_end(scanner: Scanner) -> int:
    return scanner.frames[-1].end if scanner.frames else scanner.root_end


def _closing(scanner: Scanner) -> str:
    return "".join("}" if frame.is_object else "]" for frame in reversed(scanner.frames))
