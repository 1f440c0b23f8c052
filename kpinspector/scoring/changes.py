"""One change of a trace: what is changed, the scenario that makes it, and the score after it."""

import itertools
from dataclasses import dataclass
from enum import StrEnum

from kpinspector.scoring.assess import Assessment
from kpinspector.scoring.measure import novelty_of
from kpinspector.scoring.overrides import RECOVERIES_NEEDED, Rule
from kpinspector.scoring.profiles import Dimension
from kpinspector.scoring.scenario import AddedStep, Scenario, StepEdit
from kpinspector.trace.model import ReasoningTrace, Step, StepType
from kpinspector.trace.tree import Mark, step_marks


class ChangeKind(StrEnum):
    """What is changed in the trace, the file or its surroundings."""

    CONFIDENCE = "confidence"
    SUCCESS = "success"
    SIMILARITY = "similarity"
    TOOLS = "tools"
    RENAMES = "renames"
    RECOVERIES = "recoveries"
    THOUGHTS = "thoughts"
    REMOVALS = "removals"


@dataclass(frozen=True, slots=True)
class Change:
    """One change and the score after it.

    Attributes:
        dimension: The dimension it works on, or None where it works on several.
        amount: The bound (confidence, similarity) or the number of steps.
        before: The score without it.
        after: What the real assessment says of the changed trace.
        flips: Rules that fire now and did not before, or the other way round.
    """

    kind: ChangeKind
    dimension: Dimension | None
    amount: float
    before: float
    after: Assessment
    flips: tuple[Rule, ...]

    @property
    def reaches(self) -> bool:
        """The score reaches the threshold."""
        return self.after.score_passes

    @property
    def novelty_held(self) -> bool:
        """The text changes, but novelty is kept as it was measured."""
        return self.kind is ChangeKind.REMOVALS


def scenario_of(change: Change, trace: ReasoningTrace) -> Scenario:
    """The scenario that makes this change of the trace it was found for."""
    return scenario_for(change.kind, change.amount, trace)


def scenario_for(kind: ChangeKind, amount: float, trace: ReasoningTrace) -> Scenario:
    """The scenario that makes a change; ``amount`` as in ``Change``."""
    match kind:
        case ChangeKind.CONFIDENCE:
            return Scenario(confidence=amount)
        case ChangeKind.SUCCESS:
            return Scenario(success=True)
        case ChangeKind.SIMILARITY:
            return Scenario(novelty=novelty_of(amount))
    number = int(amount)
    return Scenario(edits=_edits(kind, number, trace), added=_added(kind, number, trace))


def _edits(kind: ChangeKind, number: int, trace: ReasoningTrace) -> tuple[StepEdit, ...]:
    match kind:
        case ChangeKind.RENAMES:
            names = new_tools(trace, number)
            pairs = zip(repeats(trace)[:number], names, strict=True)
            return tuple(StepEdit(step.index, tool=name) for step, name in pairs)
        case ChangeKind.REMOVALS:
            indices = sorted(step.index for step in spare_steps(trace)[:number])
            return tuple(StepEdit(index, left_out=True) for index in indices)
    return ()


def _added(kind: ChangeKind, number: int, trace: ReasoningTrace) -> tuple[AddedStep, ...]:
    match kind:
        case ChangeKind.RECOVERIES:
            return (AddedStep(StepType.ERROR_RECOVERY),) * number
        case ChangeKind.THOUGHTS:
            return (AddedStep(StepType.THOUGHT),) * number
        case ChangeKind.TOOLS:
            names = new_tools(trace, number)
            return tuple(AddedStep(StepType.TOOL_CALL, name) for name in names)
    return ()


def new_tools(trace: ReasoningTrace, number: int) -> tuple[str, ...]:
    """So many names that no tool of the trace has."""
    known = {step.tool_name for step in trace.steps}
    names = (f"another tool {one}" for one in itertools.count(1))
    return tuple(itertools.islice((name for name in names if name not in known), number))


def repeats(trace: ReasoningTrace) -> tuple[Step, ...]:
    """The steps whose tool an earlier one brings."""
    marked = zip(trace.steps, step_marks(trace.steps), strict=True)
    return tuple(
        step for step, marks in marked if step.tool_key is not None and Mark.FIRST_TOOL not in marks
    )


def spare_steps(trace: ReasoningTrace) -> tuple[Step, ...]:
    """The steps that bring nothing, last first.

    Type and tool come from an earlier one, and there are recoveries enough without it: one for
    complexity, and after a success as many as the bonus needs.
    """
    kept = RECOVERIES_NEEDED if trace.metadata.success else 1
    marked = list(zip(trace.steps, step_marks(trace.steps), strict=True))
    recoveries = sum(Mark.RECOVERY in marks and marks != {Mark.RECOVERY} for _, marks in marked)
    spare = []
    for step, marks in marked:
        if marks == {Mark.RECOVERY}:
            recoveries += 1
            if recoveries > kept:
                spare.append(step)
        elif not marks:
            spare.append(step)
    return tuple(reversed(spare))


CHANGED_DIMENSIONS = {
    ChangeKind.CONFIDENCE: Dimension.OUTCOME_CONFIDENCE,
    ChangeKind.SUCCESS: Dimension.OUTCOME_CONFIDENCE,
    ChangeKind.SIMILARITY: Dimension.NOVELTY,
    ChangeKind.TOOLS: Dimension.TOOL_DIVERSITY,
    ChangeKind.RENAMES: Dimension.TOOL_DIVERSITY,
    ChangeKind.RECOVERIES: Dimension.COMPLEXITY,
    ChangeKind.THOUGHTS: None,
    ChangeKind.REMOVALS: None,
}
