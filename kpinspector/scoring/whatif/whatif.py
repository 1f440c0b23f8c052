"""What if: the score of a trace now, and its score then.

Pure, and quick enough for every move of a slider. Nothing here knows the formula: a scenario makes
other facts and values, and the real assessment judges them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kpinspector.scoring.formula.assess import Assessment, Values, assess, scores_under
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.overrides import Rule, flipped_rules
from kpinspector.scoring.formula.profiles import PROFILES, Profile
from kpinspector.scoring.whatif.changed import changed
from kpinspector.scoring.whatif.changes import Needed, needed_of
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.trace.model import ReasoningTrace


def flips(
    judged: Iterable[tuple[Measurement, float]],
    now: float,
    then: float,
    profiles: Sequence[Profile] = (),
) -> tuple[int, ...]:
    """How many verdicts would be others: by the threshold alone, then with each profile for all.

    Args:
        judged: What was measured, and the score that it has.
        now: The present threshold.
        then: The other one, or the same.
        profiles: In place of each trace's own.
    """
    numbers = [0] * (1 + len(profiles))
    for measurement, score in judged:
        if not measurement.facts.schema_valid:
            continue  # rejected, whatever the score
        passes = score >= now
        others = scores_under(measurement, profiles) if profiles else ()
        for place, other in enumerate((score, *others)):
            numbers[place] += (other >= then) is not passes
    return tuple(numbers)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A score and what it would be.

    Attributes:
        facts: Of the changed trace.
        values: The four dimensions of ``then``.
        novelty_held: The embedder would see another text, but novelty is as it was measured.
        flips: Rules that fire then and do not now, or the other way round.
    """

    now: Assessment
    then: Assessment
    facts: Facts
    values: Values
    novelty_held: bool
    flips: tuple[Rule, ...]


def what_if(
    trace: ReasoningTrace,
    measurement: Measurement,
    scenario: Scenario,
    profile: Profile,
    threshold: float,
) -> WhatIf:
    """Judge a trace with and without a scenario; profile and threshold are those without it."""
    now = assess(measurement, profile, threshold)
    case = changed(trace, measurement, scenario)
    then = case.assess(*rules_under(scenario, profile, threshold))
    return WhatIf(
        now=now,
        then=then,
        facts=case.facts,
        values=case.values,
        novelty_held=case.novelty_held,
        flips=flipped_rules(now.overrides, then.overrides),
    )


def profiles_under(
    trace: ReasoningTrace,
    measurement: Measurement,
    scenario: Scenario,
    profile: Profile,
    threshold: float,
) -> tuple[Assessment, ...]:
    """All named profiles with the scenario's changes, whichever profile it is judged by."""
    case = changed(trace, measurement, scenario)
    _, threshold = rules_under(scenario, profile, threshold)
    return tuple(case.assess(one, threshold) for one in PROFILES)


def needed_values(
    trace: ReasoningTrace,
    measurement: Measurement,
    scenario: Scenario,
    profile: Profile,
    threshold: float,
) -> tuple[Needed, ...]:
    """For each dimension the value that it needs alone, the others as the scenario has them."""
    case = changed(trace, measurement, scenario)
    return needed_of(case, *rules_under(scenario, profile, threshold))


def rules_under(scenario: Scenario, profile: Profile, threshold: float) -> tuple[Profile, float]:
    """Profile and threshold with a scenario; those given hold where it names none."""
    return (
        scenario.profile or profile,
        threshold if scenario.threshold is None else scenario.threshold,
    )
