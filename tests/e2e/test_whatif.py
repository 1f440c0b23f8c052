"""What-if as a user has it: sliders, weights, steps, undo, scenarios in the report, Try."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QLineEdit, QTableView

from kpinspector.ui.actions.table import Command
from tests import user
from tests.fakes import make_raw, save
from tests.user import idle, reads, trigger

STEPS = [
    {"step_id": 0, "type": "thought", "content": "Look at the log of the node"},
    {"step_id": 1, "type": "tool_call", "content": "", "tool": {"name": "grep"}},
    {"step_id": 2, "type": "observation", "content": "one failure"},
    {"step_id": 3, "type": "tool_call", "content": "", "tool": {"name": "find"}},
]
RAW = make_raw(id="kp:trace:one", steps=STEPS, outcome={"result_summary": "", "confidence": 0.5})
RAW["metadata"] |= {"task_domain": "medical"}


LEFT_OUT = "Step 3: Tool call \N{RIGHTWARDS ARROW} left out"
WEIGHTS = ("Complexity", "Novelty", "Tool diversity", "Outcome")


def changes(window):
    """How many changes there are, as the bar above the steps says."""
    said = user.description(window, "What-if")
    return said.removeprefix("What-if is on: ").partition(".")[0]


def outcome(window):
    """The score if that were so, and its verdict."""
    found = user.case(window)
    return float(found["score"][1]), found["verdict"][1]


def all_profiles(window):
    return [row for row in user.table(window, "All profiles") if len(row) > 2]


def leave_out(window, number):
    user.go_to_step(window, number)
    user.press(window, "Leave out")


def test_a_change_a_slider_by_keys_and_weights_of_ones_own_are_tried(tmp_path):
    window = yield from user.opened(save(tmp_path / "a.json", RAW), wide=True)
    assert user.states(window) == {"a": "rejected"}
    offers = [one for one in user.table(window, "What would change it") if "passed" in one]
    score = offers[0][-2]
    table = user.find(window, QTableView, "What would change it")
    user.go_down_to(table, offers[0][-1])
    QTest.keyClick(table, user.RETURN)
    assert user.tab(window) == "What-if"
    found, verdict = outcome(window)
    assert (f"{found:.4f}", verdict) == (score, "accepted")
    assert changes(window) != ""
    trigger(window, Command.UNDO)
    assert changes(window) == ""
    trigger(window, Command.WHAT_IF)
    slider = user.find(window, QAbstractSlider, "Outcome")
    slider.setFocus()
    needed = float(user.case(window)["outcome_confidence"][-1])
    while "Rejected" in user.description(window, "What if"):
        assert slider.value() < 1000
        QTest.keyClick(slider, Qt.Key.Key_Right)
    assert needed <= slider.value() / 1000 < needed + 0.01
    assert "Accepted" in user.description(window, "What if")
    assert "Rejected" in user.description(window, "Now")
    assert user.states(window) == {"a": "rejected"}  # the list is not touched
    trigger(window, Command.UNDO)
    assert changes(window) == ""
    user.set_number(window, "Weight of Complexity", 0.5)
    assert user.case(window)["complexity"][2] == "0.5"
    shown = [user.number_in(window, f"Weight of {name}") for name in WEIGHTS]
    assert round(sum(shown), 12) == 1.0
    profiles = all_profiles(window)
    assert len(profiles) == 6 and profiles[-1][0].startswith("own weights")
    yield lambda: all(row[-1].endswith(" of 1") for row in all_profiles(window))


def test_steps_are_left_out_and_changed_then_undone_redone_and_reset(tmp_path):
    window = yield from user.opened(save(tmp_path / "a.json", RAW), wide=True)
    trigger(window, Command.WHAT_IF)
    leave_out(window, 3)
    without = outcome(window)
    assert user.case(window)["step"] == [LEFT_OUT]
    user.go_to_step(window, 1)
    user.write(user.find(window, QLineEdit, "Tool in what-if"), "find")
    assert user.case(window)["step"] == ["Step 1: grep \N{RIGHTWARDS ARROW} find", LEFT_OUT]
    changed = outcome(window)
    user.steps(window).setFocus()
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(user.steps(window), Qt.Key.Key_Z, control)
    assert outcome(window) == without
    trigger(window, Command.REDO)
    assert outcome(window) == changed
    back = f"Take back: {LEFT_OUT}"
    yield lambda: user.is_seen(window, QAbstractButton, back)
    user.press(window, back)
    assert user.case(window)["step"] == ["Step 1: grep \N{RIGHTWARDS ARROW} find"]
    user.press(window, "Reset")
    assert changes(window) == ""
    now, then = user.case(window)["score"]
    assert now == then
    for _ in range(4):
        trigger(window, Command.UNDO)
    assert changes(window) == ""
    assert not user.action(window, Command.UNDO).isEnabled()


@pytest.mark.slow
def test_novelty_is_held_until_it_is_measured_again(tmp_path):
    other = make_raw(id="kp:trace:two", task={"objective": "Something else"})
    window = yield from user.opened("--fresh", save(tmp_path / "a.jsonl", other, RAW), wide=True)
    user.go_to_row(window, "a 2")
    trigger(window, Command.WHAT_IF)
    leave_out(window, 0)
    now, held, *_ = user.case(window)["novelty"]
    assert now == held and user.case(window)["held"] == ["held"]
    user.press(window, "Measure Again")
    yield idle(window)
    assert user.case(window)["novelty"][1] != held
    assert user.case(window)["held"] == ["measured again"]
    assert reads(window, "measured again")() and reads(window, "fresh: nothing remembered")()


def test_what_is_tried_is_in_the_exported_report(tmp_path):
    target = tmp_path / "report.json"
    window = yield from user.opened(save(tmp_path / "a.json", RAW))
    trigger(window, Command.WHAT_IF)
    user.set_number(window, "Confidence", 0.95)
    user.set_number(window, "Threshold in what-if", 0.6)
    tried = outcome(window)[0]
    trigger(window, Command.EXPORT)
    yield from user.save_as(window, target)
    (entry,) = json.loads(target.read_bytes())["traces"]
    scenario = entry["what_if"]
    assert scenario["score"] == tried
    assert scenario["changes"]["confidence"] == 0.95 and scenario["threshold"] == 0.6
    assert entry["score"] != scenario["score"] and entry["threshold"] == 0.75
