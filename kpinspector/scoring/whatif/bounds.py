"""Bounds within which a trace passes: the last double of a value, the smallest number of steps."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from kpinspector.scoring.formula.assess import Values, score_of, value_for, values_of
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.measurement import novelty_of
from kpinspector.scoring.formula.numbers import nearest_float
from kpinspector.scoring.formula.overrides import rules_that_fire
from kpinspector.scoring.formula.profiles import Dimension, Profile


def passes(facts: Facts, novelty: float, profile: Profile, threshold: float) -> bool:
    """Whether the score gate passes, without computing the terms of the score."""
    values = values_of(facts, novelty)
    return score_of(values, rules_that_fire(facts), profile.weights) >= threshold


def most_similar(facts: Facts, profile: Profile, threshold: float) -> float | None:
    """The greatest similarity to the nearest entry at which a trace passes; None if at none.

    It passes at every smaller similarity too; 1 means that it passes whatever it is compared with.
    """
    rules, weights = rules_that_fire(facts), profile.weights
    own = values_of(facts, 0.0)

    def reaches(similarity: float) -> bool:
        values = Values(
            own.complexity, novelty_of(similarity), own.tool_diversity, own.outcome_confidence
        )
        return score_of(values, rules, weights) >= threshold

    if not reaches(0.0):
        return None
    if reaches(1.0):
        return 1.0
    near = 1.0 - value_for(threshold, Dimension.NOVELTY, own, rules, weights)
    return nearest_float(reaches, 1.0, 0.0, near)


def least_confidence(
    facts: Facts, novelty: float, profile: Profile, threshold: float, most: float = 1.0
) -> float | None:
    """The least confidence up to ``most`` with which a trace passes; None if with none.

    The search begins at 0, or at the trace's own confidence if that is negative. Success stays as
    the facts have it. The trace passes with every greater confidence too.
    """
    least = min(0.0, facts.confidence)
    rules, weights, factor = rules_that_fire(facts), profile.weights, facts.outcome_factor
    own = Values(facts.complexity, novelty, facts.tool_diversity, 0.0)

    def reaches(confidence: float) -> bool:
        values = Values(own.complexity, novelty, own.tool_diversity, confidence * factor)
        return score_of(values, rules, weights) >= threshold

    if not reaches(most):
        return None
    if reaches(least):
        return least
    near = value_for(threshold, Dimension.OUTCOME_CONFIDENCE, own, rules, weights) / factor
    return nearest_float(reaches, least, most, near)


def best_outcome(facts: Facts) -> Facts:
    """The facts with success and confidence 1; a confidence above 1 stays."""
    return replace(facts, success=True, confidence=max(1.0, facts.confidence))


@dataclass(frozen=True, slots=True)
class Ending:
    """An outcome and a similarity with which a trace passes; None for a value that need not change.

    Attributes:
        confidence: The least confidence of a success that passes at this similarity; where the
            trace's own is no less, success alone is enough.
        similarity: The greatest similarity that passes with this outcome.
    """

    confidence: float | None = None
    similarity: float | None = None


def ending_needed(facts: Facts, profile: Profile, threshold: float) -> Ending | None:
    """The outcome and the similarity with which a trace passes; None where none do.

    The trace keeps its own confidence where success alone is enough; otherwise the best outcome is
    taken, which allows the greatest similarity.
    """
    own = replace(facts, success=True)
    similarity = None if facts.success else most_similar(own, profile, threshold)
    if similarity is None:
        similarity = most_similar(best_outcome(facts), profile, threshold)
    if similarity is None:
        return None
    most = max(1.0, facts.confidence)
    confidence = least_confidence(own, novelty_of(similarity), profile, threshold, most)
    return None if confidence is None else Ending(confidence, similarity)


def smallest_count(reaches: Callable[[int], bool], fails: int, holds: int) -> int:
    """The smallest count that reaches, by bisection between one that fails and one that holds."""
    while holds - fails > 1:
        middle = (fails + holds) // 2
        if reaches(middle):
            holds = middle
        else:
            fails = middle
    return holds


def fewest_removals(
    reaches: Callable[[int], bool], is_full: Callable[[int], bool], most: int
) -> int | None:
    """The smallest number of steps to leave out, up to ``most``; None where no number is enough.

    While complexity is at its maximum, the score rises with every step left out, until diversity is
    at its maximum too. Between the two the score is convex in the number of steps, a sum of
    multiples of ``1 / steps`` and of ``steps``: where it fails at one end, it passes at the other
    end or nowhere.

    Args:
        reaches: Whether the score passes without so many steps; it does not without 0.
        is_full: Whether complexity is at its maximum without so many steps.
        most: The number at which diversity is at its maximum, or no further step can be spared.
    """
    full = smallest_count(lambda count: not is_full(count), -1, most + 1) - 1
    for fails, holds in ((0, min(full, most)), (max(full, 0), most)):
        if fails < holds and reaches(holds):
            return smallest_count(reaches, fails, holds)
    return None
