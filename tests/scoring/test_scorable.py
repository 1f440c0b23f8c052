"""What the reader calls scorable is what the formula gives a finite score for."""

from math import inf, isfinite, nan

from hypothesis import given
from hypothesis import strategies as st

from kpinspector.scoring.formula.assess import Values, score_of
from kpinspector.scoring.formula.facts import facts_of
from kpinspector.scoring.formula.overrides import rules_that_fire
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.trace.model import read_trace
from tests.cases import steps
from tests.fakes import make_raw

_CONFIDENCES = {"NaN": nan, "Infinity": inf, "-Infinity": -inf, "1e308": 1e308, "-3": -3.0}


@given(
    st.lists(steps, max_size=5) | st.just([{"type": "error_recovery"}] * 3),
    st.sampled_from(sorted(_CONFIDENCES)),
    st.booleans(),
    st.floats(0, 1),
    st.sampled_from(PROFILES),
)
def test_a_trace_is_scorable_where_its_score_is_finite(step_list, text, success, novelty, profile):
    raw = make_raw(steps=step_list, outcome={"result_summary": "", "confidence": text})
    raw["metadata"]["success"] = success
    trace, failure = read_trace(raw)
    facts = facts_of(trace, schema_valid=True)
    values = Values(facts.complexity, novelty, facts.tool_diversity, facts.outcome_confidence)
    assert isfinite(score_of(values, rules_that_fire(facts), profile.weights)) == (failure is None)


def test_not_a_number_passes_through_every_rule_but_that_of_one_thought():
    for step_list in ([{"type": "error_recovery"}] * 3, [{"tool": {"name": "a"}}]):
        raw = make_raw(steps=step_list, outcome={"confidence": "x"})
        facts = facts_of(read_trace(raw)[0], schema_valid=True)
        values = Values(1.0, 1.0, 1.0, facts.outcome_confidence)
        score = score_of(values, rules_that_fire(facts), PROFILES[0].weights)
        assert score != score  # noqa: PLR0124 (only NaN is unlike itself)
