"""Paints the rows of the list of traces."""

import sys
from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView

from kpinspector.ui.marks import (
    STATE_SIZE,
    Bar,
    BarKind,
    Shape,
    fill,
    paint_bar,
    paint_state,
    paint_threshold,
)
from kpinspector.ui.row_painting import (
    CELL_PADDING,
    STRIP,
    RowFonts,
    TextFont,
    centred,
    draw_figure,
    draw_text,
    is_selected,
    row_fonts,
    row_ground,
)
from kpinspector.ui.theme import Colours, colours, row_height, scale
from kpinspector.ui.trace_columns import NUMBER_COLUMNS, TraceColumn, cell_text
from kpinspector.ui.trace_model import TraceRole
from kpinspector.ui.trace_row import TraceRow

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

Index = QModelIndex | QPersistentModelIndex

SIDE_PADDING = 12

_GAP = 8
_BAR_HEIGHT = 6


class TraceDelegate(QStyledItemDelegate):
    """Paints the cells of the list from the row's values."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self.hovered_row = -1
        self.first_column = TraceColumn.STATE
        self.brief = False  # the objective is not written behind the name
        self._table = table
        self._fonts: RowFonts | None = None

    @property
    def fonts(self) -> RowFonts:
        """The fonts of the rows, kept until the view's font changes."""
        if self._fonts is None:
            self._fonts = row_fonts(self._table.font())
        return self._fonts

    def forget_fonts(self) -> None:
        """The view has another font."""
        self._fonts = None

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, row_height(self.fonts.body.metrics))

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: TraceRow = index.data(TraceRole.ROW)
        table, rect = self._table, option.rect
        found = colours(table.palette())
        tint = row_ground(option, table, found, hovered=index.row() == self.hovered_row)
        if tint is not None:
            painter.fillRect(rect, tint)
        if index.column() == self.first_column:
            self._paint_strip(painter, rect, index, found)
        style = self.fonts.name if is_selected(option) else self.fonts.body
        match index.column():
            case TraceColumn.STATE:
                side = self._scaled(STATE_SIZE)
                box = centred(rect, rect.left() + self._scaled(SIDE_PADDING), side)
                paint_state(painter, box, row.state, found, assumed=row.assumed)
            case TraceColumn.BAR:
                self._paint_bar(painter, _inner(rect), row, found)
            case TraceColumn.TRACE:
                self._paint_trace(painter, _inner(rect), row, style)
            case column if column in NUMBER_COLUMNS:
                known = row.score is not None and column == TraceColumn.SCORE
                ink = found.text if known else found.second
                text = cell_text(self, row, TraceColumn(column))
                draw_figure(painter, _inner(rect), text, style, ink)
            case column:
                text = cell_text(self, row, TraceColumn(column))
                draw_text(painter, _inner(rect), text, self.fonts.body, found.second)

    def _paint_strip(self, painter: QPainter, rect: QRect, index: Index, found: Colours) -> None:
        """The current row's strip, at the left edge of what is shown."""
        if self._table.hasFocus() and index.row() == self._table.currentIndex().row():
            painter.fillRect(rect.left(), rect.top(), STRIP, rect.height(), found.accent)

    def _paint_bar(self, painter: QPainter, rect: QRect, row: TraceRow, found: Colours) -> None:
        if row.score is None and row.interval is None:
            return
        height = self._scaled(_BAR_HEIGHT)
        box = QRect(rect.left(), centred(rect, 0, height).top(), rect.width(), height)
        if row.interval is None:
            kind = BarKind.ASSUMED if row.assumed else BarKind.SOLID
            bar = Bar(found.neutral, row.score or 0.0, kind=kind, track=found.track)
            paint_bar(painter, box, replace(bar, threshold=row.threshold), found)
            return
        fill(painter, box, found.track)
        low, high = row.interval
        interval = Bar(found.text, high, low, BarKind.INTERVAL)
        paint_bar(painter, box.adjusted(0, -1, 0, 1), interval, found)
        paint_threshold(painter, box, row.threshold, found.text)

    def _paint_trace(self, painter: QPainter, rect: QRect, row: TraceRow, style: TextFont) -> None:
        """The name, what it is about, and at the end what else there is to say."""
        found, fonts, gap = colours(self._table.palette()), self.fonts, self._scaled(_GAP)
        room = QRect(rect)
        if row.order_matters:
            side = self._scaled(STATE_SIZE)
            paint_state(painter, centred(room, room.right() + 1 - side, side), Shape.ORDER, found)
            room.setRight(room.right() - side - gap)
        if self.brief:
            draw_text(painter, room, row.name, style, found.text)
            return
        for remark in self._remarks(row):
            width = draw_figure(painter, room, remark, fonts.caption, found.second)
            room.setRight(room.right() - width - gap)
        width = draw_text(painter, room, row.name, style, found.text)
        room.setLeft(room.left() + width + gap)
        if room.width() > 2 * gap:
            draw_text(painter, room, row.about, fonts.body, found.second)

    def _remarks(self, row: TraceRow) -> Iterator[str]:
        """The words at the end of a row, from the right."""
        if row.too_close:
            yield self.tr("too close")
        if row.assumed:
            yield self.tr("assumed")

    def _scaled(self, px: float) -> int:
        return scale(px, self.fonts.body.metrics)


def _inner(rect: QRect) -> QRect:
    return rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
