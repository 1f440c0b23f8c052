"""Views of plain text that can be read, selected and copied."""

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QPalette,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QApplication, QFrame, QPlainTextEdit, QWidget
from typing_extensions import override

from kpinspector.trace.align import Span
from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.look.marks import MARK_RADIUS
from kpinspector.ui.look.painting import spans_of, units_before, x_of
from kpinspector.ui.look.theme import TextRole, colours, follow_zoom, font

_BOX_PADDING, _UNDERLINE = 2, 2


class PlainValue(QPlainTextEdit):
    """Plain text that can be selected; the hits of a search are marked."""

    def __init__(self, name: str, role: TextRole, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role = role
        self._needle = ""
        self._boxed: Sequence[Span] = ()
        self._underlined: Sequence[Span] = ()
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(0)
        follow_zoom(self, lambda one: one.set_role(one._role))  # noqa: SLF001

    def set_role(self, role: TextRole) -> None:
        """Set the role that gives the font."""
        self._role = role
        self.setFont(font(role, QApplication.font()))
        self._write_boxed()

    def set_wrapped(self, *, wrapped: bool) -> None:
        """Set whether long lines are wrapped, between words if possible."""
        mode, policy = QPlainTextEdit.LineWrapMode, Qt.ScrollBarPolicy
        self.setHorizontalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if wrapped else policy.ScrollBarAsNeeded
        )
        self.setLineWrapMode(mode.WidgetWidth if wrapped else mode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def set_marked(self, boxed: Sequence[Span], underlined: Sequence[Span]) -> None:
        """Mark spans of the present text by a box or a line below, in place of former ones."""
        text = self.toPlainText()
        self._boxed, self._underlined = _units(text, boxed), _units(text, underlined)
        self._write_boxed()
        self.viewport().update()

    def _write_boxed(self) -> None:
        """Set the fixed font for the spans in boxes."""
        cursor, look = QTextCursor(self.document()), QTextCharFormat()
        look.setFont(font(TextRole.FIXED, QApplication.font()))
        for start, end in self._boxed:
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(look)

    def set_needle(self, needle: str) -> None:
        """Mark all hits of a text, which is case-folded; "" for none."""
        if needle != self._needle:
            self._needle = needle
            self.viewport().update()

    def first_found(self) -> QTextCursor | None:
        """A cursor at the first hit; None without a hit."""
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
        """Scroll to the first hit."""
        cursor = self.first_found()
        if cursor is not None:
            self.setTextCursor(cursor)
            self.ensureCursorVisible()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._needle or self._boxed or self._underlined:
            self._paint_marks(event.rect())
        super().paintEvent(event)

    def _paint_marks(self, room: QRect) -> None:
        """Paint the boxes, lines and hits behind the visible text."""
        painter, found = QPainter(self.viewport()), colours(self.palette())
        block = self.firstVisibleBlock()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if place.top() > room.bottom():
                break
            origin, text = place.topLeft(), block.text()
            for rect in _places(block, _inside(block, self._boxed), origin):
                box = rect.adjusted(-_BOX_PADDING, 0, _BOX_PADDING, 0)
                paint_box(painter, box, found.track, found.field_edge, radius=MARK_RADIUS)
            for rect in _places(block, _inside(block, self._underlined), origin):
                line = rect.adjusted(0, rect.height() - _UNDERLINE, 0, 0)
                painter.fillRect(line, found.text)
            for rect in _places(block, _units(text, spans_of(text, self._needle)), origin):
                if rect.intersects(room):
                    painter.fillRect(rect, found.find)
            block = block.next()


def _units(text: str, spans: Iterable[Span]) -> list[Span]:
    """The spans in UTF-16 units; what lies after the text's end is left out."""
    inside = ((start, min(end, len(text))) for start, end in spans if start < len(text))
    return [(units_before(text, start), units_before(text, end)) for start, end in inside]


def _inside(block: QTextBlock, spans: Sequence[Span]) -> Iterator[Span]:
    """The document's spans that begin in a block, counted from the block's beginning."""
    first = block.position()
    return ((start - first, end - first) for start, end in spans if block.contains(start))


def _places(block: QTextBlock, spans: Iterable[Span], origin: QPointF) -> Iterator[QRect]:
    """The rectangles of spans of a block, one for each line."""
    layout = block.layout()
    for start, end in spans:
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


def text_view(name: str) -> QPlainTextEdit:
    """A view of plain text that can be read and copied, in the fixed font."""
    view = QPlainTextEdit()
    view.setReadOnly(True)
    view.setUndoRedoEnabled(False)
    view.setFrameShape(QPlainTextEdit.Shape.NoFrame)
    view.viewport().setBackgroundRole(QPalette.ColorRole.AlternateBase)
    view.setTabChangesFocus(True)
    view.setAccessibleName(name)
    view.setFont(font(TextRole.FIXED, QApplication.font()))
    return view
