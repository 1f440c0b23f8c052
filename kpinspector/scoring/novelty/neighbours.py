"""What each of the nearest entries did to a score, and how today's nearest differ from them."""

from collections.abc import Collection
from dataclasses import dataclass

from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.profiles import Profile
from kpinspector.scoring.memory.findings import Finding, Neighbour, Subject
from kpinspector.scoring.novelty.measure import Measurement, Novelty, at_similarity

_SAME = 1e-6  # the same two texts, embedded by another build of the runtime, differ by less


@dataclass(frozen=True, slots=True)
class Without:
    """The score had some of the entries not been there.

    Attributes:
        novelty: In 0..1.
        exact: Else entries are left of which only is known that none is more similar than the last
            of the nearest: novelty and score are at least these.
    """

    assessment: Assessment
    novelty: float
    exact: bool


@dataclass(frozen=True, slots=True)
class Influence:
    """One of the nearest entries and what it did.

    Attributes:
        sets_novelty: No other entry is more similar; of equal ones the older.
        changes: The score is another one without it.
    """

    neighbour: Neighbour
    sets_novelty: bool
    without: Without
    changes: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """One of today's nearest entries, beside what the stored finding says of it.

    Attributes:
        before: How similar it was then; None where it was not among the nearest.
        is_news: It would have been among the nearest then: it came later, or as another text.
    """

    neighbour: Neighbour
    before: float | None
    is_news: bool

    @property
    def changed(self) -> bool:
        """It was among the nearest then, but not as similar."""
        return self.before is not None and abs(self.before - self.neighbour.similarity) > _SAME


@dataclass(frozen=True, slots=True)
class Comparison:
    """Today's nearest entries against those of the stored finding.

    Attributes:
        nearest: Today's, best first.
        gone: Those of the finding that would be among today's nearest were they still there.
        crowded_out: Those of the finding that others are nearer than now.
        own: The trace whose neighbours they are.
    """

    nearest: tuple[Standing, ...]
    gone: tuple[Neighbour, ...]
    crowded_out: tuple[Neighbour, ...]
    own: Subject | None = None


def influences(
    measurement: Measurement, profile: Profile, threshold: float
) -> tuple[Influence, ...]:
    """The nearest entries of a finding, best first, each with the score without it."""
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

    The next one's similarity decides; where there is none left the cache would have been empty.
    """
    similarity, exact = _best_without(measurement.novelty, ranks)
    changed = at_similarity(measurement, similarity)
    assessment = assess(changed, profile, threshold)
    return Without(assessment, changed.novelty.value, exact)


def _best_without(novelty: Novelty, ranks: Collection[int]) -> tuple[float | None, bool]:
    """The best similarity that is left, or an upper bound of it."""
    nearest = novelty.neighbours
    left = [near.similarity for rank, near in enumerate(nearest) if rank not in ranks]
    if left:
        return left[0], True
    if novelty.compared_with > len(nearest):
        return (nearest[-1].similarity if nearest else novelty.max_similarity), False
    return None, True


def compare_findings(stored: Novelty, today: Finding) -> Comparison:
    """What has changed among the nearest entries; an entry is known by its key."""
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
    """It is near enough to stand among the nearest of this comparison for certain."""
    if compared_with <= len(nearest):
        return True
    return bool(nearest) and near.similarity > nearest[-1].similarity + _SAME
