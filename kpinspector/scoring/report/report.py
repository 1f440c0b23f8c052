"""The report: all inputs and terms of every score, as values; ``written`` makes JSON of them.

``report.schema.json`` is made of these types; what is written fits it to the letter.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import repeat
from typing import Any, Literal, TypedDict, TypeVar, cast

from kpinspector import __version__
from kpinspector.runs.provenance import ValueOrigin, origins, without_derived
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.findings import Basis, Neighbour
from kpinspector.scoring.formula.assess import (
    Assessment,
    Cause,
    ScoreRange,
    Verdict,
    main_cause,
    outcome_range,
    score_bounds,
)
from kpinspector.scoring.formula.measurement import Facts, Measurement, Novelty, facts_of
from kpinspector.scoring.formula.overrides import Override
from kpinspector.scoring.formula.profiles import PROFILES, Profile, Values, Weights, profile_for
from kpinspector.scoring.model import MODEL_NAME
from kpinspector.scoring.model.embedder import WINDOW_TOKENS
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.whatif.reach import ReachKind, ReachRange, TraceReach, trace_reach
from kpinspector.scoring.whatif.scenario import Changed, Scenario, assumed_in, changed, rules_under
from kpinspector.settings import Mode
from kpinspector.trace.records import Problem, Skipped, Source, TraceRecord
from kpinspector.trace.schema import Issue, passes

_Shape = TypeVar("_Shape")


class ComplexityFactors(TypedDict):
    """Counts behind the complexity; ``single_thought``: the only step is a thought."""

    unique_types: int
    error_recoveries: int
    steps: int
    single_thought: bool


class ComplexityEntry(TypedDict):
    """``contribution`` is value times weight, here and below."""

    value: float
    contribution: float
    factors: ComplexityFactors


class NoveltyEntry(TypedDict):
    """``basis`` is that of the first scoring; ``remembered``: a finding answered.

    ``window_ends_at_step`` is null when the window holds the whole text or ends inside the
    objective; ``tokens`` and ``text_sha256``, that of the token ids, are null when there is no
    tokenizer.
    """

    value: float
    contribution: float
    basis: Basis
    remembered: bool
    max_similarity: float | None
    neighbours: tuple[Neighbour, ...]
    compared_with: int
    clamped: bool
    tokens: int | None
    truncated: bool
    window_ends_at_step: int | None
    text_sha256: str | None


class DiversityFactors(TypedDict):
    """Counts behind the tool diversity; ``tool_steps`` have a tool, whatever their type."""

    unique_tools: int
    steps: int
    tool_steps: int


class DiversityEntry(TypedDict):
    """Tool diversity."""

    value: float
    contribution: float
    factors: DiversityFactors


class OutcomeFactors(TypedDict):
    """``factor`` is 1 for a success, 0.3 for a failure; null for what is not recorded."""

    confidence: float | None
    success: bool | None
    factor: float | None


class OutcomeEntry(TypedDict):
    """Outcome confidence; null where confidence or success is null."""

    value: float | None
    contribution: float | None
    factors: OutcomeFactors


class DimensionsEntry(TypedDict):
    """The four dimensions."""

    complexity: ComplexityEntry
    novelty: NoveltyEntry
    tool_diversity: DiversityEntry
    outcome_confidence: OutcomeEntry


class GatesEntry(TypedDict):
    """True where the gate passes; null where that depends on an outcome that is not recorded."""

    schema: bool | None
    score: bool | None


class ProfileEntry(TypedDict):
    """The score under another profile, novelty held; null where there is a range."""

    score: float | None
    verdict: Verdict
    score_range: tuple[float, float] | None


class ScenarioEntry(TypedDict):
    """The what-if in force: the changes, and what they make of the trace under the report's rules.

    ``changes`` leave out what stays: from them and the trace, or from ``facts``, ``dimensions``,
    ``weights`` and ``threshold`` alone, the score can be computed again. ``novelty_held``: the
    changed text was not measured. ``assumed``: what of the outcome is neither recorded nor tried,
    so that ``score`` and ``verdict`` are those of the middle, confidence 0.5 and success;
    ``score_range``: the lowest and the highest score where nothing of the outcome is tried.
    """

    changes: Scenario
    facts: Facts
    dimensions: Values
    novelty_held: bool
    profile: str
    weights: Weights
    composite: float
    overrides: tuple[Override, ...]
    score: float
    sdk_score: float | None
    threshold: float
    margin: float
    gates: GatesEntry
    verdict: Verdict
    assumed: tuple[str, ...]
    score_range: tuple[float, float] | None


class RangeEnd(TypedDict):
    """The score with one of the possible outcomes."""

    confidence: float
    success: bool
    composite: float
    overrides: tuple[Override, ...]
    score: float
    margin: float


class RangeEntry(TypedDict):
    """The range of possible scores, from the worst outcome to the best."""

    low: RangeEnd
    high: RangeEnd


class ProvenanceEntry(TypedDict):
    """Where each value of a run of another agent comes from.

    ``fields``: recorded, derived, stated by the user, chosen by the user, or absent.
    ``success_score``: the recorded score that the user takes for the success of the run, with the
    value that means success. ``derived_steps``: the indices of steps that were found to be
    recoveries; ``without_derived``: the lowest and the highest score, were they none. ``dropped``:
    how many of the ``total`` lines (or what ``unit`` says) of the recording made no step of this
    run, by what they are; ``parts``: how many parts of the others made none.
    """

    format: str
    version: str
    unit: str
    total: int
    dropped: dict[str, int]
    parts: dict[str, int]
    fields: dict[str, ValueOrigin]
    derived_steps: tuple[int, ...]
    without_derived: tuple[float, float] | None
    success_score: tuple[str, str] | None


class ReachEntry(TypedDict):
    """What it takes for a trace to pass; ``kind`` is the first that holds.

    ``accepted``: nothing. ``schema``: the score passes, the registry refuses the file. ``novelty``:
    nothing may be more than ``similarity`` similar. ``outcome``: success, and ``confidence`` at
    least; success alone where its own is no less. ``both``: both together. ``structure``: it fails
    even with novelty 1 and the best outcome, ``at_best``. ``undecided``: it is accepted with the
    best outcome that is possible, and not with the worst.

    ``low`` and ``high`` are those of the worst and of the best outcome that is possible; ``high``
    is null where the outcome is known. A run that is rejected with both has the kind of ``high``.
    """

    kind: ReachKind
    low: TraceReach
    high: TraceReach | None


class TraceEntry(TypedDict):
    """One scored trace; all numbers unrounded.

    ``cause``: what a rejection is put down to first, a gate, a rule or the dimension that loses
    most; null for a trace that passes, or may. Where the outcome is not known it is the cause with
    the best.

    Of a run whose recording does not say how it ended, ``score_range`` has what is possible;
    ``composite``, ``score`` and ``margin`` are null and ``overrides`` stand in the range.
    """

    id: str | None
    key: str
    source: Source
    objective: str
    task_domain: str | None
    profile: str
    weights: Weights
    steps: int
    dimensions: DimensionsEntry
    composite: float | None
    overrides: tuple[Override, ...]
    score: float | None
    sdk_score: float | None
    threshold: float
    margin: float | None
    gates: GatesEntry
    verdict: Verdict
    flags: tuple[str, ...]
    recorded_quality_score: float | None
    profiles: dict[str, ProfileEntry]
    issues: tuple[Issue, ...]
    what_if: ScenarioEntry | None
    score_range: RangeEntry | None
    provenance: ProvenanceEntry | None
    cause: Cause | None
    reach: ReachEntry


@dataclass(frozen=True, slots=True)
class Generator:
    """The program that wrote the report."""

    name: str = "kpinspector"
    version: str = __version__


GENERATOR = Generator()


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderState:
    """The embedding model; ``sha256`` of its weights, null when it is missing."""

    state: Literal["ready", "missing"]
    model: str = MODEL_NAME
    sha256: str | None
    window: int = WINDOW_TOKENS


@dataclass(frozen=True, slots=True)
class UsedSettings:
    """The settings that were used: the saved ones, or the options given in their place."""

    threshold: float
    max_elements: int
    ttl_ms: int | None
    mode: Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The whole report; pending traces are left out, and counted."""

    format: Literal["kpinspector-report"] = "kpinspector-report"
    version: Literal[3] = 3
    generated_at: str
    generator: Generator = GENERATOR
    embedder: EmbedderState
    settings: UsedSettings
    pending: int = 0
    more_problems: int = 0
    traces: tuple[TraceEntry, ...]
    problems: tuple[Problem, ...]
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """The contents of a report, in the order of the list.

    ``more_problems``: beyond those in the list; ``what_ifs``: what is tried of each trace, if
    anything.
    """

    measured: Sequence[Measured]
    problems: Sequence[Problem]
    skipped: Sequence[Skipped]
    pending: int = 0
    more_problems: int = 0
    what_ifs: Sequence[Scenario | None] = ()


def make_report(
    results: Results,
    settings: UsedSettings,
    model: str | None,
    profile: Profile | None = None,
    check: Callable[[], None] = lambda: None,
) -> Report:
    """Assess every measurement and record all of its terms.

    ``model``: the sha256 of its weights; None without an embedder. ``profile``: that of all traces;
    None takes each trace's own. ``check``: called before each trace; may raise to stop.
    """

    def trace(measured: Measured, tried: Scenario | None) -> TraceEntry:
        check()
        record, measurement = measured.record, measured.measurement
        used = profile or profile_for(measurement.facts.task_domain)
        made, what_if = make_entry(measurement, used, settings.threshold), None
        if tried:
            case = changed(record.trace, measurement, tried)
            rules = rules_under(tried, used, settings.threshold)
            assumed = assumed_in(measurement.facts, tried)
            what_if = scenario_entry(tried, case, *rules, assumed)
        return _entry(
            TraceEntry,
            record,
            record.trace,
            measured.place,
            **made | {"flags": (*measured.place.flags, *made["flags"])},
            recorded_quality_score=record.trace.metadata.quality_score,
            provenance=provenance_entry(record, used, measurement.novelty),
            what_if=what_if,
        )

    return Report(
        generated_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        embedder=EmbedderState(state="ready" if model else "missing", sha256=model),
        settings=settings,
        pending=results.pending,
        more_problems=results.more_problems,
        traces=tuple(map(trace, results.measured, results.what_ifs or repeat(None))),
        problems=tuple(results.problems),
        skipped=tuple(results.skipped),
    )


def make_entry(measurement: Measurement, profile: Profile, threshold: float) -> dict[str, Any]:
    """Assess a measurement and record all of its terms; whose they are is still to be said.

    Of a run whose recording does not say how it ended, ``score_range`` has what is possible.
    """
    facts, possible = measurement.facts, outcome_range(measurement, profile, threshold)
    known = possible.high if facts.outcome_known else None
    every = {one.name: outcome_range(measurement, one, threshold) for one in PROFILES}
    worst, best = facts.outcome_ends
    ends: RangeEntry = {
        "low": _entry(RangeEnd, worst, possible.low),
        "high": _entry(RangeEnd, best, possible.high),
    }
    flags = {
        "assumed": measurement.novelty.assumed,
        "clamped": measurement.novelty.clamped,
        "too_close_to_call": known is not None and known.too_close_to_call,
    }
    return {
        "task_domain": facts.task_domain,
        "profile": profile.name,
        "weights": profile.weights,
        "steps": facts.steps,
        "dimensions": _dimensions(measurement, possible.high),
        **{one: getattr(known, one, None) for one in ("composite", "score", "sdk_score", "margin")},
        "overrides": known.overrides if known else (),
        "threshold": threshold,
        "gates": _gates(possible, known=facts.outcome_known),
        "verdict": possible.outcome,
        "flags": tuple(flag for flag, holds in flags.items() if holds),
        "profiles": {
            name: {
                "score": one.low.score if known else None,
                "verdict": one.outcome,
                "score_range": None if known else (one.low.score, one.high.score),
            }
            for name, one in every.items()
        },
        "score_range": None if known else ends,
        # what a rejection is put down to first; that of the best outcome where it is not known
        "cause": main_cause(possible.high) if possible.verdict is Verdict.REJECTED else None,
        "reach": reach_entry(trace_reach(measurement, profile, threshold)),
    }


def reach_entry(found: ReachRange) -> ReachEntry:
    """What a trace can reach; ``high`` is null where the outcome is known."""
    high = None if found.low is found.high else found.high
    return {"kind": found.kind, "low": found.low, "high": high}


def provenance_entry(
    record: TraceRecord, profile: Profile, novelty: Novelty
) -> ProvenanceEntry | None:
    """Where the values of a run come from; None for a trace that was not recorded as a run."""
    if not isinstance(record, RunRecord):
        return None
    found, without = record.imported, None
    if found.mapped.derived:
        facts = facts_of(without_derived(record), schema_valid=passes(record.issues))
        without = score_bounds(facts, profile, novelty.value)
    score = found.stated.success_score if found.mapped_success is not None else None
    return _entry(
        ProvenanceEntry,
        found.recording,
        dropped=dict(found.recording.dropped),
        parts=dict(found.run.parts),
        fields={str(name): origin for name, origin in origins(found).items()},
        derived_steps=tuple(sorted(found.mapped.derived)),
        without_derived=without,
        success_score=(score.name, score.value) if score else None,
    )


def scenario_entry(
    scenario: Scenario, case: Changed, profile: Profile, threshold: float, assumed: tuple[str, ...]
) -> ScenarioEntry:
    """Judge what a scenario makes of a trace under its own rules, and record all of it."""
    then, possible = case.assess(profile, threshold), case.range(profile, threshold)
    return _entry(
        ScenarioEntry,
        then,
        case,
        changes=scenario,
        dimensions=case.values,
        profile=profile.name,
        weights=profile.weights,
        gates=_gates(ScoreRange(then, then), known=True),
        assumed=assumed,
        score_range=(possible.low.score, possible.high.score) if possible else None,
    )


def _gates(possible: ScoreRange, *, known: bool) -> GatesEntry:
    low, high = possible.low.score_passes, possible.high.score_passes
    # the schema requires an outcome as well
    schema = None if possible.low.schema_passes and not known else possible.low.schema_passes
    return {"schema": schema, "score": low if low == high else None}


def _dimensions(measurement: Measurement, assessment: Assessment) -> DimensionsEntry:
    facts, novelty, known = measurement.facts, measurement.novelty, measurement.facts.outcome_known
    steps, new, tools, outcome = assessment.contributions
    reach = novelty.reach
    return {
        "complexity": {
            "value": steps.value,
            "contribution": steps.part,
            "factors": _entry(ComplexityFactors, facts),
        },
        "novelty": _entry(
            NoveltyEntry,
            novelty,
            contribution=new.part,
            tokens=reach.tokens if reach else None,
            truncated=reach.truncated if reach else False,
            window_ends_at_step=reach.ends_at_step if reach else None,
            text_sha256=reach.digest if reach else None,
        ),
        "tool_diversity": {
            "value": tools.value,
            "contribution": tools.part,
            "factors": _entry(DiversityFactors, facts),
        },
        "outcome_confidence": {
            "value": outcome.value if known else None,
            "contribution": outcome.part if known else None,
            "factors": {
                "confidence": facts.confidence if facts.confidence_known else None,
                "success": facts.success if facts.success_known else None,
                "factor": facts.outcome_factor if facts.success_known else None,
            },
        },
    }


def _entry(shape: type[_Shape], *sources: object, **own: Any) -> _Shape:
    """An entry of this shape: what is given by name, all else as the first that has it says."""
    made = {
        name: own[name]
        if name in own
        else next(getattr(one, name) for one in sources if hasattr(one, name))
        for name in shape.__annotations__
    }
    return cast("_Shape", made)
