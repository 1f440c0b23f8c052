"""What was taken off the list comes back: in its place, with its score, what-ifs and selection."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.ui.actions.actions import Command
from tests.e2e.driving import focused, idle, names, press, trigger
from tests.fakes import make_raw, save

CTRL = Qt.KeyboardModifier.ControlModifier


def raw(name):
    return make_raw(id=name, task={"objective": name})


def in_list(window):
    model = window._traces.model
    return [model.entry(row).document.name for row in range(model.rowCount())]


def selected(window):
    return [one.name for one in window._traces.selected_documents()]


@pytest.fixture
def paths(tmp_path):
    return [
        save(tmp_path / "1.jsonl", raw("a"), raw("b"), raw("c")),
        save(tmp_path / "2.json", raw("d")),
        save(tmp_path / "3.json", raw("e")),
    ]


ALL = ["1 1", "1 2", "1 3", "2", "3"]


def test_rows_come_back_to_their_places_as_they_were(journey, paths):
    def script(window):
        yield idle(window)
        yield window.isActiveWindow
        before = window._session.documents
        window._traces.set_current(before[1].number)
        trigger(window, Command.WHAT_IF)
        window._score.what_if.view.rules.threshold.setValue(0.5)
        table = window._traces.table
        table.select([before[1].number, before[3].number])
        table.setFocus()
        press(Qt.Key.Key_Delete)
        assert names(window) == in_list(window) == ["1 1", "1 3", "3"]
        assert window._actions[Command.UNDO].text() == "&Undo: Remove 2 Traces"
        press(Qt.Key.Key_Z, CTRL)
        assert names(window) == in_list(window) == ALL
        assert selected(window) == ["1 2", "2"]
        assert window._current.name == "1 2"
        assert [one.measured for one in window._session.documents] == [
            one.measured for one in before
        ]
        assert window._what_if.scenario == Scenario(threshold=0.5)
        QTest.keySequence(focused(), window._actions[Command.REDO].shortcut())
        assert names(window) == ["1 1", "1 3", "3"]
        trigger(window, Command.RELOAD)
        yield idle(window)
        assert names(window) == ["1 1", "1 3", "3"]
        trigger(window, Command.UNDO_REMOVE)
        trigger(window, Command.RELOAD)
        yield idle(window)
        assert names(window) == in_list(window) == ALL
        assert window._session.state.open_paths == tuple(map(str, paths))

    assert journey(paths, script) == 0


def test_all_come_back_that_were_closed_and_are_watched_again(journey, paths):
    def script(window):
        yield idle(window)
        trigger(window, Command.CLOSE_ALL)
        assert window._start.isVisible() and names(window) == []
        save(paths[1], raw("changed"))
        trigger(window, Command.UNDO)
        assert names(window) == in_list(window) == ALL and window._traces.isVisible()
        assert selected(window) == ["1 1"]
        yield lambda: window._session.documents[3].record.trace.id == "changed"
        yield idle(window)
        assert all(one.measured for one in window._session.documents)
        assert sorted(window._session.state.open_paths) == sorted(map(str, paths))

    assert journey(paths, script) == 0


def test_undo_belongs_to_where_the_keys_are(journey, paths):
    def script(window):
        yield idle(window)
        yield window.isActiveWindow
        table, tree = window._traces.table, window._steps.tree
        table.setFocus()
        press(Qt.Key.Key_Delete)
        trigger(window, Command.WHAT_IF)
        window._score.what_if.view.rules.threshold.setValue(0.5)
        tree.setFocus()
        press(Qt.Key.Key_Z, CTRL)
        assert window._what_if.scenario == Scenario() and len(names(window)) == 4
        QTest.keySequence(focused(), window._actions[Command.REDO].shortcut())
        assert window._what_if.scenario == Scenario(threshold=0.5)
        table.setFocus()
        press(Qt.Key.Key_Z, CTRL)
        assert names(window) == ALL
        assert not window._actions[Command.UNDO_REMOVE].isEnabled()
        window._score.what_if.foot.undo.click()  # of the trace that is shown now
        window._traces.set_current(window._session.documents[1].number)
        assert window._what_if.scenario == Scenario(threshold=0.5)
        window._score.what_if.foot.undo.click()
        assert window._what_if.scenario == Scenario()

    assert journey(paths, script) == 0


def test_what_was_opened_again_meanwhile_does_not_stand_twice(journey, paths):
    def script(window):
        yield idle(window)
        trigger(window, Command.CLOSE_ALL)
        window._session.open([str(paths[0])])
        yield lambda: len(names(window)) == 3
        yield idle(window)
        trigger(window, Command.UNDO_REMOVE)
        yield idle(window)
        assert sorted(names(window)) == ALL == sorted(in_list(window))

    assert journey(paths, script) == 0


def test_what_still_waited_is_scored_when_it_comes_back(journey, paths):
    def script(window):
        yield lambda: len(names(window)) == len(ALL)
        trigger(window, Command.CLOSE_ALL)
        trigger(window, Command.UNDO)
        yield idle(window)
        assert names(window) == ALL
        assert all(one.measured for one in window._session.documents)

    assert journey(paths, script) == 0


def test_what_was_still_to_be_read_comes_back_as_well(journey, tmp_path):
    """Closed while the first of many files are there, all of them come back, once."""
    many = tmp_path / "many"
    many.mkdir()
    for number in range(60):
        save(many / f"{number:02}.json", raw(f"{number:02}"))
    expected = [f"{number:02}" for number in range(60)]

    def script(window):
        yield lambda: 0 < len(names(window)) < 60
        trigger(window, Command.CLOSE_ALL)
        assert names(window) == [] and window._session.state.open_paths == ()
        yield idle(window)
        assert names(window) == [] and window._messages.messages == ()
        trigger(window, Command.UNDO)
        yield idle(window)
        assert names(window) == in_list(window) == expected
        assert all(one.measured for one in window._session.documents)
        assert window._session.state.open_paths == (str(many),)
        trigger(window, Command.REDO)
        assert names(window) == []
        trigger(window, Command.UNDO)
        yield idle(window)
        assert names(window) == expected

    assert journey([many], script) == 0


def test_what_was_being_looked_up_comes_back_as_well(journey, paths, tmp_path):
    def script(window):
        yield idle(window)
        window._session.open([str(save(tmp_path / "4.json", raw("f")))])
        trigger(window, Command.CLOSE_ALL)
        yield idle(window)
        assert names(window) == []
        trigger(window, Command.UNDO)
        yield idle(window)
        assert names(window) == in_list(window) == [*ALL, "4"]

    assert journey(paths, script) == 0
