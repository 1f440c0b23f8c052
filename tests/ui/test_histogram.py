"""The histogram of the scores in the list."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from kpinspector.app.document import State
from kpinspector.ui.traces import RowCounts, Spread, Traits, bin_of
from kpinspector.ui.traces.histogram import Histogram
from kpinspector.ui.traces.trace_query import SCORE, bin_term, parse_query, with_term

LEFT = Qt.MouseButton.LeftButton
SCORES = [(0.31, False), (0.33, False), (0.77, True), (0.76, False), (0.99, True)]


def counted(scores: list[tuple[float, bool]], threshold: float) -> Spread:
    counts = RowCounts(
        Traits(
            State.ACCEPTED if accepted else State.REJECTED,
            bin=bin_of(score),
            below=score < threshold,
        )
        for score, accepted in scores
    )
    return counts.spread(frozenset(State))


def test_histogram_adds_up(qtbot) -> None:
    histogram = Histogram()
    qtbot.addWidget(histogram)
    scores = [(0.15, False), (-3.0, False), (0.75, True), (0.8, False), (2.0, True)]
    histogram.show_spread(counted(scores, 0.75), 0.75)
    columns = histogram.columns
    assert sum(map(sum, columns)) == 5
    assert columns[3] == (1, 0, 0) and columns[0] == (1, 0, 0)
    assert columns[15] == (0, 1, 0) and columns[16] == (1, 0, 0) and columns[19] == (0, 1, 0)
    assert histogram.accessibleDescription() == (
        "5 scored: 2 below the threshold 0.75, 2 accepted, 1 reach it and fail the schema"
    )


class Listened(Histogram):
    """Remembers what it asked for."""

    def __init__(self):
        super().__init__()
        self.chosen, self.bins = [], []


@pytest.fixture
def histogram(qtbot):
    made = Listened()
    qtbot.addWidget(made)
    made.resize(424, 116)  # columns of 20 px between paddings of 12
    made.show_spread(counted(SCORES, 0.75), 0.75)
    made.threshold_chosen.connect(lambda value, _: made.chosen.append(value))
    made.threshold_chosen.connect(lambda value, _: made.show_spread(counted(SCORES, value), value))
    made.bin_chosen.connect(made.bins.append)
    with qtbot.waitExposed(made):
        made.show()
    return made


def at(score, y=60):
    return QPoint(12 + round(400 * score), y)


def test_the_line_is_dragged_and_stays_in_its_range(histogram):
    QTest.mousePress(histogram, LEFT, pos=at(0.75) + QPoint(3, 0))
    for score in (0.6, 0.5, 1.2, -0.2):
        QTest.mouseMove(histogram, at(score))
    QTest.mouseRelease(histogram, LEFT, pos=at(-0.2))
    assert histogram.chosen == [0.6, 0.5, 1.0, 0.0] and histogram.bins == []
    QTest.mouseMove(histogram, at(0.4))
    assert histogram.chosen[-1] == 0.0


def test_the_mouse_is_told_what_can_be_done(histogram, qtbot):
    shape = Qt.CursorShape
    told = (
        (at(0.75), shape.SplitHCursor),
        (at(0.5), shape.ArrowCursor),
        (at(0.32), shape.PointingHandCursor),
        (at(0.32, 2), shape.ArrowCursor),
    )
    for place, wanted in told:
        QTest.mouseMove(histogram, place)
        # a display may tell it later
        qtbot.waitUntil(lambda wanted=wanted: histogram.cursor().shape() == wanted)


@pytest.mark.parametrize("number", range(20))
def test_a_column_in_the_filter(number):
    text = with_term('state:accepted score:>0.5 "two words" score:', SCORE, bin_term(number))
    assert parse_query(text).bin == number and text.startswith('state:accepted "two words" score:')
    low, high = parse_query(text).ranges["score"]
    assert low == (number / 20 if number else float("-inf"))
    assert high == (round((number + 1) / 20 - 1e-4, 4) if number < 19 else float("inf"))
    assert with_term(text, SCORE, None) == 'state:accepted "two words"'
    assert parse_query("score:>0.5").bin is None
