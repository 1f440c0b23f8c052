"""A plan as JSON."""

from dataclasses import dataclass
from typing import Literal

from kpinspector.batch.compared import Batch
from kpinspector.batch.plan import LeftOut, Nearest, Obstacle, Plan, PlannedTrace, shared_ids
from kpinspector.scoring.report.report import GENERATOR, Generator, UsedSettings
from kpinspector.scoring.report.written import report_json
from kpinspector.trace.clear import masked_in
from kpinspector.words.batch import BatchNames, why_left_out


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """A plan with all that is said beside it.

    Attributes:
        at_best: The plan where every unknown outcome is the best; None where all are known.
    """

    batch: Batch
    plan: Plan
    at_best: Plan | None
    used: UsedSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSource:
    """Where a trace stands."""

    id: str | None
    key: str
    path: str
    record: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestEntry:
    """What a trace is most similar to; ``remembered``: an entry of the memory, by its key."""

    key: str
    similarity: float
    remembered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedEntry:
    """A trace at its place, from 1."""

    place: int
    trace: PlanSource
    score: float
    nearest: NearestEntry | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutEntry:
    """A trace that is not in the plan; ``best`` is its score with novelty 1."""

    trace: PlanSource
    why: Obstacle
    message: str
    nearest: NearestEntry | None
    bound: float | None
    best: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BestEntry:
    """The count where every unknown outcome is the best."""

    count: int
    at_most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanReport:
    """The plan; only its count is proven to be the largest, and only where ``proven``.

    ``shared_ids`` are those that several of its traces have: the registry keeps the last of each.
    """

    format: Literal["kpinspector-plan"] = "kpinspector-plan"
    version: Literal[1] = 1
    generator: Generator = GENERATOR
    settings: UsedSettings
    count: int
    at_most: int
    proven: bool
    conservative: bool
    at_best: BestEntry | None
    shared_ids: tuple[str, ...]
    plan: tuple[PlannedEntry, ...]
    left_out: tuple[LeftOutEntry, ...]


def plan_json(answer: PlanAnswer) -> bytes:
    """UTF-8 JSON, two spaces deep, ending in a line feed; numbers unrounded."""
    batch, plan, best = answer.batch, answer.plan, answer.at_best
    names, threshold = BatchNames(batch), answer.used.threshold
    report = PlanReport(
        settings=answer.used,
        count=len(plan.chosen),
        at_most=plan.at_most,
        proven=plan.proven,
        conservative=plan.conservative,
        at_best=None if best is None else BestEntry(count=len(best.chosen), at_most=best.at_most),
        shared_ids=tuple(map(masked_in, shared_ids(plan, batch))),
        plan=tuple(_planned(place, one, batch) for place, one in enumerate(plan.chosen, 1)),
        left_out=tuple(
            _left_out(one, batch, why_left_out(one, names, threshold)) for one in plan.left_out
        ),
    )
    return report_json(report)


def _planned(place: int, one: PlannedTrace, batch: Batch) -> PlannedEntry:
    return PlannedEntry(
        place=place,
        trace=_source(batch, one.candidate),
        score=one.assessment.score,
        nearest=_nearest(one.nearest, batch),
    )


def _left_out(one: LeftOut, batch: Batch, message: str) -> LeftOutEntry:
    return LeftOutEntry(
        trace=_source(batch, one.candidate),
        why=one.why,
        message=message,
        nearest=_nearest(one.nearest, batch),
        bound=one.bound,
        best=one.best,
    )


def _nearest(nearest: Nearest | None, batch: Batch) -> NearestEntry | None:
    if nearest is None:
        return None
    if nearest.candidate is not None:
        key = batch.candidates[nearest.candidate].place.key
    elif nearest.entry is not None:
        key = batch.remembered[nearest.entry].key
    else:
        raise ValueError("nearest to nothing")
    return NearestEntry(
        key=masked_in(key), similarity=nearest.similarity, remembered=nearest.candidate is None
    )


def _source(batch: Batch, place: int) -> PlanSource:
    candidate = batch.candidates[place]
    source, trace_id = candidate.record.source, candidate.record.trace.id
    return PlanSource(
        id=trace_id and masked_in(trace_id),
        key=masked_in(candidate.place.key),
        path=source.path,
        record=source.record,
    )
