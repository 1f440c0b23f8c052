"""Which traces of a batch to contribute, and in which order.

Every trace that is scored joins the cache, so the order decides novelty. The plan is the largest
set of traces that a process accepts if it scores them, and no others, in the order given here.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import nextafter
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from kpinspector.batch.child import LIMIT_S, Child
from kpinspector.batch.compared import Batch
from kpinspector.batch.conflicts import Conflicts, Places, Solved, at_most, large_set, solve
from kpinspector.errors import KpError
from kpinspector.phrase import Phrase
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.formula.assess import Assessment, Verdict, assess, measured_score
from kpinspector.scoring.formula.measurement import NOVELTY_ASSUMED, Measurement, at_similarity
from kpinspector.scoring.formula.profiles import Terms
from kpinspector.scoring.whatif.reach import most_similar
from kpinspector.trace.bytes import decode, encoded
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import read_text
from kpinspector.trace.records import TraceRecord, name_of
from kpinspector.trace.step_source import cut_records


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
    """The trace of the batch, or else the entry of the memory, that a trace is most similar to."""

    similarity: float
    candidate: int | None
    entry: int | None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A trace that is not in the plan.

    ``nearest``: the trace or entry that it is too similar to, if that is the reason. ``bound``: the
    greatest similarity at which both would be accepted. ``best``: the score with novelty 1.
    """

    candidate: int
    why: Obstacle
    best: float
    nearest: Nearest | None = None
    bound: float | None = None


@dataclass(frozen=True, slots=True)
class Wishes:
    """The traces that the user wants in or out, by index in the batch."""

    keep: frozenset[int] = frozenset()
    leave_out: frozenset[int] = frozenset()


NO_WISHES: Final = Wishes()
_MOST_SIMILAR: Final = 1.0


@dataclass(frozen=True, slots=True)
class Limit:
    """The similarity up to which a trace is accepted, apart from the schema.

    ``most_similar``: the greatest similarity to the nearest trace, 0..1; None if none is accepted.
    ``best``: the score with novelty 1.
    """

    most_similar: float | None
    alone: bool
    best: float


def limit_of(measurement: Measurement, terms: Terms) -> Limit:
    """The limit of one trace, which does not depend on its measured novelty."""
    facts, profile, threshold = measurement.facts, terms.profile_of(measurement), terms.threshold
    most = most_similar(facts, profile, threshold)
    if most is not None:  # a trace is accepted at the limit, not at the next double
        cases = (at_similarity(measurement, one) for one in (most, nextafter(most, 2.0)))
        at, beyond = (assess(one, profile, threshold).score_passes for one in cases)
        if not at or (beyond and most < _MOST_SIMILAR):
            raise AssertionError(f"{most!r} is no limit")
    best, alone = (measured_score(facts, one, profile) for one in (1.0, NOVELTY_ASSUMED))
    return Limit(most, alone >= threshold, best)


@dataclass(frozen=True, slots=True)
class PlanDraft:
    """The part of a plan found at once, and what is left to solve.

    ``open``: indices of the other traces, to which ``conflicts`` refers. ``members``: a large set
    of these, as indices into ``open``. ``at_most``: an upper bound of the number of traces
    accepted.
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
        """Whether no set of these traces is larger."""
        return len(self.members) >= self.at_most

    def with_solved(self, solved: Solved | None) -> "PlanDraft":
        """The draft with the solver's result; None where the solver found nothing in time."""
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
    batch: Batch, terms: Terms, wishes: Wishes = NO_WISHES, *, at_best: bool = False
) -> PlanDraft:
    """Find a large set and an upper bound, within a second.

    Outcomes that are not recorded are taken as the worst possible, or as the best if asked for.

    Raises:
        KpError: the traces to be kept cannot all be accepted.
    """
    measurements = tuple(_ended(one.measurement, at_best=at_best) for one in batch.candidates)
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


def _ended(measurement: Measurement, *, at_best: bool) -> Measurement:
    return replace(measurement, facts=measurement.facts.outcome_ends[at_best])


def _barred(batch: Batch, place: int, limit: Limit, terms: Terms, wishes: Wishes) -> LeftOut | None:
    candidate = batch.candidates[place]
    most = limit.most_similar
    if not candidate.measurement.facts.schema_valid:
        return LeftOut(place, Obstacle.SCHEMA, limit.best)
    if candidate.subject is None:
        return LeftOut(place, Obstacle.NO_CONTENT, limit.best)
    if place in wishes.leave_out:
        return LeftOut(place, Obstacle.ASKED, limit.best)
    if most is None:
        better = best_limit(batch, place, terms)
        undecided = better.most_similar is not None
        return LeftOut(
            place, Obstacle.UNDECIDED if undecided else Obstacle.OUT_OF_REACH, better.best
        )
    near = nearest_remembered(batch, place, len(batch.remembered))
    if near is not None and near.similarity > most:
        return LeftOut(place, Obstacle.REMEMBERED, limit.best, near, most)
    return None


def best_limit(batch: Batch, place: int, terms: Terms) -> Limit:
    """The limit of a trace with the best possible outcome."""
    return limit_of(_ended(batch.candidates[place].measurement, at_best=True), terms)


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


@dataclass(frozen=True, slots=True)
class PlannedTrace:
    """A trace at its place in the plan."""

    candidate: int
    nearest: Nearest | None
    measurement: Measurement
    assessment: Assessment


@dataclass(frozen=True, slots=True)
class Plan:
    """Which traces to contribute, in which order, and which to leave out.

    ``at_most``: a proven upper bound of the number of traces in any plan. ``conservative``: there
    are more vectors than the cache holds. Dropping the oldest only helps later traces, so a larger
    plan may exist.
    """

    chosen: tuple[PlannedTrace, ...]
    left_out: tuple[LeftOut, ...]
    at_most: int
    conservative: bool

    @property
    def proven(self) -> bool:
        """Whether no plan has more traces."""
        return len(self.chosen) == self.at_most and not self.conservative


def solving(draft: PlanDraft, limit: float = LIMIT_S) -> "Child[Solved]":
    """Start solving a draft exactly, in another process."""
    return Child(solve, draft.conflicts, limit=limit)


def make_plan(draft: PlanDraft, limit: float = LIMIT_S) -> Plan:
    """The plan of a draft; waits for the solver where the draft is not proven."""
    if draft.proven:
        return plan_of(draft)
    with solving(draft, limit) as child:
        return plan_of(draft.with_solved(child.result()))


def shared_ids(plan: Plan, batch: Batch) -> dict[str, tuple[int, ...]]:
    """Ids that several traces of a plan share, each with the indices of these traces."""
    by_id = defaultdict[str, list[int]](list)
    for one in plan.chosen:
        if trace_id := batch.candidates[one.candidate].record.trace.id:
            by_id[trace_id].append(one.candidate)
    return {one: tuple(places) for one, places in by_id.items() if len(places) > 1}


def plan_of(draft: PlanDraft) -> Plan:
    """The plan of a draft as it stands."""
    members, conflicts = draft.members, draft.conflicts
    if not draft.proven:  # add each trace that still fits
        for one in np.flatnonzero(~conflicts.apart[members].any(axis=0)):
            more = np.append(members, one)
            members = more if one not in members and conflicts.allows(more) else members
        members = np.sort(members)
    first = conflicts.first_of(members)
    members = np.array(
        sorted(members, key=lambda one: (one != first, _most(draft, one), one)), np.intp
    )
    chosen = tuple(_planned(draft, draft.open[members].tolist()))
    # each of the traces left out below could be accepted in some other order
    others = (one for one in range(len(draft.open)) if one not in members)
    left_out = [*draft.barred, *(_reason(draft, one, members) for one in others)]
    batch = draft.batch
    return Plan(
        chosen=chosen,
        left_out=tuple(sorted(left_out, key=lambda one: one.candidate)),
        at_most=max(draft.at_most, len(chosen)),
        conservative=len(batch.remembered) + draft.at_most > batch.max_elements,
    )


def _most(draft: PlanDraft, member: int) -> float:
    most = draft.limits[int(draft.open[member])].most_similar
    if most is None:
        raise AssertionError("no order helps it")
    return most


def _nearest(batch: Batch, order: list[int]) -> Iterator[Nearest | None]:
    for place, one in enumerate(order):
        before = order[max(0, place - batch.max_elements) : place]
        room = batch.max_elements - len(before)
        near = nearest_remembered(batch, one, min(room, len(batch.remembered)))
        if before:
            column = batch.similarities[before, one]
            best = int(np.argmax(column))
            similarity = float(column[best])
            if near is None or similarity > near.similarity:
                near = Nearest(similarity, before[best], None)
        yield near


def _planned(draft: PlanDraft, order: list[int]) -> Iterator[PlannedTrace]:
    for one, near in zip(order, _nearest(draft.batch, order), strict=True):
        measurement = at_similarity(draft.measurements[one], near and near.similarity)
        profile = draft.terms.profile_of(measurement)
        judged = assess(measurement, profile, draft.terms.threshold)
        if judged.verdict is not Verdict.ACCEPTED:
            raise AssertionError("a plan holds what is not accepted")
        yield PlannedTrace(one, near, measurement, judged)


def _reason(draft: PlanDraft, place: int, members: Places) -> LeftOut:
    one = int(draft.open[place])
    best = draft.limits[one].best
    if not len(members):
        better = best_limit(draft.batch, one, draft.terms)
        undecided = better.alone and not draft.limits[one].alone
        return LeftOut(one, Obstacle.UNDECIDED if undecided else Obstacle.NO_FIRST, better.best)
    hits = members[draft.conflicts.apart[place, members]]
    # if no trace conflicts with it, the trace that is scored first of all rules it out
    among = hits if len(hits) else members[:1]
    others = draft.open[among]
    similar = draft.batch.similarities[one, others]
    nearest = int(np.argmax(similar))
    other, bound = int(others[nearest]), _most(draft, place)
    if len(hits):
        bound = max(bound, _most(draft, int(among[nearest])))
    keys = {draft.batch.candidates[each].place.key for each in (one, other)}
    why = Obstacle.SIMILAR if len(keys) > 1 else Obstacle.SAME
    return LeftOut(one, why, best, Nearest(float(similar[nearest]), other, None), bound)


_LINE_ENDS = str.maketrans("\r\n", "  ")  # only between tokens, as strings hold escapes


def ordered_lines(records: Sequence[TraceRecord], stdin: tuple[str, bytes] = ("", b"")) -> bytes:
    """The records as JSON Lines, in UTF-8. Recordings are converted; outcomes have to be known.

    ``stdin``: the path and the bytes of standard input.

    Raises:
        KpError: a file can no longer be read, or has changed since it was read.
    """
    by_path: defaultdict[str, list[int]] = defaultdict(list)
    lines = [""] * len(records)
    for number, record in enumerate(records):
        if isinstance(record, RunRecord):
            lines[number] = encoded(record.imported.converted())
        else:
            by_path[record.source.path].append(number)
    for path, numbers in by_path.items():
        in_file = sorted(numbers, key=lambda number: records[number].source.record or 1)
        try:
            given = decode(stdin[1]).data.decode() if path == stdin[0] else None
            text = given or read_text(FoundFile(Path(path), path, named=True))
            found = cut_records(text, [records[number].trace.raw for number in in_file])
        except OSError as error:
            reason = error.strerror or str(error)
            raise KpError(
                Phrase("{path} could not be read again: {reason}", path=path, reason=reason)
            ) from error
        except ValueError as error:
            message = Phrase("{path} was changed since it was read.", path=path)
            raise KpError(message, str(error)) from error
        for number, one in zip(in_file, found, strict=True):
            lines[number] = one.translate(_LINE_ENDS)
    return "".join(f"{line}\n" for line in lines).encode()
