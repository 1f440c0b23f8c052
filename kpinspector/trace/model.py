"""A reasoning trace as the SDK's scorer sees it.

The SDK scores objects it has not validated, so values are kept as JSON gives them and read by
JavaScript's rules: truthiness, and equality as in a ``Set`` (SameValueZero).
"""

import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import Final, TypeAlias

from kpinspector.errors import NotScorableError

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = Mapping[str, JsonValue]

_ABSENT: Hashable = ("absent",)
_LONGEST_NAME: Final = 80


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

    Attributes:
        index: Position in ``steps``, from 0.
        kind: The known type, or None for an unknown or absent one.
        type_key: Equal for two steps exactly when the SDK counts their types as one.
        content: The text that is embedded; "" when absent or null.
        tool_key: None when the step has no tool (JavaScript's truth); else equal for two steps
            exactly when the SDK counts their tool names as one.
        raw: The JSON object as read.
    """

    index: int
    kind: StepType | None
    type_key: Hashable
    content: str
    tool_key: Hashable | None
    raw: JsonObject

    @property
    def tool_name(self) -> str | None:
        """The tool's name for display: None without a tool, "" for one without a name."""
        if self.tool_key is None:
            return None
        tool = self.raw.get("tool")
        name = tool.get("name") if isinstance(tool, dict) else None
        if name is None or isinstance(name, str):
            return name or ""
        return shortened(json.dumps(name, ensure_ascii=False), _LONGEST_NAME)


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the score and the window read of ``metadata``; None where absent or of another type."""

    task_domain: str | None
    success: bool
    quality_score: float | None
    created_at: str | None
    framework: str | None
    visibility: str | None
    privacy_level: str | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """``confidence`` is finite but may lie outside 0..1; ``result_summary`` None if no string."""

    confidence: float
    result_summary: str | None


@dataclass(frozen=True, slots=True)
class ReasoningTrace:
    """One agent run that can be scored.

    Attributes:
        id: The trace id, or None when it is not a non-empty string.
        raw: The JSON object as read.
    """

    id: str | None
    objective: str
    steps: tuple[Step, ...]
    metadata: Metadata
    outcome: Outcome
    raw: JsonObject

    @property
    def text(self) -> str:
        """All that the embedder may see: the objective and the contents, joined by spaces."""
        return self.objective + " " + " ".join(step.content for step in self.steps)


def truthy(value: JsonValue) -> bool:
    """JavaScript's truth: ``[]``, ``{}`` and ``"false"`` are true; 0, "" and null are not."""
    return isinstance(value, (list, dict)) or bool(value)


def describe(value: JsonValue) -> str:
    """Name the JSON type of a value for messages, with its article."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "a list"
        case _:
            return "an object"


def shortened(text: str, longest: int) -> str:
    """A text of at most so many characters; an ellipsis stands for what is cut off."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def quoted(text: str, longest: int = 60) -> str:
    """Trace text for messages: in quotation marks, cut, without control characters."""
    return '"' + "".join(c if c.isprintable() else "\ufffd" for c in shortened(text, longest)) + '"'


def trace_from_json(raw: JsonObject) -> ReasoningTrace:
    """Read a JSON object as the SDK's scorer would.

    Raises:
        NotScorableError: the formula cannot be evaluated on this object.
    """
    metadata = _object(raw, "metadata")
    task = _object(raw, "task")
    outcome = _object(raw, "outcome")
    steps = raw.get("steps")
    if not isinstance(steps, list):
        raise NotScorableError("steps", "a list", _found(raw, "steps"))
    trace_id = raw.get("id")
    return ReasoningTrace(
        id=trace_id if isinstance(trace_id, str) and trace_id else None,
        objective=_string(task, "objective", "task.objective"),
        steps=tuple(step_from_json(index, step) for index, step in enumerate(steps)),
        metadata=_metadata(metadata),
        outcome=Outcome(_confidence(outcome), _text_or_none(outcome, "result_summary")),
        raw=raw,
    )


def _object(parent: JsonObject, name: str) -> JsonObject:
    value = parent.get(name)
    if not isinstance(value, dict):
        raise NotScorableError(name, "an object", _found(parent, name))
    return value


def _string(parent: JsonObject, name: str, path: str) -> str:
    value = parent.get(name)
    if not isinstance(value, str):
        raise NotScorableError(path, "a string", _found(parent, name))
    return value


def _found(parent: JsonObject, name: str) -> str:
    return describe(parent[name]) if name in parent else "nothing"


def _confidence(outcome: JsonObject) -> float:
    value = finite_number(outcome.get("confidence"))
    if value is None:
        raise NotScorableError("outcome.confidence", "a number", _found(outcome, "confidence"))
    return value


def finite_number(value: JsonValue) -> float | None:
    """The double that JavaScript holds for a JSON number; None for all else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None


def _text_or_none(parent: JsonObject, name: str) -> str | None:
    value = parent.get(name)
    return value if isinstance(value, str) else None


def _metadata(raw: JsonObject) -> Metadata:
    return Metadata(
        task_domain=_text_or_none(raw, "task_domain"),
        success=truthy(raw.get("success")),
        quality_score=finite_number(raw.get("quality_score")),
        created_at=_text_or_none(raw, "created_at"),
        framework=_text_or_none(raw, "framework"),
        visibility=_text_or_none(raw, "visibility"),
        privacy_level=_text_or_none(raw, "privacy_level"),
    )


def step_from_json(index: int, raw: JsonValue) -> Step:
    """Read one step as the SDK's scorer would.

    Raises:
        NotScorableError: it is no object, or its content is no text.
    """
    if not isinstance(raw, dict):
        raise NotScorableError(f"steps.{index}", "an object", describe(raw))
    content = raw.get("content")
    if content is None:
        content = ""
    elif not isinstance(content, str):
        raise NotScorableError(f"steps.{index}.content", "a string", describe(content))
    kind = raw.get("type")
    return Step(
        index=index,
        kind=_STEP_TYPES.get(kind) if isinstance(kind, str) else None,
        type_key=_member_key(raw, "type"),
        content=content,
        tool_key=_tool_key(raw.get("tool")),
        raw=raw,
    )


def _tool_key(tool: JsonValue) -> Hashable | None:
    if not truthy(tool):
        return None
    return _member_key(tool, "name") if isinstance(tool, dict) else _ABSENT


def _member_key(parent: JsonObject, name: str) -> Hashable:
    """A key under which a JavaScript ``Set`` holds ``parent[name]``: objects by identity."""
    if name not in parent:
        return _ABSENT
    match parent[name]:
        case bool(value):
            return ("boolean", value)
        case int(value) | float(value):
            return ("number", float(value))
        case list(value) | dict(value):
            return ("object", id(value))
        case value:
            return (type(value).__name__, value)
