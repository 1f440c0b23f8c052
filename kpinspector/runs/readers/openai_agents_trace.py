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
        self._lines: list[Spot] = []

    @override
    def take(self, record: Record) -> None:
        self._lines.append(Spot.of(record))

    @override
    def recording(self) -> Recording:
        counting, runs = Reader(), dict[tuple[str, str], _Run]()
        spans = [one for one in self._lines if one.get("object") == _SPAN]
        for line in self._lines:
            if line.get("object") != _SPAN:
                is_trace = line.get("object") == "trace"
                counting.counted((), DropName.HEADER if is_trace else DropName.NO_SPAN)
        by_id = {span.text("id"): span for span in spans}
        for span in sorted(spans, key=lambda span: span.text("started_at")):
            session, key = span.text("trace_id"), _function_above(span, by_id)
            made = runs.setdefault((session, key), _Run(run_of(key, (), session)))
            _add(made, span, counting)
        for made in runs.values():
            made.end_answer()
        found = tuple(replace(one.run, blocks=tuple(one.blocks)) for one in runs.values())
        return replace(counting.recording(), runs=found)


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
