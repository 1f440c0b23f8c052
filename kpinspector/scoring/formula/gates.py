"""The three gates of a trace, and what a verdict is put down to first.

It can be read, its schema is right, its score suffices.
"""

from dataclasses import dataclass
from enum import StrEnum

from kpinspector.scoring.formula.assess import Assessment, ScoreRange
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.read import Problem, ProblemKind


class GateState(StrEnum):
    """How far a trace came at a gate."""

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


@dataclass(frozen=True, slots=True)
class GateResult:
    """One of the gates and how far the trace came there."""

    gate: Gate
    state: GateState


def gates_of(low: Assessment, high: Assessment | None = None) -> tuple[GateResult, ...]:
    """The gates of a trace; of one whose novelty is unknown by its lowest and highest score."""
    schema = _passed(passes=low.schema_passes)
    score = _passed(passes=low.score_passes)
    if high is not None and low.score_passes != high.score_passes:
        score = GateState.WAITS
    return _gates(GateState.PASSED, schema, score)


def gates_of_run(possible: ScoreRange) -> tuple[GateResult, ...]:
    """The gates of a run that may have ended in any way; the schema asks for that as well."""
    low, high = possible.low, possible.high
    schema = GateState.UNDECIDED if low.schema_passes else GateState.FAILED
    score = _passed(passes=low.score_passes)
    if low.score_passes != high.score_passes:
        score = GateState.UNDECIDED
    return _gates(GateState.PASSED, schema, score)


def gates_of_problem(problem: Problem) -> tuple[GateResult, ...]:
    """The gates of what is no trace, or one that cannot be scored: no schema takes that either."""
    if problem.kind is ProblemKind.UNREADABLE:
        return _gates(GateState.UNREADABLE, GateState.NOT_REACHED, GateState.NOT_REACHED)
    return _gates(GateState.PASSED, GateState.FAILED, GateState.NOT_REACHED)


def gates_of_skipped() -> tuple[GateResult, ...]:
    """The gates of a unit that is not scored."""
    return _gates(GateState.SKIPPED, GateState.NOT_REACHED, GateState.NOT_REACHED)


def _gates(readable: GateState, schema: GateState, score: GateState) -> tuple[GateResult, ...]:
    return tuple(map(GateResult, Gate, (readable, schema, score)))


def _passed(*, passes: bool) -> GateState:
    return GateState.PASSED if passes else GateState.FAILED


def main_cause(assessment: Assessment) -> Gate | Rule | Dimension:
    """The gate, the rule or the dimension that a verdict is put down to first.

    The schema before all; a rule where it alone decided; else the dimension that loses most.
    """
    single_thought, _, monotony = assessment.overrides
    if not assessment.schema_passes:
        return Gate.SCHEMA
    if single_thought.applied:
        return Rule.SINGLE_THOUGHT
    if monotony.applied and monotony.before >= assessment.threshold > assessment.score:
        return Rule.TOOL_MONOTONY
    return max(assessment.contributions, key=lambda term: term.lost).dimension
