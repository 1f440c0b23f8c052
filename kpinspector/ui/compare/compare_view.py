"""The list of two traces side by side: its view and its delegate."""

from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from kpinspector.trace.align import Alignment, Likeness, StepPair, StepText
from kpinspector.ui.compare.compare_model import (
    SIGNS,
    CompareCell,
    CompareModel,
    CompareRole,
    CompareRow,
)
from kpinspector.ui.controls.views import ScrollBar
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
from kpinspector.words.say import say

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
    """Two sides of the same width; a spare pixel goes to the right."""
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
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        ground = row_ground(option, view, found, hovered=hovered)
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


class CompareView(QListView):
    """The keys move by rows; Return and a double click go to a step where it stands."""

    current_changed = Signal()
    step_wanted = Signal(bool, object)
    """Whether it is on the right, and the `StepText`."""
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pairs = CompareModel(self)
        self._delegate = CompareDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setModel(self.pairs)
        self.setAccessibleName(say("Steps side by side"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(ScrollBar(Qt.Orientation.Vertical, self))

    def set_alignment(self, alignment: Alignment, names: tuple[str, str]) -> None:
        """Show two traces from the first row; the same two, or swapped, keep the current row."""
        row = self.currentIndex().row() if set(names) == set(self.pairs.names) else 0
        self.pairs.set_alignment(alignment, names)
        self._delegate.widest_number = str(self.pairs.count)
        if not self.currentIndex().isValid():
            self.go_to_row(max(0, min(row, self.pairs.rowCount() - 1)))

    def set_only(self, only: Likeness | None) -> None:
        """Show the rows of one likeness; the current pair stays current if it is shown."""
        index = self.currentIndex()
        number = self.pairs.number_at(index.row()) if index.isValid() else 0
        self.pairs.set_only(only)
        self.go_to_row(self.pairs.row_of(number) or 0)

    def go_to_row(self, row: int) -> None:
        """Make a row the current one; nothing where there is none."""
        index = self.pairs.index(row, 0)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
        self.current_changed.emit()

    def go_to_difference(self, by: int) -> None:
        """Go to the next difference, or to the previous one; from the last to the first."""
        differences, now = self.pairs.differences, self.currentIndex().row()
        if not differences:
            return
        if by > 0:
            self.go_to_row(next((row for row in differences if row > now), differences[0]))
        else:
            earlier = (row for row in reversed(differences) if row < now)
            self.go_to_row(next(earlier, differences[-1]))

    @override
    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.current_changed.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            pair: StepPair = self.currentIndex().data(CompareRole.PAIR)
            self._want(pair, right=pair.left is None)
            return
        super().keyPressEvent(event)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            parts = halves(self.visualRect(index), self._delegate.scaled(GUTTER))
            right = event.position().x() >= parts.right.left()
            self._want(index.data(CompareRole.PAIR), right=right)

    def _want(self, pair: StepPair, *, right: bool) -> None:
        text: StepText | None = pair.right if right else pair.left
        if text is not None:
            self.step_wanted.emit(right, text)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._delegate.forget_fonts()
            self.scheduleDelayedItemsLayout()
