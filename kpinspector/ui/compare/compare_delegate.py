"""Paints the rows of a comparison: a step, the sign between, and the other step."""

import sys
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem

from kpinspector.ui.compare.compare_model import CompareRole
from kpinspector.ui.compare.compare_row import SIGNS, CompareCell, CompareRow
from kpinspector.ui.look.icons import ICON_SIZE, paint_icon
from kpinspector.ui.look.marked_text import MarkedText, MarkLook, draw_marked
from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.painting import (
    STRIP,
    RowDelegate,
    centred,
    draw_figure,
    draw_text,
    is_selected,
    row_ground,
)
from kpinspector.ui.look.theme import Colours, TextRole, colours, font

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

Index = QModelIndex | QPersistentModelIndex

GUTTER = 34
TEXT_LINES = 2

_NUMBER_WIDTH = 34
_GAP = 10
_TOP = 5
_LEADING = 2
_SIDE = 12


class Halves(NamedTuple):
    """The places of both sides in a row, and of the sign between them."""

    left: QRect
    gutter: QRect
    right: QRect


def halves(rect: QRect, gutter: int) -> Halves:
    """Two sides of the same width; a pixel that is over goes to the right."""
    side = (rect.width() - gutter) // 2
    left = QRect(rect.left(), rect.top(), side, rect.height())
    middle = QRect(rect.left() + side, rect.top(), gutter, rect.height())
    start = middle.left() + gutter
    right = QRect(start, rect.top(), rect.right() + 1 - start, rect.height())
    return Halves(left, middle, right)


class CompareDelegate(RowDelegate):
    """Rows of three lines: kind and tool, then two lines of text."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self.hovered_row = -1
        self.widest_number = ""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, (1 + TEXT_LINES) * self._line_height() + 2 * self.scaled(_TOP) + 1)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: CompareRow = index.data(CompareRole.ROW)
        view, rect = self._view, option.rect
        found = colours(view.palette())
        parts = halves(rect, self.scaled(GUTTER))
        ground = row_ground(option, view, found, hovered=index.row() == self.hovered_row)
        for cell, side in ((row.left, parts.left), (row.right, parts.right)):
            if cell is None and ground is None:
                fill(painter, side, found.alternate)
        if ground is not None:
            painter.fillRect(rect, ground)
        if view.hasFocus() and index.row() == view.currentIndex().row():
            painter.fillRect(rect.left(), rect.top(), STRIP, rect.height(), found.accent)
        lit = is_selected(option) and view.hasFocus()
        look = MarkLook(found.text, found.sheet if lit else found.selection, found.accent)
        for cell, side in ((row.left, parts.left), (row.right, parts.right)):
            if cell is not None:
                self._paint_cell(painter, side, cell, found, look)
        self._paint_gutter(painter, parts.gutter, SIGNS[row.likeness], found)
        fill(painter, QRect(rect.left(), rect.bottom(), rect.width(), 1), found.line)

    def _paint_gutter(self, painter: QPainter, rect: QRect, sign: str, found: Colours) -> None:
        for x in (rect.left(), rect.right()):
            fill(painter, QRect(x, rect.top(), 1, rect.height()), found.line)
        painter.setFont(font(TextRole.PANE, self._view.font()))
        painter.setPen(found.text)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, sign)

    def _paint_cell(
        self, painter: QPainter, rect: QRect, cell: CompareCell, found: Colours, look: MarkLook
    ) -> None:
        body, name = self.fonts.body, self.fonts.name
        line = self._line_height()
        top = QRect(rect.left(), rect.top() + self.scaled(_TOP), rect.width(), line)
        number = top.adjusted(STRIP, 0, 0, 0)
        number.setWidth(self._number_width() - STRIP)
        draw_figure(painter, number, cell.number, body, found.second)
        side = self.scaled(ICON_SIZE)
        left = rect.left() + self._number_width() + self.scaled(_GAP)
        paint_icon(painter, centred(top, left, side), cell.icon, found.second)
        room = top.adjusted(0, 0, -self.scaled(_SIDE), 0)
        room.setLeft(left + side + self.scaled(_GAP))
        if room.width() <= 0:
            return
        text = QRect(room.left(), room.bottom() + 1, room.width(), TEXT_LINES * line)
        what = MarkedText(cell.text, cell.marks, body, look)
        draw_marked(painter, text, what, TEXT_LINES)
        taken = draw_text(painter, room, cell.kind, body, found.text)
        room.setLeft(room.left() + taken + self.scaled(_GAP))
        if cell.tool and room.width() > self.scaled(_GAP):
            marks = [(0, len(cell.tool))] if cell.tool_changed else []
            draw_marked(painter, room, MarkedText(cell.tool, marks, name, look))

    def _line_height(self) -> int:
        return self.fonts.body.metrics.lineSpacing() + self.scaled(_LEADING)

    def _number_width(self) -> int:
        widest = self.fonts.body.metrics.horizontalAdvance(self.widest_number)
        return max(self.scaled(_NUMBER_WIDTH), widest + self.scaled(_SIDE))
