"""Paints the rows of the list of traces."""

from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem
from typing_extensions import override

from kpinspector.ui.look.marks import (
    STATE_SIZE,
    BarKind,
    BarMark,
    Shape,
    fill,
    paint_bar,
    paint_state,
    paint_threshold,
)
from kpinspector.ui.look.painting import (
    CELL_PADDING,
    TextFont,
    centred,
    draw_figure,
    draw_text,
    is_selected,
)
from kpinspector.ui.look.theme import Colours
from kpinspector.ui.tables.row_table import RowTable, TableDelegate
from kpinspector.ui.traces.trace_model import TraceRole
from kpinspector.ui.traces.trace_row import NUMBER_COLUMNS, TraceColumn, TraceRow, cell_text
from kpinspector.words.say import say

Index = QModelIndex | QPersistentModelIndex

SIDE_PADDING = 12

_GAP = 8
_BAR_HEIGHT = 6


class TraceDelegate(TableDelegate):
    """Paints the cells of the list from the row's values."""

    def __init__(self, table: RowTable) -> None:
        super().__init__(table, TraceColumn.STATE)
        self.brief = False  # the objective is not written behind the name

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: TraceRow = index.data(TraceRole.ROW)
        found, rect = self.paint_ground(painter, option, index), option.rect
        style = self.fonts.name if is_selected(option) else self.fonts.body
        match index.column():
            case TraceColumn.STATE:
                side = self.scaled(STATE_SIZE)
                box = centred(rect, rect.left() + self.scaled(SIDE_PADDING), side)
                paint_state(painter, box, row.state, found, assumed=row.assumed)
            case TraceColumn.BAR:
                self._paint_bar(painter, _inner(rect), row, found)
            case TraceColumn.TRACE:
                self._paint_trace(painter, _inner(rect), row, style, found)
            case column if column in NUMBER_COLUMNS:
                known = row.score is not None and column == TraceColumn.SCORE
                ink = found.text if known else found.second
                text = cell_text(row, TraceColumn(column))
                draw_figure(painter, _inner(rect), text, style, ink)
            case column:
                text = cell_text(row, TraceColumn(column))
                draw_text(painter, _inner(rect), text, self.fonts.body, found.second)

    def _paint_bar(self, painter: QPainter, rect: QRect, row: TraceRow, found: Colours) -> None:
        if row.score is None and row.interval is None:
            return
        height = self.scaled(_BAR_HEIGHT)
        box = QRect(rect.left(), centred(rect, 0, height).top(), rect.width(), height)
        if row.interval is None:
            kind = BarKind.ASSUMED if row.assumed else BarKind.SOLID
            bar = BarMark(found.neutral, row.score or 0.0, kind=kind, track=found.track)
            paint_bar(painter, box, replace(bar, threshold=row.threshold), found)
            return
        fill(painter, box, found.track)
        low, high = row.interval
        interval = BarMark(found.text, high, low, BarKind.INTERVAL)
        paint_bar(painter, box.adjusted(0, -1, 0, 1), interval, found)
        paint_threshold(painter, box, row.threshold, found.text)

    def _paint_trace(
        self, painter: QPainter, room: QRect, row: TraceRow, style: TextFont, found: Colours
    ) -> None:
        """The name, what it is about, and at the end what else there is to say."""
        fonts, gap = self.fonts, self.scaled(_GAP)
        if row.order_matters:
            side = self.scaled(STATE_SIZE)
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
            yield say("too close")
        if row.assumed:
            yield say("assumed")


def _inner(rect: QRect) -> QRect:
    return rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
