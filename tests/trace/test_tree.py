from hypothesis import given
from hypothesis import strategies as st

from kpinspector.trace.model import Mark, hanging, step_marks, trace_from_json
from tests.strategies import STEP_TYPES
from tests.trace.samples import trace

TYPE, TOOL, RECOVERY = Mark.NEW_TYPE, Mark.FIRST_TOOL, Mark.RECOVERY


def steps_of(*raw):
    return trace_from_json(trace(steps=list(raw))).steps


def of_types(*types):
    return steps_of(*({"type": kind} for kind in types))


def test_an_observation_hangs_under_the_call_before_it():
    types = ("thought", "tool_call", "observation", "thought", "tool_call", "observation",
             "thought", "observation", "tool_call", "tool_call")  # fmt: skip
    assert hanging(of_types(*types)) == {2, 5}


def test_a_second_observation_stands_alone():
    assert hanging(of_types("tool_call", "observation", "observation")) == {1}


def test_an_observation_alone_and_types_that_nobody_knows():
    assert hanging(of_types("observation", "Tool_call", "observation")) == set()
    assert hanging(()) == set()


@given(st.lists(st.sampled_from((*STEP_TYPES, "odd", None)), max_size=30))
def test_what_hangs_has_a_call_before_it_that_does_not_hang(types):
    found = hanging(of_types(*types))
    for number in range(len(types)):
        after_call = number > 0 and types[number - 1] == "tool_call"
        assert (number in found) is (after_call and types[number] == "observation")
    assert not found & {number - 1 for number in found}


def test_marks():
    steps = steps_of(
        {"type": "thought"},
        {"type": "tool_call", "tool": {"name": "a"}},
        {"type": "tool_call", "tool": {"name": "a"}},
        {"type": "thought", "tool": {"name": "b"}},
        {"type": "error_recovery"},
        {"type": "error_recovery"},
        {},
        {"type": "odd", "tool": {}},
        {"type": None, "tool": []},
    )
    assert [set(marks) for marks in step_marks(steps)] == [
        {TYPE}, {TYPE, TOOL}, set(), {TOOL}, {TYPE, RECOVERY}, {RECOVERY}, {TYPE}, {TYPE, TOOL},
        {TYPE},
    ]  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(STEP_TYPES), st.sampled_from("abc"))))
def test_marks_count_what_the_score_counts(pairs):
    steps = steps_of(*({"type": kind, "tool": {"name": name}} for kind, name in pairs))
    marks = step_marks(steps)
    assert sum(TYPE in own for own in marks) == len({kind for kind, _ in pairs})
    assert sum(TOOL in own for own in marks) == len({name for _, name in pairs})
    assert sum(RECOVERY in own for own in marks) == [kind for kind, _ in pairs].count(
        "error_recovery"
    )
