"""One dimension alone: the smallest value with which the score reaches the threshold."""

from dataclasses import dataclass

from kpinspector.scoring.formula.assess import ScoreRange
from kpinspector.scoring.formula.doubles import nearest_float
from kpinspector.scoring.formula.numbers import Number
from kpinspector.scoring.formula.overrides import MONOTONY_PENALTY, RECOVERY_BONUS, Rule
from kpinspector.scoring.formula.profiles import Dimension, Profile
from kpinspector.scoring.whatif.changed import Changed


@dataclass(frozen=True, slots=True)
class Needed:
    """One dimension alone: the smallest value that reaches the threshold, or None.

    A score that reaches it already has a value as well: below it, it would no longer.
    """

    dimension: Dimension
    now: Number
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


def novelty_needed(possible: ScoreRange) -> float:
    """The novelty from which on a score passes that may do either.

    The overrides are undone and the other parts taken, to 12 decimals.
    """
    low = possible.low
    target = low.threshold
    for override in reversed(low.overrides):
        if override.applied:
            target -= _ADDED[override.rule]
    rest = sum(term.part for term in low.contributions if term.dimension is not Dimension.NOVELTY)
    # without the noise of the division, which would add a unit when rounded up
    return round((target - rest) / low.profile.weights.novelty, 12)


_ADDED = {
    Rule.SINGLE_THOUGHT: 0.0,
    Rule.RECOVERY_BONUS: RECOVERY_BONUS,
    Rule.TOOL_MONOTONY: -MONOTONY_PENALTY,
}
