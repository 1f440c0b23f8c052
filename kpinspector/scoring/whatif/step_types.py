"""Steps of other types: what complexity can become by types, recoveries and further steps."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit
from kpinspector.trace.model import Step, StepType


@dataclass(frozen=True, slots=True)
class TypeGoal:
    """What the steps are to become: so many in all, with so many types and recoveries at least."""

    steps: int
    types: int
    recoveries: int


def goal_of(steps: Sequence[Step], more: int, recoveries: int) -> TypeGoal | None:
    """The most types that there can be beside so many recoveries; None with too few steps.

    Args:
        steps: Those of the trace; any of them may become another type that the schema knows.
        more: So many further ones.
        recoveries: At least 1.
    """
    every = len(steps) + more
    if recoveries > every:
        return None
    types = len({*StepType, *map(_type_of, steps)})
    return TypeGoal(every, min(types, every - recoveries + 1), recoveries)


def scenario_to(goal: TypeGoal, steps: Sequence[Step]) -> Scenario:
    """Add the steps that are missing, then give those another type that can spare theirs."""
    types = [_type_of(step) for step in steps]
    counts = Counter(types)
    added, edits = [], []
    for _ in range(goal.steps - len(steps)):
        more = _wanted(goal, counts) or StepType.THOUGHT
        counts[more] += 1
        added.append(AddedStep(more))
    while (new := _wanted(goal, counts)) is not None:
        index = types.index(_spare(goal, counts, types))
        counts[types[index]] -= 1
        counts[new] += 1
        types[index] = new
        edits.append(StepEdit(index, type=new))
    return Scenario(edits=tuple(sorted(edits, key=lambda one: one.index)), added=tuple(added))


def _type_of(step: Step) -> Hashable:
    return step.kind or step.type_key


def _wanted(goal: TypeGoal, counts: Counter[Hashable]) -> StepType | None:
    """The type that one more step should have; None where all is as it is to become."""
    if counts[StepType.ERROR_RECOVERY] < goal.recoveries:
        return StepType.ERROR_RECOVERY
    if len(+counts) < goal.types:
        return next((one for one in StepType if not counts[one]), None)
    return None


def _spare(goal: TypeGoal, counts: Counter[Hashable], types: Sequence[Hashable]) -> Hashable:
    """The most frequent type among the steps that may change theirs."""
    enough = counts[StepType.ERROR_RECOVERY] > goal.recoveries
    spare = (one for one in types if enough or one is not StepType.ERROR_RECOVERY)
    return max(spare, key=lambda one: counts[one])
