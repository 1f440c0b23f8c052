"""OTLP JSON: spans and log records of agents and models, in any of the known conventions.

Requests are joined into runs: each request repeats the history of its run and continues it. The
spans of tools add how calls ended, and calls that no request repeats.
"""

from bisect import bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from heapq import nlargest
from itertools import accumulate, chain
from operator import itemgetter
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.otlp_messages import (
    Exchange,
    Item,
    ItemKey,
    ToolUse,
    canonical,
    exchange_of,
    tool_use_of,
)
from kpinspector.runs.readers.otlp_spans import (
    Around,
    Event,
    Span,
    SpanKey,
    SpanKind,
    Tree,
    logs_of,
    spans_of,
)
from kpinspector.runs.readers.reader import Format, Reader, moment
from kpinspector.runs.rules import as_content, input_of
from kpinspector.runs.run import AgentRun, BlockKind, DropName, Record, Recording
from kpinspector.runs.texts import FileHead, object_of

_MOST_ALIKE: Final = 20
"""The most runs that are examined for one request, or for one item of it."""
_RESOURCES: Final = ("resourceSpans", "resourceLogs")
_WITHIN: Final = ("scopeSpans", "scopeLogs")
# names under which spans without a step are counted
_DROPPED: Final = {
    SpanKind.MODEL: DropName.OLD_REQUEST,
    SpanKind.TOOL: DropName.KNOWN_TOOL,
    SpanKind.AGENT: DropName.AGENT_SPAN,
    SpanKind.OTHER: DropName.OTHER_SPAN,
}
_NONE: Final = Phrase("no span or log record of a model")
_SAID: Final = (BlockKind.PROMPT, BlockKind.TEXT, BlockKind.REASONING)


def _lacks(head: FileHead) -> str | None:
    if any(isinstance(one.get(key), list) for one in head.objects for key in _RESOURCES):
        return ""
    if any(key in one for one in head.objects for key in _WITHIN):
        return "resourceSpans"
    spans = [one for one in head.objects if {"name", "start_time", "attributes"} <= one.keys()]
    if any("trace_id" in object_of(one, "context") for one in spans):
        return "resourceSpans: these are spans as the console shows them"
    return None


@dataclass(slots=True, eq=False)
class _Conversation:
    """A run that is being put together.

    Attributes:
        number: How many runs were begun before it.
        first: The span of its first request.
        around: The spans around ``first``; a sub-agent's run is within a tool of these.
        last: The spans around its last request.
        extras: Items that tool spans add, to be merged into ``items`` by time.
        known: For each key, the indices of the items that have it.
        keyed: The indices of all items that have a key, in order.
        goes_on: A request continues the run if it repeats an item from this index on.
    """

    number: int
    session: str
    first: Span
    around: Around
    last: Around
    items: list[Item] = field(default_factory=list)
    extras: list[Item] = field(default_factory=list)
    known: dict[ItemKey, list[int]] = field(default_factory=dict)
    keyed: list[int] = field(default_factory=list)
    goes_on: int = 0


class _Joining:
    def __init__(self, tree: Tree) -> None:
        self.runs: list[_Conversation] = []
        self._tree = tree
        self._holding: defaultdict[ItemKey, list[_Conversation]] = defaultdict(list)
        self._sessions: dict[tuple[str, str], _Conversation] = {}
        self._silent: dict[str, _Conversation] = {}

    def take(self, request: Exchange) -> None:
        """Add a request to the run that it continues, or begin a run; requests come in order."""
        span, history = request.span, request.asked
        around = self._tree.around(span)
        matches: list[tuple[Item, int]] = []
        run: _Conversation | None = None
        for one in self._candidates(request, around):
            found = _matches(one, request, around)
            if found is not None and (run is None or len(found) > len(matches)):
                run, matches = one, found
        if run is None:
            run = _Conversation(len(self.runs), span.session, span, around, around)
            self.runs.append(run)
        run.session = run.session or span.session
        run.last = around
        known = (at for at, item in enumerate(history, 1) if matches and item is matches[-1][0])
        new = history[next(known, 0) :]
        self._add(run, (item for item in new if not item.echo))
        told = len(run.keyed)
        self._add(run, request.answered)
        run.goes_on = next(iter(run.keyed[told:] or run.keyed[-1:]), 0)
        self._sessions[around.tool, run.session] = run
        if not run.items:
            self._silent[around.tool] = run

    def _add(self, run: _Conversation, items: Iterable[Item]) -> None:
        for item in items:
            if item.key is not None:
                run.known.setdefault(item.key, []).append(len(run.items))
                run.keyed.append(len(run.items))
                holding = self._holding[item.key]
                if run not in holding[-1:]:
                    holding.append(run)
            run.items.append(copy(item))

    def _candidates(self, request: Exchange, around: Around) -> list[_Conversation]:
        """The runs to which a request may belong; few, however long the file or the request is."""
        scope, session = around.tool, request.span.session
        keys = [item.key for item in request.asked if item.key is not None]
        holding = (self._holding.get(key, [])[-_MOST_ALIKE:] for key in keys)
        shared = Counter(chain.from_iterable(holding))
        found = set(nlargest(_MOST_ALIKE, shared, key=lambda run: (shared[run], run.number)))
        if session and (scope, session) in self._sessions:
            found.add(self._sessions[scope, session])
        if not keys and scope in self._silent:
            found.add(self._silent[scope])
        return sorted(found, key=lambda run: run.number, reverse=True)


def _matches(
    run: _Conversation, request: Exchange, around: Around
) -> list[tuple[Item, int]] | None:
    """The items of a request and their indices in a run; None if it does not belong to the run."""
    session = request.span.session
    is_same = session == run.session != ""
    if run.around.tool != around.tool or (session and run.session and not is_same):
        return None
    matches: list[tuple[Item, int]] = []
    keyed = [(item, item.key) for item in request.asked if item.key is not None]
    position = -1
    for item, key in keyed:
        places = run.known.get(key, [])
        at = bisect_right(places, position)
        if at < len(places):
            position = places[at]
            matches.append((item, position))
    if is_same or not run.items or not keyed:
        return matches if is_same or not (run.items or keyed) else None
    if not matches:
        return None
    has_first = matches[0][0] is keyed[0][0]
    if position >= run.goes_on:  # the request continues the last answer
        is_own = has_first or any(item.block.call_id for item, _ in matches)
    else:  # or the same agent asks again
        is_agent = around.agent == run.last.agent != ""
        is_own = is_agent and has_first and len(matches) == len(keyed)
    return matches if is_own else None


@dataclass(slots=True)
class _Call:
    """A call of a run with its result, and how many tool spans belong to it."""

    run: _Conversation
    item: Item
    result: Item | None = None
    uses: int = 0


class _Runs:
    """The runs within one tool or outside any, and their calls by id and by name."""

    def __init__(self) -> None:
        self.runs: list[_Conversation] = []
        self._first: dict[str, int] = {}
        self._last: dict[str, _Call] = {}
        self._by: defaultdict[tuple[str, ...], deque[_Call]] = defaultdict(deque)

    def add_run(self, run: _Conversation) -> None:
        """Add a run and index its calls."""
        self._first.setdefault(run.session, len(self.runs))
        self.runs.append(run)
        for call in _paired(run):
            self.add(call)

    def add(self, call: _Call) -> None:
        """Index a call by its id, by its tool, and by tool and input."""
        block = call.item.block
        self._last[block.call_id] = call
        arguments = canonical(input_of(block.input))
        for key in (("id", block.call_id), (block.tool,), (block.tool, arguments, "")):
            self._by[key].append(call)

    def call_of(self, use: ToolUse) -> _Call | None:
        """The call that a tool span ran, found by id, else by tool and input.

        If two instrumentations each wrote a span for a call, both spans belong to it.
        """
        if use.call_id:
            return _first(self._by.get(("id", use.call_id))) or self._last.get(use.call_id)
        exact = self._by.get((use.name, use.arguments, ""))
        return _first(exact) or _first(self._by.get((use.name,)))

    def run_of(self, session: str) -> _Conversation | None:
        """The first run to which a span of a session can belong."""
        if not session:
            return next(iter(self.runs), None)
        fitting = [self._first[one] for one in (session, "") if one in self._first]
        return self.runs[min(fitting)] if fitting else None


def _first(calls: deque[_Call] | None, *, unanswered: bool = False) -> _Call | None:
    """The first call of a queue without a tool span or without a result; takes others off it."""
    while calls and (calls[0].result if unanswered else calls[0].uses):
        calls.popleft()
    return calls[0] if calls else None


def _add_tools(tree: Tree, runs: Sequence[_Conversation], uses: Iterable[ToolUse]) -> None:
    """Mark in the runs how calls ended, and add calls and results that no request repeats."""
    scopes: defaultdict[str, _Runs] = defaultdict(_Runs)
    for run in runs:
        scopes[run.around.tool].add_run(run)
    for use in sorted(uses, key=lambda use: (use.span.start, use.span.unit)):
        within = scopes[tree.around(use.span).tool]
        found, own = within.call_of(use), within.run_of(use.span.session)
        if found is None and own is not None:  # without content, no request has it
            call_id = use.call_id or f"#{use.span.unit}"
            item = Item(use.called.call(use.name, use.called.value, call_id), time=use.span.start)
            own.extras.append(item)
            found = _Call(own, item)
            within.add(found)
        if found is not None:
            found.uses += 1
            _end(found, use)
    for run in runs:  # each extra is placed behind all items with an earlier time
        nows = accumulate((item.time for item in run.items), max)
        placed = [(now, 0, item) for now, item in zip(nows, run.items, strict=True)]
        placed += [(item.time, 1, item) for item in run.extras]
        run.items = [item for *_, item in sorted(placed, key=itemgetter(0, 1))]


def _paired(run: _Conversation) -> list[_Call]:
    """The calls of a run with their results, matched by id, else by order."""
    calls: list[_Call] = []
    waiting: defaultdict[str, list[_Call]] = defaultdict(list)
    unanswered: deque[_Call] = deque()  # calls of the last answer
    for number, item in enumerate(run.items):
        block = item.block
        if block.kind is BlockKind.CALL:
            item.block = block = replace(block, call_id=block.call_id or f"#{number}")
            if calls and calls[-1].item.block.answer != block.answer:
                unanswered.clear()
            calls.append(_Call(run, item))
            unanswered.append(calls[-1])
            waiting[block.call_id].append(calls[-1])
        elif block.kind is BlockKind.RESULT:
            own = waiting[block.call_id]
            call = own.pop() if own else _first(unanswered, unanswered=True)
            if call is not None and call.result is None:
                item.block = replace(block, call_id=call.item.block.call_id)
                call.result = item
    return calls


def _end(call: _Call, use: ToolUse) -> None:
    """Mark how a call ended; if no request has its result, add it at the time of the span's end."""
    span, result = use.span, call.result
    if result is not None:
        result.block = replace(result.block, failed=result.block.failed or span.failed)
        result.time = span.end or result.time
        return
    text = span.error if span.failed else ""
    text = text if use.told.value is None else as_content(use.told.value)
    block = use.told.result(text, call.item.block.call_id, failed=span.failed)
    call.result = Item(block, time=max(span.end, call.item.time))
    call.run.extras.append(call.result)


class _Reader(Reader):
    unit = "spans"

    def __init__(self) -> None:
        super().__init__()
        self._spans: list[Span] = []
        self._requests: list[Exchange] = []
        self._uses: list[ToolUse] = []
        self._logged: dict[SpanKey, tuple[Span, list[Event]]] = {}
        self._units: list[str] = []

    @override
    def take(self, record: Record) -> None:
        before = len(self._units)
        for span in spans_of(record, before + 1):
            self._units.append(_DROPPED[span.kind])
            self._spans.append(span)
            if span.kind is SpanKind.MODEL:
                self._requests.append(exchange_of(span, []))
            elif span.kind is SpanKind.TOOL and (use := tool_use_of(span)) is not None:
                self._uses.append(use)
            if span.kind is not SpanKind.AGENT:
                span.forget()
        for span, event in logs_of(record, len(self._units) + 1):
            self._units.append(DropName.OLD_LOG)
            key = (span.trace, span.id or f"#{span.unit}")
            self._logged.setdefault(key, (span, []))[1].append(event)
        if len(self._units) == before:
            self._units.append(DropName.NO_SPAN)

    @override
    def recording(self) -> Recording:
        told = self._with_logs()
        tree = Tree(self._spans, {one.span.key for one in told if one.items})
        requests = [request for request in told if not tree.around(request.span).told]
        around = tree.all_around(request.span for request in requests)
        # agents without a recorded model
        agents = (one for one in self._spans if one.kind is SpanKind.AGENT)
        alone = (exchange_of(one, []) for one in agents if one.key not in around)
        requests += (one for one in alone if one.asked)
        joining = _Joining(tree)
        # of requests that began at the same time, the shorter history comes first
        for request in sorted(requests, key=lambda r: (r.span.start, len(r.asked), r.span.unit)):
            joining.take(request)
        runs = joining.runs
        _add_tools(tree, runs, self._uses)
        units = {item.block.unit for run in runs for item in run.items}
        dropped = Counter(name for unit, name in enumerate(self._units, 1) if unit not in units)
        scopes = (request.span.scope for request in requests if request.span.scope)
        return Recording(
            runs=_named(runs),
            version=next(scopes, ""),
            unit=self.unit,
            total=len(self._units),
            dropped=dict(dropped),
            passed_over=() if runs else (("", _NONE),),
        )

    def _with_logs(self) -> list[Exchange]:
        """The requests with their content from log records, and requests that only these record."""
        requests = {r.span.key: r for r in self._requests}
        known = {span.key: span for span in self._spans}
        found = []
        for key, (span, events) in self._logged.items():
            request = requests.get(key)
            if request is None or not request.items:
                exchange = exchange_of(known.get(key, span), events)
                if exchange.items or request is not None:
                    found.append(exchange)
                    requests.pop(key, None)
        told = {id(request) for request in requests.values()}
        return [*(r for r in self._requests if id(r) in told or not r.span.id), *found]


def _named(runs: Sequence[_Conversation]) -> tuple[AgentRun, ...]:
    """Give each run a key of its own within its session; that of the main run is ""."""
    named: dict[tuple[str, str], _Conversation] = {}
    for run in sorted(runs, key=lambda run: not run.items):
        scope, session = run.around.tool, run.session or run.first.trace
        key = (run.around.outermost or run.first).id if scope else ""
        if (session, key) in named:
            key = run.first.id or f"{run.number + 1}"
        named[session, key] = run
    made = sorted(named.items(), key=lambda one: one[1].number)
    return tuple(_run(run, *names) for names, run in made)


def _run(run: _Conversation, session: str, key: str) -> AgentRun:
    agent, scope = run.first.agent or run.around.name, run.around.tool
    blocks = tuple(
        replace(one.block, at=moment(one.time // 1000, 10**6) if one.time else "")
        for one in run.items
    )
    return AgentRun(
        blocks=blocks,
        session=session,
        key=key,
        is_sub_agent=bool(scope),
        name=Phrase("sub-agent {key}", key=agent or key) if scope else agent if key else "",
        content_recorded=any(block.kind in _SAID and block.text.strip() for block in blocks)
        and not any(block.hidden for block in blocks),
        ended=run.last.is_whole,
    )


FORMAT: Final = Format(
    id="otlp",
    name="OpenTelemetry",
    tested=(
        "pydantic-ai 1.0.10",
        "pydantic-ai 2.68.0",
        "ai 6.0.326",
        "ai 7.0.173",
        "opentelemetry-instrumentation-openai-v2 2.1b0",
        "opentelemetry-instrumentation-openai-v2 2.4b0",
        "opentelemetry-instrumentation-openai 0.40.5",
        "opentelemetry-instrumentation-openai 0.62.4",
        "openinference-instrumentation-openai 0.1.66",
        "openinference-instrumentation-langchain 0.1.80",
        "openinference-instrumentation-openai-agents 2.6.0",
        "openinference-instrumentation-smolagents 0.1.43",
        "strands-agents 1.62.0",
    ),
    failure=Phrase("the status of its span"),
    lacks=_lacks,
    reader=_Reader,
)
