"""The waterfall: its bars, and the terms that open what they rest on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QAbstractItemModelTester, QTest

from kpinspector.app.answers import explanation_of
from kpinspector.scoring.findings import Neighbour
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.look.theme import colours, make_palette
from kpinspector.ui.panes.waterfall import ChartBar, Scale, Waterfall, paint_stretch
from tests.ui.documents import pending, scored, with_neighbours

RECOVERIES = [
    {"type": "error_recovery", "content": str(number), "tool": {"name": "retry"}}
    for number in range(12)
]
RECT = QRect(0, 0, 201, 18)
AXIS = Scale(0.0, 1.0, 0.75)


@pytest.fixture
def waterfall(qtbot):
    made = Waterfall(lambda wish: None)
    tester = QAbstractItemModelTester(
        made.figures, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    qtbot.addWidget(made)
    yield made
    assert tester.model() is made.figures


def outline(waterfall):
    rows = waterfall.figures.rows
    return [" ".join(cell.text for cell in row.cells if cell.text) for row in rows]


def open_term(waterfall, name):
    rows = enumerate(waterfall.figures.rows)
    place, row = next((at, row) for at, row in rows if row.cells[1].text == name)
    waterfall.setCurrentIndex(waterfall.figures.index(place, 0))
    QTest.keyClick(waterfall, Qt.Key.Key_Left if row.opened else Qt.Key.Key_Right)


def opened(waterfall, closed):
    """The rows that are new."""
    return [line for line in outline(waterfall) if line not in closed]


def test_each_term_opens_what_it_rests_on(waterfall):
    near = [Neighbour(f"k{n}", None, "obj", f"/t/visit-{n}.json", 0.9 - n / 10) for n in range(4)]
    waterfall.set_explanation(explanation_of(with_neighbours(scored(1, value=0.1), near)))
    closed = outline(waterfall)
    open_term(waterfall, "Complexity")
    assert opened(waterfall, closed) == [
        "Step 0 Thought, new type",
        "Step 1 Tool call, ehr.read, new type",
        "Step 2 Observation, new type",
        "Step 3 Recovery, lab.query, new type, recovery",
    ]
    open_term(waterfall, "Tool diversity")
    assert opened(waterfall, closed) == [
        "Step 1 Tool call, ehr.read, first use",
        "Step 3 Recovery, lab.query, first use",
    ]
    open_term(waterfall, "Novelty")
    assert opened(waterfall, closed) == ["visit-0 0.9000", "visit-1 0.8000", "visit-2 0.7000"]
    open_term(waterfall, "Outcome")
    assert opened(waterfall, closed) == ["confidence 0.97, succeeded"]
    open_term(waterfall, "Outcome")
    assert outline(waterfall) == closed


def test_an_override_opens_its_steps_and_says_how_many_there_are(waterfall):
    waterfall.set_explanation(explanation_of(scored(1, steps=RECOVERIES)))
    closed = outline(waterfall)
    open_term(waterfall, "Recovery bonus")
    found = opened(waterfall, closed)
    assert found[:2] == ["Step 0 Recovery, retry", "Step 1 Recovery, retry"]
    assert found[8:] == ["and 4 more"]


def test_what_is_open_stays_open_for_the_same_trace_alone(waterfall):
    waterfall.set_explanation(explanation_of(pending(1)))
    closed = outline(waterfall)
    open_term(waterfall, "Novelty")
    assert opened(waterfall, closed) == ["not measured yet"]
    waterfall.set_explanation(explanation_of(scored(1)))
    assert "0.5500 similar to the nearest of 1" in outline(waterfall)
    other = scored(2)
    waterfall.set_explanation(explanation_of(other))
    assert "0.5500 similar to the nearest of 1" not in outline(waterfall)


def test_hostile_words_are_cut_and_shown_as_they_are(waterfall):
    steps = [{"type": "tool_call", "tool": {"name": "<b>\n" + "x" * 500}}]
    waterfall.set_explanation(explanation_of(scored(1, steps=steps)))
    open_term(waterfall, "Tool diversity")
    (line,) = (line for line in outline(waterfall) if "<b>" in line)
    assert "\n" not in line and len(line) < 150


@pytest.fixture
def found(qapp):
    return colours(make_palette(dark=False))


def painted(bar, found, axis=AXIS, ratio=1.0):
    size = RECT.size() * ratio
    image = QImage(size, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(Qt.GlobalColor.white))
    painter = QPainter(image)
    paint_stretch(axis, bar, painter, RECT, found)
    painter.end()
    return image


def same(image, x, y, colour):
    return image.pixelColor(x, y).name() == colour.name()


def test_a_bar_reaches_from_where_the_last_ended_to_its_own_end(found):
    image = painted(ChartBar(0.25, 0.5, Dimension.NOVELTY), found)
    middle = RECT.height() // 2
    assert not same(image, 48, middle, found.novelty)
    assert same(image, 51, middle, found.novelty)
    assert same(image, 98, middle, found.novelty)
    assert not same(image, 101, middle, found.novelty)


def test_the_threshold_runs_through_every_row_from_top_to_bottom(found):
    image = painted(ChartBar(0.1, 0.2, Dimension.COMPLEXITY), found)
    for y in (0, 9, RECT.height() - 1):
        assert same(image, 149, y, found.text) and same(image, 150, y, found.text)


def test_the_gap_to_the_threshold_is_hatched_only_when_short(found):
    def hatched(image, left, right):
        row = [image.pixelColor(x, 9) for x in range(left, right)]
        return any(colour.red() > colour.green() + 40 for colour in row)

    assert hatched(painted(ChartBar(0.0, 0.4, total=True), found), 82, 148)
    assert not hatched(painted(ChartBar(0.0, 0.9, total=True), found), 0, 200)
    assert not hatched(painted(ChartBar(0.0, 0.74, total=True), found), 148, 152)
    below_zero = painted(ChartBar(0.0, -0.5, total=True), found, Scale(-0.5, 1.0, 0.75))
    assert not hatched(below_zero, 0, 66)
    assert hatched(below_zero, 70, 165)


def test_what_is_unknown_is_hatched_and_what_is_known_solid(found):
    image = painted(ChartBar(0.0, 0.5, unknown=0.7, total=True, joined_below=False), found)
    assert all(same(image, x, 9, found.second) for x in (2, 30, 60, 98))
    unknown = {image.pixelColor(x, 9).name() for x in range(104, 138)}
    assert len(unknown) > 1


@given(st.floats(-1e300, 1e300), st.floats(0, 1))
def test_every_value_has_a_place_within_the_chart(value, threshold):
    axis = Scale(min(0.0, value), max(1.0, value), threshold)
    assert all(RECT.left() <= axis.x(RECT, tick) <= RECT.right() for tick in axis.ticks)
    assert RECT.left() <= axis.x(RECT, value) <= RECT.right()
