"""Adds to runs what the spans of tools record: how calls ended, and calls no request repeats."""

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kpinspector.runs.readers.otlp_conventions import ToolUse, canonical
from kpinspector.runs.readers.otlp_messages import Item
from kpinspector.runs.readers.otlp_runs import OtlpRun
from kpinspector.runs.readers.otlp_spans import Tree
from kpinspector.runs.rules import input_of
from kpinspector.runs.run import BlockKind


@dataclass(slots=True)
class _Call:
    """A call of a run, with its result.

    Attributes:
        uses: How many tool spans belong to it.
    """

    run: "_Run"
    item: Item
    result: Item | None = None
    uses: int = 0


@dataclass(slots=True)
class _Run:
    """A run, and the items to be merged into it by time."""

    conversation: OtlpRun
    extras: list[Item] = field(default_factory=list)


class _Runs:
    """The runs within one tool or outside any, and their calls by id and by name."""

    def __init__(self) -> None:
        self.runs: list[_Run] = []
        self._first: dict[str, int] = {}
        self._last: dict[str, _Call] = {}
        self._by_id: dict[str, deque[_Call]] = {}
        self._by_name: dict[str, deque[_Call]] = {}
        self._by_input: dict[tuple[str, str], deque[_Call]] = {}

    def add_run(self, run: _Run) -> None:
        """Take a run and its calls."""
        self._first.setdefault(run.conversation.session, len(self.runs))
        self.runs.append(run)
        for call in _paired(run):
            self.add(call)

    def add(self, call: _Call) -> None:
        """Index a call."""
        item = call.item
        self._last[item.call_id] = call
        self._by_id.setdefault(item.call_id, deque()).append(call)
        self._by_name.setdefault(item.tool, deque()).append(call)
        arguments = canonical(input_of(item.input))
        self._by_input.setdefault((item.tool, arguments), deque()).append(call)

    def call_of(self, use: ToolUse) -> _Call | None:
        """The call that a span ran, found by id, else by name and input.

        Where two instrumentations each wrote a span, the second belongs to the same call.
        """
        if use.call_id:
            return _first_unused(self._by_id.get(use.call_id)) or self._last.get(use.call_id)
        exact = self._by_input.get((use.name, use.arguments))
        return _first_unused(exact) or _first_unused(self._by_name.get(use.name))

    def run_of(self, session: str) -> _Run | None:
        """The first run to which a span of a session can belong."""
        if not session:
            return next(iter(self.runs), None)
        fitting = [self._first[one] for one in (session, "") if one in self._first]
        return self.runs[min(fitting)] if fitting else None


def _first_unused(calls: deque[_Call] | None) -> _Call | None:
    while calls and calls[0].uses:
        calls.popleft()
    return calls[0] if calls else None


def add_tools(tree: Tree, conversations: Sequence[OtlpRun], uses: Iterable[ToolUse]) -> None:
    """Mark in the runs how calls ended, and add calls and results that no request repeats."""
    scopes: defaultdict[str, _Runs] = defaultdict(_Runs)
    for conversation in conversations:
        scopes[conversation.scope].add_run(_Run(conversation))
    for use in sorted(uses, key=lambda use: (use.span.start, use.span.unit)):
        within = scopes[tree.around(use.span).tool]
        found = within.call_of(use) or _untold(within, use)
        if found is not None:
            found.uses += 1
            _end(found, use)
    for scope in scopes.values():
        for run in scope.runs:
            run.conversation.items = _merged(run.conversation.items, run.extras)


def _paired(run: _Run) -> list[_Call]:
    """The calls of a run with their results, matched by id, else by order."""
    calls: list[_Call] = []
    waiting: dict[str, list[_Call]] = {}
    unanswered: deque[_Call] = deque()  # the calls of the last answer
    for number, item in enumerate(run.conversation.items):
        if item.kind is BlockKind.CALL:
            item.call_id = item.call_id or f"#{number}"
            if calls and calls[-1].item.answer != item.answer:
                unanswered.clear()
            calls.append(_Call(run, item))
            unanswered.append(calls[-1])
            waiting.setdefault(item.call_id, []).append(calls[-1])
        elif item.kind is BlockKind.RESULT:
            own = waiting.get(item.call_id)
            call = own.pop() if own else _first_without_result(unanswered)
            if call is not None and call.result is None:
                item.call_id, call.result = call.item.call_id, item
    return calls


def _first_without_result(calls: deque[_Call]) -> _Call | None:
    while calls and calls[0].result:
        calls.popleft()
    return calls[0] if calls else None


def _untold(runs: _Runs, use: ToolUse) -> _Call | None:
    """Add a call that no request has, for want of content, to the first run that fits."""
    run, span = runs.run_of(use.span.session), use.span
    if run is None:
        return None
    item = Item(
        kind=BlockKind.CALL,
        place=use.called,
        unit=span.unit,
        tool=use.name,
        input=use.input,
        call_id=use.call_id or f"#{span.unit}",
        time=span.start,
    )
    run.extras.append(item)
    call = _Call(run, item)
    runs.add(call)
    return call


def _end(call: _Call, use: ToolUse) -> None:
    """Mark how a call ended; a result that no request repeats is placed at the span's end."""
    span = use.span
    if call.result is not None:
        call.result.failed = call.result.failed or span.failed
        call.result.time = span.end or call.result.time
        return
    text = use.output if use.output is not None else span.error if span.failed else ""
    call.result = Item(
        kind=BlockKind.RESULT,
        place=use.told,
        unit=span.unit,
        text=text,
        call_id=call.item.call_id,
        failed=span.failed,
        time=max(span.end, call.item.time),
    )
    call.run.extras.append(call.result)


def _merged(items: list[Item], extras: list[Item]) -> list[Item]:
    """The items with others merged in by time, each behind all that came before it."""
    waiting = sorted(extras, key=lambda item: item.time)
    merged: list[Item] = []
    now = at = 0
    for item in items:
        now = max(now, item.time)
        while at < len(waiting) and waiting[at].time < now:
            merged.append(waiting[at])
            at += 1
        merged.append(item)
    return [*merged, *waiting[at:]]
