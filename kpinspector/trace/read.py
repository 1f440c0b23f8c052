"""Reads traces and located problems from files and bytes."""

import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import BinaryIO, Final

from kpinspector.errors import NotScorableError
from kpinspector.files import open_ready
from kpinspector.phrase import Phrase
from kpinspector.trace import broken
from kpinspector.trace.bytes import (
    MAX_BYTES,
    WHITE_SPACE,
    Decoded,
    Parsed,
    RefusedError,
    decode,
    lines,
    may_be_json,
    parse,
    parse_scanned,
    too_large,
)
from kpinspector.trace.find import SPECIAL_KINDS, FoundFile
from kpinspector.trace.javascript import JsonPath, JsonValue, whole_characters
from kpinspector.trace.model import ReasoningTrace, describe, id_of, read_trace, whole_object
from kpinspector.trace.place import Lines, after_space, offset_of, offsets_of
from kpinspector.trace.records import (
    MOST_PROBLEMS,
    REPORT_FORMAT,
    FileContents,
    Problem,
    ProblemKind,
    ReportRecord,
    Skipped,
    Source,
    TraceRecord,
    UnreadRecord,
    UnscoredRecord,
    dotted,
    file_problem,
)
from kpinspector.trace.schema import MOST_ISSUES, Issue, Severity, find_issues, with_readings

_PIECE: Final = 2**20
_OPENING: Final = Phrase('"{brace}" or "{bracket}"', brace="{", bracket="[")
INTACT: Final = Phrase("intact gzip data")
_INK = re.compile(rb"[^ \t\r\n]")
_OTHER_UNITS: Final = ("ToolCallPattern", "ExpertSOP")
_TRACE_KEYS: Final = ("@type", "steps")
# without one of these an object can only be a problem; in a text any name may be escaped
_TELLING: Final = frozenset((*_TRACE_KEYS, "format", "data", "knowledge_units", "unit"))
_MAY_TELL = re.compile(rf'\\|"(?:{"|".join(sorted(_TELLING))})"')
_BYTES_MAY_TELL = re.compile(_MAY_TELL.pattern.encode())
_MANY_ISSUES: Final = 20_000  # in a file; from then on few are kept of each trace
_FEW_ISSUES: Final = 10
_HALF: Final = Phrase("half of a character (a lone surrogate) is shown as U+FFFD")


def only(contents: FileContents, records: frozenset[int], shown: str) -> FileContents:
    """Keep only the wanted records of a file; a file that is one trace counts as record 1."""
    read: set[int] = set()

    def wanted(record: int | None) -> bool:
        read.add(record or 1)
        return (record or 1) in records

    problems = (*contents.problems, *contents.unlisted)
    whole = tuple(one for one in problems if one.record is None)
    found = FileContents(
        traces=tuple(one for one in contents.traces if wanted(one.source.record)),
        problems=whole or tuple(one for one in problems if wanted(one.record)),
        skipped=tuple(one for one in contents.skipped if wanted(one.record)),
        reports=tuple(one for one in contents.reports if wanted(one.source.record)),
    )
    lost = (
        file_problem(
            shown,
            Phrase("holds no record {number} that can be read", number=str(number)),
            Phrase("record {number}", number=str(number)),
            None,
        )
        for number in sorted(records - read)
    )
    return found if whole else replace(found, problems=(*found.problems, *lost))


def read_bytes(data: bytes, shown: str) -> FileContents:
    """Read bytes in any of the forms of trace files; ``shown`` names their source in problems."""
    shown = whole_characters(shown)
    try:
        return read_decoded(decode(data), shown)
    except RefusedError as error:
        return refused(shown, error)


def read_decoded(decoded: Decoded, shown: str) -> FileContents:
    """``read_bytes`` for bytes that were decoded already."""
    data, end = decoded.data, decoded.damage or broken.END_OF_FILE
    reading = _Reading(shown)
    ink = _INK.search(data)
    if ink and ink[0] in b"{[":
        reading.add_forms(data, end)
        if decoded.damage and not any(problem.found == end for problem in reading.problems[-1:]):
            reading.add(end_problem(shown, data, INTACT, end))
    else:
        start, found = ink.start() if ink else len(data), end
        if ink:
            begin = data[start : start + _PIECE].decode("utf-8", "surrogateescape")
            found = broken.name_at(begin, 0)
        elif not data and end == broken.END_OF_FILE:
            found = Phrase("an empty file")
        reading.add(end_problem(shown, data[:start], _OPENING, found))
    return FileContents(
        traces=tuple(reading.traces),
        problems=tuple(reading.problems),
        skipped=tuple(reading.skipped),
        reports=tuple(reading.reports),
        more_problems=reading.more_problems,
        unlisted=tuple(reading.unlisted),
    )


def read_text(found: FoundFile) -> str:
    """The text of a file for display, with U+FFFD for what is no character.

    Raises:
        OSError: the file cannot be opened or read.
        RefusedError: the file is too large or damaged.
    """
    return decode(load(found)).data.decode("utf-8", "replace")


def load(found: FoundFile, wanted: Callable[[bytes, BinaryIO], bool] | None = None) -> bytes:
    """The bytes of a file; only the first few if it cannot be JSON and the user did not name it.

    ``wanted``, given the first bytes and the file, says whether to read a file that cannot be JSON.

    Raises:
        OSError: the file cannot be opened or read.
        RefusedError: the file is too large, or no file.
    """
    with open_ready(found.path) as file:
        status = os.fstat(file.fileno())
        kind = SPECIAL_KINDS.get(stat.S_IFMT(status.st_mode))
        if kind is not None:
            raise RefusedError(Phrase("not a file but {kind}", kind=kind), Phrase("a file"), kind)
        pieces = [file.read(_PIECE)]
        size = len(pieces[0])
        if not (found.named or may_be_json(pieces[0], complete=size < _PIECE)):
            if wanted is None or not wanted(pieces[0], file):
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


def end_problem(shown: str, data: bytes, expected: str, found: str) -> Problem:
    """A problem of a file as a whole, located at the end of its bytes."""
    text = data.decode("utf-8", "surrogateescape")
    message = Phrase("expected {expected}, found {found}", expected=expected, found=found)
    return file_problem(shown, message, expected, found, Lines(text).at(len(text)))


def fault_problem(shown: str, expected: str, found: str, place: tuple[int, int]) -> Problem:
    """A problem of text that is not valid JSON, at a line and a column."""
    message = Phrase(
        "not valid JSON: expected {expected}, found {found}", expected=expected, found=found
    )
    return file_problem(shown, message, expected, found, place)


def refused(shown: str, error: RefusedError) -> FileContents:
    """The contents of a file that cannot be read as text: one problem."""
    return FileContents(problems=(file_problem(shown, error.message, error.expected, error.found),))


def _held_under(value: JsonValue) -> str | None:
    """The key under which a registry reply holds its units; None for anything else."""
    if not isinstance(value, dict) or any(key in value for key in _TRACE_KEYS):
        return None
    if value.get("format") == REPORT_FORMAT:
        return None
    if isinstance(value.get("data"), (list, dict)):
        return "data"
    if isinstance(value.get("knowledge_units"), list):
        return "knowledge_units"
    return "unit" if isinstance(value.get("unit"), dict) else None


def _units(value: JsonValue, path: JsonPath = ()) -> Iterator[tuple[JsonPath, JsonValue]]:
    """The values in the place of traces, in order, each with its path.

    Lists and registry replies are unpacked, however nested. A list directly inside a list is not a
    form of trace file, so it is one value.
    """
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict) and not _TELLING.isdisjoint(item):
                yield from _units(item, (*path, index))
            else:
                yield (*path, index), item
    elif isinstance(value, dict) and (key := _held_under(value)):
        yield from _units(value[key], (*path, key))
    else:
        yield path, value


@dataclass
class _Text:
    """A JSON text and its place in the file.

    ``first``: the line and the column at which it begins. ``end``: what messages call the end of
    the text. ``paths``: those of the units whose places may be needed.
    """

    data: bytes
    first: tuple[int, int] = (1, 1)
    end: str = broken.END_OF_FILE
    paths: list[JsonPath] = field(default_factory=list)

    @cached_property
    def text(self) -> str:
        """The text; each byte that is not UTF-8 becomes a lone surrogate."""
        return self.data.decode("utf-8", "surrogateescape")

    @cached_property
    def lines(self) -> Lines:
        """Line and column of offsets in the text."""
        return Lines(self.text, *self.first)

    def place(self, path: JsonPath, inside: str | JsonPath = "") -> tuple[int, int]:
        """Line and column of a unit, or of the path ``inside`` it."""
        offset = self._offsets[path]
        return self.lines.at(offset_of(self.text, inside, offset) if inside else offset)

    @cached_property
    def _offsets(self) -> dict[JsonPath, int]:
        return offsets_of(self.text, self.paths)


@dataclass(frozen=True, slots=True)
class _Unit:
    """A value in the place of a trace; ``halves``: warnings of texts with a lone surrogate."""

    text: _Text
    path: JsonPath
    value: JsonValue
    source: Source
    halves: tuple[Issue, ...]


@dataclass
class _Reading:
    """Collects the contents of one file's JSON texts; records are numbered across all texts."""

    path: str
    count: int = 0
    traces: list[TraceRecord] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    reports: list[ReportRecord] = field(default_factory=list)
    unlisted: list[UnscoredRecord] = field(default_factory=list)
    more_problems: int = 0
    issues: int = 0

    def add_forms(self, data: bytes, end: str) -> None:
        """Find out whether the data is one document or JSON Lines, and read it."""
        begin = lines(data)
        first, second = next(begin), next(begin, None)
        parsed = parse(data[first.start : first.end])
        if second is None:
            self._add_text(_Text(data, end=end), parsed)
            return
        if parsed is None:
            parsed = parse(data)
            if parsed is not None or not broken.is_broken_lines(data):
                self._add_text(_Text(data, end=end), parsed)
                return
        for line in lines(data):
            if self._is_full and not _BYTES_MAY_TELL.search(data, line.start, line.end):
                self.count += 1
                self.more_problems += 1
                continue
            text = data[line.start : line.end]
            name = end if line.end == len(data) else Phrase("the end of the line")
            self._add_text(_Text(text, (line.number, 1), name), parse(text), in_lines=True)

    @property
    def _is_full(self) -> bool:
        return len(self.problems) >= MOST_PROBLEMS

    def _record(self, *, counted: bool) -> int | None:
        self.count += counted
        return self.count if counted else None

    def _add_text(self, source: _Text, parsed: Parsed | None, *, in_lines: bool = False) -> None:
        if parsed is None and source.text.lstrip().startswith("["):
            self._add_items(source)
            return
        if parsed is None:
            fault = broken.first_fault(source.text, source.end)
            if fault is not None:
                self._add_fault(source, fault, fault.path, self._record(counted=in_lines))
                return
            parsed = parse_scanned(source.text)
        self._add_units(source, parsed, in_lines=in_lines)

    def _add_items(self, source: _Text) -> None:
        text = source.text
        sign: int | None = text.index("[")
        index = 0
        while sign is not None:
            sign = self._passed_over(text, sign)
            if text[sign] == "]":
                if (offset := after_space(text, sign + 1)) < len(text):
                    fault = broken.SyntaxFault(offset, (), source.end, broken.name_at(text, offset))
                    self._add_fault(source, fault, (), None)
                return
            item = broken.item_behind(text, sign, index, source.end)
            if item.parsed is not None:
                self._add_units(_Text(item.data, source.lines.at(sign)), item.parsed)
            if item.fault is not None:
                is_broken = item.parsed is None
                path = item.fault.path[is_broken:]
                self._add_fault(source, item.fault, path, self._record(counted=is_broken))
            sign, index = item.stop, index + 1

    def _passed_over(self, text: str, sign: int) -> int:
        """The offset behind items that can only be problems; they are skipped if there are many."""
        if self._is_full:
            found = _MAY_TELL.search(text, sign)
            telling = found.start() if found else len(text)
            for stop in broken.loose_ends(text, sign + 1):
                if stop > telling:
                    break
                self.count += 1
                self.more_problems += 1
                sign = stop
        return sign

    def _add_units(self, text: _Text, parsed: Parsed, *, in_lines: bool = False) -> None:
        """Add the units of a valid text; too many that can only be problems are only counted."""
        room = MOST_PROBLEMS - len(self.problems)
        found: list[tuple[JsonPath, JsonValue, int | None]] = []
        before, counted = self.count, in_lines
        for path, value in _units(parsed.value):
            counted = counted or any(isinstance(part, int) for part in path)
            record = self._record(counted=counted)
            if not isinstance(value, dict) or _TELLING.isdisjoint(value):
                room -= 1
                if room < 0:
                    self.more_problems += 1
                    continue
            found.append((path, value, record))
        if not found and self.count == before:
            record = self._record(counted=in_lines)
            self.skipped.append(Skipped(self.path, record, None, None, Phrase("an empty list")))
        text.paths = [path for path, _, _ in found]
        halves = _issues_of_halves(parsed.halves, {*text.paths}) if parsed.halves else {}
        begin = text.data.lstrip(WHITE_SPACE)
        first = text.first[0] + text.data.count(b"\n", 0, len(text.data) - len(begin))
        over_lines = b"\n" in begin.rstrip(WHITE_SPACE)
        for path, value, record in found:
            line = text.place(path)[0] if over_lines else first
            source = Source(self.path, record, line)
            self._add_unit(_Unit(text, path, value, source, halves.get(path, ())))

    def _add_unit(self, unit: _Unit) -> None:
        raw = unit.value
        if not isinstance(raw, dict):
            error = NotScorableError("", Phrase("an object"), describe(raw))
            self._add_not_scorable(unit, error)
        elif raw.get("@type") in _OTHER_UNITS:
            kind = str(raw["@type"])
            reason = Phrase("a unit of type {kind}, which is no reasoning trace", kind=kind)
            self.skipped.append(Skipped(self.path, unit.source.record, kind, id_of(raw), reason))
        elif raw.get("format") == REPORT_FORMAT and not any(one in raw for one in _TRACE_KEYS):
            place = partial(unit.text.place, unit.path)
            shown = whole_object(raw) if unit.halves else raw
            self.reports.append(ReportRecord(unit.source, shown, place))
        else:
            try:
                trace, failure = read_trace(raw)
            except NotScorableError as error:
                self._add_not_scorable(unit, error)
                return
            if failure is not None:
                self._add_not_scorable(unit, failure, trace)
                return
            most = MOST_ISSUES if self.issues < _MANY_ISSUES else _FEW_ISSUES
            issues = with_readings(find_issues(raw, most), raw)
            self.issues += len(issues)
            self.traces.append(TraceRecord(unit.source, trace, issues + unit.halves))

    def add(self, problem: Problem) -> None:
        """Add a problem; beyond ``MOST_PROBLEMS`` it is only counted."""
        if not self._is_full:
            self.problems.append(problem)
            return
        self.more_problems += 1
        if isinstance(problem, UnscoredRecord):
            self.unlisted.append(problem)

    def _add_fault(
        self, source: _Text, fault: broken.SyntaxFault, path: JsonPath, record: int | None
    ) -> None:
        place = source.lines.at(fault.offset)
        problem = fault_problem(self.path, fault.expected, fault.found, place)
        self.add(replace(problem, record=record, json_path=dotted(path) or None))

    def _add_not_scorable(
        self, unit: _Unit, error: NotScorableError, trace: ReasoningTrace | None = None
    ) -> None:
        """Add a problem for a record without a score; if it has a text, that is embedded anyway."""
        if self._is_full and trace is None:  # finding its place would take time
            self.more_problems += 1
            return
        place = unit.text.place(unit.path, error.json_path)
        facts = (
            *(self.path, unit.source.record, ProblemKind.NOT_SCORABLE, *place),
            *(error.json_path or None, error.expected, error.found, error.message),
        )
        if trace is not None:
            self.add(UnscoredRecord(*facts, unit.source, trace))
        elif isinstance(unit.value, dict):
            self.add(UnreadRecord(*facts, unit.source, unit.value))
        else:
            self.add(Problem(*facts))


def _issues_of_halves(
    halves: tuple[JsonPath, ...], units: set[JsonPath]
) -> dict[JsonPath, tuple[Issue, ...]]:
    issues: dict[JsonPath, tuple[Issue, ...]] = {}
    for path in halves:
        for length in range(len(path)):
            if (unit := path[:length]) in units:
                issue = Issue(dotted(path[length:]), Severity.WARNING, _HALF)
                issues[unit] = (*issues.get(unit, ()), issue)
    return issues
