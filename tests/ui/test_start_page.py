"""The page before anything is open: every wish is a signal, all of it is reached by keys."""

from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QLabel

from kpinspector.ui.controls.base import PushButton
from kpinspector.ui.controls.two_line_rows import TwoLineButton, TwoLineFact
from kpinspector.ui.look.marks import Shape
from kpinspector.ui.look.theme import colours
from kpinspector.ui.start.start_page import (
    ReadyFact,
    Recent,
    Sample,
    StartDo,
    StartPage,
    StartWish,
)
from tests import user

# the offscreen platform has no window manager to tell

SAMPLES = (
    Sample("A trace that passes", "Leap day: 12 steps", Shape.ACCEPTED, "leap-day.json"),
    Sample("A trace that is rejected", "Short by 0.0023", Shape.REJECTED, "visit-03.json"),
)
RECENT = (
    Recent("/a/runs", "runs", "~/a/runs", "6 of 40 pass", is_folder=True),
    Recent("/b/gone.json", "gone.json", "/b (not there)", is_missing=True),
)


@pytest.fixture
def page(qtbot):
    made = StartPage()
    qtbot.addWidget(made)
    made.set_samples(SAMPLES)
    made.set_recent(RECENT)
    made.set_ready((ReadyFact("Embedding model found", "all-MiniLM-L6-v2"),))
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
    assert sample.args == [StartWish(StartDo.OPEN_SAMPLE, ("visit-03.json",))]
    with qtbot.waitSignal(page.wished) as recent:
        qtbot.mouseClick(named(page, "runs"), Qt.MouseButton.LeftButton)
    assert recent.args == [StartWish(StartDo.OPEN, ("/a/runs",))]


def test_what_is_missing_cannot_be_opened(page):
    assert not named(page, "gone.json").isEnabled()
    interface = QAccessible.queryAccessibleInterface(named(page, "gone.json"))
    assert "missing" in interface.text(QAccessible.Text.Description)


def is_primary(button):
    """It stands out by its colour."""
    image = button.grab().toImage()
    return image.pixelColor(5, button.height() // 2) == colours(button.palette()).accent


def test_there_is_one_primary_button(page):
    assert [b.text() for b in page.findChildren(PushButton) if is_primary(b)] == ["Open…"]


def test_without_recent_it_says_what_would_be_here(page, qtbot):
    page.set_recent(())

    def shown():
        return [label.text() for label in page.findChildren(QLabel) if label.isVisibleTo(page)]

    qtbot.waitUntil(lambda: any("listed here" in text for text in shown()))
    assert not any(
        b.isVisibleTo(page) for b in page.findChildren(TwoLineButton) if b.text() == "runs"
    )


def test_setting_twice_replaces(page, qtbot):
    page.set_samples(SAMPLES[:1])
    qtbot.waitUntil(lambda: len(page.findChildren(TwoLineButton)) == 1 + len(RECENT))


def test_what_is_not_ready_is_said_by_name(page, qtbot):
    page.set_ready((ReadyFact("No embedding model", "novelty is assumed 0.5", is_ready=False),))
    qtbot.waitUntil(lambda: len(page.findChildren(TwoLineFact)) == 1)
    facts = page.findChildren(TwoLineFact)
    interface = QAccessible.queryAccessibleInterface(facts[0])
    assert interface.text(QAccessible.Text.Name) == "No embedding model"
    assert interface.text(QAccessible.Text.Description) == "novelty is assumed 0.5"


def test_the_threshold_in_use_is_named(page):
    page.set_threshold(0.8)
    assert any("0.8 is needed" in text.replace(",", ".") for text in user.texts(page))


def test_a_name_with_an_ampersand_is_no_key(page):
    page.set_recent((Recent("/r&d.json", "r&d.json", "~"),))
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
