"""The pane of a comparison: its rows, its ways on, and what it says."""

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QFont
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QComboBox, QSplitter

from kpinspector.ui.compare.compare_pane import ComparePane
from kpinspector.ui.compare.compare_view import halves
from kpinspector.ui.controls.base import FlatButton
from kpinspector.ui.controls.chips import Chip
from kpinspector.ui.look.theme import colours, set_palette
from kpinspector.ui.parts.column_page import SheetScroll
from tests import user
from tests.known import of, present
from tests.ui.comparisons import LEFT, RIGHT, comparison
from tests.ui.documents import pending, scored

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


def place(pane):
    """What is said of the differences: which is current, and how many there are."""
    found = (re.fullmatch(r"[\d,]+ (of [\d,]+|differences?)", text) for text in user.texts(pane))
    return next(match[0] for match in found if match)


@pytest.fixture
def pane(qtbot):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    pane = ComparePane()
    QAbstractItemModelTester(pane.view.pairs, FATAL, pane)
    qtbot.addWidget(pane)
    pane.resize(760, 700)
    with qtbot.waitExposed(pane):
        pane.show()
    pane.activateWindow()
    return pane


def current(pane):
    return pane.view.currentIndex().row()


def test_both_sides_are_named_with_verdict_and_score(pane):
    shown = comparison()
    pane.set_comparison(shown)
    found = present(shown.differences)
    left, right = found.left, found.right
    assert pane.header.left.accessibleName() == f"visit-03, rejected, {left.score}"
    assert pane.header.right.accessibleName() == f"visit-08, accepted, {right.score}"
    assumed = comparison(scored(0, assumed=True), pending(1))
    pane.set_comparison(assumed)
    assert "accepted, assumed" in pane.header.left.accessibleName()
    assert pane.header.right.accessibleName() == "visit-03, pending, \N{EN DASH}"
    assert user.reads(pane, "The scores are compared when both are known.")()


def test_head_and_rows_share_the_width_alike(pane):
    pane.set_comparison(comparison(scored(0, steps=LEFT * 20), scored(1, steps=RIGHT * 20)))
    QApplication.processEvents()
    rect = pane.view.visualRect(pane.view.currentIndex())
    assert pane.view.verticalScrollBar().isVisible()
    parts = halves(rect, pane.view.itemDelegate().scaled(34))
    assert pane.header.left.width() == parts.left.width()
    assert pane.header.right.x() == parts.right.x()
    assert pane.header.right.width() == parts.right.width()
    pane.resize(500, 700)
    QApplication.processEvents()
    assert pane.header.right.geometry().right() == pane.view.viewport().width() - 1


def test_chips_count_and_filter(pane):
    pane.set_comparison(comparison())
    names = [chip.accessibleName() for chip in user.seen(pane, Chip)]
    assert names == ["All, 6", "Changed, 2", "Only in visit-03, 1", "Only in visit-08, 1"]
    user.press(pane, "Changed")
    assert pane.view.pairs.rowCount() == 2
    assert place(pane) == "1 of 2"
    user.press(pane, "All")
    assert pane.view.pairs.rowCount() == 6


def test_a_hostile_name_is_shown_as_it_stands(pane):
    name = "R&D <b>\u202e"
    left = comparison().left
    pane.set_comparison(replace(comparison(), left=replace(left, name=name)))
    assert user.find(pane, Chip, "Only in R&D <b>, 1").shortcut().isEmpty()
    assert pane.header.left.accessibleName().startswith("R&D <b>, rejected")
    pane.grab()


def test_the_current_pair_stays_current_through_the_filter(pane):
    pane.set_comparison(comparison())
    pane.view.go_to_row(2)
    user.press(pane, "Changed")
    assert current(pane) == 1
    user.press(pane, "All")
    assert current(pane) == 2
    user.press(pane, "Only in visit-03")
    assert current(pane) == 0


def test_the_ways_on_go_round(pane):
    pane.set_comparison(comparison())
    assert (current(pane), place(pane)) == (0, "4 differences")
    found = []
    for _ in range(5):
        pane.next_difference()
        found.append((current(pane), place(pane)))
    assert found == [(1, "1 of 4"), (2, "2 of 4"), (3, "3 of 4"), (5, "4 of 4"), (1, "1 of 4")]
    pane.previous_difference()
    assert current(pane) == 5
    pane.view.go_to_row(4)
    assert place(pane) == "4 differences"
    pane.previous_difference()
    assert current(pane) == 3


def test_equal_traces_have_no_way_on(pane):
    pane.set_comparison(comparison(scored(0), scored(1, "/traces/other.json")))
    assert place(pane) == "0 differences"
    pane.next_difference()
    assert current(pane) == 0
    ways = ("Previous difference", "Next difference", "Close comparison")
    assert [user.find(pane, FlatButton, way).isEnabled() for way in ways] == [False, False, True]


def test_news_of_the_same_traces_moves_nothing(pane):
    shown = comparison()
    pane.set_comparison(shown)
    pane.view.go_to_row(3)
    user.press(pane, "Only in visit-08")
    pane.set_comparison(replace(shown, similarity=0.5))
    assert user.pressed(pane) == ["Only in visit-08"]
    assert pane.notes.accessibleDescription().startswith("The texts are 0.5000 similar")
    user.press(pane, "All")
    assert current(pane) == 3
    mirrored = shown.alignment.mirrored()
    swapped = replace(shown, left=shown.right, right=shown.left, alignment=mirrored)
    pane.set_comparison(swapped)
    assert current(pane) == 3
    assert [chip.accessibleName() for chip in user.seen(pane, Chip)][2] == "Only in visit-08, 1"
    other = comparison(scored(0, "/traces/new.json"), scored(1))
    pane.set_comparison(other)
    assert current(pane) == 0


def test_return_and_double_click_go_to_the_step(qtbot, pane):
    wanted = []
    pane.step_wanted.connect(lambda right, text: wanted.append((right, text.step.index)))
    pane.set_comparison(comparison())
    for row in (2, 3, 5):
        pane.view.go_to_row(row)
        qtbot.keyClick(pane.view, Qt.Key.Key_Return)
    assert wanted == [(False, 1), (True, 2), (False, 3)]
    wanted.clear()
    pane.view.go_to_row(3)
    rect = pane.view.visualRect(pane.view.currentIndex())
    for x in (rect.left() + 20, rect.right() - 20):
        place = QPoint(x, rect.center().y())
        qtbot.mouseDClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert wanted == [(True, 2)]


def test_buttons_say_what_is_wished(qtbot, pane):
    pane.set_comparison(comparison())
    with qtbot.waitSignal(pane.header.swap.clicked):
        user.press(pane, "Swap sides")
    with qtbot.waitSignal(pane.close_requested):
        user.press(pane, "Close comparison")
    user.press(pane, "Next difference")
    assert current(pane) == 1
    user.press(pane, "Previous difference")
    assert current(pane) == 5


def test_in_a_narrow_pane_a_list_takes_the_place_of_the_chips(pane):
    pane.set_comparison(comparison())
    assert user.seen(pane, Chip) and not user.is_seen(pane, QComboBox, "Which steps")
    pane.resize(430, 700)
    box = user.find(pane, QComboBox, "Which steps")
    assert not user.seen(pane, Chip)
    words = [box.itemText(n) for n in range(box.count())]
    assert words == ["All 6", "Changed 2", "Only in visit-03 1", "Only in visit-08 1"]
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert pane.view.pairs.rowCount() == 2
    pane.resize(760, 700)
    assert user.pressed(pane) == ["Changed"]


def colours_in(pane, row, side):
    rect = pane.view.visualRect(pane.view.pairs.index(row, 0))
    parts = halves(rect, pane.view.itemDelegate().scaled(34))
    image = pane.view.viewport().grab(getattr(parts, side)).toImage()
    every = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return {image.pixelColor(*place).name() for place in every}


@pytest.mark.parametrize("dark", [False, True])
def test_marks_and_the_empty_side_are_painted(pane, dark):
    set_palette(of(QApplication, QApplication.instance()), dark=dark)
    pane.set_comparison(comparison())
    QApplication.processEvents()
    found = colours(pane.palette())
    assert found.selection.name() in colours_in(pane, 1, "left")
    assert found.accent.name() in colours_in(pane, 1, "right")
    assert found.selection.name() not in colours_in(pane, 4, "left")
    assert found.alternate.name() in colours_in(pane, 3, "left")
    assert found.alternate.name() in colours_in(pane, 5, "right")
    assert found.alternate.name() not in colours_in(pane, 3, "right")


def test_marks_are_seen_on_the_current_row(pane):
    pane.set_comparison(comparison())
    pane.view.setFocus()
    pane.view.go_to_row(1)
    QApplication.processEvents()
    found = colours(pane.palette())
    shown = colours_in(pane, 1, "left")
    assert {found.selection.name(), found.sheet.name(), found.accent.name()} <= shown


def test_assistive_technology_reads_every_row(pane):
    pane.set_comparison(comparison())
    view = QAccessible.queryAccessibleInterface(pane.view)
    assert view.text(QAccessible.Text.Name) == "Steps side by side"
    rows = [view.child(n).text(QAccessible.Text.Name) for n in range(view.childCount())]
    rows = [text for text in rows if text]
    assert rows[1].startswith("changed: Thought 0 in visit-03")
    assert len(rows) == 6


def test_rows_grow_with_the_font(pane):
    pane.set_comparison(comparison())
    before = pane.view.sizeHintForRow(0)
    larger = QFont(pane.view.font())
    larger.setPointSizeF(larger.pointSizeF() * 2)
    pane.view.setFont(larger)
    assert pane.view.sizeHintForRow(0) > 1.7 * before


@pytest.mark.slow
def test_very_many_rows_and_long_numbers_are_painted(pane):
    steps = [{"type": "thought", "content": f"step {number}"} for number in range(20_000)]
    changed = [*steps[:-1], {"type": "thought", "content": "another end"}]
    pane.set_comparison(comparison(scored(0, steps=steps), scored(1, steps=changed)))
    pane.next_difference()
    assert (current(pane), place(pane)) == (20_000, "1 of 1")
    pane.grab()


def test_the_scores_keep_what_they_need_until_somebody_drags(pane):
    shown = comparison()
    splitter = present(pane.findChild(QSplitter))
    for remarks in ((), ("One thing.",), ("One thing.", "Another thing. " * 12)):
        pane.set_comparison(replace(shown, remarks=remarks))
        QApplication.processEvents()
        QApplication.processEvents()
        scores = user.find(pane, SheetScroll, "Scores side by side")
        assert scores.verticalScrollBar().maximum() == 0
        needed = scores.widget().heightForWidth(scores.viewport().width())
        assert needed <= 0 or splitter.sizes()[1] - needed < 30
    splitter.moveSplitter(300, 1)
    dragged = splitter.sizes()
    pane.set_comparison(comparison())
    assert splitter.sizes() == dragged
