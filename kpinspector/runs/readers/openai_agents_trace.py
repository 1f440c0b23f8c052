"""Traces that the OpenAI Agents SDK exports: lines of spans, in the order in which they ended."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.message import blocks_of, role_of
from kpinspector.runs.readers.reader import Format, Reader, Spot, by_object, run_of
from kpinspector.runs.run import AgentRun, Block, BlockKind, DropName, Record, Recording
from kpinspector.runs.texts import object_of

_SPAN: Final = "trace.span"
_DATA: Final = "span_data"


@dataclass(slots=True)
class _Run:
    """What is known of a run; its functions are those since its last answer."""

    run: AgentRun
    blocks: list[Block] = field(default_factory=list)
    answer: str = ""
    asked: list[Block] = field(default_factory=list)
    calls: list[Block] = field(default_factory=list)
    results: list[Block] = field(default_factory=list)

    def answered(self, span: Spot) -> Iterator[Block]:
        """The blocks of the next answer; calls that have no span follow with the functions."""
        self.end_answer()
        is_first, self.answer = not self.answer, span.text("id")
        span.answer, span.at = self.answer, span.text("started_at")
        for message in span.each(_DATA, "input") if is_first else ():
            if role_of(object_of(message.value)) == "user":
                yield from blocks_of(message)
        for message in span.each(_DATA, "output"):
            for block in blocks_of(message):
                if block.kind is BlockKind.CALL:
                    self.asked.append(block)
                yield block

    def called(self, span: Spot) -> list[Block]:
        """The call and the result of a function."""
        span.answer, span.at, call_id = self.answer, span.text("started_at"), span.get("id")
        data, fault = span.inside(_DATA), object_of(span.get("error"))
        call = data.call(data.get("name"), data.get("input"), call_id)
        said = data.get("output")
        data.at, hidden = span.text("ended_at"), said is None and not fault
        said = fault.get("message") if said is None else said
        result = data.result(said, call_id, failed=bool(fault), hidden=hidden)
        self.calls.append(call)
        self.results.append(result)
        asked = next((one for one in self.asked if one.tool == call.tool), None)
        if asked is not None:
            self.asked.remove(asked)
        return [call, result]

    def end_answer(self) -> None:
        """Put the functions of the last answer behind it: all calls, then their results."""
        self.blocks += [*self.asked, *self.calls, *self.results]
        self.asked, self.calls, self.results = [], [], []


class _Reader(Reader):
    def __init__(self) -> None:
        super().__init__()
        self._spans: dict[str, list[Spot]] = {}
        self._made: dict[str, Reader] = {}

    @override
    def take(self, record: Record) -> None:
        line = Spot.of(record)
        kind, trace = line.get("object"), line.text("trace_id")
        if kind == _SPAN:
            self._spans.setdefault(trace, []).append(line)
            self._made.pop(trace, None)
        else:
            self.counted((), DropName.HEADER if kind == "trace" else DropName.NO_SPAN)

    @override
    def recording(self) -> Recording:
        for trace, spans in self._spans.items():
            if trace not in self._made:  # new or grown since the last call
                self._made[trace] = _made_of(trace, spans)
        traces = sorted(self._spans, key=lambda trace: self._spans[trace][0].text("started_at"))
        made = [self._made[trace] for trace in traces]
        runs = tuple(run for one in made for run in one.runs)
        total = self.total + sum(one.total for one in made)
        dropped = dict(sum((one.dropped for one in made), self.dropped))
        return replace(super().recording(), runs=runs, total=total, dropped=dropped)


def _made_of(trace: str, spans: list[Spot]) -> Reader:
    """What the spans of a trace make, in the order in which they began."""
    made, runs = Reader(), dict[str, _Run]()
    spans.sort(key=lambda span: span.text("started_at"))
    by_id = {span.text("id"): span for span in spans}
    for span in spans:
        key = _function_above(span, by_id)
        _add(runs.setdefault(key, _Run(run_of(key, (), trace))), span, made)
    for one in runs.values():
        one.end_answer()
        made.runs.append(replace(one.run, blocks=tuple(one.blocks)))
    return made


def _add(made: _Run, span: Spot, counting: Reader) -> None:
    kind, blocks = span.text(_DATA, "type"), list[Block]()
    why = DropName.AGENT_SPAN if kind == "agent" else DropName.OTHER_SPAN
    if kind == "function":
        blocks = made.called(span)
    elif kind in ("generation", "response"):
        blocks, why = list(made.answered(span)), DropName.EMPTY
        made.blocks += (one for one in blocks if one.kind is not BlockKind.CALL)
        if not (span.get(_DATA, "input") or span.get(_DATA, "output")):
            made.run, why = replace(made.run, content_recorded=False), DropName.NOT_RECORDED
    counting.counted(blocks, why)


def _function_above(span: Spot, by_id: dict[str, Spot]) -> str:
    """The id of the function below which a span stands; "" if it stands below none."""
    above, seen = by_id.get(span.text("parent_id")), set[str]()
    while above is not None and above.text("id") not in seen:
        if above.get(_DATA, "type") == "function":
            return above.text("id")
        seen.add(above.text("id"))
        above = by_id.get(above.text("parent_id"))
    return ""


FORMAT: Final = Format(
    id="openai-agents-trace",
    name="OpenAI Agents SDK trace",
    tested=("0.24.0",),
    failure=Phrase("the error of its span"),
    lacks=by_object(lambda line: "" if line.get("object") == _SPAN and _DATA in line else None),
    reader=_Reader,
)
