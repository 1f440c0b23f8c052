"""What-if in the window: one scenario a trace, seen in every pane, undone by the usual keys."""

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from kpinspector.app.engine import Engine
from kpinspector.app.session import Session
from kpinspector.app.state import SavedState
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.memory.mode import Mode
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from kpinspector.settings import Settings
from kpinspector.ui.actions.table import Command
from kpinspector.ui.look.theme import set_palette
from kpinspector.ui.main_window import MainWindow
from kpinspector.ui.parts.section_dialog import NameDialog
from tests.fakes import FakeEmbedder, make_raw
from tests.known import of
from tests.ui.documents import novelty
from tests.ui.test_window_layout import NARROW, WIDE, resize, settle

COMMANDS = (
    Command.UNDO,
    Command.REDO,
    Command.RESET_WHAT_IF,
    Command.SAVE_SCENARIO,
    Command.MEASURE_AGAIN,
)


@pytest.fixture
def window(qtbot, tmp_path):
    """Three traces and a file that holds none."""
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    settings = Settings()
    session = Session(Engine(Mode.FRESH, tmp_path, settings, FakeEmbedder()), settings)
    made = MainWindow(Settings(), SavedState())
    made.furnish(session)
    session.setParent(made)
    qtbot.addWidget(made)
    resize(made, WIDE)
    with qtbot.waitExposed(made):
        made.show()
    steps = [{"step_id": n, "type": "thought", "content": f"thought {n}"} for n in range(6)]
    for one in "abc":
        raw = make_raw(id=f"kp:trace:{one}", task={"objective": one}, steps=steps)
        (tmp_path / f"{one}.json").write_text(json.dumps(raw), encoding="utf-8")
    (tmp_path / "d.json").write_text("{", encoding="utf-8")
    session.open([str(tmp_path / f"{one}.json") for one in "abcd"])
    qtbot.waitUntil(lambda: session.runner.idle and session.store.told)
    made._traces.set_current(session.documents[0].number)
    settle()
    yield made
    made.close()
    assert session.close()


def enabled(window):
    return {command for command in COMMANDS if window._actions[command].isEnabled()}


def slide(window, dimension, value):
    window._score.what_if.view.sliders._rows[dimension].slider.setValue(value)
    settle()


def edit(window, number, **changes):
    window._steps.select_step(window._current.record.trace.steps[number])
    row = window._detail.what_if
    row.edit_wanted.emit(StepEdit(number, **changes), "tool")
    settle()


@pytest.fixture
def trying(window):
    window._score.show_what_if()
    settle()
    return window


def test_the_tab_turns_it_on_and_other_tabs_off(window):
    bar = window._steps.what_if
    assert not bar.isVisible() and enabled(window) == set()
    window._actions[Command.WHAT_IF].trigger()
    settle()
    assert window._score.what_if_seen and bar.isVisible()
    assert "no change yet" in bar.accessibleDescription()
    window._steps.select_step(window._current.record.trace.steps[1])
    assert window._detail.what_if.isVisible()
    window._score.tabs.setCurrentIndex(0)
    assert not bar.isVisible() and not window._detail.what_if.isVisible()


def test_a_change_keeps_it_on_in_every_tab_until_it_is_turned_off(trying):
    slide(trying, Dimension.NOVELTY, 900)
    trying._score.tabs.setCurrentIndex(0)
    settle()
    bar = trying._steps.what_if
    assert bar.isVisible() and "1 change." in bar.accessibleDescription()
    bar.off.click()
    assert not bar.isVisible() and trying._what_if.scenario == Scenario()
    trying._actions[Command.UNDO].trigger()
    assert bar.isVisible() and trying._what_if.scenario.novelty == 0.9


def test_turned_off_on_its_tab_it_goes_back_to_why(trying):
    slide(trying, Dimension.NOVELTY, 900)
    trying._steps.what_if.off.click()
    assert trying._score.tabs.tabText(trying._score.tabs.currentIndex()) == "Why"
    assert not trying._steps.what_if.isVisible()


def test_what_can_be_done_is_enabled(trying):
    assert enabled(trying) == set()
    slide(trying, Dimension.NOVELTY, 900)
    assert enabled(trying) == {Command.UNDO, Command.RESET_WHAT_IF, Command.SAVE_SCENARIO}
    trying._actions[Command.UNDO].trigger()
    assert enabled(trying) == {Command.REDO}
    edit(trying, 1, left_out=True)
    assert Command.MEASURE_AGAIN in enabled(trying)
    trying._traces.set_current(trying._session.documents[3].number)
    assert trying._current.record is None and enabled(trying) == set()
    foot = trying._score.what_if.foot
    assert not foot.undo.isEnabled() and not foot.save.isEnabled()


def test_the_usual_keys_undo_and_redo_wherever_the_focus_is(trying, qtbot):
    trying.activateWindow()
    qtbot.waitUntil(trying.isActiveWindow)
    slide(trying, Dimension.NOVELTY, 900)
    for widget in (trying._traces.table, trying._steps.tree, trying._score.tabs):
        widget.setFocus()
        qtbot.keySequence(widget, "Ctrl+Z")
        assert trying._what_if.scenario == Scenario()
        qtbot.keySequence(widget, "Ctrl+Shift+Z")
        assert trying._what_if.scenario.novelty == 0.9


def test_the_foot_says_what_would_be_undone(trying, qtbot):
    foot = trying._score.what_if.foot
    slide(trying, Dimension.NOVELTY, 900)
    assert foot.undo.accessibleName() == "Undo: Novelty"
    qtbot.mouseClick(foot.undo, Qt.MouseButton.LeftButton)
    assert foot.undo.accessibleName() == "Undo" and foot.redo.accessibleName() == "Redo: Novelty"
    qtbot.mouseClick(foot.redo, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(foot.reset, Qt.MouseButton.LeftButton)
    assert trying._what_if.scenario == Scenario() and foot.undo.accessibleName() == "Undo: Reset"


def test_a_drag_is_one_change_and_the_next_drag_another(trying):
    slider = trying._score.what_if.view.sliders._rows[Dimension.NOVELTY].slider
    for values in ((510, 530, 600), (700, 800)):
        slider.setSliderDown(True)
        for value in values:
            slider.setSliderPosition(value)
        slider.setSliderDown(False)
    trying._actions[Command.UNDO].trigger()
    assert trying._what_if.scenario.novelty == 0.6
    trying._actions[Command.UNDO].trigger()
    assert trying._what_if.scenario == Scenario()


def test_a_tool_is_tried_in_the_step_and_seen_in_tree_and_tab(trying, qtbot):
    trying._steps.select_step(trying._current.record.trace.steps[2])
    tool = trying._detail.what_if.tool.edit
    tool.setFocus()
    qtbot.keyClicks(tool, "grep")
    settle()
    assert trying._what_if.scenario == Scenario(edits=(StepEdit(2, tool="grep"),))
    index = trying._steps.tree.currentIndex().siblingAtColumn(2)
    assert index.data().startswith("grep") and tool.hasFocus()
    line = "Step 2: no tool \N{RIGHTWARDS ARROW} grep"
    lines = trying._score.what_if.view.trace._lines
    assert [one.text for one in lines] == [line]
    trying._score.tabs.setFocus()
    trying._actions[Command.UNDO].trigger()
    assert trying._what_if.scenario == Scenario() and tool.text() == ""
    assert not index.siblingAtColumn(2).data().startswith("grep")


def test_every_trace_keeps_what_is_tried_of_it(trying):
    first, second, third, _ = (one.number for one in trying._session.documents)
    slide(trying, Dimension.NOVELTY, 900)
    trying._traces.set_current(second)
    settle()
    assert trying._what_if.scenario == Scenario()
    slide(trying, Dimension.COMPLEXITY, 100)
    trying._traces.set_current(third)
    trying._traces.set_current(first)
    settle()
    assert trying._what_if.scenario == Scenario(novelty=0.9)
    trying._session.remove([second])
    trying._traces.set_current(first)
    settle()
    trying._actions[Command.UNDO].trigger()
    assert trying._what_if.scenario == Scenario()


def test_novelty_is_measured_of_what_is_left(trying, qtbot):
    edit(trying, 1, left_out=True)
    assert trying._score.what_if.view.novelty.measure.isVisible()
    trying._actions[Command.MEASURE_AGAIN].trigger()
    qtbot.waitUntil(lambda: trying._what_if.scenario.measured_novelty is not None)
    assert trying._what_if.scenario.left_out == {1}
    settle()
    assert Command.MEASURE_AGAIN not in enabled(trying)
    trying._actions[Command.UNDO].trigger()
    assert trying._what_if.scenario == Scenario(edits=(StepEdit(1, left_out=True),))


def test_another_novelty_can_be_tried_from_elsewhere(window):
    window._what_if.try_novelty(0.7777)
    assert window._score.what_if_seen
    assert window._what_if.scenario == Scenario(novelty=0.7777)


def test_try_brings_the_scenario_of_a_change(window):
    table = window._score.findChild(type(window._score._why._changes))
    rows = [row for row in table.figures.rows if row.wish is not None]
    table.row_activated.emit(rows[0].wish)
    settle()
    assert window._score.what_if_seen
    then = window._score.what_if._case.outcome.then
    assert then.score == rows[0].wish.change.after.score


def test_try_of_success_and_confidence_sets_both(window):
    table = window._score.findChild(type(window._score._why._changes))
    wish = next(row.wish for row in table.figures.rows if row.wish is not None)
    both = Scenario(success=True, confidence=0.9334)
    table.row_activated.emit(replace(wish, change=replace(wish.change, scenario=both)))
    settle()
    assert window._what_if.scenario == both


def test_saved_renamed_applied_and_deleted(trying, qtbot):
    def name(text):
        dialog = trying.findChild(NameDialog)
        dialog.field.set_text(text)
        dialog.save.click()
        settle()

    slide(trying, Dimension.NOVELTY, 900)
    trying._actions[Command.SAVE_SCENARIO].trigger()
    assert trying.findChild(NameDialog).field.text == "Scenario 1"
    name("new")
    assert [one.name for one in trying._current.scenarios] == ["new"]
    trying._actions[Command.RESET_WHAT_IF].trigger()
    saved = trying._score.what_if.view.saved
    assert saved.isVisible()
    saved.rename_wanted.emit("new")
    name("newer")
    assert [one.name for one in trying._current.scenarios] == ["newer"]
    saved.apply_wanted.emit(trying._current.scenarios[0])
    assert trying._what_if.scenario == Scenario(novelty=0.9)
    saved.delete_wanted.emit("newer")
    assert trying._current.scenarios == () and not saved.isVisible()


def test_in_the_narrow_shape_the_steps_tab_keeps_it_on(trying):
    resize(trying, NARROW)
    trying._steps.select_step(trying._current.record.trace.steps[1])
    trying._score.show_step()
    settle()
    assert trying._detail.what_if.isVisible() and trying._steps.what_if.isVisible()
    trying._detail.what_if.leave_out.click()
    settle()
    trying._score.show_what_if()
    assert trying._what_if.scenario.left_out == {1}
    trying._steps.what_if.off.click()
    assert not trying._steps.what_if.isVisible()


def test_flips_follow_the_rules_that_are_tried_and_the_list(trying, qtbot):
    view = trying._score.what_if.view
    qtbot.waitUntil(lambda: view.flips.of == 3)
    before = view.flips
    view.rules.threshold.setValue(0.01)
    qtbot.waitUntil(lambda: view.flips != before)
    assert view.flips.by_threshold == 3
    trying._session.remove([trying._session.documents[1].number])
    qtbot.waitUntil(lambda: view.flips.of == 2)


def test_flips_beside_a_profile_count_the_trace_as_it_is_tried(trying, qtbot):
    view = trying._score.what_if.view
    table = view.profiles
    trying._what_if.history.push(Scenario(novelty=1.0, confidence=1.0, complexity=1.0), "", "")

    def flips():
        used = next(row for row in table.figures.rows if row.tinted)
        return used.cells[-2].text

    qtbot.waitUntil(lambda: flips() == "1 of 3")
    outcome = trying._what_if._case.outcome
    assert outcome.then.verdict is not outcome.now.verdict
    trying._score.copy_answer()
    assert "default\taccepted" in QApplication.clipboard().text()
    assert QApplication.clipboard().text().splitlines()[-5].endswith("\t1")


def test_a_novelty_of_another_text_is_not_taken(trying):
    edit(trying, 1, left_out=True)
    other = Scenario(edits=(StepEdit(2, left_out=True),))
    trying._session.scenarios.measured.emit(other, novelty(0.9))
    assert trying._what_if.scenario.measured_novelty is None
    trying._session.scenarios.measured.emit(trying._what_if.scenario, novelty(0.9))
    assert trying._what_if.scenario.measured_novelty == novelty(0.9)
