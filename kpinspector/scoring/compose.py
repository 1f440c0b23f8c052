"""Measurements and problems, put together as a report."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from kpinspector.scoring import report as entry
from kpinspector.scoring.assess import Assessment, assess
from kpinspector.scoring.batch import Measured
from kpinspector.scoring.measure import Novelty
from kpinspector.scoring.profiles import PROFILES, Dimension, Profile, profile_for
from kpinspector.scoring.scenario_entry import scenario_entry
from kpinspector.trace.read import Problem, Skipped


@dataclass(frozen=True, slots=True)
class Results:
    """What a report is made of, in the order of the list."""

    measured: Sequence[Measured]
    problems: Sequence[Problem]
    skipped: Sequence[Skipped]
    pending: int = 0


def make_report(
    results: Results,
    settings: entry.UsedSettings,
    model: str | None,
    profile: Profile | None = None,
) -> entry.Report:
    """Assess every measurement and write all of it down.

    Args:
        results: What was scored and what was not.
        settings: What was used.
        model: The sha256 of the weights, or None without an embedder.
        profile: For all traces; None takes each trace's own.
    """
    return entry.Report(
        generated_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        embedder=entry.EmbedderState(state="ready" if model else "missing", sha256=model),
        settings=settings,
        pending=results.pending,
        traces=tuple(_trace(one, settings.threshold, profile) for one in results.measured),
        problems=tuple(results.problems),
        skipped=tuple(results.skipped),
    )


def flags_of(measured: Measured, assessment: Assessment) -> tuple[str, ...]:
    """All that a reader of the score should know beside it, in plain names."""
    novelty = measured.measurement.novelty
    further = (
        ("assumed", novelty.assumed),
        ("clamped", novelty.clamped),
        ("too_close_to_call", assessment.too_close_to_call),
    )
    return (*measured.place.flags, *(name for name, holds in further if holds))


def _trace(measured: Measured, threshold: float, profile: Profile | None) -> entry.TraceEntry:
    record, measurement = measured.record, measured.measurement
    trace = record.trace
    used = profile or profile_for(measurement.facts.task_domain)
    assessment = assess(measurement, used, threshold)
    return entry.TraceEntry(
        id=trace.id,
        key=measured.place.key,
        source=record.source,
        objective=trace.objective,
        task_domain=trace.metadata.task_domain,
        profile=used.name,
        weights=used.weights,
        steps=len(trace.steps),
        dimensions=_dimensions(measured, assessment),
        composite=assessment.composite,
        overrides=assessment.overrides,
        score=assessment.score,
        sdk_score=assessment.sdk_score,
        threshold=threshold,
        margin=assessment.margin,
        gates=entry.GatesEntry(schema=assessment.schema_passes, score=assessment.score_passes),
        verdict=assessment.verdict,
        flags=flags_of(measured, assessment),
        recorded_quality_score=trace.metadata.quality_score,
        profiles=_profiles(measured, threshold),
        issues=record.issues,
        scenarios=tuple(
            scenario_entry(one, trace, measurement, used, threshold) for one in measured.scenarios
        ),
    )


def _profiles(measured: Measured, threshold: float) -> dict[str, entry.ProfileEntry]:
    every = (assess(measured.measurement, profile, threshold) for profile in PROFILES)
    return {
        one.profile.name: entry.ProfileEntry(score=one.score, verdict=one.verdict) for one in every
    }


def _dimensions(measured: Measured, assessment: Assessment) -> entry.DimensionsEntry:
    facts = measured.measurement.facts
    parts = {term.dimension: term.part for term in assessment.contributions}
    return entry.DimensionsEntry(
        complexity=entry.ComplexityEntry(
            value=facts.complexity,
            contribution=parts[Dimension.COMPLEXITY],
            factors=entry.ComplexityFactors.model_validate(facts, from_attributes=True),
        ),
        novelty=_novelty(measured.measurement.novelty, parts[Dimension.NOVELTY]),
        tool_diversity=entry.DiversityEntry(
            value=facts.tool_diversity,
            contribution=parts[Dimension.TOOL_DIVERSITY],
            factors=entry.DiversityFactors.model_validate(facts, from_attributes=True),
        ),
        outcome_confidence=entry.OutcomeEntry(
            value=facts.outcome_confidence,
            contribution=parts[Dimension.OUTCOME_CONFIDENCE],
            factors=entry.OutcomeFactors(
                confidence=facts.confidence, success=facts.success, factor=facts.outcome_factor
            ),
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
        neighbours=tuple(
            entry.NeighbourEntry(
                key=neighbour.key,
                id=neighbour.trace_id,
                objective=neighbour.objective,
                path=neighbour.source_path,
                similarity=neighbour.similarity,
            )
            for neighbour in novelty.neighbours
        ),
        compared_with=novelty.compared_with,
        clamped=novelty.clamped,
        tokens=reach.tokens if reach else None,
        truncated=reach.truncated if reach else False,
        window_ends_at_step=reach.ends_at_step if reach else None,
    )
