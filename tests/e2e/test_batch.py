"""All open traces together, as a user comes to them: summary, map, groups and plan."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QMenu,
    QPushButton,
    QTabBar,
    QTableView,
    QWidget,
)

from kpinspector.batch.child import Child
from kpinspector.ui.batch.similarity_map import SimilarityMap
from tests import user
from tests.e2e.test_plan_command import asked, texts
from tests.fakes import make_raw, save
from tests.sessions import write_sessions

ROOT = Path(__file__).parents[2]
FRESH = ("--fresh",)


@pytest.fixture
def some(tmp_path):
    """Six traces, of which two have the same text and one fails."""
    low = make_raw(id="kp:trace:low", task={"objective": "A task that comes to nothing"})
    return save(tmp_path / "some.jsonl", *texts("bread", "bread2", "stars", "ships"), low)


def is_whole(window):
    """Everything is found."""

    def found():
        working = user.is_seen(window, QAbstractButton, "Stop comparing and planning")
        return user.can_choose(window, "File", "Save the Plan…") and not working

    return found


def is_batch(window):
    return user.is_seen(window, QWidget, "Batch")


def come(*arguments):
    """A window that shows the page of all traces."""
    window = yield from user.opened(*arguments, wide=True)
    user.trigger(window, "show_batch")
    yield is_whole(window)
    return window


def chosen(window):
    """The names of the chosen traces in their order."""
    return [row[2] for row in user.table(window, "Chosen")]


def row_of(window, name, text):
    """The table of that name, at the row that says something."""
    view = user.find(window, QTableView, name)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Home)
    user.go_down_to(view, text)
    return view


@pytest.mark.slow
def test_the_answer_and_the_way_there_and_back(some):
    window = yield from come(*FRESH, some)
    assert user.reads(window, "traces pass in file order, 3 in the planned order")()
    assert not user.is_seen(window, QTabBar, "Score")
    checked = [one for one in user.menu_of(window, "View").actions() if one.isChecked()]
    assert "Batch" in [user.words(one.text()) for one in checked]
    user.go_to_row(window, "some 3")
    yield lambda: not is_batch(window)
    assert user.is_seen(window, QTabBar, "Score") and user.steps(window).isVisible()
    user.choose_menu(window, "View", "Batch")
    user.choose_menu(window, "View", "Batch")
    assert not is_batch(window)
    user.choose_menu(window, "View", "Batch")
    user.go_to_row(window, "some 1")
    assert not is_batch(window)
    user.go_to_row(window, "some 1", Qt.KeyboardModifier.ControlModifier)
    assert user.selected_names(window) == [] and not is_batch(window)
    user.choose_menu(window, "View", "Batch")
    QTest.keyClick(row_of(window, "Chosen", "some 4"), user.RETURN)
    yield lambda: user.current_name(window) == "some 4" and not is_batch(window)
    for command in ("why", "find", "what_if", "compare"):
        user.go_to_row(window, "some 2")
        user.choose_menu(window, "View", "Batch")
        assert is_batch(window)
        user.trigger(window, command)
        yield lambda: not is_batch(window)


@pytest.mark.slow
def test_several_rows_have_a_page_of_their_own(some):
    window = yield from user.opened(*FRESH, some, wide=True)
    user.select(window, "some 1", "some 3")
    assert user.reads(window, "2 rows chosen")() and user.reads(window, "2 accepted")()
    assert not is_batch(window) and not user.is_seen(window, QTabBar, "Score")
    assert [row[-1] for row in user.table(window, "Chosen traces")] == ["some 1", "some 3"]
    user.press(user.find(window, QWidget, "Rows chosen"), "Compare")
    yield lambda: user.is_seen(window, QWidget, "Steps side by side")
    user.choose_menu(window, "Compare", "Close Comparison")
    user.select(window, "some 1", "some 3", "some 5")
    assert user.reads(window, "3 rows chosen")()
    assert user.reads(window, "2 accepted, 1 rejected")()
    view = user.find(window, QTableView, "Chosen traces")
    assert not user.is_seen(view.window(), QPushButton, "Compare")
    view.setFocus()
    user.go_down_to(view, "some 5")
    QTest.keyClick(view, user.RETURN)
    yield lambda: user.selected_names(window) == ["some 5"]
    assert user.is_seen(window, QTabBar, "Score")
    user.select(window, "some 1", "some 2")
    user.press(user.find(window, QWidget, "Rows chosen"), "Show Batch")
    yield lambda: is_batch(window)


@pytest.mark.slow
def test_what_is_chosen_on_a_sheet_filters_the_list(some):
    window = yield from come(*FRESH, some)
    view = row_of(window, "What they need to pass", "Accepted")
    QTest.keyClick(view, user.RETURN)
    yield lambda: user.filter_field(window).text() == "needs:accepted"
    accepted = [row["State"] for row in user.trace_rows(window)]
    assert accepted and set(accepted) == {"accepted"}
    assert is_batch(window)
    (counted,) = [row for row in user.table(window, "What they need to pass") if "Accepted" in row]
    assert counted[-1] == str(len(accepted))
    user.show_all(window)
    assert is_batch(window)
    view = row_of(window, "What would help most", "recovery")
    QTest.keyClick(view, user.RETURN)
    yield lambda: user.filter_field(window).text() == "helps:recoveries_1"
    (lever,) = [row for row in user.table(window, "What would help most") if "recovery" in row[1]]
    assert lever[-1] == str(user.row_count(window)) != "0"
    assert {row["State"] for row in user.trace_rows(window)} == {"rejected"}
    user.show_all(window)
    groups = row_of(window, "Groups", "Alone")
    QTest.keyClick(groups, Qt.Key.Key_Right)
    QTest.keyClick(groups, Qt.Key.Key_Down)
    yield lambda: user.filter_field(window).text() == "group:alone"
    name, *_ = user.cells(groups, groups.currentIndex().row())[0].split(",")
    assert name in user.row_names(window)
    assert groups.selectionModel().hasSelection() and is_batch(window)


@pytest.mark.slow
def test_a_group_narrows_what_the_filter_keeps(some):
    window = yield from come(*FRESH, some)
    every = user.row_count(window)
    user.filter_field(window).setText("state:accepted")
    groups = row_of(window, "Groups", "some 1")
    QTest.keyClick(groups, Qt.Key.Key_Space)
    yield lambda: user.filter_field(window).text() == "state:accepted group:1"
    assert user.row_count(window) < every
    user.filter_field(window).setText("some")
    assert not groups.selectionModel().hasSelection()
    user.filter_field(window).setText("some group:1")
    assert groups.selectionModel().hasSelection()
    user.set_number(window, "Threshold", 0.3)
    assert not user.can_choose(window, "File", "Export Summary…")  # it is of the other one
    yield is_whole(window)
    assert groups.selectionModel().hasSelection()
    QTest.keyClick(groups, Qt.Key.Key_Escape)
    assert user.filter_field(window).text() == "some"
    assert is_batch(window)


@pytest.mark.slow
def test_what_is_saved_is_accepted_whole_with_the_scores_that_are_shown(
    some, tmp_path, run, data_dir
):
    out, shown = tmp_path / "plan.jsonl", []
    window = yield from come(some)
    shown.extend((row[2], row[3]) for row in user.table(window, "Chosen"))
    user.press(window, "Save the Plan…")
    assert "Nothing Masked" in user.file_dialog(window).windowTitle()
    yield from user.save_as(window, out)
    yield user.reads(window, "plan.jsonl was written.")
    yield user.CLOSED
    report = run("score", out, "--fresh", "--json", status=0).json
    names = {f"some {number}": raw["id"] for number, raw in enumerate(lines(some), 1)}
    assert [one["id"] for one in report["traces"]] == [names[name] for name, _ in shown]
    assert [f"{one['score']:.4f}" for one in report["traces"]] == [score for _, score in shown]
    _, plan_ = asked(run, "plan", some, "--guest")
    assert plan_["count"] == len(shown)


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
def test_the_summary_is_exported(some, tmp_path):
    begins = {".html": "<!doctype html>", ".json": "{", ".txt": ""}
    window = yield from come(*FRESH, some)
    for suffix in begins:
        out = tmp_path / f"summary{suffix}"
        user.choose_menu(window, "File", "Export Summary…")
        yield from user.save_as(window, out)
    for suffix, begin in begins.items():
        text = (tmp_path / f"summary{suffix}").read_text(encoding="utf-8")
        assert text.lower().startswith(begin)
        assert "accepted" in text
        assert suffix != ".json" or json.loads(text)["format"] == "kpinspector-summary"


@pytest.mark.slow
def test_traces_are_kept_and_left_out(some):
    window = yield from come(*FRESH, some)
    before = chosen(window)
    (bread,) = {"some 1", "some 2"} & {*before}
    (other,) = {"some 1", "some 2"} - {bread}
    view = row_of(window, "Chosen", "some 3")
    QTest.keyClick(view, Qt.Key.Key_Minus)
    assert not user.can_choose(window, "File", "Save the Plan…")  # it is still in it
    yield lambda: "some 3" not in chosen(window) and is_whole(window)()
    assert any("left out as asked" in row for row in user.table(window, "Left out"))
    view = row_of(window, "Left out", "some 3")
    QTest.keyClick(view, Qt.Key.Key_Minus)
    yield lambda: "some 3" in chosen(window)
    view = row_of(window, "Left out", "some 5")
    QTest.keyClick(view, Qt.Key.Key_Plus)
    yield user.reads(window, "is to be kept, but in no order is it accepted")
    yield is_whole(window)
    view = row_of(window, "Left out", other)
    menu = user.context_menu(view)
    assert isinstance(menu, QMenu)
    user.choose(menu, "Keep")
    yield lambda: other in chosen(window) and is_whole(window)()
    assert bread not in chosen(window)
    assert any("kept" in row for row in user.table(window, "Chosen"))


@pytest.mark.slow
def test_the_pair_of_the_map_is_selected_and_planned(some):
    def menu_of_pair(window):
        found = user.find(window, SimilarityMap, "Similarity map")
        found.setFocus()
        yield found.hasFocus
        for key in (Qt.Key.Key_Home, Qt.Key.Key_Right):
            QTest.keyClick(found, key)
        QTest.keyClick(found, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        yield lambda: isinstance(QApplication.activePopupWidget(), QMenu)
        return QApplication.activePopupWidget()

    window = yield from come(*FRESH, some)
    user.write(user.filter_field(window), "leaks:nothing-of-the-kind")
    user.choose((yield from menu_of_pair(window)), "Select Both")
    yield lambda: len(user.selected_names(window)) == 2 and is_batch(window)
    name = next(one for one in user.selected_names(window) if one in chosen(window))
    user.choose((yield from menu_of_pair(window)), f"Leave {name} out of the Plan")
    yield lambda: name not in chosen(window) and is_whole(window)()
    user.choose((yield from menu_of_pair(window)), f"Keep {name} in the Plan")
    yield lambda: name in chosen(window) and is_whole(window)()
    assert is_batch(window) and len(user.selected_names(window)) == 2


@pytest.mark.slow
def test_one_sheet_at_a_time_in_a_narrow_window(some):
    window = yield from come(*FRESH, some)
    for size in ((1200, 760), (1366, 768), (1000, 700)):  # four would be cut at 1200
        window.resize(*size)
        tabs = size != (1366, 768)
        yield lambda tabs=tabs: user.is_seen(window, QTabBar, "Sheets of the batch") is tabs
    for sheet in ("Summary", "Map", "Groups", "Plan"):
        user.go_to_tab(window, "Sheets of the batch", sheet)
        seen = {one.accessibleName() for one in user.seen(window, QWidget)}
        assert {"Summary", "Map", "Groups", "Plan"} & seen >= {sheet}
        tables = {"What they need to pass", "Chosen"} & seen
        assert tables == {"Summary": {"What they need to pass"}, "Plan": {"Chosen"}}.get(
            sheet, set()
        )
    assert user.find(window, QAbstractButton, "Save the Plan…").isEnabled()


@pytest.mark.slow
def test_every_sheet_is_a_pane_for_the_keys_and_has_its_menu(some):
    window = yield from come(*FRESH, some)
    user.trace_list(window).setFocus()
    places = []
    for _ in range(8):
        user.press_key(Qt.Key.Key_F6)
        places.append(user.place_of(user.focused()))
    for name in ("Answer for all traces", "Summary", "Map", "Groups", "Plan"):
        assert any(name in place for place in places), (name, places)
    tables = [(QTableView, one) for one in ("Pairs of the trace", "Chosen", "Left out")]
    for kind, name in ((SimilarityMap, "Similarity map"), *tables):
        if name == "Pairs of the trace":
            user.press(window, "Table")
        view = user.find(window, kind, name)
        view.setFocus()
        if kind is QTableView:
            QTest.keyClick(view, Qt.Key.Key_Down)
        QTest.keyClick(view, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu) and menu.actions(), name
        user.escape(menu)


@pytest.mark.slow
def test_a_recording_without_an_outcome_is_not_written(tmp_path):
    out = tmp_path / "plan.jsonl"
    folder = write_sessions(tmp_path / "projects", 2)
    window = yield from user.opened(*FRESH, folder, wide=True)
    user.trigger(window, "show_batch")
    user.set_number(window, "Threshold", 0)
    yield is_whole(window)
    assert user.reads(window, "of 2 it is not known how they ended")()
    user.choose_menu(window, "File", "Save the Plan…")
    yield from user.save_as(window, out, "The plan was not written")
    yield user.CLOSED
    assert not out.exists()


def test_the_window_closes_while_the_plan_is_found(own_process, some, monkeypatch):
    children, begin = [], Child.__init__

    def note(child, *arguments, **options):
        begin(child, *arguments, **options)
        children.append(child)

    monkeypatch.setattr(Child, "__init__", note)
    window = yield from user.opened(*FRESH, some)
    user.choose_menu(window, "View", "Batch")
    assert user.reads(window, "Not summed up yet.")()
    yield lambda: bool(children)
    yield user.CLOSED
    assert all(child.done for child in children)


@pytest.mark.slow
def test_the_solvers_are_loaded_in_other_processes_only(some, tmp_path):
    """The window of the program itself, without what other tests have loaded."""
    code = f"""
import sys
from PySide6.QtWidgets import QApplication
from kpinspector.__main__ import main
from tests.e2e.conftest import Driver
from tests.e2e.test_batch import come, chosen
import kpinspector.ui.window_session as window_session
from tests.fakes import FakeEmbedder

def script():
    window = yield from come()
    assert len(chosen(window)) == 3, (chosen(window), window.size())
    assert not [one for one in sys.modules if one.partition(".")[0] == "scipy"]

if __name__ == "__main__":
    app = QApplication([])
    window_session.MiniLM = FakeEmbedder
    steps = script()
    next(steps)
    driver = Driver(steps)
    status = main(["--fresh", "--data-dir", {str(tmp_path / "data")!r}, {str(some)!r}])
    driver.stop()
    sys.exit(status)
"""
    path = tmp_path / "window.py"
    path.write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"},
    )
    assert done.returncode == 0, done.stderr
