"""What pages are made of: two parts beside each other, a hint with a link, and what scrolls."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLabel, QStyle, QStyleOptionSlider, QVBoxLayout, QWidget

from kpinspector.ui.controls.base import FlatButton, Label, PushButton
from kpinspector.ui.look.theme import colours, set_palette
from kpinspector.ui.parts.column_page import HintPage, SheetScroll, TwoColumns

GAP = 20


def test_the_parts_stand_below_each_other_or_share_the_width(qtbot):
    page, first, second = QWidget(), QLabel("first"), QLabel("second")
    qtbot.addWidget(page)
    columns = TwoColumns(first, second, GAP)
    page.setLayout(columns)
    columns.setGeometry(QRect(0, 0, 400, 300))
    wide = columns.wide
    assert not wide
    assert second.y() > first.geometry().bottom() and second.x() == first.x() == 0
    assert columns.set_wide(wide=True) and columns.wide
    columns.setGeometry(QRect(0, 0, 400, 300))
    assert first.width() == second.width() == (400 - GAP) // 2
    assert (second.y(), second.x()) == (first.y(), first.geometry().right() + 1 + GAP)


def test_only_another_place_is_news(qtbot):
    page, first, second = QWidget(), QLabel("first"), QLabel("second")
    qtbot.addWidget(page)
    columns = TwoColumns(first, second, GAP)
    page.setLayout(columns)
    assert [columns.set_wide(wide=wide) for wide in (False, True, True, False)] == [
        False,
        True,
        False,
        True,
    ]
    assert columns.spacing() == 0


def test_the_link_is_heard_by_mouse_and_key(qtbot):
    page = HintPage("No trace matches.", "Clear filter", padding=12)
    qtbot.addWidget(page)
    page.show()
    (button,) = page.findChildren(FlatButton)
    heard = []
    page.link_chosen.connect(lambda: heard.append(True))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert len(heard) == 2
    assert button.text() == "Clear filter"


def test_a_sentence_alone_breaks_its_lines(qtbot):
    page = HintPage()
    qtbot.addWidget(page)
    page.set_sentence("Nothing is remembered yet. Every trace that is scored is listed here.")
    page.resize(200, 200)
    page.show()
    (label,) = page.findChildren(Label)
    assert not page.findChildren(FlatButton)
    assert label.text().startswith("Nothing is remembered")
    assert label.height() > 2 * label.fontMetrics().height()
    assert label.textFormat() is Qt.TextFormat.PlainText


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


def test_where_all_is_seen_keys_pass_it_by(qtbot, page):
    page.window().resize(200, 600)
    qtbot.waitUntil(lambda: page.verticalScrollBar().maximum() == 0)
    assert page.focusPolicy() == Qt.FocusPolicy.NoFocus
    page.window().resize(200, 250)
    qtbot.waitUntil(lambda: page.focusPolicy() == Qt.FocusPolicy.StrongFocus)


def test_it_never_scrolls_sideways(page):
    page.widget().setMinimumWidth(900)
    assert not page.horizontalScrollBar().isVisible()
    assert page.minimumSizeHint().height() == 0
