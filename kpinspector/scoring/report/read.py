"""Reads a JSON object that claims to be a report; nothing is coerced, and no file is opened."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, to_json

from kpinspector.phrase import Phrase
from kpinspector.scoring.report.report import Report, TraceEntry, checksum_of
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import JsonObject, describe, finite_number
from kpinspector.trace.printable import quoted
from kpinspector.trace.read import Problem, ProblemKind, ReportRecord, Source
from kpinspector.trace.records import dotted

_Model = TypeVar("_Model", bound=BaseModel)
_VERSIONS: Final = (1, 2)
_TYPES: Final = {
    "string_type": Phrase("a string"),
    "float_type": Phrase("a number"),
    "int_type": Phrase("a whole number"),
    "int_from_float": Phrase("a whole number"),
    "bool_type": Phrase("a boolean"),
    "tuple_type": Phrase("a list"),
    "dict_type": Phrase("an object"),
    "model_type": Phrase("an object"),
    "dataclass_type": Phrase("an object"),
}


@dataclass(frozen=True, slots=True)
class FoundReport:
    """A report and where it was found.

    Attributes:
        checksum: Computed from what was read; equals the recorded one unless someone changed it.
    """

    source: Source
    report: Report
    checksum: str


class _FaultError(Exception):
    """The object is no valid report: the place, what was expected there, and what was found."""

    def __init__(self, path: JsonPath, expected: str, found: str) -> None:
        super().__init__(path, expected, found)
        self.path = path
        self.expected = expected
        self.found = found


def read_report(
    record: ReportRecord, check: Callable[[], None] = lambda: None
) -> FoundReport | Problem:
    """Read a report, or say where it is invalid.

    Args:
        record: The object, as it was read.
        check: Called for each of its traces; may raise to stop.
    """
    try:
        report = _report(record.raw, check)
    except _FaultError as fault:
        return _problem(record, fault)
    return FoundReport(record.source, report, checksum_of(record.raw, check))


def _report(raw: JsonObject, check: Callable[[], None]) -> Report:
    if finite_number(raw.get("version")) not in _VERSIONS:
        found = _found(raw["version"]) if "version" in raw else Phrase("nothing")
        first, second = map(str, _VERSIONS)
        expected = Phrase("{first} or {second}", first=first, second=second)
        raise _FaultError(("version",), expected, found)
    entries = raw.get("traces")
    if not isinstance(entries, list):
        return _checked(Report, raw, ())
    report = _checked(Report, {**raw, "traces": []}, ())
    traces = []
    for index, entry in enumerate(entries):
        check()
        path = ("traces", index)
        traces.append(_without_gaps(_checked(TraceEntry, entry, path), path))
    return report.model_copy(update={"traces": tuple(traces)})


def _without_gaps(entry: TraceEntry, path: JsonPath) -> TraceEntry:
    """An entry checked for null, which only stands for what depends on an unrecorded outcome."""
    outcome = entry.dimensions.outcome_confidence
    factors = outcome.factors
    if factors.confidence is None or factors.success is None:
        if entry.score_range is None:
            raise _FaultError((*path, "score_range"), "an object", "null")
        return entry
    place = (*path, "dimensions", "outcome_confidence")
    numbers = {
        (*place, "factors", "factor"): factors.factor,
        (*place, "value"): outcome.value,
        (*place, "contribution"): outcome.contribution,
        **{(*path, name): getattr(entry, name) for name in ("composite", "score", "margin")},
    }
    for where, value in numbers.items():
        if value is None:
            raise _FaultError(where, "a number", "null")
    for name, passes in (("schema", entry.gates.schema_), ("score", entry.gates.score)):
        if passes is None:
            raise _FaultError((*path, "gates", name), "a boolean", "null")
    return entry


def _checked(model: type[_Model], value: Any, path: JsonPath) -> _Model:
    try:
        # strict mode takes lists for tuples and strings for enum members from JSON only
        return model.model_validate_json(to_json(value, inf_nan_mode="null"), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise _FaultError((*path, *first["loc"]), *_words(first)) from error


def _words(error: ErrorDetails) -> tuple[str, str]:
    """What pydantic expected, and what it found."""
    kind, value, context = error["type"], error["input"], error.get("ctx", {})
    if kind == "missing":
        return Phrase("a value"), Phrase("nothing")
    if kind in {"extra_forbidden", "unexpected_keyword_argument"}:
        return Phrase("nothing under this name"), _found(value)
    if kind in {"enum", "literal_error"}:
        return str(context["expected"]).replace("'", '"'), _found(value)
    return _TYPES.get(kind, Phrase("another value")), _found(value)


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
        message=Phrase(
            "not a report of this version: {place}: expected {expected}, found {found}",
            place=place,
            expected=fault.expected,
            found=fault.found,
        ),
    )
