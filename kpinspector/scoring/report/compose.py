"""Composes a report of measurements, problems and what-ifs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import repeat

from kpinspector.runs.provenance import origins, without_derived
from kpinspector.runs.read import Imported, RunRecord
from kpinspector.scoring.formula.assess import (
    Assessment,
    ScoreRange,
    Verdict,
    assess,
    outcome_bounds,
    outcome_range,
)
from kpinspector.scoring.formula.facts import Facts, facts_of
from kpinspector.scoring.formula.gates import Cause, main_cause
from kpinspector.scoring.formula.measurement import Measurement, Novelty
from kpinspector.scoring.formula.profiles import PROFILES, Dimension, Profile, profile_for
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report import report as entry
from kpinspector.scoring.report.report import GatesEntry, ScenarioEntry
from kpinspector.scoring.whatif.reach import ReachRange, trace_reach
from kpinspector.scoring.whatif.scenario import Scenario, assumed_in
from kpinspector.scoring.whatif.whatif import changed, rules_under
from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.read import Problem, Skipped, Source, TraceRecord
from kpinspector.trace.schema import passes


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
    return ScenarioEntry(
        changes=scenario,
        facts=case.facts,
        dimensions=case.values,
        novelty_held=case.novelty_held,
        profile=then.profile.name,
        weights=then.profile.weights,
        composite=then.composite,
        overrides=then.overrides,
        score=then.score,
        sdk_score=then.sdk_score,
        threshold=then.threshold,
        margin=then.margin,
        gates=GatesEntry(schema=then.schema_passes, score=then.score_passes),
        verdict=then.verdict,
        assumed=assumed_in(measurement.facts, scenario),
        score_range=None if possible is None else (possible.low.score, possible.high.score),
    )


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
    settings: entry.UsedSettings,
    model: str | None,
    profile: Profile | None = None,
    check: Callable[[], None] = lambda: None,
) -> entry.Report:
    """Assess every measurement and record all of its terms.

    Args:
        results: The measurements, problems and skipped records.
        settings: The settings that were used.
        model: The sha256 of the model's weights; None without an embedder.
        profile: The profile for all traces; None takes each trace's own.
        check: Called before each trace; may raise to stop.
    """

    def trace(measured: Measured, tried: Scenario | None) -> entry.TraceEntry:
        check()
        return _trace(measured, tried, settings.threshold, profile)

    return entry.Report(
        generated_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        embedder=entry.EmbedderState(state="ready" if model else "missing", sha256=model),
        settings=settings,
        pending=results.pending,
        more_problems=results.more_problems,
        traces=tuple(map(trace, results.measured, results.what_ifs or repeat(None))),
        problems=tuple(results.problems),
        skipped=tuple(results.skipped),
    )


def make_entry(measurement: Measurement, profile: Profile, threshold: float) -> entry.TraceEntry:
    """Assess a measurement and record all of its terms; the entry names no trace yet."""
    assessment, possible = assess(measurement, profile, threshold), None
    facts = measurement.facts
    if not facts.outcome_known:
        possible = outcome_range(measurement, profile, threshold)
    return entry.TraceEntry(
        id=None,
        key="",
        source=Source("", None, 1),
        objective="",
        task_domain=facts.task_domain,
        profile=profile.name,
        weights=profile.weights,
        steps=facts.steps,
        dimensions=_dimensions(measurement, assessment),
        composite=None if possible else assessment.composite,
        overrides=() if possible else assessment.overrides,
        score=None if possible else assessment.score,
        sdk_score=None if possible else assessment.sdk_score,
        threshold=threshold,
        margin=None if possible else assessment.margin,
        gates=_gates(assessment, possible),
        verdict=_verdict(assessment, possible),
        flags=tuple(_flags(measurement, None if possible else assessment)),
        recorded_quality_score=None,
        profiles=_profiles(measurement, threshold),
        issues=(),
        score_range=None if possible is None else _range(facts, possible),
        cause=_cause(assessment, possible),
        reach=reach_entry(trace_reach(measurement, profile, threshold)),
    )


def reach_entry(found: ReachRange) -> entry.ReachEntry:
    """What a trace can reach, as a report has it."""
    high = None if found.low is found.high else found.high
    return entry.ReachEntry(kind=found.kind, low=found.low, high=high)


def _gates(assessment: Assessment, possible: ScoreRange | None) -> entry.GatesEntry:
    schema: bool | None = assessment.schema_passes
    score: bool | None = assessment.score_passes
    if possible is not None:
        # the schema requires an outcome as well
        schema = None if schema else False
        low, high = possible.low.score_passes, possible.high.score_passes
        score = low if low == high else None
    return entry.GatesEntry(schema=schema, score=score)


def _verdict(assessment: Assessment, possible: ScoreRange | None) -> Verdict:
    if possible is None:
        return assessment.verdict
    return possible.verdict or Verdict.UNDECIDED


def _cause(assessment: Assessment, possible: ScoreRange | None) -> Cause | None:
    """What a rejection is put down to first; that of the best outcome where it is not known."""
    if _verdict(assessment, possible) is not Verdict.REJECTED:
        return None
    return main_cause(possible.high if possible else assessment)


def _range(facts: Facts, possible: ScoreRange) -> entry.RangeEntry:
    low, high = (
        entry.RangeEnd(
            confidence=end.confidence,
            success=end.success,
            composite=judged.composite,
            overrides=judged.overrides,
            score=judged.score,
            margin=judged.margin,
        )
        for end, judged in zip(facts.outcome_ends, (possible.low, possible.high), strict=True)
    )
    return entry.RangeEntry(low=low, high=high)


def _trace(
    measured: Measured, tried: Scenario | None, threshold: float, profile: Profile | None
) -> entry.TraceEntry:
    record, place, measurement = measured.record, measured.place, measured.measurement
    used = profile or profile_for(measurement.facts.task_domain)
    what_if = None
    if tried is not None:
        what_if = scenario_entry(tried, record.trace, measurement, used, threshold)
    made = make_entry(measurement, used, threshold)
    return replace(
        made,
        id=record.trace.id,
        key=place.key,
        source=record.source,
        objective=record.trace.objective,
        recorded_quality_score=record.trace.metadata.quality_score,
        issues=record.issues,
        flags=(*place.flags, *made.flags),
        provenance=provenance_entry(record, used, measurement.novelty),
        what_if=what_if,
    )


def provenance_entry(
    record: TraceRecord, profile: Profile, novelty: Novelty
) -> entry.ProvenanceEntry | None:
    """Where the values of a run come from; None for a trace that was not recorded as a run."""
    if not isinstance(record, RunRecord):
        return None
    found, without = record.imported, None
    if found.mapped.derived:
        facts = facts_of(without_derived(record), schema_valid=passes(record.issues))
        without = outcome_bounds(Measurement(facts, novelty), profile)
    return entry.ProvenanceEntry(
        format=found.format,
        version=found.version,
        unit=found.unit,
        total=found.total,
        dropped=dict(found.dropped),
        parts=dict(found.parts),
        fields={str(name): origin for name, origin in origins(found).items()},
        derived_steps=tuple(sorted(found.mapped.derived)),
        without_derived=without,
        success_score=_mapped_score(found),
    )


def _mapped_score(found: Imported) -> tuple[str, str] | None:
    """The recorded score that says whether the run succeeded."""
    score = found.success_score
    return None if score is None or found.mapped_success is None else (score.name, score.value)


def _flags(measurement: Measurement, assessment: Assessment | None) -> Iterator[str]:
    """Names of what a reader of the score should know."""
    novelty = measurement.novelty
    if novelty.assumed:
        yield "assumed"
    if novelty.clamped:
        yield "clamped"
    if assessment is not None and assessment.too_close_to_call:
        yield "too_close_to_call"


def _profiles(measurement: Measurement, threshold: float) -> dict[str, entry.ProfileEntry]:
    return {profile.name: _profile(measurement, profile, threshold) for profile in PROFILES}


def _profile(measurement: Measurement, profile: Profile, threshold: float) -> entry.ProfileEntry:
    if measurement.facts.outcome_known:
        judged = assess(measurement, profile, threshold)
        return entry.ProfileEntry(score=judged.score, verdict=judged.verdict)
    possible = outcome_range(measurement, profile, threshold)
    return entry.ProfileEntry(
        score=None,
        verdict=possible.verdict or Verdict.UNDECIDED,
        score_range=(possible.low.score, possible.high.score),
    )


def _dimensions(measurement: Measurement, assessment: Assessment) -> entry.DimensionsEntry:
    facts = measurement.facts
    parts = {term.dimension: term.part for term in assessment.contributions}
    return entry.DimensionsEntry(
        complexity=entry.ComplexityEntry(
            value=facts.complexity,
            contribution=parts[Dimension.COMPLEXITY],
            factors=entry.ComplexityFactors(
                unique_types=facts.unique_types,
                error_recoveries=facts.error_recoveries,
                steps=facts.steps,
                single_thought=facts.single_thought,
            ),
        ),
        novelty=_novelty(measurement.novelty, parts[Dimension.NOVELTY]),
        tool_diversity=entry.DiversityEntry(
            value=facts.tool_diversity,
            contribution=parts[Dimension.TOOL_DIVERSITY],
            factors=entry.DiversityFactors(
                unique_tools=facts.unique_tools, steps=facts.steps, tool_steps=facts.tool_steps
            ),
        ),
        outcome_confidence=_outcome(facts, parts[Dimension.OUTCOME_CONFIDENCE]),
    )


def _outcome(facts: Facts, contribution: float) -> entry.OutcomeEntry:
    """The outcome; what is not recorded is null, and so is everything computed from it."""
    return entry.OutcomeEntry(
        value=facts.outcome_confidence if facts.outcome_known else None,
        contribution=contribution if facts.outcome_known else None,
        factors=entry.OutcomeFactors(
            confidence=facts.confidence if facts.confidence_known else None,
            success=facts.success if facts.success_known else None,
            factor=facts.outcome_factor if facts.success_known else None,
        ),
    )


def _novelty(novelty: Novelty, contribution: float) -> entry.NoveltyEntry:
    reach = novelty.reach
    return entry.NoveltyEntry(
        value=novelty.value,
        contribution=contribution,
        basis=novelty.basis,
        remembered=novelty.remembered,
        max_similarity=novelty.max_similarity,
        neighbours=novelty.neighbours,
        compared_with=novelty.compared_with,
        clamped=novelty.clamped,
        tokens=reach.tokens if reach else None,
        truncated=reach.truncated if reach else False,
        window_ends_at_step=reach.ends_at_step if reach else None,
        text_sha256=reach.digest if reach else None,
    )
