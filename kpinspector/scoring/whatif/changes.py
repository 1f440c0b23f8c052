"""Single changes of a trace with their scores, and what the searches for them share."""

import itertools
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.measurement import Measurement, novelty_of
from kpinspector.scoring.formula.overrides import RECOVERIES_NEEDED, Rule, flipped_rules
from kpinspector.scoring.formula.profiles import Dimension, Profile
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit
from kpinspector.scoring.whatif.whatif import changed
from kpinspector.trace.model import ReasoningTrace, Step, StepType
from kpinspector.trace.tree import Mark, step_marks

MOST_STEPS = 100
"""So many make complexity full whatever else there is."""


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


class Search:
    """What the searches for changes of one rejected trace have in common.

    They work on facts alone, which is quick; each change that they find is then assessed as a
    scenario of the trace.
    """

    def __init__(
        self, trace: ReasoningTrace, measurement: Measurement, profile: Profile, threshold: float
    ) -> None:
        self._trace = trace
        self._measurement = measurement
        self._facts = measurement.facts
        self._rules = profile, threshold
        self._kinds = frozenset(step.kind for step in trace.steps)

    @cached_property
    def before(self) -> Assessment:
        """The assessment of the trace as it is."""
        return assess(self._measurement, *self._rules)

    def _judge(self, scenario: Scenario) -> Assessment:
        return changed(self._trace, self._measurement, scenario).assess(*self._rules)

    def _change(self, kind: ChangeKind, amount: float, scenario: Scenario) -> Change:
        after = self._judge(scenario)
        return Change(
            kind=kind,
            dimension=CHANGED_DIMENSIONS.get(kind),
            amount=amount,
            scenario=scenario,
            before=self.before.score,
            after=after,
            flips=flipped_rules(self.before.overrides, after.overrides),
        )


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
