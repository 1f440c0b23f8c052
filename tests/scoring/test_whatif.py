"""What if: nothing changed is the score itself, and every change is judged as a real trace."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.scoring.assess import assess, assess_values, values_of
from kpinspector.scoring.counterfactuals import counterfactuals
from kpinspector.scoring.facts import facts_of
from kpinspector.scoring.measure import Measurement
from kpinspector.scoring.profiles import PROFILES, Dimension, Profile, Weights
from kpinspector.scoring.whatif import (
    AddedStep,
    Scenario,
    StepEdit,
    edited_trace,
    scenario_of,
    what_if,
)
from kpinspector.trace.model import StepType, trace_from_json
from kpinspector.trace.schema import find_issues, passes
from tests.fakes import make_raw
from tests.scoring.test_counterfactuals import build, cases, novelty

MEDICAL = PROFILES[3]
types = st.sampled_from(["thought", "tool_call", "observation", "error_recovery", "odd"])
tools = st.sampled_from([None, "", "a", "b", "c"])
odd_tools = st.sampled_from([{"name": 1}, {"name": True}, {"name": None}, {}, True, 0, "x", None])
steps = st.builds(
    lambda number, kind, content, tool: (
        {"step_id": number, "type": kind, "content": content} | ({"tool": tool} if tool else {})
    ),
    st.integers(-1, 3),
    types,
    st.sampled_from(["", "  ", "look", "look again"]),
    st.one_of(st.builds(lambda name: {"name": name}, tools), odd_tools),
)
edits = st.lists(
    st.builds(StepEdit, st.integers(0, 8), st.booleans(), st.none() | types, tools),
    max_size=4,
    unique_by=lambda edit: edit.index,
).map(tuple)
added = st.lists(st.builds(AddedStep, st.sampled_from(StepType), tools), max_size=3).map(tuple)
scenarios = st.builds(
    Scenario,
    *[st.none() | st.floats(0, 1)] * 4,
    confidence=st.none() | st.floats(-1, 2),
    success=st.none() | st.booleans(),
    edits=edits,
    added=added,
    measured_novelty=st.none() | st.floats(-1, 1).map(novelty),
    profile=st.none() | st.sampled_from(PROFILES) | st.just(Profile("custom", Weights(0, 0, 0, 1))),
    threshold=st.none() | st.floats(0, 1),
)
traces = st.builds(
    lambda step_list, confidence, success: trace_from_json(
        make_raw(
            steps=step_list,
            outcome={"result_summary": "", "confidence": confidence},
            metadata=make_raw()["metadata"] | {"success": success},
        )
    ),
    st.lists(steps, max_size=8),
    st.sampled_from([0.9, 0.2, 0, 1.5, -0.5]),
    st.sampled_from([True, False, None, "yes"]),
)


def measured(trace, similarity):
    valid = passes(find_issues(trace.raw))
    return Measurement(facts_of(trace, schema_valid=valid), novelty(similarity))


similarities = st.none() | st.floats(-1, 1)


@settings(deadline=None)
@given(traces, similarities, st.sampled_from(PROFILES), st.floats(0, 1))
def test_an_empty_scenario_changes_nothing(trace, similarity, profile, threshold):
    measurement = measured(trace, similarity)
    found = what_if(trace, measurement, Scenario(), profile, threshold)
    assert found.then == found.now == assess(measurement, profile, threshold)
    assert found.facts == measurement.facts and not found.flips and not found.novelty_held


@settings(deadline=None, max_examples=400)
@given(traces, similarities, scenarios, st.sampled_from(PROFILES), st.floats(0, 1))
def test_the_changed_trace_is_judged_as_if_it_had_been_read(
    trace, similarity, scenario, profile, threshold
):
    measurement = measured(trace, similarity)
    found = what_if(trace, measurement, scenario, profile, threshold)
    edited = edited_trace(trace, scenario)
    # objects are told apart by identity, so the raw trace is read without a copy of it
    again = trace_from_json(edited.raw)
    assert [step.index for step in edited.steps] == list(range(len(edited.steps)))
    assert again == edited
    valid = passes(find_issues(again.raw))
    assert found.facts == facts_of(again, schema_valid=valid)
    used = scenario.measured_novelty or measurement.novelty
    values = values_of(found.facts, used.value)
    for dimension in Dimension:
        by_hand = scenario.value_of(dimension)
        expected = values.of(dimension) if by_hand is None else by_hand
        assert found.values.of(dimension) == expected
    as_read = assess_values(
        found.values,
        found.facts,
        scenario.profile or profile,
        threshold if scenario.threshold is None else scenario.threshold,
    )
    assert replace(found.then, sdk_score=None) == as_read
    assert (found.then.sdk_score is not None) == (used.clamped and scenario.novelty is None)


@settings(deadline=None)
@given(traces, similarities, scenarios, st.sampled_from(PROFILES), st.floats(0, 1))
def test_the_file_is_not_touched(trace, similarity, scenario, profile, threshold):
    before = repr(trace)
    what_if(trace, measured(trace, similarity), scenario, profile, threshold)
    edited_trace(trace, scenario)
    assert repr(trace) == before


@settings(deadline=None)
@given(cases)
def test_every_change_opens_as_the_scenario_that_makes_it(case):
    trace, measurement, profile, threshold = build(case)
    for change in counterfactuals(trace, measurement, profile, threshold).changes:
        found = what_if(trace, measurement, scenario_of(change, trace), profile, threshold)
        assert found.then == change.after
        assert found.flips == change.flips
        assert found.now.score == change.before
