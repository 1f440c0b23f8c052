"""The overlay covers the window, names the result and takes no events."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtWidgets import QPushButton, QWidget

from kpinspector.ui.look.theme import colours, set_palette
from kpinspector.ui.parts.drop_overlay import DESK_OPACITY, DropOverlay

# the offscreen platform has no window manager to tell


@pytest.fixture
def window(qtbot, qapp):
    set_palette(qapp, dark=False)
    top = QWidget()
    qtbot.addWidget(top)
    top.resize(900, 600)
    with qtbot.waitExposed(top):
        top.show()
    return top


def test_it_covers_all_of_the_window_and_follows_it(window):
    overlay = DropOverlay(window)
    assert overlay.isHidden()
    overlay.say_of("Open a.json", "Added", refused=False)
    assert overlay.geometry() == window.rect()
    window.resize(1000, 700)
    assert overlay.geometry() == window.rect()
    overlay.hide()
    assert overlay.isHidden()


def test_what_lies_below_still_gets_the_events(window):
    button = QPushButton("x", window)
    button.setGeometry(10, 10, 80, 30)
    button.show()
    overlay = DropOverlay(window)
    overlay.say_of("Open a.json", "Added", refused=False)
    assert window.childAt(QPoint(20, 20)) is button
    assert overlay.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_the_window_has_an_edge_in_the_accent(window, qapp):
    overlay = DropOverlay(window)
    overlay.say_of("Open a.json", "Added", refused=False)
    image = window.grab().toImage()
    down = {image.pixelColor(1, y).name() for y in range(50, 550)}
    assert down == {colours(qapp.palette()).accent.name()}


def test_the_desk_veils_the_window(window, qapp):
    sheet = QWidget(window)
    sheet.setGeometry(window.rect())
    sheet.setAutoFillBackground(True)
    black = sheet.palette()
    black.setColor(sheet.backgroundRole(), QColor("black"))
    sheet.setPalette(black)
    sheet.show()
    DropOverlay(window).say_of("", "", refused=True)
    seen = window.grab().toImage().pixelColor(3, 3)
    desk = colours(qapp.palette()).desk
    assert seen.red() == pytest.approx(desk.red() * DESK_OPACITY, abs=2)


def test_the_result_is_said(window):
    overlay = DropOverlay(window)
    interface = QAccessible.queryAccessibleInterface(overlay)
    overlay.say_of("A picture cannot be opened", "Drop JSON files", refused=True)
    assert interface.text(QAccessible.Text.Name) == "A picture cannot be opened"
    assert interface.text(QAccessible.Text.Description) == "Drop JSON files"


def test_a_refusal_has_no_accent(window, qapp):
    overlay = DropOverlay(window)
    overlay.say_of("A picture cannot be opened", "Drop JSON files", refused=True)
    image = window.grab().toImage()
    accent = colours(qapp.palette()).accent.name()
    assert accent not in {
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
    }
    assert image.pixelColor(window.rect().center()) != image.pixelColor(5, 5)


def test_a_long_name_in_a_narrow_window_is_wrapped(window):
    window.resize(160, 600)
    DropOverlay(window).say_of("Open a very long file name " * 3, "x", refused=False)
    assert not window.grab().isNull()
