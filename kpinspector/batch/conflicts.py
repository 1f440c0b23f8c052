"""Which traces of a batch cannot both be accepted, and large sets of traces that can.

In a process that scores only the chosen traces, a trace is accepted when none before it is more
similar to it than its limit. Scored in ascending order of limits, two traces are both accepted
exactly when they are no more similar than the larger of the two limits, that of the later trace.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from math import floor
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from scipy.optimize import LinearConstraint

Mask: TypeAlias = npt.NDArray[np.bool_]
Places: TypeAlias = npt.NDArray[np.intp]

_FIRSTS_TRIED: Final = 20


@dataclass(frozen=True, slots=True, eq=False)
class Conflicts:
    """Why n traces cannot all be accepted together, though each would be accepted alone.

    Attributes:
        apart: Shape (n, n), symmetric: traces i and j cannot both be accepted.
        behind: Shape (n, n): with trace i scored first of all, trace j is not accepted. None where
            entries are remembered, so that no trace has an empty cache.
        may_be_first: Shape (n,): the trace is accepted with nothing to compare it with.
        worth: Shape (n,), in 0..1: decides between sets of equal size.
        kept: Traces that have to be in the set.
    """

    apart: Mask = field(repr=False)
    behind: Mask | None = field(repr=False)
    may_be_first: Mask = field(repr=False)
    worth: npt.NDArray[np.float64] = field(repr=False)
    kept: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of traces."""
        return len(self.apart)

    def first_of(self, members: Places) -> int | None:
        """The member to be scored first of all; None where none can be, or none need be."""
        if self.behind is None:
            return None
        firsts = members[self.may_be_first[members]]
        held_up = self.behind[np.ix_(firsts, members)] & (firsts[:, None] != members[None, :])
        able = firsts[~held_up.any(axis=1)]
        return int(able[0]) if len(able) else None

    def allows(self, members: Places) -> bool:
        """Whether all these traces can be accepted together."""
        if self.apart[np.ix_(members, members)].any():
            return False
        return self.behind is None or not len(members) or self.first_of(members) is not None

    def beside(self, first: int | None) -> Mask:
        """The traces that can be accepted with ``first`` scored first of all, itself included."""
        if first is None or self.behind is None:
            return np.ones(self.size, np.bool_)
        open_: Mask = ~(self.behind[first] | self.apart[first])
        open_[first] = True
        return open_


def large_set(conflicts: Conflicts) -> Places | None:
    """A large set that can be accepted, found greedily; None where the kept traces allow none.

    The trace with the fewest remaining conflicts is taken each time; of equal ones, that of greater
    worth. Where one trace has to be the first of all, several are tried.
    """
    if conflicts.behind is None:
        return _grown(conflicts, None)
    best = None
    firsts, bounds = bounded_firsts(conflicts)
    for number, (first, bound) in enumerate(zip(firsts, bounds, strict=True)):
        if best is not None and (len(best) >= bound or number >= _FIRSTS_TRIED):
            break
        found = _grown(conflicts, first)
        if found is not None and (best is None or len(found) > len(best)):
            best = found
    return np.empty(0, np.intp) if best is None and not conflicts.kept else best


def _grown(conflicts: Conflicts, first: int | None) -> Places | None:
    """A set with ``first`` scored first of all; None where the kept traces rule that out."""
    apart, open_ = conflicts.apart, conflicts.beside(first)
    forced = [*conflicts.kept, *([] if first is None or first in conflicts.kept else [first])]
    taken = np.zeros(conflicts.size, np.bool_)
    for one in forced:
        if not open_[one]:
            return None
        open_ &= ~apart[one]
        taken[one] = True
    open_ &= ~taken
    degrees = apart[:, open_].sum(axis=1, dtype=np.float64) - conflicts.worth / 2
    while open_.any():
        best = int(np.argmin(np.where(open_, degrees, np.inf)))
        gone = open_ & apart[best]
        taken[best] = True
        gone[best] = True
        open_ &= ~gone
        degrees -= apart[:, gone].sum(axis=1)
    return np.flatnonzero(taken)


def at_most(conflicts: Conflicts) -> int:
    """An upper bound of the number accepted: at most one trace of each covering clique."""
    if conflicts.behind is not None:
        return max(bounded_firsts(conflicts)[1], default=0)
    return int(_clique_of(conflicts.apart, _beside_kept(conflicts)).max(initial=-1)) + 1


def bounded_firsts(conflicts: Conflicts) -> tuple[list[int], list[int]]:
    """Traces that may be first of all, and bounds of the number accepted, greatest bound first."""
    among = _beside_kept(conflicts)
    clique_of = _clique_of(conflicts.apart, among)
    members = np.zeros((conflicts.size, conflicts.size), np.float32)  # (trace, clique)
    members[np.flatnonzero(among), clique_of[among]] = 1
    kept = list(conflicts.kept)
    firsts, left = [], []
    for first in np.flatnonzero(conflicts.may_be_first & among).tolist():
        beside = conflicts.beside(first) & among
        if beside[kept].all():
            firsts.append(first)
            left.append(beside)
    if not firsts:
        return [], []
    bounds = (np.array(left, np.float32) @ members > 0).sum(axis=1)
    order = np.lexsort((-conflicts.worth[firsts], -bounds))
    return [firsts[one] for one in order], bounds[order].tolist()


def _beside_kept(conflicts: Conflicts) -> Mask:
    among = np.ones(conflicts.size, np.bool_)
    for one in conflicts.kept:
        among &= ~conflicts.apart[one]
    return among


def _clique_of(apart: Mask, among: Mask) -> Places:
    """Cover these traces with cliques greedily; for each trace the number of its clique, or -1."""
    places = np.flatnonzero(among)
    order = places[np.argsort(apart[np.ix_(places, places)].sum(axis=1), kind="stable")]
    joins = np.zeros((len(order), len(apart)), np.bool_)  # which traces each clique can still take
    found = np.full(len(apart), -1, np.intp)
    number = 0
    for place in order:
        able = np.flatnonzero(joins[:number, place])
        if len(able):
            joins[able[0]] &= apart[place]
            found[place] = able[0]
        else:
            joins[number] = apart[place]
            found[place] = number
            number += 1
    return found


_WORTH: Final = 0.05  # of one trace: the weight of all worths, too little to change a count
_CLOSE: Final = 0.9  # of one trace: a smaller gap proves the count
_NEARLY: Final = 1e-6
_MOST_WORK: Final = 20_000  # nodes of the search, each times the number of traces


@dataclass(frozen=True, slots=True)
class Solved:
    """The set of traces, if one was found, and an upper bound of the size of any set."""

    members: tuple[int, ...] | None
    at_most: int


def solve(conflicts: Conflicts, most_work: int = _MOST_WORK) -> Solved:
    """The largest set found within a fixed amount of work, so that every computer gets the same.

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
        if bound <= most:
            break
        if nodes <= 0:
            most = max(most, bound)  # the other firsts have no greater bounds
            break
        wanted = {*conflicts.kept, first}
        found, used = _milp(conflicts, cliques, conflicts.beside(first), wanted, nodes)
        nodes -= used
        most = max(most, min(bound, found.at_most))
        if found.members and len(found.members) > len(best.members or ()):
            best = found
    return Solved(best.members, most)


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
    conflicts: Conflicts, cliques: list[list[int]], among: Mask, wanted: Collection[int], nodes: int
) -> tuple[Solved, int]:
    """The largest set among some traces that includes the wanted ones, and the nodes it took."""
    from scipy.optimize import Bounds, milp  # noqa: PLC0415 - in the other process only

    size = conflicts.size
    lowest = np.zeros(size)
    lowest[list(wanted)] = 1
    result = milp(
        -1 - _WORTH / size * conflicts.worth,
        integrality=np.ones(size, np.intp),
        bounds=Bounds(lowest, among.astype(np.float64)),
        constraints=_rows(cliques, among),
        options={"node_limit": max(1, nodes), "mip_rel_gap": _CLOSE / size},
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
    from scipy.optimize import LinearConstraint  # noqa: PLC0415 - in the other process only
    from scipy.sparse import csr_array  # noqa: PLC0415

    left = [[one for one in clique if among[one]] for clique in cliques]
    rows = [one for one in left if len(one) > 1] or [[0]]
    # 32-bit indices, as older solvers accept no others
    columns = np.array([one for row in rows for one in row], np.int32)
    ends = np.cumsum([0, *map(len, rows)], dtype=np.int32)
    matrix = csr_array((np.ones(len(columns)), columns, ends), shape=(len(rows), len(among)))
    return LinearConstraint(matrix, -np.inf, 1.0)
