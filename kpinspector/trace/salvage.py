"""What can be kept of a broken JSON text: the records beside the broken ones.

In a list of records, an item with a fault is replaced by a placeholder when its brackets still
balance, and scanning goes on behind it; else the text is closed behind the last value before the
fault. Offsets and lines of what is kept do not change.
"""

import re
from dataclasses import dataclass
from typing import Final

from kpinspector.trace.records import MOST_PROBLEMS, JsonPath
from kpinspector.trace.scan import Fault, Frame, Scanner
from kpinspector.trace.skim import loose_end

ENVELOPE_KEYS: Final = ("data", "unit")

_NOT_A_LINE_END = re.compile(r"[^\n]")


@dataclass(frozen=True, slots=True)
class Salvage:
    """What could be kept.

    Attributes:
        text: Valid JSON, or empty.
        broken: The fault of each list item that a placeholder stands for.
        last: The fault behind which nothing could be kept, if there was one.
        last_item: The path of the list item that it is in, if it is in one.
        rest: Where the list goes on, and what is open there, when as many items were replaced as
            may be.
    """

    text: str
    broken: dict[JsonPath, Fault]
    last: Fault | None = None
    last_item: JsonPath | None = None
    rest: tuple[int, tuple[Frame, ...]] | None = None


@dataclass(frozen=True, slots=True)
class _Hole:
    """A list item that is replaced: its offsets, its path and what is wrong with it."""

    start: int
    stop: int
    item: JsonPath
    fault: Fault


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


def _is_envelope(scanner: Scanner, frame: Frame) -> bool:
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
