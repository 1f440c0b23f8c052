"""Measurements, problems and saved scenarios, put together as a report."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import repeat

from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.measurement import Measurement, Novelty
from kpinspector.scoring.formula.profiles import PROFILES, Dimension, Profile, profile_for
from kpinspector.scoring.novelty.sequence import Flag, Measured
from kpinspector.scoring.report import report as entry
from kpinspector.scoring.report.report import GatesEntry, ScenarioEntry
from kpinspector.scoring.whatif.scenario import NamedScenario
from kpinspector.scoring.whatif.whatif import Changed, changed, changed_to, rules_under
from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.read import Problem, Skipped, Source
from kpinspector.trace.schema import Issue


def scenario_entry(
    named: NamedScenario,
    trace: ReasoningTrace,
    measurement: Measurement,
    profile: Profile,
    threshold: float,
) -> ScenarioEntry:
    """Judge a scenario and write all of it down; profile and threshold are those without it."""
    case = changed(trace, measurement, named.scenario)
    return _entry(named, case, *rules_under(named.scenario, profile, threshold))


def scenario_again(
    entry: ScenarioEntry, measurement: Measurement, profile: Profile, threshold: float
) -> ScenarioEntry:
    """Judge what is written down, by its own facts and without the trace."""
    case = changed_to(entry.facts, measurement, entry.changes, novelty_held=entry.novelty_held)
    named = NamedScenario(entry.name, entry.changes)
    return _entry(named, case, *rules_under(entry.changes, profile, threshold))


def _entry(
    named: NamedScenario, case: Changed, profile: Profile, threshold: float
) -> ScenarioEntry:
    then = case.assess(profile, threshold)
    return ScenarioEntry(
        name=named.name,
        changes=named.scenario,
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
    )


@dataclass(frozen=True, slots=True)
class Results:
    """What a report is made of, in the order of the list.

    Attributes:
        more_problems: How many there are beside those that are listed.
        scenarios: Saved what-ifs of each trace; empty where nobody saved any.
    """

    measured: Sequence[Measured]
    problems: Sequence[Problem]
    skipped: Sequence[Skipped]
    pending: int = 0
    more_problems: int = 0
    scenarios: Sequence[tuple[NamedScenario, ...]] = ()


@dataclass(frozen=True, slots=True)
class Identity:
    """What an entry says of a trace beside its measurement."""

    id: str | None
    key: str
    source: Source
    objective: str
    quality_score: float | None
    issues: tuple[Issue, ...]
    flags: tuple[Flag, ...]


def make_report(
    results: Results,
    settings: entry.UsedSettings,
    model: str | None,
    profile: Profile | None = None,
    check: Callable[[], None] = lambda: None,
) -> entry.Report:
    """Assess every measurement and write all of it down.

    Args:
        results: What was scored and what was not.
        settings: What was used.
        model: The sha256 of the weights, or None without an embedder.
        profile: For all traces; None takes each trace's own.
        check: Called before each trace; may raise to stop.
    """

    def trace(measured: Measured, saved: tuple[NamedScenario, ...]) -> entry.TraceEntry:
        check()
        return _trace(measured, saved, settings.threshold, profile)

    report = entry.Report(
        generated_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        embedder=entry.EmbedderState(state="ready" if model else "missing", sha256=model),
        settings=settings,
        pending=results.pending,
        more_problems=results.more_problems,
        traces=tuple(map(trace, results.measured, results.scenarios or repeat(()))),
        problems=tuple(results.problems),
        skipped=tuple(results.skipped),
        checksum="",
    )
    checksum = entry.checksum_of(entry.json_values(report), check)
    return report.model_copy(update={"checksum": checksum})


def make_entry(
    identity: Identity,
    measurement: Measurement,
    profile: Profile,
    threshold: float,
    scenarios: tuple[entry.ScenarioEntry, ...],
) -> entry.TraceEntry:
    """Assess a measurement and write all of it down."""
    assessment = assess(measurement, profile, threshold)
    facts = measurement.facts
    return entry.TraceEntry(
        id=identity.id,
        key=identity.key,
        source=identity.source,
        objective=identity.objective,
        task_domain=facts.task_domain,
        profile=profile.name,
        weights=profile.weights,
        steps=facts.steps,
        dimensions=_dimensions(measurement, assessment),
        composite=assessment.composite,
        overrides=assessment.overrides,
        score=assessment.score,
        sdk_score=assessment.sdk_score,
        threshold=threshold,
        margin=assessment.margin,
        gates=entry.GatesEntry(schema=assessment.schema_passes, score=assessment.score_passes),
        verdict=assessment.verdict,
        flags=(*identity.flags, *_flags(measurement, assessment)),
        recorded_quality_score=identity.quality_score,
        profiles=_profiles(measurement, threshold),
        issues=identity.issues,
        scenarios=scenarios,
    )


def _trace(
    measured: Measured,
    saved: tuple[NamedScenario, ...],
    threshold: float,
    profile: Profile | None,
) -> entry.TraceEntry:
    record, measurement = measured.record, measured.measurement
    identity = Identity(
        id=record.trace.id,
        key=measured.place.key,
        source=record.source,
        objective=record.trace.objective,
        quality_score=record.trace.metadata.quality_score,
        issues=record.issues,
        flags=measured.place.flags,
    )
    used = profile or profile_for(measurement.facts.task_domain)
    scenarios = tuple(
        scenario_entry(one, record.trace, measurement, used, threshold) for one in saved
    )
    return make_entry(identity, measurement, used, threshold, scenarios)


def _flags(measurement: Measurement, assessment: Assessment) -> Iterator[str]:
    """What a reader of the score should know beside it, in plain names."""
    novelty = measurement.novelty
    if novelty.assumed:
        yield "assumed"
    if novelty.clamped:
        yield "clamped"
    if assessment.too_close_to_call:
        yield "too_close_to_call"


def _profiles(measurement: Measurement, threshold: float) -> dict[str, entry.ProfileEntry]:
    every = (assess(measurement, profile, threshold) for profile in PROFILES)
    return {
        one.profile.name: entry.ProfileEntry(score=one.score, verdict=one.verdict) for one in every
    }


def _dimensions(measurement: Measurement, assessment: Assessment) -> entry.DimensionsEntry:
    facts = measurement.facts
    parts = {term.dimension: term.part for term in assessment.contributions}
    return entry.DimensionsEntry(
        complexity=entry.ComplexityEntry(
            value=facts.complexity,
            contribution=parts[Dimension.COMPLEXITY],
            factors=entry.ComplexityFactors.model_validate(facts, from_attributes=True),
        ),
        novelty=_novelty(measurement.novelty, parts[Dimension.NOVELTY]),
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
                record=neighbour.record,
            )
            for neighbour in novelty.neighbours
        ),
        compared_with=novelty.compared_with,
        clamped=novelty.clamped,
        tokens=reach.tokens if reach else None,
        truncated=reach.truncated if reach else False,
        window_ends_at_step=reach.ends_at_step if reach else None,
        text_sha256=reach.digest if reach else None,
    )
