"""A trace and its measurement with the changes of a scenario: facts, values and score."""

from dataclasses import dataclass, replace

from kpinspector.scoring.formula.assess import (
    Assessment,
    Values,
    assess_values,
    values_of,
)
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.measurement import Measurement, Novelty, Reach
from kpinspector.scoring.formula.profiles import Profile
from kpinspector.scoring.whatif.edited import edited_facts
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.trace.model import ReasoningTrace


@dataclass(frozen=True, slots=True)
class Changed:
    """What a score needs of a changed trace.

    Attributes:
        facts: Of the changed trace; they decide the overrides and the schema gate.
        followed: The facts' dimensions and novelty.
        values: The same but for what was set by hand.
        unclamped: The SDK's own novelty; None where novelty was set by hand.
        novelty_held: The embedder would see another text, but novelty is as it was measured.
    """

    facts: Facts
    followed: Values
    values: Values
    unclamped: float | None
    novelty_held: bool

    def assess(self, profile: Profile, threshold: float) -> Assessment:
        """The assessment, with every term."""
        return assess_values(self.values, self.facts, profile, threshold, unclamped=self.unclamped)


def changed(trace: ReasoningTrace, measurement: Measurement, scenario: Scenario) -> Changed:
    """What the scenario makes of a trace and its measurement."""
    facts = edited_facts(trace, measurement.facts, scenario)
    novelty = scenario.measured_novelty or measurement.novelty
    fresh = scenario.measured_novelty is not None or scenario.novelty is not None
    held = not fresh and _changes_what_is_seen(trace, novelty, scenario)
    return changed_to(facts, measurement, scenario, novelty_held=held)


def changed_to(
    facts: Facts, measurement: Measurement, scenario: Scenario, *, novelty_held: bool
) -> Changed:
    """The same where the facts of the changed trace are known."""
    novelty = scenario.measured_novelty or measurement.novelty
    followed = values_of(facts, novelty.value)
    return Changed(
        facts=facts,
        followed=followed,
        values=replace(followed, **scenario.by_hand),
        unclamped=novelty.unclamped if scenario.novelty is None else None,
        novelty_held=novelty_held,
    )


def _changes_what_is_seen(trace: ReasoningTrace, novelty: Novelty, scenario: Scenario) -> bool:
    """Whether a step is left out whose content the embedder read."""
    return any(
        index in range(len(trace.steps))
        and _is_seen(index, novelty.reach)
        and bool(trace.steps[index].content.strip())
        for index in scenario.left_out
    )


def _is_seen(index: int, reach: Reach | None) -> bool:
    if reach is None or not reach.truncated:
        return True
    return reach.ends_at_step is not None and index <= reach.ends_at_step
