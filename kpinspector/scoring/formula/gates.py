"""The three gates of a trace, the main cause of a verdict, and the steps behind a value."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from kpinspector.scoring.formula.assess import Assessment, ScoreRange
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.model import Step, StepType
from kpinspector.trace.records import Problem, ProblemKind
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


class GateState(StrEnum):
    """The state of a trace at a gate."""

    PASSED = "passed"
    FAILED = "failed"
    WAITS = "waits"  # for novelty
    UNDECIDED = "undecided"
    UNREADABLE = "unreadable"
    SKIPPED = "skipped"
    NOT_REACHED = "not_reached"


class Gate(StrEnum):
    """What a trace has to pass, in this order."""

    READABLE = "readable"
    SCHEMA = "schema"
    SCORE = "score"


Cause: TypeAlias = Gate | Rule | Dimension


@dataclass(frozen=True, slots=True)
class GateResult:
    """One of the gates, and the state of the trace there."""

    gate: Gate
    state: GateState


def gates_of(low: Assessment, high: Assessment | None = None) -> tuple[GateResult, ...]:
    """The gates of a trace; while novelty is unknown, by its lowest and its highest score."""
    score = _PASSED[low.score_passes]
    if high is not None and low.score_passes != high.score_passes:
        score = GateState.WAITS
    return _gates(GateState.PASSED, _PASSED[low.schema_passes], score)


def gates_of_run(possible: ScoreRange) -> tuple[GateResult, ...]:
    """The gates of a run whose outcome is unknown; the schema requires an outcome as well."""
    low, high = possible.low, possible.high
    schema = GateState.UNDECIDED if low.schema_passes else GateState.FAILED
    decided = low.score_passes == high.score_passes
    score = _PASSED[low.score_passes] if decided else GateState.UNDECIDED
    return _gates(GateState.PASSED, schema, score)


def gates_of_problem(problem: Problem) -> tuple[GateResult, ...]:
    """The gates of a problem: what cannot be read or scored passes no schema either."""
    if problem.kind is ProblemKind.UNREADABLE:
        return _gates(GateState.UNREADABLE, GateState.NOT_REACHED, GateState.NOT_REACHED)
    return _gates(GateState.PASSED, GateState.FAILED, GateState.NOT_REACHED)


def gates_of_skipped() -> tuple[GateResult, ...]:
    """The gates of a unit that is not scored."""
    return _gates(GateState.SKIPPED, GateState.NOT_REACHED, GateState.NOT_REACHED)


_PASSED = {True: GateState.PASSED, False: GateState.FAILED}


def _gates(*states: GateState) -> tuple[GateResult, ...]:
    return tuple(map(GateResult, Gate, states))


def losses_of(assessment: Assessment) -> dict[Dimension | Rule, float]:
    """What each dimension loses, and what each rule took that took something."""
    lost: dict[Dimension | Rule, float] = {
        term.dimension: term.lost for term in assessment.contributions
    }
    return lost | {one.rule: -one.change for one in assessment.overrides if one.change < 0}


def main_cause(assessment: Assessment) -> Cause:
    """The main cause of a verdict: a gate, a rule or a dimension.

    The schema comes first, then a rule that decided alone, or that takes more from a rejected score
    than any dimension loses; then the dimension that loses most.
    """
    single_thought, _, monotony = assessment.overrides
    if not assessment.schema_passes:
        return Gate.SCHEMA
    if single_thought.applied:
        return Rule.SINGLE_THOUGHT
    most = max(assessment.contributions, key=lambda term: term.lost)
    if monotony.applied and not assessment.score_passes:
        decided = monotony.before >= assessment.threshold
        if decided or -monotony.change > most.lost:
            return Rule.TOOL_MONOTONY
    return most.dimension


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
