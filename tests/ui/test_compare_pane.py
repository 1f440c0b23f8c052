"""The pane of a comparison: its rows, its table, its ways on, and what it says."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from kpinspector.trace.align import align
from kpinspector.trace.model import trace_from_json
from kpinspector.ui.controls.chips import Chip
from kpinspector.ui.look.theme import set_palette
from kpinspector.ui.panes.compare import (
    ComparePane,
    comparison_heads,
    comparison_rows,
    comparison_table,
)
from kpinspector.ui.panes.compare_view import CompareModel, sides_of, spoken_row
from kpinspector.words.figures import plain
from tests import user
from tests.known import of, present
from tests.strategies import traces
from tests.ui.comparisons import comparison, side
from tests.ui.documents import pending, scored
from tests.ui.main_windows import settle
from tests.ui.windows import exposed

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
    exposed(qtbot, pane, 760, 700)
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


def test_chips_count_and_filter(pane):
    pane.set_comparison(comparison())
    names = [chip.accessibleName() for chip in user.seen(pane, Chip)]
    assert names == ["All, 6", "Changed, 2", "Only in visit-03, 1", "Only in visit-08, 1"]
    user.press(pane, "Changed")
    assert pane.view.pairs.rowCount() == 2
    assert place(pane) == "1 of 2"
    user.press(pane, "All")
    assert pane.view.pairs.rowCount() == 6


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


def test_of_a_difference_that_is_masked_it_is_said_so(model):
    keys = ("sk-ant-api03-" + letter * 40 for letter in "ab")
    left, right = (
        scored(place, steps=[{"type": "thought", "content": f"The key is {key}"}])
        for place, key in enumerate(keys)
    )
    model.set_alignment(comparison(left, right).alignment, NAMES)
    masked = (
        "changed in what is masked: Thought 0 in visit-03, Thought 0 in visit-08:"
        " The key is sk-a\u2022\u2022\u2022\u2022"
    )
    assert spoken(model)[1] == masked


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


@pytest.mark.parametrize("width", [600, 330])
def test_the_names_above_the_figures_keep_apart(table, width):
    table.resize(width, 300)
    names = ("refund-loop-at-noon (left)", "refund-loop-at-noon (right)")
    left, right = (side(scored(place), name) for place, name in enumerate(names))
    show(table, replace(comparison(), left=left, right=right))
    settle()
    header = table.horizontalHeader()
    ends = header.sectionViewportPosition(3) + header.sectionSize(3)
    picture = header.grab().toImage()
    ground = picture.pixel(0, 0)
    gap = range(ends + 1, ends + 8)
    inks = [picture.pixel(x, y) != ground for x in gap for y in range(picture.height())]
    assert not any(inks)
