"""Ranked steps as rows: the largest fall first, the rest when it is wanted."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kpinspector.scoring.novelty.neighbours import StepFall, StepRanking
from kpinspector.ui.look.theme import set_palette
from kpinspector.ui.neighbours.neighbour_parts import StepRankingTable
from kpinspector.ui.score.dimension_table import StepWish
from tests.known import of
from tests.ui.documents import trace
from tests.ui.reading import texts

MINUS = "\N{MINUS SIGN}"


@pytest.fixture
def table(qtbot):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    made = StepRankingTable()
    qtbot.addWidget(made)
    made.resize(400, 300)
    with qtbot.waitExposed(made):
        made.show()
    return made


def ranking(*falls, similarity=0.55):
    found = [StepFall(step, similarity - fall, fall) for step, fall in falls]
    return StepRanking(similarity, tuple(found), len(found))


def test_steps_stand_with_their_kind_and_what_is_lost(table):
    table.set_ranking(trace(), ranking((3, 0.0612), (0, 0.0387), (2, -0.0034)))
    assert texts(table) == [
        ["3 Recovery", "0.4888 similar without it", f"{MINUS}0.0612"],
        ["0 Thought", "0.5113 similar without it", f"{MINUS}0.0387"],
        ["2 Observation", "0.5534 similar without it", "+0.0034"],
    ]
    table.grab()


def test_nothing_is_shown_before_it_was_asked(table):
    table.set_ranking(trace(), None)
    assert texts(table) == []
    assert table.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_a_step_that_is_activated_is_wished_for(table, qtbot):
    table.set_ranking(trace(), ranking((3, 0.0612), (0, 0.0387)))
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Down)
    with qtbot.waitSignal(table.row_activated) as wished:
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert wished.args == [StepWish(0)]


def test_the_rest_comes_when_it_is_wanted_and_goes_with_the_trace(table):
    steps = [{"type": "odd", "content": str(number)} for number in range(12)]
    long = trace(steps)
    falls = [(number, 0.1 - number / 1000) for number in range(12)]
    table.set_ranking(long, ranking(*falls))
    assert len(texts(table)) == 7 and texts(table)[-1] == ["Show 6 More"]
    table.row_activated.emit("more")
    assert len(texts(table)) == 12
    table.set_ranking(trace(steps), ranking(*falls))
    assert len(texts(table)) == 7
    assert texts(table)[0][0] == "0 Unknown type"


def test_equal_steps_need_no_bar(table):
    table.set_ranking(trace(), ranking((0, 0.0), (2, 0.0)))
    assert [row[-1] for row in texts(table)] == ["0.0000", "0.0000"]
    table.grab()
