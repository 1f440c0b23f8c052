"""Writes values as JSON with secrets masked; reads reports again and checks them.

What identifies the trace of an entry is not masked: the file, the record, the digest of the text.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from itertools import islice
from json import dumps
from math import isfinite
from operator import attrgetter
from pathlib import PurePath
from typing import Any, Final, TypeAlias

from pydantic_core import to_json

from kpinspector.files import resources
from kpinspector.phrase import Phrase
from kpinspector.scoring.findings import Neighbour
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.trace.clear import MASK, masked_in
from kpinspector.trace.javascript import JsonPath, number_text
from kpinspector.trace.model import describe, finite_number
from kpinspector.trace.printable import quoted
from kpinspector.trace.records import Problem, ProblemKind, ReportRecord, Skipped, Source, dotted
from kpinspector.trace.schema import Issue

Told: TypeAlias = Mapping[type, tuple[str, ...]]

_TOLD: Final[Told] = {
    Neighbour: ("key", "id=trace_id", "objective", "path=source_path", "similarity", "record"),
    Novelty: tuple(one.name for one in fields(Novelty) if one.name != "own"),
    # subclasses have these members, too
    **{kind: tuple(one.name for one in fields(kind)) for kind in (Issue, Problem, Skipped)},
}

# controls beyond C0, which JSON escapes anyway; marks of text direction; zero-width characters
_UNSEEN = re.compile(
    "[\x7f-\x9f\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff0-\ufffb\U000e0000-\U000e0fff]"
)


def told_members(kind: type, told: Told = _TOLD) -> dict[str, str]:
    """The JSON members of a dataclass, each with the name of the attribute that is its value."""
    known = (each[one] for one in kind.__mro__ for each in (told, _TOLD) if one in each)
    own = next(known, None) or tuple(one.name for one in fields(kind))
    pairs = (name.partition("=") for name in own)
    return {name.rstrip("_"): attribute or name for name, _, attribute in pairs}


def json_values(
    value: Any,
    told: Told = _TOLD,
    mask: Callable[[str], str] = masked_in,
    check: Callable[[], None] = lambda: None,
) -> Any:
    """A value made of JSON's types; numbers that JSON lacks become their names in JavaScript.

    ``told``: the members of some dataclasses; all others have their fields. ``mask``: applied to
    every text but the path of a file. ``check``: called for each item; may raise to stop.
    """
    if is_dataclass(value):
        names = told_members(type(value), told)
        value = {name: attrgetter(attribute)(value) for name, attribute in names.items()}
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if isfinite(value) else number_text(value)
        case str():
            return mask(str(value))
        case PurePath():
            return str(value)
        case Mapping():
            return _members(value, lambda one: json_values(one, told, mask, check), mask)
    made = []
    for one in sorted(value) if isinstance(value, frozenset) else value:
        check()
        made.append(json_values(one, told, mask, check))
    return made


def _members(
    value: Mapping[str, Any], written: Callable[[Any], Any], mask: Callable[[str], str]
) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, one in value.items():
        shown = mask(str(name))
        while shown in made:  # two masked names may be equal
            shown += MASK
        made[shown] = one if name == "path" and "record" in value else written(one)
    match value:
        case {"id": str(whole), "key": str(key)} if key.startswith(whole):
            made["key"] = made["id"] + key.removeprefix(whole)
    return made


def report_json(value: Any, check: Callable[[], None] = lambda: None) -> bytes:
    """UTF-8 JSON, indented by two spaces, ending in a line feed; invisible text is escaped."""
    text = to_json(json_values(value, check=check), indent=2).decode()
    return _UNSEEN.sub(lambda found: dumps(found[0])[1:-1], text).encode() + b"\n"


Members: TypeAlias = dict[str, Any]
"""A JSON object: a part of a report, or of its schema."""

SCHEMA_FILE = "report.schema.json"

# the path of a value that the schema does not allow, what was expected, and what was found
_Fault: TypeAlias = tuple[JsonPath, str, str]
REPORT_VERSION: Final = 3
_TYPES: Final[dict[str, tuple[Phrase, Callable[[Any], bool]]]] = {
    "string": (Phrase("a string"), lambda one: isinstance(one, str)),
    "number": (Phrase("a finite number"), lambda one: finite_number(one) is not None),
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
    values: Members


def read_report(
    record: ReportRecord, check: Callable[[], None] = lambda: None
) -> FoundReport | Problem:
    """Read a report, or say where it is invalid; ``check`` may raise to stop, before each trace."""
    raw = dict(record.raw)
    fault = next(_faults_of_report(raw, check), None)
    if fault is None:
        return FoundReport(record.source, raw)
    path, expected, found = fault
    (line, column), place = record.place(path), dotted(path)
    return Problem(
        path=record.source.path,
        record=record.source.record,
        kind=ProblemKind.UNREADABLE,
        line=line,
        column=column,
        json_path=place,
        expected=expected,
        found=found,
        message=Phrase(
            "not a report of this version: {place}: expected {expected}, found {found}",
            place=place,
            expected=expected,
            found=found,
        ),
    )


def _faults_of_report(raw: Members, check: Callable[[], None]) -> Iterator[_Fault]:
    if finite_number(raw.get("version")) != REPORT_VERSION:
        found = _found(raw["version"]) if "version" in raw else Phrase("nothing")
        yield (("version",), str(REPORT_VERSION), found)
    traces = raw.get("traces")
    if not isinstance(traces, list):
        yield from _faults(raw, report_schema(), ())
        return
    yield from _faults({**raw, "traces": []}, report_schema(), ())
    for index, entry in enumerate(traces):
        check()
        path = ("traces", index)
        yield from _faults(entry, {"$ref": "#/$defs/TraceEntry"}, path)
        if entry["score"] is None and entry["score_range"] is None:
            yield ((*path, "score_range"), Phrase("an object"), "null")


@cache
def report_schema() -> Members:
    """The JSON Schema of a report; its ``$defs`` hold the schema of each part."""
    schema: Members = json.loads((resources() / SCHEMA_FILE).read_bytes())
    return schema


def _faults(value: Any, schema: Members, path: JsonPath) -> Iterator[_Fault]:
    """What a schema does not allow in a value; only keywords that our own schemas use are known."""
    schema = report_schema()["$defs"].get(schema.get("$ref", "").removeprefix("#/$defs/"), schema)
    if "anyOf" in schema:
        found = [[*islice(_faults(value, one, path), 1)] for one in schema["anyOf"]]
        yield from found[0] if all(found) else ()
    elif (expected := _expected(value, schema)) is not None:
        yield (path, expected, _found(value))
    elif schema.get("type") == "array":
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield (path, Phrase("another value"), _found(value))
        for index, one in enumerate(value):
            yield from _faults(one, schema["items"], (*path, index))
    elif schema.get("type") == "object":
        yield from _member_faults(value, schema, path)


def _expected(value: Any, schema: Members) -> str | None:
    if "enum" in schema:
        fits = isinstance(value, str | int | float) and value in schema["enum"]
        return None if fits else " or ".join(map(json.dumps, schema["enum"]))
    words, fits_type = _TYPES[schema["type"]]
    return None if fits_type(value) else words


def _member_faults(value: Any, schema: Members, path: JsonPath) -> Iterator[_Fault]:
    own, others = schema.get("properties", {}), schema["additionalProperties"]
    for name in schema.get("required", ()):
        if name not in value:
            yield ((*path, name), Phrase("a value"), Phrase("nothing"))
    for name, one in value.items():
        if name in own:
            yield from _faults(one, own[name], (*path, name))
        elif others is False:
            yield ((*path, name), Phrase("nothing under this name"), _found(one))
        else:
            yield from _faults(one, others, (*path, name))


def _found(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    return describe(value) if finite_number(value) is None else repr(value)
