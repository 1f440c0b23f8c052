"""Undo and redo of what is tried: one stack a trace, one change a gesture."""

from dataclasses import replace

import pytest

from kpinspector.scoring.whatif.scenario import Loss, Scenario, StepEdit
from kpinspector.trace.model import trace_from_json
from kpinspector.ui.commands.whatif_commands import NOTHING, WhatIfHistory
from tests.ui.documents import trace

ONE, TWO = trace(), trace(objective="Another")


@pytest.fixture
def history(qapp):
    made = WhatIfHistory()
    made.set_current(1, ONE)
    return made


def ways(history):
    return history.undoText(), history.redoText()


def values(*numbers):
    return [Scenario(complexity=number) for number in numbers]


def test_another_gesture_or_another_key_is_another_change(history):
    first, second, third = values(0.1, 0.2, 0.3)
    history.push(first, "Complexity", "complexity")
    history.end_gesture()
    history.push(second, "Complexity", "complexity")
    history.push(replace(third, novelty=0.4), "Novelty", "novelty")
    history.push(replace(third, novelty=0.5), "Novelty", "novelty")
    for expected in (second, first, NOTHING):
        history.undo()
        assert history.scenario == expected


def test_a_gesture_that_ends_where_it_began_leaves_nothing(history):
    history.push(Scenario(threshold=0.5), "Threshold", "threshold")
    for one in (*values(0.1, 0.2), NOTHING):
        history.push(replace(one, threshold=0.5), "Complexity", "complexity")
    assert ways(history) == ("Threshold", "")
    history.undo()
    assert history.scenario == NOTHING


def test_what_is_tried_already_is_no_change(history):
    history.push(NOTHING, "Reset")
    assert ways(history) == ("", "")


def test_every_trace_has_its_own(history):
    history.push(Scenario(complexity=0.1), "Complexity")
    history.set_current(2, TWO)
    assert history.scenario == NOTHING and ways(history) == ("", "")
    history.undo()
    history.push(Scenario(novelty=0.9), "Novelty")
    history.set_current(1, ONE)
    assert history.scenario == Scenario(complexity=0.1)
    history.undo()
    assert history.scenario == NOTHING
    history.set_current(2, TWO)
    assert history.scenario == Scenario(novelty=0.9)
    history.set_current(None, None)
    assert history.scenario == NOTHING
    history.push(Scenario(novelty=0.1), "Novelty")
    history.undo()
    history.set_current(2, TWO)
    assert history.scenario == Scenario(novelty=0.9)


def test_a_trace_that_was_read_again_goes_on_and_so_does_an_edited_one(history):
    history.push(Scenario(complexity=0.1), "Complexity")
    history.set_current(1, trace_from_json(dict(ONE.raw)))
    assert history.scenario == Scenario(complexity=0.1)
    history.set_current(1, TWO)
    assert history.scenario == Scenario(complexity=0.1) and not history.loss
    assert ways(history) == ("What Was Tried Before", "")
    history.undo()
    assert history.scenario == NOTHING


def test_what_does_not_fit_is_said_until_something_else_is_tried(history):
    shorter = trace_from_json({**ONE.raw, "steps": [ONE.steps[0].value]})
    gone = StepEdit(len(ONE.steps) - 1, left_out=True)
    tried = Scenario(edits=(gone,), threshold=0.5)
    history.push(tried, "Step")
    history.set_current(1, shorter)
    assert history.scenario == Scenario(threshold=0.5) and history.loss == Loss((gone,))
    history.set_current(1, ONE)  # the edit was undone
    assert history.scenario == tried and not history.loss
    history.set_current(1, shorter)
    history.push(Scenario(threshold=0.6), "Threshold")
    assert not history.loss
    history.set_current(1, ONE)
    assert history.scenario == Scenario(threshold=0.6)
