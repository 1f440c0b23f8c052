"""What everybody does first, with real dialogs: open, choose, look at the neighbours."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFileDialog,
    QMainWindow,
    QTabBar,
    QTableView,
    QWidget,
)

from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.ui.window_session import WindowSession
from tests import user
from tests.fakes import make_raw, save
from tests.known import present
from tests.user import drop


def trace(name, *contents):
    steps = [{"step_id": n, "type": "thought", "content": one} for n, one in enumerate(contents)]
    changes = {"steps": steps} if steps else {}
    return make_raw(id=f"kp:trace:{name}", task={"objective": f"Objective {name}"}, **changes)


@pytest.fixture
def runs(tmp_path):
    """A folder with two traces."""
    folder = tmp_path / "runs"
    folder.mkdir()
    save(folder / "one.json", trace("one"))
    save(folder / "two.json", trace("two"))
    return folder


def scored(window, count):
    """All rows are there, and nothing is left to do."""
    return lambda: user.row_count(window) == count and not user.can_choose(window, "Score", "Stop")


def test_a_click_that_waited_while_the_panes_were_made_finds_its_row(monkeypatch):
    go_on = WindowSession.open

    def look_at_the_click(session, paths):
        (window,) = (one for one in QApplication.topLevelWidgets() if isinstance(one, QMainWindow))
        rows = window.findChildren(QAbstractButton)
        row = next(one for one in rows if one.accessibleName() == "A trace that passes")
        place = row.mapTo(window, row.rect().center())
        under = present(window.childAt(place))
        QTest.mouseClick(under, Qt.MouseButton.LeftButton, pos=under.mapFrom(window, place))
        go_on(session, paths)

    monkeypatch.setattr(WindowSession, "open", look_at_the_click)
    window = yield user.Main(embedder=MiniLM())
    yield scored(window, 1)


def test_several_files_are_opened_by_their_names(runs):
    window = yield user.Main()
    yield user.reads(window, "Open…")
    user.press(window, "Open…")
    user.file_dialog(window).setDirectory(str(runs))
    yield from user.name_file(window, '"two.json" "one.json"')
    yield scored(window, 2)


def test_a_dialog_that_is_left_opens_nothing_and_else_a_file_or_a_folder(runs):
    window = yield user.Main()
    for line in ("Open…", "Open Folder…"):
        user.choose_menu(window, "File", line)
        dialog = user.file_dialog(window)
        dialog.setDirectory(str(runs))
        user.press(dialog, "Cancel")
        yield lambda: user.over(window) == []
        user.choose_menu(window, "File", line)
        user.escape(user.file_dialog(window))
        yield lambda: user.over(window) == []
    assert user.row_count(window) == 0
    user.choose_menu(window, "File", "Open…")
    yield from user.name_file(window, runs / "two.json")
    yield scored(window, 1)
    assert user.current_name(window) == "two"
    assert user.over(window) == []
    user.choose_menu(window, "File", "Open Folder…")
    yield from user.name_file(window, runs)
    yield scored(window, 2)
    assert sorted(user.row_names(window)) == ["one", "two"]


@pytest.mark.slow
def test_dialogs_start_where_one_was_last(runs, tmp_path):
    """Those that open where something was opened, those that save where something was saved.

    Where nothing was saved yet, those start where something was opened.
    """
    kept = tmp_path / "kept"
    kept.mkdir()

    def starts(window, line):
        user.choose_menu(window, "File", line)
        dialog = user.file_dialog(window)
        place = Path(dialog.directory().absolutePath())
        user.press(dialog, "Cancel")
        yield lambda: user.over(window) == []
        return place

    window = yield user.Main()
    user.choose_menu(window, "File", "Open…")
    assert "*.db" in user.file_dialog(window).selectedNameFilter()  # sessions in SQLite
    yield from user.name_file(window, runs / "two.json")
    yield scored(window, 1)
    QFileDialog().setDirectoryUrl(QUrl.fromLocalFile(kept))  # where Qt was last
    assert (yield from starts(window, "Export Report…")) == runs
    assert (yield from starts(window, "Open Folder…")) == runs
    user.choose_menu(window, "File", "Export Report…")
    yield from user.name_file(window, kept / "report.json")
    yield (kept / "report.json").exists
    assert (yield from starts(window, "Export List as CSV…")) == kept
    assert (yield from starts(window, "Open…")) == runs
    window = yield user.Main()
    yield scored(window, 1)
    for line in ("Export Report…", "Export Explanation as HTML…"):
        assert (yield from starts(window, line)) == kept
    assert (yield from starts(window, "Open…")) == runs
    user.choose_menu(window, "File", "Open Folder…")
    yield from user.name_file(window, runs)
    yield scored(window, 2)
    window = yield user.Main()
    yield scored(window, 2)
    for line in ("Open…", "Open Folder…"):
        assert (yield from starts(window, line)) == tmp_path
    (kept / "report.json").unlink()
    kept.rmdir()
    place = yield from starts(window, "Export Report…")
    assert place.is_dir() and place != kept


def test_what_is_exported_is_written_where_it_was_typed(runs, tmp_path):
    exports = {
        "Export Report…": "a.json",
        "Export Report on Selected Traces…": "b.json",
        "Export List as CSV…": "c.csv",
        "Export Explanation as Markdown…": "d.md",
        "Export Explanation as HTML…": "e.html",
    }
    window = yield user.Main(runs / "one.json")
    yield scored(window, 1)
    for line, name in exports.items():
        target = tmp_path / name
        user.choose_menu(window, "File", line)
        dialog = user.file_dialog(window)
        assert Path(dialog.selectedFiles()[0]).suffix == target.suffix
        user.press(dialog, "Cancel")
        yield lambda: user.over(window) == []
        user.choose_menu(window, "File", line)
        yield from user.name_file(window, target.with_suffix(""))
        yield target.exists
        yield user.reads(window, f"{name} was written")
        assert target.stat().st_size > 100


def test_pasting_from_a_clipboard_that_nobody_has_filled(monkeypatch):
    monkeypatch.setattr(type(QGuiApplication.clipboard()), "mimeData", lambda *_: None)
    window = yield user.Main()
    user.choose_menu(window, "File", "Paste as Trace")
    yield user.reads(window, "There is nothing on the clipboard")


def test_what_was_refused_is_forgotten_once_it_succeeds(runs):
    refused = "Only files, folders and JSON text can be opened"
    window = yield user.Main()
    QGuiApplication.clipboard().setText("no trace")
    user.choose_menu(window, "File", "Paste as Trace")
    yield user.reads(window, refused)
    user.choose_menu(window, "File", "Paste as Trace")
    yield lambda: list(user.texts(window)).count(refused) in {1, 2}  # row and sentence: one row
    QGuiApplication.clipboard().setText(json.dumps(trace("pasted")))
    user.choose_menu(window, "File", "Paste as Trace")
    yield scored(window, 1)
    assert refused not in set(user.texts(window))


def test_what_was_opened_dropped_or_pasted_last_is_looked_at(runs, tmp_path):
    third = save(tmp_path / "third.jsonl", trace("3a"), trace("3b"))
    window = yield user.Main(runs / "one.json")
    yield scored(window, 1)
    user.choose_menu(window, "File", "Open…")
    yield from user.name_file(window, runs / "two.json")
    yield scored(window, 2)
    assert user.current_name(window) == "two"
    drop(window, third)
    yield scored(window, 4)
    assert user.current_name(window) == "third 1"
    drop(window, runs / "one.json")  # it is open: read again, and looked at
    yield lambda: user.current_name(window) == "one"
    assert user.row_count(window) == 4
    QGuiApplication.clipboard().setText(json.dumps(trace("pasted")))
    user.choose_menu(window, "File", "Paste as Trace")
    yield scored(window, 5)
    assert user.current_name(window) == "(pasted)"
    user.go_to_row(window, "two")
    user.choose_menu(window, "File", "Reload")
    yield scored(window, 5)
    assert user.current_name(window) == "two"


def test_what_was_opened_is_looked_at_though_a_filter_hides_it(runs):
    window = yield user.Main(runs / "one.json")
    yield scored(window, 1)
    QTest.keyClicks(user.filter_field(window), "one")
    drop(window, runs / "two.json")
    yield scored(window, 2)
    assert user.current_name(window) == "two" and user.filter_field(window).text() == ""


class Watch(QObject):
    """Notes whether the start page comes up, and what is read when a window is painted first."""

    def __init__(self):
        super().__init__()
        self.first, self.start_page = None, False

    def eventFilter(self, watched, event):  # noqa: N802
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            self.start_page |= watched.accessibleName() == "Start"
        is_paint = event.type() == QEvent.Type.Paint and isinstance(watched, QMainWindow)
        if is_paint and self.first is None:
            self.first = list(user.texts(watched))
        return False


@pytest.fixture
def watch(qapp):
    made = Watch()
    qapp.installEventFilter(made)
    yield made
    qapp.removeEventFilter(made)


@pytest.mark.slow
def test_what_is_given_with_the_start_is_read_without_the_start_page(runs, watch):
    window = yield user.Main(runs)
    yield scored(window, 2)
    assert "Reading…" in watch.first and not watch.start_page
    watch.first = None
    window = yield user.Main()  # what was open is open again
    yield scored(window, 2)
    assert "Reading…" in watch.first and not watch.start_page


def test_where_nothing_comes_of_it_the_start_page_comes(tmp_path, watch):
    empty = tmp_path / "empty"
    empty.mkdir()
    window = yield user.Main(empty)
    yield user.reads(window, "Start")
    yield lambda: "Reading…" not in user.texts(window)
    assert "Reading…" in watch.first and watch.start_page
    watch.first = None
    window = yield user.Main("--fresh")
    yield user.reads(window, "Start")
    yield lambda: "Reading…" not in user.texts(window)
    assert "Reading…" in watch.first  # the folder is open, though there is nothing in it


@pytest.mark.slow
def test_the_neighbours_stay_while_one_goes_through_the_list(tmp_path):
    raws = [trace(str(n), f"common words and number {n}", "the end") for n in range(12)]
    path = save(tmp_path / "a.jsonl", *raws)
    window = yield user.Main(path, embedder=MiniLM())
    yield scored(window, 12)
    user.go_to_row(window, "a 2")
    tabs = next(one for one in user.seen(window, QTabBar) if one.accessibleName() == "Score")
    tab = next(n for n in range(tabs.count()) if tabs.tabText(n) == "Neighbours")
    QTest.mouseClick(tabs, user.LEFT, pos=tabs.tabRect(tab).center())
    for number in range(3, 13):
        QTest.keyClick(user.trace_list(window), Qt.Key.Key_Down)
        assert user.current_name(window) == f"a {number}"
        table = user.find(window, QTableView, "Nearest remembered traces")
        assert table.model().rowCount() == min(number - 1, 6)
        assert table.height() > 0
