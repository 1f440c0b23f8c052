"""The steps behind a dimension's value and behind an override."""

from collections.abc import Iterable
from dataclasses import dataclass

from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.model import Step, StepType
from kpinspector.trace.tree import Mark, step_marks

MARK_DIMENSIONS = {
    Mark.NEW_TYPE: Dimension.COMPLEXITY,
    Mark.RECOVERY: Dimension.COMPLEXITY,
    Mark.FIRST_TOOL: Dimension.TOOL_DIVERSITY,
}

_MARKS = {
    dimension: frozenset(mark for mark, one in MARK_DIMENSIONS.items() if one is dimension)
    for dimension in Dimension
}


@dataclass(frozen=True, slots=True)
class Counted:
    """A step that counts, and what it brings: ``marks`` in the order of ``Mark``."""

    step: Step
    marks: tuple[Mark, ...]


def counted_steps(dimension: Dimension, steps: Iterable[Step]) -> tuple[Counted, ...]:
    """The steps without which the dimension would have another value, in their order.

    This is for complexity and tool diversity, in which every step also counts by its mere number.
    Novelty rests on the text and outcome on what the trace says of its end, not on single steps.
    """
    steps = tuple(steps)
    found = []
    for step, marks in zip(steps, step_marks(steps), strict=True):
        own = marks & _MARKS[dimension]
        if own:
            found.append(Counted(step, tuple(mark for mark in Mark if mark in own)))
    return tuple(found)


def steps_behind(rule: Rule, steps: Iterable[Step]) -> tuple[Step, ...]:
    """The steps that an override looks at: the only one, the recoveries, those with a tool."""
    steps = tuple(steps)
    match rule:
        case Rule.SINGLE_THOUGHT:
            return steps if len(steps) == 1 else ()
        case Rule.RECOVERY_BONUS:
            return tuple(step for step in steps if step.kind is StepType.ERROR_RECOVERY)
        case Rule.TOOL_MONOTONY:
            return tuple(step for step in steps if step.tool_key is not None)
