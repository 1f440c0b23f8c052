"""Tables whose keys move by rows; one row may be under the mouse, one is current."""

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
    """A context menu for the current row of a view; not shown if there is no row."""

    def __init__(self, view: QAbstractItemView, column: int) -> None:
        super().__init__(view)
        self._view = view
        self._column = column
        self.setToolTipsVisible(True)

    def set_actions(self, actions: Sequence[QAction | None]) -> None:
        """Set the commands, None for a separator; their keys work in the view."""
        self.clear()
        for action in actions:
            if action is None:
                self.addSeparator()
            else:
                self.addAction(action)
                self._view.addAction(action)

    def show_for(self, event: QContextMenuEvent) -> None:
        """Show the menu where the event asks for it, if there is a row."""
        place = place_of_menu(self._view, event, self._column)
        if place is not None and not self.isEmpty():
            self.popup(place)


def place_of_menu(view: QAbstractItemView, event: QContextMenuEvent, column: int) -> QPoint | None:
    """Where a menu opens: at the pointer, or below the current row, scrolled to; else None."""
    by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
    index = view.indexAt(event.pos()) if by_mouse else view.currentIndex()
    if by_mouse or not index.isValid():
        return event.globalPos() if index.isValid() else None
    view.scrollTo(index)
    cell = view.visualRect(index.siblingAtColumn(column))
    return view.viewport().mapToGlobal(cell.bottomLeft())


class FlatTable(QTableView):
    """A table without frame and grid, with one row under the mouse.

    Subclasses set the widths of the columns.
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
        """Make the fonts again, as the table's font has changed."""

    def lay_out_columns(self) -> None:
        """Set the sizes of columns and rows, by the font and the width."""

    def set_hovered(self, row: int) -> None:
        """Set the row that is under the mouse; -1 for none."""
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
        """Paint a row again; -1 is ignored."""
        if row >= 0:
            top = self.rowViewportPosition(row)
            self.viewport().update(0, top, self.viewport().width(), self.rowHeight(row))


class RowTable(FlatTable):
    """A table whose rows can be selected, several at a time."""

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
        """The numbers of the selected rows, from top to bottom."""
        selection = self.selectionModel().selection()  # only whole rows are selected
        ranges = map(selection.at, range(selection.count()))
        return sorted({row for one in ranges for row in range(one.top(), one.bottom() + 1)})

    def select_rows(self, rows: Sequence[int], flags: QItemSelectionModel.SelectionFlag) -> None:
        """Select rows, given in ascending order, with one signal."""
        selection, model = QItemSelection(), self.model()
        for first, last in ranges_of(rows):
            selection.select(model.index(first, 0), model.index(last, model.columnCount() - 1))
        self.selectionModel().select(selection, flags)

    @property
    def delegate(self) -> "TableDelegate":
        """The delegate that paints the rows."""
        return self.itemDelegate()  # type: ignore[return-value]

    @override
    def make_fonts(self) -> None:
        self.delegate.forget_fonts()

    @override
    def dataChanged(self, topLeft: Index, bottomRight: Index, roles: Sequence[int] = ()) -> None:
        """Paint only the visible ones of the changed rows; Qt would paint all visible rows."""
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
        """Scroll to a row; sideways nothing moves, so that all rows show the same columns."""
        bar = self.horizontalScrollBar()
        place = bar.value()
        self.updateGeometries()  # else Qt scrolls only as far as the rows reached before
        super().scrollTo(index, hint)
        bar.setValue(place)

    @override
    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.selection_changed.emit()


class TableDelegate(RowDelegate):
    """Paints the ground of a row; the first column also has the strip of the current row."""

    def __init__(self, table: RowTable, first_column: int) -> None:
        super().__init__(table)
        self.first_column = first_column
        self.table = table

    def paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> Colours:
        """Paint the ground of a cell; return the colours for what is painted on it."""
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
    """The runs of consecutive numbers in a sorted sequence, as pairs of first and last."""
    if not places:
        return
    breaks = [n for n, (one, other) in enumerate(pairwise(places), 1) if other != one + 1]
    for start, end in pairwise((0, *breaks, len(places))):
        yield places[start], places[end - 1]
