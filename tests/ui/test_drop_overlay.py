"""The overlay covers the window, names the result and takes no events."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from kpinspector.ui.look.theme import colours, set_palette
from kpinspector.ui.parts.drop_overlay import DropOverlay

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
