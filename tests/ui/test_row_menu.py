"""The menu of a row, by mouse and by keyboard."""

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QStringListModel, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QListView
from typing_extensions import override

from kpinspector.ui.tables.row_table import RowMenu


class List(QListView):
    menu: RowMenu

    @override
    def contextMenuEvent(self, event):
        self.menu.show_for(event)


@pytest.fixture
def places(monkeypatch):
    """Where menus came up: the offscreen platform has no menus."""
    found = []
    monkeypatch.setattr(RowMenu, "popup", lambda _menu, place: found.append(place))
    return found


@pytest.fixture
def view(qtbot):
    view = List()
    view.setModel(QStringListModel([str(number) for number in range(100)], view))
    view.menu = RowMenu(view, 0)
    qtbot.addWidget(view)
    view.resize(200, 200)
    view.show()
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    view.setCurrentIndex(QModelIndex())
    return view


def ask(view, place, reason):
    viewport = view.viewport()
    event = QContextMenuEvent(reason, place, viewport.mapToGlobal(place))
    QApplication.sendEvent(viewport, event)


def actions(view):
    first, last = QAction("Copy", view), QAction("Remove", view)
    first.setShortcut("Ctrl+Shift+C")
    view.menu.set_actions((first, None, last))
    return first, last


def test_the_mouse_asks_about_the_row_under_it(view, places):
    actions(view)
    place = view.visualRect(view.model().index(2, 0)).center()
    ask(view, place, QContextMenuEvent.Reason.Mouse)
    assert places == [view.viewport().mapToGlobal(place)]
    view.setModel(QStringListModel(["one"], view))
    ask(view, QPoint(20, 180), QContextMenuEvent.Reason.Mouse)
    assert len(places) == 1


def test_the_menu_key_asks_about_the_current_row_and_brings_it_into_sight(view, places):
    actions(view)
    ask(view, QPoint(5, 5), QContextMenuEvent.Reason.Keyboard)
    assert places == []
    index = view.model().index(60, 0)
    view.selectionModel().setCurrentIndex(index, view.selectionModel().SelectionFlag.Select)
    view.scrollToTop()
    ask(view, QPoint(5, 5), QContextMenuEvent.Reason.Keyboard)
    cell = view.visualRect(index)
    assert view.viewport().rect().contains(cell.center())
    assert places == [view.viewport().mapToGlobal(cell.bottomLeft())]


def test_without_commands_there_is_no_menu(view, places):
    view.setCurrentIndex(view.model().index(0, 0))
    ask(view, QPoint(5, 5), QContextMenuEvent.Reason.Keyboard)
    assert places == []


def test_commands_stand_in_their_order_and_their_keys_work_in_the_view(qtbot, view):
    first, last = actions(view)
    assert [one.text() for one in view.menu.actions()] == ["Copy", "", "Remove"]
    assert view.menu.actions()[1].isSeparator()
    heard = []
    first.triggered.connect(lambda: heard.append(True))
    qtbot.keyClick(
        view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    assert heard == [True]
    view.menu.set_actions((last,))
    assert [one.text() for one in view.menu.actions()] == ["Remove"]
