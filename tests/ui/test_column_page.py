"""What pages are made of: two parts beside each other, a hint with a link, and what scrolls."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyle, QStyleOptionSlider, QVBoxLayout, QWidget

from kpinspector.ui.controls.base import PushButton
from kpinspector.ui.look.theme import colours, set_palette
from kpinspector.ui.parts.sections import SheetScroll


class Below(SheetScroll):
    """With what stands above it."""

    above: PushButton


@pytest.fixture
def page(qtbot, qapp):
    set_palette(qapp, dark=False)
    content = QWidget()
    content.setFixedHeight(400)
    page = Below(content, steady=True)
    above = PushButton("Above")
    window = QWidget()
    column = QVBoxLayout(window)
    column.addWidget(above)
    column.addWidget(page, 1)
    page.above = above
    qtbot.addWidget(window)
    window.resize(200, 250)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return page


def thumb(page):
    bar, option = page.verticalScrollBar(), QStyleOptionSlider()
    bar.initStyleOption(option)
    control, part = QStyle.ComplexControl.CC_ScrollBar, QStyle.SubControl.SC_ScrollBarSlider
    place = bar.style().subControlRect(control, option, part, bar).center()
    return bar.grab().toImage().pixelColor(place)


def test_keys_come_to_it_and_scroll_it_and_the_thumb_says_so(qtbot, page):
    found = colours(page.palette())
    assert thumb(page) == found.button_edge
    page.above.setFocus()
    qtbot.keyClick(page.above, Qt.Key.Key_Tab)
    assert page.hasFocus()
    assert thumb(page) == found.accent
    qtbot.keyClick(page, Qt.Key.Key_PageDown)
    assert page.verticalScrollBar().value() > 0
    qtbot.keyClick(page, Qt.Key.Key_Tab)
    assert not page.hasFocus()
    assert thumb(page) == found.button_edge


def test_no_thumb_is_seen_where_there_is_nothing_to_scroll(qtbot, qapp):
    page = SheetScroll(QWidget(), steady=True)
    qtbot.addWidget(page)
    page.resize(200, 200)
    page.show()
    bar = page.verticalScrollBar()
    place = bar.mapTo(page, bar.rect().center())
    assert page.grab().toImage().pixelColor(place) == colours(qapp.palette()).sheet
