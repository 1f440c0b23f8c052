"""OTLP JSON: traces and log records of agents and models, whatever convention they follow."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.otlp_conventions import ToolUse, exchange_of, tool_use_of
from kpinspector.runs.readers.otlp_runs import Request, runs_of
from kpinspector.runs.readers.otlp_spans import Event, Span, SpanKind, logs_of, spans_of
from kpinspector.runs.readers.otlp_tree import Tree
from kpinspector.runs.run import Format, Record, Recording, object_of
from kpinspector.runs.texts import FileHead

_RESOURCES: Final = ("resourceSpans", "resourceLogs")
_WITHIN: Final = ("scopeSpans", "scopeLogs")
_LOGGED: Final = "log records that say nothing new"
_EMPTY: Final = "lines without a span"
# what spans are called that no step comes from
_DROPPED: Final = MappingProxyType(
    {
        SpanKind.MODEL: "requests that say nothing new",
        SpanKind.TOOL: "tools that a request tells of",
        SpanKind.AGENT: "agents",
        SpanKind.OTHER: "other spans",
    }
)
_NONE: Final = Phrase("no span or log record of a model")


def recognise(head: FileHead) -> bool:
    """Whether a file holds requests of OTLP."""
    return any(isinstance(one.get(key), list) for one in head.objects for key in _RESOURCES)


def missing(head: FileHead) -> str:
    """What keeps a file that is nearly such requests from being so; "" for all else."""
    if any(key in one for one in head.objects for key in _WITHIN):
        return "resourceSpans"
    spans = [one for one in head.objects if {"name", "start_time", "attributes"} <= one.keys()]
    if any("trace_id" in object_of(one.get("context")) for one in spans):
        return "resourceSpans: these are spans as the console shows them"
    return ""


@dataclass(slots=True)
class _Logged:
    """What log records say of one span."""

    span: Span
    events: list[Event]


class Reader:
    """Takes the requests of a file, one after the other."""

    def __init__(self) -> None:
        self._spans: list[Span] = []
        self._requests: list[Request] = []
        self._agents: list[Span] = []
        self._uses: list[ToolUse] = []
        self._logged: dict[tuple[str, str], _Logged] = {}
        self._units: list[str] = []

    def take(self, record: Record) -> None:
        """Take a request: its spans and its log records."""
        before = len(self._units)
        for span in spans_of(record, before):
            self._units.append(_DROPPED[span.kind])
            self._spans.append(span)
            self._take_span(span)
        for span, event in logs_of(record, len(self._units)):
            self._units.append(_LOGGED)
            key = (span.trace, span.id or f"#{span.unit}")
            self._logged.setdefault(key, _Logged(span, [])).events.append(event)
        if len(self._units) == before:
            self._units.append(_EMPTY)

    def _take_span(self, span: Span) -> None:
        if span.kind is SpanKind.AGENT:
            self._agents.append(span)
            return
        if span.kind is SpanKind.MODEL:
            self._requests.append(Request(span, exchange_of(span, [])))
        elif span.kind is SpanKind.TOOL:
            use = tool_use_of(span)
            self._uses.extend([use] if use else [])
        span.forget()

    def recording(self) -> Recording:
        """All that was taken so far."""
        tree = Tree(self._spans)
        requests = self._all_requests(tree)
        joined = runs_of(tree, requests, self._uses)
        dropped = Counter(name for unit, name in enumerate(self._units) if unit not in joined.units)
        scopes = (request.span.scope for request in requests if request.span.scope)
        return Recording(
            format=Format.OTLP,
            runs=joined.runs,
            version=next(scopes, ""),
            unit="spans",
            total=len(self._units),
            dropped=dict(dropped),
            passed_over=() if joined.runs else (("", _NONE),),
        )

    def _all_requests(self, tree: Tree) -> list[Request]:
        """Of models; of agents where no model is recorded within. Each is told by one span."""
        requests = self._with_logs()
        telling = {(r.span.trace, r.span.id) for r in requests if r.exchange.items}
        found = [r for r in requests if not any(_is(one, telling) for one in tree.above(r.span))]
        around = {(one.trace, one.id) for r in found for one in tree.above(r.span)}
        alone = (Request(one, exchange_of(one, [])) for one in self._agents if not _is(one, around))
        return [*found, *(request for request in alone if request.exchange.asked)]

    def _with_logs(self) -> list[Request]:
        """The content of some spans stands in log records; some spans are only spoken of there."""
        requests = {(r.span.trace, r.span.id): r for r in self._requests}
        known = {(span.trace, span.id): span for span in self._spans}
        found = []
        for key, logged in self._logged.items():
            request = requests.get(key)
            if request is None or not request.exchange.items:
                span = known.get(key, logged.span)
                exchange = exchange_of(span, logged.events)
                if exchange.items or request is not None:
                    found.append(Request(span, exchange))
                    requests.pop(key, None)
        told = {id(request) for request in requests.values()}
        return [*(r for r in self._requests if id(r) in told or not r.span.id), *found]


def _is(span: Span, keys: Collection[tuple[str, str]]) -> bool:
    return (span.trace, span.id) in keys
