"""Single link and the order of the map; runs in a process of its own.

Leaf ordering holds the interpreter for as long as it takes, so nothing else could go on beside it.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kpinspector.scoring.model.vectors import Similarities

_FEWEST = 2  # that can be linked


class Link(NamedTuple):
    """Two groups become one at this distance, 1 - similarity; from n on they are earlier links."""

    one: int
    other: int
    distance: float


@dataclass(frozen=True, slots=True)
class LinkedTraces:
    """How n traces become one group, the most similar first.

    Attributes:
        links: n - 1 of them.
        order: All traces so that neighbours are as similar as they can be; links stay together.
    """

    links: tuple[Link, ...]
    order: tuple[int, ...]


def link(similarities: Similarities) -> LinkedTraces:
    """Link all traces, and order them.

    Args:
        similarities: Shape (n, n), symmetric.
    """
    from scipy.cluster.hierarchy import (  # noqa: PLC0415 - in the other process only
        leaves_list,
        linkage,
        optimal_leaf_ordering,
    )

    size = len(similarities)
    if size < _FEWEST:
        return LinkedTraces((), tuple(range(size)))
    distances = 1.0 - similarities[np.triu_indices(size, 1)]
    tree = linkage(distances, "single")
    links = tuple(Link(int(one), int(other), far) for one, other, far, _ in tree.tolist())
    order = leaves_list(optimal_leaf_ordering(tree, distances))
    return LinkedTraces(links, tuple(order.tolist()))
