"""The pane of a comparison: its rows, its table, its ways on, and what it says."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QComboBox, QSplitter

from kpinspector.trace.align import align
from kpinspector.trace.model import trace_from_json
from kpinspector.ui.compare.compare_pane import (
    ComparePane,
    comparison_heads,
    comparison_rows,
    comparison_table,
)
from kpinspector.ui.compare.compare_view import (
    CompareModel,
    CompareRole,
    halves,
    sides_of,
    spoken_row,
)
from kpinspector.ui.controls.base import FlatButton
from kpinspector.ui.controls.chips import Chip
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.theme import TextRole, colours, set_palette
from kpinspector.ui.parts.column_page import SheetScroll
from kpinspector.words.figures import plain
from tests import undecided, user
from tests.known import of, present
from tests.strategies import traces
from tests.ui.comparisons import LEFT, RIGHT, comparison
from tests.ui.documents import pending, scored

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
NAMES = ("visit-03", "visit-08")
ROLE = Qt.ItemDataRole
ONE_TOOL = [{"type": "tool_call", "tool": {"name": "x"}, "content": "a"}, {"type": "thought"}]


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
        pane.view.go_to_difference(1)
        found.append((current(pane), place(pane)))
    assert found == [(1, "1 of 4"), (2, "2 of 4"), (3, "3 of 4"), (5, "4 of 4"), (1, "1 of 4")]
    pane.view.go_to_difference(-1)
    assert current(pane) == 5
    pane.view.go_to_row(4)
    assert place(pane) == "4 differences"
    pane.view.go_to_difference(-1)
    assert current(pane) == 3


def test_equal_traces_have_no_way_on(pane):
    pane.set_comparison(comparison(scored(0), scored(1, "/traces/other.json")))
    assert place(pane) == "0 differences"
    pane.view.go_to_difference(1)
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
    pane.view.step_wanted.connect(lambda right, text: wanted.append((right, text.step.index)))
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
    with qtbot.waitSignal(pane.close_button.clicked):
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


@pytest.fixture
def model(qtbot):
    model = CompareModel()
    QAbstractItemModelTester(model, FATAL, model)
    return model


def spoken(model):
    rows = range(model.rowCount())
    return [model.index(row, 0).data(ROLE.AccessibleTextRole) for row in rows]


def test_every_row_is_told_in_words(model):
    model.set_alignment(comparison().alignment, NAMES)
    objective, words, tool, recovery, same, only = spoken(model)
    assert objective == "the same: Objective. Review the potassium trend"
    assert words == (
        "changed: Thought 0 in visit-03: Take 50 mg of ramipril a day;"
        " Thought 0 in visit-08: Take 25 mg of lisinopril a day"
    )
    assert tool == (
        "changed: Tool call ehr.read 1 in visit-03: patient: p-1;"
        " Tool call lab.query 1 in visit-08: patient: p-1"
    )
    assert recovery == "only in visit-08: Recovery 2. Ask again"
    assert same == "the same: Observation 2 and 3. K 5.1"
    assert only == "only in visit-03: Thought 3. Stop it"


def test_marks_stand_at_the_words_that_differ(model):
    model.set_alignment(comparison().alignment, NAMES)
    left, right = model.index(1, 0).data(CompareRole.SIDES)
    assert [left.text[a:b] for a, b in left.marks] == ["50", "ramipril"]
    assert [right.text[a:b] for a, b in right.marks] == ["25", "lisinopril"]
    left, right = model.index(2, 0).data(CompareRole.SIDES)
    assert left.tool_changed and right.tool_changed
    assert left.icon is IconName.TOOL_CALL
    assert not left.marks


def test_an_unknown_type_and_a_late_beginning(model):
    long = "the same words over and over again, then "
    left = scored(0, steps=[{"type": "plan", "content": long + "one\nmore"}])
    right = scored(1, steps=[{"type": "plan", "content": long + "two\nmore"}])
    model.set_alignment(comparison(left, right).alignment, NAMES)
    shown, _ = model.index(1, 0).data(CompareRole.SIDES)
    assert shown.kind == "Unknown type" and shown.icon is IconName.FILE
    assert shown.text == "… over and over again, then one more"
    assert [shown.text[a:b] for a, b in shown.marks] == ["one"]


def test_tooltips_are_plain_and_hold_both_sides(model):
    left = scored(0, steps=[{"type": "thought", "content": "<b>one</b>"}])
    right = scored(1, steps=[{"type": "thought", "content": "two"}])
    model.set_alignment(comparison(left, right).alignment, NAMES)
    tip = model.index(1, 0).data(ROLE.ToolTipRole)
    assert tip == "<qt>visit-03: &lt;b&gt;one&lt;/b&gt;<br>visit-08: two</qt>"
    assert model.index(1, 0).data(ROLE.DisplayRole) == "<b>one</b>"


@pytest.mark.slow
@given(traces(), traces())
@settings(deadline=None)
def test_hostile_steps_are_told_in_one_line(one, other):
    for pair in align(trace_from_json(one), trace_from_json(other)).pairs:
        sides = sides_of(pair)
        for cell in sides:
            if cell is not None:
                assert "\n" not in cell.text and "\u202e" not in cell.text
                assert all(a < b <= len(cell.text) for a, b in cell.marks)
        assert spoken_row(pair.likeness, sides, NAMES)


@pytest.fixture
def table(qtbot):
    table = comparison_table()
    QAbstractItemModelTester(table.figures, FATAL, table)
    qtbot.addWidget(table)
    table.resize(600, 300)
    table.show()
    return table


def show(table, comparison):
    table.set_rows(comparison_rows(comparison.differences), comparison_heads(comparison))


def texts(table):
    return [tuple(cell.text for cell in row.cells) for row in table.figures.rows]


def difference(row):
    return Decimal(plain(row.cells[-1].text))


def test_a_row_for_each_dimension_and_the_score(table):
    shown = comparison()
    show(table, shown)
    captions, *terms, score = texts(table)
    assert captions[2:6] == ("value", "adds", "value", "adds")
    names = ["Complexity", "Novelty", "Tool diversity", "Outcome", "Tool monotony"]
    assert [row[1] for row in terms] == names
    assert terms[4][-1] == "0.0000"
    assert terms[1][2:6] == ("0.450", "0.0900", "0.800", "0.1600")
    assert terms[1][-1] == "+0.0700"
    assert score[1] == "Score"
    assert score[-1] == present(shown.differences).shown


def test_the_differences_add_up_with_the_overrides(table):
    show(table, comparison(scored(0), scored(1, value=0.7, steps=ONE_TOOL)))
    _, *parts, score = table.figures.rows
    assert [row.cells[1].text for row in parts][4:] == ["Tool monotony"]
    assert sum(map(difference, parts)) == difference(score)
    monotony = parts[4].cells
    assert (monotony[3].text, monotony[3].said) == ("", "not fired")
    assert monotony[5].text == "\N{MINUS SIGN}0.1000"


def test_the_largest_difference_is_strong_and_none_is_pale(table):
    show(table, comparison(scored(0, value=0.1), scored(0, value=0.9)))
    _, *terms, _score = table.figures.rows
    roles = [row.cells[-1].role for row in terms]
    assert roles == [TextRole.BODY, TextRole.PANE, TextRole.BODY, TextRole.BODY]
    assert [row.cells[-1].second for row in terms] == [True, False, True, True]


def test_columns_are_named_for_both_sides(table):
    show(table, comparison())
    spoken = [
        table.figures.headerData(n, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole)
        for n in range(table.figures.columnCount())
    ]
    assert spoken[2:6] == ["visit-03, value", "visit-03, adds", "visit-08, value", "visit-08, adds"]
    drawn = [head.text for head in table.figures.heads]
    assert (drawn[0], drawn[3], drawn[5]) == ("Dimensions", "visit-03", "visit-08")


def test_a_side_that_is_undecided_has_ranges(table):
    run = undecided.run_document()
    found = comparison(run, scored(1, value=0.8))
    left = replace(found.left, possible=run.range)
    show(table, replace(found, left=left))
    _, *terms, score = texts(table)
    assert terms[3][2:4] == ("\N{EN DASH}", "0\N{EN DASH}0.25")
    assert "\N{EN DASH}" in terms[3][-1] and "\N{EN DASH}" not in terms[1][-1]
    assert score[3] == "0.52\N{EN DASH}0.78" and "\N{EN DASH}" in score[-1]
    right = present(found.right.assessment)
    low, high = (float(plain(one)) for one in score[-1].split("\N{EN DASH}"))
    assert low == pytest.approx(right.score - 0.7725, abs=0.01)
    assert high == pytest.approx(right.score - 0.5225, abs=0.01)
