"""Weights, overrides, gates: the closed form, term by term."""

import math
from dataclasses import replace
from math import inf, isfinite, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.scoring.formula.assess import (
    Gate,
    GateState,
    Verdict,
    assess,
    assess_values,
    counted_steps,
    gates_of,
    gates_of_unscored,
    main_cause,
    measured_score,
    score_bounds,
    score_of,
    score_range,
    steps_behind,
)
from kpinspector.scoring.formula.measurement import Facts, Measurement, facts_of
from kpinspector.scoring.formula.overrides import Rule, firing_rules
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES, Dimension, Values, profile_for
from kpinspector.trace.model import Mark, read_trace, trace_from_json
from kpinspector.trace.records import Problem, ProblemKind
from tests.answers import assessment, facts, measurement, novelty, problem_document
from tests.cases import steps
from tests.fakes import make_raw
from tests.known import of
from tests.strategies import traces

FACTS = facts(steps=5, tool_steps=2, confidence=0.95, task_domain="code-review")


def assessed(value=0.5, facts=FACTS, profile=DEFAULT, threshold=0.75):
    return assess(
        Measurement(facts, novelty(1 - value, value=value, unclamped=value)), profile, threshold
    )


def test_the_example_of_the_report():
    one = assessed()
    assert [term.part for term in one.contributions] == [0.10625, 0.175, 0.15, 0.2375]
    assert one.composite == one.score == 0.66875
    assert one.margin == -0.08125000000000004
    assert one.verdict is Verdict.REJECTED


def test_the_sum_is_made_in_the_sdks_order():
    facts = replace(FACTS, confidence=0.1)
    one = assessed(0.3, facts)
    c, n, d, o = (facts.complexity, 0.3, facts.tool_diversity, facts.outcome_confidence)
    assert one.composite == c * 0.25 + n * 0.35 + d * 0.15 + o * 0.25


@pytest.mark.parametrize("domain", ["Code", "code ", "constructor", "__proto__", "", None])
def test_any_other_domain_takes_default(domain):
    assert profile_for(domain) is DEFAULT


def test_single_thought_replaces_the_score():
    facts = replace(FACTS, steps=1, single_thought=True, tool_steps=0, unique_tools=0)
    one = assessed(1.0, facts)
    assert one.score == 0.1 and one.overrides[0].applied
    assert [override.rule for override in one.overrides] == list(Rule)


@pytest.mark.parametrize(
    ("novelty", "recoveries", "success", "adds"),
    [(0.5, 2, True, False), (0.5, 3, True, 0.1), (1.0, 3, True, 0.08125), (0.5, 3, False, False)],
)
def test_recovery_bonus_needs_more_than_two_and_success(novelty, recoveries, success, adds):
    one = assessed(novelty, replace(FACTS, error_recoveries=recoveries, success=success))
    assert one.overrides[1].applied is bool(adds)
    assert one.score == pytest.approx(one.composite + adds)


def test_tool_monotony_stops_at_zero_and_needs_a_tool():
    facts = replace(FACTS, unique_tools=1, confidence=-5)
    assert assessed(0.0, facts).score == 0.0
    assert not assessed(0.5, replace(FACTS, tool_steps=0, unique_tools=0)).overrides[2].applied


def test_the_threshold_exactly_and_one_unit_in_the_last_place_below():
    score = assessed(0.7).score
    at = assessed(0.7, threshold=score)
    assert at.score_passes and at.verdict is Verdict.ACCEPTED
    above = assessed(0.7, threshold=math.nextafter(score, 2))
    assert above.verdict is Verdict.REJECTED
    assert above.too_close_to_call and above.margin < 0


def test_a_failed_schema_rejects_a_high_score():
    one = assessed(1.0, replace(FACTS, schema_valid=False, confidence=1), threshold=0.5)
    assert one.score_passes and not one.schema_passes and one.verdict is Verdict.REJECTED


def test_clamped_novelty_keeps_the_sdks_number_beside_it():
    one = assess(Measurement(FACTS, novelty(-0.25)), DEFAULT, 0.75)
    assert one.sdk_score == pytest.approx(one.score + 0.25 * 0.35)
    assert assessed(1.0).sdk_score is None


@pytest.mark.parametrize("unclamped", [0.5, 1.25])
def test_a_domain_that_every_object_has_gives_the_sdk_no_number(unclamped):
    measured = Measurement(FACTS, novelty(1 - unclamped))
    named = replace(measured, facts=replace(FACTS, task_domain="constructor"))
    one = assess(named, DEFAULT, 0.75)
    assert one.score == assess(measured, DEFAULT, 0.75).score
    assert one.sdk_score is not None and math.isnan(one.sdk_score)
    alone = replace(named.facts, steps=1, single_thought=True, tool_steps=0, unique_tools=0)
    assert assess(replace(named, facts=alone), DEFAULT, 0.75).sdk_score == 0.1


values = st.floats(0, 1)
any_facts = st.builds(
    Facts, steps=st.integers(0, 60), unique_types=st.integers(0, 4),
    error_recoveries=st.integers(0, 5), tool_steps=st.integers(0, 9),
    unique_tools=st.integers(0, 9), single_thought=st.booleans(), confidence=values,
    success=st.booleans(), task_domain=st.none(), schema_valid=st.booleans(),
)  # fmt: skip


@given(any_facts, values, st.sampled_from(PROFILES), values)
def test_every_term_adds_up(facts, value, profile, threshold):
    one = assessed(value, facts, profile, threshold)
    assert one.composite == pytest.approx(sum(term.part for term in one.contributions))
    assert 0 <= one.score <= 1
    before = one.composite
    for override in one.overrides:
        assert override.before == before
        assert override.applied or override.after == override.before
        before = override.after
    assert one.score == before
    assert (one.verdict is Verdict.ACCEPTED) == (one.schema_passes and one.score >= threshold)


@given(any_facts, values, st.sampled_from(PROFILES))
def test_a_score_without_its_terms_is_the_score_with_them(facts, value, profile):
    measurement = Measurement(facts, novelty(1 - value))
    quick = measured_score(facts, measurement.novelty.value, profile)
    assert quick == assess(measurement, profile, 0.75).score
    possible = score_range(facts, profile, 0.75)
    assert score_bounds(facts, profile) == (possible.low.score, possible.high.score)


VALUES = Values(0.8, 0.4, 0.9, 0.9)
BEFORE = assess_values(VALUES, FACTS, DEFAULT, 0.75).composite


@pytest.mark.parametrize(
    ("values", "changes", "threshold", "cause"),
    [
        (VALUES, {}, 0.75, Dimension.NOVELTY),
        (replace(VALUES, novelty=1.0), {}, 0.95, Dimension.COMPLEXITY),
        (VALUES, {"schema_valid": False, "single_thought": True}, 0.75, Gate.SCHEMA),
        (VALUES, {"single_thought": True}, 0.75, Rule.SINGLE_THOUGHT),
        # 0.70 before the penalty, 0.60 after it
        (VALUES, {"unique_tools": 1}, 0.65, Rule.TOOL_MONOTONY),
        (VALUES, {"unique_tools": 1}, BEFORE, Rule.TOOL_MONOTONY),
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


PASSED, FAILED, NOT_REACHED = GateState.PASSED, GateState.FAILED, GateState.NOT_REACHED


def states(gates):
    assert [*gates] == [*Gate]
    return tuple(gates.values())


def test_a_scored_trace():
    assert states(gates_of(*[assessment()] * 2)) == (PASSED, PASSED, FAILED)
    assert states(gates_of(*[assessment(threshold=0.5)] * 2)) == (PASSED, PASSED, PASSED)
    refused = assessment(measurement(schema_valid=False), threshold=0.5)
    assert states(gates_of(refused, refused)) == (PASSED, FAILED, PASSED)


@pytest.mark.parametrize(
    ("threshold", "state"), [(0.75, GateState.WAITS), (0.2, PASSED), (0.99, FAILED)]
)
def test_a_score_that_waits_for_novelty(threshold, state):
    possible = score_range(facts(), DEFAULT, threshold)
    assert states(gates_of(possible.low, possible.high))[2] is state


def test_what_is_no_trace():
    unreadable = gates_of_unscored(of(Problem, problem_document().item))
    assert states(unreadable) == (GateState.UNREADABLE, NOT_REACHED, NOT_REACHED)
    not_scorable = gates_of_unscored(of(Problem, problem_document(ProblemKind.NOT_SCORABLE).item))
    assert states(not_scorable) == (PASSED, FAILED, NOT_REACHED)
    assert states(gates_of_unscored(None)) == (GateState.SKIPPED, NOT_REACHED, NOT_REACHED)


COMPLEXITY, DIVERSITY = Dimension.COMPLEXITY, Dimension.TOOL_DIVERSITY


def steps_of(*raws):
    return trace_from_json(make_raw(steps=[{"step_id": 0, **raw} for raw in raws])).steps


STEPS = steps_of(
    {"type": "thought"}, {"type": "tool_call", "tool": {"name": "grep"}},
    {"type": "error_recovery", "tool": {"name": "sed"}}, {"type": "thought"},
    {"type": "error_recovery", "tool": {"name": "grep"}},
)  # fmt: skip


def counted(dimension):
    return [(one.step.index, *one.marks) for one in counted_steps(dimension, STEPS)]


def test_the_steps_that_count():
    assert counted(COMPLEXITY) == [
        (0, Mark.NEW_TYPE),
        (1, Mark.NEW_TYPE),
        (2, Mark.NEW_TYPE, Mark.RECOVERY),
        (4, Mark.RECOVERY),
    ]
    assert counted(DIVERSITY) == [(1, Mark.FIRST_TOOL), (2, Mark.FIRST_TOOL)]
    assert counted(Dimension.NOVELTY) == counted(Dimension.OUTCOME_CONFIDENCE) == []


@given(traces())
def test_as_many_count_as_the_facts_say(raw):
    trace = trace_from_json(raw)
    facts = facts_of(trace, schema_valid=True)
    marks = [mark for one in counted_steps(COMPLEXITY, trace.steps) for mark in one.marks]
    assert marks.count(Mark.NEW_TYPE) == facts.unique_types
    assert marks.count(Mark.RECOVERY) == facts.error_recoveries
    assert len(counted_steps(DIVERSITY, trace.steps)) == facts.unique_tools


@pytest.mark.parametrize(
    ("rule", "found"),
    [(Rule.SINGLE_THOUGHT, []), (Rule.RECOVERY_BONUS, [2, 4]), (Rule.TOOL_MONOTONY, [1, 2, 4])],
)
def test_the_steps_behind_an_override(rule, found):
    assert [step.index for step in steps_behind(rule, STEPS)] == found


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
    assert isfinite(score_of(values, firing_rules(facts), profile.weights)) == (failure is None)
