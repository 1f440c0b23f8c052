"""How far a trace came: readable, schema, score."""

import pytest

from kpinspector.scoring.formula.assess import score_range
from kpinspector.scoring.formula.gates import (
    Gate,
    GateState,
    gates_of,
    gates_of_problem,
    gates_of_skipped,
)
from kpinspector.scoring.formula.profiles import DEFAULT
from kpinspector.trace.records import Problem, ProblemKind
from tests.answers import assessment, facts, measurement, problem_document
from tests.known import of

PASSED, FAILED, NOT_REACHED = GateState.PASSED, GateState.FAILED, GateState.NOT_REACHED


def states(gates):
    assert [one.gate for one in gates] == [*Gate]
    return tuple(gate.state for gate in gates)


def test_a_scored_trace():
    assert states(gates_of(assessment())) == (PASSED, PASSED, FAILED)
    assert states(gates_of(assessment(threshold=0.5))) == (PASSED, PASSED, PASSED)
    refused = assessment(measurement(schema_valid=False), threshold=0.5)
    assert states(gates_of(refused)) == (PASSED, FAILED, PASSED)


@pytest.mark.parametrize(
    ("threshold", "state"), [(0.75, GateState.WAITS), (0.2, PASSED), (0.99, FAILED)]
)
def test_a_score_that_waits_for_novelty(threshold, state):
    possible = score_range(facts(), DEFAULT, threshold)
    assert states(gates_of(possible.low, possible.high))[2] is state


def test_what_is_no_trace():
    unreadable = gates_of_problem(of(Problem, problem_document().item))
    assert states(unreadable) == (GateState.UNREADABLE, NOT_REACHED, NOT_REACHED)
    not_scorable = gates_of_problem(of(Problem, problem_document(ProblemKind.NOT_SCORABLE).item))
    assert states(not_scorable) == (PASSED, FAILED, NOT_REACHED)
    assert states(gates_of_skipped()) == (GateState.SKIPPED, NOT_REACHED, NOT_REACHED)
