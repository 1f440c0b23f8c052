"""What hangs under what in a trace, and which steps bring something that counts; without Qt."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import compress, product

from kpinspector.trace.model import Step, StepType


@dataclass(frozen=True, slots=True)
class Node:
    """A step and the steps that hang under it."""

    step: Step
    children: tuple["Node", ...] = ()


class Mark(StrEnum):
    """What a step adds to the score's dimensions that no step before it did."""

    NEW_TYPE = "new_type"
    FIRST_TOOL = "first_tool"
    RECOVERY = "recovery"


def step_tree(steps: Sequence[Step]) -> tuple[Node, ...]:
    """The steps as a tree, in their order.

    An observation directly after a tool call hangs under it. A second observation after that one
    stands alone: nothing says that it came from the same call.
    """
    nodes: list[Node] = []
    for step in steps:
        last = nodes[-1] if nodes else None
        if step.kind is StepType.OBSERVATION and last is not None and _awaits_result(last):
            nodes[-1] = Node(last.step, (Node(step),))
        else:
            nodes.append(Node(step))
    return tuple(nodes)


def flatten(nodes: Iterable[Node]) -> Iterator[Step]:
    """The steps of a tree in their order: the inverse of `step_tree`."""
    for node in nodes:
        yield node.step
        yield from flatten(node.children)


def step_marks(steps: Iterable[Step]) -> tuple[frozenset[Mark], ...]:
    """What each step brings: a type or a tool for the first time, an error recovery."""
    types: set[Hashable] = set()
    tools: set[Hashable] = {None}
    marks: list[frozenset[Mark]] = []
    for step in steps:
        new_type, first_tool = step.type_key not in types, step.tool_key not in tools
        types.add(step.type_key)
        tools.add(step.tool_key)
        marks.append(_MARKS[new_type, first_tool, step.kind is StepType.ERROR_RECOVERY])
    return tuple(marks)


def _awaits_result(node: Node) -> bool:
    return node.step.kind is StepType.TOOL_CALL and not node.children


# by whether there is a new type, a new tool and a recovery: a trace may have many steps
_MARKS = {
    held: frozenset(compress((Mark.NEW_TYPE, Mark.FIRST_TOOL, Mark.RECOVERY), held))
    for held in product((False, True), repeat=3)
}
