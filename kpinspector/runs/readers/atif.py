"""ATIF, the Agent Trajectory Interchange Format: a document for each trajectory."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import content_text, joined_text, media_in, others_in
from kpinspector.runs.readers.reader import Format, Reader, Spot
from kpinspector.runs.rules import is_spared
from kpinspector.runs.run import (
    AgentRun,
    Block,
    BlockKind,
    DropName,
    Record,
    message_name,
    objects_of,
    text_of,
)
from kpinspector.runs.texts import FileHead
from kpinspector.trace.javascript import JsonObject

_SOURCES: Final = ("user", "agent")


def _missing(head: FileHead) -> str:
    if any(map(_has_version, head.objects)):
        return "steps"
    return "schema_version" if any(map(_has_steps, head.objects)) else ""


def _has_version(document: JsonObject) -> bool:
    return text_of(document, "schema_version").startswith("ATIF-v")


def _has_steps(document: JsonObject) -> bool:
    """Whether the steps have sources and the agent has a name."""
    agent = document.get("agent")
    return (
        isinstance(agent, dict)
        and "name" in agent
        and any(
            one.get("source") in _SOURCES and {"step_id", "message"} <= one.keys()
            for one in objects_of(document, "steps")
        )
    )


class _Reader(Reader):
    """Reads documents of trajectories."""

    unit = "recorded steps"

    @override
    def take(self, record: Record) -> None:
        document = Spot.of(record)
        self.version = self.version or document.text("schema_version")
        self._take_trajectory(document, "", "")

    def _take_trajectory(self, document: Spot, session: str, number: str) -> None:
        """Add a run for a trajectory and each of its sub-agents; a missing id is a number."""
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
        """The blocks of a trajectory; where it has no prompt of its own, one that was copied."""
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
    return message_name(source) if source else DropName.NO_SOURCE


def _blocks_of(step: Spot) -> Iterator[Block]:
    """The blocks of a step: reasoning, text, calls, then results; none for the system's steps."""
    source, message = step.get("source"), step.inside("message")
    if source not in _SOURCES:
        return
    yield from step.others(others_in(message.value))
    if source == "agent":
        yield from step.inside("reasoning_content").said(BlockKind.REASONING)
        yield from message.said(BlockKind.TEXT)
        for call in step.each("tool_calls"):
            given, call_id = call.get("arguments"), call.get("tool_call_id")
            yield call.call(call.get("function_name"), given, call_id)
    elif message.texts():
        yield message.block(BlockKind.PROMPT, joined_text(message.value))
    for result in step.each("observation", "results"):
        content = result.get("content")
        text, failed = content_text(content), result.get("extra", "is_error") is True
        spared = failed and is_spared(text)
        yield result.result(text, result.get("source_call_id"), failed=failed, spared=spared)
        yield from result.others(media_in(content))


FORMAT: Final = Format(
    id="atif",
    name="ATIF",
    tested=("1.8",),
    failure="is_error",
    recognise=lambda head: any(_has_version(one) and "steps" in one for one in head.objects),
    missing=_missing,
    reader=_Reader,
)
