"""Over a whole list: the verdicts that other rules would turn."""

from collections.abc import Iterable

from kpinspector.scoring.assess import Assessment, score_with
from kpinspector.scoring.profiles import Profile


def flips(
    assessments: Iterable[Assessment], threshold: float, profile: Profile | None = None
) -> int:
    """How many verdicts would be others.

    Args:
        assessments: As they are now.
        threshold: For all.
        profile: For all; None leaves each its own.
    """
    return sum(_flips(one, threshold, profile) for one in assessments)


def _flips(now: Assessment, threshold: float, profile: Profile | None) -> bool:
    if not now.schema_passes:
        return False  # no rule of the score mends that
    score = now.score if profile is None else score_with(now, profile.weights)
    return (score >= threshold) is not now.score_passes
