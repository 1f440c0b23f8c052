"""A plan as text for a terminal, and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kpinspector.batch.compared import Batch
from kpinspector.batch.plan import LeftOut, Nearest, Obstacle, Plan, PlannedTrace, shared_ids
from kpinspector.scoring.report.report import GENERATOR, Generator, UsedSettings
from kpinspector.scoring.report.written import report_json
from kpinspector.trace.clear import masked_in
from kpinspector.trace.printable import on_one_line
from kpinspector.trace.read import Problem, Skipped
from kpinspector.words.figures import UNKNOWN, shown_count, shown_number, shown_score
from kpinspector.words.plan_words import BatchNames, plan_remarks, plan_title, why_left_out
from kpinspector.words.say import say
from kpinspector.words.writers.columns import fitted, labelled, wrapped
from kpinspector.words.writers.report_text import located

_RIGHT: Final = (0, 2, 3)


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """A plan with all that is said beside it.

    Attributes:
        at_best: The plan where every unknown outcome is the best; None where all are known.
        problems: What could not be read or scored.
    """

    batch: Batch
    plan: Plan
    at_best: Plan | None
    used: UsedSettings
    problems: tuple[Problem, ...] = ()
    skipped: tuple[Skipped, ...] = ()


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


def plan_text(answer: PlanAnswer, width: int | None = None) -> str:
    """The plan as a table, then what is left out and why; each line ends in a line feed."""
    batch, plan = answer.batch, answer.plan
    names, threshold = BatchNames(batch), answer.used.threshold
    lines = wrapped(plan_title(plan, answer.at_best), width) if batch.size else []
    for remark in plan_remarks(plan, batch):
        lines += wrapped(on_one_line(remark), width)
    if plan.chosen:
        lines += ["", *fitted([*_rows(plan, names, threshold)], width, _RIGHT)]
    if plan.left_out:
        head = (say("left out"), say("why"))
        rows = [
            (
                on_one_line(names.candidates[one.candidate]),
                on_one_line(why_left_out(one, names, threshold)),
            )
            for one in plan.left_out
        ]
        lines += ["", *fitted([head, *rows], width, ())]
    others = [(say("problem"), on_one_line(located(one))) for one in answer.problems]
    if others:
        lines += [*([""] if lines else []), *labelled(others, width)]
    return "".join(f"{line}\n" for line in lines)


def _rows(plan: Plan, names: BatchNames, threshold: float) -> Iterator[Sequence[str]]:
    yield say("place"), say("trace"), say("score"), say("similar"), say("most similar before it")
    for place, one in enumerate(plan.chosen, 1):
        yield (
            shown_count(place),
            on_one_line(names.candidates[one.candidate]),
            shown_score(one.assessment.score, threshold),
            shown_number(one.nearest.similarity) if one.nearest else UNKNOWN,
            on_one_line(names.of(one.nearest)) if one.nearest else say("nothing"),
        )


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
