"""OTLP JSON: spans and log records of agents and models, in any of the known conventions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.otlp_conventions import ToolUse, exchange_of, tool_use_of
from kpinspector.runs.readers.otlp_messages import Item
from kpinspector.runs.readers.otlp_runs import OtlpRun, Request, joined_runs
from kpinspector.runs.readers.otlp_spans import (
    Event,
    Span,
    SpanKey,
    SpanKind,
    Tree,
    logs_of,
    moment,
    spans_of,
)
from kpinspector.runs.readers.otlp_tools import add_tools
from kpinspector.runs.run import (
    AgentRun,
    Block,
    BlockKind,
    DropName,
    Format,
    Record,
    Recording,
    object_of,
)
from kpinspector.runs.texts import FileHead

_RESOURCES: Final = ("resourceSpans", "resourceLogs")
_WITHIN: Final = ("scopeSpans", "scopeLogs")
# names under which spans without a step are counted
_DROPPED: Final = MappingProxyType(
    {
        SpanKind.MODEL: DropName.OLD_REQUEST,
        SpanKind.TOOL: DropName.KNOWN_TOOL,
        SpanKind.AGENT: DropName.AGENT_SPAN,
        SpanKind.OTHER: DropName.OTHER_SPAN,
    }
)
_NONE: Final = Phrase("no span or log record of a model")
_SAID: Final = (BlockKind.PROMPT, BlockKind.TEXT, BlockKind.REASONING)


def recognise(head: FileHead) -> bool:
    """Whether a file holds OTLP requests."""
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
    """What log records add to one span."""

    span: Span
    events: list[Event]


class Reader:
    """Reads the requests of a file."""

    def __init__(self) -> None:
        self._spans: list[Span] = []
        self._requests: list[Request] = []
        self._agents: list[Span] = []
        self._uses: list[ToolUse] = []
        self._logged: dict[SpanKey, _Logged] = {}
        self._units: list[str] = []

    def take(self, record: Record) -> None:
        """Take a request: its spans and its log records."""
        before = len(self._units)
        for span in spans_of(record, before):
            self._units.append(_DROPPED[span.kind])
            self._spans.append(span)
            self._take_span(span)
        for span, event in logs_of(record, len(self._units)):
            self._units.append(DropName.OLD_LOG)
            key = (span.trace, span.id or f"#{span.unit}")
            self._logged.setdefault(key, _Logged(span, [])).events.append(event)
        if len(self._units) == before:
            self._units.append(DropName.NO_SPAN)

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
        """The recording as far as it was taken, made anew: a new span may enclose any other."""
        told = self._with_logs()
        tree = Tree(self._spans, {r.span.key for r in told if r.exchange.items})
        requests = self._requests_of(tree, told)
        runs = joined_runs(tree, requests)
        add_tools(tree, runs, self._uses)
        units = {item.unit for run in runs for item in run.items}
        dropped = Counter(name for unit, name in enumerate(self._units) if unit not in units)
        scopes = (request.span.scope for request in requests if request.span.scope)
        return Recording(
            format=Format.OTLP,
            runs=_named(runs),
            version=next(scopes, ""),
            unit="spans",
            total=len(self._units),
            dropped=dict(dropped),
            passed_over=() if runs else (("", _NONE),),
        )

    def _requests_of(self, tree: Tree, told: list[Request]) -> list[Request]:
        """The requests of models, and of agents without a recorded model."""
        found = [request for request in told if not tree.around(request.span).told]
        around = tree.all_around(request.span for request in found)
        agents = (one for one in self._agents if one.key not in around)
        alone = (Request(one, exchange_of(one, [])) for one in agents)
        return [*found, *(request for request in alone if request.exchange.asked)]

    def _with_logs(self) -> list[Request]:
        """The requests, with the content of log records; some are known from these alone."""
        requests = {r.span.key: r for r in self._requests}
        known = {span.key: span for span in self._spans}
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


def _named(runs: Sequence[OtlpRun]) -> tuple[AgentRun, ...]:
    """Give each run a key of its own within its session; the main one has none."""
    names: dict[int, tuple[str, str]] = {}
    taken: set[tuple[str, str]] = set()
    for number, one in sorted(enumerate(runs), key=lambda found: not found[1].items):
        session = one.session or one.first.trace
        key = (one.around.outermost or one.first).id if one.scope else ""
        if (session, key) in taken:
            key = one.first.id or f"{number + 1}"
        names[number] = session, key
        taken.add(names[number])
    return tuple(_run(one, *names[number]) for number, one in enumerate(runs))


def _run(run: OtlpRun, session: str, key: str) -> AgentRun:
    agent = run.first.agent or run.around.name
    said = any(item.text.strip() for item in run.items if item.kind in _SAID)
    hidden = any(item.hidden for item in run.items if item.kind is BlockKind.RESULT)
    return AgentRun(
        blocks=tuple(_block(item) for item in run.items),
        session=session,
        key=key,
        is_sub_agent=bool(run.scope),
        name=_name(run, agent, key),
        content_recorded=said and not hidden,
        ended=run.last.is_whole,
    )


def _name(run: OtlpRun, agent: str, key: str) -> str:
    if run.scope:
        return Phrase("sub-agent {key}", key=agent or key)
    return agent if key else ""


def _block(item: Item) -> Block:
    return Block(
        kind=item.kind,
        place=item.place,
        text=item.text,
        answer=item.answer,
        tool=item.tool,
        input=item.input,
        call_id=item.call_id,
        failed=item.failed,
        at=moment(item.time),
        unit=item.unit + 1,
    )
