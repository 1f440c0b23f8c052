"""Which traces of a batch to contribute, and in which order.

Every trace that is scored joins the cache, so the order decides novelty. The plan is the largest
set of traces that a process accepts if it scores them, and no others, in the order given here.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kpinspector.batch.child import LIMIT_S, Child
from kpinspector.batch.compared import Batch
from kpinspector.batch.conflicts import Places
from kpinspector.batch.draft import (
    LeftOut,
    Nearest,
    Obstacle,
    PlanDraft,
    best_limit,
    nearest_remembered,
)
from kpinspector.batch.solver import Solved, solve
from kpinspector.scoring.formula.assess import Assessment, Verdict, assess
from kpinspector.scoring.formula.measurement import Measurement, at_similarity


@dataclass(frozen=True, slots=True)
class PlannedTrace:
    """A trace at its place in the plan.

    Attributes:
        candidate: Its index in the batch.
        nearest: What is most similar to it among all that it is compared with; None for nothing.
    """

    candidate: int
    nearest: Nearest | None
    measurement: Measurement
    assessment: Assessment


@dataclass(frozen=True, slots=True)
class Plan:
    """Which traces to contribute, in which order, and which to leave out.

    Attributes:
        left_out: The others, in the order of the batch.
        at_most: A proven upper bound of the number of traces in any plan.
        conservative: There are more vectors than the cache holds. Dropping the oldest only helps
            later traces, so a larger plan may exist.
    """

    chosen: tuple[PlannedTrace, ...]
    left_out: tuple[LeftOut, ...]
    at_most: int
    conservative: bool

    @property
    def proven(self) -> bool:
        """No plan is larger."""
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
    by_id: dict[str, list[int]] = {}
    for one in plan.chosen:
        trace_id = batch.candidates[one.candidate].record.trace.id
        if trace_id is not None:
            by_id.setdefault(trace_id, []).append(one.candidate)
    return {one: tuple(places) for one, places in by_id.items() if len(places) > 1}


def plan_of(draft: PlanDraft) -> Plan:
    """The plan found so far."""
    order = _ordered(draft, draft.members if draft.proven else _filled(draft))
    chosen = tuple(_planned(draft, order))
    left_out = (*draft.barred, *_left_out(draft, order))
    batch = draft.batch
    return Plan(
        chosen=chosen,
        left_out=tuple(sorted(left_out, key=lambda one: one.candidate)),
        at_most=max(draft.at_most, len(chosen)),
        conservative=len(batch.remembered) + draft.at_most > batch.max_elements,
    )


def _filled(draft: PlanDraft) -> Places:
    """The members, with every trace that can be added."""
    members, conflicts = draft.members, draft.conflicts
    for one in np.flatnonzero(~conflicts.apart[members].any(axis=0)):
        more = np.append(members, one)
        if one not in members and conflicts.allows(more):
            members = more
    return np.sort(members)


def _ordered(draft: PlanDraft, members: Places) -> list[int]:
    """Indices in the batch: the trace that must be first of all, then by ascending limit."""
    first = draft.conflicts.first_of(members)
    return [
        int(draft.open[one])
        for one in sorted(members, key=lambda one: (one != first, _most(draft, one), one))
    ]


def _most(draft: PlanDraft, member: int) -> float:
    most = draft.limits[int(draft.open[member])].most_similar
    if most is None:
        raise AssertionError("no order helps it")
    return most


def _nearest(batch: Batch, order: list[int]) -> Iterator[Nearest | None]:
    """What each is most similar to at its place, among the newest vectors."""
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


def _left_out(draft: PlanDraft, order: list[int]) -> Iterator[LeftOut]:
    """Why each trace that could be accepted in some order is not in this plan."""
    place_of = {int(one): place for place, one in enumerate(draft.open)}
    members = np.array([place_of[one] for one in order], np.intp)
    for place, one in enumerate(draft.open.tolist()):
        if place not in members:
            yield _reason(draft, one, place, members)


def _reason(draft: PlanDraft, one: int, place: int, members: Places) -> LeftOut:
    best = draft.limits[one].best
    if not len(members):
        better = best_limit(draft.batch, one, draft.terms)
        undecided = better.alone and not draft.limits[one].alone
        return LeftOut(
            one, Obstacle.UNDECIDED if undecided else Obstacle.NO_FIRST, best=better.best
        )
    hits = members[draft.conflicts.apart[place, members]]
    # without a conflict, it is the trace scored first of all that rules it out
    among = hits if len(hits) else members[:1]
    others = draft.open[among]
    similar = draft.batch.similarities[one, others]
    nearest = int(np.argmax(similar))
    other, bound = int(others[nearest]), _most(draft, place)
    if len(hits):
        bound = max(bound, _most(draft, int(among[nearest])))
    keys = {draft.batch.candidates[each].place.key for each in (one, other)}
    why = Obstacle.SIMILAR if len(keys) > 1 else Obstacle.SAME
    return LeftOut(one, why, Nearest(float(similar[nearest]), other, None), bound, best)
