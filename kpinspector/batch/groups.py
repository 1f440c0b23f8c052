"""Groups of near-duplicates: traces that are linked by a chain of similar ones."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from kpinspector.batch.child import LIMIT_S, Child
from kpinspector.batch.compared import Batch
from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.assess import measured_score
from kpinspector.scoring.formula.measurement import at_similarity
from kpinspector.scoring.formula.profiles import Terms
from kpinspector.scoring.model.vectors import Similarities

FIRST_SIMILARITY: Final = 0.8
_FEWEST: Final = 2  # traces that can be linked
_MOST_ORDERED: Final = 1500  # the optimal order of 1,500 takes 2 s, that of 3,000 24 s


@dataclass(frozen=True, slots=True)
class GroupSpread:
    """The least and the greatest similarity of two traces of a group."""

    least: float
    greatest: float


@dataclass(frozen=True, slots=True)
class TraceGroup:
    """Traces of a batch that are linked; ``planned``: how many of them are in the plan.

    ``spread``: None for a trace that is alone. ``objective``: the prompt; None where they differ.
    ``tools``: each tool and how many traces use it, most used first, then alphabetically.
    """

    members: tuple[int, ...]
    representative: int
    spread: GroupSpread | None
    objective: str | None
    tools: tuple[tuple[str, int], ...]
    planned: int

    @property
    def same_tools(self) -> tuple[str, ...] | None:
        """The tools that all of its traces use; None where the traces differ in their tools."""
        if any(traces < len(self.members) for _, traces in self.tools):
            return None
        return tuple(name for name, _ in self.tools)


@dataclass(frozen=True, slots=True)
class GroupedBatch:
    """A batch and its groups at a similarity, the largest first."""

    batch: Batch
    similarity: float
    groups: tuple[TraceGroup, ...]


class Link(NamedTuple):
    """Two groups merge at this distance, 1 - similarity; indices from n on are earlier links."""

    one: int
    other: int
    distance: float


@dataclass(frozen=True, slots=True)
class LinkedTraces:
    """How n traces merge into one group, the most similar first.

    ``order``: that of the map: groups stay together; of up to 1,500 traces, similar ones do, too.
    """

    links: tuple[Link, ...]
    order: tuple[int, ...]


def link(similarities: Similarities) -> LinkedTraces:
    """Single linkage, and the order of the map; holds the interpreter's lock until it is done."""
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering  # noqa: PLC0415 - in the other process only

    size = len(similarities)
    if size < _FEWEST:
        return LinkedTraces((), tuple(range(size)))
    distances = 1.0 - similarities[np.triu_indices(size, 1)]
    tree = linkage(distances, "single")
    links = tuple(Link(int(one), int(other), far) for one, other, far, _ in tree.tolist())
    if size <= _MOST_ORDERED:
        tree = optimal_leaf_ordering(tree, distances)
    return LinkedTraces(links, tuple(leaves_list(tree).tolist()))


def linking(batch: Batch, limit: float = LIMIT_S) -> "Child[LinkedTraces]":
    """Start linking a batch in another process; gives its links and the order of its map."""
    return Child(link, batch.similarities, limit=limit)


def why_not_linked(child: "Child[LinkedTraces]") -> Phrase:
    """A sentence on why linking gave no result."""
    if child.ended_early:
        return Phrase(
            "The traces could not be grouped: the process that does it ended before it was done,"
            " perhaps for want of memory."
        )
    return Phrase("The traces could not be grouped in time.")


def groups_at(
    batch: Batch, linked: LinkedTraces, similarity: float, terms: Terms, planned: Sequence[int] = ()
) -> GroupedBatch:
    """The groups at a similarity, the largest first, those of one trace among them.

    Two traces that are at least this similar are in one group. The first one in the plan represents
    its group, or else the one with the highest score by these terms.
    """
    place_of = {one: place for place, one in enumerate(planned)}
    groups = []

    def score_of(one: int) -> float:
        """The score before any other of the batch."""
        measurement = batch.candidates[one].measurement
        similarity = float(batch.to_remembered[:, one].max()) if batch.remembered else None
        novelty = at_similarity(measurement, similarity).novelty.value
        return measured_score(measurement.facts, novelty, terms.profile_of(measurement))

    for members in _cut(linked, similarity):
        chosen = sorted((one for one in members if one in place_of), key=place_of.__getitem__)
        traces = [batch.candidates[one].record.trace for one in members]
        objectives = {one.objective for one in traces}
        used = Counter(tool for one in traces for tool in {step.tool_name for step in one.steps})
        spread = None
        if len(members) > 1:
            pairs = batch.similarities[np.ix_(members, members)][np.triu_indices(len(members), 1)]
            spread = GroupSpread(float(pairs.min()), float(pairs.max()))
        groups.append(
            TraceGroup(
                members=members,
                # of equal scores the first
                representative=chosen[0] if chosen else max(members, key=score_of),
                spread=spread,
                objective=objectives.pop() if len(objectives) == 1 else None,
                tools=tuple(
                    sorted(
                        ((tool, count) for tool, count in used.items() if tool is not None),
                        key=lambda one: (-one[1], one[0]),
                    )
                ),
                planned=len(chosen),
            )
        )
    groups.sort(key=lambda one: (-len(one.members), one.members))
    return GroupedBatch(batch, similarity, tuple(groups))


def _cut(linked: LinkedTraces, similarity: float) -> Iterable[tuple[int, ...]]:
    size = len(linked.order)
    groups: dict[int, tuple[int, ...]] = {one: (one,) for one in range(size)}
    for number, made in enumerate(linked.links, size):
        # links are sorted by distance, so both groups of a link exist when it is reached
        if made.distance > 1.0 - similarity:
            break
        groups[number] = groups.pop(made.one) + groups.pop(made.other)
    return [tuple(sorted(one)) for one in groups.values()]


MOST_LEVEL: Final = 255
LEVEL_POWER: Final = 1.6
"""The exponent from a similarity's level to the strength of its colour, which pales low ones."""


@dataclass(frozen=True, slots=True)
class MapLevels:
    """A square of levels, row by row, a byte each: 0 for a similarity up to 0, 255 for 1."""

    side: int
    levels: bytes = field(repr=False)


def map_levels(similarities: Similarities, order: Sequence[int], side: int) -> MapLevels:
    """The levels in the ``order`` of the map, which has every trace once; (n, n), symmetric.

    A row has ``side`` levels: with more traces than that, each level is the mean of several pairs;
    with fewer traces, each trace takes several levels.
    """
    pairs = similarities[np.ix_(order, order)]
    if side < len(order):
        starts = [place * len(order) // side for place in range(side)]
        counts = np.diff([*starts, len(order)])
        sums = np.add.reduceat(np.add.reduceat(pairs, starts, axis=0), starts, axis=1)
        pairs = sums / np.outer(counts, counts)
    levels = np.rint(pairs.clip(0.0, 1.0) * MOST_LEVEL).astype(np.uint8)
    if 0 < len(order) < side:
        places = np.arange(side) * len(order) // side
        levels = levels[np.ix_(places, places)]
    return MapLevels(side, levels.tobytes())
