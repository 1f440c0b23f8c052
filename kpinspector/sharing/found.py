"""What becomes of a posted trace: who finds it, and what another agent receives of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kpinspector.scoring.formula.assess import Assessment, assess_values, values_of
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.profiles import Profile
from kpinspector.trace.javascript import JsonObject, JsonValue
from kpinspector.trace.model import ReasoningTrace, StepType

_SHAPE_STEPS: Final = 2
_ARGUMENTS: Final = "Executing with args: "
_DONE: Final = "Execution completed successfully"
_ERROR: Final = "Error: "

KEPT_DAYS: Final = {"private": 365, "org": 730}
"""How long the registry means to keep a trace, by its visibility; any other one always."""


@dataclass(frozen=True, slots=True)
class Search:
    """A way to look for traces.

    Attributes:
        name: As its users call it.
        least: The recorded quality that it asks for, if nobody says otherwise.
    """

    name: str
    least: float


SEARCHES: Final = (
    Search("KPRetrieval", 0.80),
    Search("MCP", 0.75),
    Search("kp search", 0.70),
)


def finders(quality: float) -> tuple[Search, ...]:
    """The searches that find a trace of this recorded quality."""
    return tuple(one for one in SEARCHES if quality >= one.least)


def few_shot(steps: Sequence[JsonValue]) -> str:
    """What an agent receives of a stored trace (``toFewShot`` in ``packages/sdk/src/retrieve.ts``).

    Args:
        steps: Of a trace that passes the schema.
    """
    return "\n".join(_line(step) for step in steps if isinstance(step, dict))


def _line(step: JsonObject) -> str:
    texts = (step.get(name) for name in ("content", "output_summary"))
    text = next((one for one in texts if one is not None), "")
    return f"[{str(step.get('type')).upper()}] {text}"


def has_wrap_shape(trace: ReasoningTrace) -> bool:
    """Whether a trace looks like one that ``KPCapture.wrap()`` recorded."""
    steps = trace.steps
    if len(steps) != _SHAPE_STEPS or any(step.tool_key is not None for step in steps):
        return False
    thought, end = steps
    if thought.kind is not StepType.THOUGHT or not thought.content.startswith(_ARGUMENTS):
        return False
    match end.kind:
        case StepType.OBSERVATION:
            return end.content == _DONE
        case StepType.ERROR_RECOVERY:
            return end.content.startswith(_ERROR)
    return False


def best_of_wrap(facts: Facts, profile: Profile, threshold: float) -> Assessment:
    """A trace of that shape where nothing is similar to it."""
    return assess_values(values_of(facts, 1.0), facts, profile, threshold)
