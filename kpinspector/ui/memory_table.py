"""The table of what is remembered: its view and the delegate that paints its rows."""

import sys

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from kpinspector.scoring.findings import Entry
from kpinspector.ui.controls_views import HeaderView, ScrollBar
from kpinspector.ui.memory_model import MemoryColumn, MemoryModel, shown_date
from kpinspector.ui.row_painting import (
    CELL_PADDING,
    STRIP,
    RowFonts,
    draw_text,
    row_fonts,
    row_ground,
)
from kpinspector.ui.theme import colours, row_height, scale

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

Index = QModelIndex | QPersistentModelIndex

_NARROW = 108
_GAP = 8
_LEAST_ROWS = 6
_MOST_KEPT = 20_000  # more selected rows than this are not found again


class MemoryTable(QTableView):
    """Shows a ``MemoryModel``; what is selected stays selected when the rows are replaced."""

    selection_changed = Signal()

    def __init__(self, model: MemoryModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries = model
        self._kept: tuple[set[int], int | None, int] = (set(), None, 0)
        self._fonts: RowFonts | None = None
        self._hovered = -1
        self.setAccessibleName(self.tr("Remembered traces"))
        self.setModel(model)
        self.setItemDelegate(_Delegate(self))
        self._set_behaviour()
        self._set_headers()
        model.modelAboutToBeReset.connect(self._on_about_to_be_reset)
        model.modelReset.connect(self._on_reset)
        self.entered.connect(lambda index: self._set_hovered(index.row()))
        self.viewportEntered.connect(lambda: self._set_hovered(-1))

    @property
    def fonts(self) -> RowFonts:
        """The fonts of the rows, kept until the view's font changes."""
        if self._fonts is None:
            self._fonts = row_fonts(self.font())
        return self._fonts

    @property
    def hovered(self) -> int:
        """The row under the mouse, or -1."""
        return self._hovered

    def selected_entries(self) -> list[Entry]:
        """What is selected, from top to bottom."""
        ranges = sorted(self._ranges())
        return [entry for top, bottom in ranges for entry in self._entries.entries(top, bottom)]

    @property
    def selected_count(self) -> int:
        """How many rows are selected."""
        return sum(bottom - top + 1 for top, bottom in self._ranges())

    def _ranges(self) -> list[tuple[int, int]]:
        selection = self.selectionModel().selection()
        ranges = (selection.at(number) for number in range(selection.count()))
        return [(one.top(), one.bottom()) for one in ranges]

    def _set_behaviour(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(ScrollBar(Qt.Orientation.Vertical, self))

    def _set_headers(self) -> None:
        header = HeaderView(Qt.Orientation.Horizontal, self)
        self.setHorizontalHeader(header)
        header.setSectionsClickable(True)
        header.setSectionsMovable(False)
        header.setSortIndicator(MemoryColumn.ADDED, Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._lay_out()

    def _lay_out(self) -> None:
        metrics = self.fonts.body.metrics
        date = metrics.horizontalAdvance(shown_date(0)) + 2 * CELL_PADDING + scale(_GAP, metrics)
        narrow = scale(_NARROW, metrics)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(MemoryColumn.OBJECTIVE, QHeaderView.ResizeMode.Stretch)
        widths = {MemoryColumn.ADDED: date, MemoryColumn.SOURCE: narrow, MemoryColumn.KEY: narrow}
        for column, width in widths.items():
            self.setColumnWidth(column, width)
        height = row_height(metrics)
        self.verticalHeader().setDefaultSectionSize(height)
        self.setMinimumHeight(header.sizeHint().height() + _LEAST_ROWS * height)

    @override
    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight())

    @override
    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.selection_changed.emit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fonts = None
            self._lay_out()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_hovered(-1)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._set_hovered(-1)
        super().leaveEvent(event)

    def _on_about_to_be_reset(self) -> None:
        current = self.currentIndex()
        number = self._entries.entry(current.row()).sequence if current.isValid() else None
        few = self.selected_count <= _MOST_KEPT
        chosen = {entry.sequence for entry in self.selected_entries()} if few else set()
        self._kept = (chosen, number, self.verticalScrollBar().value())

    def _on_reset(self) -> None:
        chosen, number, place = self._kept
        if number is not None:
            for row in self._entries.rows_of({number}):
                index = self._entries.index(row, MemoryColumn.OBJECTIVE)
                self.selectionModel().setCurrentIndex(
                    index, QItemSelectionModel.SelectionFlag.NoUpdate
                )
        if chosen:
            self.selectionModel().select(
                self._selection(self._entries.rows_of(chosen)),
                QItemSelectionModel.SelectionFlag.ClearAndSelect,
            )
        self.verticalScrollBar().setValue(place)
        self.selection_changed.emit()

    def _selection(self, rows: list[int]) -> QItemSelection:
        """Rows as one selection, with neighbours in one range."""
        selection, last = QItemSelection(), len(MemoryColumn) - 1
        first = None
        for place, row in enumerate(rows):
            first = row if first is None else first
            if place + 1 == len(rows) or rows[place + 1] != row + 1:
                selection.select(self._entries.index(first, 0), self._entries.index(row, last))
                first = None
        return selection

    def _set_hovered(self, row: int) -> None:
        if row != self._hovered:
            before, self._hovered = self._hovered, row
            for each in (before, row):
                top, height = self.rowViewportPosition(each), self.rowHeight(each)
                self.viewport().update(0, top, self.viewport().width(), height)


class _Delegate(QStyledItemDelegate):
    def __init__(self, table: MemoryTable) -> None:
        super().__init__(table)
        self._table = table

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, row_height(self._table.fonts.body.metrics))

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        table, rect = self._table, option.rect
        found, fonts = colours(table.palette()), table.fonts
        tint = row_ground(option, table, found, hovered=index.row() == table.hovered)
        if tint is not None:
            painter.fillRect(rect, tint)
        first = index.column() == MemoryColumn.OBJECTIVE
        if first and table.hasFocus() and index.row() == table.currentIndex().row():
            painter.fillRect(rect.left(), rect.top(), STRIP, rect.height(), found.accent)
        style = fonts.fixed if index.column() == MemoryColumn.KEY else fonts.body
        room = rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        draw_text(painter, room, str(index.data()), style, found.text if first else found.second)
