"""Reads the units of one JSON text: traces, problems and what is skipped."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

from kpinspector.errors import NotScorableError
from kpinspector.phrase import Phrase
from kpinspector.trace.decode import WHITE_SPACE
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import (
    JsonObject,
    JsonValue,
    ReasoningTrace,
    describe,
    read_trace,
    whole_object,
)
from kpinspector.trace.parse import Parsed, parse, parse_scanned
from kpinspector.trace.place import Lines, offset_of, offsets_of
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
    UnscoredRecord,
    dotted,
    unread,
    unscored,
)
from kpinspector.trace.salvage import ENVELOPE_KEYS, Salvage, items_behind, salvage
from kpinspector.trace.scan import END_OF_FILE, OpenContainer, SyntaxFault
from kpinspector.trace.schema import MOST_ISSUES, Issue, Severity, find_issues
from kpinspector.trace.sdk_reading import with_readings

OTHER_UNITS: Final = ("ToolCallPattern", "ExpertSOP")

_TRACE_KEYS = ("@type", "steps")
_NEEDED: Final = frozenset(("task", "steps"))  # for a text, and thereby for a vector
_TELLING: Final = frozenset(("@type", "format", "data", "knowledge_units", "unit"))


_MANY_ISSUES: Final = 20_000  # of one file, from which on few are kept of each trace
_FEW_ISSUES: Final = 10
_HALF: Final = Phrase("half of a character (a lone surrogate) is shown as U+FFFD")


@dataclass(frozen=True, slots=True)
class Unit:
    """A value in the place of a trace, and its path in the text."""

    path: JsonPath
    value: JsonValue

    @property
    def in_list(self) -> bool:
        """Whether the unit is one of several that its text can hold."""
        return any(isinstance(part, int) for part in self.path)


@dataclass(slots=True)
class ProblemRoom:
    """How many more problems may be kept."""

    left: int


def units(value: JsonValue, room: ProblemRoom, path: JsonPath = ()) -> Iterator[Unit | int]:
    """All units in order: a list gives its items, a reply gives what it holds, however nested.

    A list directly inside a list is no form of trace file and is given as it stands. A unit that
    can only be a problem takes room; once there is none left, such items are only counted.
    """
    if isinstance(value, list):
        counted = 0
        for index, item in enumerate(value):
            if room.left <= 0 and is_hopeless(item):
                counted += 1
                continue
            if counted:
                yield counted
                counted = 0
            yield from _inside(item, room, (*path, index))
        if counted:
            yield counted
        return
    key = held_under(value)
    if key is not None and isinstance(value, dict):
        yield from units(value[key], room, (*path, key))
        return
    yield from _inside(value, room, path)


def _inside(value: JsonValue, room: ProblemRoom, path: JsonPath) -> Iterator[Unit | int]:
    """A value that is a unit, or a reply that holds some."""
    if held_under(value) is not None:
        yield from units(value, room, path)
        return
    room.left -= is_hopeless(value)
    yield Unit(path, value)


def is_hopeless(value: JsonValue) -> bool:
    """Whether a value in the place of a unit can only be a problem."""
    if not isinstance(value, dict):
        return True
    names = value.keys()
    if names >= _NEEDED and value["task"] is not None and isinstance(value["steps"], list):
        return False
    if names.isdisjoint(_TELLING):
        return True
    other = value.get("@type") in OTHER_UNITS or is_report(value)
    return not other and held_under(value) is None


def is_report(value: Mapping[str, JsonValue]) -> bool:
    """Whether a value says that it is a report of this program, sound or not."""
    has_steps = any(key in value for key in _TRACE_KEYS)
    return value.get("format") == REPORT_FORMAT and not has_steps


def held_under(value: JsonValue) -> str | None:
    """The key under which a registry reply holds its units; None for anything else."""
    if not isinstance(value, dict) or any(key in value for key in _TRACE_KEYS) or is_report(value):
        return None
    if isinstance(value.get("data"), (list, dict)):
        return "data"
    if isinstance(value.get("knowledge_units"), list):
        return "knowledge_units"
    return "unit" if isinstance(value.get("unit"), dict) else None


class JsonText:
    """A JSON text and its place in the file.

    Attributes:
        data: The text in UTF-8, maybe with white space around.
        line: The line of its first character, from 1.
        end: What messages call the end of the text.
    """

    def __init__(self, data: bytes, line: int = 1, end: str = END_OF_FILE) -> None:
        self.data = data
        self.line = line
        self.end = end

    @cached_property
    def text(self) -> str:
        """The text, in which each byte that is no UTF-8 is a lone surrogate."""
        return self.data.decode("utf-8", "surrogateescape")

    @cached_property
    def lines(self) -> Lines:
        """Line and column of offsets in the text."""
        return Lines(self.text, self.line)

    @cached_property
    def first_line(self) -> int:
        """The line on which the JSON begins."""
        blank = len(self.data) - len(self.data.lstrip(WHITE_SPACE))
        return self.line + self.data.count(b"\n", 0, blank)

    @cached_property
    def one_line(self) -> bool:
        """Whether the JSON begins and ends on the same line."""
        return b"\n" not in self.data.strip(WHITE_SPACE)


class JsonReading:
    """Collects what the JSON texts of one file give; records are numbered over all of them."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._count = 0
        self._traces: list[TraceRecord] = []
        self._skipped: list[Skipped] = []
        self._reports: list[ReportRecord] = []
        self._unlisted: list[UnscoredRecord] = []
        self._more_problems = 0
        self._issues = 0
        self.problems: list[Problem] = []

    @property
    def is_full(self) -> bool:
        """Further problems are only counted."""
        return len(self.problems) >= MOST_PROBLEMS

    def contents(self) -> FileContents:
        """Everything that was collected."""
        return FileContents(
            traces=tuple(self._traces),
            problems=tuple(self.problems),
            skipped=tuple(self._skipped),
            reports=tuple(self._reports),
            more_problems=self._more_problems,
            unlisted=tuple(self._unlisted),
        )

    def add(self, source: JsonText, parsed: Parsed | None, *, in_lines: bool = False) -> None:
        """Read one JSON text.

        Args:
            source: The text.
            parsed: What `parse` made of it; None for a broken text, of which parts may be kept.
            in_lines: Whether it is one of several, so that its records are numbered.
        """
        kept = Salvage("", {})
        if parsed is None:
            kept = salvage(source.text, source.end)
            parsed = parse_scanned(kept.text) if kept.text else Parsed([])
        found = list(units(parsed.value, ProblemRoom(MOST_PROBLEMS - len(self.problems))))
        lost = [one.path for one in found if isinstance(one, Unit) and _is_lost(one, kept)]
        batch = _Batch(source, kept, parsed.halves, found)
        counted = in_lines or kept.last_item is not None
        for unit in found:
            if isinstance(unit, int):
                self.count_problems(unit)
            elif unit.path not in lost:
                self._add_unit(batch, unit, self._record(counted=counted or unit.in_list))
        if kept.rest is not None:
            self._add_rest(source, *kept.rest)
        elif kept.last is not None:
            base = lost[-1] if lost else _base(kept.last, kept.last_item or ())
            self._add_fault(source, kept.last, base, self._record(counted=counted))
        elif not found:
            record = self._record(counted=in_lines)
            self._skipped.append(Skipped(self._path, record, None, None, Phrase("an empty list")))

    def count_problems(self, count: int) -> None:
        """Count problem records beyond those that are kept."""
        self._count += count
        self._more_problems += count

    def _add_rest(self, source: JsonText, position: int, frames: Sequence[OpenContainer]) -> None:
        """Read the rest of a list in which too much is broken, each item by itself."""
        for item in items_behind(source.text, position, frames):
            if isinstance(item, int):
                self.count_problems(item)
                continue
            start, end = item
            data = source.text[start:end].encode("utf-8", "surrogateescape")
            self.add(JsonText(data, source.lines.at(start)[0]), parse(data), in_lines=True)

    def add_problem(self, place: tuple[int, int], expected: str, found: str) -> None:
        """Add that the file as a whole is not what it should be, at a line and column."""
        line, column = place
        message = f"expected {expected}, found {found}"
        kind = ProblemKind.UNREADABLE
        if not self._only_counts():
            self.problems.append(
                Problem(self._path, None, kind, line, column, None, expected, found, message)
            )

    def _record(self, *, counted: bool) -> int | None:
        if not counted:
            return None
        self._count += 1
        return self._count

    def _add_unit(self, batch: "_Batch", unit: Unit, record: int | None) -> None:
        fault = batch.kept.broken.get(unit.path)
        if fault is not None:
            self._add_fault(batch.source, fault, _base(fault, unit.path), record)
        elif not isinstance(unit.value, dict):
            error = NotScorableError("", Phrase("an object"), describe(unit.value))
            self._add_not_scorable(batch, unit, error, record)
        elif unit.value.get("@type") in OTHER_UNITS:
            self._skipped.append(_skipped(self._path, record, batch.shown(unit.value, unit)))
        elif is_report(unit.value):
            source = Source(self._path, record, batch.line(unit))
            found = batch.shown(unit.value, unit)
            self._reports.append(ReportRecord(source, found, partial(batch.place, unit)))
        else:
            self._add_trace(batch, unit, unit.value, record)

    def _add_trace(self, batch: "_Batch", unit: Unit, raw: JsonObject, record: int | None) -> None:
        try:
            trace, failure = read_trace(raw)
        except NotScorableError as error:
            self._add_not_scorable(batch, unit, error, record)
            return
        source = Source(self._path, record, batch.line(unit))
        if failure is not None:
            self._add_not_scorable(batch, unit, failure, record, (source, trace))
            return
        most = MOST_ISSUES if self._issues < _MANY_ISSUES else _FEW_ISSUES
        issues = with_readings(find_issues(batch.shown(raw, unit), most), raw)
        halves = batch.halves.get(unit.path, ())
        self._issues += len(issues)
        self._traces.append(TraceRecord(source, trace, issues + halves))

    def _only_counts(self) -> bool:
        """Count a problem beyond those that are kept; finding its place would take time."""
        self._more_problems += self.is_full
        return self.is_full

    def _add_fault(
        self, source: JsonText, fault: SyntaxFault, base: JsonPath, record: int | None
    ) -> None:
        if self._only_counts():
            return
        line, column = source.lines.at(fault.offset)
        self.problems.append(
            Problem(
                path=self._path,
                record=record,
                kind=ProblemKind.UNREADABLE,
                line=line,
                column=column,
                json_path=dotted(fault.path[len(base) :]) or None,
                expected=fault.expected,
                found=fault.found,
                message=Phrase(
                    "not valid JSON: expected {expected}, found {found}",
                    expected=fault.expected,
                    found=fault.found,
                ),
            )
        )

    def _add_not_scorable(
        self,
        batch: "_Batch",
        unit: Unit,
        error: NotScorableError,
        record: int | None,
        text: tuple[Source, ReasoningTrace] | None = None,
    ) -> None:
        """Add why a record has no score; ``text`` is embedded all the same."""
        if self._only_counts() and text is None:
            return
        place = batch.place(unit, error.json_path)
        problem = Problem(
            path=self._path,
            record=record,
            kind=ProblemKind.NOT_SCORABLE,
            line=place[0],
            column=place[1],
            json_path=error.json_path or None,
            expected=error.expected,
            found=error.found,
            message=error.message,
        )
        if text is None and isinstance(unit.value, dict):
            source = Source(self._path, record, batch.line(unit))
            self.problems.append(unread(problem, source, unit.value))
        elif text is None:
            self.problems.append(problem)
        else:
            kept = self._unlisted if self.is_full else self.problems
            kept.append(unscored(problem, *text))


class _Batch:
    """The units of one JSON text; their places are looked up only when asked for."""

    def __init__(
        self,
        source: JsonText,
        kept: Salvage,
        halves: tuple[JsonPath, ...],
        found: Sequence[Unit | int],
    ) -> None:
        self.source = source
        self.kept = kept
        self.paths = [one.path for one in found if isinstance(one, Unit)]
        self._halves = halves

    def line(self, unit: Unit) -> int:
        """The line on which a unit begins."""
        if not unit.path or self.source.one_line:
            return self.source.first_line
        return self.place(unit)[0]

    def place(self, unit: Unit, json_path: str | JsonPath = "") -> tuple[int, int]:
        """Line and column of a unit, or of a path inside."""
        offset = self._offsets[unit.path]
        if json_path:
            offset = offset_of(self._text, json_path, offset)
        return self.source.lines.at(offset)

    def shown(self, raw: JsonObject, unit: Unit) -> JsonObject:
        """The members of a unit, without lone surrogates."""
        return whole_object(raw) if unit.path in self.halves else raw

    @cached_property
    def halves(self) -> dict[JsonPath, tuple[Issue, ...]]:
        """A warning for each text with a lone surrogate, by unit."""
        paths = set(self.paths)
        issues: dict[JsonPath, tuple[Issue, ...]] = {}
        for path in self._halves:
            for length in range(len(path)):
                if (unit := path[:length]) in paths:
                    issue = Issue(dotted(path[length:]), Severity.WARNING, _HALF)
                    issues[unit] = (*issues.get(unit, ()), issue)
        return issues

    @cached_property
    def _text(self) -> str:
        """Valid JSON with the units where they stand in the text."""
        return self.kept.text or self.source.text

    @cached_property
    def _offsets(self) -> dict[JsonPath, int]:
        return offsets_of(self._text, self.paths)


def _is_lost(unit: Unit, kept: Salvage) -> bool:
    """Whether a unit is incomplete, or the only one of a text that has a fault."""
    if kept.last is None:
        return False
    return not unit.in_list or kept.last.holder[: len(unit.path)] == unit.path


def _base(fault: SyntaxFault, item: JsonPath) -> JsonPath:
    """The path of the unit inside an item, from which the path of a fault is counted."""
    length = len(item)
    while fault.path[length : length + 1] and fault.path[length] in ENVELOPE_KEYS:
        length += 1
    return fault.path[:length]


def _skipped(path: str, record: int | None, raw: JsonObject) -> Skipped:
    unit_id = raw.get("id")
    kind = str(raw.get("@type"))
    reason = Phrase("a unit of type {kind}, which is no reasoning trace", kind=kind)
    return Skipped(path, record, kind, unit_id if isinstance(unit_id, str) else None, reason)
