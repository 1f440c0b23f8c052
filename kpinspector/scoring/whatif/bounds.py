"""The bounds up to which a trace passes: the last double of a value, the fewest steps."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from kpinspector.scoring.formula.assess import Values, score_of, value_for, values_of
from kpinspector.scoring.formula.doubles import nearest_float
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.measurement import novelty_of
from kpinspector.scoring.formula.overrides import rules_that_fire
from kpinspector.scoring.formula.profiles import Dimension, Profile


def passes(facts: Facts, novelty: float, profile: Profile, threshold: float) -> bool:
    """The score gate alone, without the terms of the score."""
    values = values_of(facts, novelty)
    return score_of(values, rules_that_fire(facts), profile.weights) >= threshold


def most_similar(facts: Facts, profile: Profile, threshold: float) -> float | None:
    """The greatest similarity to its nearest entry with which a trace passes; None for none.

    1 where it passes whatever it is compared with. It passes with every smaller one.
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
    """The least confidence up to ``most`` with which a trace passes; None for none.

    From 0 on, or from its own where that is less. It succeeded or failed as the facts say, and
    passes with every greater one.
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
    """Had the run succeeded, and been sure of it; a confidence above 1 counts as it is."""
    return replace(facts, success=True, confidence=max(1.0, facts.confidence))


@dataclass(frozen=True, slots=True)
class Ending:
    """An outcome and a similarity with which a trace passes; None for what stays as it is.

    Attributes:
        confidence: The least one of a success that passes with this similarity; where it is no more
            than the trace's own, success is enough.
        similarity: The greatest one that passes with this outcome.
    """

    confidence: float | None = None
    similarity: float | None = None


def ending_needed(facts: Facts, profile: Profile, threshold: float) -> Ending | None:
    """The outcome and similarity with which a trace passes; None where none do.

    Its own confidence is kept where success is enough; else that of the best outcome leaves the
    most room for what is similar.
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
    """The smallest count above ``fails`` that reaches; from some count on all do."""
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
    """The fewest steps that have to go, ``most`` at most; None where no number is enough.

    While complexity is full the score rises with every step that goes, and stops to when diversity
    is full. Between the two it is convex, as a multiple of ``1 / steps`` and of ``steps``: having
    failed at the one end, it passes at the other or nowhere.

    Args:
        reaches: Asked of a number of steps that go; it does not of 0.
        is_full: Whether complexity is full without so many.
        most: Without so many diversity is full, or none can be spared any more.
    """
    full = smallest_count(lambda count: not is_full(count), -1, most + 1) - 1
    for fails, holds in ((0, min(full, most)), (max(full, 0), most)):
        if fails < holds and reaches(holds):
            return smallest_count(reaches, fails, holds)
    return None
