"""The slider of a dimension: keys, mouse and role of the stock one, and what it marks."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtWidgets import QApplication

from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.controls.slider import UNITS, DimensionSlider
from kpinspector.ui.look.theme import colours, set_palette
from tests.known import of


@pytest.fixture
def slider(qtbot):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    made = DimensionSlider(Dimension.NOVELTY, "Novelty")
    qtbot.addWidget(made)
    made.resize(240, 28)
    made.setValue(450)
    with qtbot.waitExposed(made):
        made.show()
    return made


def at(slider, share):
    return slider.place_of(share).toPoint()


def colour_at(slider, share, below=0):
    picture = slider.grab().toImage()
    point = at(slider, share) + QPoint(0, below)
    ratio = picture.devicePixelRatio()
    return picture.pixelColor(round(point.x() * ratio), round(point.y() * ratio))


def test_assistive_technology_finds_a_slider_with_a_value(slider):
    found = QAccessible.queryAccessibleInterface(slider)
    assert found.role() is QAccessible.Role.Slider
    assert found.text(QAccessible.Text.Name) == "Novelty"
    value = found.valueInterface()
    assert (value.minimumValue(), value.currentValue(), value.maximumValue()) == (0, 450, UNITS)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (Qt.Key.Key_Right, 460),
        (Qt.Key.Key_Left, 440),
        (Qt.Key.Key_PageUp, 550),
        (Qt.Key.Key_PageDown, 350),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_End, 1000),
    ],
)
def test_keys_move_it(slider, qtbot, key, value):
    slider.setFocus()
    qtbot.keyClick(slider, key)
    assert slider.value() == value


def test_a_press_anywhere_takes_the_knob_there_and_a_drag_goes_on(slider, qtbot):
    heard = []
    slider.sliderReleased.connect(lambda: heard.append(slider.value()))
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=at(slider, 0.2))
    assert abs(slider.value() - 200) <= 5
    qtbot.mouseMove(slider, at(slider, 0.7))
    assert abs(slider.value() - 700) <= 5
    qtbot.mouseMove(slider, QPoint(-50, 0))
    assert slider.value() == 0
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(999, 0))
    assert heard == [0]
    qtbot.mouseMove(slider, at(slider, 0.5))
    assert slider.value() == 0


def test_the_wheel_belongs_to_the_pane_until_the_slider_has_the_focus(slider):
    def turn():
        event = QWheelEvent(
            QPointF(100, 10),
            QPointF(100, 10),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(slider, event)
        return event.isAccepted()

    slider.clearFocus()
    assert not turn() and slider.value() == 450
    slider.setFocus()
    assert turn() and slider.value() > 450


def test_what_is_filled_what_is_marked_and_what_is_neither(slider):
    found = colours(slider.palette())
    slider.set_marks(0.8, 0.6)
    assert colour_at(slider, 0.2) == found.novelty
    assert colour_at(slider, 0.95) == found.track
    assert colour_at(slider, 0.45).lightness() > 230  # inside the knob
    assert colour_at(slider, 0.8) == found.sheet  # inside the ghost
    triangle = colour_at(slider, 0.6, below=11)
    assert triangle.lightness() < 90
    slider.set_marks(None, None)
    assert colour_at(slider, 0.8) == found.track
    assert colour_at(slider, 0.6, below=11).lightness() > 200


@pytest.mark.parametrize(("value", "end"), [(-3.0, 0), (1.5, 1), (float("inf"), 1)])
def test_a_mark_outside_the_track_stands_at_its_end(slider, value, end):
    slider.set_marks(value, value)
    assert slider.place_of(value) == slider.place_of(float(end))
    assert slider.place_of(float("nan")) == slider.place_of(0.0)
    slider.grab()
