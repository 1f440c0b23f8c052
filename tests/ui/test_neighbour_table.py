"""The nearest traces as rows: what is said of each, and how one is chosen."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication

from kpinspector.scoring.formula.profiles import DEFAULT
from kpinspector.scoring.novelty.neighbours import compare_findings, influences
from kpinspector.ui.look.theme import set_palette
from kpinspector.ui.neighbours.neighbour_list import NeighbourTable
from tests.known import of
from tests.nearest import measured, near, today
from tests.ui.reading import texts

HOSTILE = "<b>bold</b><img src='http://x/'>"


@pytest.fixture
def table(qtbot):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    made = NeighbourTable()
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    QAbstractItemModelTester(made.figures, mode, made)
    qtbot.addWidget(made)
    made.resize(430, 300)
    with qtbot.waitExposed(made):
        made.show()
    return made


def show(table, *similarities, compared_with=None):
    neighbours = [near(f"n{number}", one) for number, one in enumerate(similarities)]
    found = measured(*neighbours, compared_with=compared_with)
    table.show_finding(influences(found, DEFAULT, 0.75), "of 412 compared")
    return found


def test_each_row_says_how_similar_and_what_without_it(table):
    show(table, 0.55, 0.52, 0.4)
    assert texts(table) == [
        ["1", "n0, sets novelty", "0.5500, without it 0.6092, rejected"],
        ["2", "n1", "0.5200, score unchanged"],
        ["3", "n2", "0.4000, score unchanged"],
    ]
    heads = [
        table.figures.headerData(n, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole)
        for n in range(5)
    ]
    assert heads == ["", "rank", "trace", "similarity", ""]


def test_todays_rows_say_what_has_become_of_them(table):
    stored = measured(near("a", 0.9), near("b", 0.6)).novelty
    changed = compare_findings(stored, today(near("a", 0.9), near("c", 0.7), near("b", 0.5)))
    table.show_today(changed.nearest, "of 3 compared today")
    assert [row[-1] for row in texts(table)] == [
        "0.9000, as it was",
        "0.7000, new since then",
        "0.5000, was 0.6000",
    ]


def test_the_nearest_is_chosen_and_another_by_keys_or_a_click(table, qtbot):
    show(table, 0.55, 0.52, 0.4)
    assert table.chosen.key == "n0"
    table.setFocus()
    with qtbot.waitSignal(table.chosen_changed):
        QTest.keyClick(table, Qt.Key.Key_Down)
    assert table.chosen.key == "n1" and table.is_chosen(1) and not table.is_chosen(0)
    place = QPoint(100, table.rowViewportPosition(2) + 10)
    with qtbot.waitSignal(table.chosen_changed):
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert table.chosen.key == "n2"


def test_the_choice_stays_with_its_trace(table):
    show(table, 0.55, 0.52, 0.4)
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Down)
    show(table, 0.55, 0.52, 0.4)
    assert table.chosen.key == "n1"
    show(table, 0.3)
    assert table.chosen.key == "n0"
    show(table)
    assert table.chosen is None and table.figures.rowCount() == 0


def test_the_first_few_are_shown_until_more_are_wanted(table):
    show(table, *(0.9 - number / 20 for number in range(10)))
    assert len(texts(table)) == 6 and texts(table)[-1] == ["Show 5 More"]
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_End)
    assert table.chosen.key == "n0"
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert len(texts(table)) == 10
    show(table, *(0.8 - number / 20 for number in range(7)))
    assert len(texts(table)) == 7


def test_text_of_strangers_is_shown_as_it_stands(table):
    hostile = near(HOSTILE, 0.5).__class__(HOSTILE, None, HOSTILE, f"/{HOSTILE}.json", 0.5)
    table.show_finding(influences(measured(hostile), DEFAULT, 0.75), "")
    tip = table.figures.index(0, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert "<img" not in tip and "&lt;img" in tip
    assert HOSTILE in texts(table)[0][1]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("similarities", [(0.55, -0.2), (1.0, 1.0), (-1.0,)])
def test_it_paints_in_every_state(table, dark, similarities, qtbot):
    set_palette(of(QApplication, QApplication.instance()), dark=dark)
    show(table, *similarities)
    with qtbot.waitActive(table.window()):
        table.window().activateWindow()
    table.clearFocus()
    before = table.grab().toImage()
    table.setFocus()
    assert table.grab().toImage() != before


def test_a_larger_font_makes_higher_rows(table):
    show(table, 0.55, 0.52)
    height, usual = table.rowHeight(0), QApplication.font()
    larger = QApplication.font()
    larger.setPointSizeF(larger.pointSizeF() * 1.6)
    try:
        QApplication.setFont(larger)
        QApplication.processEvents()
        assert table.rowHeight(0) > 1.3 * height
        table.grab()
    finally:
        QApplication.setFont(usual)


def test_as_many_rows_of_another_trace_have_their_first_chosen(table):
    show(table, 0.55, 0.52)
    others = [near("m0", 0.55), near("m1", 0.52)]
    table.show_finding(influences(measured(*others), DEFAULT, 0.75), "of 412 compared")
    assert table.chosen.key == "m0"
