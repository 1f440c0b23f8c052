"""Which gate, rule or dimension a verdict is put down to."""

from dataclasses import replace

import pytest

from kpinspector.scoring.formula.assess import Values, assess_values
from kpinspector.scoring.formula.gates import Gate, main_cause
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DEFAULT, Dimension
from tests.answers import facts

VALUES = Values(0.8, 0.4, 0.9, 0.9)


@pytest.mark.parametrize(
    ("values", "changes", "threshold", "cause"),
    [
        (VALUES, {}, 0.75, Dimension.NOVELTY),
        (replace(VALUES, novelty=1.0), {}, 0.95, Dimension.COMPLEXITY),
        (VALUES, {"schema_valid": False, "single_thought": True}, 0.75, Gate.SCHEMA),
        (VALUES, {"single_thought": True}, 0.75, Rule.SINGLE_THOUGHT),
        # 0.70 before the penalty, 0.60 after it
        (VALUES, {"unique_tools": 1}, 0.65, Rule.TOOL_MONOTONY),
        (VALUES, {"unique_tools": 1}, 0.75, Dimension.NOVELTY),
        (VALUES, {"unique_tools": 1}, 0.5, Dimension.NOVELTY),
        # novelty loses 0.07, the rule takes 0.10
        (replace(VALUES, novelty=0.8), {"unique_tools": 1}, 0.85, Rule.TOOL_MONOTONY),
        (replace(VALUES, novelty=0.8), {"unique_tools": 1}, 0.7, Dimension.NOVELTY),
    ],
)
def test_the_main_cause(values, changes, threshold, cause):
    assessment = assess_values(values, facts(**changes), DEFAULT, threshold)
    assert main_cause(assessment) == cause
