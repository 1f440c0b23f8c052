"""The report: all inputs and terms of every score, as values; ``written`` makes JSON of them.

``report.schema.json`` says which members each part has, in their order, and what they mean.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from kpinspector import __version__
from kpinspector.runs.provenance import origins, without_derived
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.formula.assess import (
    Assessment,
    ScoreRange,
    Verdict,
    main_cause,
    outcome_range,
    score_bounds,
)
from kpinspector.scoring.formula.measurement import Measurement, Novelty, facts_of
from kpinspector.scoring.formula.profiles import PROFILES, Dimension, Profile, Terms
from kpinspector.scoring.model import MODEL_NAME
from kpinspector.scoring.model.embedder import WINDOW_TOKENS
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.written import REPORT_VERSION, Members, report_schema
from kpinspector.scoring.whatif.reach import ReachRange, trace_reach
from kpinspector.scoring.whatif.scenario import Changed, Scenario, assumed_in, changed, rules_under
from kpinspector.settings import Mode
from kpinspector.trace.records import Problem, Skipped, TraceRecord
from kpinspector.trace.schema import passes

GENERATOR: Final = {"name": "kpinspector", "version": __version__}


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

    format: str = "kpinspector-report"
    version: int = REPORT_VERSION
    generated_at: str = field(default_factory=lambda: f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")
    generator: Mapping[str, str] = field(default_factory=lambda: GENERATOR)
    embedder: Members
    settings: UsedSettings
    pending: int = 0
    more_problems: int = 0
    traces: Sequence[Members]
    problems: Sequence[Problem]
    skipped: Sequence[Skipped]


def embedder_entry(sha256: str | None) -> Members:
    """The embedding model by the sha256 of its weights; None where it is missing."""
    state = "ready" if sha256 else "missing"
    return {"state": state, "model": MODEL_NAME, "sha256": sha256, "window": WINDOW_TOKENS}


def trace_entry(measured: Measured, terms: Terms, tried: Scenario | None = None) -> Members:
    """Assess a measurement and record all of its terms."""
    record, measurement = measured.record, measured.measurement
    used = terms.profile_of(measurement)
    made, what_if = make_entry(measurement, used, terms.threshold), None
    if tried and not tried.is_empty:
        case = changed(record.trace, measurement, tried)
        rules = rules_under(tried, used, terms.threshold)
        what_if = scenario_entry(tried, case, *rules, assumed_in(measurement.facts, tried))
    return _entry(
        "TraceEntry",
        record,
        record.trace,
        measured.place,
        **made | {"flags": (*measured.place.flags, *made["flags"])},
        recorded_quality_score=record.trace.metadata.quality_score,
        provenance=provenance_entry(record, used, measurement.novelty),
        what_if=what_if,
    )


def make_entry(measurement: Measurement, profile: Profile, threshold: float) -> Members:
    """Assess a measurement and record all of its terms, without what identifies the trace.

    ``score_range``: the possible scores of a run whose recording does not say how it ended.
    """
    facts, possible = measurement.facts, outcome_range(measurement, profile, threshold)
    known = possible.high if facts.outcome_known else None
    every = {one.name: outcome_range(measurement, one, threshold) for one in PROFILES}
    worst, best = facts.outcome_ends
    ends = {
        "low": _entry("RangeEnd", worst, possible.low),
        "high": _entry("RangeEnd", best, possible.high),
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
        "verdict": possible.verdict,
        "flags": tuple(flag for flag, holds in flags.items() if holds),
        "profiles": {
            name: {
                "score": one.low.score if known else None,
                "verdict": one.verdict,
                "score_range": None if known else (one.low.score, one.high.score),
            }
            for name, one in every.items()
        },
        "score_range": None if known else ends,
        # the main cause of a rejection; with the best outcome where the outcome is not known
        "cause": main_cause(possible.high) if possible.verdict is Verdict.REJECTED else None,
        "reach": reach_entry(trace_reach(measurement, profile, threshold)),
    }


def reach_entry(found: ReachRange) -> Members:
    """What a trace can reach, for the report; ``high``: None where the outcome is known."""
    high = None if found.low is found.high else found.high
    return {"kind": found.kind, "low": found.low, "high": high}


def provenance_entry(record: TraceRecord, profile: Profile, novelty: Novelty) -> Members | None:
    """Where the values of a run come from; None for a trace that was not recorded as a run."""
    if not isinstance(record, RunRecord):
        return None
    found, without = record.imported, None
    if found.mapped.derived:
        facts = facts_of(without_derived(record), schema_valid=passes(record.issues))
        without = score_bounds(facts, profile, novelty.value)
    score = found.stated.success_score if found.mapped_success is not None else None
    return _entry(
        "ProvenanceEntry",
        found.recording,
        found.run,
        fields={str(name): origin for name, origin in origins(found).items()},
        derived_steps=tuple(sorted(found.mapped.derived)),
        without_derived=without,
        success_score=(score.name, score.value) if score else None,
    )


def scenario_entry(
    scenario: Scenario, case: Changed, profile: Profile, threshold: float, assumed: tuple[str, ...]
) -> Members:
    """Judge a trace changed by a scenario; record the changes and all terms of the score."""
    then, possible = case.assess(profile, threshold), case.range(profile, threshold)
    return _entry(
        "ScenarioEntry",
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


def _gates(possible: ScoreRange, *, known: bool) -> Members:
    low, high = possible.low.score_passes, possible.high.score_passes
    # the schema requires an outcome as well
    schema = None if possible.low.schema_passes and not known else possible.low.schema_passes
    return {"schema": schema, "score": low if low == high else None}


def _dimensions(measurement: Measurement, assessment: Assessment) -> Members:
    facts, novelty, reach = measurement.facts, measurement.novelty, measurement.novelty.reach
    made: Members = {
        one.dimension: {"value": one.value, "contribution": one.part}
        for one in assessment.contributions
    }
    made[Dimension.NOVELTY] = _entry(
        "NoveltyEntry",
        novelty,
        contribution=made[Dimension.NOVELTY]["contribution"],
        tokens=reach.tokens if reach else None,
        truncated=reach.truncated if reach else False,
        window_ends_at_step=reach.ends_at_step if reach else None,
        text_sha256=reach.digest if reach else None,
    )
    if not facts.outcome_known:
        made[Dimension.OUTCOME_CONFIDENCE] = {"value": None, "contribution": None}
    made[Dimension.COMPLEXITY]["factors"] = _entry("ComplexityFactors", facts)
    made[Dimension.TOOL_DIVERSITY]["factors"] = _entry("DiversityFactors", facts)
    made[Dimension.OUTCOME_CONFIDENCE]["factors"] = {
        "confidence": facts.confidence if facts.confidence_known else None,
        "success": facts.success if facts.success_known else None,
        "factor": facts.outcome_factor if facts.success_known else None,
    }
    return made


def _entry(part: str, *sources: object, **own: Any) -> Members:
    """A part of the report: each member from ``own``, or else from the first source with it."""
    return {
        name: own[name]
        if name in own
        else next(getattr(one, name) for one in sources if hasattr(one, name))
        for name in report_schema()["$defs"][part]["properties"]
    }
