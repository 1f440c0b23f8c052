"""The tree of a trace's steps, and the steps that bring something that counts; without Qt."""

from collections.abc import Hashable, Iterable, Sequence
from enum import StrEnum
from itertools import compress, pairwise, product

from kpinspector.trace.model import Step, StepType

_CALL_AND_RESULT = (StepType.TOOL_CALL, StepType.OBSERVATION)


class Mark(StrEnum):
    """What a step adds to the score's dimensions that no earlier step did."""

    NEW_TYPE = "new_type"
    FIRST_TOOL = "first_tool"
    RECOVERY = "recovery"


def hanging(steps: Sequence[Step]) -> frozenset[int]:
    """The numbers of the steps that hang under the one before: the tree has two levels.

    An observation directly after a tool call hangs under it. A second observation after that one
    stands alone: nothing says that it came from the same call.
    """
    pairs = enumerate(pairwise([step.kind for step in steps]), 1)
    return frozenset(number for number, pair in pairs if pair == _CALL_AND_RESULT)


def step_marks(
    steps: Iterable[Step],
    types_before: Iterable[Hashable] = (),
    tools_before: Iterable[Hashable] = (),
) -> tuple[frozenset[Mark], ...]:
    """What each step brings: a type or a tool for the first time, an error recovery.

    Args:
        steps: In their order.
        types_before: Of the steps before them.
        tools_before: Likewise.
    """
    types, tools = {*types_before}, {None, *tools_before}
    marks: list[frozenset[Mark]] = []
    for step in steps:
        new_type, first_tool = step.type_key not in types, step.tool_key not in tools
        types.add(step.type_key)
        tools.add(step.tool_key)
        marks.append(_MARKS[new_type, first_tool, step.kind is StepType.ERROR_RECOVERY])
    return tuple(marks)


# made once for each combination of new type, new tool and recovery, as a trace may have many steps
_MARKS = {
    held: frozenset(compress((Mark.NEW_TYPE, Mark.FIRST_TOOL, Mark.RECOVERY), held))
    for held in product((False, True), repeat=3)
}
