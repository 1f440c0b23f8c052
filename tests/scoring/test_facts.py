"""The terms that need no embedding, by JavaScript's rules."""

import pytest

from kpinspector.scoring.formula.measurement import facts_of
from kpinspector.trace.model import trace_from_json
from tests.fakes import make_raw


def facts(**changes):
    return facts_of(trace_from_json(make_raw(**changes)), schema_valid=True)


def thoughts(count):
    return [{"step_id": n, "type": "thought", "content": "x"} for n in range(count)]


def test_the_part_of_the_step_count_has_no_cap_of_its_own():
    assert facts(steps=thoughts(40)).complexity == (1 / 4) * 0.5 + (40 / 20) * 0.2
    assert facts(steps=thoughts(200)).complexity == 1.0


def test_unknown_absent_and_null_types_each_count_as_one_more():
    steps = [{"type": "x"}, {"type": "x"}, {}, {}, {"type": None}, {"type": 1}, {"type": "1"}]
    assert facts(steps=steps).unique_types == 5


@pytest.mark.parametrize("name", ["tool", "type"])
def test_objects_count_by_identity_and_numbers_by_value(name):
    values = [{}, {}, [], [], 1, 1.0, 2**53, 2**53 + 1, 0, -0.0, True]
    steps = [{"type": value} if name == "type" else {"tool": {"name": value}} for value in values]
    found = facts(steps=steps)
    assert (found.unique_types if name == "type" else found.unique_tools) == 4 + 1 + 1 + 1 + 1


def test_tool_names_compare_by_type_and_value():
    tools = [{"name": 1}, {"name": True}, {"name": "1"}, {"name": None}, {}]
    one = facts(steps=[{"type": "tool_call", "tool": tool} for tool in tools])
    assert (one.unique_tools, one.tool_steps) == (5, 5)


@pytest.mark.parametrize(("tool", "counts"), [([], 1), ({}, 1), ("false", 1), (7, 1), (True, 1)])
def test_a_true_tool_without_a_name_is_one_tool(tool, counts):
    one = facts(steps=[{"type": "thought", "tool": tool}, {"type": "thought", "tool": {}}])
    assert (one.tool_steps, one.unique_tools) == (1 + counts, 1)


@pytest.mark.parametrize("tool", [None, 0, "", False, -0.0])
def test_a_false_tool_is_none(tool):
    assert facts(steps=[{"type": "tool_call", "tool": tool}]).tool_steps == 0


@pytest.mark.parametrize(
    ("success", "factor"),
    [(True, 1.0), (False, 0.3), ("false", 1.0), ([], 1.0), ({}, 1.0), (0, 0.3), ("", 0.3)],
)
def test_success_is_javascripts_truth(success, factor):
    metadata = make_raw()["metadata"] | {"success": success}
    assert facts(metadata=metadata).outcome_factor == factor


@pytest.mark.parametrize(
    ("steps", "single"),
    [
        ([{"type": "thought"}], True),
        ([{"type": "observation"}], False),
        ([{}], False),
        ([{"type": "thought"}, {"type": "thought"}], False),
    ],
)
def test_single_thought(steps, single):
    assert facts(steps=steps).single_thought is single
