"""The three places in the order: as rows, and where their marks stand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.scoring.novelty.neighbours import order_of
from kpinspector.ui.look.theme import TextRole, colours, make_palette, set_palette
from kpinspector.ui.neighbours.neighbour_parts import OrderChart, _axis, _paint_place
from tests.answers import MEDICAL, measurement, novelty
from tests.known import of, present
from tests.ui.reading import texts

RECT = QRect(0, 0, 201, 24)


@pytest.fixture
def chart(qtbot):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    made = OrderChart()
    qtbot.addWidget(made)
    made.resize(400, 120)
    return made


def test_each_place_has_its_score_and_its_verdict(chart):
    chart.set_order(present(order_of(measurement(), MEDICAL, 0.75)))
    assert texts(chart) == [
        ["Scored first", "Accepted", "0.7577"],
        ["At its place, 413", "Rejected", "0.7477"],
        ["After itself", "Rejected", "0.6577"],
        ["Threshold", "0.75"],
    ]
    whole = chart.figures.index(1, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert whole == repr(present(order_of(measurement(), MEDICAL, 0.75)).placed.score)


def test_the_score_at_its_place_is_strong(chart):
    chart.set_order(present(order_of(measurement(), MEDICAL, 0.75)))
    *places, _ = chart.figures.rows
    roles = [{row.cells[0].role, row.cells[2].role} for row in places]
    assert roles == [{TextRole.BODY}, {TextRole.PANE}, {TextRole.BODY}]


def test_the_first_trace_is_at_the_first_place(chart):
    order = order_of(measurement(novelty(None, Basis.EMPTY_CACHE)), MEDICAL, 0.75)
    chart.set_order(order)
    assert texts(chart)[0][1:] == texts(chart)[1][1:]
    assert texts(chart)[1][0] == "At its place, 1"
    chart.grab()


def painted(one, axis, found):
    image = QImage(RECT.size(), QImage.Format.Format_RGB32)
    image.fill(QColor(Qt.GlobalColor.white))
    painter = QPainter(image)
    _paint_place(axis, one, painter, RECT, found)
    painter.end()
    return image


def test_the_mark_stands_on_its_side_of_the_threshold(qapp):
    found = colours(make_palette(dark=False))
    order = present(order_of(measurement(), MEDICAL, 0.75))
    axis = _axis([one.score for one in (order.first, order.placed, order.after)], 0.75)
    line = axis.x(RECT, 0.75)

    def inked(one, colour):
        image = painted(one, axis, found)
        return [
            x
            for x in range(RECT.width())
            if any(image.pixelColor(x, y) == colour for y in range(RECT.height()))
        ]

    passing, failing = inked(order.first, found.accepted), inked(order.after, found.rejected)
    assert sum(passing) / len(passing) > line > sum(failing) / len(failing)
    assert line in inked(order.placed, found.text)


@settings(deadline=None)
@given(st.floats(-1, 1), st.sampled_from(PROFILES), st.floats(0, 1))
def test_every_score_and_the_threshold_lie_well_within(similarity, profile, threshold):
    order = present(order_of(measurement(novelty(similarity)), profile, threshold))
    scores = [one.score for one in (order.first, order.placed, order.after)]
    axis = _axis(scores, threshold)
    for value in (*scores, threshold):
        assert RECT.left() + 7 < axis.x(RECT, value) < RECT.right() - 7
