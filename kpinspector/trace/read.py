"""Reads traces and located problems from files and bytes."""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from typing import BinaryIO, Final

from kpinspector.files import open_ready
from kpinspector.phrase import Phrase
from kpinspector.trace.decode import (
    MAX_BYTES,
    Decoded,
    RefusedError,
    decode,
    may_be_json,
    too_large,
)
from kpinspector.trace.find import FoundFile, open_problem, special_kind
from kpinspector.trace.json_lines import is_broken_lines, lines, read_lines
from kpinspector.trace.json_text import JsonReading, JsonText
from kpinspector.trace.model import whole_characters
from kpinspector.trace.parse import parse
from kpinspector.trace.place import Lines
from kpinspector.trace.records import (
    FileContents,
    MoreProblems,
    Problem,
    ProblemKind,
    ReportRecord,
    Skipped,
    Source,
    TextRecord,
    TraceRecord,
    UnscoredRecord,
    file_problem,
    more_problems,
    name_of,
    skipped_report,
)
from kpinspector.trace.scan import END_OF_FILE, MAX_DEPTH, name_at

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "FileContents",
    "FoundFile",
    "MoreProblems",
    "Problem",
    "ProblemKind",
    "ReportRecord",
    "Skipped",
    "Source",
    "TextRecord",
    "TraceRecord",
    "UnscoredRecord",
    "more_problems",
    "name_of",
    "read_bytes",
    "read_file",
    "read_text",
    "skipped_report",
]

_PIECE: Final = 2**20
_OPENING: Final = Phrase('"{brace}" or "{bracket}"', brace="{", bracket="[")
_INK = re.compile(rb"[^ \t\r\n]")


def read_file(found: FoundFile) -> FileContents:
    """Read one file of any form; whatever is wrong with it becomes a problem, not an exception."""
    shown = whole_characters(found.shown)
    try:
        data = load(found)
    except (OSError, ValueError) as error:
        return FileContents(problems=(open_problem(shown, error),))
    except RefusedError as error:
        return refused(shown, error)
    contents = read_bytes(data, shown)
    return contents if found.records is None else only(contents, found.records, shown)


def only(contents: FileContents, records: frozenset[int], shown: str) -> FileContents:
    """Keep only the wanted records of a file; a file that is one trace has one record."""

    def wanted(record: int | None) -> bool:
        return (record or 1) in records

    problems = (*contents.problems, *contents.unlisted)
    whole = tuple(one for one in problems if one.record is None)
    found = FileContents(
        traces=tuple(one for one in contents.traces if wanted(one.source.record)),
        problems=whole or tuple(one for one in problems if wanted(one.record)),
        skipped=tuple(one for one in contents.skipped if wanted(one.record)),
        reports=tuple(one for one in contents.reports if wanted(one.source.record)),
    )
    if whole:
        return found
    numbers = {
        *(one.source.record for one in found.traces),
        *(one.source.record for one in found.reports),
        *(one.record for one in found.problems),
        *(one.record for one in found.skipped),
    }
    lost = [
        file_problem(
            shown,
            Phrase("holds no record {number} that can be read", number=str(number)),
            Phrase("record {number}", number=str(number)),
            None,
        )
        for number in sorted(records - {number or 1 for number in numbers})
    ]
    return replace(found, problems=(*found.problems, *lost))


def read_bytes(data: bytes, shown: str) -> FileContents:
    """Read the bytes of a source that is called ``shown``, in any of the file forms."""
    shown = whole_characters(shown)
    try:
        decoded = decode(data)
    except RefusedError as error:
        return refused(shown, error)
    return read_decoded(decoded, shown)


def read_decoded(decoded: Decoded, shown: str) -> FileContents:
    """The same of bytes that were decoded already."""
    end = decoded.damage or END_OF_FILE
    reading = JsonReading(shown)
    ink = _INK.search(decoded.data)
    if ink is None or ink[0] not in b"{[":
        return _no_json(reading, decoded.data, end)
    _read_forms(reading, JsonText(decoded.data, end=end))
    if decoded.damage and not any(problem.found == end for problem in reading.problems[-1:]):
        text = JsonText(decoded.data).text
        reading.add_problem(Lines(text).at(len(text)), Phrase("intact gzip data"), decoded.damage)
    return reading.contents()


def read_text(found: FoundFile) -> str:
    """The text of a file for display, with U+FFFD for what is no character.

    Raises:
        OSError: the file cannot be opened or read.
        RefusedError: the file is too large or damaged.
    """
    return decode(load(found)).data.decode("utf-8", "replace")


def _wants_nothing(_head: bytes, _file: BinaryIO) -> bool:
    """Want no file that cannot be JSON."""
    return False


def load(found: FoundFile, wanted: Callable[[bytes, BinaryIO], bool] = _wants_nothing) -> bytes:
    """The bytes of a file; only the first few where it cannot be JSON and nobody named it.

    Args:
        found: The file.
        wanted: Given the first bytes and the file, says whether to read a file that cannot be JSON.

    Raises:
        OSError: the file cannot be opened or read.
        RefusedError: the file is too large, or no file.
    """
    with open_ready(found.path) as file:
        status = os.fstat(file.fileno())
        kind = special_kind(status.st_mode)
        if kind is not None:
            raise RefusedError(Phrase("not a file but {kind}", kind=kind), Phrase("a file"), kind)
        pieces = [file.read(_PIECE)]
        size = len(pieces[0])
        if not (found.named or may_be_json(pieces[0], complete=size < _PIECE)):
            if not wanted(pieces[0], file):
                return pieces[0]
            file.seek(size)
        if status.st_size > MAX_BYTES:
            raise too_large()
        while piece := file.read(_PIECE):
            pieces.append(piece)
            size += len(piece)
            if size > MAX_BYTES:
                raise too_large()
    return b"".join(pieces)


def refused(shown: str, error: RefusedError) -> FileContents:
    """The problem of a file whose bytes are no text at all."""
    return FileContents(problems=(file_problem(shown, error.message, error.expected, error.found),))


def _no_json(reading: JsonReading, data: bytes, end: str) -> FileContents:
    """The contents of a file whose first character begins no JSON list or object."""
    ink = _INK.search(data)
    start = ink.start() if ink else len(data)
    found = end
    if ink:
        found = name_at(data[start : start + _PIECE].decode("utf-8", "surrogateescape"), 0)
    elif not data and end == END_OF_FILE:
        found = Phrase("an empty file")
    text = data[:start].decode()
    reading.add_problem(Lines(text).at(len(text)), _OPENING, found)
    return reading.contents()


def _read_forms(reading: JsonReading, whole: JsonText) -> None:
    """Tell one document from JSON Lines, and read it."""
    begin = lines(whole.data)
    first, second = next(begin), next(begin, None)
    parsed = parse(whole.data[first.start : first.end])
    if second is None:
        reading.add(whole, parsed)
        return
    if parsed is None:
        parsed = parse(whole.data)
        if parsed is not None or not is_broken_lines(whole, second):
            reading.add(whole, parsed)
            return
    read_lines(reading, whole)
