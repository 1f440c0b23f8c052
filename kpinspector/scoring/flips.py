"""Over a whole list: the verdicts that other rules would turn."""

from collections.abc import Iterable

from kpinspector.scoring.assess import Assessment, score_of, values_of
from kpinspector.scoring.measure import Measurement
from kpinspector.scoring.profiles import Profile


def flips(
    judged: Iterable[tuple[Measurement, Assessment]],
    threshold: float,
    profile: Profile | None = None,
) -> int:
    """How many verdicts would be others.

    Args:
        judged: What was measured, and the assessment that it has now.
        threshold: For all.
        profile: For all; None leaves each its own.
    """
    return sum(_flips(*one, threshold, profile) for one in judged)


def _flips(
    measurement: Measurement, now: Assessment, threshold: float, profile: Profile | None
) -> bool:
    if not now.schema_passes:
        return False  # no rule of the score mends that
    score = now.score
    if profile is not None and profile is not now.profile:
        facts = measurement.facts
        score = score_of(values_of(facts, measurement.novelty.value), facts, profile.weights)
    return (score >= threshold) is not now.score_passes
