"""The pane of a comparison: its rows, its ways on, and what it says."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QFont
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from kpinspector.trace.align import Likeness
from kpinspector.ui.compare.compare_pane import ComparePane
from kpinspector.ui.compare.compare_view import halves
from kpinspector.ui.look.theme import colours, set_palette
from tests.known import of, present
from tests.ui.comparisons import LEFT, RIGHT, comparison
from tests.ui.documents import pending, scored

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


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
    assert pane._pending.isVisible()


def test_head_and_rows_share_the_width_alike(pane):
    pane.set_comparison(comparison(scored(0, steps=LEFT * 20), scored(1, steps=RIGHT * 20)))
    QApplication.processEvents()
    rect = pane.view.visualRect(pane.view.currentIndex())
    assert pane.view.verticalScrollBar().isVisible()
    parts = halves(rect, pane.view._delegate.scaled(34))
    assert pane.header.left.width() == parts.left.width()
    assert pane.header.right.x() == parts.right.x()
    assert pane.header.right.width() == parts.right.width()
    pane.resize(500, 700)
    QApplication.processEvents()
    assert pane.header.right.geometry().right() == pane.view.viewport().width() - 1


def test_chips_count_and_filter(pane):
    pane.set_comparison(comparison())
    names = [pane._chips.chip(key).accessibleName() for key in ("all", *list(Likeness)[1:])]
    assert names == ["All, 6", "Changed, 2", "Only in visit-03, 1", "Only in visit-08, 1"]
    pane._chips.choose(Likeness.CHANGED)
    assert pane.view.pairs.rowCount() == 2
    assert pane.place_words == "1 of 2"
    pane._chips.choose("all")
    assert pane.view.pairs.rowCount() == 6


def test_a_hostile_name_is_shown_as_it_stands(pane):
    name = "R&D <b>\u202e"
    left = comparison().left
    pane.set_comparison(replace(comparison(), left=replace(left, name=name)))
    chip = pane._chips.chip(Likeness.ONLY_LEFT)
    assert chip.accessibleName() == "Only in R&D <b>, 1"
    assert chip.shortcut().isEmpty()
    assert pane.header.left.accessibleName().startswith("R&D <b>, rejected")
    pane.grab()


def test_the_current_pair_stays_current_through_the_filter(pane):
    pane.set_comparison(comparison())
    pane.view.go_to_row(2)
    pane._chips.choose(Likeness.CHANGED)
    assert current(pane) == 1
    pane._chips.choose("all")
    assert current(pane) == 2
    pane._chips.choose(Likeness.ONLY_LEFT)
    assert current(pane) == 0


def test_the_ways_on_go_round(pane):
    pane.set_comparison(comparison())
    assert (current(pane), pane.place_words) == (0, "4 differences")
    found = []
    for _ in range(5):
        pane.next_difference()
        found.append((current(pane), pane.place_words))
    assert found == [(1, "1 of 4"), (2, "2 of 4"), (3, "3 of 4"), (5, "4 of 4"), (1, "1 of 4")]
    pane.previous_difference()
    assert current(pane) == 5
    pane.view.go_to_row(4)
    assert pane.place_words == "4 differences"
    pane.previous_difference()
    assert current(pane) == 3


def test_equal_traces_have_no_way_on(pane):
    pane.set_comparison(comparison(scored(0), scored(1, "/traces/other.json")))
    assert pane.place_words == "0 differences"
    pane.next_difference()
    assert current(pane) == 0
    assert not pane._buttons[0].isEnabled() and not pane._buttons[1].isEnabled()
    assert pane._buttons[2].isEnabled()


def test_news_of_the_same_traces_moves_nothing(pane):
    shown = comparison()
    pane.set_comparison(shown)
    pane.view.go_to_row(3)
    pane._chips.choose(Likeness.ONLY_RIGHT)
    pane.set_comparison(replace(shown, similarity=0.5))
    assert pane._chips.chosen == Likeness.ONLY_RIGHT
    assert pane.notes.accessibleDescription().startswith("The texts are 0.5000 similar")
    pane._chips.choose("all")
    assert current(pane) == 3
    pane.set_comparison(shown.swapped())
    assert current(pane) == 3
    assert "Only in visit-08, 1" in pane._chips.chip(Likeness.ONLY_LEFT).accessibleName()
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
        qtbot.mouseClick(pane.header.swap, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(pane.close_requested):
        pane._buttons[2].click()
    pane._buttons[1].click()
    assert current(pane) == 1
    pane._buttons[0].click()
    assert current(pane) == 5


def test_in_a_narrow_pane_a_list_takes_the_place_of_the_chips(pane):
    pane.set_comparison(comparison())
    assert pane._chips.isVisible() and not pane._chips.list.isVisible()
    pane.resize(430, 700)
    assert pane._chips.list.isVisible() and not pane._chips.isVisible()
    words = [pane._chips.list.itemText(n) for n in range(4)]
    assert words == ["All 6", "Changed 2", "Only in visit-03 1", "Only in visit-08 1"]
    pane._chips.list.activated.emit(1)
    assert pane.view.pairs.rowCount() == 2
    assert pane._chips.list.currentIndex() == 1
    pane.resize(760, 700)
    assert pane._chips.chosen == Likeness.CHANGED


def colours_in(pane, row, side):
    rect = pane.view.visualRect(pane.view.pairs.index(row, 0))
    parts = halves(rect, pane.view._delegate.scaled(34))
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


def test_very_many_rows_and_long_numbers_are_painted(pane):
    steps = [{"type": "thought", "content": f"step {number}"} for number in range(20_000)]
    changed = [*steps[:-1], {"type": "thought", "content": "another end"}]
    pane.set_comparison(comparison(scored(0, steps=steps), scored(1, steps=changed)))
    pane.next_difference()
    assert (current(pane), pane.place_words) == (20_000, "1 of 1")
    pane.grab()


def test_the_scores_keep_what_they_need_until_somebody_drags(pane):
    shown = comparison()
    for remarks in ((), ("One thing.",), ("One thing.", "Another thing. " * 12)):
        pane.set_comparison(replace(shown, remarks=remarks))
        QApplication.processEvents()
        QApplication.processEvents()
        scores = pane._splitter.widget(1)
        assert scores.verticalScrollBar().maximum() == 0
        needed = scores.widget().heightForWidth(scores.viewport().width())
        assert needed <= 0 or pane._splitter.sizes()[1] - needed < 30
    pane._splitter.moveSplitter(300, 1)
    dragged = pane._splitter.sizes()
    pane.set_comparison(comparison())
    assert pane._splitter.sizes() == dragged
