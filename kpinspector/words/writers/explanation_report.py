"""Explanations as JSON: the report, and beside it what explains each of its scores, unrounded."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from kpinspector.scoring.findings import Finding
from kpinspector.scoring.formula.assess import Assessment, Verdict, assess
from kpinspector.scoring.formula.doubles import Number
from kpinspector.scoring.formula.evidence import counted_steps
from kpinspector.scoring.formula.measurement import Measurement, novelty_of, with_finding
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import PROFILES, Dimension
from kpinspector.scoring.novelty.neighbours import Standing, compare_findings, influences
from kpinspector.scoring.novelty.on_request import Further, WholeNovelty
from kpinspector.scoring.novelty.order import Order, order_of
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.novelty.whole_text import WholeFinding
from kpinspector.scoring.report.recorded import Cause, Recorded, recorded
from kpinspector.scoring.report.report import Part, Report
from kpinspector.scoring.whatif.changes import Change, Needed
from kpinspector.scoring.whatif.counterfactuals import Counterfactuals, counterfactuals
from kpinspector.trace.model import Step
from kpinspector.trace.tree import Mark
from kpinspector.words.sentences import answer, remarks, text_of
from kpinspector.words.waterfall import waterfall


@dataclass(frozen=True, slots=True)
class Outcome:
    """A score and its verdict."""

    score: Number
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class StretchEntry:
    """A dimension or a fired override, what it adds, and the score before and after it."""

    term: str
    start: Number
    change: Number
    end: Number


@dataclass(frozen=True, slots=True)
class CountedEntry:
    """A step that counts; ``step`` is its place in the trace, from 0."""

    dimension: Dimension
    step: int
    marks: tuple[Mark, ...]
    tool: str | None


@dataclass(frozen=True, slots=True)
class ChangeEntry:
    """A single change; ``amount`` is a bound or a number of steps, ``flips`` the rules it turns."""

    kind: str
    dimension: Dimension | None
    amount: float
    after: Outcome
    reaches: bool
    novelty_held: bool
    flips: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class NeededEntry:
    """One dimension alone: the smallest value that reaches the threshold while the rules hold.

    ``reachable``: that value or a change of the dimension does; ``change`` is the kind of the
    first one that does.
    """

    dimension: Dimension
    now: Number
    value: float | None
    reachable: bool
    change: str | None


@dataclass(frozen=True, slots=True)
class ChangesEntry:
    """What would bring the score to the threshold.

    Attributes:
        needed: What each dimension alone has to be.
        without_losses: The score with the two largest losses removed.
    """

    needed: tuple[NeededEntry, ...]
    changes: tuple[ChangeEntry, ...]
    without_losses: Outcome


@dataclass(frozen=True, slots=True)
class InfluenceEntry:
    """One of the nearest entries and the score without it: at least that, unless ``exact``.

    ``name``: what text and window call it, which no other of these has.
    """

    key: str
    similarity: float
    sets_novelty: bool
    without: Outcome
    exact: bool
    name: str
    id: str | None
    path: str
    record: int | None


@dataclass(frozen=True, slots=True)
class StandingEntry:
    """One of today's nearest entries; ``before`` is null where it was not among the nearest."""

    key: str
    similarity: float
    before: float | None
    is_news: bool
    name: str
    id: str | None
    path: str
    record: int | None


@dataclass(frozen=True, slots=True)
class TodayEntry:
    """The outcome if the trace were scored again, and today's nearest entries."""

    outcome: Outcome
    max_similarity: float | None
    compared_with: int
    neighbours: tuple[StandingEntry, ...]


@dataclass(frozen=True, slots=True)
class PlaceEntry:
    """A trace and where it stands."""

    name: str
    id: str | None
    path: str
    record: int | None


@dataclass(frozen=True, slots=True)
class WholeTextEntry:
    """Whole text against the whole texts at hand, which the SDK does not compute.

    ``novelty`` and what it comes from are null where there was none at hand.
    """

    tokens: int
    windows: int
    compared_with: int
    max_similarity: float | None
    novelty: float | None
    nearest: PlaceEntry | None


@dataclass(frozen=True, slots=True)
class OrderEntry:
    """The outcomes had the trace come first, at its place, and once more after itself."""

    place: int
    first: Outcome
    placed: Outcome
    after: Outcome


@dataclass(frozen=True, slots=True)
class CauseEntry:
    """Another way of scoring that gives a recorded score; null is as it is here."""

    profile: str | None
    novelty: str | None
    without: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class RecordedEntry:
    """A recorded score beside the recomputed one; ``novelty`` gives the recorded one."""

    score: float
    recomputed: float
    difference: float
    agrees: bool
    causes: tuple[CauseEntry, ...]
    novelty: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class ExplanationEntry:
    """What explains one score; ``key`` is that of the trace in the report.

    Attributes:
        changes: null where the score reaches the threshold.
        today: null unless it was asked for, and ``whole_text`` as well.
        order: null where novelty was assumed.
        recorded: null where the trace records no score, or 0.
        profiles: How the score adds up under each profile, novelty held.
    """

    key: str
    answer: str
    remarks: tuple[str, ...]
    waterfall: tuple[StretchEntry, ...]
    counted: tuple[CountedEntry, ...]
    changes: ChangesEntry | None
    neighbours: tuple[InfluenceEntry, ...]
    today: TodayEntry | None
    order: OrderEntry | None
    whole_text: WholeTextEntry | None
    recorded: RecordedEntry | None
    profiles: dict[str, tuple[StretchEntry, ...]]


class ExplanationReport(Part):
    """The report with its explanations, in the order of its traces."""

    format: Literal["kpinspector-explanation"] = "kpinspector-explanation"
    version: Literal[1] = 1
    report: Report
    explanations: tuple[ExplanationEntry, ...]


def explanation_entry(
    measured: Measured, assessment: Assessment, further: Further
) -> ExplanationEntry:
    """All that explains one score, as values."""
    record, measurement = measured.record, measured.measurement
    trace = record.trace
    profile, threshold = assessment.profile, assessment.threshold
    order = order_of(measurement, profile, threshold)
    found = recorded(trace, measurement, profile)
    changes = None
    if not assessment.score_passes:
        changes = changes_entry(counterfactuals(trace, measurement, profile, threshold))
    return ExplanationEntry(
        key=measured.place.key,
        answer=text_of(answer(assessment, measurement, record.issues)),
        remarks=remarks(assessment, measured),
        waterfall=_waterfall(assessment),
        counted=tuple(_counted(trace.steps)),
        changes=changes,
        neighbours=tuple(_neighbours(measurement, assessment)),
        today=_today(measurement, assessment, further.today),
        order=None if order is None else _order(order),
        whole_text=_whole(further.whole),
        recorded=None if found is None else _recorded(found),
        profiles={one.name: _waterfall(assess(measurement, one, threshold)) for one in PROFILES},
    )


def _waterfall(assessment: Assessment) -> tuple[StretchEntry, ...]:
    return tuple(
        StretchEntry(one.term, one.start, one.change, one.end) for one in waterfall(assessment)
    )


def _outcome(assessment: Assessment) -> Outcome:
    return Outcome(assessment.score, assessment.verdict)


def _counted(steps: Sequence[Step]) -> Iterator[CountedEntry]:
    for dimension in Dimension:
        for one in counted_steps(dimension, steps):
            yield CountedEntry(dimension, one.step.index, one.marks, one.step.tool_name)


def changes_entry(found: Counterfactuals) -> ChangesEntry:
    """What would bring a score to the threshold, as values."""
    changes = tuple(map(_change, found.changes))
    needed = tuple(_needed(found, one) for one in found.needed)
    return ChangesEntry(needed, changes, _outcome(found.without_losses))


def _needed(found: Counterfactuals, needed: Needed) -> NeededEntry:
    change = found.alone(needed.dimension)
    return NeededEntry(
        dimension=needed.dimension,
        now=needed.now,
        value=needed.value,
        reachable=change is not None,
        change=None if change is None else change.kind,
    )


def _change(change: Change) -> ChangeEntry:
    return ChangeEntry(
        kind=change.kind,
        dimension=change.dimension,
        amount=change.amount,
        after=_outcome(change.after),
        reaches=change.reaches,
        novelty_held=change.novelty_held,
        flips=change.flips,
    )


def _neighbours(measurement: Measurement, assessment: Assessment) -> Iterator[InfluenceEntry]:
    found = influences(measurement, assessment.profile, assessment.threshold)
    for one, name in zip(found, measurement.novelty.names, strict=True):
        near = one.neighbour
        yield InfluenceEntry(
            key=near.key,
            similarity=near.similarity,
            sets_novelty=one.sets_novelty,
            without=_outcome(one.without.assessment),
            exact=one.without.exact,
            name=name,
            id=near.trace_id,
            path=near.source_path,
            record=near.record,
        )


def _today(
    measurement: Measurement, assessment: Assessment, today: Finding | None
) -> TodayEntry | None:
    if today is None:
        return None
    again = with_finding(measurement, today)
    nearest = compare_findings(measurement.novelty, today).nearest
    return TodayEntry(
        outcome=_outcome(assess(again, assessment.profile, assessment.threshold)),
        max_similarity=today.max_similarity,
        compared_with=today.compared_with,
        neighbours=tuple(map(_standing, nearest, again.novelty.names)),
    )


def _standing(one: Standing, name: str) -> StandingEntry:
    near = one.neighbour
    return StandingEntry(
        key=near.key,
        similarity=near.similarity,
        before=one.before,
        is_news=one.is_news,
        name=name,
        id=near.trace_id,
        path=near.source_path,
        record=near.record,
    )


def _whole(whole: WholeNovelty | None) -> WholeTextEntry | None:
    if whole is None:
        return None
    similarity = whole.finding.max_similarity
    return WholeTextEntry(
        tokens=whole.text.tokens,
        windows=whole.text.windows,
        compared_with=whole.finding.compared_with,
        max_similarity=similarity,
        novelty=None if similarity is None else novelty_of(similarity),
        nearest=_place(whole.finding),
    )


def _place(finding: WholeFinding) -> PlaceEntry | None:
    record = finding.nearest
    if record is None:
        return None
    return PlaceEntry(finding.name, record.trace.id, record.source.path, record.source.record)


def _order(order: Order) -> OrderEntry:
    places = (order.first, order.placed, order.after)
    return OrderEntry(order.place, *map(_outcome, places))


def _recorded(found: Recorded) -> RecordedEntry:
    return RecordedEntry(
        score=found.score,
        recomputed=found.recomputed,
        difference=found.difference,
        agrees=found.agrees,
        causes=tuple(map(_cause, found.causes)),
        novelty=None if found.novelty is None else (found.novelty.low, found.novelty.high),
    )


def _cause(cause: Cause) -> CauseEntry:
    profile = None if cause.profile is None else cause.profile.name
    return CauseEntry(profile, cause.novelty, cause.without)
