"""The values of a step: plain text that can be selected, with what each one counts for."""

import sys
from math import ceil

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import (
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from kpinspector.ui.controls.base import FlatButton, Label
from kpinspector.ui.look.marks import BADGE_SIZE, paint_badge
from kpinspector.ui.look.plain_text import shown_text
from kpinspector.ui.look.roles import Graphic
from kpinspector.ui.look.theme import TextRole, colours, scale, sized
from kpinspector.ui.parts.plain_value import PlainValue
from kpinspector.ui.steps.step_fields import Field
from kpinspector.words.figures import shown_count
from kpinspector.words.sentences import DIMENSION_NAMES

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

FIELD_LENGTH = 10_000

_GAP = 8
_LABEL_WIDTH = 88
_NOTE_WIDTH = 118


class _FieldValue(PlainValue):
    """As high as its text."""

    def __init__(self, name: str) -> None:
        super().__init__(name, TextRole.BODY)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def fit(self) -> None:
        """Take the height that the text needs at this width."""
        height, block = 0.0, self.document().begin()
        while block.isValid():
            height += self.blockBoundingRect(block).height()
            block = block.next()
        bar = self.horizontalScrollBar()
        if self.lineWrapMode() == QPlainTextEdit.LineWrapMode.NoWrap and bar.maximum() > 0:
            height += bar.sizeHint().height()
        self.setFixedHeight(max(ceil(height), self.fontMetrics().lineSpacing()))
        self.verticalScrollBar().setValue(0)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls, not the field

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()


class _Note(Graphic):
    """What a field counts for: a badge and words, at the right."""

    def __init__(self) -> None:
        super().__init__()
        self._field: Field | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_field(self, field: Field) -> None:
        """Say what this field counts for."""
        self._field = field
        self.setAccessibleName(self.tr("Counts for"))
        words = field.note
        if field.dimension is not None:
            words = self.tr("{0}: {1}").format(DIMENSION_NAMES[field.dimension], field.note)
        self.setAccessibleDescription(words)
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        words = metrics.horizontalAdvance(self._field.note if self._field else "")
        width = words + scale(BADGE_SIZE + _GAP, metrics)
        return QSize(max(scale(_NOTE_WIDTH, metrics), width), max(metrics.height(), BADGE_SIZE))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._field is None:
            return
        painter, metrics, found = QPainter(self), self.fontMetrics(), colours(self.palette())
        painter.setPen(found.second)
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), align, self._field.note)
        if self._field.dimension is not None:
            side = scale(BADGE_SIZE, metrics)
            left = self.width() - metrics.horizontalAdvance(self._field.note) - side
            box = QRect(left - scale(6, metrics), (self.height() - side) // 2, side, side)
            paint_badge(painter, box, self._field.dimension, found)


class FieldRow(QWidget):
    """A label, a value, and what it counts for."""

    def __init__(self) -> None:
        super().__init__()
        self._field: Field | None = None
        self._label = Label("", second=True)
        self._note = _Note()
        self.value = _FieldValue("")
        self._cut = Label("", TextRole.CAPTION, second=True)
        self.copy = FlatButton(text=self.tr("Copy whole"), link=True)
        self.copy.clicked.connect(self._on_copy_clicked)
        self._cut_row = QWidget()
        cut = QHBoxLayout(self._cut_row)
        cut.setContentsMargins(0, 0, 0, 0)
        cut.addWidget(self._cut)
        cut.addWidget(self.copy)
        cut.addStretch(1)
        middle = QVBoxLayout()
        middle.setSpacing(2)
        middle.addWidget(self.value)
        middle.addWidget(self._cut_row)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        sized(self._label, QWidget.setMinimumWidth, _LABEL_WIDTH - _GAP)
        row.addWidget(self._label, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(middle, 1)
        row.addWidget(self._note, 0, Qt.AlignmentFlag.AlignTop)

    def set_field(self, field: Field, *, wrapped: bool) -> None:
        """Show a field, its value up to a length."""
        self._field = field
        self._label.setText(field.label)
        self._note.set_field(field)
        self.value.setAccessibleName(field.label)
        self.value.set_role(TextRole.FIXED if field.fixed else TextRole.BODY)
        self.value.setPlainText(shown_text(field.text, FIELD_LENGTH))
        whole = len(field.text) if field.value is None else None
        self._cut.setText(cut_words(self, FIELD_LENGTH, whole))
        self._cut_row.setVisible(len(field.text) > FIELD_LENGTH)
        self.set_wrapped(wrapped=wrapped)

    def found_place(self) -> QRect | None:
        """Where the first place that is marked stands in the row; None where nothing is."""
        cursor = self.value.first_found()
        if cursor is None:
            return None
        place = self.value.cursorRect(cursor)
        return QRect(self.value.viewport().mapTo(self, place.topLeft()), place.size())

    def set_wrapped(self, *, wrapped: bool) -> None:
        """Break long lines or not."""
        self.value.set_wrapped(wrapped=wrapped)
        self.value.fit()

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._field.whole if self._field else "")


def cut_words(context: QWidget, shown: int, whole: int | None) -> str:
    """How much of a long text is shown; None where nobody counted the whole."""
    if whole is None:
        return context.tr("Shown the first {0} characters").format(shown_count(shown))
    words = context.tr("Shown {0} of {1} characters")
    return words.format(shown_count(min(shown, whole)), shown_count(whole))


def cut_lines(text: str, limit: int, longest: int) -> str:
    """A text with its lines, up to a length; a long line takes long to lay out, and is cut."""
    lines = shown_text(text, limit).split("\n")
    return "\n".join(line if len(line) <= longest else f"{line[:longest]}…" for line in lines)
