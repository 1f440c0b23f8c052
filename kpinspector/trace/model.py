"""A reasoning trace as the SDK's scorer sees it.

The SDK scores objects it has not validated, so values are kept as JSON gives them and read as
JavaScript reads them. Texts that are shown, hashed or stored have U+FFFD for half a character;
types and tool names are compared before that replacement.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import compress, pairwise, product
from math import isfinite, nan
from typing import Final

from kpinspector.errors import NotScorableError
from kpinspector.phrase import Phrase
from kpinspector.trace import javascript
from kpinspector.trace.bytes import encoded
from kpinspector.trace.javascript import (
    ABSENT,
    JsonObject,
    JsonValue,
    MaybeValue,
    member,
    whole_characters,
)
from kpinspector.trace.printable import quoted, shortened

_LONGEST_NAME: Final = 80
_MANY_RECOVERIES: Final = 3

_NAMES: Final[dict[type, str]] = {
    javascript.Absent: Phrase("nothing"),
    type(None): "null",
    bool: Phrase("a boolean"),
    **dict.fromkeys((int, float), Phrase("a number")),
    str: Phrase("a string"),
    list: Phrase("a list"),
}


class StepType(StrEnum):
    """The four kinds of step that the registry knows."""

    THOUGHT = "thought"
    TOOL_CALL = "tool_call"
    OBSERVATION = "observation"
    ERROR_RECOVERY = "error_recovery"


_STEP_TYPES = {str(kind): kind for kind in StepType}


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    ``kind``: None for an unknown or absent type. ``type_key``: equal for two steps exactly when the
    SDK counts their types as one. ``tool_key``: None when the step has no tool (JavaScript's
    truth); else equal for two steps exactly when the SDK counts their tool names as one.
    """

    index: int
    kind: StepType | None
    type_key: Hashable
    content: str
    tool_key: Hashable | None
    value: JsonValue

    @property
    def raw(self) -> JsonObject:
        """The step's members as read; a step that is no object has none."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def tool_name(self) -> str | None:
        """The tool's name for display: None without a tool, "" for one without a name."""
        if self.tool_key is None:
            return None
        name = member(self.raw.get("tool"), "name")
        if name is None or name is ABSENT:
            return ""
        if isinstance(name, str):
            return whole_characters(name)
        return shortened(whole_characters(encoded(name)), _LONGEST_NAME)


@dataclass(frozen=True, slots=True)
class Metadata:
    """The members of ``metadata`` that are used; None where absent or of another type.

    A ``task_domain`` of another type becomes the text by which the SDK looks up a profile.

    ``success_known``: False where a recording does not say it; ``success`` is then a stand-in.
    """

    task_domain: str | None
    success: bool
    quality_score: float | None
    created_at: str | None
    visibility: str | None
    privacy_level: str | None
    success_known: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """``confidence`` may lie outside 0..1; infinite or NaN only if a rule sets or caps the score.

    ``result_summary`` is None if it is no string.

    ``confidence_known``: False where a recording does not say it; ``confidence`` then stands in.
    """

    confidence: float
    result_summary: str | None
    confidence_known: bool = True


@dataclass(frozen=True, slots=True, weakref_slot=True)
class ReasoningTrace:
    """One agent run that has a text to embed.

    ``text_known``: False where a recording left the texts out, so that there is nothing to embed.
    ``whole``: ``raw`` completed with stand-ins for what a recording does not say but the schema
    requires, perhaps with fewer steps; None where ``raw`` is as it was read.
    """

    id: str | None
    objective: str
    steps: tuple[Step, ...]
    metadata: Metadata
    outcome: Outcome
    raw: JsonObject
    text_known: bool = True
    whole: JsonObject | None = None

    @property
    def text(self) -> str:
        """The text for the embedder: the objective and the contents of steps, joined by spaces."""
        return self.objective + " " + " ".join(step.content for step in self.steps)


def describe(value: MaybeValue) -> str:
    """Name the JSON type of a value for messages, with its article."""
    return _NAMES.get(type(value), Phrase("an object"))


def whole_values(value: JsonValue) -> JsonValue:
    """A copy of a value with whole characters in all its texts."""
    match value:
        case str():
            return whole_characters(value)
        case list():
            return [whole_values(one) for one in value]
        case dict():
            return dict(whole_object(value))
    return value


def whole_object(raw: JsonObject) -> JsonObject:
    """A copy of an object with whole characters in all its names and texts."""
    return {whole_characters(key): whole_values(one) for key, one in raw.items()}


def id_of(raw: JsonObject) -> str | None:
    """The id of a trace; None when it is not a non-empty string."""
    return _text_or_none(dict(raw), "id") or None


def trace_from_json(raw: JsonObject) -> ReasoningTrace:
    """Read a JSON object as the SDK's scorer would.

    Raises:
        NotScorableError: the SDK has no finite score for this object.
    """
    trace, failure = read_trace(raw)
    if failure is not None:
        raise failure
    return trace


def read_trace(raw: JsonObject) -> tuple[ReasoningTrace, NotScorableError | None]:
    """Read a JSON object as the SDK's scorer would; also returns why it has no score, or None.

    The SDK embeds the text before it notices that there is no score, and keeps the vector.

    Raises:
        NotScorableError: it has no text either.
    """
    task, steps = raw.get("task", ABSENT), raw.get("steps", ABSENT)
    if task is None or task is ABSENT:
        raise _thrown("task", Phrase("an object"), task)
    if not isinstance(steps, list):
        raise _thrown("steps", Phrase("a list"), steps)
    objective = _text(member(task, "objective"), "task.objective")
    read_steps = tuple(step_from_json(index, step) for index, step in enumerate(steps))
    outcome, metadata = raw.get("outcome", ABSENT), raw.get("metadata", ABSENT)
    failure = None  # for null, where the SDK would throw, both are read as empty
    for name, value in (("outcome", outcome), ("metadata", metadata)):
        if value is None or value is ABSENT:
            failure = failure or _thrown(name, Phrase("an object"), value)
    confidence, domain = nan, None
    try:
        confidence = javascript.as_number(member(outcome, "confidence"))
        named = member(metadata, "task_domain")
        if named is not None and named is not ABSENT:
            domain = _text(named, "metadata.task_domain")
    except javascript.NoPrimitiveError:
        failure = failure or _no_text("outcome.confidence", member(outcome, "confidence"))
    except NotScorableError as error:
        failure = failure or error
    trace = ReasoningTrace(
        id=id_of(raw),
        objective=objective,
        steps=read_steps,
        metadata=Metadata(
            task_domain=domain,
            success=javascript.truthy(member(metadata, "success")),
            quality_score=finite_number(member(metadata, "quality_score")),
            created_at=_text_or_none(metadata, "created_at"),
            visibility=_text_or_none(metadata, "visibility"),
            privacy_level=_text_or_none(metadata, "privacy_level"),
        ),
        outcome=Outcome(confidence, _text_or_none(outcome, "result_summary")),
        raw=raw,
    )
    return trace, failure or _not_finite(trace)


def _thrown(path: str, expected: str, value: MaybeValue) -> NotScorableError:
    return NotScorableError(path, expected, describe(value))


def _text(value: MaybeValue, path: str) -> str:
    try:
        return whole_characters(javascript.as_text(value))
    except javascript.NoPrimitiveError:
        raise _no_text(path, value) from None


def _no_text(path: str, value: MaybeValue) -> NotScorableError:
    return _thrown(path, Phrase('no object with a member "toString"'), value)


def _not_finite(trace: ReasoningTrace) -> NotScorableError | None:
    """Why a trace's score is not finite; None if it is, perhaps as a rule sets or bounds it."""
    confidence = trace.outcome.confidence
    kinds = [step.kind for step in trace.steps]
    if isfinite(confidence) or kinds == [StepType.THOUGHT]:
        return None
    recoveries = kinds.count(StepType.ERROR_RECOVERY)
    if confidence > 0 and trace.metadata.success and recoveries >= _MANY_RECOVERIES:
        return None
    tools = {step.tool_key for step in trace.steps} - {None}
    if confidence < 0 and len(tools) == 1:
        return None
    outcome = trace.raw.get("outcome")
    number = nan if trace.metadata.task_domain in javascript.OBJECT_MEMBERS else confidence
    score = Phrase("the SDK's score is {number}", number=javascript.number_text(number))
    if not isinstance(outcome, dict):
        return NotScorableError("outcome", Phrase("an object"), shown_value(outcome), score)
    found = shown_value(member(outcome, "confidence"))
    return NotScorableError("outcome.confidence", Phrase("a finite number"), found, score)


def shown_value(value: MaybeValue) -> str:
    """A value for messages: a text or a number as it stands; anything else by its type."""
    match value:
        case str():
            return quoted(value)
        case bool() | None:
            return javascript.as_text(value)
        case int() | float():
            return javascript.number_text(javascript.as_double(value))
    return describe(value)


def finite_number(value: MaybeValue) -> float | None:
    """The double that JavaScript holds for a finite JSON number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    number = javascript.as_double(value)
    return number if isfinite(number) else None


def _text_or_none(parent: MaybeValue, name: str) -> str | None:
    value = member(parent, name)
    return whole_characters(value) if isinstance(value, str) else None


def step_from_json(index: int, raw: JsonValue) -> Step:
    """Read one step as the SDK's scorer would.

    Raises:
        NotScorableError: it is null, or there is no text of its content.
    """
    if raw is None:
        raise _thrown(f"steps.{index}", Phrase("an object"), raw)
    content, kind, tool = member(raw, "content"), member(raw, "type"), member(raw, "tool")
    if content is None or content is ABSENT:
        content = ""
    return Step(
        index=index,
        kind=_STEP_TYPES.get(kind) if isinstance(kind, str) else None,
        type_key=javascript.set_key(kind),
        content=_text(content, f"steps.{index}.content"),
        tool_key=javascript.set_key(member(tool, "name")) if javascript.truthy(tool) else None,
        value=raw,
    )


_CALL_AND_RESULT = (StepType.TOOL_CALL, StepType.OBSERVATION)


class Mark(StrEnum):
    """What a step adds to a dimension that no earlier step has added."""

    NEW_TYPE = "new_type"
    FIRST_TOOL = "first_tool"
    RECOVERY = "recovery"


_MARKS = {given: frozenset(compress(Mark, given)) for given in product((False, True), repeat=3)}


def hanging(steps: Sequence[Step]) -> frozenset[int]:
    """The numbers of the steps that hang under the one before: the tree has two levels.

    An observation directly after a tool call hangs under it. A second observation after that one
    stands alone: nothing says that it came from the same call.
    """
    pairs = enumerate(pairwise([step.kind for step in steps]), 1)
    return frozenset(number for number, pair in pairs if pair == _CALL_AND_RESULT)


def step_marks(
    steps: Iterable[Step],
    types_before: Iterable[Hashable] = (),
    tools_before: Iterable[Hashable] = (),
) -> tuple[frozenset[Mark], ...]:
    """The marks of each step: a type or a tool for the first time, an error recovery."""
    types, tools = {*types_before}, {None, *tools_before}
    marks: list[frozenset[Mark]] = []
    for step in steps:
        brings = (
            step.type_key not in types,
            step.tool_key not in tools,
            step.kind is StepType.ERROR_RECOVERY,
        )
        marks.append(_MARKS[brings])
        types.add(step.type_key)
        tools.add(step.tool_key)
    return tuple(marks)
