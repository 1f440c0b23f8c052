"""How a score adds up: from 0 by each dimension, then by each override that fired."""

from collections.abc import Iterator
from dataclasses import dataclass

from kpinspector.scoring.formula.assess import Assessment, ScoreRange
from kpinspector.scoring.formula.overrides import Rule, final_score
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.words.figures import (
    shown_difference,
    shown_interval,
    shown_number,
    shown_range,
    shown_signed,
    shown_total,
)
from kpinspector.words.sums import shown_range_sum, shown_sum


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
