"""A saved what-if as the report has it."""

from kpinspector.scoring.formula.profiles import Profile
from kpinspector.scoring.novelty.measure import Measurement
from kpinspector.scoring.report.report import GatesEntry, ScenarioEntry
from kpinspector.scoring.whatif.changed import Changed, changed, changed_to
from kpinspector.scoring.whatif.scenario import NamedScenario
from kpinspector.scoring.whatif.whatif import rules_under
from kpinspector.trace.model import ReasoningTrace


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
