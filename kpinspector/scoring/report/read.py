"""Reads a JSON object that claims to be a report; nothing is coerced, and no file is opened."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Final, TypeAlias

from kpinspector.files import resources
from kpinspector.phrase import Phrase
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import describe, finite_number
from kpinspector.trace.printable import quoted
from kpinspector.trace.records import Problem, ProblemKind, ReportRecord, Source, dotted

RawEntry: TypeAlias = dict[str, Any]
"""A part of a report as JSON, which fits the schema."""

Schema: TypeAlias = dict[str, Any]
SCHEMA_FILE = "report.schema.json"

_VERSION: Final = 3
_TYPES: Final[dict[str, tuple[Phrase, Callable[[Any], bool]]]] = {
    "string": (Phrase("a string"), lambda one: isinstance(one, str)),
    "number": (Phrase("a number"), lambda one: finite_number(one) is not None),
    "integer": (
        Phrase("a whole number"),
        lambda one: isinstance(one, int) and not isinstance(one, bool),
    ),
    "boolean": (Phrase("a boolean"), lambda one: isinstance(one, bool)),
    "array": (Phrase("a list"), lambda one: isinstance(one, list)),
    "object": (Phrase("an object"), lambda one: isinstance(one, dict)),
    "null": (Phrase("nothing"), lambda one: one is None),
}


@dataclass(frozen=True, slots=True)
class FoundReport:
    """A report and where it was found."""

    source: Source
    values: RawEntry


@dataclass(frozen=True, slots=True)
class _Fault:
    """The place of what the schema does not allow, what was expected there, and what was found."""

    path: JsonPath
    expected: str
    found: str


def read_report(
    record: ReportRecord, check: Callable[[], None] = lambda: None
) -> FoundReport | Problem:
    """Read a report, or say where it is invalid.

    Args:
        record: The object, as it was read.
        check: Called for each of its traces; may raise to stop.
    """
    raw = dict(record.raw)
    fault = next(_faults_of_report(raw, check), None)
    return FoundReport(record.source, raw) if fault is None else _problem(record, fault)


def _faults_of_report(raw: RawEntry, check: Callable[[], None]) -> Iterator[_Fault]:
    if finite_number(raw.get("version")) != _VERSION:
        found = _found(raw["version"]) if "version" in raw else Phrase("nothing")
        yield _Fault(("version",), str(_VERSION), found)
    traces = raw.get("traces")
    if not isinstance(traces, list):
        traces = []
        yield from _faults(raw, _schema(), ())
    yield from _faults({**raw, "traces": []}, _schema(), ())
    for index, entry in enumerate(traces):
        check()
        path = ("traces", index)
        yield from _faults(entry, {"$ref": "#/$defs/TraceEntry"}, path)
        if entry["score"] is None and entry["score_range"] is None:
            yield _Fault((*path, "score_range"), Phrase("an object"), "null")


@cache
def _schema() -> Schema:
    schema: Schema = json.loads((resources() / SCHEMA_FILE).read_bytes())
    return schema


def _faults(value: Any, schema: Schema, path: JsonPath) -> Iterator[_Fault]:
    """What a value has that a schema does not allow, by the words that our own schemas use."""
    schema = _schema()["$defs"].get(schema.get("$ref", "").removeprefix("#/$defs/"), schema)
    if "anyOf" in schema:
        found = [[*islice(_faults(value, one, path), 1)] for one in schema["anyOf"]]
        yield from found[0] if all(found) else ()
    elif (expected := _expected(value, schema)) is not None:
        yield _Fault(path, expected, _found(value))
    elif schema.get("type") == "array":
        yield from _item_faults(value, schema, path)
    elif schema.get("type") == "object":
        yield from _member_faults(value, schema, path)


def _expected(value: Any, schema: Schema) -> str | None:
    """What a simple schema expects of a value that is something else."""
    if "enum" in schema:
        fits = isinstance(value, str | int | float) and value in schema["enum"]
        return None if fits else " or ".join(map(json.dumps, schema["enum"]))
    words, fits_type = _TYPES[schema["type"]]
    return None if fits_type(value) else words


def _item_faults(value: list[Any], schema: Schema, path: JsonPath) -> Iterator[_Fault]:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        yield _Fault(path, Phrase("another value"), _found(value))
    for index, one in enumerate(value):
        yield from _faults(one, schema["items"], (*path, index))


def _member_faults(value: Any, schema: Schema, path: JsonPath) -> Iterator[_Fault]:
    own, others = schema.get("properties", {}), schema["additionalProperties"]
    for name in schema.get("required", ()):
        if name not in value:
            yield _Fault((*path, name), Phrase("a value"), Phrase("nothing"))
    for name, one in value.items():
        if name in own:
            yield from _faults(one, own[name], (*path, name))
        elif others is False:
            yield _Fault((*path, name), Phrase("nothing under this name"), _found(one))
        else:
            yield from _faults(one, others, (*path, name))


def _found(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    return describe(value) if finite_number(value) is None else repr(value)


def _problem(record: ReportRecord, fault: _Fault) -> Problem:
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
