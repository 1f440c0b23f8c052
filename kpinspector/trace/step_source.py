"""The text of one step, or of the lines around a place, exactly as in the file."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from kpinspector.errors import KpError
from kpinspector.trace.find import FoundFile
from kpinspector.trace.javascript import DECODER, JsonObject
from kpinspector.trace.place import offset_of, offsets_of
from kpinspector.trace.read import read_text
from kpinspector.trace.records import TraceRecord

_AROUND = 7


@dataclass(frozen=True, slots=True)
class StepPlace:
    """A step of a record in a file; ``raw``: the record as read, to find it again in the text."""

    path: str
    record: int | None
    step: int | None
    line: int
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class StepSource:
    """The lines of a step, or those around a place; ``first``: the number of the first, from 1.

    There are no lines if the file cannot be read any more, or no longer has the record.
    """

    lines: tuple[str, ...] = ()
    first: int = 1


def place_of(record: TraceRecord, step: int | None) -> StepPlace:
    """The place of a step of a record; of its objective if ``step`` is None."""
    source = record.source
    return StepPlace(source.path, source.record, step, source.line, record.trace.raw)


def read_step(place: StepPlace) -> StepSource:
    """The text of a step from its first character; the indent of its line is kept."""
    try:
        status = os.stat(place.path)  # noqa: PTH116 (a Path would take "" for a folder)
        stamp = status.st_mtime_ns, status.st_size
        text, above, objective, steps = _record_at(replace(place, step=None), stamp)
        begin = objective if place.step is None else offset_of(text, (place.step,), steps)
        end = DECODER.raw_decode(text, begin)[1]
    except (OSError, ValueError, KpError):
        return StepSource()
    indent = text[text.rfind("\n", 0, begin) + 1 : begin]
    lines = ((indent if indent.isspace() else "") + text[begin:end]).split("\n")
    first = above + text.count("\n", 0, begin) + 1
    return StepSource(tuple(line.rstrip("\r") for line in lines), first)


@lru_cache(maxsize=2)  # users go to and fro between two records
def _record_at(place: StepPlace, _stamp: tuple[int, int]) -> tuple[str, int, int, int]:
    """A record's text, the number of lines above it, the offsets of its objective and steps."""
    text = read_text(FoundFile(Path(place.path), place.path, named=True))
    start = 0
    for _ in range(place.line - 1):
        start = text.index("\n", start) + 1
    for begin, end, value in _objects(text, start):
        if value == place.raw:
            record, parts = text[begin:end], (("task", "objective"), ("steps",))
            objective, steps = offsets_of(record, parts).values()
            return record, text.count("\n", 0, begin), objective, steps
    raise ValueError("the file has no such record any more")


def read_excerpt(found: FoundFile, line: int) -> StepSource:
    """Up to seven lines before and after ``line``."""
    try:
        text = read_text(found)
    except (OSError, ValueError, KpError):
        return StepSource()
    first = max(1, line - _AROUND)
    start = 0
    for _ in range(first - 1):
        start = text.find("\n", start) + 1
    # the split stops behind these lines, as a file may have millions
    count = line + _AROUND - first + 1
    return StepSource(tuple(text[start:].split("\n", count)[:count]), first)


def cut_records(text: str, raws: Sequence[JsonObject]) -> list[str]:
    """The texts of records, exactly as in the file.

    Raises:
        ValueError: the text does not have them all in this order.
    """
    found: list[str] = []
    for begin, end, value in _objects(text, 0):
        if len(found) == len(raws):
            break
        if value == raws[len(found)]:
            found.append(text[begin:end])
    if len(found) < len(raws):
        raise ValueError("the file has no such record any more")
    return found


def _objects(text: str, start: int) -> Iterator[tuple[int, int, object]]:
    while (begin := text.find("{", start)) >= 0:
        start = begin + 1
        try:
            value, end = DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            continue
        yield begin, end, value
        if "steps" in value:
            start = end
