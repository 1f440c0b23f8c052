"""The figures of one answer as shown: parts, losses and changes that add up on the screen."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from kpinspector.scoring.formula.assess import Assessment, Contribution, ScoreRange
from kpinspector.scoring.formula.overrides import Override, Rule, final_score
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
    shown_range,
    shown_signed,
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
    """All terms of one score; ``total``, their sum, and the changes add up to ``score``."""

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
    """The figures that depend on the threshold only by their decimals.

    Changes go from the score back to the sum, so that a change of 0.1 is shown as 0.1000.
    """
    changes: list[ShownChange] = []
    after = shown_number(overrides[-1].after, decimals)
    for override in reversed(overrides):
        before = shown_difference(after, shown_number(override.change, decimals))
        changes.insert(0, ShownChange(before, after, shown_difference(after, before, signed=True)))
        after = before
    adds = shown_parts([term.part for term in contributions], after, decimals)
    terms = []
    for term, part in zip(contributions, adds, strict=True):
        weight = shown_weight(term.weight)
        lost = shown_difference(weight, part)
        terms.append(ShownTerm(term.dimension, shown_value(term.value), weight, part, lost))
    return tuple(terms), shown_total([term.lost for term in terms]), tuple(changes)


def shown_range_sum(possible: ScoreRange) -> ShownSum:
    """The same, with ranges for what depends on novelty or the outcome where that is unknown."""
    low, high = possible.low, possible.high
    bottom, top = shown_sum(low), shown_sum(high)
    if low is high:
        return bottom
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


@dataclass(frozen=True, slots=True)
class Stretch:
    """One term of a score on its way from ``start`` to ``end``, and the same as figures, adding up.

    ``reach`` is the farthest possible end where the end is unknown, else None.
    """

    term: Dimension | Rule
    start: float
    change: float
    end: float
    shown_start: str
    shown_change: str
    shown_end: str
    reach: float | None = None


def waterfall(possible: ScoreRange) -> tuple[Stretch, ...]:
    """The terms that are known, in the order in which they are added, then those that are not.

    These begin where the known ones end, and reach to the highest possible score.
    """
    known = tuple(_known(possible))
    return (*known, *_unknown(possible, known[-1]))


def _known(possible: ScoreRange) -> Iterator[Stretch]:
    """The dimensions and rules that are the same at both ends of the range."""
    low, shown = possible.low, shown_range_sum(possible)
    total = shown_sum(low).total
    place, figure = 0.0, shown_difference(total, total)
    for term in low.contributions:
        if term.dimension not in possible.open_dimensions:
            adds, start, end = shown.term(term.dimension).adds, place, place + term.part
            before, figure = figure, shown_total((figure, adds))
            change = shown_signed(adds)
            yield Stretch(term.dimension, start, term.part, end, before, change, figure)
            place = end
    pairs = zip(low.overrides, possible.high.overrides, shown.changes, strict=True)
    for override, other, changed in pairs:
        if override.applied and other.applied:
            start, end = place, final_score((override.rule,), place)
            adds = changed.change.lstrip("+") or shown_difference(shown_number(end), figure)
            before, figure = figure, shown_total((figure, adds))
            change = shown_signed(adds)
            yield Stretch(override.rule, start, end - start, end, before, change, figure)
            place = end


def _unknown(possible: ScoreRange, last: Stretch) -> Iterator[Stretch]:
    """The others, each up to its farthest possible end."""
    low, high = possible.low, possible.high
    pairs = zip(low.overrides, high.overrides, shown_sum(high).changes, strict=True)
    maybe = [
        (other, change.change) for one, other, change in pairs if other.applied and not one.applied
    ]
    top = high.score - sum(override.change for override, _ in maybe)
    start, figure, shown = last.end, last.shown_end, shown_range_sum(possible)

    def stretch(term: Dimension | Rule, end: float, reach: float, adds: str) -> Stretch:
        shown_end = shown_interval(end, reach)
        return Stretch(term, start, end - start, end, figure, adds, shown_end, reach)

    for one, other in zip(low.contributions, high.contributions, strict=True):
        if one.dimension in possible.open_dimensions:
            is_first = start == last.end
            end = min(start + one.part, max(start, low.score)) if is_first else start
            reach = max(end, min(start + other.part, top))
            yield stretch(one.dimension, end, reach, shown.term(one.dimension).adds)
            start, figure = reach, shown_interval(low.score, reach)
    for override, change in maybe:
        # a known rule behind it may have stopped at 0 without it
        reach = min(start + override.change, high.score)
        yield stretch(override.rule, start, reach, shown_range("0", change.lstrip("+")))
        start, figure = reach, shown_interval(low.score, reach)
