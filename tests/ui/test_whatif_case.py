"""A scored trace and what is tried of it: values that are held, steps that bring other things."""

from dataclasses import replace

import pytest

from kpinspector.app.document import Rules
from kpinspector.scoring.formula.profiles import CUSTOM, Dimension, Profile, Weights, profile_for
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit
from kpinspector.trace.model import Mark, StepType
from kpinspector.ui.panes.whatif_case import case_of
from tests.known import present
from tests.ui.documents import novelty, pending, problem, scored, skipped

MEDICAL = profile_for("medical")
OWN = Profile(CUSTOM, Weights(0.1, 0.2, 0.3, 0.4))


def case(scenario=Scenario(), **parts):  # noqa: B008
    return case_of(scored(1, **parts), scenario)


@pytest.mark.parametrize("row", [None, pending(1), problem(1), skipped(1)])
def test_only_what_has_a_score_can_be_tried(row):
    assert case_of(row, Scenario()) is None


def test_a_value_by_hand_is_held_against_the_trace_and_let_go_again():
    held = case(case().with_value(Dimension.COMPLEXITY, 0.9))
    edited = case(replace(held.scenario, edits=(StepEdit(1, left_out=True),)))
    assert edited.outcome.values.complexity == 0.9
    follows = case(edited.scenario.with_value(Dimension.COMPLEXITY, None))
    assert edited.with_value(Dimension.COMPLEXITY, follows.outcome.values.complexity) == (
        follows.scenario
    )
    assert follows.outcome.values.complexity != case().outcome.values.complexity


def test_a_value_that_reads_as_what_the_trace_gives_is_none_by_hand():
    one = case(value=0.45004)
    assert one.with_value(Dimension.NOVELTY, 0.45) == Scenario()
    assert one.with_value(Dimension.NOVELTY, 0.451).novelty == 0.451


def test_back_at_the_value_of_now_it_is_that_very_value():
    one = case(Scenario(edits=(StepEdit(1, left_out=True),)), value=0.45004)
    now = one.now.complexity
    moved = one.with_value(Dimension.COMPLEXITY, round(now, 3))
    assert moved.complexity == now


def test_the_rules_that_hold_now_are_no_change():
    one = case()
    assert one.with_profile(MEDICAL) == one.with_profile(None) == Scenario()
    assert one.with_profile(OWN).profile is OWN
    assert one.with_threshold(0.75) == Scenario() and one.with_threshold(0.8).threshold == 0.8
    exact = present(case_of(scored(1, rules=Rules(threshold=0.70001)), Scenario()))
    assert exact.with_threshold(0.7) == Scenario()


def test_an_assumed_novelty_is_assumed_until_it_is_set_or_measured():
    assert case(assumed=True).assumed
    assert not case(Scenario(novelty=0.3), assumed=True).assumed
    measured = case(Scenario(measured_novelty=novelty(0.3)), assumed=True)
    assert not measured.assumed and measured.measured_again
    assert measured.outcome.values.novelty == 0.3


def test_what_is_needed_alone_is_needed_of_what_is_tried():
    one = case(Scenario(threshold=0.99, confidence=0.2))
    for dimension, value in one.needed.items():
        if value is not None:
            assert case(replace(one.scenario, **{dimension: value})).outcome.then.score_passes
    assert one.needed[Dimension.COMPLEXITY] is None


def test_the_tried_steps_and_what_every_step_then_brings():
    one = case(
        Scenario(
            edits=(
                StepEdit(0, left_out=True),
                StepEdit(1, type=StepType.THOUGHT),
                StepEdit(3, tool="ehr.read"),
            ),
            added=(AddedStep(StepType.THOUGHT),),
        )
    )
    tried, marks = one.tried
    assert set(tried) == {0, 1, 3}
    assert tried[0].left_out and not tried[1].left_out
    assert tried[1].step.kind is StepType.THOUGHT and tried[1].step.tool_name == "ehr.read"
    assert tried[3].step.tool_name == "ehr.read"
    assert marks == (
        frozenset(),
        {Mark.NEW_TYPE, Mark.FIRST_TOOL},
        {Mark.NEW_TYPE},
        {Mark.NEW_TYPE, Mark.RECOVERY},
    )


def test_what_was_counted_for_the_tree_is_not_counted_again():
    assert case(Scenario(added=(AddedStep(StepType.ERROR_RECOVERY),))).tried == ({}, ())


def test_an_edit_of_a_step_that_is_gone_is_passed_over():
    tried, marks = case(Scenario(edits=(StepEdit(99, left_out=True),))).tried
    assert tried == {} and len(marks) == 4
