"""The score of a trace as it is, and with a scenario.

Pure, and quick enough for every move of a slider. Nothing here repeats the formula: a scenario
gives other facts and values, which ``assess`` judges.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kpinspector.scoring.formula.assess import (
    Assessment,
    ScoreRange,
    assess_values,
    score_of,
    scores_under,
    value_for,
    values_of,
)
from kpinspector.scoring.formula.measurement import Facts, Measurement, Novelty
from kpinspector.scoring.formula.overrides import (
    Rule,
    composite_for,
    flipped_rules,
    rules_that_fire,
)
from kpinspector.scoring.formula.profiles import PROFILES, Dimension, Profile, Values
from kpinspector.scoring.whatif.reach import nearest_float
from kpinspector.scoring.whatif.scenario import Scenario, edited_facts
from kpinspector.trace.model import ReasoningTrace


def flips(
    judged: Iterable[tuple[Measurement, tuple[float, float]]],
    now: float,
    then: float,
    profiles: Sequence[Profile] = (),
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The number of verdicts that would change, and of those that would be undecided.

    By another threshold alone, then with each profile applied to all traces in place of their own.

    Args:
        judged: Measurements that are decided, with their lowest and highest possible scores.
        now: The present threshold.
        then: The threshold that is tried; it may be the same.
        profiles: Those that are tried.
    """
    numbers, still_open = [0] * (1 + len(profiles)), [0] * (1 + len(profiles))
    for measurement, own in judged:
        facts = measurement.facts
        if not facts.schema_valid:
            continue  # the schema gate rejects it, whatever its score
        passes = own[0] >= now
        ends = facts.outcome_ends[:1] if facts.outcome_known else facts.outcome_ends
        scores = [scores_under(replace(measurement, facts=end), profiles) for end in ends]
        for place, (low, high) in enumerate((own, *zip(scores[0], scores[-1], strict=True))):
            still_open[place] += (low >= then) is not (high >= then)
            numbers[place] += (low >= then) is (high >= then) is not passes
    return tuple(numbers), tuple(still_open)


@dataclass(frozen=True, slots=True)
class Needed:
    """The smallest value of one dimension with which the score passes, the others held; or None.

    A trace that passes has such a value as well: the one below which it would fail.
    """

    dimension: Dimension
    now: float
    value: float | None


def needed_of(
    values: Values, facts: Facts, profile: Profile, threshold: float
) -> tuple[Needed, ...]:
    """The value that each dimension needs on its own, with the others held and the same rules.

    No weight is negative, so every greater value reaches the threshold too.
    """
    rules, weights = rules_that_fire(facts), profile.weights

    def needed(dimension: Dimension) -> Needed:
        def reaches(value: float) -> bool:
            return score_of(replace(values, **{dimension: value}), rules, weights) >= threshold

        now = values.of(dimension)
        near = value_for(threshold, dimension, values, rules, weights)
        least = nearest_float(reaches, min(0.0, now), max(1.0, now), near)
        return Needed(dimension, now, least)

    return tuple(map(needed, Dimension))


def novelty_needed(possible: ScoreRange) -> float:
    """The novelty at and above which the best outcome passes, where novelty decides that.

    The threshold without the overrides and the other parts, divided by the weight of novelty; to
    12 decimals. It is not above 0 where that outcome passes whatever novelty is.
    """
    best = possible.high
    rules = [one.rule for one in best.overrides if one.applied]
    target = composite_for(rules, best.threshold)
    rest = sum(term.part for term in best.contributions if term.dimension is not Dimension.NOVELTY)
    # without the noise of the division, which would add a unit when rounded up
    return round((target - rest) / best.profile.weights.novelty, 12)


@dataclass(frozen=True, slots=True)
class Changed:
    """The terms that the score of a changed trace needs.

    Attributes:
        followed: The values that follow from the facts and the novelty.
        values: The same, with those that were set by hand in their place.
        unclamped: The SDK's own novelty; None where novelty was set by hand.
        novelty_held: The model would see another text, but the measured novelty is kept.
    """

    facts: Facts
    followed: Values
    values: Values
    unclamped: float | None
    novelty_held: bool

    def assess(self, profile: Profile, threshold: float) -> Assessment:
        """The assessment, with every term."""
        return assess_values(self.values, self.facts, profile, threshold, unclamped=self.unclamped)

    def range(self, profile: Profile, threshold: float) -> ScoreRange | None:
        """The possible scores where the outcome is neither recorded nor tried; None otherwise."""
        if self.facts.outcome_known:
            return None
        low, high = (
            assess_values(
                replace(self.values, outcome_confidence=end.outcome_confidence),
                end,
                profile,
                threshold,
                unclamped=self.unclamped,
            )
            for end in self.facts.outcome_ends
        )
        return ScoreRange(low, high)


def changed(trace: ReasoningTrace, measurement: Measurement, scenario: Scenario) -> Changed:
    """The changed terms that a scenario makes of a trace and its measurement."""
    facts = edited_facts(trace, measurement.facts, scenario)
    novelty = scenario.measured_novelty or measurement.novelty
    fresh = scenario.measured_novelty is not None or scenario.novelty is not None
    followed = values_of(facts, novelty.value)
    return Changed(
        facts=facts,
        followed=followed,
        values=replace(followed, **scenario.by_hand),
        unclamped=novelty.unclamped if scenario.novelty is None else None,
        novelty_held=not fresh and _changes_what_is_seen(trace, novelty, scenario),
    )


def _changes_what_is_seen(trace: ReasoningTrace, novelty: Novelty, scenario: Scenario) -> bool:
    """Whether a step with text within the model's window is left out."""
    reach, seen = novelty.reach, trace.steps
    if reach is not None and reach.truncated:
        seen = seen[: 0 if reach.ends_at_step is None else reach.ends_at_step + 1]
    return any(step.index in scenario.left_out and step.content.strip() for step in seen)


@dataclass(frozen=True)
class WhatIf(Changed):
    """A score with and without a scenario; the rest is computed when it is first needed."""

    now: Assessment
    then: Assessment

    @cached_property
    def flips(self) -> tuple[Rule, ...]:
        """Rules that fire with the scenario or without it, but not both."""
        return flipped_rules(self.now.overrides, self.then.overrides)

    @cached_property
    def profiles(self) -> tuple[Assessment, ...]:
        """The changed trace under each of the named profiles."""
        then = self.then
        return tuple(
            then if one == then.profile else self.assess(one, then.threshold) for one in PROFILES
        )

    @cached_property
    def possible(self) -> ScoreRange | None:
        """The possible scores with the scenario, where the outcome is unknown."""
        return self.range(self.then.profile, self.then.threshold)

    @cached_property
    def ranges(self) -> tuple[ScoreRange | None, ...]:
        """The same for each of ``profiles``."""
        return tuple(self.range(one.profile, one.threshold) for one in self.profiles)

    @cached_property
    def needed(self) -> tuple[Needed, ...]:
        """The value that each dimension needs on its own, with the scenario's other values."""
        return needed_of(self.values, self.facts, self.then.profile, self.then.threshold)


def what_if(
    now: Assessment, trace: ReasoningTrace, measurement: Measurement, scenario: Scenario
) -> WhatIf:
    """Judge a trace with a scenario, which may set another profile and threshold than ``now``."""
    case = changed(trace, measurement, scenario)
    then = case.assess(*rules_under(scenario, now.profile, now.threshold))
    return WhatIf(
        case.facts, case.followed, case.values, case.unclamped, case.novelty_held, now, then
    )


def rules_under(scenario: Scenario, profile: Profile, threshold: float) -> tuple[Profile, float]:
    """The profile and threshold of a scenario; the given ones where it sets none."""
    return (
        scenario.profile or profile,
        threshold if scenario.threshold is None else scenario.threshold,
    )
