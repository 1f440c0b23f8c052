"""The lines of a step as its file has them, with their numbers."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.ui.controls.base import Label
from kpinspector.ui.look.painting import RIGHT
from kpinspector.ui.look.plain_text import one_line, shown_text
from kpinspector.ui.look.theme import TextRole, colours
from kpinspector.ui.parts.plain_value import PlainValue
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_count, say_list

LINE_LENGTH = 2_000
MOST_CHARACTERS = 100_000

_PADDING = 16
_GAP = 8


class SourceView(QWidget):
    """Shows lines, plain; long ones are cut, and a line below says so."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: Sequence[str] = ()
        self.text = _NumberedText(say("Source"))
        self._note = Label("", TextRole.CAPTION, second=True)
        self._note.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(_PADDING, _GAP, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._note)
        column.addWidget(self.text, 1)
        self.text.set_wrapped(wrapped=True)
        self.wait()

    @property
    def note(self) -> str:
        """What is said of the lines, "" where there is nothing to say."""
        return self._note.text()

    def wait(self) -> None:
        """Nothing is known of the lines."""
        self._show((), 1, "")

    def set_lines(self, lines: Sequence[str], first: int, member: str = "") -> None:
        """Show lines; ``first`` is the number of the first one, from 1, in a member of a zip."""
        if not lines:
            words = say("No lines to show: the file has changed, or there is no file.")
            self._show((), 1, words)
            return
        shown, length, long = [], 0, 0
        for line in lines:
            if length >= MOST_CHARACTERS:
                break
            long += len(line) > LINE_LENGTH
            shown.append(_cut(line))
            length += len(shown[-1]) + 1
        notes = self._cut_words(len(shown), len(lines), long)
        if member:
            notes.insert(0, say("In {member} of the zip", member=one_line(member)))
        self._show(shown, first, say_list(notes))
        self._lines = lines

    def set_wrapped(self, *, wrapped: bool) -> None:
        """Break long lines or not."""
        self.text.set_wrapped(wrapped=wrapped)

    def whole_text(self) -> str:
        """Every line, whole."""
        return "\n".join(self._lines)

    def _show(self, lines: Sequence[str], first: int, note: str) -> None:
        self._lines = lines
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self.text.set_lines(lines, first)

    def _cut_words(self, shown: int, whole: int, long: int) -> list[str]:
        words = []
        if shown < whole:
            of = shown_count(whole)
            words.append(say("Shown {shown} of {whole} lines", shown=shown_count(shown), whole=of))
        if long:
            words.append(
                say_count(
                    "1 line cut at {length} characters",
                    "{number} lines cut at {length} characters",
                    long,
                    length=shown_count(LINE_LENGTH),
                )
            )
        return words


class _NumberedText(PlainValue):
    """Plain text with the number of each line in a gutter."""

    def __init__(self, name: str) -> None:
        self._first = 1
        super().__init__(name, TextRole.FIXED)
        self._gutter = _Gutter(self)
        self.updateRequest.connect(self._on_update_requested)
        self.blockCountChanged.connect(self._make_room)
        self._make_room()

    def set_lines(self, lines: Sequence[str], first: int) -> None:
        """Show lines, the first of them with this number."""
        self._first = first
        self.setPlainText("\n".join(lines))
        self._gutter.setVisible(bool(lines))
        self._make_room()

    def gutter_width(self) -> int:
        """What the longest number needs."""
        last = str(self._first + self.blockCount() - 1)
        return self.fontMetrics().horizontalAdvance("0" * max(3, len(last))) + 2 * _GAP

    @override
    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_gutter"):
            self._make_room()
        return done

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_gutter()

    def paint_numbers(self, painter: QPainter, room: QRect) -> None:
        """Write the numbers of the lines that are seen, each at its first row."""
        painter.setFont(self.font())
        painter.setPen(colours(self.palette()).second)
        block = self.firstVisibleBlock()
        width, height = self._gutter.width() - 2 * _GAP, self.fontMetrics().height()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if place.top() > room.bottom():
                break
            number = str(self._first + block.blockNumber())
            painter.drawText(QRect(0, round(place.top()), width, height), RIGHT, number)
            block = block.next()

    def _make_room(self) -> None:
        self.setViewportMargins(self.gutter_width(), 0, 0, 0)
        self._place_gutter()
        self._gutter.update()

    def _place_gutter(self) -> None:
        inside = self.contentsRect()
        self._gutter.setGeometry(inside.left(), inside.top(), self.gutter_width(), inside.height())

    def _on_update_requested(self, room: QRect, moved: int) -> None:
        if moved:
            self._gutter.scroll(0, moved)
        else:
            self._gutter.update(0, room.y(), self._gutter.width(), room.height())


class _Gutter(QWidget):
    """The room for the numbers; the view paints them."""

    def __init__(self, view: _NumberedText) -> None:
        super().__init__(view)
        self._view = view

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._view.gutter_width(), 0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        self._view.paint_numbers(QPainter(self), event.rect())


def _cut(line: str) -> str:
    shown = shown_text(line[:LINE_LENGTH].replace("\n", " "), LINE_LENGTH)
    return f"{shown}…" if len(line) > LINE_LENGTH else shown
