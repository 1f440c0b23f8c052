"""The score of a trace at other places in the order, since novelty depends on what came before."""

from dataclasses import dataclass

from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.measurement import Measurement, at_similarity
from kpinspector.scoring.formula.profiles import Profile

_ITSELF = 1.0  # the cosine of a vector with itself; an embedding is never the zero vector


@dataclass(frozen=True, slots=True)
class Order:
    """The scores of one trace at three places in the order.

    Attributes:
        first: Before all others, with nothing to compare it with.
        placed: At its actual place.
        after: Scored once more, after itself.
        place: Its actual place among the traces that it was compared with, from 1.
    """

    first: Assessment
    placed: Assessment
    after: Assessment
    place: int


def order_of(measurement: Measurement, profile: Profile, threshold: float) -> Order | None:
    """The scores at the three places; None where novelty is assumed, since no order changes it."""
    if measurement.novelty.assumed:
        return None
    placed = assess(measurement, profile, threshold)
    return Order(
        first=scored_first(measurement, placed),
        placed=placed,
        after=assess(at_similarity(measurement, _ITSELF), profile, threshold),
        place=measurement.novelty.compared_with + 1,
    )


def scored_first(measurement: Measurement, placed: Assessment) -> Assessment:
    """The score with the trace first in the order, by the profile and threshold of ``placed``."""
    return assess(at_similarity(measurement, None), placed.profile, placed.threshold)


def verdict_depends_on_order(measurement: Measurement, placed: Assessment) -> bool:
    """Whether the trace would have the other verdict if it were scored first.

    Whether it would fail after itself is not considered: most traces that pass would.
    """
    if measurement.novelty.assumed:
        return False
    return scored_first(measurement, placed).verdict is not placed.verdict
