"""The chart of the waterfall, by its pixels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.look.theme import colours, make_palette
from kpinspector.ui.score.waterfall import ChartBar, Scale, paint_axis, paint_stretch

RECT = QRect(0, 0, 201, 18)
AXIS = Scale(0.0, 1.0, 0.75)


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


def test_thin_lines_join_the_rows(found):
    image = painted(ChartBar(0.3, 0.6, Dimension.OUTCOME_CONFIDENCE), found)
    assert same(image, 60, 0, found.neutral)
    assert same(image, 120, RECT.height() - 1, found.neutral)
    first = painted(ChartBar(0.0, 0.6, joined_above=False), found)
    assert not same(first, 0, 0, found.neutral)


def test_a_falling_bar_is_painted_between_its_ends(found):
    image = painted(ChartBar(0.6, 0.5), found)
    assert same(image, 110, 9, found.second)
    assert same(image, 120, 0, found.neutral)
    assert same(image, 100, RECT.height() - 1, found.neutral)


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


def test_nothing_is_painted_for_nothing(found):
    image = painted(ChartBar(0.5, 0.5, Dimension.COMPLEXITY), found)
    assert not same(image, 100, 9, found.complexity)


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_bars_are_sharp_at_every_scale(found, ratio):
    image = painted(ChartBar(0.25, 0.5, Dimension.NOVELTY), found, ratio=ratio)
    middle = image.height() // 2
    shades = {image.pixelColor(x, middle).name() for x in range(image.width())}
    assert shades <= {
        found.novelty.name(),
        found.text.name(),
        found.line.name(),
        QColor(Qt.GlobalColor.white).name(),
    }


@given(st.floats(-1e300, 1e300), st.floats(0, 1))
def test_every_value_has_a_place_within_the_chart(value, threshold):
    axis = Scale(min(0.0, value), max(1.0, value), threshold)
    assert all(RECT.left() <= axis.x(RECT, tick) <= RECT.right() for tick in axis.ticks)
    assert RECT.left() <= axis.x(RECT, value) <= RECT.right()


def test_ticks_near_the_threshold_give_way_to_it(found):
    image = QImage(RECT.size(), QImage.Format.Format_RGB32)
    image.fill(QColor(Qt.GlobalColor.white))
    painter = QPainter(image)
    paint_axis(Scale(0.0, 1.0, 0.76), painter, RECT, found)
    painter.end()
    dark = [x for x in range(RECT.width()) if image.pixelColor(x, 9).lightness() < 120]
    assert [x for x in dark if 130 < x < 175]
