"""The largest set of traces that can be accepted, exactly; runs in a process of its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from kpinspector.batch.conflicts import Conflicts, Mask, Places

if TYPE_CHECKING:
    from scipy.optimize import LinearConstraint, OptimizeResult

_WORTH: Final = 0.05  # all worths together, in traces: they never outweigh one
_CLOSE: Final = 0.9  # a bound that is closer than one trace proves the count
_NEARLY: Final = 1e-6
_OWN_SHARE: Final = 0.7  # of the time; the rest is for what is done before and after
_SOLVED: Final = 0

Row: TypeAlias = tuple[list[int], list[float], float, float]


@dataclass(frozen=True, slots=True)
class Solved:
    """What came of it: a set, where one was found in time, and how many there can be at most."""

    members: tuple[int, ...] | None
    at_most: int


def solve(conflicts: Conflicts, seconds: float) -> Solved:
    """The largest set, as far as it is found in so many seconds.

    At first without the rule for the first trace, which only takes from it: where the set can be
    accepted all the same, or nothing forbids it, that is the answer.
    """
    deadline = monotonic() + _OWN_SHARE * seconds
    cliques = [*edge_cliques(conflicts.apart)]
    members, bound = _milp(conflicts, cliques, firsts=(), deadline=deadline)
    if conflicts.behind is None or (members is not None and conflicts.allows(members)):
        return _solved(members, bound)
    firsts = tuple(np.flatnonzero(conflicts.may_be_first).tolist())
    members, ruled = _milp(conflicts, cliques, firsts=firsts, deadline=deadline)
    return _solved(members, min(bound, ruled))


def _solved(members: Places | None, bound: int) -> Solved:
    return Solved(None if members is None else tuple(members.tolist()), bound)


def edge_cliques(apart: Mask) -> Iterator[list[int]]:
    """Cliques, none of which can grow, that hold every pair of traces that is apart."""
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
    conflicts: Conflicts, cliques: list[list[int]], *, firsts: tuple[int, ...], deadline: float
) -> tuple[Places | None, int]:
    """The largest set, or None, and a bound; ``firsts``: one of these comes before all."""
    from scipy.optimize import Bounds, milp  # noqa: PLC0415 - in the other process only

    size = conflicts.size
    worths = 1 + _WORTH / max(1, size) * conflicts.worth
    lowest = np.zeros(size + len(firsts))
    lowest[list(conflicts.kept)] = 1
    result = milp(
        np.concatenate([-worths, np.zeros(len(firsts))]),
        integrality=np.ones(size + len(firsts), np.intp),
        bounds=Bounds(lowest, np.ones(size + len(firsts))),
        constraints=_rows(conflicts, cliques, firsts),
        options={
            "time_limit": max(0.0, deadline - monotonic()),
            "mip_rel_gap": _CLOSE / max(1, size),
        },
    )
    return _members(result, size), _bound(result, size)


def _rows(
    conflicts: Conflicts, cliques: list[list[int]], firsts: tuple[int, ...]
) -> "LinearConstraint":
    """At most one of each clique; and for the trace that comes before all, what it forbids."""
    from scipy.optimize import LinearConstraint  # noqa: PLC0415 - in the other process only
    from scipy.sparse import csr_array  # noqa: PLC0415

    rows: list[Row] = [(one, [1.0] * len(one), -np.inf, 1.0) for one in cliques]
    rows += _first_rows(conflicts, firsts)
    rows = rows or [([0], [1.0], -np.inf, 1.0)]
    columns = [column for row in rows for column in row[0]]
    values = [value for row in rows for value in row[1]]
    ends = np.cumsum([0, *(len(row[0]) for row in rows)])
    matrix = csr_array((values, columns, ends), shape=(len(rows), conflicts.size + len(firsts)))
    return LinearConstraint(matrix, [row[2] for row in rows], [row[3] for row in rows])


def _first_rows(conflicts: Conflicts, firsts: tuple[int, ...]) -> Iterator[Row]:
    """One is before all and is in; who cannot stand behind it is not.

    As only one is before all, all those behind which a trace cannot stand share a row with it.
    """
    if not firsts or conflicts.behind is None:
        return
    columns = [conflicts.size + number for number in range(len(firsts))]
    yield columns, [1.0] * len(columns), 1.0, 1.0
    for column, first in zip(columns, firsts, strict=True):
        yield [column, first], [1.0, -1.0], -np.inf, 0.0
    for place in range(conflicts.size):
        forbids = conflicts.behind[list(firsts), place] & (np.array(firsts) != place)
        before = [columns[number] for number in np.flatnonzero(forbids)]
        if before:
            yield [place, *before], [1.0] * (1 + len(before)), -np.inf, 1.0


def _members(result: "OptimizeResult", size: int) -> Places | None:
    return None if result.x is None else np.flatnonzero(np.asarray(result.x)[:size] > 1 / 2)


def _bound(result: "OptimizeResult", size: int) -> int:
    """How many there can be at most; worths only add to what is bounded."""
    found: float | None = result.mip_dual_bound
    if found is None or not np.isfinite(found):
        return size
    return min(size, floor(-found + _NEARLY))
