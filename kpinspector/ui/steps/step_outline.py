"""What is counted once of a trace to show its steps; kept for the traces that were shown last."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from kpinspector.app.shelf import Shelf
from kpinspector.trace.model import ReasoningTrace, StepType
from kpinspector.trace.tree import Mark, hanging, step_marks
from kpinspector.ui.steps.step_row import milliseconds


@dataclass(frozen=True, slots=True)
class Outline:
    """What the tree of a trace is made by.

    Attributes:
        hanging: The numbers of the steps that hang under the one before.
        top: The numbers of all others.
        marks: What each step brings.
        kinds: How many steps are of each kind.
        widest_ms: The longest latency that is shown; "" where no step has one.
    """

    hanging: frozenset[int]
    top: tuple[int, ...]
    marks: tuple[frozenset[Mark], ...]
    kinds: Mapping[StepType | None, int]
    widest_ms: str


NO_OUTLINE = Outline(frozenset(), (), (), Counter(), "")


def make_outline(trace: ReasoningTrace) -> Outline:
    """Look through all steps of a trace."""
    values = (step.raw.get("latency_ms") for step in trace.steps)
    latencies = {value for value in values if type(value) in {int, float}}
    under = hanging(trace.steps)
    return Outline(
        hanging=under,
        top=tuple(step.index for step in trace.steps if step.index not in under),
        marks=step_marks(trace.steps),
        kinds=Counter([step.kind for step in trace.steps]),
        widest_ms=max(map(milliseconds, latencies), key=len, default=""),
    )


_SHELF: Shelf[ReasoningTrace, Outline] = Shelf()


def outline_of(trace: ReasoningTrace) -> Outline:
    """The outline of a trace; made only if it is not at hand."""
    return _SHELF.get(trace, make_outline)
