"""What becomes of a trace that was measured, and what others would measure of it."""

from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Final

from kpinspector.errors import NotScorableError
from kpinspector.scoring.formula.assess import Assessment, assess, assess_values, values_of
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.sequence import Measured, measure_edited
from kpinspector.sharing.answer import Ways, ways_of
from kpinspector.trace.model import ReasoningTrace, StepType, trace_from_json

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory

_SHAPE_STEPS: Final = 2
_ARGUMENTS: Final = "Executing with args: "
_DONE: Final = "Execution completed successfully"
_ERROR: Final = "Error: "


def ways_of_measured(measured: Measured, judged: Assessment, level: str | None) -> Ways:
    """What either way makes of a trace; the score of the cleaned text is still to be measured."""
    trace = measured.record.trace
    score = judged.score if judged.sdk_score is None else judged.sdk_score
    ways = ways_of(measured.record, score, judged.threshold, level)
    if not has_wrap_shape(trace) or isnan(score):
        return ways
    facts = measured.measurement.facts
    # where nothing is similar to it
    best = assess_values(values_of(facts, 1.0), facts, judged.profile, judged.threshold)
    return replace(ways, best_of_wrap=best)


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


def posts_cleaned(ways: Ways) -> bool:
    """Whether others would get another text than the one that was scored."""
    return ways.captured.is_posted and any(ways.captured.posting.redactions)


def cleaned_novelty(
    ways: Ways, measured: Measured, embedder: Embedder, memory: "Memory"
) -> Novelty | None:
    """The novelty of the text that others get; nothing is remembered.

    None where it would be assumed, or where what is posted has no score.
    """
    if not posts_cleaned(ways):
        return None
    try:
        cleaned = trace_from_json(ways.captured.body or {})
    except NotScorableError:
        return None
    novelty = measure_edited(measured.record, cleaned, measured.place, embedder, memory)
    return None if novelty.assumed else novelty


def with_cleaned_novelty(
    ways: Ways, measured: Measured, judged: Assessment, novelty: Novelty
) -> Ways:
    """The same with the score of the text that others get."""
    measurement = replace(measured.measurement, novelty=novelty)
    score = assess(measurement, judged.profile, judged.threshold).score
    return replace(ways, captured=ways.captured.with_score_of_cleaned(score))
