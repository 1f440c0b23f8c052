"""Reads JSON Lines, and tells them from one document that spans several lines."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from kpinspector.phrase import Phrase
from kpinspector.trace.json_text import JsonReading, JsonText
from kpinspector.trace.parse import parse
from kpinspector.trace.salvage import is_balanced, may_be_more, plain_lines
from kpinspector.trace.scan import first_fault

_INK = re.compile(rb"[^ \t\r\n]")
_NO_PROBLEM = re.compile(rb"[ \t\r]*(?:\[[ \t]*\][ \t\r]*)?")  # nothing, or an empty list
_MOST_COMPARED: Final = 1000


class JsonLine(NamedTuple):
    """A line that is not blank: its number from 1 and its offsets."""

    number: int
    start: int
    end: int


def lines(data: bytes) -> Iterator[JsonLine]:
    """The lines that are not blank, without their line ends."""
    number = start = 0
    while start < len(data):
        line, start = _line_at(data, start, number + 1)
        number = line.number
        if _INK.search(data, line.start, line.end):
            yield line


def read_lines(reading: JsonReading, whole: JsonText) -> None:
    """Read a document from each line that is not blank.

    Once as many problems are kept as allowed, lines that can only be problems are just counted.
    """
    number = start = 0
    while start < len(whole.data):
        if reading.is_full:
            count, behind = plain_lines(whole.data, start)
            reading.count_problems(count)
            number += whole.data.count(b"\n", start, behind)
            if (start := behind) >= len(whole.data):
                return
        line, start = _line_at(whole.data, start, number + 1)
        number = line.number
        data = whole.data[line.start : line.end]
        if reading.is_full and not may_be_more(data) and not _NO_PROBLEM.fullmatch(data):
            reading.count_problems(1)
        elif _INK.search(data):
            reading.add(_document(whole, line), parse(data), in_lines=True)


def is_broken_lines(whole: JsonText, second: JsonLine) -> bool:
    """Whether a text that is not JSON looks like JSON Lines with a fault in the first line.

    A document that spans several lines is sound up to a later line. JSON Lines fail on the first
    line, or where the second begins; and that line, or most of those behind, look like records.
    """
    fault = first_fault(whole.text)
    if fault is None:
        return False
    line, column = whole.lines.at(fault.offset)
    begin = islice(lines(whole.data), _MOST_COMPARED + 1)
    texts = [_document(whole, one).text for one in begin]
    indent = len(texts[1]) - len(texts[1].lstrip())
    if line > second.number or (line == second.number and column > indent + 1):
        return False
    if is_balanced(texts[0]):
        return True
    alike = [text for text in texts[1:] if is_balanced(text)]
    return len(texts[0].strip()) > 1 and len(alike) * 2 > len(texts) - 1


def _document(whole: JsonText, line: JsonLine) -> JsonText:
    end = whole.end if line.end == len(whole.data) else Phrase("the end of the line")
    return JsonText(whole.data[line.start : line.end], line.number, end)


def _line_at(data: bytes, start: int, number: int) -> tuple[JsonLine, int]:
    """The line that begins at an offset, and where the next one does."""
    stop = data.find(b"\n", start)
    stop = len(data) if stop < 0 else stop
    end = stop - (data[stop - 1 : stop] == b"\r")
    return JsonLine(number, start, end), stop + 1
