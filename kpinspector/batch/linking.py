"""Single linkage and the order of the map; runs in a process of its own.

Leaf ordering holds the interpreter lock for its whole duration, which would freeze the window.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kpinspector.scoring.model.vectors import Similarities

_FEWEST = 2  # traces that can be linked
_MOST_ORDERED = 1500  # the optimal order of so many takes 2 s, that of 3,000 takes 24 s


class Link(NamedTuple):
    """Two groups merge at this distance, 1 - similarity; indices from n on are earlier links."""

    one: int
    other: int
    distance: float


@dataclass(frozen=True, slots=True)
class LinkedTraces:
    """How n traces merge into one group, the most similar first.

    ``order``: groups stay together; neighbours are as similar as that allows, up to 1,500 traces.
    """

    links: tuple[Link, ...]
    order: tuple[int, ...]


def link(similarities: Similarities) -> LinkedTraces:
    """Link all traces, and order them."""
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
