"""What becomes of a trace that was measured, and what others would measure of it."""

from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING

from kpinspector.errors import NotScorableError
from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.sequence import Measured, measure_edited
from kpinspector.sharing.answer import Ways, ways_of
from kpinspector.sharing.found import best_of_wrap, has_wrap_shape
from kpinspector.trace.model import trace_from_json

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory


def ways_of_measured(measured: Measured, judged: Assessment, level: str | None) -> Ways:
    """What either way makes of a trace; the score of the cleaned text is still to be measured.

    Args:
        measured: The trace.
        judged: By the profile and the threshold in force.
        level: As for ``ways_of``.
    """
    trace = measured.record.trace
    score = judged.score if judged.sdk_score is None else judged.sdk_score
    ways = ways_of(measured.record, score, judged.threshold, level)
    if not has_wrap_shape(trace) or isnan(score):
        return ways
    facts = measured.measurement.facts
    return replace(ways, best_of_wrap=best_of_wrap(facts, judged.profile, judged.threshold))


def posts_cleaned(ways: Ways) -> bool:
    """Whether others would get another text than the one that was scored."""
    return ways.captured.is_posted and any(ways.captured.posting.redactions)


def cleaned_novelty(
    ways: Ways, measured: Measured, embedder: Embedder, memory: "Memory"
) -> Novelty | None:
    """The novelty of the text that others get; nothing is remembered.

    None where it would be assumed, or where what is posted has no score.
    """
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
