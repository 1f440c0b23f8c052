"""Turns OTLP JSON into spans: their kind, their nesting, and their attributes as JSON values."""

import base64
import binascii
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, TypeAlias

from kpinspector.runs.readers.reader import Spot
from kpinspector.runs.run import Record
from kpinspector.runs.texts import list_of, object_of, objects_of, parsed, text_of
from kpinspector.trace.bytes import parse
from kpinspector.trace.javascript import JsonValue

SpanKey: TypeAlias = tuple[str, str]
"""The ids of a trace and of a span in it."""

_DEEPEST: Final = 100
_HEX = re.compile("(?:[0-9a-fA-F]{16}){1,2}")
_BILLION: Final = 10**9
_ERROR: Final = (2, "2", "STATUS_CODE_ERROR")
_SESSION: Final = ("gen_ai.conversation.id", "session.id")
_AGENT: Final = (
    "gen_ai.agent.name",
    "agent.name",
    "agent_name",
    "ai.telemetry.functionId",
    "graph.node.id",
)
_REDACTED: Final = "__REDACTED__"
_SCALARS: Final = ("stringValue", "boolValue", "doubleValue", "bytesValue")


class SpanKind(StrEnum):
    """What a span records."""

    MODEL = "model"
    TOOL = "tool"
    AGENT = "agent"
    OTHER = "other"


@dataclass(slots=True)
class Fields:
    """Attributes of a span, an event or a log record, by key, each with its place."""

    place: Spot
    values: dict[str, JsonValue] = field(default_factory=dict)
    indexes: dict[str, int] = field(default_factory=dict)

    def first(self, *keys: str) -> str:
        """The first of these keys that is present; "" for none."""
        return next((key for key in keys if key in self.values), "")

    def text(self, *keys: str) -> str:
        """The first non-empty text among the values of these keys; "" for none."""
        return next((text for key in keys if (text := text_of(self.values.get(key)))), "")

    def spot(self, key: str) -> Spot:
        """The spot of a key's value; for an absent key, the spot of all attributes."""
        index, around = self.indexes.get(key), self.place
        path = (*around.path, "attributes", *(() if index is None else (index,)))
        value = self.values.get(key)
        return Spot(value, around.chunk, path, unit=around.unit, of_span=True)


@dataclass(slots=True)
class Event:
    """An event of a span, recorded within it or in a log record, with its body at its place."""

    name: str
    fields: Fields
    place: Spot


@dataclass(slots=True)
class Span:
    """A span, or a log record that stands for one; "" for texts that are not recorded.

    Attributes:
        place: The spot of the span, without its value.
        start: In nanoseconds since 1970; 0 where that is not recorded.
        scope: The instrumentation that wrote it, and its version.
        fields: Its attributes, kept until they are read.
        events: Its events, kept as long.
    """

    place: Spot
    id: str
    trace: str
    session: str
    agent: str
    scope: str
    fields: Fields
    kind: SpanKind = SpanKind.MODEL
    start: int = 0
    end: int = 0
    parent: str = ""
    failed: bool = False
    error: str = ""
    events: list[Event] = field(default_factory=list)

    @property
    def key(self) -> SpanKey:
        """Trace id and span id, by which other spans refer to it."""
        return self.trace, self.id

    @property
    def unit(self) -> int:
        """Its number among the spans and log records of the file, from 1."""
        return self.place.unit

    def forget(self) -> None:
        """Free the attributes once they are read."""
        self.fields = Fields(self.place)
        self.events = []


@dataclass(frozen=True, slots=True)
class Around:
    """The spans around a span.

    Attributes:
        tool: Trace and id of the nearest tool; "" for none. ``agent`` likewise.
        name: The name of the nearest agent that has a name; "" for none.
        outermost: The outermost span within the tool; None for none.
        told: Whether one of these spans is a request with messages.
        is_whole: Whether the file has the root of these spans.
    """

    tool: str = ""
    agent: str = ""
    name: str = ""
    outermost: Span | None = None
    told: bool = False
    is_whole: bool = False


NOTHING_AROUND: Final = Around()


class Tree:
    """The nesting of spans, each visited once; ``telling``: the requests that have messages."""

    def __init__(self, spans: Iterable[Span], telling: Set[SpanKey]) -> None:
        self._spans = {span.key: span for span in spans if span.id}
        self._telling = telling
        self._within: dict[SpanKey, Around] = {}

    def around(self, span: Span) -> Around:
        """The spans around a span."""
        path: list[Span] = []
        for one in self._outwards(span, self._within):
            self._within[one.key] = NOTHING_AROUND  # a span may name itself as its parent
            path.append(one)
        found = self._within.get((span.trace, (path or [span])[-1].parent), NOTHING_AROUND)
        for one in reversed(path):
            name, is_tool = f"{one.trace} {one.id}", one.kind is SpanKind.TOOL
            found = self._within[one.key] = Around(
                tool=name if is_tool else found.tool,
                agent=name if one.kind is SpanKind.AGENT else found.agent,
                name=one.agent or found.name,
                outermost=None if is_tool else found.outermost or one,
                told=found.told or one.key in self._telling,
                is_whole=found.is_whole or not one.parent,
            )
        return found

    def all_around(self, spans: Iterable[Span]) -> Set[SpanKey]:
        """All spans that enclose any of these."""
        found: set[SpanKey] = set()
        for span in spans:
            found.update(one.key for one in self._outwards(span, found))
        return found

    def _outwards(self, span: Span, known: Container[SpanKey]) -> Iterator[Span]:
        """The spans around a span, from inside to outside, up to one visited before."""
        key = span.trace, span.parent
        while key in self._spans and key not in known:
            yield self._spans[key]
            key = span.trace, self._spans[key].parent


def spans_of(record: Record, unit: int) -> Iterator[Span]:
    """The spans of a record, numbered from ``unit``."""
    for scope, entry in _entries(record, unit, "resourceSpans", "scopeSpans", "spans"):
        span = _span(entry, scope)
        span.kind = _kind(span.fields, entry.text("name"))
        span.parent = _id(entry.get("parentSpanId"))
        span.start = _nanoseconds(entry.get("startTimeUnixNano"))
        span.end = _nanoseconds(entry.get("endTimeUnixNano"))
        inner = ((one.text("name"), fields_of(one)) for one in entry.each("events"))
        span.events = [Event(name, fields, fields.place) for name, fields in inner]
        failed = entry.get("status", "code") in _ERROR
        span.failed = failed or bool(span.fields.text("error.type"))
        told = (event.fields for event in span.events if event.name == "exception")
        errors = (fields.text("exception.message") for fields in told)
        span.error = next(filter(None, errors), entry.text("status", "message"))
        yield span


def logs_of(record: Record, unit: int) -> Iterator[tuple[Span, Event]]:
    """The log records of a record, each with the span that it refers to."""
    for scope, log in _entries(record, unit, "resourceLogs", "scopeLogs", "logRecords"):
        span, body = _span(log, scope), log.inside("body") if log.has("body") else log
        place = replace(body, value=any_value(log.get("body")), of_span=True)
        name = log.text("eventName") or span.fields.text("event.name")
        event = Event(name, span.fields, place)
        times = map(_nanoseconds, map(log.get, ("timeUnixNano", "observedTimeUnixNano")))
        span.start = span.end = next(filter(None, times), 0)
        span.place, span.fields = replace(place, value=None), Fields(span.fields.place)
        yield span, event


def _span(entry: Spot, scope: str) -> Span:
    """A span, with the fields that spans and log records both have."""
    fields = fields_of(entry)
    return Span(
        place=fields.place,
        id=_id(entry.get("spanId")),
        trace=_id(entry.get("traceId")),
        session=fields.text(*_SESSION),
        agent=fields.text(*_AGENT),
        scope=scope,
        fields=fields,
    )


def _entries(record: Record, unit: int, *names: str) -> Iterator[tuple[str, Spot]]:
    """The spans or log records of a record, each with its scope."""
    resources, scopes, entries = names
    for resource in Spot.of(record).each(resources):
        for scope in resource.each(scopes):
            said = (scope.text("scope", "name"), scope.text("scope", "version"))
            for entry in scope.each(entries):
                entry.unit = unit
                yield " ".join(filter(None, said)), entry
                unit += 1


def fields_of(entry: Spot) -> Fields:
    """The attributes of a span, an event or a log record."""
    fields = Fields(Spot(None, entry.chunk, entry.path, unit=entry.unit, of_span=True))
    for index, found in enumerate(objects_of(entry.value, "attributes")):
        key = text_of(found.get("key"))
        if key:
            fields.values[key] = any_value(found.get("value"))
            fields.indexes[key] = index
    return fields


def any_value(value: JsonValue, depth: int = 0) -> JsonValue:
    """The JSON value that an ``AnyValue`` stands for; None where OpenInference masked it."""
    found = object_of(value)
    if depth > _DEEPEST:
        return None
    if "arrayValue" in found:
        return [any_value(one, depth + 1) for one in list_of(found, "arrayValue", "values")]
    if "kvlistValue" in found:
        members = objects_of(found, "kvlistValue", "values")
        return {text_of(one.get("key")): any_value(one.get("value"), depth + 1) for one in members}
    if "intValue" in found:
        return _integer(found["intValue"])
    scalar = next((found[key] for key in _SCALARS if key in found), None)
    return None if scalar == _REDACTED else scalar


def _integer(value: JsonValue) -> JsonValue:
    text = text_of(value)
    is_integer = text.removeprefix("-").isdecimal() and text.isascii() and len(text) < _DEEPEST
    return int(text) if is_integer else value


def embedded(value: JsonValue) -> JsonValue:
    """The value of an embedded JSON text; any other value is returned unchanged."""
    if not isinstance(value, str):
        return value
    data = value.encode("utf-8", "replace")
    read = parsed(data) if value.lstrip()[:1] in ("{", "[", '"') else parse(data)
    return value if read is None else read.value


def _nanoseconds(value: JsonValue) -> int:
    found = _integer(value)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return 0
    return int(found) if 0 <= found < _BILLION**3 else 0


def _id(value: JsonValue) -> str:
    """An id as hexadecimal digits; it is recorded as these or in base64."""
    text = text_of(value)
    if not _HEX.fullmatch(text):
        try:
            raw = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            return text
        text = raw.hex() if len(raw) in (8, 16) else text
    return text.lower() if text.strip("0") else ""


_MODEL, _TOOL, _AGENTS = SpanKind.MODEL, SpanKind.TOOL, SpanKind.AGENT
_OPERATIONS: Final = (
    dict.fromkeys(("chat", "text_completion", "generate_content"), _MODEL)
    | dict.fromkeys(("invoke_agent", "create_agent", "invoke_workflow"), _AGENTS)
    | {"execute_tool": _TOOL}
)
# attributes that tell the kind of a span, with the meanings of their values; the first decides
_KINDS: Final[tuple[tuple[str, Mapping[str, SpanKind]], ...]] = (
    ("openinference.span.kind", {"llm": _MODEL, "tool": _TOOL, "agent": _AGENTS}),
    ("ai.operationId", {"ai.toolCall": _TOOL}),
    ("gen_ai.operation.name", _OPERATIONS),
    ("traceloop.span.kind", {"tool": _TOOL, "agent": _AGENTS, "workflow": _AGENTS}),
)
_MESSAGES: Final = (
    *("gen_ai.input.messages", "gen_ai.output.messages"),
    *("gen_ai.prompt.0.role", "gen_ai.completion.0.role"),
)


def _kind(fields: Fields, name: str) -> SpanKind:
    """The kind of a span by its attributes, else by its name, which begins with the operation."""
    for key, kinds in _KINDS:
        said = fields.text(key)
        if said.endswith((".doGenerate", ".doStream")):
            return _MODEL
        if said.startswith(("ai.generate", "ai.stream")):
            return _AGENTS
        if said:
            return kinds.get(said if key == "ai.operationId" else said.lower(), SpanKind.OTHER)
    if "gen_ai.tool.name" in fields.values:
        return _TOOL
    if fields.text("llm.request.type") in ("chat", "completion") or fields.first(*_MESSAGES):
        return _MODEL
    first, _, rest = name.partition(" ")
    named = _OPERATIONS.get(first, SpanKind.OTHER) if rest else SpanKind.OTHER
    return _AGENTS if fields.first("agent_name", "gen_ai.agent.name") else named
