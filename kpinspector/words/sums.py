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


@dataclass(frozen=True, slots=True)
class Stretch:
    """One term of a score on its way from 0.

    Attributes:
        term: What moves the score.
        start: The score before this term; ``end`` is the score after it.
        change: What it adds.
        shown_start: The same as figures: with ``shown_change`` it adds up to ``shown_end``.
        reach: The farthest possible end where the end is unknown, else None.
    """

    term: Dimension | Rule
    start: float
    change: float
    end: float
    shown_start: str
    shown_change: str
    shown_end: str
    reach: float | None = None


def waterfall(assessment: Assessment) -> tuple[Stretch, ...]:
    """The terms in the order in which they are added; the last ends at the score, as shown too."""
    return (*_dimensions(assessment), *_overrides(assessment))


def range_waterfall(possible: ScoreRange) -> tuple[Stretch, ...]:
    """The terms that are known, then the dimensions and rules that are not.

    The unknown ones begin where the known ones end, and reach to the highest possible score.
    """
    known = tuple(_known(possible))
    return (*known, *_unknown(possible, known[-1]))


def _known(possible: ScoreRange) -> Iterator[Stretch]:
    """The dimensions and rules that are the same at both ends of the range."""
    low, shown = possible.low, shown_range_sum(possible)
    place, figure = 0.0, shown_difference(shown.threshold, shown.threshold)
    for term in low.contributions:
        if term.dimension not in possible.open_dimensions:
            adds = shown.term(term.dimension).adds
            yield _stretch(term.dimension, (place, term.part, place + term.part), figure, adds)
            place, figure = place + term.part, shown_total((figure, adds))
    for override, other, change in zip(
        low.overrides, possible.high.overrides, shown.changes, strict=True
    ):
        if override.applied and other.applied:
            end = final_score((override.rule,), place)
            adds = change.change.lstrip("+") or shown_difference(shown_number(end), figure)
            yield _stretch(override.rule, (place, end - place, end), figure, adds)
            place, figure = end, shown_total((figure, adds))


def _stretch(
    term: Dimension | Rule, way: tuple[float, float, float], figure: str, adds: str
) -> Stretch:
    start, change, end = way
    return Stretch(
        term=term,
        start=start,
        change=change,
        end=end,
        shown_start=figure,
        shown_change=shown_signed(adds),
        shown_end=shown_total((figure, adds)),
    )


def _unknown(possible: ScoreRange, last: Stretch) -> Iterator[Stretch]:
    low, high = possible.low, possible.high
    pairs = zip(low.overrides, high.overrides, strict=True)
    figures = (change.change for change in shown_sum(high).changes)
    maybe = [
        (other, figure)
        for (one, other), figure in zip(pairs, figures, strict=True)
        if other.applied and not one.applied
    ]
    top = high.score - sum(override.change for override, _ in maybe)
    start = end = last.end
    figure = last.shown_end
    shown = shown_range_sum(possible)
    for one, other in zip(low.contributions, high.contributions, strict=True):
        if one.dimension in possible.open_dimensions:
            is_first = start == last.end
            end = min(start + one.part, max(start, low.score)) if is_first else start
            reach = max(end, min(start + other.part, top))
            adds = shown.term(one.dimension).adds
            yield _open(one.dimension, (start, end, reach), figure, adds)
            start, figure = reach, shown_interval(low.score, reach)
    for override, change in maybe:
        # a known rule behind it may have stopped at 0 without it
        reach = min(start + override.change, high.score)
        adds = shown_range("0", change.lstrip("+"))
        yield _open(override.rule, (start, start, reach), figure, adds)
        start, figure = reach, shown_interval(low.score, reach)


def _open(
    term: Dimension | Rule, places: tuple[float, float, float], figure: str, adds: str
) -> Stretch:
    start, end, reach = places
    return Stretch(
        term=term,
        start=start,
        change=end - start,
        end=end,
        shown_start=figure,
        shown_change=adds,
        shown_end=shown_interval(end, reach),
        reach=reach,
    )


def _dimensions(assessment: Assessment) -> Iterator[Stretch]:
    shown = shown_sum(assessment)
    place, figure = 0.0, shown_difference(shown.total, shown.total)
    for term in assessment.contributions:
        adds = shown.term(term.dimension).adds
        end = shown_total((figure, adds))
        yield Stretch(
            term=term.dimension,
            start=place,
            change=term.part,
            end=place + term.part,
            shown_start=figure,
            shown_change=shown_signed(adds),
            shown_end=end,
        )
        place, figure = place + term.part, end


def _overrides(assessment: Assessment) -> Iterator[Stretch]:
    changes = shown_sum(assessment).changes
    for override, change in zip(assessment.overrides, changes, strict=True):
        if override.applied:
            yield Stretch(
                term=override.rule,
                start=override.before,
                change=override.change,
                end=override.after,
                shown_start=change.before,
                shown_change=change.change,
                shown_end=change.after,
            )
