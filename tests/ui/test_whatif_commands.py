"""What-if in the window: one scenario a trace, seen in every pane, undone by the usual keys."""

import json

import pytest
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QApplication

from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.ui.actions.table import Command
from kpinspector.ui.commands.whatif_commands import WhatIfCommands
from kpinspector.ui.look.theme import set_palette
from tests import user
from tests.fakes import make_raw
from tests.known import of
from tests.ui.documents import novelty
from tests.ui.main_windows import close, open_window, part, session_of, settle

COMMANDS = (Command.UNDO, Command.REDO, Command.RESET_WHAT_IF, Command.MEASURE_AGAIN)


@pytest.fixture
def window(qtbot, tmp_path):
    """Three traces and a file that holds none."""
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    steps = [{"step_id": n, "type": "thought", "content": f"thought {n}"} for n in range(6)]
    for one in "abc":
        raw = make_raw(id=f"kp:trace:{one}", task={"objective": one}, steps=steps)
        (tmp_path / f"{one}.json").write_text(json.dumps(raw), encoding="utf-8")
    (tmp_path / "d.json").write_text("{", encoding="utf-8")
    made = open_window(qtbot, tmp_path, *(tmp_path / f"{one}.json" for one in "abcd"))
    yield made
    close(made)


@pytest.fixture
def trying(window):
    user.trigger(window, Command.WHAT_IF)
    settle()
    return window


def enabled(window):
    return {command for command in COMMANDS if user.action(window, command).isEnabled()}


def slide(window, dimension, value):
    user.find(window, QAbstractSlider, dimension).setValue(value)
    settle()


def leave_out(window, number):
    user.go_to_step(window, number)
    user.press(window, "Leave out")
    settle()


def go_to(window, name):
    user.go_to_row(window, name)
    settle()


def scenario(window):
    """What is tried of the current trace."""
    return part(window, WhatIfCommands).history.scenario


def bar(window):
    """What the bar over the steps says; "" while what-if is off."""
    return user.description(window, "What-if")


def can_edit(window):
    """The row in which the step is edited is seen."""
    return user.is_seen(window, QAbstractButton, "Leave out")


def test_the_tab_turns_it_on_and_other_tabs_off(window):
    assert not bar(window) and enabled(window) == set()
    user.trigger(window, Command.WHAT_IF)
    settle()
    assert user.tab(window) == "What-if" and not bar(window)
    user.go_to_step(window, 1)
    assert can_edit(window)
    user.trigger(window, Command.WHY)
    assert not bar(window) and not can_edit(window)


def test_a_change_keeps_it_on_in_every_tab_until_it_is_turned_off(trying):
    slide(trying, "Novelty", 900)
    user.trigger(trying, Command.WHY)
    settle()
    assert "1 change." in bar(trying)
    user.press(trying, "Turn Off")
    assert not bar(trying) and scenario(trying) == Scenario()
    user.trigger(trying, Command.UNDO)
    assert bar(trying) and scenario(trying).novelty == 0.9


def test_what_can_be_done_is_enabled(trying):
    assert enabled(trying) == set()
    slide(trying, "Novelty", 900)
    assert enabled(trying) == {Command.UNDO, Command.RESET_WHAT_IF}
    user.trigger(trying, Command.UNDO)
    assert enabled(trying) == {Command.REDO}
    leave_out(trying, 1)
    assert Command.MEASURE_AGAIN in enabled(trying)
    go_to(trying, "d")
    assert enabled(trying) == set()
    assert user.reads(trying, "There is no trace in this row.")()


def test_a_drag_is_one_change_and_the_next_drag_another(trying):
    slider = user.find(trying, QAbstractSlider, "Novelty")
    for values in ((510, 530, 600), (700, 800)):
        slider.setSliderDown(True)
        for value in values:
            slider.setSliderPosition(value)
        slider.setSliderDown(False)
    user.trigger(trying, Command.UNDO)
    assert scenario(trying).novelty == 0.6
    user.trigger(trying, Command.UNDO)
    assert scenario(trying) == Scenario()


def test_a_novelty_of_another_text_is_not_taken(trying, monkeypatch):
    asked = []
    questions = session_of(trying).questions
    monkeypatch.setattr(questions, "measure", lambda _, tell, over: asked.append(tell))
    leave_out(trying, 2)
    user.trigger(trying, Command.MEASURE_AGAIN)
    user.trigger(trying, Command.UNDO)
    leave_out(trying, 1)
    asked[0](novelty(0.9))
    assert scenario(trying).measured_novelty is None
    user.trigger(trying, Command.MEASURE_AGAIN)
    asked[1](novelty(0.9))
    assert scenario(trying).measured_novelty == novelty(0.9)
