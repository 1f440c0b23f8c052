"""What was taken off the list comes back: in its place, with its score, what-ifs and selection."""

import threading

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QWidget

from kpinspector.app.state import load_state
from kpinspector.ui.actions.table import Command
from tests import user
from tests.fakes import FakeEmbedder, make_raw, save
from tests.user import drop, focused, idle, press_key, row_names, trigger

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier


def raw(name):
    return make_raw(id=name, task={"objective": name})


def try_threshold(window):
    trigger(window, Command.WHAT_IF)
    user.set_number(window, "Threshold in what-if", 0.5)


def threshold(window):
    """The one that is tried."""
    return user.number_in(window, "Threshold in what-if")


def opens_again(data_dir, *paths):
    """These are what the next start would open."""
    return lambda: load_state(data_dir).open_paths == paths


@pytest.fixture
def paths(tmp_path):
    return [
        save(tmp_path / "1.jsonl", raw("a"), raw("b"), raw("c")),
        save(tmp_path / "2.json", raw("d")),
        save(tmp_path / "3.json", raw("e")),
    ]


ALL = ["1 1", "1 2", "1 3", "2", "3"]


@pytest.mark.slow
def test_rows_come_back_to_their_places_as_they_were(paths, data_dir):
    embedder = FakeEmbedder()
    window = yield from user.opened(*paths, embedder=embedder)
    yield window.isActiveWindow
    before, embedded = user.trace_rows(window), embedder.embedded
    user.go_to_row(window, "1 2")
    try_threshold(window)
    user.select(window, "2", "1 2")
    user.trace_list(window).setFocus()
    press_key(Qt.Key.Key_Delete)
    assert row_names(window) == ["1 1", "1 3", "3"]
    assert user.action(window, Command.UNDO).text() == "&Undo: Remove 2 Traces"
    press_key(Qt.Key.Key_Z, CTRL)
    assert user.trace_rows(window) == before and row_names(window) == ALL
    assert user.selected_names(window) == ["1 2", "2"]
    assert user.current_name(window) == "1 2"
    trigger(window, Command.WHAT_IF)
    assert threshold(window) == 0.5 and embedder.embedded == embedded
    QTest.keySequence(focused(), user.action(window, Command.REDO).shortcut())
    assert row_names(window) == ["1 1", "1 3", "3"]
    trigger(window, Command.RELOAD)
    yield idle(window)
    assert row_names(window) == ["1 1", "1 3", "3"]
    user.trace_list(window).setFocus()
    trigger(window, Command.UNDO)
    trigger(window, Command.RELOAD)
    yield idle(window)
    assert row_names(window) == ALL
    yield opens_again(data_dir, *map(str, paths))


@pytest.mark.slow
def test_all_come_back_that_were_closed_and_are_watched_again(paths, data_dir):
    window = yield from user.opened(*paths)
    trigger(window, Command.CLOSE_ALL)
    assert user.is_seen(window, QWidget, "Start") and row_names(window) == []
    save(paths[1], raw("changed"))
    trigger(window, Command.UNDO)
    assert row_names(window) == ALL and user.trace_list(window).isVisible()
    assert user.selected_names(window) == ["1 1"]
    yield lambda: user.trace_row(window, "2")["Objective"] == "changed"
    yield idle(window)
    assert user.all_scored(window)
    yield opens_again(data_dir, *map(str, paths))


def test_undo_belongs_to_where_the_keys_are(paths):
    window = yield from user.opened(*paths)
    yield window.isActiveWindow
    table, tree = user.trace_list(window), user.steps(window)
    table.setFocus()
    press_key(Qt.Key.Key_Delete)
    try_threshold(window)
    tree.setFocus()
    press_key(Qt.Key.Key_Z, CTRL)
    assert threshold(window) == 0.75 and len(row_names(window)) == 4
    QTest.keySequence(focused(), user.action(window, Command.REDO).shortcut())
    assert threshold(window) == 0.5
    table.setFocus()
    press_key(Qt.Key.Key_Z, CTRL)
    assert row_names(window) == ALL
    user.go_to_row(window, "1 2")
    assert threshold(window) == 0.5
    user.press(window, "Undo: Threshold")  # of the trace that is shown now
    assert threshold(window) == 0.75
    try_threshold(window)
    before = user.trace_rows(window)
    user.choose_in(window, "Profile", "finance")
    user.find(window, QComboBox, "Profile").setFocus()
    press_key(Qt.Key.Key_Z, CTRL)
    assert user.trace_rows(window) == before and threshold(window) == 0.5


def test_a_dragged_threshold_is_one_step_of_undo(paths):
    window = yield from user.opened(*paths, wide=True)
    histogram, before = user.find(window, QWidget, "Scores"), user.trace_rows(window)

    def drag(start, *stops):
        side, middle = 12, histogram.height() // 2  # of the room beside the columns
        wide = histogram.width() - 2 * side
        places = [QPoint(side + round(wide * one), middle) for one in (start, *stops)]
        QTest.mousePress(histogram, LEFT, pos=places[0])
        for place in places:
            QTest.mouseMove(histogram, place)
        QTest.mouseRelease(histogram, LEFT, pos=places[-1])

    def shown():
        return user.number_in(window, "Threshold")

    drag(0.75, 0.6, 0.4, 0.2)
    low = shown()
    assert low < 0.25 and user.trace_rows(window) != before
    drag(low, 0.5, 0.95)
    assert shown() > 0.9
    for way, there in (("Undo", low), ("Undo", 0.75), ("Redo", low), ("Undo", 0.75)):
        user.choose_menu(window, "Edit", f"{way}: Threshold")
        assert shown() == there
    assert user.trace_rows(window) == before and not user.can_choose(window, "Edit", "Undo")
    user.set_number(window, "Threshold", 0.3)  # typed
    user.choose_in(window, "Profile", "finance")
    user.choose_menu(window, "Edit", "Undo: Profile")
    assert shown() == 0.3
    user.choose_menu(window, "Edit", "Undo: Threshold")
    assert shown() == 0.75 and user.trace_rows(window) == before


@pytest.mark.slow
def test_what_was_opened_again_meanwhile_does_not_stand_twice(paths):
    window = yield from user.opened(*paths)
    trigger(window, Command.CLOSE_ALL)
    drop(window, paths[0])
    yield lambda: len(row_names(window)) == 3
    yield idle(window)
    trigger(window, Command.UNDO)
    yield idle(window)
    assert sorted(row_names(window)) == ALL


def test_what_still_waited_is_scored_when_it_comes_back(paths):
    window = yield user.Main(*paths)
    yield lambda: len(row_names(window)) == len(ALL)
    trigger(window, Command.CLOSE_ALL)
    trigger(window, Command.UNDO)
    yield idle(window)
    assert row_names(window) == ALL
    assert user.all_scored(window)


@pytest.mark.slow
def test_what_was_still_to_be_read_comes_back_as_well(tmp_path, data_dir):
    """Closed while the first of many files are there, all of them come back, once."""
    many = tmp_path / "many"
    many.mkdir()
    for number in range(60):
        save(many / f"{number:02}.json", raw(f"{number:02}"))
    expected = [f"{number:02}" for number in range(60)]
    window = yield user.Main(many)
    yield lambda: 0 < len(row_names(window)) < 60
    trigger(window, Command.CLOSE_ALL)
    assert row_names(window) == []
    yield idle(window)
    yield opens_again(data_dir)
    assert row_names(window) == [] and user.messages(window) == []
    trigger(window, Command.UNDO)
    yield idle(window)
    assert row_names(window) == expected
    assert user.all_scored(window)
    yield opens_again(data_dir, str(many))
    trigger(window, Command.REDO)
    assert row_names(window) == []
    trigger(window, Command.UNDO)
    yield idle(window)
    assert row_names(window) == expected


def test_what_was_being_looked_up_comes_back_as_well(paths, tmp_path):
    window = yield from user.opened(*paths)
    drop(window, save(tmp_path / "4.json", raw("f")))
    trigger(window, Command.CLOSE_ALL)
    yield idle(window)
    assert row_names(window) == []
    trigger(window, Command.UNDO)
    yield idle(window)
    assert row_names(window) == [*ALL, "4"]


class Doors(FakeEmbedder):
    """Embeds the texts of these names only when their doors are open."""

    def __init__(self, *names):
        super().__init__()
        self.doors = {name: threading.Event() for name in names}
        self._names = {}

    def window(self, text):
        window = super().window(text)
        self._names[window.digest] = text.split()[0]
        return window

    def embed(self, window):
        door = self.doors.get(self._names[window.digest])
        assert door is None or door.wait(60)
        return super().embed(window)


def test_a_row_that_was_passed_over_is_scored_when_it_comes_back(paths):
    embedder = Doors("a", "c")
    window = yield user.Main(*paths[:1], embedder=embedder)
    yield lambda: row_names(window) == ["1 1", "1 2", "1 3"]
    user.go_to_row(window, "1 2")
    trigger(window, Command.REMOVE)
    embedder.doors["a"].set()
    yield lambda: user.scored_names(window) == ["1 1"]
    trigger(window, Command.UNDO)
    assert row_names(window) == ["1 1", "1 2", "1 3"]
    embedder.doors["c"].set()
    yield idle(window)
    assert user.scored_names(window) == ["1 1", "1 2", "1 3"]
