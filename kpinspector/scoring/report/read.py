"""A JSON object that says it is a report, to a report: nothing is coerced, nothing is opened."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, to_json

from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.measure import digest_of
from kpinspector.scoring.report.report import Report, TraceEntry, checksum_of
from kpinspector.trace.model import JsonObject, describe, finite_number, quoted
from kpinspector.trace.read import Problem, ProblemKind, ReportRecord, Source, TraceRecord
from kpinspector.trace.records import JsonPath, dotted

_Model = TypeVar("_Model", bound=BaseModel)
_VERSION: Final = 1
_TYPES: Final = {
    "string_type": "a string",
    "float_type": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "a boolean",
    "tuple_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "dataclass_type": "an object",
}


class TraceFinder:
    """Finds traces; paths are compared, never opened.

    Args:
        traces: Those that may be meant.
        embedder: Tells texts of one id apart; None leaves it to places.
    """

    def __init__(self, traces: Sequence[TraceRecord], embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._traces = traces
        self._found: set[int] = set()
        self._by_id: defaultdict[str | None, list[TraceRecord]] = defaultdict(list)
        for record in traces:
            self._by_id[record.trace.id].append(record)

    def find(self, entry: TraceEntry) -> TraceRecord | None:
        """The trace of an entry's id; of several, or without an id, that in its place.

        Where its file is another, its text decides; of those alike it is the first
        that no other entry was about.
        """
        found = next((one for one in self._meant(entry) if id(one) not in self._found), None)
        self._found.add(id(found))
        return found

    @property
    def left(self) -> tuple[TraceRecord, ...]:
        """The traces that no entry was about so far."""
        return tuple(one for one in self._traces if id(one) not in self._found)

    def _meant(self, entry: TraceEntry) -> Sequence[TraceRecord]:
        """Those that cannot be told apart."""
        alike = self._by_id.get(entry.id, [])
        if len(alike) == 1 and entry.id is not None:
            return alike
        in_place = [one for one in alike if _place(one.source) == _place(entry.source)]
        found = [one for one in in_place or alike if self._has_text(one, entry)]
        return found or in_place or (alike if entry.id is not None else [])

    def _has_text(self, record: TraceRecord, entry: TraceEntry) -> bool:
        """What the model sees of the trace is what it saw when it was scored."""
        digest = entry.dimensions.novelty.text_sha256
        if self._embedder is None or digest is None:
            return False
        return digest_of(record.trace, self._embedder) == digest


def is_of_its_files(record: TraceRecord, report: Report) -> bool:
    """A report names the file of a trace, whole or from some folder on."""
    parts = PurePath(record.source.path).parts
    named = {PurePath(entry.source.path).parts for entry in report.traces}
    return any(parts[start:] in named for start in range(len(parts)))


def _place(source: Source) -> tuple[str, int | None]:
    """The file's own name, as reports name files in several ways, and the record in it."""
    return PurePath(source.path).name, source.record


@dataclass(frozen=True, slots=True)
class FoundReport:
    """A report and where it was found.

    Attributes:
        checksum: Of what was found; that of the report where nobody changed it.
    """

    source: Source
    report: Report
    checksum: str


class _FaultError(Exception):
    """Where a report is none, what was expected there and what was found."""

    def __init__(self, path: JsonPath, expected: str, found: str) -> None:
        super().__init__(path, expected, found)
        self.path = path
        self.expected = expected
        self.found = found


def read_report(
    record: ReportRecord, check: Callable[[], None] = lambda: None
) -> FoundReport | Problem:
    """Read a report, or say where it is none.

    Args:
        record: What the reader found.
        check: Called for each of its traces; may raise to stop.
    """
    try:
        report = _report(record.raw, check)
    except _FaultError as fault:
        return _problem(record, fault)
    return FoundReport(record.source, report, checksum_of(record.raw, check))


def _report(raw: JsonObject, check: Callable[[], None]) -> Report:
    if finite_number(raw.get("version")) != _VERSION:
        found = _found(raw["version"]) if "version" in raw else "nothing"
        raise _FaultError(("version",), str(_VERSION), found)
    entries = raw.get("traces")
    if not isinstance(entries, list):
        return _checked(Report, raw, ())
    report = _checked(Report, {**raw, "traces": []}, ())
    traces = []
    for index, entry in enumerate(entries):
        check()
        traces.append(_checked(TraceEntry, entry, ("traces", index)))
    return report.model_copy(update={"traces": tuple(traces)})


def _checked(model: type[_Model], value: Any, path: JsonPath) -> _Model:
    try:
        # only of JSON are lists taken for tuples, and words for the members of a set
        return model.model_validate_json(to_json(value, inf_nan_mode="null"), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise _FaultError((*path, *first["loc"]), *_words(first)) from error


def _words(error: ErrorDetails) -> tuple[str, str]:
    """What was expected and what was found."""
    kind, value, context = error["type"], error["input"], error.get("ctx", {})
    if kind == "missing":
        return "a value", "nothing"
    if kind in {"extra_forbidden", "unexpected_keyword_argument"}:
        return "nothing under this name", _found(value)
    if kind in {"enum", "literal_error"}:
        return str(context["expected"]).replace("'", '"'), _found(value)
    return _TYPES.get(kind, "another value"), _found(value)


def _found(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    return describe(value) if finite_number(value) is None else repr(value)


def _problem(record: ReportRecord, fault: _FaultError) -> Problem:
    line, column = record.place(fault.path)
    place = dotted(fault.path)
    return Problem(
        path=record.source.path,
        record=record.source.record,
        kind=ProblemKind.UNREADABLE,
        line=line,
        column=column,
        json_path=place,
        expected=fault.expected,
        found=fault.found,
        message=f"not a report of this version: {place}: expected {fault.expected},"
        f" found {fault.found}",
    )
