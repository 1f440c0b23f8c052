"""Bytes of a recording to its JSON texts, each with its place; and what could not be read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pydantic_core import from_json

from kpinspector.phrase import Phrase
from kpinspector.runs.run import Chunk, Record
from kpinspector.trace.decode import WHITE_SPACE
from kpinspector.trace.javascript import DECODER
from kpinspector.trace.json_lines import JsonLine, lines
from kpinspector.trace.model import JsonValue, whole_values
from kpinspector.trace.parse import parse
from kpinspector.trace.place import Lines
from kpinspector.trace.records import Problem, ProblemKind
from kpinspector.trace.scan import END_OF_FILE, first_fault

HEAD: Final = 2**16
"""Bytes of a file by which its format is recognised."""

_END_OF_LINE: Final = Phrase("the end of the line")


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a file, by which its format is recognised.

    Attributes:
        values: The values of its first lines; or the one document, as far as the head has it.
        is_lines: Whether these are lines.
        members: The names in a zip's directory; empty for what is no zip.
    """

    values: tuple[JsonValue, ...]
    is_lines: bool = False
    members: tuple[str, ...] = ()

    @property
    def objects(self) -> list[dict[str, JsonValue]]:
        """The values that are objects."""
        return [one for one in self.values if isinstance(one, dict)]


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A last line that is still being written."""

    chunk: Chunk


def head_of(data: bytes) -> Head:
    """The head of decoded bytes that are no zip."""
    head = data[:HEAD]
    found = list(lines(head))
    whole = len(data) <= HEAD
    values = [value_of(head[one.start : one.end]) for one in found]
    if len(found) > 1 and values[0] is not None:
        return _head_of_lines(values, whole=whole)
    try:
        value = from_json(head, allow_partial="trailing-strings", allow_inf_nan=False)
    except ValueError:
        return _head_of_lines(values, whole=whole)
    is_line = len(found) == 1 and head.endswith(b"\n")
    return Head((value,), is_lines=is_line and whole)


def _head_of_lines(values: list[JsonValue], *, whole: bool) -> Head:
    """The lines that can be read; of a longer file the last one is cut off."""
    complete = values if whole else values[:-1]
    held = tuple(one for one in complete if isinstance(one, dict | list))
    return Head(held, is_lines=bool(held))


def records_of(data: bytes, shown: str) -> Iterator[Record | Problem | Unfinished]:
    """The JSON texts of a file, one a line, or the one document that it is."""
    begin = lines(data)
    first, second = next(begin, None), next(begin, None)
    if first is None:
        return
    if second is None or value_of(data[first.start : first.end]) is None:
        whole = value_of(data)
        if whole is not None:
            end = len(data.rstrip(WHITE_SPACE + b"\n"))
            yield Record(Chunk(first.number, first.start, end), whole)
            return
    for line in lines(data):
        yield record_at(data, line, shown)


def record_at(
    data: bytes, line: JsonLine, shown: str, before: int = 0
) -> Record | Problem | Unfinished:
    """What stands on a line; ``before`` is the number of bytes of the file in front of the data."""
    chunk = Chunk(line.number, before + line.start, before + line.end)
    text = data[line.start : line.end]
    value = value_of(text)
    if value is not None:
        return Record(chunk, value)
    is_last = line.end == len(data)
    if is_last and text.lstrip()[:1] in b"{[":
        return Unfinished(chunk)
    return line_problem(text, chunk, shown, END_OF_FILE if is_last else _END_OF_LINE)


def line_problem(data: bytes, chunk: Chunk, shown: str, end: str = END_OF_FILE) -> Problem:
    """What is wrong with a JSON text, and where."""
    text = data.decode("utf-8", "surrogateescape")
    fault = first_fault(text, end)
    line, column = Lines(text, chunk.line).at(fault.offset if fault else 0)
    expected = fault.expected if fault else Phrase("JSON")
    found = fault.found if fault else Phrase("something else")
    return Problem(
        path=shown,
        record=None,
        kind=ProblemKind.UNREADABLE,
        line=line,
        column=column,
        json_path=None,
        expected=expected,
        found=found,
        message=Phrase(
            "not valid JSON: expected {expected}, found {found}", expected=expected, found=found
        ),
    )


def value_of(data: bytes) -> JsonValue:
    """The value of a JSON text, with U+FFFD for half characters; None where it is none."""
    parsed = parse(data)
    if parsed is not None:
        return parsed.value
    text = data.decode("utf-8", "replace")
    if first_fault(text) is not None:
        return None
    return whole_values(DECODER.decode(text.strip()))
