"""How a score adds up: from 0 by each dimension, then by each override that fired."""

from collections.abc import Iterator
from dataclasses import dataclass

from kpinspector.scoring.formula.assess import Assessment
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.words.figures import shown_difference, shown_signed, shown_total
from kpinspector.words.sums import shown_sum


@dataclass(frozen=True, slots=True)
class Stretch:
    """One term of a score on its way from 0.

    Attributes:
        term: What moves the score.
        start: Where the terms before it left the score; ``end`` is where this one does.
        change: What it adds.
        shown_start: The same as figures: with ``shown_change`` it adds up to ``shown_end``.
    """

    term: Dimension | Rule
    start: float
    change: float
    end: float
    shown_start: str
    shown_change: str
    shown_end: str


def waterfall(assessment: Assessment) -> tuple[Stretch, ...]:
    """The terms in the order in which they are added; the last ends at the score, as shown too."""
    return (*_dimensions(assessment), *_overrides(assessment))


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
