from dataclasses import replace
from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from kpinspector.ui.compare.compare_pane import comparison_heads, comparison_rows, comparison_table
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.tables.figure_model import FigureRole
from kpinspector.words.figures import plain
from tests import undecided
from tests.known import present
from tests.ui.comparisons import comparison
from tests.ui.documents import pending, scored

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
ONE_TOOL = [{"type": "tool_call", "tool": {"name": "x"}, "content": "a"}, {"type": "thought"}]


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


def test_equal_scores_have_no_strong_difference(table):
    show(table, comparison(scored(0), scored(0)))
    assert {row.cells[-1].role for row in table.figures.rows[1:-1]} == {TextRole.BODY}
    table.grab()


def test_pending_scores_are_not_compared(table):
    show(table, comparison(pending(0), scored(1)))
    assert texts(table) == []


def test_columns_are_named_for_both_sides(table):
    show(table, comparison())
    spoken = [
        table.figures.headerData(n, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole)
        for n in range(table.figures.columnCount())
    ]
    assert spoken[2:6] == ["visit-03, value", "visit-03, adds", "visit-08, value", "visit-08, adds"]
    drawn = [head.text for head in table.figures.heads]
    assert (drawn[0], drawn[3], drawn[5]) == ("Dimensions", "visit-03", "visit-08")


def test_a_narrow_table_keeps_names_and_differences(table):
    show(table, comparison())
    table.resize(330, 300)
    assert not table.isColumnHidden(1) and not table.isColumnHidden(7)
    assert sum(table.columnWidth(n) for n in range(8)) <= 330
    bar = table.figures.index(1, 6).data(FigureRole.CELL)
    assert bar.said


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
