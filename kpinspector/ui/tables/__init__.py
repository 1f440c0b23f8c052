"""Tables that are gone through by rows: flat, with one row under the mouse and one current."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QPoint, Signal
from PySide6.QtGui import QAccessible, QAction, QContextMenuEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QMenu,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)
from typing_extensions import override

from kpinspector.ui.look.painting import STRIP, RowDelegate, row_ground
from kpinspector.ui.look.theme import Colours, colours
from kpinspector.ui.tables.figure_model import Index


class RowMenu(QMenu):
    """Shows commands for the row that a view was asked about; none where there is no row."""

    def __init__(self, view: QAbstractItemView, column: int) -> None:
        super().__init__(view)
        self._view = view
        self._column = column
        self.setToolTipsVisible(True)

    def set_actions(self, actions: Sequence[QAction | None]) -> None:
        """The commands, with None for a line; their keys work in the view."""
        self.clear()
        for action in actions:
            if action is None:
                self.addSeparator()
            else:
                self.addAction(action)
                self._view.addAction(action)

    def show_for(self, event: QContextMenuEvent) -> None:
        """Stand where the event asks for it, if there is a row."""
        place = place_of_menu(self._view, event, self._column)
        if place is not None and not self.isEmpty():
            self.popup(place)


def place_of_menu(view: QAbstractItemView, event: QContextMenuEvent, column: int) -> QPoint | None:
    """At the pointer, else below the current row, which comes into sight; None without a row."""
    by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
    index = view.indexAt(event.pos()) if by_mouse else view.currentIndex()
    if by_mouse or not index.isValid():
        return event.globalPos() if index.isValid() else None
    view.scrollTo(index)
    cell = view.visualRect(index.siblingAtColumn(column))
    return view.viewport().mapToGlobal(cell.bottomLeft())


class FlatTable(QTableView):
    """A table without frame and grid, and with one row under the mouse.

    Who derives from it says how wide columns are.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hovered_row = -1
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def make_fonts(self) -> None:
        """It has another font than before."""

    def lay_out_columns(self) -> None:
        """Give columns and rows the sizes that font and room ask for."""

    def set_hovered(self, row: int) -> None:
        """Another row is under the mouse; -1 for none."""
        if row != self.hovered_row:
            before, self.hovered_row = self.hovered_row, row
            for each in (before, row):
                self.update_row(each)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.make_fonts()
            self.lay_out_columns()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self.set_hovered(-1)
        super().leaveEvent(event)

    def update_row(self, row: int) -> None:
        """Paint a row anew; -1 stands for none."""
        if row >= 0:
            top = self.rowViewportPosition(row)
            self.viewport().update(0, top, self.viewport().width(), self.rowHeight(row))


class RowTable(FlatTable):
    """Rows are selected, several at a time."""

    selection_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.entered.connect(lambda index: self.set_hovered(index.row()))
        self.viewportEntered.connect(lambda: self.set_hovered(-1))

    def selected_rows(self) -> list[int]:
        """The rows that are selected, from top to bottom."""
        selection = self.selectionModel().selection()  # of whole rows
        ranges = map(selection.at, range(selection.count()))
        return sorted({row for one in ranges for row in range(one.top(), one.bottom() + 1)})

    def select_rows(self, rows: Sequence[int], flags: QItemSelectionModel.SelectionFlag) -> None:
        """Select rows, given in their order, with one signal."""
        selection, model = QItemSelection(), self.model()
        for first, last in ranges_of(rows):
            selection.select(model.index(first, 0), model.index(last, model.columnCount() - 1))
        self.selectionModel().select(selection, flags)

    @property
    def delegate(self) -> "TableDelegate":
        """What paints the rows."""
        return self.itemDelegate()  # type: ignore[return-value]

    @override
    def make_fonts(self) -> None:
        self.delegate.forget_fonts()

    @override
    def dataChanged(self, topLeft: Index, bottomRight: Index, roles: Sequence[int] = ()) -> None:
        """Paint those of the changed rows that are in sight; Qt would paint all that is."""
        if QAccessible.isActive():
            super().dataChanged(topLeft, bottomRight, roles)
            return
        last_seen = self.rowAt(self.viewport().height() - 1)
        first = max(topLeft.row(), self.rowAt(0))
        last = min(bottomRight.row(), last_seen if last_seen >= 0 else self.model().rowCount() - 1)
        if first <= last:
            top, below = self.rowViewportPosition(first), self.rowViewportPosition(last)
            height = below + self.rowHeight(last) - top
            self.viewport().update(0, top, self.viewport().width(), height)

    @override
    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Bring a row into sight; sideways nothing moves, so that every row shows the same."""
        bar = self.horizontalScrollBar()
        place = bar.value()
        self.updateGeometries()  # else Qt scrolls no further than the rows before reached
        super().scrollTo(index, hint)
        bar.setValue(place)

    @override
    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.selection_changed.emit()


class TableDelegate(RowDelegate):
    """Paints what lies behind the cells of a row; its first column has the current row's strip."""

    def __init__(self, table: RowTable, first_column: int) -> None:
        super().__init__(table)
        self.first_column = first_column
        self.table = table

    def paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> Colours:
        """Tint and strip of a cell; gives the colours for what comes upon them."""
        table, rect, row = self.table, option.rect, index.row()
        found = colours(table.palette())
        tint = row_ground(option, table, found, hovered=row == table.hovered_row)
        if tint is not None:
            painter.fillRect(rect, tint)
        first = index.column() == self.first_column
        if first and table.hasFocus() and row == table.currentIndex().row():
            painter.fillRect(rect.left(), rect.top(), STRIP, rect.height(), found.accent)
        return found


def ranges_of(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The runs of consecutive numbers in a sorted sequence, as first and last."""
    if not places:
        return
    breaks = [n for n, (one, other) in enumerate(pairwise(places), 1) if other != one + 1]
    for start, end in pairwise((0, *breaks, len(places))):
        yield places[start], places[end - 1]
