"""Pairs of traces: which group each trace is in, and what is said of two."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from kpinspector.app.batches import BatchPicture
from kpinspector.batch.groups import GroupedBatch
from kpinspector.ui.look.plain_text import one_line
from kpinspector.words.batch import pair_place, pair_words
from kpinspector.words.figures import shown_number


class Pair(NamedTuple):
    """Two traces, by their indices in the picture; one and the same on the diagonal."""

    one: int
    other: int


class MapBlock(NamedTuple):
    """Where a group stands in the order of the map: from its first place to before ``end``."""

    start: int
    end: int
    group: int


@dataclass(frozen=True)
class Pairs:
    """All pairs of a picture whose traces are compared."""

    picture: BatchPicture
    grouped: GroupedBatch

    @property
    def count(self) -> int:
        """The number of traces."""
        return len(self.picture.order)

    def similarity(self, pair: Pair) -> float:
        """How similar two traces are."""
        return float(self.grouped.batch.similarities[pair.one, pair.other])

    def name(self, trace: int) -> str:
        """What the list calls a trace."""
        return one_line(self.picture.names[trace])

    def shared_group(self, pair: Pair) -> int | None:
        """The group of two or more that both are in."""
        one, other = (self.group_of[trace] for trace in pair)
        return one if one == other and self.size_of(one) > 1 else None

    def size_of(self, group: int) -> int:
        """How many traces a group has."""
        return len(self.grouped.groups[group].members)

    def place_words(self, pair: Pair) -> str:
        """Whether they are in one group."""
        group = self.shared_group(pair)
        size = None if group is None else self.size_of(group)
        return pair_place(size, same=pair.one == pair.other)

    def words(self, pair: Pair) -> str:
        """All that is said of a pair."""
        names = (self.name(pair.one), self.name(pair.other))
        return pair_words(names, shown_number(self.similarity(pair)), self.place_words(pair))

    @cached_property
    def group_of(self) -> Mapping[int, int]:
        """The group of each trace."""
        groups = enumerate(self.grouped.groups)
        return {trace: number for number, group in groups for trace in group.members}

    @cached_property
    def blocks(self) -> tuple[MapBlock, ...]:
        """The groups as they stand on the map, those of one trace among them."""
        blocks: list[MapBlock] = []
        for place, trace in enumerate(self.picture.order):
            group = self.group_of[trace]
            if blocks and blocks[-1].group == group:
                blocks[-1] = blocks[-1]._replace(end=place + 1)
            else:
                blocks.append(MapBlock(place, place + 1, group))
        return tuple(blocks)


def pairs_of(picture: BatchPicture | None) -> Pairs | None:
    """The pairs of a picture; None until its traces are compared."""
    if picture is None or picture.grouped is None:
        return None
    return Pairs(picture, picture.grouped)
