"""Finds the largest set of traces that can be accepted; runs in a process of its own.

The maximum independent set of the conflicts, as a mixed-integer program over clique constraints.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import floor
from typing import TYPE_CHECKING, Final

import numpy as np

from kpinspector.batch.conflicts import Conflicts, Mask, bounded_firsts

if TYPE_CHECKING:
    from scipy.optimize import LinearConstraint

_WORTH: Final = 0.05  # of one trace: all worths together weigh less than one more trace
_CLOSE: Final = 0.9  # a bound less than one trace away proves the count
_NEARLY: Final = 1e-6
_MOST_WORK: Final = 20_000  # nodes of the search, each times the number of traces


@dataclass(frozen=True, slots=True)
class Solved:
    """The set, if one was found, and an upper bound of the number of traces."""

    members: tuple[int, ...] | None
    at_most: int


def solve(conflicts: Conflicts, most_work: int = _MOST_WORK) -> Solved:
    """The largest set that is found within so much work: the same at each run, however fast.

    Where one trace has to be the first of all, the problem is solved for each that can be, the most
    promising first, until none is left that could give a larger set.
    """
    nodes = most_work // max(1, conflicts.size)
    cliques = [*edge_cliques(conflicts.apart)]
    every = np.ones(conflicts.size, np.bool_)
    if conflicts.behind is None:
        return _milp(conflicts, cliques, every, conflicts.kept, nodes)[0]
    best, most = Solved(None, 0), 0
    for first, bound in zip(*bounded_firsts(conflicts), strict=True):
        if bound <= max(most, len(best.members or ())):
            break
        if nodes <= 0:
            most = max(most, bound)  # the bounds of the others are no greater
            break
        wanted = {*conflicts.kept, first}
        found, used = _milp(conflicts, cliques, conflicts.beside(first), wanted, nodes)
        nodes -= used
        most = max(most, min(bound, found.at_most))
        if found.members and len(found.members) > len(best.members or ()):
            best = found
    return Solved(best.members, max(most, len(best.members or ())))


def edge_cliques(apart: Mask) -> Iterator[list[int]]:
    """Maximal cliques that together hold every pair of traces in conflict."""
    left, degrees = apart.copy(), apart.sum(axis=1)
    for place in np.argsort(-degrees, kind="stable").tolist():
        while left[place].any():
            members, common = [place], apart[place].copy()
            while common.any():
                wanted = common & left[place]
                pool = wanted if wanted.any() else common
                best = int(np.argmax(np.where(pool, degrees, -1)))
                members.append(best)
                common &= apart[best]
            left[np.ix_(members, members)] = False
            yield members


def _milp(
    conflicts: Conflicts,
    cliques: list[list[int]],
    among: Mask,
    wanted: Collection[int],
    nodes: int,
) -> tuple[Solved, int]:
    """The largest set among some traces that includes those that are wanted; the nodes it took."""
    from scipy.optimize import Bounds, milp  # noqa: PLC0415 - in the other process only

    size = conflicts.size
    lowest = np.zeros(size)
    lowest[list(wanted)] = 1
    result = milp(
        -1 - _WORTH / size * conflicts.worth,
        integrality=np.ones(size, np.intp),
        bounds=Bounds(lowest, among.astype(np.float64)),
        constraints=_rows(cliques, among),
        options={
            "node_limit": max(1, nodes),
            "mip_rel_gap": _CLOSE / size,
        },
    )
    bound: float | None = result.mip_dual_bound
    most = int(among.sum())
    if bound is not None and np.isfinite(bound):
        most = min(most, floor(-bound + _NEARLY))  # worths only raise the bound
    used = max(1, result.mip_node_count or 0)
    if result.x is None:
        return Solved(None, most), used
    members = np.flatnonzero(np.asarray(result.x) > 1 / 2)
    return Solved(tuple(members.tolist()), most), used


def _rows(cliques: list[list[int]], among: Mask) -> "LinearConstraint":
    """The constraints: at most one trace of each clique."""
    from scipy.optimize import LinearConstraint  # noqa: PLC0415 - in the other process only
    from scipy.sparse import csr_array  # noqa: PLC0415

    left = [[one for one in clique if among[one]] for clique in cliques]
    rows = [one for one in left if len(one) > 1] or [[0]]
    # 32-bit indices: older solvers take no others
    columns = np.array([one for row in rows for one in row], np.int32)
    ends = np.cumsum([0, *map(len, rows)], dtype=np.int32)
    matrix = csr_array((np.ones(len(columns)), columns, ends), shape=(len(rows), len(among)))
    return LinearConstraint(matrix, -np.inf, 1.0)
