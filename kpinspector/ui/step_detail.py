"""One step in full: its fields, or its JSON; all as plain text."""

import sys
from math import ceil

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from kpinspector.app.document import Document
from kpinspector.scoring.figures import shown_count
from kpinspector.trace.model import ReasoningTrace, Step
from kpinspector.trace.tree import Mark, step_marks
from kpinspector.ui.controls import ElidedLabel, FlatButton, Label
from kpinspector.ui.controls_views import PANE_HEADER_HEIGHT, PaneTabs, ScrollBar
from kpinspector.ui.icons import IconName
from kpinspector.ui.marks import BADGE_SIZE, fill, paint_badge
from kpinspector.ui.plain_text import shown_text
from kpinspector.ui.step_fields import Field, fields_of, step_json, title_of
from kpinspector.ui.theme import TextRole, colours, font, scale

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

FIELD_LENGTH = 20_000
JSON_LENGTH = 100_000

_PADDING = 16
_GAP = 8
_LABEL_WIDTH = 88
_NOTE_WIDTH = 118
_TEXT_TAB, _JSON_TAB = 0, 1


class PlainValue(QPlainTextEdit):
    """Text that can be selected and never is anything but text."""

    def __init__(self, name: str, role: TextRole, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role = role
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
        self.set_role(role)

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

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ApplicationFontChange:
            self.setFont(font(self._role, QApplication.font()))
        return super().event(event)


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


class _Note(QWidget):
    """What a field counts for: a badge and words, at the right."""

    def __init__(self) -> None:
        super().__init__()
        self._field: Field | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_field(self, field: Field) -> None:
        """Say what this field counts for."""
        self._field = field
        self.setAccessibleName(self.tr("Counts for"))
        words = field.note if field.dimension is None else f"{field.dimension}: {field.note}"
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
        self._text = ""
        self._label = Label("", second=True)
        self._note = _Note()
        self.value = _FieldValue("")
        self._cut = Label("", TextRole.CAPTION, second=True)
        copy = FlatButton(text=self.tr("Copy whole"), link=True)
        copy.clicked.connect(self._on_copy_clicked)
        self._cut_row = QWidget()
        cut = QHBoxLayout(self._cut_row)
        cut.setContentsMargins(0, 0, 0, 0)
        cut.addWidget(self._cut)
        cut.addWidget(copy)
        cut.addStretch(1)
        middle = QVBoxLayout()
        middle.setSpacing(2)
        middle.addWidget(self.value)
        middle.addWidget(self._cut_row)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        self._label.setMinimumWidth(scale(_LABEL_WIDTH - _GAP, self.fontMetrics()))
        row.addWidget(self._label, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(middle, 1)
        row.addWidget(self._note, 0, Qt.AlignmentFlag.AlignTop)

    def set_field(self, field: Field, *, wrapped: bool) -> None:
        """Show a field, its value up to a length."""
        self._text = field.text
        self._label.setText(field.label)
        self._note.set_field(field)
        self.value.setAccessibleName(field.label)
        self.value.set_role(TextRole.FIXED if field.fixed else TextRole.BODY)
        self.value.setPlainText(shown_text(field.text, FIELD_LENGTH))
        self._cut.setText(cut_words(self, FIELD_LENGTH, len(field.text)))
        self._cut_row.setVisible(len(field.text) > FIELD_LENGTH)
        self.set_wrapped(wrapped=wrapped)

    def set_wrapped(self, *, wrapped: bool) -> None:
        """Break long lines or not."""
        self.value.set_wrapped(wrapped=wrapped)
        self.value.fit()

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._text)


class StepDetail(QWidget):
    """Shows one step of a document, or its objective."""

    copied = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._step: Step | None = None
        self._marked: ReasoningTrace | None = None
        self._marks: tuple[frozenset[Mark], ...] = ()
        self._json: str | None = None
        self._fields: tuple[Field, ...] = ()
        self._title = Label("", TextRole.PANE)
        self._about = ElidedLabel("", second=True)
        self.tabs = PaneTabs(self.tr("View of the step"))
        self.wrap = FlatButton(IconName.WRAP, name=self.tr("Wrap long lines"))
        self.copy = FlatButton(IconName.COPY, name=self.tr("Copy the whole step"))
        self.rows: list[FieldRow] = []
        self.json = PlainValue(self.tr("JSON"), TextRole.FIXED)
        self._json_cut = Label("", TextRole.CAPTION, second=True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._lay_out()
        self.wrap.setCheckable(True)
        self.wrap.setChecked(True)
        self.wrap.toggled.connect(self._on_wrap_toggled)
        self.copy.clicked.connect(self._on_copy_clicked)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self._show()

    def set_document(self, document: Document | None) -> None:
        """Show the objective of another trace; of the same one the step that is shown."""
        before = None if self._document is None else self._document.record
        self._document = document
        if document is None or document.record is not before:
            self._step = None
        self._show()

    def set_step(self, step: Step | None) -> None:
        """Show a step of the document; None shows the objective."""
        self._step = step
        self._show()

    def set_title_shown(self, *, shown: bool) -> None:
        """The title stands in the header; a tab that holds the step says it already."""
        self._title.setVisible(shown)

    def whole_text(self) -> str:
        """What the copy button copies: every field, or the JSON, without a cut."""
        if self.tabs.currentIndex() == _JSON_TAB:
            return self._whole_json()
        return "\n".join(f"{field.label}: {field.text}" for field in self._fields)

    def _lay_out(self) -> None:
        header = _Header()
        row = QHBoxLayout(header)
        row.setContentsMargins(_PADDING, 0, _PADDING - 4, 0)
        row.setSpacing(_GAP)
        self.tabs.addTab(self.tr("Text"))
        self.tabs.addTab(self.tr("JSON"))
        for widget in (self._title, self._about, self.tabs):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.wrap)
        row.addWidget(self.copy)
        header.setMinimumHeight(scale(PANE_HEADER_HEIGHT, self.fontMetrics()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(header)
        self._stack = QStackedLayout()
        self._stack.addWidget(self._text_page())
        self._stack.addWidget(self._json_page())
        column.addLayout(self._stack, 1)

    def _text_page(self) -> QWidget:
        page = QWidget()
        self._list = QVBoxLayout(page)
        self._list.setContentsMargins(_PADDING, _GAP + 4, _PADDING, _GAP)
        self._list.setSpacing(_GAP + 2)
        self._empty = Label(self.tr("Select a step to see all of it."), second=True)
        self._list.addWidget(self._empty)
        self._list.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setVerticalScrollBar(ScrollBar(Qt.Orientation.Vertical, area))
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(page)
        page.setBackgroundRole(QPalette.ColorRole.Base)
        return area

    def _json_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(_PADDING, _GAP, 0, 0)
        column.addWidget(self._json_cut)
        column.addWidget(self.json, 1)
        return page

    def _show(self) -> None:
        document, step = self._document, self._step
        known = document is not None and document.record is not None
        self._json = None
        self._fields = ()
        title, about = title_of(step, self) if known else ("", "")
        if known and document is not None:
            self._fields = fields_of(document, step, self._marks_of(step), self)
        self._title.setText(title)
        self.setWindowTitle(title)
        self._about.setText(about)
        self._about.setVisible(bool(about))
        self._empty.setVisible(not known)
        for widget in (self.tabs, self.wrap, self.copy):
            widget.setEnabled(known)
        self._show_fields()
        self._show_json()

    def _marks_of(self, step: Step | None) -> frozenset[Mark]:
        """What the step brings; counted once for a trace."""
        record = None if self._document is None else self._document.record
        if record is None or step is None:
            return frozenset()
        if self._marked is not record.trace:
            self._marked, self._marks = record.trace, step_marks(record.trace.steps)
        return self._marks[step.index]

    def _show_fields(self) -> None:
        while len(self.rows) < len(self._fields):
            row = FieldRow()
            self._list.insertWidget(self._list.count() - 1, row)
            self.rows.append(row)
        for number, row in enumerate(self.rows):
            used = number < len(self._fields)
            row.setVisible(used)
            if used:
                row.set_field(self._fields[number], wrapped=self.wrap.isChecked())

    def _whole_json(self) -> str:
        record = None if self._document is None else self._document.record
        if self._json is None:
            self._json = "" if record is None else step_json(record, self._step)
        return self._json

    def _show_json(self) -> None:
        """The JSON is written only once someone looks at it."""
        if self.tabs.currentIndex() != _JSON_TAB:
            return
        text = self._whole_json()
        self.json.set_wrapped(wrapped=self.wrap.isChecked())
        self.json.setPlainText(shown_text(text, JSON_LENGTH))
        self._json_cut.setText(cut_words(self, JSON_LENGTH, len(text)))
        self._json_cut.setVisible(len(text) > JSON_LENGTH)

    def _on_tab_changed(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self._show_json()

    def _on_wrap_toggled(self, wrapped: bool) -> None:  # noqa: FBT001
        for row in self.rows:
            row.set_wrapped(wrapped=wrapped)
        self.json.set_wrapped(wrapped=wrapped)

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.whole_text())
        self.copied.emit()


class _Header(QWidget):
    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        bottom = self.rect().adjusted(0, self.height() - 1, 0, 0)
        fill(QPainter(self), bottom, colours(self.palette()).line)


def cut_words(context: QWidget, shown: int, whole: int) -> str:
    """How much of a long text is shown."""
    words = context.tr("Shown {0} of {1} characters")
    return words.format(shown_count(min(shown, whole)), shown_count(whole))
