"""Scenarios as values: what is put in, taken back and counted."""

import pytest

from kpinspector.scoring.formula.profiles import PROFILES, Dimension
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit
from kpinspector.trace.model import StepType
from tests.cases import novelty

RECOVERY = AddedStep(StepType.ERROR_RECOVERY)


def test_nothing_changed_is_empty():
    assert Scenario().is_empty and not Scenario().edited and Scenario().changes == 0
    assert not Scenario(success=False).is_empty and not Scenario(novelty=0.0).is_empty
    assert not Scenario(measured_novelty=novelty(0.4)).is_empty


def test_one_edit_a_step_in_the_order_of_the_file():
    scenario = Scenario().with_edit(StepEdit(4, tool="x")).with_edit(StepEdit(1, left_out=True))
    scenario = scenario.with_edit(StepEdit(4, type="thought"))
    assert scenario.edits == (StepEdit(1, left_out=True), StepEdit(4, type="thought"))
    assert scenario.edit_of(4).type == "thought" and scenario.edit_of(2) == StepEdit(2)
    assert scenario.left_out == {1} and scenario.edited
    assert scenario.with_edit(StepEdit(4)).without_edit(1).is_empty
    assert scenario.without_edit(7) == scenario


def test_added_steps_stand_in_the_order_in_which_they_came():
    call = AddedStep(StepType.TOOL_CALL, "grep")
    scenario = Scenario().with_added(RECOVERY).with_added(call).with_added(RECOVERY)
    assert scenario.changes == 3 and scenario.edited
    assert scenario.added == (RECOVERY, call, RECOVERY)


@pytest.mark.parametrize("dimension", Dimension)
def test_a_value_by_hand_is_set_and_taken_back(dimension):
    scenario = Scenario().with_value(dimension, 0.0)
    assert scenario.value_of(dimension) == 0.0 and scenario.changes == 1
    assert scenario.with_value(dimension, None).is_empty


def test_a_step_counts_once_however_much_of_it_is_changed():
    scenario = Scenario(
        novelty=0.5,
        success=False,
        confidence=0.0,
        edits=(StepEdit(0, type="odd", tool="x"), StepEdit(1, tool="")),
        added=(RECOVERY,),
        profile=PROFILES[1],
        threshold=0.5,
    )
    assert scenario.changes == 8


def test_a_novelty_measured_again_is_dropped_with_the_text_it_was_measured_of():
    scenario = Scenario(edits=(StepEdit(0, left_out=True),), measured_novelty=novelty(0.4))
    assert scenario.with_edit(StepEdit(1, left_out=True)).measured_novelty is None
    assert scenario.without_edit(0).measured_novelty is None
    # none of these is read by the embedder
    assert scenario.with_edit(StepEdit(1, tool="x", type="odd")).measured_novelty is not None
    assert scenario.with_added(RECOVERY).measured_novelty is not None
    assert scenario.with_value(Dimension.COMPLEXITY, 1.0).measured_novelty is not None
