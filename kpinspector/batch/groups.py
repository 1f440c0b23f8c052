"""Groups of near-duplicates: traces that are linked by a chain of similar ones."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from kpinspector.batch.child import LIMIT_S, Child
from kpinspector.batch.compared import Batch, Candidate
from kpinspector.batch.limits import Terms
from kpinspector.batch.linking import LinkedTraces, link
from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.assess import measured_score
from kpinspector.scoring.formula.measurement import at_similarity
from kpinspector.scoring.model.vectors import Similarities

FIRST_SIMILARITY: Final = 0.8


@dataclass(frozen=True, slots=True)
class GroupSpread:
    """The least and the greatest similarity of two traces of a group."""

    least: float
    greatest: float


class UsedTool(NamedTuple):
    """A tool, and how many traces of a group use it."""

    name: str
    traces: int


@dataclass(frozen=True, slots=True)
class Common:
    """What the traces of a group have in common.

    Attributes:
        objective: The prompt; None where they differ.
        tools: The one that most of them use first, those of as many in alphabetical order.
    """

    objective: str | None
    tools: tuple[UsedTool, ...]


@dataclass(frozen=True, slots=True)
class TraceGroup:
    """Traces of a batch that are linked.

    Attributes:
        members: Indices in the batch, in its order.
        representative: The one that stands for all.
        spread: None for a trace that is alone.
        planned: How many of them are in the plan.
    """

    members: tuple[int, ...]
    representative: int
    spread: GroupSpread | None
    common: Common
    planned: int

    @property
    def same_tools(self) -> tuple[str, ...] | None:
        """The tools that each of them uses, and no others; None where they differ."""
        if any(one.traces < len(self.members) for one in self.common.tools):
            return None
        return tuple(one.name for one in self.common.tools)


@dataclass(frozen=True, slots=True)
class GroupedBatch:
    """A batch and its groups at a similarity, the largest first."""

    batch: Batch
    similarity: float
    groups: tuple[TraceGroup, ...]


def linking(batch: Batch, limit: float = LIMIT_S) -> "Child[LinkedTraces]":
    """The links of a batch and the order of its map, begun in another process."""
    return Child(link, batch.similarities, limit=limit)


def why_not_linked(child: "Child[LinkedTraces]") -> Phrase:
    """Why it gave no links."""
    if child.ended_early:
        return Phrase(
            "The traces could not be grouped: the process that does it ended before it was done,"
            " perhaps for want of memory."
        )
    return Phrase("The traces could not be grouped in time.")


def groups_at(
    batch: Batch, linked: LinkedTraces, similarity: float, terms: Terms, planned: Sequence[int] = ()
) -> tuple[TraceGroup, ...]:
    """The groups at a similarity, the largest first, those of one trace among them.

    Args:
        batch: The traces.
        linked: Their links.
        similarity: Two that are at least so similar are in one group.
        terms: What a representative is chosen by, where the plan has none.
        planned: The traces of the plan in its order: the first one of a group stands for it.
    """
    place_of = {one: place for place, one in enumerate(planned)}
    groups = []
    for members in _cut(linked, similarity):
        chosen = sorted((one for one in members if one in place_of), key=place_of.__getitem__)
        groups.append(
            TraceGroup(
                members=members,
                representative=chosen[0] if chosen else _best(batch, members, terms),
                spread=_spread(batch, members),
                common=_common([batch.candidates[one] for one in members]),
                planned=len(chosen),
            )
        )
    return tuple(sorted(groups, key=lambda one: (-len(one.members), one.members)))


def _cut(linked: LinkedTraces, similarity: float) -> Iterable[tuple[int, ...]]:
    """What is one group once all links of this similarity and more are made."""
    size = len(linked.order)
    groups: dict[int, tuple[int, ...]] = {one: (one,) for one in range(size)}
    for number, made in enumerate(linked.links, size):
        # links come in ascending order, so what they join is there as long as they are wanted
        if made.distance > 1.0 - similarity:
            break
        groups[number] = groups.pop(made.one) + groups.pop(made.other)
    return [tuple(sorted(one)) for one in groups.values()]


def _best(batch: Batch, members: Iterable[int], terms: Terms) -> int:
    """The one that scores most before any other of the batch; of equal ones the first."""

    def score(one: int) -> float:
        measurement = batch.candidates[one].measurement
        near = float(batch.to_remembered[:, one].max()) if batch.remembered else None
        return measured_score(at_similarity(measurement, near), terms.profile_of(measurement))

    return max(members, key=score)


def _spread(batch: Batch, members: Sequence[int]) -> GroupSpread | None:
    if len(members) == 1:
        return None
    pairs = batch.similarities[np.ix_(members, members)][np.triu_indices(len(members), 1)]
    return GroupSpread(float(pairs.min()), float(pairs.max()))


def _common(candidates: Sequence[Candidate]) -> Common:
    traces = [one.record.trace for one in candidates]
    objectives = {one.objective for one in traces}
    used = Counter(
        tool
        for one in traces
        for tool in {step.tool_name for step in one.steps if step.tool_name is not None}
    )
    tools = sorted(used.items(), key=lambda one: (-one[1], one[0]))
    return Common(
        objective=objectives.pop() if len(objectives) == 1 else None,
        tools=tuple(UsedTool(*one) for one in tools),
    )


MOST_LEVEL: Final = 255
LEVEL_POWER: Final = 1.6
"""Of a similarity's colour: what is hardly similar is pale."""


@dataclass(frozen=True, slots=True)
class MapLevels:
    """A square of levels.

    Attributes:
        side: How many stand in a row.
        levels: Row by row a byte each: 0 for similarity 0 and less, 255 for 1.
    """

    side: int
    levels: bytes = field(repr=False)


def map_levels(similarities: Similarities, order: Sequence[int], side: int) -> MapLevels:
    """The levels in the order of the map; each is the mean of several pairs where there are more.

    Args:
        similarities: Shape (n, n), symmetric.
        order: Every trace once.
        side: So many levels stand in a row; where there are fewer traces, each has several.
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
