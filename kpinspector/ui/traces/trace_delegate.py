"""Paints the rows of the list of traces."""

from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem
from typing_extensions import override

from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.look.marks import (
    BADGE_SIZE,
    MARK_RADIUS,
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
    draw_name,
    draw_text,
    is_selected,
)
from kpinspector.ui.look.theme import Colours
from kpinspector.ui.tables.row_table import RowTable, TableDelegate
from kpinspector.ui.traces.trace_model import TraceRole
from kpinspector.ui.traces.trace_row import NUMBER_COLUMNS, TraceColumn, TraceRow, running_word
from kpinspector.words.say import say

Index = QModelIndex | QPersistentModelIndex

SIDE_PADDING = 12

_GAP = 8
_BADGE_PADDING = 5
_LEAST_ABOUT = 40  # with less room than this, a recording's objective is left out
_BEFORE_LINE, _BEYOND_LINE = 1.5, 2.5  # px from the middle of the threshold's 1 px line
_BAR_HEIGHT = 6


class TraceDelegate(TableDelegate):
    """Paints the cells of the list from the row's values."""

    def __init__(self, table: RowTable) -> None:
        super().__init__(table, TraceColumn.STATE)
        self.brief = False  # leaves out the objective after the name
        self.barless = False  # there is no bar column, so the score's cell says "running"

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: TraceRow = index.data(TraceRole.ROW)
        found, rect = self.paint_ground(painter, option, index), option.rect
        style = self.fonts.name if is_selected(option) else self.fonts.body
        match index.column():
            case TraceColumn.STATE:
                side = self.scaled(STATE_SIZE)
                box = centred(rect, rect.left() + self.scaled(SIDE_PADDING), side)
                paint_state(painter, box, row.shape, found, assumed=row.assumed)
            case TraceColumn.BAR | TraceColumn.SCORE if row.running and self._tells(index):
                draw = draw_figure if self.barless else draw_text
                draw(painter, _inner(rect), running_word(), self.fonts.caption, found.second)
            case TraceColumn.BAR:
                self._paint_bar(painter, _inner(rect), row, found)
            case TraceColumn.TRACE:
                self._paint_trace(painter, _inner(rect), row, style, found)
            case column if column in NUMBER_COLUMNS:
                known = row.score is not None and column == TraceColumn.SCORE
                ink = found.text if known else found.second
                draw_figure(painter, _inner(rect), index.data(), style, ink)
            case column:
                draw_text(painter, _inner(rect), index.data(), self.fonts.body, found.second)

    def _tells(self, index: Index) -> bool:
        """Whether this is the cell that says a recording is running."""
        return self.barless == (index.column() == TraceColumn.SCORE)

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
        low, high = _clear_of_line(box.width(), *row.interval, row.threshold)
        interval = BarMark(found.text, high, low, BarKind.INTERVAL)
        paint_bar(painter, box.adjusted(0, -1, 0, 1), interval, found)
        paint_threshold(painter, box, row.threshold, found.text)

    def _paint_trace(
        self, painter: QPainter, room: QRect, row: TraceRow, style: TextFont, found: Colours
    ) -> None:
        """Paint the name, what the trace is about and, at the right, any remarks."""
        fonts, gap = self.fonts, self.scaled(_GAP)
        if row.order_matters:
            side = self.scaled(STATE_SIZE)
            paint_state(painter, centred(room, room.right() + 1 - side, side), Shape.ORDER, found)
            room.setRight(room.right() - side - gap)
        if row.format:
            room.setRight(self._paint_format(painter, room, row.format, found) - gap)
        if self.brief:
            draw_name(painter, room, row.name, style, found.text)
            return
        for remark in self._remarks(row):
            width = draw_figure(painter, room, remark, fonts.caption, found.second)
            room.setRight(room.right() - width - gap)
        width = draw_name(painter, room, row.name, style, found.text)
        room.setLeft(room.left() + width + gap)
        if room.width() >= (self.scaled(_LEAST_ABOUT) if row.format else 2 * gap):
            draw_text(painter, room, row.about, fonts.body, found.second)

    def _paint_format(self, painter: QPainter, room: QRect, name: str, found: Colours) -> int:
        """Paint a format's badge at the right, never elided; returns its left edge."""
        style = self.fonts.caption
        width = style.metrics.horizontalAdvance(name) + 2 * self.scaled(_BADGE_PADDING)
        height = self.scaled(BADGE_SIZE)
        box = QRect(room.right() + 1 - width, centred(room, 0, height).top(), width, height)
        paint_box(painter, box, None, found.button_edge, radius=MARK_RADIUS)
        painter.setFont(style.font)
        painter.setPen(found.second)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine, name)
        return box.left()

    def _remarks(self, row: TraceRow) -> Iterator[str]:
        """Yield the remarks at the end of a row, from right to left."""
        if row.too_close:
            yield say("too close")
        if row.assumed:
            yield say("assumed")


def _clear_of_line(width: int, low: float, high: float, threshold: float) -> tuple[float, float]:
    """Widen or shift a range so that its box visibly crosses the threshold, or visibly does not."""
    if not width:
        return low, high
    before, beyond = _BEFORE_LINE / width, _BEYOND_LINE / width
    if low >= threshold:
        return max(low, threshold + before), max(high, threshold + before + beyond)
    if high < threshold:
        return min(low, threshold - before - beyond), min(high, threshold - before)
    return min(low, threshold - beyond), max(high, threshold + beyond)


def _inner(rect: QRect) -> QRect:
    return rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
