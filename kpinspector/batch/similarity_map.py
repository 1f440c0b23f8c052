"""The similarities of all pairs as a picture: one level a pair, or one for several where many."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from kpinspector.scoring.model.vectors import Similarities

MOST_LEVEL: Final = 255


@dataclass(frozen=True, slots=True)
class MapLevels:
    """A square of levels.

    Attributes:
        side: How many stand in a row.
        levels: Row by row a byte each: 0 for similarity 0 and less, 255 for 1.
    """

    side: int
    levels: bytes = field(repr=False)


def map_levels(similarities: Similarities, order: Sequence[int], most: int) -> MapLevels:
    """The levels in the order of the map; each is the mean of several pairs where there are more.

    Args:
        similarities: Shape (n, n), symmetric.
        order: Every trace once.
        most: So many levels stand in a row at most.
    """
    pairs = similarities[np.ix_(order, order)]
    side = min(len(order), most)
    if side < len(order):
        starts = [place * len(order) // side for place in range(side)]
        counts = np.diff([*starts, len(order)])
        sums = np.add.reduceat(np.add.reduceat(pairs, starts, axis=0), starts, axis=1)
        pairs = sums / np.outer(counts, counts)
    levels = np.rint(pairs.clip(0.0, 1.0) * MOST_LEVEL).astype(np.uint8)
    return MapLevels(side, levels.tobytes())
