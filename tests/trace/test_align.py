import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.trace import align as module
from kpinspector.trace.align import Likeness, align
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.passages import passage
from tests.fakes import make_raw
from tests.known import present
from tests.strategies import traces

STEPS = st.builds(
    lambda kind, words, tool: {"type": kind, "content": " ".join(words), **tool},
    st.sampled_from(["thought", "tool_call", "observation"]),
    st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=4),
    st.sampled_from([{}, {"tool": {"name": "x"}}, {"tool": {"name": "y"}, "input": {"n": 1}}]),
)
LISTS = st.lists(STEPS, max_size=9)
TRACES = st.one_of(
    LISTS.map(lambda steps: trace_from_json(make_raw(steps=steps))),
    traces().map(trace_from_json),
)


def trace(*steps, objective="the same"):
    return trace_from_json(make_raw(steps=list(steps), task={"objective": objective}))


def thought(text, **more):
    return {"type": "thought", "content": text, **more}


def outline(found):
    """Each pair as the numbers of its steps around a sign."""
    signs = {
        Likeness.SAME: "=",
        Likeness.CHANGED: "!",
        Likeness.ONLY_LEFT: "-",
        Likeness.ONLY_RIGHT: "+",
    }
    return [
        "".join(
            (
                "" if one.left is None else str(one.left.step.index),
                signs[one.likeness],
                "" if one.right is None else str(one.right.step.index),
            )
        )
        for one in found.pairs[1:]
    ]


@given(TRACES, TRACES)
def test_every_step_of_both_stands_exactly_once_and_in_order(left, right):
    pairs = align(left, right).pairs
    assert [one.left.step for one in pairs[1:] if one.left] == list(left.steps)
    assert [one.right.step for one in pairs[1:] if one.right] == list(right.steps)
    assert present(pairs[0].left).content == left.objective
    assert present(pairs[0].right).content == right.objective
    for one in pairs[1:]:
        assert one.left or one.right
        if one.likeness is Likeness.CHANGED:
            assert present(one.left).kind == present(one.right).kind


@given(TRACES)
def test_a_trace_is_the_same_as_itself(one):
    found = align(one, trace_from_json(one.raw))
    assert {pair.likeness for pair in found.pairs} == {Likeness.SAME}
    assert found.differences == ()


@given(TRACES, TRACES)
def test_the_other_way_round_the_same_steps_are_paired(left, right):
    found = align(left, right)
    assert align(right, left) == found.mirrored()
    assert found.mirrored().mirrored() == found


@given(LISTS, st.data())
def test_what_was_left_out_is_on_one_side_only(steps, data):
    gone = data.draw(st.sets(st.integers(0, max(0, len(steps) - 1))))
    rest = [step for number, step in enumerate(steps) if number not in gone]
    found = align(trace(*steps), trace(*rest))
    likeness = [one.likeness for one in found.pairs]
    assert set(likeness) <= {Likeness.SAME, Likeness.ONLY_LEFT}
    assert likeness.count(Likeness.ONLY_LEFT) == len(steps) - len(rest)


def test_changed_steps_are_paired_by_what_they_say():
    left = trace(thought("look at the log"), thought("the pump fails at night"))
    right = trace(thought("the pump failed at night"), thought("order a spare part"))
    assert outline(align(left, right)) == ["0-", "1!0", "+1"]


def test_another_type_is_another_step():
    left = trace(thought("one"), {"type": "observation", "content": "two"})
    right = trace(thought("one"), {"type": "error_recovery", "content": "two"})
    assert outline(align(left, right)) == ["0=0", "1-", "+1"]


@pytest.mark.parametrize(
    ("change", "likeness"),
    [
        ({"step_id": 7, "latency_ms": 3, "extra": "x"}, Likeness.SAME),
        ({"content": "two"}, Likeness.CHANGED),
        ({"tool": {"name": "y"}}, Likeness.CHANGED),
        ({"tool": {"name": "x", "mcp_server": "s"}}, Likeness.CHANGED),
        ({"input": {"b": 2, "a": 1}}, Likeness.SAME),
        ({"input": {"a": "1", "b": 2}}, Likeness.CHANGED),
        ({"input": {"a": True, "b": 2}}, Likeness.CHANGED),
        ({"output_summary": "other"}, Likeness.CHANGED),
    ],
)
def test_what_counts_as_the_same(change, likeness):
    step = thought("one", tool={"name": "x"}, input={"a": 1, "b": 2})
    found = align(trace(step), trace(step | change))
    assert found.pairs[1].likeness is likeness
    assert found.differences == (() if likeness is Likeness.SAME else (1,))


def test_the_objective_is_compared():
    found = align(trace(objective="count the sheep"), trace(objective="count the goats"))
    assert found.pairs[0].likeness is Likeness.CHANGED
    left, right = map(present, found.pairs[0].passages())
    assert left.text[slice(*left.changed[0])] == "sheep"
    assert right.text[slice(*right.changed[0])] == "goats"


def test_content_input_and_output_are_told_in_words():
    step = thought("ask", tool={"name": "x"}, input={"id": "p-1", "n": [1]}, output_summary="3")
    found = align(trace(step), trace(step | {"input": {"id": "p-2", "n": [1]}}))
    left = present(found.pairs[1].passages()[0])
    assert left.text == "id: p-1, n: [1]\n3"
    assert left.starts_late
    assert align(trace(step), trace()).pairs[1].passages() == (
        passage(["ask", "id: p-1, n: [1]", "3"]),
        None,
    )


@pytest.mark.parametrize("other", [{"a": "1"}, {"a": True}])
def test_a_difference_that_words_do_not_tell_is_told_as_json(other):
    left, right = (thought("", input=one) for one in ({"a": 1}, other))
    found = align(trace(left), trace(right)).pairs[1].passages()
    assert present(found[0]).changed and present(found[1]).changed


def different(count, salt):
    return [thought(f"{salt} {number} of {count}") for number in range(count)]


def test_long_traces_take_bounded_work(monkeypatch):
    found = align(trace(*different(400, "x")), trace(*different(400, "y")))
    assert found.weighed
    monkeypatch.setattr(module, "MOST_WEIGHED", 400 * 400 - 1)
    rest = align(trace(*different(400, "x")), trace(*different(400, "y")))
    assert not rest.weighed
    assert outline(rest) == [f"{number}!{number}" for number in range(400)]


def test_ten_thousand_steps_each_are_quick():
    left, right = trace(*different(10_000, "x")), trace(*different(10_000, "y"))
    start = time.perf_counter()
    assert len(align(left, right).pairs) == 10_001
    assert time.perf_counter() - start < 10


def test_the_work_can_be_ended():
    class EndedError(Exception):
        pass

    def end():
        raise EndedError

    with pytest.raises(EndedError):
        align(trace(thought("a")), trace(thought("b")), end)
