"""One dimension alone: the smallest value with which the score reaches the threshold."""

from dataclasses import dataclass

from kpinspector.scoring.changed import Changed
from kpinspector.scoring.doubles import nearest_float
from kpinspector.scoring.profiles import Dimension, Profile


@dataclass(frozen=True, slots=True)
class Needed:
    """One dimension alone: the smallest value that reaches the threshold, or None.

    A score that reaches it already has a value as well: below it, it would no longer.
    """

    dimension: Dimension
    now: float
    value: float | None


def needed_of(changed: Changed, profile: Profile, threshold: float) -> tuple[Needed, ...]:
    """For each dimension alone, the others held; the same rules fire."""
    return tuple(_needed(changed, one, profile, threshold) for one in Dimension)


def _needed(changed: Changed, dimension: Dimension, profile: Profile, threshold: float) -> Needed:
    """No weight is negative, so all values above one that reaches do as well."""

    def reaches(value: float) -> bool:
        return changed.score_with(dimension, value, profile) >= threshold

    now = changed.values.of(dimension)
    low, high = min(0.0, now), max(1.0, now)
    if reaches(low):
        return Needed(dimension, now, low)
    value = nearest_float(reaches, low, high) if reaches(high) else None
    return Needed(dimension, now, value)
