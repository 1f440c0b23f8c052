"""A text of any length that is read, selected and copied, and never is markup."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QApplication, QFrame, QPlainTextEdit, QTextEdit, QWidget
from typing_extensions import override

from kpinspector.trace.passages import Span
from kpinspector.ui.controls.views import ScrollBar
from kpinspector.ui.look.marked_text import spans_of, units_before
from kpinspector.ui.look.painting import x_of
from kpinspector.ui.look.theme import TextRole, colours, follow_zoom, font


class PlainValue(QPlainTextEdit):
    """Plain text that can be selected; the places of a searched text are marked."""

    def __init__(self, name: str, role: TextRole, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role = role
        self._needle = ""
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setHorizontalScrollBar(ScrollBar(Qt.Orientation.Horizontal, self))
        self.setVerticalScrollBar(ScrollBar(Qt.Orientation.Vertical, self))
        self.document().setDocumentMargin(0)
        follow_zoom(self, lambda one: one.set_role(one._role))  # noqa: SLF001

    def set_role(self, role: TextRole) -> None:
        """Write in the font of another role."""
        self._role = role
        self.setFont(font(role, QApplication.font()))

    def set_wrapped(self, *, wrapped: bool) -> None:
        """Break long lines, between words if possible."""
        mode, policy = QPlainTextEdit.LineWrapMode, Qt.ScrollBarPolicy
        self.setHorizontalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if wrapped else policy.ScrollBarAsNeeded
        )
        self.setLineWrapMode(mode.WidgetWidth if wrapped else mode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def set_marked(self, boxed: Sequence[Span], underlined: Sequence[Span]) -> None:
        """Mark parts of the text as it is now, by a ground or by a line, in place of any before."""
        box, line = QTextCharFormat(), QTextCharFormat()
        box.setBackground(colours(self.palette()).track)
        line.setFontUnderline(True)
        marked = [(span, box) for span in boxed] + [(span, line) for span in underlined]
        self.setExtraSelections([self._selection(span, look) for span, look in marked])

    def _selection(self, span: Span, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        text, last = self.toPlainText(), self.document().characterCount() - 1
        start, end = (min(last, units_before(text, place)) for place in span)
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        selection.cursor, selection.format = cursor, look
        return selection

    def set_needle(self, needle: str) -> None:
        """Mark every place of a text, case aside; "" marks nothing."""
        if needle != self._needle:
            self._needle = needle
            self.viewport().update()

    def first_found(self) -> QTextCursor | None:
        """The first place that is marked; None where nothing is."""
        block = self.document().begin()
        while self._needle and block.isValid():
            spans = spans_of(block.text(), self._needle)
            if spans:
                cursor = QTextCursor(block)
                cursor.setPosition(block.position() + units_before(block.text(), spans[0][0]))
                return cursor
            block = block.next()
        return None

    def show_found(self) -> None:
        """Scroll to the first place that is marked."""
        cursor = self.first_found()
        if cursor is not None:
            self.setTextCursor(cursor)
            self.ensureCursorVisible()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._needle:
            self._paint_found(event.rect())
        super().paintEvent(event)

    def _paint_found(self, room: QRect) -> None:
        """Fill the ground behind what is found in the lines that are painted."""
        painter, colour = QPainter(self.viewport()), colours(self.palette()).find
        block = self.firstVisibleBlock()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if place.top() > room.bottom():
                break
            for rect in _found_in(block, self._needle, place.topLeft()):
                if rect.intersects(room):
                    painter.fillRect(rect, colour)
            block = block.next()


def _found_in(block: QTextBlock, needle: str, origin: QPointF) -> Iterator[QRect]:
    """Where a needle stands in the lines of a block."""
    text, layout = block.text(), block.layout()
    for span in spans_of(text, needle):
        start, end = (units_before(text, place) for place in span)
        line = layout.lineForTextPosition(start)
        while line.isValid() and line.textStart() < end:
            last = line.textStart() + line.textLength()
            left, right = sorted(
                (x_of(line, max(start, line.textStart())), x_of(line, min(end, last)))
            )
            top, height = origin.y() + line.y(), line.height()
            left += origin.x()
            yield QRect(round(left), round(top), round(right + origin.x() - left), round(height))
            number = line.lineNumber() + 1
            if number >= layout.lineCount():
                break
            line = layout.lineAt(number)
