"""Which traces of a batch cannot both be accepted, and large sets of those that can.

In a process that scores only chosen traces, one is accepted when none that came before is more
similar to it than its limit. In ascending order of limits two of them can both be accepted exactly
when they are no more similar than the larger of their limits: the larger one is asked.
"""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Mask: TypeAlias = npt.NDArray[np.bool_]
Places: TypeAlias = npt.NDArray[np.intp]

_FIRSTS_TRIED: Final = 8
_FIRSTS_BOUNDED: Final = 4000  # candidates for the first place times traces


@dataclass(frozen=True, slots=True, eq=False)
class Conflicts:
    """What keeps n traces from being accepted together; each of them would be alone.

    Attributes:
        apart: Shape (n, n), symmetric: not both.
        behind: Shape (n, n): the second is not accepted where the first came before all. None
            where something is remembered, so that no trace comes before all.
        may_be_first: Shape (n,): is accepted with nothing to compare it with.
        worth: Shape (n,), in 0..1: preferred among sets of equally many.
        kept: Must be in.
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
        """The member that comes before all; None where none of them can, or need not."""
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
        """Those that can be accepted where a trace comes before all, itself among them."""
        if first is None or self.behind is None:
            return np.ones(self.size, np.bool_)
        open_: Mask = ~(self.behind[first] | self.apart[first])
        open_[first] = True
        return open_


def large_set(conflicts: Conflicts) -> Places | None:
    """A large set that can be accepted; None where what is kept leaves none.

    The trace with the fewest conflicts is taken again and again; of equal ones the worthier.
    """
    plain = _grown(conflicts, None)
    if plain is None or conflicts.behind is None:
        return plain
    if conflicts.first_of(plain) is not None:
        return plain
    found = [_grown(conflicts, first) for first in _likely_firsts(conflicts, plain)]
    sets = [one for one in found if one is not None]
    if not sets:
        return None if conflicts.kept else np.empty(0, np.intp)
    return max(sets, key=lambda one: (len(one), conflicts.worth[one].sum()))


def _likely_firsts(conflicts: Conflicts, members: Places) -> list[int]:
    """Those that leave the most of a set behind themselves; all where some traces are kept."""
    firsts = np.flatnonzero(conflicts.may_be_first)
    left = [int(conflicts.beside(int(first))[members].sum()) for first in firsts]
    best = np.argsort(-np.array(left, np.intp), kind="stable")
    return [int(one) for one in firsts[best if conflicts.kept else best[:_FIRSTS_TRIED]]]


def _grown(conflicts: Conflicts, first: int | None) -> Places | None:
    """A set with a trace before all the others; None where that does not go with what is kept."""
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
    """How many can be accepted at most, by a cover with cliques: one of each at most."""
    among = np.ones(conflicts.size, np.bool_)
    for one in conflicts.kept:
        among &= ~conflicts.apart[one]
    cover = _cliques_over(conflicts.apart, among)
    if conflicts.behind is None:
        return cover
    firsts = np.flatnonzero(conflicts.may_be_first)
    if len(firsts) * conflicts.size > _FIRSTS_BOUNDED:
        return cover
    # none of the traces beside the first one is apart from it, so it is a clique of its own
    covers = [
        _cliques_over(conflicts.apart, among & conflicts.beside(int(first))) for first in firsts
    ]
    return min(cover, max(covers, default=0))


def _cliques_over(apart: Mask, among: Mask) -> int:
    """The number of cliques, none of which is large for sure, that hold all of these traces."""
    places = np.flatnonzero(among)
    order = places[np.argsort(apart[np.ix_(places, places)].sum(axis=1), kind="stable")]
    joins = np.zeros((len(order), len(apart)), np.bool_)  # a clique: those that it can still take
    number = 0
    for place in order:
        open_ = np.flatnonzero(joins[:number, place])
        if len(open_):
            joins[open_[0]] &= apart[place]
        else:
            joins[number] = apart[place]
            number += 1
    return number
