from dataclasses import replace

import pytest

from kpinspector.batch.limits import Terms
from kpinspector.batch.plan import LeftOut, Nearest, Obstacle, Plan, begin_plan, plan_of
from kpinspector.words.batch import BatchNames, plan_remarks, plan_title, why_left_out
from tests.batch.made import Made, at_angle


@pytest.fixture(scope="module")
def made():
    return Made([((0.9,), at_angle(0)), ((0.9,), at_angle(5))], [at_angle(90)])


@pytest.fixture(scope="module")
def plan(made):
    return plan_of(begin_plan(made.batch, Terms(0.6)))


def test_the_title_says_what_is_proven(plan):
    assert plan_title(plan) == "1 of 2 traces, the most possible."
    assert plan_title(replace(plan, at_most=2)) == "At least 1, at most 2 of 2 traces."
    alone = Plan(plan.chosen, (), 1, conservative=False)
    assert plan_title(alone) == "1 of 1 trace, the most possible."


def test_the_title_says_both_ends_where_outcomes_are_not_known(plan):
    none = replace(plan, chosen=(), left_out=plan.left_out * 2, at_most=0)
    assert plan_title(none, plan) == "0 to 1 of 2 traces: how they ended is not always known."
    assert plan_title(plan, plan) == "1 of 2 traces, the most possible."


def test_a_plan_that_more_vectors_meet_than_are_compared_is_not_said_to_be_the_most(made, plan):
    assert plan_remarks(plan, made.batch) == ()
    cautious = replace(plan, conservative=True)
    assert plan_title(cautious) == "1 of 2 traces."
    (remark,) = plan_remarks(cautious, replace(made.batch, max_elements=1))
    assert remark.startswith("Only the newest 1 are compared with")


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (LeftOut(0, Obstacle.SCHEMA), "refused by the schema"),
        (LeftOut(0, Obstacle.NO_CONTENT), "its content was not recorded"),
        (LeftOut(0, Obstacle.ASKED), "left out as asked"),
        (LeftOut(0, Obstacle.OUT_OF_REACH, best=0.7499), "cannot pass: at best 0.7499"),
        (LeftOut(0, Obstacle.UNDECIDED, best=0.9), "its outcome is not known: at best 0.9000"),
        (LeftOut(0, Obstacle.NO_FIRST), "no trace passes with 0.5, the novelty of the first one"),
        (
            LeftOut(0, Obstacle.SIMILAR, Nearest(0.9, 1, None), 0.31009),
            "more than 0.3100 similar to made 2",
        ),
        (
            LeftOut(0, Obstacle.REMEMBERED, Nearest(0.9, None, 0), 0.5),
            "more than 0.5000 similar to made 1000, remembered",
        ),
        (
            LeftOut(0, Obstacle.SIMILAR, Nearest(0.9, 1, None), 0.00004),
            "similar to made 2, and may not be at all",
        ),
        (LeftOut(0, Obstacle.SAME, Nearest(1.0, 1, None), 1.0), "the same trace as made 2"),
    ],
)
def test_each_that_is_left_out_has_one_reason(made, left, said):
    assert why_left_out(left, BatchNames(made.batch), 0.75) == said


def test_traces_of_files_that_are_called_the_same_are_told_apart(made):
    one, other = made.batch.candidates
    source = replace(one.record.source, path="elsewhere/made.jsonl")
    named = replace(other, record=replace(other.record, source=source))
    names = BatchNames(replace(made.batch, candidates=(one, named)))
    assert len({*names.candidates}) == 2
