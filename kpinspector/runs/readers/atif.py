"""ATIF, the Agent Trajectory Interchange Format: a document for each trajectory."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.reader import Format, Reader, Spot, by_object, joined_text
from kpinspector.runs.run import AgentRun, Block, BlockKind, DropName, Record
from kpinspector.runs.texts import object_of, objects_of, text_of
from kpinspector.trace.javascript import JsonObject

_SOURCES: Final = ("user", "agent")


def _lacks(document: JsonObject) -> str | None:
    if text_of(document, "schema_version").startswith("ATIF-v"):
        return "" if "steps" in document else "steps"
    is_near = "name" in object_of(document, "agent") and any(
        one.get("source") in _SOURCES and {"step_id", "message"} <= one.keys()
        for one in objects_of(document, "steps")
    )
    return "schema_version" if is_near else None


class _Reader(Reader):
    unit = "recorded steps"

    @override
    def take(self, record: Record) -> None:
        document = Spot.of(record)
        self.version = self.version or document.text("schema_version")
        self._take_trajectory(document, "", "")

    def _take_trajectory(self, document: Spot, session: str, number: str) -> None:
        session = document.text("session_id") or session
        key = document.text("trajectory_id") or number
        self.runs.append(
            AgentRun(
                blocks=self._blocks(document),
                session=session,
                key=key,
                name=Phrase("sub-agent {key}", key=key) if number else "",
                is_sub_agent=bool(number),
                chunk=document.chunk,
            )
        )
        for index, agent in enumerate(document.each("subagent_trajectories"), 1):
            inner = f"{number}.{index}" if number else str(index)
            self._take_trajectory(agent, session, inner)

    def _blocks(self, document: Spot) -> tuple[Block, ...]:
        """The blocks of a trajectory; without a prompt of its own they begin with a copied one."""
        blocks: list[Block] = []
        copied: list[Block] = []
        for index, one in enumerate(document.each("steps")):
            step = replace(one, answer=str(index), at=one.text("timestamp"), unit=index + 1)
            found = list(_blocks_of(step))
            if step.get("is_copied_context") is True:
                copied += (block for block in found if block.kind is BlockKind.PROMPT)
                self.counted((), DropName.COPIED_CONTEXT)
            else:
                blocks += self.counted(found, _why_nothing(step))
        if copied and not any(block.kind is BlockKind.PROMPT for block in blocks):
            self.dropped -= Counter({DropName.COPIED_CONTEXT: 1})
            blocks.insert(0, copied[0])
        return tuple(blocks)


def _why_nothing(step: Spot) -> str:
    source = step.text("source")
    if source in _SOURCES:
        return DropName.EMPTY
    return DropName.of_role(source) if source else DropName.NO_SOURCE


def _blocks_of(step: Spot) -> Iterator[Block]:
    """The blocks of a step: reasoning, text, calls, then results; none for the system's steps."""
    source, message = step.get("source"), step.inside("message")
    if source not in _SOURCES:
        return
    yield from message.others()
    if source == "agent":
        yield from step.inside("reasoning_content").said(BlockKind.REASONING)
        yield from message.said(BlockKind.TEXT)
        for call in step.each("tool_calls"):
            given, call_id = call.get("arguments"), call.get("tool_call_id")
            yield call.call(call.get("function_name"), given, call_id)
    elif message.texts():
        yield message.block(BlockKind.PROMPT, joined_text(message.value))
    for result in step.each("observation", "results"):
        failed, call_id = result.get("extra", "is_error") is True, result.get("source_call_id")
        yield result.result(result.get("content"), call_id, failed=failed)
        yield from result.media("content")


FORMAT: Final = Format(
    id="atif",
    name="ATIF",
    tested=("1.8",),
    failure="is_error",
    lacks=by_object(_lacks),
    reader=_Reader,
)
