"""What is said of all open traces together: in title, groups, pairs and plans."""

from collections import Counter
from dataclasses import replace

import pytest

from kpinspector.batch.groups import GroupSpread, TraceGroup
from kpinspector.batch.plan import LeftOut, Nearest, Obstacle, Plan, begin_plan, plan_of
from kpinspector.batch.summary import BatchSummary
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.formula.profiles import Terms
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.settings import Mode
from kpinspector.words.batch import (
    BatchNames,
    batch_facts,
    batch_title,
    groups_note,
    in_common,
    left_out_note,
    pair_place,
    pair_words,
    plan_note,
    plan_remarks,
    plan_title,
    spread_figures,
    why_left_out,
)
from tests.batch.made import Made, at_angle


def summary(passing, rejected, undecided=0, **reach):
    verdicts = {Verdict.ACCEPTED: passing, Verdict.REJECTED: rejected}
    verdicts |= {Verdict.UNDECIDED: undecided}
    counts = Counter({ReachKind(name): count for name, count in reach.items()})
    total = passing + rejected + undecided
    return BatchSummary(total, Counter(verdicts), counts, Counter(), Counter(), (), ())


def plan(chosen, left_out, at_most=None, *, conservative=False):
    left = tuple(LeftOut(one, Obstacle.SIMILAR, 0.9) for one in range(left_out))
    most = chosen if at_most is None else at_most
    return Plan((None,) * chosen, left, most, conservative)


def test_the_answer():
    some = summary(31, 80)
    assert batch_title(some, None, None) == "31 of 111 traces pass in file order"
    whole = "31 of 111 traces pass in file order, {} in the planned order"
    assert batch_title(some, plan(40, 71), None) == whole.format("40")
    assert batch_title(some, plan(40, 71, 43), None) == whole.format("at least 40")
    open_ = summary(9, 8, 1)
    said = "9 to 10 of 18 traces pass in file order, 9 to 10 in the planned order"
    assert batch_title(open_, plan(9, 9), plan(10, 8)) == said


def test_the_facts():
    some = summary(31, 80, accepted=31, novelty=72, outcome=2, both=6)
    said = batch_facts(some, (57, 1, 0), 0.5, Mode.FRESH)
    assert said.split("  ·  ") == [
        "57 runs failed",
        "1 failed run passes",
        "8 cannot pass at any novelty",
        "threshold 0.5",
        "scored as a fresh process",
    ]
    said = batch_facts(summary(0, 2, 0), (0, 0, 1), 0.5, None)  # rejected, whatever the outcome
    assert "of 1 it is not known how it ended" in said


def test_what_is_proven_of_a_plan():
    assert plan_note(plan(40, 71), None) == "40 of 111, the most possible"
    assert plan_note(plan(40, 71, 43), None) == "at least 40, at most 43 of 111"
    assert plan_note(plan(40, 71, conservative=True), None) == "40 of 111"
    assert plan_note(plan(9, 9), plan(10, 8)) == "9 to 10 of 18, depending on outcomes"
    assert plan_note(plan(9, 9), plan(9, 9)) == "9 of 18, the most possible"


def test_why_traces_are_left_out():
    kinds = [Obstacle.SIMILAR, Obstacle.SAME, Obstacle.ASKED, Obstacle.OUT_OF_REACH]
    left = [LeftOut(number, why, 0.9) for number, why in enumerate(kinds)]
    assert left_out_note(left) == "2 too similar, 1 as asked, 1 cannot pass"
    assert left_out_note(left[:1]) == "1 too similar"
    assert left_out_note([LeftOut(0, Obstacle.REMEMBERED, 0.9)]) == "1 too similar"
    assert left_out_note([LeftOut(0, Obstacle.UNDECIDED, 0.9)]) == "1 of unknown outcome"


def group(size, *tools, objective=None):
    return TraceGroup(tuple(range(size)), 0, None, objective, tuple(tools), 0)


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


@pytest.fixture(scope="module")
def made():
    return Made([((0.9,), at_angle(0)), ((0.9,), at_angle(5))], [at_angle(90)])


@pytest.fixture(scope="module")
def solved(made):
    return plan_of(begin_plan(made.batch, Terms(0.6)))


def test_the_title_says_what_is_proven(solved):
    assert plan_title(solved) == "1 of 2 traces, the most possible."
    assert plan_title(replace(solved, at_most=2)) == "At least 1, at most 2 of 2 traces."
    alone = Plan(solved.chosen, (), 1, conservative=False)
    assert plan_title(alone) == "1 of 1 trace, the most possible."


def test_the_title_says_both_ends_where_outcomes_are_not_known(solved):
    none = replace(solved, chosen=(), left_out=solved.left_out * 2, at_most=0)
    assert plan_title(none, solved) == "0 to 1 of 2 traces: how they ended is not always known."
    assert plan_title(solved, solved) == "1 of 2 traces, the most possible."


def test_a_plan_that_more_vectors_meet_than_are_compared_is_not_said_to_be_the_most(made, solved):
    assert not [*plan_remarks(solved, made.batch)]
    cautious = replace(solved, conservative=True)
    assert plan_title(cautious) == "1 of 2 traces."
    (remark,) = plan_remarks(cautious, replace(made.batch, max_elements=1))
    assert remark.startswith("Only the newest 1 are compared with")


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (LeftOut(0, Obstacle.SCHEMA, 0.9), "refused by the schema"),
        (LeftOut(0, Obstacle.NO_CONTENT, 0.9), "its content was not recorded"),
        (LeftOut(0, Obstacle.ASKED, 0.9), "left out as asked"),
        (LeftOut(0, Obstacle.OUT_OF_REACH, 0.7499), "cannot pass: at best 0.7499"),
        (LeftOut(0, Obstacle.UNDECIDED, 0.9), "its outcome is not known: at best 0.9000"),
        (LeftOut(0, Obstacle.NO_FIRST, 0.9),
         "no trace passes with 0.5, the novelty of the first one"),
        (LeftOut(0, Obstacle.SIMILAR, 0.9, Nearest(0.9, 1, None), 0.31009),
         "more than 0.3100 similar to made 2"),
        (LeftOut(0, Obstacle.REMEMBERED, 0.9, Nearest(0.9, None, 0), 0.5),
         "more than 0.5000 similar to made 1000, remembered"),
        (LeftOut(0, Obstacle.SIMILAR, 0.9, Nearest(0.9, 1, None), 0.00004),
         "similar to made 2, and may not be at all"),
        (LeftOut(0, Obstacle.SAME, 0.9, Nearest(1.0, 1, None), 1.0), "the same trace as made 2"),
    ],
)  # fmt: skip
def test_each_that_is_left_out_has_one_reason(made, left, said):
    assert why_left_out(left, BatchNames(made.batch), 0.75) == said


def test_traces_of_files_that_are_called_the_same_are_told_apart(made):
    one, other = made.batch.candidates
    source = replace(one.record.source, path="elsewhere/made.jsonl")
    named = replace(other, record=replace(other.record, source=source))
    names = BatchNames(replace(made.batch, candidates=(one, named)))
    assert len({*names.candidates}) == 2
