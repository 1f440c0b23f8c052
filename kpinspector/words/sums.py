"""The figures of one answer as shown: parts, losses and changes that add up on the screen."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from kpinspector.scoring.formula.assess import Assessment, Contribution, ScoreRange
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.words.figures import (
    SCORE_DECIMALS,
    decimals_for,
    plain,
    shown_difference,
    shown_interval,
    shown_margin,
    shown_number,
    shown_pair,
    shown_parts,
    shown_value,
    shown_weight,
)


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
        return next(term for term in self.terms if term.dimension is dimension)


@lru_cache(maxsize=64)
def shown_sum(assessment: Assessment) -> ShownSum:
    """All figures of an assessment, with the decimals that its score needs."""
    decimals = decimals_for(assessment.score, assessment.threshold) or SCORE_DECIMALS
    changes = _changes(assessment, decimals)
    total = changes[0].before
    terms = _terms(assessment.contributions, total, decimals)
    score, threshold = shown_pair(assessment.score, assessment.threshold)
    return ShownSum(
        terms=terms,
        total=total,
        lost=shown_total(term.lost for term in terms),
        changes=changes,
        score=score,
        threshold=threshold,
        margin=shown_margin(assessment.score, assessment.threshold),
    )


def shown_range_sum(possible: ScoreRange) -> ShownSum:
    """The same while novelty is unknown: novelty, sums and score are ranges."""
    low, high = possible.low, possible.high
    bottom = shown_sum(low)
    share = shown_interval(0.0, low.profile.weights.novelty)
    terms = tuple(
        ShownTerm(term.dimension, "\N{EN DASH}", term.weight, share, share)
        if term.dimension is Dimension.NOVELTY
        else term
        for term in bottom.terms
    )
    weight = bottom.term(Dimension.NOVELTY).weight
    top = shown_sum(high)
    return ShownSum(
        terms=terms,
        total=f"{bottom.total}\N{EN DASH}{shown_total((bottom.total, weight))}",
        lost=f"{shown_difference(bottom.lost, weight)}\N{EN DASH}{bottom.lost}",
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


def _changes(assessment: Assessment, decimals: int) -> tuple[ShownChange, ...]:
    """From the score back to the sum, so that a change of 0.1 is shown as 0.1000."""
    changes: list[ShownChange] = []
    after = shown_number(assessment.score, decimals)
    for override in reversed(assessment.overrides):
        change = shown_number(override.change, decimals)
        before = shown_difference(after, change)
        changes.append(ShownChange(before, after, shown_difference(after, before, signed=True)))
        after = before
    return tuple(reversed(changes))


def shown_total(figures: Iterable[str]) -> str:
    """The sum of figures as they stand on the screen."""
    total = "0"
    for figure in figures:
        total = shown_difference(total, _negative(figure))
    return total


def _negative(figure: str) -> str:
    return str(Decimal(plain(figure)).copy_negate())
