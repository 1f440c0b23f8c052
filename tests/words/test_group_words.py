"""What is said of groups of near-duplicates and of pairs."""

import pytest

from kpinspector.batch.groups import Common, GroupSpread, TraceGroup, UsedTool
from kpinspector.words.batch import groups_note, in_common, pair_place, pair_words, spread_figures


def group(size, *tools, objective=None):
    used = tuple(UsedTool(*one) for one in tools)
    return TraceGroup(tuple(range(size)), 0, None, Common(objective, used), 0)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (group(3), "no tool used"),
        (group(3, objective="Mend it"), "same prompt, no tool used"),
        (group(5, ("open", 5)), "all use open"),
        (group(5, ("edit", 5), ("open", 5), ("python", 5)), "all use edit, open and python"),
        (group(5, ("submit", 5), ("create", 3), ("edit", 3)),
         "all use submit; create in 3, edit in 3"),
        (group(86, ("get", 83), ("put", 58), ("cut", 2)), "get in 83, put in 58 of 86"),
        (group(2, ("get", 1), ("put", 1)), "no tool in common"),
        (group(2, ("open", 2), ("put", 1)), "all use open"),
        (group(2, *((name, 2) for name in "abcdefg")), "all use a, b, c, d, e and 2 more"),
        (group(2, ("open", 2), objective="{Mend} it"), "same prompt, all use open"),
        (group(2, ("{open}", 2)), "all use {open}"),
    ],
)  # fmt: skip
def test_what_a_group_has_in_common(found, words):
    assert in_common(found) == words


def test_a_spread_is_one_figure_where_both_ends_are_shown_alike():
    assert spread_figures(GroupSpread(0.57, 0.994)) == "0.57\N{EN DASH}0.99"
    assert spread_figures(GroupSpread(0.891, 0.893)) == "0.89"


def test_groups_are_counted_and_those_alone():
    assert groups_note((86, 5, 2, 1, 1)) == "3 of two or more, 2 traces alone"
    assert groups_note((2, 1)) == "1 of two or more, 1 trace alone"
    assert groups_note((2,)) == "1 of two or more, 0 traces alone"


def test_a_pair_is_named_with_its_group():
    assert pair_place(1_086, same=False) == "both in the group of 1,086"
    assert pair_place(None, same=False) == "not in one group"
    assert pair_place(3, same=True) == "one and the same trace"
    words = pair_words(("a", "b"), "0.9192", "not in one group")
    assert words == "a and b, similarity 0.9192, not in one group"
