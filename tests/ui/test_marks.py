"""Painted bars, pixel by pixel; every state has a shape of its own, even in grey."""

from itertools import combinations, pairwise
from math import floor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter

from kpinspector.app.document import State
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.look.marks import (
    BarKind,
    BarMark,
    Shape,
    aligned,
    paint_badge,
    paint_bar,
    paint_state,
    paint_threshold,
)
from kpinspector.ui.look.theme import colours, set_palette

RATIOS = [1.0, 1.25, 1.5, 2.0, 3.0]


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def found(request, qapp):
    set_palette(qapp, dark=request.param)
    yield colours(qapp.palette())
    set_palette(qapp, dark=False)


def painted(paint, ground, *, size=(120, 40), ratio=1.0):
    width, height = (round(side * ratio) for side in size)
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(ground)
    painter = QPainter(image)
    paint(painter)
    painter.end()
    image.setDevicePixelRatio(1)
    return image


def row(image, y):
    return [image.pixelColor(x, y).name() for x in range(image.width())]


def all_colours(image):
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


@given(
    st.floats(-500, 500), st.floats(-500, 500), st.floats(0, 300), st.floats(0, 300),
    st.sampled_from(RATIOS), st.floats(-50, 50),
)  # fmt: skip
def test_edges_lie_on_device_pixels_however_the_painter_is_moved_and_scaled(
    x, y, width, height, ratio, moved
):
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    painter.translate(moved, -moved)
    device = painter.deviceTransform().mapRect(aligned(painter, QRectF(x, y, width, height)))
    asked = painter.deviceTransform().mapRect(QRectF(x, y, width, height))
    painter.end()
    for edge in ("left", "top", "right", "bottom"):
        found, wanted = getattr(device, edge)(), getattr(asked, edge)()
        assert found == pytest.approx(round(found), abs=1e-6)
        assert abs(found - wanted) <= 0.5 + 1e-6


@pytest.mark.parametrize("ratio", RATIOS)
def test_a_solid_bar_has_two_colours_and_no_soft_edge(found, ratio):
    bar = BarMark(found.novelty, 0.4567, track=found.track)
    image = painted(
        lambda p: paint_bar(p, QRect(10, 10, 101, 8), bar, found), found.sheet, ratio=ratio
    )
    names = {found.novelty.name(), found.track.name(), found.sheet.name()}
    assert all_colours(image) == names
    middle = row(image, round(14 * ratio))
    assert middle.count(found.novelty.name()) == pytest.approx(0.4567 * 101 * ratio, abs=1)


@pytest.mark.parametrize("ratio", RATIOS)
def test_neighbours_meet_without_a_gap_or_an_overlap(found, ratio):
    edges = [0.0, 0.0742, 0.1642, 0.2142, 0.7477]
    fills = [found.dimension(dimension) for dimension in Dimension]

    def paint(painter):
        for colour, (start, end) in zip(fills, pairwise(edges), strict=True):
            paint_bar(painter, QRect(3, 10, 107, 10), BarMark(colour, end, start), found)

    middle = row(painted(paint, found.sheet, ratio=ratio), round(15 * ratio))
    seen = [name for name, before in zip(middle, [None, *middle], strict=False) if name != before]
    assert seen == [found.sheet.name(), *(c.name() for c in fills), found.sheet.name()]


def test_values_outside_the_range_end_at_the_edge(found):
    for start, end in ((-0.4, 0.5), (0.5, 1.7)):
        image = painted(
            lambda p, s=start, e=end: paint_bar(
                p, QRect(10, 10, 100, 8), BarMark(found.novelty, e, s), found
            ),
            found.sheet,
        )
        assert row(image, 14).count(found.novelty.name()) == 50


@pytest.mark.parametrize("kind", [BarKind.ASSUMED, BarKind.PENDING])
@pytest.mark.parametrize("ratio", RATIOS)
def test_a_hatch_stays_inside_its_bar(found, kind, ratio):
    bar = BarMark(found.rejected, 0.75, 0.25, kind=kind)
    image = painted(
        lambda p: paint_bar(p, QRect(10, 10, 100, 8), bar, found), found.sheet, ratio=ratio
    )
    inked = {
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y) != found.sheet
    }
    low, high = (0.0, 1.0) if kind is BarKind.PENDING else (0.25, 0.75)
    xs, ys = [x for x, _ in inked], [y for _, y in inked]
    assert min(xs) >= floor((10 + 100 * low) * ratio + 0.5)
    assert max(xs) < floor((10 + 100 * high) * ratio + 0.5)
    assert min(ys) >= floor(10 * ratio + 0.5)
    assert max(ys) < floor(18 * ratio + 0.5)
    across = row(image, round(14 * ratio))
    assert found.sheet.name() in across[min(xs) : max(xs)], "a hatch lets the ground through"


def test_an_assumed_bar_ends_at_the_value_with_an_outline(found):
    bar = BarMark(found.novelty, 0.5, kind=BarKind.ASSUMED, track=found.track)
    image = painted(lambda p: paint_bar(p, QRect(10, 10, 100, 8), bar, found), found.sheet)
    for x, y in ((10, 13), (59, 13), (30, 10), (30, 17)):
        assert image.pixelColor(x, y) == found.novelty
    assert image.pixelColor(60, 13) == found.track


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_the_threshold_is_a_line_that_stands_out_above_the_bar(found, ratio):
    image = painted(
        lambda p: paint_threshold(p, QRect(10, 10, 100, 8), 0.75, found.text),
        found.sheet,
        ratio=ratio,
    )
    for y in (14, 9):
        assert row(image, round(y * ratio)).count(found.text.name()) == ratio


def drawn_state(state, found, **options):
    image = painted(
        lambda p: paint_state(p, QRect(3, 3, 14, 14), state, found, **options),
        found.sheet,
        size=(20, 20),
        ratio=2.0,
    )
    return image.convertToFormat(QImage.Format.Format_Grayscale8)


@pytest.mark.slow
def test_states_are_told_apart_in_grey(found):
    drawn: dict[str, Any] = {
        shape: drawn_state(shape, found) for shape in Shape if shape is not Shape.UNREADABLE
    }
    drawn |= {
        f"assumed {shape}": drawn_state(shape, found, assumed=True)
        for shape in (Shape.ACCEPTED, Shape.REJECTED, Shape.UNDECIDED)
    }
    for (one, first), (other, second) in combinations(drawn.items(), 2):
        differing = sum(
            abs(first.pixelColor(x, y).red() - second.pixelColor(x, y).red()) > 60
            for x in range(40)
            for y in range(40)
        )
        assert differing > 24, (one, other)


def test_every_state_of_a_row_and_both_verdicts_have_a_shape(found):
    for state in (*State, *Verdict):
        assert drawn_state(state, found) == drawn_state(Shape(state.value), found)


@pytest.mark.parametrize("filled", [False, True])
def test_what_is_undecided_stands_on_its_tip_with_its_left_half_filled(found, filled):
    def paint(painter):
        paint_state(painter, QRect(0, 0, 40, 40), Shape.UNDECIDED, found, filled=filled)

    image = painted(paint, found.sheet, size=(40, 40))
    text, sheet = found.text.name(), found.sheet.name()
    assert image.pixelColor(14, 20).name() == text
    assert image.pixelColor(26, 20).name() == sheet
    for x, y in ((4, 4), (36, 4), (4, 36), (36, 36)):
        assert image.pixelColor(x, y).name() == sheet
    assert image == painted(
        lambda painter: paint_state(painter, QRect(0, 0, 40, 40), Verdict.UNDECIDED, found),
        found.sheet,
        size=(40, 40),
    )


def test_what_is_judged_so_far_is_never_filled(found):
    for verdict in Verdict:
        shape = Shape(f"{verdict}_so_far")
        assert drawn_state(shape, found) == drawn_state(shape, found, filled=True)
        assert drawn_state(shape, found) != drawn_state(shape, found, assumed=True)


def test_assumed_is_never_filled(found):
    for shape in (Shape.ACCEPTED, Shape.REJECTED, Shape.UNDECIDED):
        assert drawn_state(shape, found, assumed=True) == drawn_state(
            shape, found, assumed=True, filled=True
        )


def test_a_badge_is_filled_with_its_dimension_and_has_a_letter(found):
    for dimension in Dimension:
        image = painted(
            lambda p, d=dimension: paint_badge(p, QRect(2, 2, 18, 18), d, found),
            found.sheet,
            size=(22, 22),
        )
        assert image.pixelColor(4, 4) == found.dimension(dimension)
        assert found.on_fill.name() in all_colours(image) or len(all_colours(image)) > 8
