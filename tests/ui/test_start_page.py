"""The page before anything is open: every wish is a signal, all of it is reached by keys."""

from dataclasses import replace
from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QLabel

from kpinspector.app.engine import MemoryState
from kpinspector.app.state import RecentPath
from kpinspector.errors import ModelError
from kpinspector.settings import Mode
from kpinspector.ui.controls.base import PushButton
from kpinspector.ui.controls.two_line_rows import TwoLineButton, TwoLineFact
from kpinspector.ui.start.start_page import StartDo, StartPage, StartWish
from tests import user

READY = MemoryState(Mode.REMEMBER, 3, "a" * 64, None, ())
RECENT = (
    RecentPath("/a/runs", is_folder=True, note="6 of 40 pass"),
    RecentPath("/b/gone.json", is_missing=True),
)


@pytest.fixture
def page(qtbot):
    made = StartPage()
    qtbot.addWidget(made)
    made.set_recent(RECENT)
    made.set_memory(READY)
    made.resize(1100, 760)
    with qtbot.waitExposed(made):
        made.show()
    return made


def named(page, text):
    return next(
        b for b in page.findChildren(QAbstractButton) if b.text() == text and not b.isHidden()
    )


@pytest.mark.parametrize(
    ("text", "do"),
    [
        ("Open…", StartDo.ASK_FILES),
        ("Open Folder…", StartDo.ASK_FOLDER),
        ("Paste", StartDo.PASTE),
        ("Clear", StartDo.CLEAR_RECENT),
    ],
)
def test_a_button_gives_its_wish(page, qtbot, text, do):
    with qtbot.waitSignal(page.wished) as heard:
        qtbot.keyClick(named(page, text), Qt.Key.Key_Space)
    assert heard.args == [StartWish(do)]


def test_rows_give_names_and_paths(page, qtbot):
    with qtbot.waitSignal(page.wished) as sample:
        qtbot.keyClick(named(page, "A trace that is rejected"), Qt.Key.Key_Space)
    assert sample.args == [StartWish(StartDo.OPEN_SAMPLE, ("expense-audit.json",))]
    with qtbot.waitSignal(page.wished) as recent:
        qtbot.mouseClick(named(page, "runs"), Qt.MouseButton.LeftButton)
    assert recent.args == [StartWish(StartDo.OPEN, ("/a/runs",))]


def test_what_is_missing_cannot_be_opened(page):
    assert not named(page, "gone.json").isEnabled()
    interface = QAccessible.queryAccessibleInterface(named(page, "gone.json"))
    assert "missing" in interface.text(QAccessible.Text.Description)


def test_without_recent_it_says_what_would_be_here(page, qtbot):
    page.set_recent(())

    def shown():
        return [label.text() for label in page.findChildren(QLabel) if label.isVisibleTo(page)]

    qtbot.waitUntil(lambda: any("listed here" in text for text in shown()))
    assert not any(
        b.isVisibleTo(page) for b in page.findChildren(TwoLineButton) if b.text() == "runs"
    )


def test_what_is_not_ready_is_said_by_name(page, qtbot):
    page.set_memory(replace(READY, model=None, failure=ModelError("No embedding model")))
    qtbot.waitUntil(lambda: len(page.findChildren(TwoLineFact)) == 2)
    facts = page.findChildren(TwoLineFact)
    interface = QAccessible.queryAccessibleInterface(facts[0])
    assert interface.text(QAccessible.Text.Name) == "No embedding model"
    assert interface.text(QAccessible.Text.Description) == "Novelty is assumed 0.5"


def test_the_threshold_in_use_is_named(page):
    page.set_threshold(0.8)
    assert any("0.8 is needed" in text.replace(",", ".") for text in user.texts(page))


def test_a_name_with_an_ampersand_is_no_key(page):
    page.set_recent((RecentPath("/r&d.json"),))
    row = next(b for b in page.findChildren(TwoLineButton) if "r&&d" in b.text())
    assert row.shortcut().isEmpty()


def test_a_small_window_scrolls_and_cuts_nothing_sideways(page, qtbot):
    page.resize(800, 400)
    qtbot.waitUntil(lambda: page.verticalScrollBar().maximum() > 0)
    assert page.widget().width() <= page.viewport().width()


@pytest.mark.parametrize("width", [700, 800, 1100, 1500])
def test_no_part_lies_over_another(page, qtbot, width):
    page.resize(width, 500)
    qtbot.waitUntil(lambda: page.viewport().width() >= width - 20)
    zone = user.find(page, PushButton, "Open…").parentWidget()
    parts = [zone, *page.findChildren(TwoLineButton), *page.findChildren(TwoLineFact)]
    places = [QRect(part.mapTo(page.widget(), QPoint(0, 0)), part.size()) for part in parts]
    for one, other in combinations(places, 2):
        assert not one.intersects(other)
