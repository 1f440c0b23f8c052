"""A saved what-if as the report has it."""

from kpinspector.scoring.measure import Measurement
from kpinspector.scoring.profiles import Profile
from kpinspector.scoring.report import GatesEntry, ScenarioEntry
from kpinspector.scoring.scenario import NamedScenario
from kpinspector.scoring.whatif import what_if
from kpinspector.trace.model import ReasoningTrace


def scenario_entry(
    named: NamedScenario,
    trace: ReasoningTrace,
    measurement: Measurement,
    profile: Profile,
    threshold: float,
) -> ScenarioEntry:
    """Judge a scenario and write all of it down; profile and threshold are those without it."""
    found = what_if(trace, measurement, named.scenario, profile, threshold)
    then = found.then
    return ScenarioEntry(
        name=named.name,
        changes=named.scenario,
        facts=found.facts,
        dimensions=found.values,
        novelty_held=found.novelty_held,
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
