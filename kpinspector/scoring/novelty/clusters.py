"""The near-duplicates around the nearest entries: what novelty would be without all of them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kpinspector.scoring.findings import Entry
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.model.vectors import Vector, Vectors, similarities_between
from kpinspector.scoring.novelty.neighbours import NEAR_DUPLICATE, Cluster


def clusters_of(
    novelty: Novelty, vector: Vector, entries: Sequence[Entry], vectors: Vectors
) -> tuple[Cluster, ...]:
    """The cluster of each neighbour, in their order; empty where one is no entry any more.

    Args:
        novelty: Of the trace.
        vector: Its own.
        entries: All that it was compared with.
        vectors: Theirs, shape (n, 384).
    """
    place_of = {entry.key: place for place, entry in enumerate(entries)}
    places = [place_of.get(near.key) for near in novelty.neighbours]
    similar = similarities_between(vectors, vector[np.newaxis])[:, 0]
    units = _units(vectors)
    found: list[Cluster] = []
    known: list[npt.NDArray[np.bool_]] = []
    for place in places:
        if place is None:
            return ()
        linked = next((one for one in known if one[place]), None)
        if linked is None:
            linked = _linked(units, place)
            known.append(linked)
        left = similar[~linked]
        nearest = float(left.max()) if left.size else None
        found.append(Cluster(int(linked.sum()), nearest))
    return tuple(found)


def _units(vectors: Vectors) -> npt.NDArray[np.float64]:
    wide = vectors.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    units = np.zeros_like(wide)
    np.divide(wide, lengths, out=units, where=lengths > 0)
    return units


def _linked(units: npt.NDArray[np.float64], place: int) -> npt.NDArray[np.bool_]:
    """Which rows a chain of near-duplicates leads to."""
    linked = np.zeros(len(units), bool)
    linked[place] = True
    last = np.array([place])
    while last.size:
        others = np.flatnonzero(~linked)
        near = (units[others] @ units[last].T >= NEAR_DUPLICATE).any(axis=1)
        last = others[near]
        linked[last] = True
    return linked
