"""ATIF, the Agent Trajectory Interchange Format: a document for each trajectory."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import (
    content_text,
    joined_text,
    media_in,
    others_in,
    texts_in,
)
from kpinspector.runs.readers.reader import Format, Reader, Spot
from kpinspector.runs.rules import is_spared
from kpinspector.runs.run import (
    AgentRun,
    Block,
    BlockKind,
    DropName,
    Record,
    list_of,
    message_name,
    object_of,
    text_of,
)
from kpinspector.runs.texts import FileHead
from kpinspector.trace.model import JsonObject

_AGENTS: Final = "subagent_trajectories"
_SOURCES: Final = ("user", "agent")


def _recognise(head: FileHead) -> bool:
    """Whether a document has the version of the schema and the steps of a trajectory."""
    return any(_has_version(one) and "steps" in one for one in head.objects)


def _missing(head: FileHead) -> str:
    if any(map(_has_version, head.objects)):
        return "steps"
    return "schema_version" if any(map(_has_steps, head.objects)) else ""


def _has_version(document: JsonObject) -> bool:
    return text_of(document.get("schema_version")).startswith("ATIF-v")


def _has_steps(document: JsonObject) -> bool:
    """Whether the steps have sources and the agent has a name."""
    steps = [object_of(one) for one in list_of(document.get("steps"))]
    named = "name" in object_of(document.get("agent"))
    return named and any(
        one.get("source") in _SOURCES and {"step_id", "message"} <= one.keys() for one in steps
    )


class _Reader(Reader):
    """Reads documents of trajectories."""

    unit = "recorded steps"

    @override
    def take(self, record: Record) -> None:
        document = object_of(record.value)
        self.version = self.version or text_of(document.get("schema_version"))
        self._take_trajectory(document, Spot(record.chunk), "", "")

    def _take_trajectory(self, document: JsonObject, spot: Spot, session: str, number: str) -> None:
        """Add a run for a trajectory and each of its sub-agents; a missing id is a number."""
        session = text_of(document.get("session_id")) or session
        key = text_of(document.get("trajectory_id")) or number
        self.runs.append(
            AgentRun(
                blocks=self._blocks(document, spot),
                session=session,
                key=key,
                name=Phrase("sub-agent {key}", key=key) if number else "",
                is_sub_agent=bool(number),
                chunk=spot.chunk,
            )
        )
        for index, agent in enumerate(list_of(document.get(_AGENTS))):
            inner = f"{number}.{index + 1}" if number else str(index + 1)
            self._take_trajectory(object_of(agent), spot.inside(_AGENTS, index), session, inner)

    def _blocks(self, document: JsonObject, spot: Spot) -> tuple[Block, ...]:
        """The blocks of a trajectory; where it has no prompt of its own, one that was copied."""
        blocks: list[Block] = []
        copied: list[Block] = []
        for index, step in enumerate(map(object_of, list_of(document.get("steps")))):
            where = spot.inside("steps", index)
            where = replace(
                where, answer=str(index), at=text_of(step.get("timestamp")), unit=index + 1
            )
            found = list(_blocks_of(step, where))
            if step.get("is_copied_context") is True:
                copied += (block for block in found if block.kind is BlockKind.PROMPT)
                self.counted((), DropName.COPIED_CONTEXT)
            else:
                blocks += self.counted(found, _why_nothing(step))
        if copied and not any(block.kind is BlockKind.PROMPT for block in blocks):
            self.dropped -= Counter({DropName.COPIED_CONTEXT: 1})
            blocks.insert(0, copied[0])
        return tuple(blocks)


def _why_nothing(step: JsonObject) -> str:
    source = text_of(step.get("source"))
    if source in _SOURCES:
        return DropName.EMPTY
    return message_name(source) if source else DropName.NO_SOURCE


def _blocks_of(step: JsonObject, spot: Spot) -> Iterator[Block]:
    """The blocks of a step: reasoning, text, calls, then results; none for the system's steps."""
    source, message = step.get("source"), step.get("message")
    if source not in _SOURCES:
        return
    yield from spot.others(others_in(message))
    if source == "user":
        if texts_in(message):
            yield spot.inside("message").block(BlockKind.PROMPT, joined_text(message))
    else:
        reasoning = texts_in(step.get("reasoning_content"), ("reasoning_content",))
        yield from spot.said(BlockKind.REASONING, reasoning)
        yield from spot.said(BlockKind.TEXT, texts_in(message, ("message",)))
        for index, call in enumerate(map(object_of, list_of(step.get("tool_calls")))):
            where = spot.inside("tool_calls", index)
            given, call_id = call.get("arguments"), call.get("tool_call_id")
            yield where.call(call.get("function_name"), given, call_id)
    results = list_of(object_of(step.get("observation")).get("results"))
    for index, result in enumerate(map(object_of, results)):
        where = spot.inside("observation", "results", index)
        text = content_text(result.get("content"))
        failed = object_of(result.get("extra")).get("is_error") is True
        spared = failed and is_spared(text)
        yield where.result(text, result.get("source_call_id"), failed=failed, spared=spared)
        yield from spot.others(media_in(result.get("content")))


FORMAT: Final = Format(
    id="atif",
    name="ATIF",
    tested=("1.8",),
    failure="is_error",
    recognise=_recognise,
    missing=_missing,
    reader=_Reader,
)
