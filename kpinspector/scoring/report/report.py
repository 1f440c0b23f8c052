"""The report: all inputs and terms of every score, as values; ``written`` makes JSON of them.

``report.schema.json`` says what each member means; what is written fits it to the letter.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import repeat
from typing import Literal

from kpinspector import __version__
from kpinspector.runs.provenance import origins, without_derived
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.formula.assess import (
    Assessment,
    ScoreRange,
    Verdict,
    main_cause,
    outcome_bounds,
    outcome_range,
)
from kpinspector.scoring.formula.measurement import Facts, Measurement, Novelty, facts_of
from kpinspector.scoring.formula.profiles import PROFILES, Profile, profile_for
from kpinspector.scoring.model.embedder import MODEL_NAME, WINDOW_TOKENS
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.entries import (
    DimensionsEntry,
    GatesEntry,
    ProfileEntry,
    ProvenanceEntry,
    RangeEnd,
    RangeEntry,
    ReachEntry,
    ScenarioEntry,
    TraceEntry,
)
from kpinspector.scoring.whatif.reach import ReachRange, trace_reach
from kpinspector.scoring.whatif.scenario import Scenario, assumed_in
from kpinspector.scoring.whatif.whatif import changed, rules_under
from kpinspector.settings import Mode
from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.records import Problem, Skipped, Source, TraceRecord
from kpinspector.trace.schema import passes


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

    Attributes:
        more_problems: The number of problems beyond those in the list.
        what_ifs: What is tried of each trace; empty without any.
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

    Args:
        results: The measurements, problems and skipped records.
        settings: The settings that were used.
        model: The sha256 of the model's weights; None without an embedder.
        profile: The profile for all traces; None takes each trace's own.
        check: Called before each trace; may raise to stop.
    """

    def trace(measured: Measured, tried: Scenario | None) -> TraceEntry:
        check()
        record, measurement = measured.record, measured.measurement
        used = profile or profile_for(measurement.facts.task_domain)
        made, case = make_entry(measurement, used, settings.threshold), (record.trace, measurement)
        return {
            **made,
            "id": record.trace.id,
            "key": measured.place.key,
            "source": record.source,
            "objective": record.trace.objective,
            "recorded_quality_score": record.trace.metadata.quality_score,
            "issues": record.issues,
            "flags": (*measured.place.flags, *made["flags"]),
            "provenance": provenance_entry(record, used, measurement.novelty),
            "what_if": scenario_entry(tried, *case, used, settings.threshold) if tried else None,
        }

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


def make_entry(measurement: Measurement, profile: Profile, threshold: float) -> TraceEntry:
    """Assess a measurement and record all of its terms; the entry names no trace yet.

    Of a run whose recording does not say how it ended, ``score_range`` has what is possible.
    """
    facts, possible = measurement.facts, outcome_range(measurement, profile, threshold)
    known = possible.high if facts.outcome_known else None
    return {
        "id": None,
        "key": "",
        "source": Source("", None, 1),
        "objective": "",
        "task_domain": facts.task_domain,
        "profile": profile.name,
        "weights": profile.weights,
        "steps": facts.steps,
        "dimensions": _dimensions(measurement, possible.high),
        "composite": known.composite if known else None,
        "overrides": known.overrides if known else (),
        "score": known.score if known else None,
        "sdk_score": known.sdk_score if known else None,
        "threshold": threshold,
        "margin": known.margin if known else None,
        "gates": _gates(possible, known=facts.outcome_known),
        "verdict": possible.verdict or Verdict.UNDECIDED,
        "flags": tuple(_flags(measurement.novelty, known)),
        "recorded_quality_score": None,
        "profiles": {one.name: _profile(measurement, one, threshold) for one in PROFILES},
        "issues": (),
        "what_if": None,
        "score_range": None if known else _range(measurement, possible),
        "provenance": None,
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
        without = outcome_bounds(Measurement(facts, novelty), profile)
    recording = found.recording
    score = found.stated.success_score if found.mapped_success is not None else None
    return {
        "format": recording.format,
        "version": recording.version,
        "unit": recording.unit,
        "total": recording.total,
        "dropped": dict(recording.dropped),
        "parts": dict(found.run.parts),
        "fields": {str(name): origin for name, origin in origins(found).items()},
        "derived_steps": tuple(sorted(found.mapped.derived)),
        "without_derived": without,
        "success_score": (score.name, score.value) if score else None,
    }


def scenario_entry(
    scenario: Scenario,
    trace: ReasoningTrace,
    measurement: Measurement,
    profile: Profile,
    threshold: float,
) -> ScenarioEntry:
    """Judge a scenario and record all of it; ``profile`` and ``threshold`` are those without it."""
    case = changed(trace, measurement, scenario)
    rules = rules_under(scenario, profile, threshold)
    then, possible = case.assess(*rules), case.range(*rules)
    return {
        "changes": scenario,
        "facts": case.facts,
        "dimensions": case.values,
        "novelty_held": case.novelty_held,
        "profile": then.profile.name,
        "weights": then.profile.weights,
        "composite": then.composite,
        "overrides": then.overrides,
        "score": then.score,
        "sdk_score": then.sdk_score,
        "threshold": then.threshold,
        "margin": then.margin,
        "gates": _gates(ScoreRange(then, then), known=True),
        "verdict": then.verdict,
        "assumed": assumed_in(measurement.facts, scenario),
        "score_range": (possible.low.score, possible.high.score) if possible else None,
    }


def _gates(possible: ScoreRange, *, known: bool) -> GatesEntry:
    """True where a gate passes; null where that depends on an outcome that is not recorded."""
    low, high = possible.low.score_passes, possible.high.score_passes
    # the schema requires an outcome as well
    schema = None if possible.low.schema_passes and not known else possible.low.schema_passes
    return {"schema": schema, "score": low if low == high else None}


def _flags(novelty: Novelty, assessment: Assessment | None) -> Iterator[str]:
    """Names of what a reader of the score should know."""
    if novelty.assumed:
        yield "assumed"
    if novelty.clamped:
        yield "clamped"
    if assessment is not None and assessment.too_close_to_call:
        yield "too_close_to_call"


def _profile(measurement: Measurement, profile: Profile, threshold: float) -> ProfileEntry:
    """The score under another profile, novelty held, or the possible ones."""
    known = measurement.facts.outcome_known
    possible = outcome_range(measurement, profile, threshold)
    return {
        "score": possible.low.score if known else None,
        "verdict": possible.verdict or Verdict.UNDECIDED,
        "score_range": None if known else (possible.low.score, possible.high.score),
    }


def _range(measurement: Measurement, possible: ScoreRange) -> RangeEntry:
    """The possible scores, from the worst outcome to the best."""
    worst, best = measurement.facts.outcome_ends
    return {"low": _end(worst, possible.low), "high": _end(best, possible.high)}


def _end(end: Facts, judged: Assessment) -> RangeEnd:
    return {
        "confidence": end.confidence,
        "success": end.success,
        "composite": judged.composite,
        "overrides": judged.overrides,
        "score": judged.score,
        "margin": judged.margin,
    }


def _dimensions(measurement: Measurement, assessment: Assessment) -> DimensionsEntry:
    """The dimensions and what they come from; null is what an unrecorded outcome gives."""
    facts, novelty, known = measurement.facts, measurement.novelty, measurement.facts.outcome_known
    steps, new, tools, outcome = assessment.contributions
    reach = novelty.reach
    return {
        "complexity": {
            "value": steps.value,
            "contribution": steps.part,
            "factors": {
                "unique_types": facts.unique_types,
                "error_recoveries": facts.error_recoveries,
                "steps": facts.steps,
                "single_thought": facts.single_thought,
            },
        },
        "novelty": {
            "value": new.value,
            "contribution": new.part,
            "basis": novelty.basis,
            "remembered": novelty.remembered,
            "max_similarity": novelty.max_similarity,
            "neighbours": novelty.neighbours,
            "compared_with": novelty.compared_with,
            "clamped": novelty.clamped,
            "tokens": reach.tokens if reach else None,
            "truncated": reach.truncated if reach else False,
            "window_ends_at_step": reach.ends_at_step if reach else None,
            "text_sha256": reach.digest if reach else None,
        },
        "tool_diversity": {
            "value": tools.value,
            "contribution": tools.part,
            "factors": {
                "unique_tools": facts.unique_tools,
                "steps": facts.steps,
                "tool_steps": facts.tool_steps,
            },
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
