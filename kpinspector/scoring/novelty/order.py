"""The score of a trace at other places in the order: what came before decides novelty."""

from dataclasses import dataclass

from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.measurement import Measurement, at_similarity
from kpinspector.scoring.formula.profiles import Profile

_ITSELF = 1.0  # the cosine of a vector with itself; an embedding is never the zero vector


@dataclass(frozen=True, slots=True)
class Order:
    """One trace at three places.

    Attributes:
        first: With nothing to be compared with.
        placed: As it was found.
        after: Once more, after itself.
        place: Its place among the traces that it was compared with, from 1.
    """

    first: Assessment
    placed: Assessment
    after: Assessment
    place: int


def order_of(measurement: Measurement, profile: Profile, threshold: float) -> Order | None:
    """The scores at the three places; None where novelty was assumed, which no order changes."""
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
    """The score had the trace come first, by the profile and threshold of another assessment."""
    return assess(at_similarity(measurement, None), placed.profile, placed.threshold)


def verdict_depends_on_order(measurement: Measurement, placed: Assessment) -> bool:
    """Scored first, the trace would have the other verdict.

    That it would fail after itself says nothing about a trace: so would most that pass.
    """
    if measurement.novelty.assumed:
        return False
    return scored_first(measurement, placed).verdict is not placed.verdict
