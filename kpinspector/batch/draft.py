"""The part of a plan found at once: traces barred in any order, a large set, and a bound."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, NamedTuple

import numpy as np

from kpinspector.batch.compared import Batch
from kpinspector.batch.conflicts import Conflicts, Places, at_most, large_set
from kpinspector.batch.limits import Limit, Terms, limit_of
from kpinspector.batch.solver import Solved
from kpinspector.errors import KpError
from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.trace.read import name_of


class OutcomeEnd(StrEnum):
    """The outcome assumed for runs whose recording does not say it."""

    WORST = "worst"
    BEST = "best"


class Obstacle(StrEnum):
    """The one reason why a trace is left out, in the order in which they are checked."""

    SCHEMA = "schema"
    NO_CONTENT = "no_content"
    ASKED = "asked"
    OUT_OF_REACH = "out_of_reach"
    UNDECIDED = "undecided"
    REMEMBERED = "remembered"
    SAME = "same"
    SIMILAR = "similar"
    NO_FIRST = "no_first"


class Nearest(NamedTuple):
    """What a trace is most similar to: another trace of the batch, or an entry of the memory."""

    similarity: float
    candidate: int | None
    entry: int | None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A trace that is not in the plan.

    Attributes:
        candidate: Its index in the batch.
        nearest: What it is too similar to, where that is the reason.
        bound: The greatest similarity at which both would be accepted.
        best: The score with novelty 1.
    """

    candidate: int
    why: Obstacle
    nearest: Nearest | None = None
    bound: float | None = None
    best: float = 0.0


@dataclass(frozen=True, slots=True)
class Wishes:
    """The traces that the user wants in or out, by index in the batch."""

    keep: frozenset[int] = frozenset()
    leave_out: frozenset[int] = frozenset()


NO_WISHES: Final = Wishes()


@dataclass(frozen=True, slots=True)
class PlanDraft:
    """The part of a plan found at once, and what is left to solve.

    Attributes:
        limits: The limit of every trace of the batch.
        barred: The traces that are rejected in any order.
        open: Indices of the other traces, to which ``conflicts`` refers.
        members: A large set of these, as indices into ``open``.
        at_most: An upper bound of the number of traces accepted.
    """

    batch: Batch
    terms: Terms
    limits: tuple[Limit, ...]
    measurements: tuple[Measurement, ...]
    barred: tuple[LeftOut, ...]
    open: Places
    conflicts: Conflicts
    members: Places = field(repr=False)
    at_most: int

    @property
    def proven(self) -> bool:
        """No set is larger."""
        return len(self.members) >= self.at_most

    def with_solved(self, solved: Solved | None) -> "PlanDraft":
        """The draft with the solver's result; None is for nothing found in time."""
        if solved is None:
            return self
        most = max(len(self.members), min(self.at_most, solved.at_most))
        if solved.members is None or len(solved.members) < len(self.members):
            return replace(self, at_most=most)
        members = np.array(solved.members, np.intp)
        if not self.conflicts.allows(members):
            raise AssertionError("the solver found what cannot be accepted")
        return replace(self, members=members, at_most=max(most, len(members)))


def begin_plan(
    batch: Batch, terms: Terms, wishes: Wishes = NO_WISHES, end: OutcomeEnd = OutcomeEnd.WORST
) -> PlanDraft:
    """Find a large set and an upper bound, within a second.

    Raises:
        KpError: the traces to be kept cannot all be accepted.
    """
    measurements = tuple(_ended(one.measurement, end) for one in batch.candidates)
    limits = tuple(limit_of(one, terms) for one in measurements)
    barred = {
        place: left
        for place in range(batch.size)
        if (left := _barred(batch, place, limits[place], terms, wishes)) is not None
    }
    for place in sorted(wishes.keep & barred.keys()):
        raise _not_at_all(batch, place)
    open_ = np.array([one for one in range(batch.size) if one not in barred], np.intp)
    conflicts = _conflicts(batch, limits, open_, wishes)
    members = large_set(conflicts)
    if members is None:
        raise _not_together(batch, open_, conflicts)
    return PlanDraft(
        batch=batch,
        terms=terms,
        limits=limits,
        measurements=measurements,
        barred=tuple(barred.values()),
        open=open_,
        conflicts=conflicts,
        members=members,
        at_most=at_most(conflicts),
    )


def _ended(measurement: Measurement, end: OutcomeEnd) -> Measurement:
    worst, best = measurement.facts.outcome_ends
    return replace(measurement, facts=worst if end is OutcomeEnd.WORST else best)


def _barred(batch: Batch, place: int, limit: Limit, terms: Terms, wishes: Wishes) -> LeftOut | None:
    """Why a trace is rejected in any order; None where it may be accepted."""
    candidate = batch.candidates[place]
    most = limit.most_similar
    if not candidate.measurement.facts.schema_valid:
        return LeftOut(place, Obstacle.SCHEMA, best=limit.best)
    if candidate.subject is None:
        return LeftOut(place, Obstacle.NO_CONTENT, best=limit.best)
    if place in wishes.leave_out:
        return LeftOut(place, Obstacle.ASKED, best=limit.best)
    if most is None:
        better = best_limit(batch, place, terms)
        undecided = better.most_similar is not None
        return LeftOut(
            place, Obstacle.UNDECIDED if undecided else Obstacle.OUT_OF_REACH, best=better.best
        )
    near = nearest_remembered(batch, place, len(batch.remembered))
    if near is not None and near.similarity > most:
        return LeftOut(place, Obstacle.REMEMBERED, near, most, limit.best)
    return None


def best_limit(batch: Batch, place: int, terms: Terms) -> Limit:
    """The limit of a trace with the best possible outcome."""
    return limit_of(_ended(batch.candidates[place].measurement, OutcomeEnd.BEST), terms)


def nearest_remembered(batch: Batch, place: int, newest: int) -> Nearest | None:
    """The most similar of the ``newest`` newest entries."""
    start = len(batch.remembered) - newest
    if newest <= 0:
        return None
    column = batch.to_remembered[start:, place]
    best = int(np.argmax(column))
    return Nearest(float(column[best]), None, start + best)


def _not_at_all(batch: Batch, place: int) -> KpError:
    name, candidate = _name(batch, place), batch.candidates[place]
    if not candidate.measurement.facts.schema_valid:
        return KpError(Phrase("{name} is to be kept, but the schema refuses it.", name=name))
    if candidate.subject is None:
        return KpError(Phrase("{name} is to be kept, but its content was not recorded.", name=name))
    return KpError(Phrase("{name} is to be kept, but in no order is it accepted.", name=name))


def _not_together(batch: Batch, open_: Places, conflicts: Conflicts) -> KpError:
    kept = conflicts.kept
    if len(kept) == 1:
        return _not_at_all(batch, int(open_[kept[0]]))
    pairs = [(one, other) for one in kept for other in kept if conflicts.apart[one, other]]
    if not pairs:
        return KpError(Phrase("In no order is all that is to be kept accepted."))
    left, right = (_name(batch, int(open_[one])) for one in pairs[0])
    return KpError(
        Phrase(
            "{left} and {right} are to be kept, but in no order are both accepted.",
            left=left,
            right=right,
        )
    )


def _name(batch: Batch, place: int) -> str:
    source = batch.candidates[place].record.source
    return name_of(source.path, source.record)


def _conflicts(batch: Batch, limits: Sequence[Limit], open_: Places, wishes: Wishes) -> Conflicts:
    """The conflicts: pairs more similar than the larger of their limits, or of the same trace."""
    most = np.array([limits[one].most_similar for one in open_], np.float64)
    similar = batch.similarities[np.ix_(open_, open_)]
    apart = similar > np.maximum.outer(most, most)
    numbers: dict[str, int] = {}
    keys = [batch.candidates[one].place.key for one in open_]
    same = np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.intp)
    apart |= same[:, None] == same[None, :]
    np.fill_diagonal(apart, val=False)
    kept = tuple(np.flatnonzero(np.isin(open_, list(wishes.keep))).tolist())
    behind = None if batch.remembered else similar > most[None, :]
    if behind is not None:
        np.fill_diagonal(behind, val=False)
    return Conflicts(
        apart=apart,
        behind=behind,
        may_be_first=np.array([limits[one].alone for one in open_], np.bool_),
        worth=np.clip(np.array([limits[one].best for one in open_], np.float64), 0.0, 1.0),
        kept=kept,
    )
