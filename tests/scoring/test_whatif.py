"""What if: nothing changed is the score itself, and every change is judged as a real trace."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.scoring.formula.assess import assess, assess_values, values_of
from kpinspector.scoring.formula.measurement import Measurement, Reach, facts_of
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES, Dimension, Profile, Weights
from kpinspector.scoring.whatif.counterfactuals import counterfactuals
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit, edited_trace, flips
from kpinspector.trace.model import StepType, trace_from_json
from kpinspector.trace.schema import find_issues, passes
from tests.cases import build, cases, novelty, what_if
from tests.fakes import make_raw

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


def test_a_fault_that_an_edit_takes_away_is_gone_where_every_step_is_edited():
    """Found by an example: what was not edited is no step, and was taken for a trace without."""
    steps = [{"step_id": 0, "type": "thought", "tool": {"name": None}}]
    trace, *_ = build((steps, 0.9, True, 0.5, MEDICAL, 0.75))
    measurement, scenario = measured(trace, 0.5), Scenario(edits=(StepEdit(0, tool=""),))
    assert not measurement.facts.schema_valid
    assert what_if(trace, measurement, scenario, MEDICAL, 0.75).facts.schema_valid


@settings(deadline=None)
@given(cases)
def test_every_change_opens_as_the_scenario_that_makes_it(case):
    trace, measurement, profile, threshold = build(case)
    for change in counterfactuals(trace, measurement, profile, threshold).changes:
        found = what_if(trace, measurement, change.scenario, profile, threshold)
        assert found.then == change.after
        assert found.flips == change.flips
        assert found.now.score == change.before


def test_a_tool_is_told_by_type_and_value():
    steps = [{"type": "tool_call", "tool": {"name": name}} for name in (1, "1", None)]
    trace, measurement, profile, threshold = build((steps, 0.9, True, 0.5, MEDICAL, 0.75))
    assert measurement.facts.unique_tools == 3

    def tools_with(*step_edits):
        scenario = Scenario(edits=step_edits)
        return what_if(trace, measurement, scenario, profile, threshold).facts.unique_tools

    assert tools_with(StepEdit(0, tool="1")) == 2
    assert tools_with(StepEdit(2, tool="")) == 2
    assert tools_with(StepEdit(0, left_out=True)) == 2
    assert tools_with(StepEdit(9, tool="x")) == tools_with(StepEdit(-1, tool="x")) == 3
    assert tools_with(StepEdit(-1, left_out=True)) == tools_with(StepEdit(-9, tool="x")) == 3


def test_the_schema_gate_follows_the_steps():
    steps = [{"step_id": 0, "type": "thought"}, {"step_id": 1, "type": "odd"}]
    trace = trace_from_json(make_raw(steps=steps))
    measurement = measured(trace, None)

    def passes_with(**changes):
        found = what_if(trace, measurement, Scenario(**changes), DEFAULT, 0.5)
        return found.then.schema_passes

    assert not passes_with() and not passes_with(confidence=0.5)
    assert passes_with(edits=(StepEdit(1, type="thought"),))
    assert passes_with(edits=(StepEdit(1, left_out=True),))
    assert not passes_with(edits=(StepEdit(1, left_out=True),), confidence=1.5)
    assert not passes_with(edits=(StepEdit(0, left_out=True), StepEdit(1, left_out=True)))


def test_novelty_is_held_where_the_embedder_would_see_another_text():
    contents = ("seen", " ", "the end of the window", "unseen")
    steps = [{"type": "thought", "content": content} for content in contents]
    trace, measurement, profile, threshold = build((steps, 0.9, True, 0.5, MEDICAL, 0.75))

    def held(*left_out, reach=None, **changes):
        seen = replace(measurement, novelty=replace(measurement.novelty, reach=reach))
        edits = tuple(StepEdit(index, left_out=True) for index in left_out)
        scenario = Scenario(edits=edits, **changes)
        return what_if(trace, seen, scenario, profile, threshold).novelty_held

    to_step_2 = Reach(512, truncated=True, ends_at_step=2)
    assert held(0) and held(3) and held(0, reach=to_step_2) and held(2, reach=to_step_2)
    assert not held(1) and not held(3, reach=to_step_2) and not held(9)
    assert not held(-1) and not held(-9)
    assert held(3, reach=Reach(12, truncated=False, ends_at_step=None))
    assert not held(0, reach=Reach(512, truncated=True, ends_at_step=None))  # in the objective
    assert not held(0, novelty=0.5) and not held(0, measured_novelty=novelty(0.1))


OWN = Profile("custom", Weights(0.0, 0.9, 0.1, 0.0))
lists = st.lists(st.tuples(traces, similarities, st.sampled_from(PROFILES)), max_size=12)


@settings(deadline=None)
@given(lists, st.floats(0, 1), st.floats(0, 1))
def test_flips_are_those_of_a_full_assessment(runs, now, then):
    profiles = (*PROFILES, OWN)
    judged, expected = [], [0] * (1 + len(profiles))
    for trace, similarity, own in runs:
        measurement = measured(trace, similarity)
        before = assess(measurement, own, now)
        judged.append((measurement, (before.score, before.score)))
        for place, profile in enumerate((own, *profiles)):
            expected[place] += assess(measurement, profile, then).verdict is not before.verdict
    assert flips(judged, now, then, profiles) == (tuple(expected), (0,) * len(expected))
    assert flips(iter(judged), now, now) == ((0,), (0,))
