"""What is tried of a trace and what is saved outlasts edits of the file and the program itself."""

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from kpinspector.__main__ import main
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from kpinspector.ui.actions.actions import Command
from kpinspector.ui.parts.section_dialog import NameDialog
from tests.e2e.driving import answer_file_dialog, idle, trigger
from tests.fakes import make_raw, save

STEPS = [
    {"step_id": n, "type": "thought", "content": text}
    for n, text in enumerate(("look at the log", "find the node", "repair it", "look again"))
]
RAW = make_raw(id="kp:trace:one", steps=STEPS, outcome={"result_summary": "", "confidence": 0.5})
TRIED = Scenario(confidence=0.95, edits=(StepEdit(3, left_out=True),))
FILE = "scenarios.sqlite3"


def renumbered(*steps):
    return RAW | {"steps": [step | {"step_id": n} for n, step in enumerate(steps)]}


def try_something(window):
    """Another confidence, and the last step left out."""
    trigger(window, Command.WHAT_IF)
    field = window._score.what_if.view.trace.confidence
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "0.95")
    QTest.keyClick(field, Qt.Key.Key_Return)
    window._steps.select_step(window._current.record.trace.steps[3])
    window._score.show_step()
    window._detail.what_if.leave_out.click()
    trigger(window, Command.WHAT_IF)
    assert window._what_if.scenario == TRIED


def save_as(window, name):
    trigger(window, Command.SAVE_SCENARIO)
    dialog = window.findChild(NameDialog)
    dialog.field.edit.selectAll()
    QTest.keyClicks(dialog.field.edit, name)
    QTest.keyClick(dialog.field.edit, Qt.Key.Key_Return)


def says(window, words):
    """The What-if tab says this, in place."""
    labels = window._score.what_if.findChildren(QLabel)
    return any(words in label.text() for label in labels if label.isVisible())


def saved(window):
    return [(one.name, one.scenario) for one in window._current.scenarios]


@pytest.mark.parametrize("place", ["there", "elsewhere"])
def test_what_is_tried_and_saved_comes_back_after_a_quit(journey, tmp_path, place):
    path, target = save(tmp_path / "a.json", RAW), tmp_path / "report.json"

    def first(window):
        yield idle(window)
        try_something(window)
        save_as(window, "surer")
        field = window._score.what_if.view.rules.threshold
        field.setValue(0.6)  # and quit at once

    def second(window):
        yield idle(window)
        assert saved(window) == [("surer", TRIED)]
        assert window._what_if.scenario == replace(TRIED, threshold=0.6)
        assert window._steps.what_if.isVisible()
        trigger(window, Command.UNDO)
        assert window._what_if.scenario == Scenario()
        trigger(window, Command.EXPORT)
        answer_file_dialog(window, target)
        yield target.exists

    def third(window):
        yield idle(window)
        assert saved(window) == [("surer", TRIED)] and window._what_if.scenario == Scenario()

    assert journey([path], first) == 0
    if place == "elsewhere":
        path = path.rename(tmp_path / "b.json")
    assert journey([path], second) == 0
    (entry,) = json.loads(target.read_bytes())["traces"]
    assert [one["name"] for one in entry["scenarios"]] == ["surer"]
    assert journey([path], third) == 0


def test_what_is_tried_goes_on_after_an_edit_and_says_what_has_no_place(journey, tmp_path):
    path = save(tmp_path / "a.json", RAW)

    def script(window):
        yield idle(window)
        try_something(window)
        save_as(window, "surer")
        save(path, renumbered(STEPS[3], *STEPS[:3]))
        trigger(window, Command.RELOAD)
        moved = replace(TRIED, edits=(StepEdit(0, left_out=True),))
        yield lambda: window._what_if.scenario == moved
        assert saved(window) == [("surer", moved)] and not says(window, "not there any more")
        save(path, renumbered(*STEPS[:3]))
        trigger(window, Command.RELOAD)
        yield lambda: window._what_if.scenario == Scenario(confidence=0.95)
        yield idle(window)
        assert says(window, "Step 3 is not there any more") and says(window, "in part")
        save(path, RAW)
        trigger(window, Command.RELOAD)
        yield lambda: window._what_if.scenario == TRIED
        yield idle(window)
        assert saved(window) == [("surer", TRIED)] and not says(window, "not there any more")

    assert journey([path], script) == 0


def test_what_was_edited_between_two_starts_is_fitted_too(journey, tmp_path):
    path = save(tmp_path / "a.json", RAW)

    def first(window):
        yield idle(window)
        try_something(window)
        save_as(window, "surer")

    def second(window):
        yield idle(window)
        trigger(window, Command.WHAT_IF)
        assert window._what_if.scenario == Scenario(confidence=0.95)
        assert says(window, "Step 3 is not there any more")

    def third(window):
        yield idle(window)
        assert window._what_if.scenario == TRIED and saved(window) == [("surer", TRIED)]

    assert journey([path], first) == 0
    save(path, renumbered(*STEPS[:3]))
    assert journey([path], second) == 0
    save(path, RAW)
    assert journey([path], third) == 0


def test_what_is_tried_stays_with_its_row_and_comes_back_when_it_is_opened_again(journey, tmp_path):
    one, two = save(tmp_path / "1.json", RAW), save(tmp_path / "2.json", RAW | {"id": "two"})

    def script(window):
        yield idle(window)
        try_something(window)
        trigger(window, Command.NEXT)
        assert window._what_if.scenario == Scenario()
        trigger(window, Command.PREVIOUS)
        assert window._what_if.scenario == TRIED
        trigger(window, Command.CLOSE_ALL)
        window._session.open([str(one)])
        yield lambda: len(window._session.store) == 1
        yield idle(window)
        assert window._what_if.scenario == TRIED

    assert journey([one, two], script) == 0


@pytest.mark.parametrize("option", ["--guest", "--fresh"])
def test_a_guest_leaves_nothing_behind(journey, tmp_path, data_dir, option):
    path = save(tmp_path / "a.json", RAW)

    def first(window):
        yield idle(window)
        try_something(window)
        save_as(window, "surer")
        yield lambda: says(window, "not kept as a guest")

    def second(window):
        yield idle(window)
        assert saved(window) == [] and window._what_if.scenario == Scenario()

    assert journey([option, path], first) == 0
    assert not (data_dir / FILE).exists()
    assert journey([path], second) == 0


@pytest.mark.parametrize("way", ["forget", "clear", "command"])
def test_forgetting_takes_what_was_tried_along(journey, tmp_path, data_dir, way):
    path = save(tmp_path / "a.json", RAW)

    def first(window):
        yield idle(window)
        try_something(window)
        save_as(window, "surer")

    def second(window):
        yield idle(window)
        assert saved(window) == [("surer", TRIED)]
        trigger(window, Command.WHAT_IF)
        window._score.what_if.view.rules.threshold.setValue(0.61)  # just before
        if way == "forget":
            trigger(window, Command.FORGET)
        else:
            window._session.remembered.clear()
        yield idle(window)

    def third(window):
        yield idle(window)
        assert saved(window) == [] and window._what_if.scenario == Scenario()

    assert journey([path], first) == 0
    if way == "command":
        assert main(["memory", "forget", "kp:trace:one"]) == 0
    else:
        assert journey([path], second) == 0
    assert b"surer" not in (data_dir / FILE).read_bytes()
    assert journey([path], third) == 0


def test_a_file_that_cannot_be_used_is_said_once_when_something_is_to_be_kept(
    journey, tmp_path, data_dir
):
    path = save(tmp_path / "a.json", RAW)
    data_dir.mkdir()
    (data_dir / FILE).mkdir()

    def script(window):
        yield idle(window)
        assert not window._messages.messages
        try_something(window)
        yield lambda: [FILE in one.text for one in window._messages.messages] == [True]
        save_as(window, "surer")
        yield idle(window)
        assert saved(window) == [("surer", TRIED)] and len(window._messages.messages) == 1

    assert journey([path], script) == 0
