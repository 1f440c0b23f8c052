"""The value that one dimension needs, and single changes of a trace with their scores."""

import itertools
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum

from kpinspector.scoring.formula.assess import Assessment, ScoreRange, Values, score_of, value_for
from kpinspector.scoring.formula.doubles import nearest_float
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.measurement import novelty_of
from kpinspector.scoring.formula.overrides import (
    RECOVERIES_NEEDED,
    Rule,
    composite_for,
    rules_that_fire,
)
from kpinspector.scoring.formula.profiles import Dimension, Profile
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit
from kpinspector.trace.model import ReasoningTrace, Step, StepType
from kpinspector.trace.tree import Mark, step_marks

MOST_STEPS = 100
"""So many make complexity full whatever else there is."""


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
        low, high = min(0.0, now), max(1.0, now)
        if reaches(low):
            return Needed(dimension, now, low)
        if not reaches(high):
            return Needed(dimension, now, None)
        near = value_for(threshold, dimension, values, rules, weights)
        return Needed(dimension, now, nearest_float(reaches, low, high, near))

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


class ChangeKind(StrEnum):
    """The kinds of change, of a trace or of what it is compared with."""

    CONFIDENCE = "confidence"
    SUCCESS = "success"
    OUTCOME = "outcome"
    SIMILARITY = "similarity"
    TOOLS = "tools"
    RENAMES = "renames"
    RECOVERIES = "recoveries"
    OBSERVATIONS = "observations"
    TYPES = "types"
    NEW_TYPES = "new_types"
    VALUE = "value"
    THOUGHTS = "thoughts"
    REMOVALS = "removals"


@dataclass(frozen=True, slots=True)
class Change:
    """One change and the score after it.

    Attributes:
        dimension: The dimension that changes, or None where several do.
        amount: The bound (confidence, similarity, value) or the number of steps.
        scenario: The scenario that makes this change to the trace.
        before: The score without the change.
        after: The assessment of the changed trace.
        flips: Rules that fire before the change or after it, but not both.
    """

    kind: ChangeKind
    dimension: Dimension | None
    amount: float
    scenario: Scenario
    before: float
    after: Assessment
    flips: tuple[Rule, ...]

    @property
    def reaches(self) -> bool:
        """The score reaches the threshold."""
        return self.after.score_passes

    @property
    def novelty_held(self) -> bool:
        """The text changes, but the measured novelty is kept."""
        return self.kind is ChangeKind.REMOVALS


def scenario_for(kind: ChangeKind, amount: float, trace: ReasoningTrace) -> Scenario:
    """The scenario that makes a change; ``amount`` as in ``Change``."""
    match kind:
        case ChangeKind.CONFIDENCE:
            return Scenario(confidence=amount)
        case ChangeKind.SUCCESS:
            return Scenario(success=True)
        case ChangeKind.OUTCOME:
            return Scenario(success=True, confidence=amount)
        case ChangeKind.SIMILARITY:
            return Scenario(novelty=novelty_of(amount))
    number = int(amount)
    return Scenario(edits=_edits(kind, number, trace), added=_added(kind, number, trace))


def _edits(kind: ChangeKind, number: int, trace: ReasoningTrace) -> tuple[StepEdit, ...]:
    indices = sorted(step.index for step in steps_for(kind, trace)[:number])
    if kind is ChangeKind.REMOVALS:
        return tuple(StepEdit(index, left_out=True) for index in indices)
    names = new_tools(trace, len(indices))
    return tuple(StepEdit(index, tool=name) for index, name in zip(indices, names, strict=True))


def _added(kind: ChangeKind, number: int, trace: ReasoningTrace) -> tuple[AddedStep, ...]:
    step_type = ADDED_TYPES.get(kind)
    if step_type is None:
        return ()
    if kind is ChangeKind.TOOLS:
        return tuple(AddedStep(step_type, name) for name in new_tools(trace, number))
    return (AddedStep(step_type),) * number


def steps_for(kind: ChangeKind, trace: ReasoningTrace) -> tuple[Step, ...]:
    """The steps that a change can be made to, in the order in which it takes them."""
    match kind:
        case ChangeKind.RENAMES:
            return _repeats(trace)
        case ChangeKind.REMOVALS:
            return spare_steps(trace, succeeds=trace.metadata.success)
    return ()


def new_tools(trace: ReasoningTrace, number: int) -> tuple[str, ...]:
    """Tool names, ``number`` of them, that no step of the trace uses."""
    known = {step.tool_name for step in trace.steps}
    names = (f"another tool {one}" for one in itertools.count(1))
    return tuple(itertools.islice((name for name in names if name not in known), number))


def new_types(kinds: Collection[StepType | None], *, with_tools: bool) -> tuple[StepType, ...]:
    """The step types that do not occur; new recoveries and new tools bring their own."""
    brought = {StepType.ERROR_RECOVERY, *((StepType.TOOL_CALL,) if with_tools else ())}
    return tuple(one for one in StepType if one not in brought and one not in kinds)


def _repeats(trace: ReasoningTrace) -> tuple[Step, ...]:
    """The steps whose tool an earlier step has used."""
    marked = zip(trace.steps, step_marks(trace.steps), strict=True)
    return tuple(
        step for step, marks in marked if step.tool_key is not None and Mark.FIRST_TOOL not in marks
    )


def spare_steps(trace: ReasoningTrace, *, succeeds: bool) -> tuple[Step, ...]:
    """Steps that can be left out together at no loss of types, tools or recoveries, last first.

    One recovery is kept for complexity, or as many as the bonus needs where the trace earns it: it
    has them and ``succeeds``.
    """
    types = Counter(step.type_key for step in trace.steps)
    tools = Counter(step.tool_key for step in trace.steps)
    kinds = Counter(step.kind for step in trace.steps)
    earns_bonus = succeeds and kinds[StepType.ERROR_RECOVERY] >= RECOVERIES_NEEDED
    recoveries = RECOVERIES_NEEDED if earns_bonus else 1
    spare = []
    for step in reversed(trace.steps):
        brings_type = types[step.type_key] == 1
        brings_tool = step.tool_key is not None and tools[step.tool_key] == 1
        recovers = step.kind is StepType.ERROR_RECOVERY and kinds[step.kind] <= recoveries
        if not (brings_type or brings_tool or recovers):
            spare.append(step)
            types[step.type_key] -= 1
            tools[step.tool_key] -= 1
            kinds[step.kind] -= 1
    return tuple(spare)


CHANGED_DIMENSIONS = {
    ChangeKind.CONFIDENCE: Dimension.OUTCOME_CONFIDENCE,
    ChangeKind.SUCCESS: Dimension.OUTCOME_CONFIDENCE,
    ChangeKind.OUTCOME: Dimension.OUTCOME_CONFIDENCE,
    ChangeKind.SIMILARITY: Dimension.NOVELTY,
    ChangeKind.TOOLS: Dimension.TOOL_DIVERSITY,
    ChangeKind.RENAMES: Dimension.TOOL_DIVERSITY,
    ChangeKind.RECOVERIES: Dimension.COMPLEXITY,
    ChangeKind.OBSERVATIONS: Dimension.COMPLEXITY,
    ChangeKind.TYPES: Dimension.COMPLEXITY,
    ChangeKind.NEW_TYPES: Dimension.COMPLEXITY,
    ChangeKind.THOUGHTS: None,
    ChangeKind.REMOVALS: None,
}
ADDED_TYPES = {
    ChangeKind.TOOLS: StepType.TOOL_CALL,
    ChangeKind.RECOVERIES: StepType.ERROR_RECOVERY,
    ChangeKind.OBSERVATIONS: StepType.OBSERVATION,
    ChangeKind.THOUGHTS: StepType.THOUGHT,
}
