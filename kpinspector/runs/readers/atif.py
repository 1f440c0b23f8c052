"""ATIF, the Agent Trajectory Interchange Format: a document for each trajectory."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import (
    content_text,
    joined_text,
    media_in,
    others_in,
    texts_in,
)
from kpinspector.runs.readers.message import Spot
from kpinspector.runs.rules import is_spared
from kpinspector.runs.run import (
    AgentRun,
    Block,
    BlockKind,
    DropName,
    Format,
    Record,
    Recording,
    list_of,
    message_name,
    object_of,
    text_of,
)
from kpinspector.runs.texts import FileHead
from kpinspector.trace.model import JsonObject, JsonValue

_VERSION: Final = "ATIF-v"
_AGENTS: Final = "subagent_trajectories"
_SOURCES: Final = ("user", "agent")


def recognise(head: FileHead) -> bool:
    """Whether a document has the version of the schema and the steps of a trajectory."""
    return any(_has_version(one) and "steps" in one for one in head.objects)


def missing(head: FileHead) -> str:
    """What a document lacks that is otherwise a trajectory; "" for any other file."""
    if recognise(head):
        return ""
    if any(_has_version(one) for one in head.objects):
        return "steps"
    return "schema_version" if any(_has_steps(one) for one in head.objects) else ""


def _has_version(document: JsonObject) -> bool:
    return text_of(document.get("schema_version")).startswith(_VERSION)


def _has_steps(document: JsonObject) -> bool:
    """Whether the steps have sources and the agent has a name."""
    steps = [object_of(one) for one in list_of(document.get("steps"))]
    named = "name" in object_of(document.get("agent"))
    return named and any(
        one.get("source") in _SOURCES and {"step_id", "message"} <= one.keys() for one in steps
    )


@dataclass(slots=True)
class _Steps:
    """Collects the blocks of one trajectory, step by step.

    Attributes:
        prompt: The block of the first prompt that was copied from another trajectory.
    """

    blocks: list[Block] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    prompt: Block | None = None

    def add(self, value: JsonValue, spot: Spot) -> None:
        """Take a step."""
        step = object_of(value)
        found = list(_blocks(step, replace(spot, at=text_of(step.get("timestamp")))))
        if step.get("is_copied_context") is True:
            prompts = [block for block in found if block.kind is BlockKind.PROMPT]
            self.prompt = self.prompt or next(iter(prompts), None)
            self.dropped[DropName.COPIED_CONTEXT] += 1
        elif found:
            self.blocks.extend(found)
        else:
            self.dropped[_why_nothing(step)] += 1

    def finish(self) -> tuple[Block, ...]:
        """All blocks; the copied prompt comes first where the trajectory has none of its own."""
        if self.prompt is None or any(block.kind is BlockKind.PROMPT for block in self.blocks):
            return tuple(self.blocks)
        self.dropped -= Counter({DropName.COPIED_CONTEXT: 1})
        return (self.prompt, *self.blocks)


class Reader:
    """Reads documents of trajectories."""

    def __init__(self) -> None:
        self._runs: list[AgentRun] = []
        self._dropped: Counter[str] = Counter()
        self._total = 0
        self._version = ""

    def take(self, record: Record) -> None:
        """Take a document: its trajectory and those of sub-agents within it."""
        document = object_of(record.value)
        self._version = self._version or text_of(document.get("schema_version"))
        self._take_trajectory(document, Spot(record.chunk), "", "")

    def recording(self) -> Recording:
        """The recording as far as it was taken."""
        return Recording(
            format=Format.ATIF,
            runs=tuple(self._runs),
            version=self._version,
            unit="recorded steps",
            total=self._total,
            dropped=dict(self._dropped),
        )

    def _take_trajectory(self, document: JsonObject, spot: Spot, session: str, number: str) -> None:
        """Add a run for a trajectory and each of its sub-agents; a missing id is a number."""
        session = text_of(document.get("session_id")) or session
        own = text_of(document.get("trajectory_id"))
        key = own or number
        made = _Steps()
        steps = list_of(document.get("steps"))
        for index, step in enumerate(steps):
            made.add(step, replace(spot.inside("steps", index), answer=str(index), unit=index + 1))
        self._runs.append(
            AgentRun(
                blocks=made.finish(),
                session=session,
                key=key,
                name=Phrase("sub-agent {key}", key=key) if number else "",
                is_sub_agent=bool(number),
                chunk=spot.chunk,
            )
        )
        self._total += len(steps)
        self._dropped += made.dropped
        for index, agent in enumerate(list_of(document.get(_AGENTS))):
            inner = f"{number}.{index + 1}" if number else str(index + 1)
            self._take_trajectory(object_of(agent), spot.inside(_AGENTS, index), session, inner)


def _why_nothing(step: JsonObject) -> str:
    """The name under which a step without blocks is counted."""
    source = text_of(step.get("source"))
    if source in _SOURCES:
        return DropName.EMPTY
    return message_name(source) if source else DropName.NO_SOURCE


def _blocks(step: JsonObject, spot: Spot) -> Iterator[Block]:
    """The blocks of a step: reasoning, text, calls, then results; none for the system's steps."""
    source, message = step.get("source"), step.get("message")
    yield from spot.others(others_in(message) if source in _SOURCES else ())
    if source == "user":
        if texts_in(message):
            yield spot.inside("message").block(BlockKind.PROMPT, joined_text(message))
        yield from _results(step, spot)
    elif source == "agent":
        for path, text in texts_in(step.get("reasoning_content"), ("reasoning_content",)):
            yield spot.inside(*path).block(BlockKind.REASONING, text)
        for path, text in texts_in(message, ("message",)):
            yield spot.inside(*path).block(BlockKind.TEXT, text)
        for index, call in enumerate(list_of(step.get("tool_calls"))):
            yield _call(object_of(call), spot.inside("tool_calls", index))
        yield from _results(step, spot)


def _call(call: JsonObject, spot: Spot) -> Block:
    return replace(
        spot.block(BlockKind.CALL),
        tool=text_of(call.get("function_name")),
        input=call.get("arguments"),
        call_id=text_of(call.get("tool_call_id")),
    )


def _results(step: JsonObject, spot: Spot) -> Iterator[Block]:
    for index, value in enumerate(list_of(object_of(step.get("observation")).get("results"))):
        result = object_of(value)
        text = content_text(result.get("content"))
        failed = object_of(result.get("extra")).get("is_error") is True
        yield replace(
            spot.inside("observation", "results", index).block(BlockKind.RESULT, text),
            call_id=text_of(result.get("source_call_id")),
            failed=failed,
            spared=failed and is_spared(text),
        )
        yield from spot.others(media_in(result.get("content")))
