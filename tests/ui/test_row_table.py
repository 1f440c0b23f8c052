"""What tables that are gone through by rows share, and their menu."""

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QStringListModel, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QImage, QPainter
from PySide6.QtWidgets import QApplication, QListView, QStyleOptionViewItem
from typing_extensions import override

from kpinspector.ui.look.painting import STRIP, draw_name, draw_text
from kpinspector.ui.look.theme import colours
from kpinspector.ui.tables import RowMenu, RowTable, TableDelegate
from tests.ui.windows import exposed


class Delegate(TableDelegate):
    def paint(self, painter, option, index):
        found = self.paint_ground(painter, option, index)
        draw_text(painter, option.rect, index.data(), self.fonts.body, found.text)


class Table(RowTable):
    laid_out = 0

    def lay_out_columns(self):
        self.laid_out += 1


@pytest.fixture
def table(qtbot):
    table = Table()
    table.setModel(QStringListModel(["one", "two", "three"], table))
    table.setItemDelegate(Delegate(table, 0))
    table.setColumnWidth(0, 200)
    qtbot.addWidget(table)
    table.resize(240, 200)
    table.show()
    table.activateWindow()
    qtbot.waitUntil(table.isActiveWindow)
    return table


def ground(table, row, x):
    rect = table.visualRect(table.model().index(row, 0))
    image = table.viewport().grab(rect).toImage()
    return image.pixelColor(x, 2)


def test_the_current_row_has_a_tint_and_a_strip_while_it_has_the_keys(table):
    found = colours(table.palette())
    table.setFocus()
    table.setCurrentIndex(table.model().index(1, 0))
    assert ground(table, 1, 0) == found.accent
    assert ground(table, 1, STRIP) == found.selection
    assert ground(table, 0, 0) == found.sheet
    table.clearFocus()
    assert ground(table, 1, 0) == ground(table, 1, STRIP) == found.selection_inactive


def test_the_row_under_the_mouse_is_filled_and_no_other(qtbot, table):
    found = colours(table.palette())
    qtbot.mouseMove(table.viewport(), table.visualRect(table.model().index(2, 0)).center())
    qtbot.waitUntil(lambda: table.hovered_row == 2)
    assert ground(table, 2, 100) == found.hover
    assert ground(table, 1, 100) == found.sheet
    qtbot.mouseMove(table.viewport(), QPoint(5, table.viewport().height() - 2))
    qtbot.waitUntil(lambda: table.hovered_row == -1)
    assert ground(table, 2, 100) == found.sheet


def test_another_font_is_measured_again(table):
    before = table.delegate.sizeHint(QStyleOptionViewItem(), table.model().index(0, 0))
    larger = table.font()
    larger.setPointSizeF(larger.pointSizeF() * 2)
    table.setFont(larger)
    assert table.laid_out
    after = table.delegate.sizeHint(QStyleOptionViewItem(), table.model().index(0, 0))
    assert after.height() > before.height()
    assert table.delegate.fonts.body.font.pointSizeF() == larger.pointSizeF()


class Paints(QObject):
    """The rectangles that a widget paints."""

    def __init__(self, widget):
        super().__init__(widget)
        self.rects = []
        widget.installEventFilter(self)

    def eventFilter(self, watched, event):  # noqa: N802
        if event.type() == QEvent.Type.Paint:
            self.rects.append(event.rect())
        return False


@pytest.fixture
def long_table(qtbot):
    table = Table()
    table.setModel(QStringListModel([str(n) for n in range(100)], table))
    table.setItemDelegate(Delegate(table, 0))
    exposed(qtbot, table, 240, 200)
    table.repaint()
    return table


def paints_of(qapp, table, first, last):
    """What is painted when these rows change."""
    model, paints = table.model(), Paints(table.viewport())
    model.dataChanged.emit(model.index(first, 0), model.index(last, 0))
    qapp.processEvents()
    return paints.rects


def test_only_changed_rows_that_are_in_sight_are_painted(qapp, long_table):
    height = long_table.rowHeight(0)
    seen = long_table.rowAt(long_table.viewport().height() - 1)
    assert paints_of(qapp, long_table, seen + 1, 99) == []
    (rect,) = paints_of(qapp, long_table, 1, 2)
    assert (rect.top(), rect.height()) == (height, 2 * height)
    (rect,) = paints_of(qapp, long_table, 2, 99)
    assert rect.top() == 2 * height and rect.bottom() == long_table.viewport().height() - 1
    long_table.scrollToBottom()
    qapp.processEvents()
    assert paints_of(qapp, long_table, 0, 1) == []
    assert len(paints_of(qapp, long_table, 0, 99)) == 1


@pytest.mark.parametrize(("draw", "apart"), [(draw_text, False), (draw_name, True)])
def test_names_that_differ_at_their_end_stay_apart_where_room_is_short(table, draw, apart):
    found, drawn = colours(table.palette()), []
    for name in ("agent_traces 108", "agent_traces 109"):
        drawn.append(QImage(60, 20, QImage.Format.Format_RGB32))
        drawn[-1].fill(found.sheet)
        painter = QPainter(drawn[-1])
        draw(painter, drawn[-1].rect(), name, table.delegate.fonts.body, found.text)
        painter.end()
    assert (drawn[0] != drawn[1]) == apart


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
