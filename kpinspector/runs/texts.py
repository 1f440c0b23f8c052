"""Splits the bytes of a recording into JSON texts with their places, and reports faults."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic_core import from_json

from kpinspector.phrase import Phrase
from kpinspector.runs.archive import ZIP, CutOffError, DamagedError, listed, names_in, unpacked
from kpinspector.runs.run import Chunk, Record
from kpinspector.trace.broken import END_OF_FILE, SyntaxFault, first_fault
from kpinspector.trace.bytes import WHITE_SPACE, JsonLine, Parsed, lines, parse
from kpinspector.trace.javascript import DECODER, JsonValue, whole_characters
from kpinspector.trace.model import whole_values
from kpinspector.trace.place import Lines, after_space
from kpinspector.trace.printable import shortened
from kpinspector.trace.read import fault_problem
from kpinspector.trace.records import Problem, file_problem

HEAD: Final = 2**16
"""The number of bytes of a file that are read to recognise its format."""

# an incomplete word, number, escape or character, as at the end of a file that is cut off
_CUT_OFF = re.compile("[\\w.+\\-\\\\]{0,40}[\udc80-\udcff]{0,3}")
_END_OF_LINE: Final = Phrase("the end of the line")
_IS_CUT_OFF: Final = Phrase(
    "the file is cut off here: everything complete before this point was read; "
    "copy or save the file again to get the rest"
)
_OTHER: Final = Phrase("something else")
_REST: Final = Phrase("the rest of the file")
_CLOSING: Final = {"[": "]", "{": "}"}
_JSON: Final = ".json"
_LONGEST_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class FileHead:
    """The beginning of a file, by which its format is recognised.

    ``values``: those of its first lines, or of the document as far as the head goes. ``is_lines``:
    the file is JSON Lines. ``members``: the names of a zip's members; empty for any other file.
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
    """A file ends within a JSON text; ``problem``: what to report for a document or a zip.

    ``problem`` is None for a last line, which may still be being written.
    """

    problem: Problem | None = None


def head_of(data: bytes, *, whole: bool | None = None) -> FileHead:
    """The head of decoded bytes; for a zip, its directory.

    ``whole``: the bytes are all of the file; None supposes so if they fit into the head.
    """
    if data.startswith(ZIP):
        return FileHead((), members=names_in(io.BytesIO(data)))
    head = data[:HEAD]
    found = list(lines(head))
    if whole is None:
        whole = len(data) <= HEAD
    complete = found if whole else found[:-1]  # the head of a longer file cuts off the last line
    values = (parsed(head[one.start : one.end]) for one in complete)
    first = next(values, None)
    if len(found) > 1 and first is not None:
        return _head_of_lines([first, *values])
    try:
        value = from_json(head, allow_partial="trailing-strings", allow_inf_nan=False)
    except ValueError:
        return _head_of_lines([first, *values])
    is_line = len(found) == 1 and head.endswith(b"\n")
    return FileHead((value,), is_lines=is_line and whole)


def _head_of_lines(values: list[Parsed | None]) -> FileHead:
    """The head of lines, with those that can be parsed."""
    held = tuple(one.value for one in values if one and isinstance(one.value, dict | list))
    return FileHead(held, is_lines=bool(held))


def records_of(
    data: bytes, shown: str, end: str = END_OF_FILE
) -> Iterator[Record | Problem | Unfinished]:
    """The JSON texts of a file: its lines, its one document, or the members of a zip."""
    if data.startswith(ZIP):
        yield from _members_of(data, shown)
        return
    begin = lines(data)
    first, second = next(begin, None), next(begin, None)
    if first is None:
        return
    alone = parsed(data[first.start : first.end])
    if second is None or alone is None:
        whole = parsed(data)
        if whole is not None:
            stop = len(data.rstrip(WHITE_SPACE + b"\n"))
            chunk = Chunk(first.number, first.start, stop)
            yield Record(chunk, whole.value, data[first.start : stop])
            return
    if alone is None and not head_of(data).is_lines:
        yield from _broken_document(data, Chunk(first.number, first.start, len(data)), shown, end)
        return
    for line in lines(data):
        yield record_at(data, line, shown)


def _broken_document(
    data: bytes, chunk: Chunk, shown: str, end: str
) -> Iterator[Record | Problem | Unfinished]:
    text = data.decode("utf-8", "surrogateescape")
    fault = first_fault(text, end)
    problem = _fault_problem(text, fault, 1, shown)
    if not _is_at_end(text, fault):
        yield problem
        return
    complete = closed(data[chunk.start :])
    read = parsed(complete)
    if read is not None:
        yield Record(chunk, read.value, complete)
    yield Unfinished(replace(problem, expected=_REST, message=_IS_CUT_OFF))


def closed(data: bytes) -> bytes:
    """A document unchanged; a document that is cut off, with brackets closed after its last part.

    Parts are the members of the outer object and the items of its last list.
    """
    try:
        from_json(data)
    except ValueError:
        text = data.decode("utf-8", "surrogateescape")
        begin = after_space(text, 0)
        if text[begin : begin + 1] in _CLOSING:
            return _closed(text, begin).encode("utf-8", "surrogateescape")
    return data


def _closed(text: str, begin: int) -> str:
    """The list or object at an offset, closed after its last complete value."""
    bracket = text[begin]
    end = value = position = begin + 1
    try:
        while True:
            value = position = after_space(text, position)
            if bracket == "{":
                position = after_space(text, DECODER.raw_decode(text, position)[1])
                value = after_space(text, position + 1)
            after = DECODER.raw_decode(text, value)[1]
            position = after_space(text, after) + 1
            if text[position - 1] in "]}":
                return text[begin:position]
            end = after
    except (ValueError, IndexError, RecursionError):
        if bracket == "{" and text[value : value + 1] == "[" and value > position:
            return f"{text[begin:value]}{_closed(text, value)}{_CLOSING[bracket]}"
        return f"{text[begin:end]}{_CLOSING[bracket]}"


def _members_of(data: bytes, shown: str) -> Iterator[Record | Problem | Unfinished]:
    """The JSON texts in a zip, one for each member."""
    try:
        for name, found in unpacked(data, lambda name: name.endswith(_JSON)):
            if isinstance(found, DamagedError):
                yield _damaged(shown, found, name)
                continue
            chunk = Chunk(1, 0, len(found), name)
            read = parsed(found)
            if read is None:
                problem = line_problem(found, chunk, shown)
                message = Phrase("{name}: {what}", name=_name(name), what=problem.message)
                yield replace(problem, message=message)
            else:
                yield Record(chunk, read.value, found)
    except CutOffError as error:
        message = Phrase("{name}: {what}", name=_name(error.member), what=_IS_CUT_OFF)
        message = message if error.member else _IS_CUT_OFF
        yield Unfinished(file_problem(shown, message, _REST, error.found))
    except DamagedError as error:
        yield _damaged(shown, error)


def _name(member: str) -> str:
    return shortened(whole_characters(member), _LONGEST_NAME)


def _damaged(shown: str, error: DamagedError, member: str | None = None) -> Problem:
    message = Phrase("damaged zip data: found {found}", found=error.found)
    if member is not None:
        message = Phrase("{name}: {what}", name=_name(member), what=message)
    return file_problem(shown, message, Phrase("intact zip data"), error.found)


def zip_problem(data: bytes, shown: str) -> Problem | None:
    """The fault in the directory of a zip; None for an intact one."""
    try:
        listed(io.BytesIO(data))
    except DamagedError as error:
        return _damaged(shown, error)
    return None


def record_at(
    data: bytes, line: JsonLine, shown: str, before: int = 0
) -> Record | Problem | Unfinished:
    """The JSON text of a line; ``before``: how many bytes of the file precede ``data``."""
    chunk = Chunk(line.number, before + line.start, before + line.end)
    text = data[line.start : line.end]
    read = parsed(text)
    if read is not None:
        return Record(chunk, read.value, text)
    is_last = line.end == len(data)
    written = text.decode("utf-8", "surrogateescape")
    fault = first_fault(written, END_OF_FILE if is_last else _END_OF_LINE)
    if is_last and _is_at_end(written, fault):
        return Unfinished()
    return _fault_problem(written, fault, line.number, shown)


def _is_at_end(text: str, fault: SyntaxFault | None) -> bool:
    return fault is not None and _CUT_OFF.fullmatch(text, fault.offset) is not None


def line_problem(data: bytes, chunk: Chunk, shown: str) -> Problem:
    """The fault of a JSON text as a located problem."""
    text = data.decode("utf-8", "surrogateescape")
    return _fault_problem(text, first_fault(text), chunk.line, shown)


def _fault_problem(text: str, fault: SyntaxFault | None, first_line: int, shown: str) -> Problem:
    place = Lines(text, first_line).at(fault.offset if fault else 0)
    expected = fault.expected if fault else Phrase("JSON")
    return fault_problem(shown, expected, fault.found if fault else _OTHER, place)


def parsed(data: bytes) -> Parsed | None:
    """The value of a JSON text, with U+FFFD for lone surrogates; None if it is not JSON."""
    read = parse(data)
    if read is not None:
        return read
    text = data.decode("utf-8", "replace")
    if first_fault(text) is not None:
        return None
    return Parsed(whole_values(DECODER.decode(text.strip())))


def value_of(value: Any, *path: str | int) -> JsonValue:
    """The value at a path within a value; None if there is none."""
    for part in path:
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    found: JsonValue = value  # ``cast`` would take as long as the rest
    return found


def text_of(value: Any, *path: str | int) -> str:
    """The value at a path if it is a string, else ""."""
    found = value_of(value, *path) if path else value
    return found if isinstance(found, str) else ""


def object_of(value: Any, *path: str | int) -> dict[str, JsonValue]:
    """The value at a path if it is an object, else an empty object."""
    found = value_of(value, *path) if path else value
    return found if isinstance(found, dict) else {}


def list_of(value: Any, *path: str | int) -> list[JsonValue]:
    """The value at a path if it is a list, else an empty list."""
    found = value_of(value, *path) if path else value
    return found if isinstance(found, list) else []


def objects_of(value: Any, *path: str | int) -> list[dict[str, JsonValue]]:
    """The items of the list at a path, with an empty object for each that is no object."""
    return [one if isinstance(one, dict) else {} for one in list_of(value, *path)]
