"""The overlay covers the window, names the result and takes no events."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtWidgets import QPushButton, QWidget

from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.theme import colours, set_palette
from kpinspector.ui.parts.drop_overlay import DESK_OPACITY, DropOverlay, DropTarget

# the offscreen platform has no window manager to tell

LEFT, RIGHT = QRect(0, 0, 500, 600), QRect(506, 0, 394, 600)
TARGETS = (
    DropTarget(LEFT, "Open visit-20.json", "Added to the list and scored"),
    DropTarget(RIGHT, "Compare with visit-03", "Side by side", IconName.COMPARE),
)


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
    overlay.show_targets(TARGETS, 0)
    assert overlay.geometry() == window.rect()
    window.resize(1000, 700)
    assert overlay.geometry() == window.rect()
    overlay.clear()
    assert overlay.isHidden()


def test_what_lies_below_still_gets_the_events(window):
    button = QPushButton("x", window)
    button.setGeometry(10, 10, 80, 30)
    button.show()
    overlay = DropOverlay(window)
    overlay.show_targets(TARGETS, 0)
    assert window.childAt(QPoint(20, 20)) is button
    assert overlay.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_the_target_under_the_pointer_has_the_accent_and_the_other_dashes(window, qapp):
    overlay = DropOverlay(window)
    overlay.show_targets(TARGETS, 0)
    found = colours(qapp.palette())
    image = window.grab().toImage()
    down = {image.pixelColor(1, y).name() for y in range(50, 550)}
    assert down == {found.accent.name()}
    dashes = {image.pixelColor(RIGHT.left() + 1, y).name() for y in range(50, 550)}
    assert found.field_edge.name() in dashes
    assert len(dashes) > 1


def test_the_desk_veils_the_window(window, qapp):
    sheet = QWidget(window)
    sheet.setGeometry(window.rect())
    sheet.setAutoFillBackground(True)
    black = sheet.palette()
    black.setColor(sheet.backgroundRole(), QColor("black"))
    sheet.setPalette(black)
    sheet.show()
    DropOverlay(window).show_targets((), -1)
    seen = window.grab().toImage().pixelColor(3, 3)
    desk = colours(qapp.palette()).desk
    assert seen.red() == pytest.approx(desk.red() * DESK_OPACITY, abs=2)


def test_the_result_is_said(window):
    overlay = DropOverlay(window)
    overlay.show_targets(TARGETS, 1)
    interface = QAccessible.queryAccessibleInterface(overlay)
    assert interface.text(QAccessible.Text.Name) == "Compare with visit-03"
    overlay.show_refusal("A picture cannot be opened", "Drop JSON files")
    assert interface.text(QAccessible.Text.Name) == "A picture cannot be opened"
    assert interface.text(QAccessible.Text.Description) == "Drop JSON files"


def test_a_refusal_has_no_accent(window, qapp):
    overlay = DropOverlay(window)
    overlay.show_refusal("A picture cannot be opened", "Drop JSON files")
    image = window.grab().toImage()
    accent = colours(qapp.palette()).accent.name()
    assert accent not in {
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
    }
    assert image.pixelColor(window.rect().center()) != image.pixelColor(5, 5)


def test_a_long_name_in_a_narrow_target_is_wrapped(window):
    overlay = DropOverlay(window)
    narrow = DropTarget(QRect(0, 0, 160, 600), "Open a very long file name " * 3, "x")
    overlay.show_targets((narrow,), 0)
    assert not window.grab().isNull()
