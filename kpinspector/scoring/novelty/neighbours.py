"""How a score hangs on the entries that came before: the nearest ones, and the place in the order.

Pure values: what is known of a finding, and what today's finding says beside it.
"""

from collections.abc import Collection
from dataclasses import dataclass

from kpinspector.scoring.findings import Finding, Neighbour, Subject
from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.measurement import Measurement, Novelty, at_similarity
from kpinspector.scoring.formula.profiles import Profile

_SAME = 1e-6  # two builds of the runtime differ by less in the similarity of the same two texts
_ITSELF = 1.0  # the cosine of a vector with itself; an embedding is never the zero vector


@dataclass(frozen=True, slots=True)
class Without:
    """The score as it would be without some of the entries.

    Not ``exact`` where all that is known of the other entries is that none is more similar than the
    last of the nearest; novelty and score are lower bounds then.
    """

    assessment: Assessment
    novelty: float
    exact: bool


@dataclass(frozen=True, slots=True)
class Influence:
    """One of the nearest entries and its effect on the score.

    The most similar one sets novelty; of equally similar ones, the oldest.
    """

    neighbour: Neighbour
    sets_novelty: bool
    without: Without
    changes: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """One of today's nearest entries, and how the stored finding has it.

    Attributes:
        before: Its similarity in the stored finding; None where it is not among the nearest there.
        is_news: It is similar enough to have been among the nearest, so it is newer than the
            finding, or its text has changed.
    """

    neighbour: Neighbour
    before: float | None
    is_news: bool

    @property
    def changed(self) -> bool:
        """The stored finding has it with another similarity."""
        return self.before is not None and abs(self.before - self.neighbour.similarity) > _SAME


@dataclass(frozen=True, slots=True)
class Comparison:
    """Today's nearest entries, most similar first, compared with those of the stored finding.

    Attributes:
        gone: Entries of the finding that would be among today's nearest if they still existed.
        crowded_out: Entries of the finding that nearer ones have displaced.
        own: The trace whose neighbours they are.
    """

    nearest: tuple[Standing, ...]
    gone: tuple[Neighbour, ...]
    crowded_out: tuple[Neighbour, ...]
    own: Subject | None = None


def influences(
    measurement: Measurement, profile: Profile, threshold: float
) -> tuple[Influence, ...]:
    """The nearest entries of a finding, most similar first, each with the score without it."""
    placed = assess(measurement, profile, threshold)
    found = []
    for rank, neighbour in enumerate(measurement.novelty.neighbours):
        left_out = without(measurement, {rank}, profile, threshold)
        changes = left_out.assessment.score != placed.score
        found.append(Influence(neighbour, rank == 0, left_out, changes))
    return tuple(found)


def without(
    measurement: Measurement, ranks: Collection[int], profile: Profile, threshold: float
) -> Without:
    """The score without the nearest entries of these ranks, counted from 0.

    The most similar entry that remains decides; with none left, novelty is that of an empty cache.
    """
    novelty, nearest = measurement.novelty, measurement.novelty.neighbours
    left = [near.similarity for rank, near in enumerate(nearest) if rank not in ranks]
    exact = bool(left) or novelty.compared_with <= len(nearest)
    similarity = left[0] if left else None
    if not exact:
        similarity = nearest[-1].similarity if nearest else novelty.max_similarity
    changed = at_similarity(measurement, similarity)
    return Without(assess(changed, profile, threshold), changed.novelty.value, exact)


def compare_findings(stored: Novelty, today: Finding) -> Comparison:
    """What has changed among the nearest entries; an entry is identified by its key."""
    before = {near.key: near.similarity for near in stored.neighbours}
    nearest = tuple(
        Standing(
            near,
            before.get(near.key),
            near.key not in before and _belongs(near, stored.neighbours, stored.compared_with),
        )
        for near in today.neighbours
    )
    now = {near.key for near in today.neighbours}
    missing = [near for near in stored.neighbours if near.key not in now]
    gone = [near for near in missing if _belongs(near, today.neighbours, today.compared_with)]
    crowded_out = tuple(near for near in missing if near not in gone)
    return Comparison(nearest, tuple(gone), crowded_out, stored.own)


def _belongs(near: Neighbour, nearest: tuple[Neighbour, ...], compared_with: int) -> bool:
    """Whether an entry is certainly similar enough to be among the nearest of a comparison."""
    if compared_with <= len(nearest):
        return True
    return bool(nearest) and near.similarity > nearest[-1].similarity + _SAME


@dataclass(frozen=True, slots=True)
class Order:
    """The scores of one trace before all others, at its actual place (from 1), and after itself."""

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
