"""The rules by which a run becomes a reasoning trace; fixed, so that a run always scores the same.

Nothing is invented: confidence and success stay unknown until the user states them, and only
``completed`` fills in whatever else the schema requires.
"""

import hashlib
import re
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from kpinspector.phrase import Phrase
from kpinspector.runs.run import AgentRun, Block, BlockKind, BlockPlace, Chunk
from kpinspector.trace.broken import MAX_DEPTH
from kpinspector.trace.bytes import encoded, parse
from kpinspector.trace.javascript import JsonValue, set_key
from kpinspector.trace.model import Step, StepType
from kpinspector.trace.schema import CONTEXT

Members: TypeAlias = dict[str, JsonValue]
"""The members of a JSON object."""

NOT_RECORDED: Final = "(not recorded)"
INTERRUPTED: Final = "[Request interrupted by user"
NO_TIME: Final = "1970-01-01T00:00:00Z"
UNKNOWN_DOMAIN: Final = "general"

_NAMESPACE: Final = uuid.uuid5(uuid.NAMESPACE_URL, "kp:trace")
# texts of failed results from which no recovery is derived: refusal, interruption, time-out
_REFUSED: Final = ("The user doesn't want to proceed", "Claude requested permissions")
_TIMED_OUT = re.compile(r"Exit code 143\n.*Command timed out", re.DOTALL)
_DEEPEST_INPUT: Final = MAX_DEPTH - 3  # it is inside a step, the list of steps and the trace
_SAID: Final = (BlockKind.PROMPT, BlockKind.TEXT, BlockKind.REASONING)


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """How a run ended; ``confidence`` is 0 to 1. None: neither recorded nor stated."""

    confidence: float | None = None
    success: bool | None = None

    @property
    def is_known(self) -> bool:
        """Whether both confidence and success are known."""
        return self.confidence is not None and self.success is not None

    def over(self, other: "RunOutcome") -> "RunOutcome":
        """This outcome, with unknown values taken from another outcome."""
        return RunOutcome(
            other.confidence if self.confidence is None else self.confidence,
            other.success if self.success is None else self.success,
        )


NO_OUTCOME: Final = RunOutcome()


@dataclass(frozen=True, slots=True)
class SuccessScore:
    """The value of a recorded score that means success; any other value means failure."""

    name: str
    value: str

    def success(self, scores: Mapping[str, str]) -> bool | None:
        """Success by a run's scores, compared as text or number; None if it lacks this score."""
        value = scores.get(self.name)
        if value is None or value == self.value:
            return None if value is None else True
        try:
            return float(value) == float(self.value)
        except ValueError:
            return False


@dataclass(frozen=True, slots=True)
class Mapped:
    """A run as a trace; None stands for what is not recorded.

    Attributes:
        prompt: The place of the objective in the recording.
        places: The places of the steps.
        failed: The indexes of the results that the source marks as failed.
        recovered: The index of each derived recovery, with the indexes of the failed results that
            it recovers from.
        result_summary: The last text.
        answered: The index of each result whose call is recorded, with the index of the call.
        unanswered: How many calls have no result.
    """

    id: str
    objective: str | None
    prompt: BlockPlace | None
    steps: tuple[Step, ...]
    places: tuple[BlockPlace, ...]
    failed: frozenset[int]
    recovered: Mapping[int, tuple[int, ...]]
    created_at: str | None
    result_summary: str | None
    answered: Mapping[int, int]
    unanswered: int
    prompts: int
    has_reasoning: bool

    @property
    def derived(self) -> frozenset[int]:
        """The indexes of the derived recoveries."""
        return frozenset(self.recovered)


def trace_id(form: str, session: str, key: str) -> str:
    """The id of a run's trace, from these three alone, so that every reading gives the same."""
    return f"kp:trace:{uuid.uuid5(_NAMESPACE, chr(0).join((form, session, key)))}"


def session_of(run: AgentRun, data: bytes) -> str:
    """The recorded session, else the sha256 of the record's bytes."""
    if run.session:
        return run.session
    chunk = run.chunk or Chunk(1, 0, len(data))
    return hashlib.sha256(data[chunk.start : chunk.end]).hexdigest()


class Mapper:
    """Maps a run to steps block by block; a growing run only needs its new blocks added.

    Text and reasoning are thoughts, calls are tool calls, results and later prompts observations.
    """

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._places: list[BlockPlace] = []
        self._all_failed: set[int] = set()
        self._unrecovered: list[int] = []
        self._recovered: dict[int, tuple[int, ...]] = {}
        self._answers: dict[str, str] = {}
        self._failed: set[str] | None = None
        self._objective: str | None = None
        self._prompt: BlockPlace | None = None
        self._summary: str | None = None
        self._first: datetime | None = None
        self._open: dict[str, int] = {}
        self._answered: dict[int, int] = {}
        self._prompts = 0
        self._has_reasoning = False

    def add(self, block: Block) -> None:
        """Take the next block."""
        with suppress(ValueError, OverflowError):  # without a time, or with an invalid one
            moment = datetime.fromisoformat(block.at)
            moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
            self._first = min(self._first or moment, moment)
        if block.kind in _SAID and not block.text.strip():
            return
        self._note_kind(block)
        match block.kind:
            case BlockKind.PROMPT if self._objective is None:
                self._objective, self._prompt = block.text, block.place
            case BlockKind.CALL:
                self._answers[block.call_id] = block.answer
                self._act(StepType.TOOL_CALL, block)
            case BlockKind.TEXT | BlockKind.REASONING:
                self._summary = block.text if block.kind is BlockKind.TEXT else self._summary
                self._act(StepType.THOUGHT, block)
            case _:
                if block.failed:
                    self._all_failed.add(len(self._steps))
                if block.failed and not block.spared:
                    self._unrecovered.append(len(self._steps))
                    self._failed = (self._failed or set()) | {self._answers.get(block.call_id, "")}
                self._add(StepType.OBSERVATION, block)

    def mapped(self, trace_id: str) -> Mapped:
        """The trace of the blocks so far."""
        first = None if self._first is None else self._first.isoformat(timespec="milliseconds")
        return Mapped(
            id=trace_id,
            objective=self._objective,
            prompt=self._prompt,
            steps=tuple(self._steps),
            places=tuple(self._places),
            failed=frozenset(self._all_failed),
            recovered=dict(self._recovered),
            created_at=first and first.replace("+00:00", "Z"),
            result_summary=self._summary,
            answered=dict(self._answered),
            unanswered=len(self._open),
            prompts=self._prompts,
            has_reasoning=self._has_reasoning,
        )

    def _note_kind(self, block: Block) -> None:
        self._prompts += block.kind is BlockKind.PROMPT
        self._has_reasoning |= block.kind is BlockKind.REASONING
        if not block.call_id:
            return
        if block.kind is BlockKind.CALL:
            self._open[block.call_id] = len(self._steps)
        elif block.kind is BlockKind.RESULT and block.call_id in self._open:
            self._answered[len(self._steps)] = self._open.pop(block.call_id)

    def _act(self, kind: StepType, block: Block) -> None:
        """Add a thought or call; the first of a new answer after a failure is an error recovery."""
        same_answer = block.answer and block.answer in (self._failed or ())
        if self._failed is not None and not same_answer:
            kind, self._failed = StepType.ERROR_RECOVERY, None
            self._recovered[len(self._steps)] = tuple(self._unrecovered)
            self._unrecovered.clear()
        self._add(kind, block)

    def _add(self, kind: StepType, block: Block) -> None:
        index, is_call = len(self._steps), block.kind is BlockKind.CALL
        raw: Members = {"step_id": index, "type": str(kind)}
        if is_call:
            raw |= {"tool": {"name": block.tool}, "input": input_of(block.input)}
        else:
            raw["content"] = block.text
        self._steps.append(
            Step(
                index=index,
                kind=kind,
                type_key=set_key(str(kind)),
                content="" if is_call else block.text,
                tool_key=set_key(block.tool) if is_call else None,
                value=raw,
            )
        )
        self._places.append(block.place)


def mapped(form: str, run: AgentRun, session: str) -> Mapped:
    """The trace of a run."""
    mapper = Mapper()
    for block in run.blocks:
        mapper.add(block)
    return mapper.mapped(trace_id(form, session, run.key))


def input_of(value: JsonValue) -> Members:
    """The input of a call as an object: JSON texts are parsed, other values go under ``value``.

    A missing input becomes an empty object; one nested deeper than a trace may be becomes a text.
    """
    if isinstance(value, str):
        parsed = parse(value.encode())
        if parsed is None or _is_too_deep(parsed.value):
            return {"value": value} if value else {}
        value = parsed.value
    elif _is_too_deep(value):
        return {"value": as_content(value)}
    if isinstance(value, dict):
        return value
    return {} if value is None else {"value": value}


def _is_too_deep(value: JsonValue) -> bool:
    within: list[Any] = [value] if isinstance(value, dict) else [[value]]
    for _ in range(_DEEPEST_INPUT):
        members = (one.values() if isinstance(one, dict) else one for one in within)
        within = [one for found in members for one in found if isinstance(one, (dict, list))]
        if not within:
            return False
    return True


def is_spared(text: str) -> bool:
    """Whether a failed result's text reports a refusal, an interruption or a time-out."""
    return text.startswith((*_REFUSED, INTERRUPTED)) or _TIMED_OUT.match(text) is not None


def as_content(value: JsonValue) -> str:
    """A JSON value as text: compact, keys in their order, not escaped."""
    if isinstance(value, str):
        return value
    return encoded(value, compact=True)


def split_prompts(run: AgentRun) -> tuple[AgentRun, ...]:
    """A run for each prompt of a session, with the blocks up to the next prompt."""
    prompts = (at for at, one in enumerate(run.blocks) if one.kind is BlockKind.PROMPT)
    starts = [at for at in prompts if run.blocks[at].text.strip()]
    if len(starts) < 2:  # noqa: PLR2004 - nothing to split
        return (run,)
    starts[0] = 0
    ends = [*starts[1:], len(run.blocks)]
    return tuple(
        replace(
            run,
            blocks=run.blocks[start:end],
            key=f"{run.key}:{number}" if run.key else str(number),
            name=Phrase("{name} prompt {number}", name=run.name, number=number)
            if run.name
            else Phrase("prompt {number}", number=number),
        )
        for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1)
    )


def bare(trace: Mapped, domain: str | None, outcome: RunOutcome) -> Members:
    """The trace with only what is recorded, stated or chosen."""
    metadata: Members = {
        "created_at": trace.created_at,
        "task_domain": domain,
        "success": outcome.success,
    }
    ending: Members = {"result_summary": trace.result_summary, "confidence": outcome.confidence}
    return {
        "@context": CONTEXT,
        "@type": "ReasoningTrace",
        "id": trace.id,
        "metadata": {name: value for name, value in metadata.items() if value is not None},
        "task": {} if trace.objective is None else {"objective": trace.objective},
        "steps": [step.value for step in trace.steps],
        "outcome": {name: value for name, value in ending.items() if value is not None},
    }


def completed(
    trace: Mapped,
    domain: str | None,
    outcome: RunOutcome,
    visibility: str = "private",
    privacy: str = "aggregated",
) -> Members:
    """The trace with everything that the schema requires; ``outcome`` must be known."""
    whole = replace(
        trace,
        created_at=trace.created_at or NO_TIME,
        objective=trace.objective or NOT_RECORDED,
        result_summary=trace.result_summary or "",
    )
    made: dict[str, Any] = bare(whole, domain or UNKNOWN_DOMAIN, outcome)
    more = {"quality_score": 0, "visibility": visibility, "privacy_level": privacy}
    return {**made, "metadata": {**made["metadata"], **more}}
