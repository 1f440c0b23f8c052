"""The table of what is remembered: its view and the delegate that paints its rows."""

import sys

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QStyleOptionViewItem, QWidget

from kpinspector.scoring.memory.findings import Entry
from kpinspector.ui.controls.views import HeaderView
from kpinspector.ui.dialogs.memory_model import MemoryColumn, MemoryModel, shown_date
from kpinspector.ui.look.painting import CELL_PADDING, draw_text
from kpinspector.ui.look.theme import row_height, scale
from kpinspector.ui.tables.row_table import RowTable, TableDelegate

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

Index = QModelIndex | QPersistentModelIndex

_NARROW = 108
_GAP = 8
_LEAST_ROWS = 6
_MOST_KEPT = 20_000  # more selected rows than this are not found again


class MemoryTable(RowTable):
    """Shows a ``MemoryModel``; what is selected stays selected when the rows are replaced."""

    def __init__(self, model: MemoryModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries = model
        self._kept: tuple[set[int], int | None, int] = (set(), None, 0)
        self.setAccessibleName(self.tr("Remembered traces"))
        self.setModel(model)
        self.setItemDelegate(_Delegate(self, MemoryColumn.OBJECTIVE))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._set_headers()
        model.modelAboutToBeReset.connect(self._on_about_to_be_reset)
        model.modelReset.connect(self._on_reset)

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

    def _set_headers(self) -> None:
        header = HeaderView(Qt.Orientation.Horizontal, self)
        self.setHorizontalHeader(header)
        header.setSectionsClickable(True)
        header.setSectionsMovable(False)
        header.setSortIndicator(MemoryColumn.ADDED, Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)
        self.lay_out_columns()

    @override
    def lay_out_columns(self) -> None:
        metrics = self.delegate.fonts.body.metrics
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


class _Delegate(TableDelegate):
    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        found = self.paint_ground(painter, option, index)
        column = index.column()
        style = self.fonts.fixed if column == MemoryColumn.KEY else self.fonts.body
        ink = found.text if column == self.first_column else found.second
        room = option.rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        draw_text(painter, room, str(index.data()), style, ink)
