"""The figures of one answer as shown: parts, losses and changes that add up on the screen."""

from dataclasses import dataclass
from functools import lru_cache

from kpinspector.scoring.formula.assess import Assessment, Contribution, ScoreRange
from kpinspector.scoring.formula.overrides import Override
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.words.figures import (
    SCORE_DECIMALS,
    UNKNOWN,
    decimals_for,
    shown_difference,
    shown_interval,
    shown_margin,
    shown_number,
    shown_pair,
    shown_parts,
    shown_total,
    shown_value,
    shown_weight,
)

_PLACES = {dimension: place for place, dimension in enumerate(Dimension)}


@dataclass(frozen=True, slots=True)
class ShownTerm:
    """One dimension: ``adds`` and ``lost`` add up to the weight."""

    dimension: Dimension
    value: str
    weight: str
    adds: str
    lost: str


@dataclass(frozen=True, slots=True)
class ShownChange:
    """What one override did: ``before`` and ``change`` add up to ``after``."""

    before: str
    after: str
    change: str


@dataclass(frozen=True, slots=True)
class ShownSum:
    """All terms of one score.

    Attributes:
        terms: Their ``adds`` add up to ``total``, their ``lost`` to ``lost``.
        changes: One for each override; ``total`` and the changes add up to ``score``.
        margin: The difference between score and threshold as shown, without a sign.
    """

    terms: tuple[ShownTerm, ...]
    total: str
    lost: str
    changes: tuple[ShownChange, ...]
    score: str
    threshold: str
    margin: str

    def term(self, dimension: Dimension) -> ShownTerm:
        """The figures of one dimension."""
        return self.terms[_PLACES[dimension]]


@lru_cache(maxsize=64)
def shown_sum(assessment: Assessment) -> ShownSum:
    """All figures of an assessment, with the decimals that its score needs."""
    decimals = decimals_for(assessment.score, assessment.threshold) or SCORE_DECIMALS
    terms, lost, changes = _shown_terms(assessment.contributions, assessment.overrides, decimals)
    score, threshold = shown_pair(assessment.score, assessment.threshold)
    return ShownSum(
        terms=terms,
        total=changes[0].before,
        lost=lost,
        changes=changes,
        score=score,
        threshold=threshold,
        margin=shown_margin(assessment.score, assessment.threshold),
    )


@lru_cache(maxsize=64)
def _shown_terms(
    contributions: tuple[Contribution, ...], overrides: tuple[Override, ...], decimals: int
) -> tuple[tuple[ShownTerm, ...], str, tuple[ShownChange, ...]]:
    """The figures that depend on the threshold only by their decimals."""
    changes = _changes(overrides, decimals)
    terms = _terms(contributions, changes[0].before, decimals)
    return terms, shown_total([term.lost for term in terms]), changes


def shown_range_sum(possible: ScoreRange) -> ShownSum:
    """The same while novelty or the outcome is unknown, with ranges for what depends on it."""
    low, high = possible.low, possible.high
    bottom, top = shown_sum(low), shown_sum(high)
    terms, spans = list(bottom.terms), []
    for at, (one, other) in enumerate(zip(low.contributions, high.contributions, strict=True)):
        if one.value != other.value:
            weight = bottom.terms[at].weight
            part = shown_interval(one.part, other.part)
            lost = shown_interval(other.lost, one.lost)
            terms[at] = ShownTerm(one.dimension, UNKNOWN, weight, part, lost)
            whole = one.value == 0 and other.value == 1
            difference = shown_difference(top.terms[at].adds, bottom.terms[at].adds)
            spans.append(weight if whole else difference)
    span = shown_total(spans) if spans else "0"
    return ShownSum(
        terms=tuple(terms),
        total=f"{bottom.total}\N{EN DASH}{shown_total((bottom.total, span))}",
        lost=f"{shown_difference(bottom.lost, span)}\N{EN DASH}{bottom.lost}",
        changes=tuple(
            ShownChange("", "", change.change if change.change == other.change else "")
            for change, other in zip(bottom.changes, top.changes, strict=True)
        ),
        score=shown_interval(low.score, high.score, low.threshold),
        threshold=bottom.threshold,
        margin="",
    )


def _terms(
    contributions: tuple[Contribution, ...], total: str, decimals: int
) -> tuple[ShownTerm, ...]:
    adds = shown_parts([term.part for term in contributions], total, decimals)
    return tuple(
        ShownTerm(
            term.dimension,
            shown_value(term.value),
            shown_weight(term.weight),
            part,
            shown_difference(shown_weight(term.weight), part),
        )
        for term, part in zip(contributions, adds, strict=True)
    )


def _changes(overrides: tuple[Override, ...], decimals: int) -> tuple[ShownChange, ...]:
    """From the score back to the sum, so that a change of 0.1 is shown as 0.1000."""
    changes: list[ShownChange] = []
    after = shown_number(overrides[-1].after, decimals)
    for override in reversed(overrides):
        change = shown_number(override.change, decimals)
        before = shown_difference(after, change)
        changes.append(ShownChange(before, after, shown_difference(after, before, signed=True)))
        after = before
    return tuple(reversed(changes))
