"""What-if as a user has it: sliders, weights, steps, undo, scenarios in the report, Try."""

import json
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kpinspector.app.document import State
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.ui.actions.actions import Command
from kpinspector.ui.controls.base import FlatButton
from kpinspector.ui.parts.section_dialog import NameDialog
from tests.e2e.driving import answer_file_dialog, idle, trigger
from tests.fakes import make_raw, save

STEPS = [
    {"step_id": 0, "type": "thought", "content": "Look at the log of the node"},
    {"step_id": 1, "type": "tool_call", "content": "", "tool": {"name": "grep"}},
    {"step_id": 2, "type": "observation", "content": "one failure"},
    {"step_id": 3, "type": "tool_call", "content": "", "tool": {"name": "find"}},
]
RAW = make_raw(id="kp:trace:one", steps=STEPS, outcome={"result_summary": "", "confidence": 0.5})
RAW["metadata"] |= {"task_domain": "medical"}


def parts(window):
    view = window._score.what_if.view
    return view, {one: view.sliders._rows[one] for one in Dimension}


def outcome(window):
    return window._score.what_if._case.outcome


def press(button):
    assert button.isVisible() and button.isEnabled()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def select(window, number):
    """Go to a step, which has a tab of its own in a small window."""
    window._steps.select_step(window._current.record.trace.steps[number])
    window._score.show_step()
    return window._detail.what_if


def shown(part, name):
    buttons = part.findChildren(FlatButton)
    return [one for one in buttons if one.isVisible() and one.accessibleName() == name]


def what_if_tab(window):
    window._score.show_what_if()
    return window._score.what_if.view


def test_a_slider_is_moved_by_keys_until_the_trace_is_accepted(journey, tmp_path):
    def script(window):
        yield idle(window)
        assert window._current.state is State.REJECTED
        trigger(window, Command.WHAT_IF)
        view, rows = parts(window)
        slider = rows[Dimension.OUTCOME_CONFIDENCE].slider
        slider.setFocus()
        needed = window._score.what_if._case.needed[Dimension.OUTCOME_CONFIDENCE]
        while not outcome(window).then.score_passes:
            assert slider.value() < 1000
            QTest.keyClick(slider, Qt.Key.Key_Right)
        assert needed <= slider.value() / 1000 < needed + 0.01
        assert "Accepted" in view.cards.then.accessibleDescription()
        assert "Rejected" in view.cards.now.accessibleDescription()
        assert window._current.state is State.REJECTED  # the list is not touched
        trigger(window, Command.UNDO)
        assert window._what_if.scenario == Scenario()

    assert journey([save(tmp_path / "a.json", RAW)], script) == 0


def test_weights_of_ones_own_with_one_locked(journey, tmp_path):
    def script(window):
        yield idle(window)
        trigger(window, Command.WHAT_IF)
        view, _ = parts(window)
        weights = view.rules.weights
        press(weights.lock(Dimension.NOVELTY))
        field = weights.field(Dimension.COMPLEXITY)
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, "0.5")
        QTest.keyClick(field, Qt.Key.Key_Return)
        found = outcome(window).then.profile.weights
        assert (found.complexity, found.novelty) == (0.5, 0.2)
        shown = [float(weights.field(one).text()) for one in Dimension]
        assert round(sum(shown), 12) == 1.0
        rows = view.profiles.figures.rows
        assert len([row for row in rows if row.wish is not None]) == 6
        yield lambda: view.flips.of == 1 and "custom" in view.flips.by_profile

    assert journey([save(tmp_path / "a.json", RAW)], script) == 0


def test_steps_are_left_out_and_changed_then_undone_redone_and_reset(journey, tmp_path):
    def script(window):
        yield idle(window)
        trigger(window, Command.WHAT_IF)
        view, _ = parts(window)
        row = select(window, 3)
        press(row.leave_out)
        what_if_tab(window)
        without = outcome(window).then.score
        assert window._what_if.scenario.left_out == {3}
        row = select(window, 1)
        row.tool.edit.setFocus()
        row.tool.edit.selectAll()
        QTest.keyClicks(row.tool.edit, "find")
        what_if_tab(window)
        assert [line.text for line in view.trace._lines] == [
            "Step 1: grep \N{RIGHTWARDS ARROW} find",
            "Step 3: Tool call \N{RIGHTWARDS ARROW} left out",
        ]
        changed = outcome(window).then.score
        window._steps.tree.setFocus()
        QTest.keyClick(window._steps.tree, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert outcome(window).then.score == without
        trigger(window, Command.REDO)
        assert outcome(window).then.score == changed
        name = "Take back: Step 3: Tool call \N{RIGHTWARDS ARROW} left out"
        yield lambda: bool(shown(view.trace, name))
        press(shown(view.trace, name)[0])
        assert window._what_if.scenario.left_out == set()
        press(window._score.what_if.foot.reset)
        assert window._what_if.scenario == Scenario()
        assert outcome(window).then == outcome(window).now
        for _ in range(4):
            trigger(window, Command.UNDO)
        assert window._what_if.scenario == Scenario()
        assert not window._actions[Command.UNDO].isEnabled()

    assert journey([save(tmp_path / "a.json", RAW)], script) == 0


def test_novelty_is_held_until_it_is_measured_again(journey, tmp_path):
    other = make_raw(id="kp:trace:two", task={"objective": "Something else"})

    def script(window):
        yield idle(window)
        window._traces.set_current(window._session.documents[1].number)
        trigger(window, Command.WHAT_IF)
        view, _ = parts(window)
        press(select(window, 0).leave_out)
        what_if_tab(window)
        held = outcome(window).values.novelty
        assert held == outcome(window).now.contributions[1].value
        press(view.novelty.measure)
        yield idle(window)
        assert outcome(window).values.novelty != held
        assert "measured again" in view.novelty.text
        assert window._session.remembered.state.remembered == 2

    assert journey(["--fresh", save(tmp_path / "a.jsonl", other, RAW)], script) == 0


def test_a_saved_scenario_is_in_the_exported_report(journey, tmp_path):
    target = tmp_path / "report.json"
    scores = []

    def script(window):
        yield idle(window)
        trigger(window, Command.WHAT_IF)
        view, _ = parts(window)
        view.trace.confidence.setValue(0.95)
        view.rules.threshold.setValue(0.6)
        scores.append(outcome(window).then.score)
        press(window._score.what_if.foot.save)
        dialog = window.findChild(NameDialog)
        dialog.field.edit.selectAll()
        QTest.keyClicks(dialog.field.edit, "surer")
        QTest.keyClick(dialog.field.edit, Qt.Key.Key_Return)
        yield view.saved.isVisible
        trigger(window, Command.EXPORT)
        answer_file_dialog(window, target)
        yield target.exists

    assert journey([save(tmp_path / "a.json", RAW)], script) == 0
    (entry,) = json.loads(target.read_bytes())["traces"]
    (scenario,) = entry["scenarios"]
    assert scenario["name"] == "surer" and scenario["score"] == scores[0]
    assert scenario["changes"]["confidence"] == 0.95 and scenario["threshold"] == 0.6
    assert entry["score"] != scenario["score"] and entry["threshold"] == 0.75


def test_a_change_is_tried_from_why(journey, tmp_path):
    def script(window):
        yield idle(window)
        changes = window._score._why._changes
        wish = next(
            row.wish for row in changes.figures.rows if row.wish and row.wish.change.reaches
        )
        changes.setFocus()
        while changes.figures.rows[changes.currentIndex().row()].wish != wish:
            QTest.keyClick(changes, Qt.Key.Key_Down)
        QTest.keyClick(changes, Qt.Key.Key_Return)
        assert window._score.what_if_seen
        assert outcome(window).then.score == wish.change.after.score
        assert outcome(window).then.score_passes
        assert window._steps.what_if.isVisible()
        trigger(window, Command.UNDO)
        assert window._what_if.scenario == Scenario()

    assert journey([save(tmp_path / "a.json", RAW)], script) == 0


def test_a_file_that_changes_while_a_name_is_asked_for(journey, tmp_path):
    path = tmp_path / "a.json"
    other = [*STEPS[:2], {**STEPS[2], "content": "no failure"}, STEPS[3]]

    def script(window):
        yield idle(window)
        trigger(window, Command.WHAT_IF)
        press(select(window, 0).leave_out)
        trigger(window, Command.MEASURE_AGAIN)
        yield idle(window)
        tried = window._what_if.scenario
        assert tried.measured_novelty is not None
        trigger(window, Command.SAVE_SCENARIO)
        save(path, RAW | {"steps": other})
        window._session.reload()
        yield lambda: window._what_if.scenario == replace(tried, measured_novelty=None)
        window.findChild(NameDialog).save.click()
        (saved,) = window._current.scenarios
        assert saved.scenario == replace(tried, measured_novelty=None) and saved.loss.novelty

    assert journey([save(path, RAW)], script) == 0
