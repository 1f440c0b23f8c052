"""Which traces of a batch cannot both be accepted, and large sets of traces that can.

In a process that scores only the chosen traces, a trace is accepted when none before it is more
similar to it than its limit. Scored in ascending order of limits, two traces are both accepted
exactly when they are no more similar than the larger of the two limits, that of the later trace.
"""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Mask: TypeAlias = npt.NDArray[np.bool_]
Places: TypeAlias = npt.NDArray[np.intp]

_FIRSTS_TRIED: Final = 20


@dataclass(frozen=True, slots=True, eq=False)
class Conflicts:
    """What keeps n traces from being accepted together; each of them would be accepted alone.

    Attributes:
        apart: Shape (n, n), symmetric: the two cannot both be accepted.
        behind: Shape (n, n): with trace i first of all, trace j is not accepted. None where entries
            are remembered, so that no trace is the first of all.
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
        """Whether all of them can be accepted together."""
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
    """An upper bound of the number accepted: the cliques that cover the traces give one each."""
    if conflicts.behind is not None:
        return max(bounded_firsts(conflicts)[1], default=0)
    return int(_clique_of(conflicts.apart, _beside_kept(conflicts)).max(initial=-1)) + 1


def bounded_firsts(conflicts: Conflicts) -> tuple[list[int], list[int]]:
    """The traces that may be the first of all, each with an upper bound of the number accepted.

    Those with the greatest bounds come first, of equal ones the worthier.
    """
    among = _beside_kept(conflicts)
    clique_of = _clique_of(conflicts.apart, among)
    members = np.zeros((conflicts.size, conflicts.size), np.float32)  # one-hot by clique
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
    """The traces without a conflict with those that are kept."""
    among = np.ones(conflicts.size, np.bool_)
    for one in conflicts.kept:
        among &= ~conflicts.apart[one]
    return among


def _clique_of(apart: Mask, among: Mask) -> Places:
    """Cover these traces with cliques greedily; the number of each one's clique, else -1."""
    places = np.flatnonzero(among)
    order = places[np.argsort(apart[np.ix_(places, places)].sum(axis=1), kind="stable")]
    joins = np.zeros((len(order), len(apart)), np.bool_)  # what each clique can still take
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
