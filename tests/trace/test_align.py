import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.trace import align as module
from kpinspector.trace.align import LONGEST, Likeness, align, common_places, passage, passages
from kpinspector.trace.model import trace_from_json
from tests.fakes import make_raw
from tests.known import present
from tests.strategies import hostile_texts, traces

STEPS = st.builds(
    lambda kind, words, tool: {"type": kind, "content": " ".join(words), **tool},
    st.sampled_from(["thought", "tool_call", "observation"]),
    st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=4),
    st.sampled_from([{}, {"tool": {"name": "x"}}, {"tool": {"name": "y"}, "input": {"n": 1}}]),
)
LISTS = st.lists(STEPS, max_size=9)
TRACES = st.one_of(
    LISTS.map(lambda steps: trace_from_json(make_raw(steps=steps))), traces().map(trace_from_json)
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


# --- the longest common subsequence

FEW = st.lists(st.integers(0, 4), max_size=30)
MANY = st.lists(st.integers(0, 40), max_size=60)


def longest(left, right):
    """The length of a longest common subsequence, cell by cell."""
    row = [0] * (len(right) + 1)
    for one in left:
        before, row = row, [0]
        for place, other in enumerate(right):
            row.append(before[place] + 1 if one == other else max(before[place + 1], row[-1]))
    return row[-1]


@given(st.one_of(st.tuples(FEW, FEW), st.tuples(MANY, MANY)))
def test_it_is_common_in_order_and_as_long_as_can_be(pair):
    left, right = pair
    places = common_places(left, right)
    assert all(left[one] == right[other] for one, other in places)
    for before, after in pairwise(places):
        assert before[0] < after[0] and before[1] < after[1]
    assert len(places) == longest(left, right)


@pytest.mark.parametrize("kinds", [1, 2, 5000])
def test_many_things_take_little_time(kinds):
    left = [(place * 7919) % 10_007 % kinds for place in range(10_000)]
    right = [(place * 104_729) % 10_009 % kinds for place in range(10_000)]
    start = time.perf_counter()
    common_places(left, right)
    assert time.perf_counter() - start < 5  # the table of all cells takes a minute


# --- the words that differ

WORDS = st.lists(st.sampled_from(["a", "be", "see", "a,", "中", "é", "😀"]), max_size=12)
SENTENCES = WORDS.map(" ".join)
TEXTS = st.one_of(SENTENCES, hostile_texts(60))
PARTS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3)


def marked(found):
    """The text with brackets around what is marked."""
    shown, end = "", 0
    for start, stop in found.changed:
        shown += f"{found.text[end:start]}[{found.text[start:stop]}]"
        end = stop
    return shown + found.text[end:]


def unmarked(found):
    """All characters but space that are not marked."""
    kept, end = "", 0
    for start, stop in found.changed:
        assert end <= start < stop <= len(found.text)
        kept += found.text[end:start]
        end = stop
    return "".join((kept + found.text[end:]).split())


@given(PARTS)
def test_what_is_not_marked_is_the_same_on_both_sides(parts):
    left, right = ([pair[side] for pair in parts] for side in (0, 1))
    one, other = passages(left, right)
    assert unmarked(one) == unmarked(other)
    if [text for text in left if text] == [text for text in right if text]:
        assert one.text == other.text and not one.changed and not other.changed
    else:
        assert one.changed or other.changed


@given(PARTS)
def test_a_passage_is_a_piece_of_its_text(parts):
    left, right = ([pair[side] for pair in parts] for side in (0, 1))
    for texts, found in zip((left, right), passages(left, right), strict=True):
        whole = "\n".join(filter(None, texts))
        assert found.text in whole
        assert len(found.text) <= LONGEST
        if not found.starts_late:
            assert whole.startswith(found.text)
        if not found.ends_early:
            assert whole.endswith(found.text)


@given(PARTS)
def test_the_other_way_round_the_same_is_marked(parts):
    left, right = ([pair[side] for pair in parts] for side in (0, 1))
    assert passages(right, left) == passages(left, right)[::-1]


@pytest.mark.parametrize(
    ("left", "right", "one", "other"),
    [
        ("50 mg a day", "25 mg a day", "[50] mg a day", "[25] mg a day"),
        ("take ramipril 10 mg", "take lisinopril 20 mg", "take [ramipril 10] mg", None),
        ("K 4.6, then 5.1", "K 4.6, later 5.1", "K 4.6, [then] 5.1", "K 4.6, [later] 5.1"),
        ("", "new", "", "[new]"),
        ("血钾五点一", "血钾四点一", "血钾[五]点一", "血钾[四]点一"),
        ("a  b", "a b", "a [ ]b", "a b"),
        ("\u2066a", "a", "[\u2066a]", "[a]"),
    ],
)
def test_words_are_marked_as_a_reader_would(left, right, one, other):
    found = passages([left], [right])
    assert marked(found[0]) == one
    if other is not None:
        assert marked(found[1]) == other


def test_it_begins_a_few_words_before_the_first_difference():
    start = "All of this is the same in both of them, up to the dose of "
    one, other = passages([start + "50 mg"], [start + "25 mg"])
    assert (
        marked(one) == "the same in both of them, up to the dose of [50] mg"[-len(one.text) - 2 :]
    )
    assert one.starts_late and one.text.startswith("of them,")
    assert other.text == one.text.replace("50", "25")
    assert not one.ends_early


def test_equal_parts_before_the_difference_are_passed_over():
    one, other = passages(["same", "x: 1", "end"], ["same", "x: 2", "end"])
    assert (marked(one), marked(other)) == ("x: [1]\nend", "x: [2]\nend")
    assert one.starts_late


def test_megabytes_take_no_time():
    text = "word and " * 2_000_000
    start = time.perf_counter()
    one, _ = passages([text + "one", text], [text + "two", text])
    assert time.perf_counter() - start < 1
    assert marked(one).startswith("and word and word and word and [one]\nword")
    assert len(one.text) == LONGEST and one.ends_early and one.starts_late


def test_a_text_that_ends_where_the_other_goes_on():
    one, other = passages(["x " * 1000], ["x " * 500])
    assert one.starts_late and one.ends_early
    assert marked(one) == "x " * 15 + f"[{'x ' * 224}x] "
    assert other.text == "x " * 15 and not other.changed and not other.ends_early


def test_the_beginning_of_a_text():
    found = passage(["", "a" * 2 * LONGEST])
    assert found.text == "a" * LONGEST
    assert found.ends_early and not found.starts_late and found.changed == ()
