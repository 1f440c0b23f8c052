"""Tabs, headers, scroll bars and splitters."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QToolButton, QTreeView

from kpinspector.ui.controls.views import HeaderView
from kpinspector.ui.look.theme import colours, set_palette
from tests.ui.windows import tabs_of, windows


@pytest.fixture(autouse=True)
def light(qapp):
    set_palette(qapp, dark=False)


@pytest.fixture
def window(qtbot):
    yield from windows(qtbot)


def tree(rows=200):
    model = QStandardItemModel(0, 2)
    model.setHorizontalHeaderLabels(["Score", "Trace"])
    for number in range(rows):
        model.appendRow([QStandardItem(str(number)), QStandardItem("x")])
    view = QTreeView()
    model.setParent(view)
    view.setHeader(HeaderView())
    view.setUniformRowHeights(True)
    view.setModel(model)
    return view


def test_tabs_are_changed_by_keys_and_underlined(window, qapp, qtbot):
    tabs = tabs_of("Why", "What-if")
    window(tabs)
    tabs.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(tabs, Qt.Key.Key_Right)
    assert tabs.currentIndex() == 1
    found = colours(qapp.palette())
    image = tabs.grab().toImage()
    y = tabs.height() - 2
    assert image.pixelColor(tabs.tabRect(1).center().x(), y) == found.accent
    assert image.pixelColor(tabs.tabRect(0).center().x(), y) != found.accent
    assert image.pixelColor(tabs.tabRect(0).center().x(), tabs.height() - 1) == found.line


@pytest.mark.parametrize("points", [7.0, 9.0, 9.5, 10.0, 11.3, 16.7])
def test_a_tab_with_room_for_its_word_is_not_cut(qtbot, qapp, points, monkeypatch):
    written = []
    draw = QPainter.drawText
    monkeypatch.setattr(
        QPainter, "drawText", lambda *args: (written.append(args[-1]), draw(*args))[1]
    )
    words = ["Why", "What-if", "Neighbours", "Report", "Text", "JSON", "Source"]
    tabs = tabs_of(*words)
    qtbot.addWidget(tabs)
    made = QFont(qapp.font())
    made.setPointSizeF(points)
    tabs.setFont(made)
    tabs.resize(tabs.sizeHint())
    for current in range(len(words)):
        written.clear()
        tabs.setCurrentIndex(current)
        tabs.grab()
        assert written == words


def test_tabs_move_together_before_they_scroll(window):
    words = ("Why", "What-if", "Neighbours", "Compare", "Profiles", "Report")
    tabs = tabs_of(*words)
    window(tabs)
    whole = tabs.sizeHint().width()
    usual = [tabs.tabRect(number).width() for number in range(6)]
    arrows = tabs.findChildren(QToolButton)
    for width, scrolls in ((whole - 40, False), (whole // 2, True)):
        tabs.setFixedWidth(width)
        rects = [tabs.tabRect(number) for number in range(6)]
        assert rects[0].left() == 0 and (rects[-1].right() >= width) == scrolls
        assert all(one.right() < other.left() for one, other in pairwise(rects))
        assert [button.isVisible() for button in arrows] == [scrolls] * 2
        assert tabs.sizeHint().width() == whole
        tabs.grab()
    tabs.setFixedWidth(whole)
    assert [tabs.tabRect(number).width() for number in range(6)] == usual
    tabs.setTabVisible(2, False)
    assert tabs.sizeHint().width() == whole - usual[2]


def test_a_scroll_bar_is_a_thumb_alone_that_is_lit_under_the_mouse(window, qapp, qtbot):
    view = tree()
    view.resize(200, 300)
    window(view)
    bar, found = view.verticalScrollBar(), colours(qapp.palette())
    assert bar.width() == 10
    column = bar.mapTo(view, QPoint(5, 0))
    image = view.grab().toImage()
    assert image.pixelColor(column + QPoint(0, 12)) == found.button_edge
    assert image.pixelColor(column + QPoint(0, bar.height() - 2)) == found.sheet
    qtbot.mouseMove(bar, QPoint(5, 12))
    assert view.grab().toImage().pixelColor(column + QPoint(0, 12)) == found.field_edge
