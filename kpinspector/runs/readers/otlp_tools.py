"""What the spans of tools say of the calls in runs: how they ended, and what no request tells."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kpinspector.runs.readers.otlp_conventions import ToolUse, canonical
from kpinspector.runs.readers.otlp_messages import Item
from kpinspector.runs.readers.otlp_tree import OtlpRun, Tree
from kpinspector.runs.rules import input_of
from kpinspector.runs.run import BlockKind


@dataclass(slots=True)
class _Call:
    """A call of a run, with its result.

    Attributes:
        uses: How many spans of tools are of it.
    """

    run: "_Run"
    item: Item
    result: Item | None = None
    uses: int = 0


@dataclass(slots=True)
class _Run:
    """A run, and what is to be put in between by its time."""

    conversation: OtlpRun
    extras: list[Item] = field(default_factory=list)


class _Calls:
    """The calls within a tool, or within none, by their ids and by their names."""

    def __init__(self) -> None:
        self._by_id: dict[str, list[_Call]] = {}
        self._by_name: dict[str, deque[_Call]] = {}
        self._by_input: dict[tuple[str, str], deque[_Call]] = {}

    def add(self, call: _Call) -> None:
        """Remember a call."""
        self._by_id.setdefault(call.item.call_id, []).append(call)
        tool, arguments = call.item.tool, canonical(input_of(call.item.input))
        self._by_name.setdefault(tool, deque()).append(call)
        self._by_input.setdefault((tool, arguments), deque()).append(call)

    def of(self, use: ToolUse) -> _Call | None:
        """The call that a span ran: by its id, else by its name and what it was called with.

        Where two instruments wrote a span each, the second is of the same call.
        """
        if use.call_id:
            found = self._by_id.get(use.call_id, [])
            return next((one for one in found if not one.uses), found[-1] if found else None)
        exact = self._by_input.get((use.name, use.arguments), deque())
        return _first_unused(exact) or _first_unused(self._by_name.get(use.name, deque()))


def _first_unused(calls: deque[_Call]) -> _Call | None:
    while calls and calls[0].uses:
        calls.popleft()
    return calls[0] if calls else None


def add_tools(tree: Tree, conversations: Sequence[OtlpRun], uses: Iterable[ToolUse]) -> None:
    """Say in the runs how calls ended, and what no request tells of them."""
    runs: dict[str, list[_Run]] = {}
    calls: dict[str, _Calls] = {}
    for conversation in conversations:
        run = _Run(conversation)
        runs.setdefault(conversation.scope, []).append(run)
        for call in _paired(run):
            calls.setdefault(conversation.scope, _Calls()).add(call)
    for use in sorted(uses, key=lambda use: (use.span.start, use.span.unit)):
        scope = tree.scope(use.span)
        within = calls.setdefault(scope, _Calls())
        found = within.of(use) or _untold(runs.get(scope, []), within, use)
        if found is not None:
            found.uses += 1
            _end(found, use)
    for within_scope in runs.values():
        for run in within_scope:
            run.conversation.items = _merged(run.conversation.items, run.extras)


def _paired(run: _Run) -> list[_Call]:
    """The calls of a run, each result with its own; where ids differ or lack, by their order."""
    calls: list[_Call] = []
    waiting: dict[str, list[_Call]] = {}
    for number, item in enumerate(run.conversation.items):
        if item.kind is BlockKind.CALL:
            item.call_id = item.call_id or f"#{number}"
            calls.append(_Call(run, item))
            waiting.setdefault(item.call_id, []).append(calls[-1])
        elif item.kind is BlockKind.RESULT:
            own = waiting.get(item.call_id)
            call = own.pop() if own else _next_of_answer(calls)
            if call is not None and call.result is None:
                item.call_id, call.result = call.item.call_id, item
    return calls


def _next_of_answer(calls: list[_Call]) -> _Call | None:
    """The first call of the last answer that has no result."""
    found = None
    for call in reversed(calls):
        if call.item.answer != calls[-1].item.answer:
            break
        found = found if call.result else call
    return found


def _untold(runs: list[_Run], calls: _Calls, use: ToolUse) -> _Call | None:
    """A call that no request tells, for want of content: in the first run that it can be of."""
    session = use.span.session
    fitting = (r for r in runs if not session or r.conversation.session in (session, ""))
    run = next(fitting, None)
    if run is None:
        return None
    span = use.span
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
    calls.add(call)
    return call


def _end(call: _Call, use: ToolUse) -> None:
    """Say how a call ended; where no request tells its result, it stands at the span's end."""
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
    """Items with what stands between them by its time, behind all that was said until then."""
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
