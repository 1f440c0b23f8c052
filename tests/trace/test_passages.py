import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.trace.passages import LONGEST, passage, passages
from tests.strategies import hostile_texts

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
