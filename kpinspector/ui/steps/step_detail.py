"""One step in full: its fields, or its JSON; all as plain text."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QStackedLayout, QWidget
from typing_extensions import override

from kpinspector.app.document import Document
from kpinspector.runs.provenance import RunPlace, run_place
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.sharing.parts import LeavingSteps
from kpinspector.trace.model import Mark, ReasoningTrace, Step
from kpinspector.trace.records import TraceRecord
from kpinspector.trace.step_source import StepPlace, place_of
from kpinspector.ui.controls.base import ElidedLabel, FlatButton, Label, in_column, in_row
from kpinspector.ui.controls.views import PANE_HEADER_HEIGHT, PaneTabs
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.marks import BADGE_SIZE, paint_badge
from kpinspector.ui.look.painting import centred
from kpinspector.ui.look.plain_text import shown_text
from kpinspector.ui.look.roles import Graphic
from kpinspector.ui.look.theme import TextRole, colours, scale, sized
from kpinspector.ui.parts.column_page import SheetScroll
from kpinspector.ui.parts.plain_value import PlainValue
from kpinspector.ui.parts.sections import Header
from kpinspector.ui.steps.sharing_legend import FATE_ICONS
from kpinspector.ui.steps.step_edit import LINE_LENGTH, SourceView, StepEditRow
from kpinspector.ui.steps.step_fields import (
    FIELD_LENGTH,
    Field,
    fields_of,
    step_json,
    step_json_head,
    title_of,
)
from kpinspector.ui.steps.step_model import outline_of
from kpinspector.ui.steps.step_row import Tried
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say
from kpinspector.words.sentences import DIMENSION_NAMES

_GAP, _SIGN_GAP = 8, 6
_LABEL_WIDTH = 88
_NOTE_WIDTH = 118


JSON_LENGTH = 100_000
_PADDING = 16
_TEXT_TAB, _JSON_TAB, _SOURCE_TAB = 0, 1, 2
_SETTLE_MS = 40  # holding a key down goes through many steps


class _FieldValue(PlainValue):
    """A value as high as its text."""

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
    """What a field counts for, as a badge and words at the right."""

    def __init__(self) -> None:
        super().__init__()
        self._field = Field("", "", "")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(say("Counts for"))

    def set_field(self, field: Field) -> None:
        """Say what this field counts for."""
        self._field, words = field, field.note
        if field.dimension is not None:
            name = DIMENSION_NAMES[field.dimension]
            words = say("{dimension}: {note}", dimension=name, note=words)
        self.setAccessibleDescription(words)
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics, field = self.fontMetrics(), self._field
        signs = max(1, len(field.fates)) * scale(BADGE_SIZE + _GAP, metrics)
        width = metrics.horizontalAdvance(field.note) + signs
        return QSize(max(scale(_NOTE_WIDTH, metrics), width), max(metrics.height(), BADGE_SIZE))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, metrics, found = QPainter(self), self.fontMetrics(), colours(self.palette())
        painter.setPen(found.second)
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), align, self._field.note)
        side, gap = scale(BADGE_SIZE, metrics), scale(_SIGN_GAP, metrics)
        left = self.width() - metrics.horizontalAdvance(self._field.note) - side - gap
        if self._field.dimension is not None:
            paint_badge(painter, centred(self.rect(), left, side), self._field.dimension, found)
        for fate in self._field.fates:
            paint_icon(painter, centred(self.rect(), left, side), FATE_ICONS[fate], found.second)
            left -= side + gap


class FieldRow(QWidget):
    """A label, a value, and what it counts for."""

    def __init__(self) -> None:
        super().__init__()
        self._field = Field("", "", "")
        self._label = Label("", second=True)
        self._note = _Note()
        self.value = _FieldValue("")
        self._cut = Label("", TextRole.CAPTION, second=True)
        self.copy = FlatButton(text=say("Copy whole"), link=True)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._field.whole))
        self._cut_row = QWidget()
        in_row(self._cut, self.copy, None, on=self._cut_row, spacing=None)
        middle = in_column(self.value, self._cut_row, margins=None, spacing=2)
        row = in_row(on=self, spacing=_GAP)
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
        self.value.set_marked(field.tokens, field.clear)
        whole = len(field.text) if field.value is None else None
        self._cut.setText(cut_words(FIELD_LENGTH, whole))
        self._cut_row.setVisible(len(field.text) > FIELD_LENGTH)
        self.set_wrapped(wrapped=wrapped)

    def found_place(self) -> QRect | None:
        """The place of the first mark in the row; None without one."""
        cursor = self.value.first_found()
        if cursor is None:
            return None
        place = self.value.cursorRect(cursor)
        return QRect(self.value.viewport().mapTo(self, place.topLeft()), place.size())

    def set_wrapped(self, *, wrapped: bool) -> None:
        """Break long lines or not."""
        self.value.set_wrapped(wrapped=wrapped)
        self.value.fit()


def cut_words(shown: int, whole: int | None) -> str:
    """Says how much of a long text is shown; None for a text whose length is not known."""
    if whole is None:
        return say("Shown the first {shown} characters", shown=shown_count(shown))
    return say(
        "Shown {shown} of {whole} characters",
        shown=shown_count(min(shown, whole)),
        whole=shown_count(whole),
    )


def cut_lines(text: str, limit: int, longest: int) -> str:
    """A text with its lines, up to a length; a long line takes long to lay out, and is cut."""
    lines = shown_text(text, limit).split("\n")
    return "\n".join(line if len(line) <= longest else f"{line[:longest]}…" for line in lines)


class StepDetail(QWidget):
    """Shows one step of a document, or its objective."""

    source_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place: StepPlace | RunPlace | None = None
        """Of the step whose source is wanted; None without a trace."""
        self._lines = ""
        self._asker = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._asker.timeout.connect(lambda: self.source_wanted.emit(self.place))
        self._needle = ""
        self._revealer = QTimer(self, singleShot=True, interval=0)  # once all has its place
        self._revealer.timeout.connect(self._on_placed)
        self._document: Document | None = None
        self._step: Step | None = None
        self._marked: ReasoningTrace | None = None
        self._marks: tuple[frozenset[Mark], ...] = ()
        self._scenario: Scenario | None = None
        self._leaving: LeavingSteps | None = None
        self._tried: Mapping[int, Tried] = {}
        self._json: str | None = None
        self._fields: tuple[Field, ...] = ()
        self._title = Label("", TextRole.PANE)
        self._about = ElidedLabel("", second=True)
        self.tabs = PaneTabs(say("View of the step"))
        self.wrap = FlatButton(IconName.WRAP, name=say("Wrap long lines"))
        self.copy = FlatButton(IconName.COPY, name=say("Copy the whole step"))
        self.editor = FlatButton(IconName.OPEN_EXTERNAL, name=say("Open the file in an editor"))
        self.what_if = StepEditRow()
        self.rows: list[FieldRow] = []
        self.json = PlainValue(say("JSON"), TextRole.FIXED)
        self._json_cut = Label("", TextRole.CAPTION, second=True)
        self.source = SourceView()
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._lay_out()
        self.wrap.setCheckable(True)
        self.wrap.setChecked(True)
        self.wrap.toggled.connect(self._on_wrap_toggled)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.whole_text()))
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self._show()

    @property
    def _record(self) -> TraceRecord | None:
        return None if self._document is None else self._document.record

    def set_document(self, document: Document | None) -> None:
        """Show the objective of another trace; of the same one the step that is shown."""
        before, self._document = self._document, document
        if document is not None and before is not None and self._goes_on(before, document):
            if self._scenario is None and self._found_fields() == self._fields:
                return  # who reads a step goes on reading
        elif document is None or before is None or document.record is not before.record:
            self._step = None
            self._scenario, self._tried = None, {}
        self._show()

    def _goes_on(self, before: Document, document: Document) -> bool:
        """Whether a run has more steps by now, and the one that is shown as it was."""
        if before.number != document.number or document.run in (None, before.run):
            return False
        steps, step = document.run.trace.steps, self._step
        if step is None:
            return before.run is not None
        return step.index < len(steps) and steps[step.index] is step

    def set_step(self, step: Step | None) -> None:
        """Show a step of the document; None shows the objective."""
        self._step = step
        self._show()

    def set_tried(
        self,
        scenario: Scenario | None,
        tried: Mapping[int, Tried],
        marks: tuple[frozenset[Mark], ...],
    ) -> None:
        """Show what is tried on the steps, and what each would bring; None turns what-if off."""
        record = self._record
        off = scenario is None and self._scenario is None
        self._scenario, self._tried = scenario, tried
        self._marked, self._marks = (None if record is None else record.trace), marks
        if not off or self._found_fields() != self._fields:
            self._show()

    def set_leaving(self, leaving: LeavingSteps | None) -> None:
        """Show how the fields leave the machine, or no more."""
        self._leaving = leaving
        if self._found_fields() != self._fields:
            self._show()

    def set_needle(self, needle: str) -> None:
        """Mark what is looked for, case aside, and scroll to the first of it; "" marks nothing."""
        if needle == self._needle:
            return
        self._needle = needle
        for value in (*(row.value for row in self.rows), self.json):
            value.set_needle(needle)
        self.source.text.set_needle(needle)
        self._revealer.start()

    def set_title_shown(self, *, shown: bool) -> None:
        """Show the title in the header, unless the tab of the step shows it already."""
        self._title.setVisible(shown)

    def set_source(self, lines: Sequence[str], first_line: int) -> None:
        """Show the source of the step; without lines the file no longer has it."""
        run = self.place if isinstance(self.place, RunPlace) else None  # which says its lines
        self.source.set_lines(lines, first_line, run.place.chunk.member if run else "")
        first, last = shown_count(first_line), shown_count(first_line + len(lines) - 1)
        self._lines = ""
        if run is None and len(lines) == 1:
            self._lines = say("line {first}", first=first)
        elif run is None and lines:
            self._lines = say("lines {first} to {last}", first=first, last=last)
        if self._fields:
            row = self.rows[len(self._fields) - 1]
            row.set_field(self._shown_fields()[-1], wrapped=self.wrap.isChecked())
        self._revealer.start()

    def whole_text(self) -> str:
        """The uncut text that the copy button copies: every field, the JSON or the source."""
        if self.tabs.currentIndex() == _JSON_TAB:
            if self._json is None:
                self._json = "" if self._record is None else step_json(self._record, self._step)
            return self._json
        if self.tabs.currentIndex() == _SOURCE_TAB:
            return self.source.whole_text()
        return "\n".join(f"{field.label}: {field.whole}" for field in self._shown_fields())

    def _lay_out(self) -> None:
        header = Header()
        self.tabs.setUsesScrollButtons(False)  # the title gives way, not the tabs
        for name in (say("Text"), say("JSON"), say("Source")):
            self.tabs.addTab(name)
        parts = (self._title, self._about, self.tabs, None, self.wrap, self.copy, self.editor)
        in_row(*parts, on=header, margins=(_PADDING, 0, _PADDING - 4, 0), spacing=_GAP)
        sized(header, QWidget.setMinimumHeight, PANE_HEADER_HEIGHT)
        column = in_column(header, self.what_if, on=self)
        self._stack = QStackedLayout()
        column.addLayout(self._stack, 1)  # before its pages: the first is shown where it is put
        self._stack.addWidget(self._text_page())
        json, margins = QWidget(), (_PADDING, _GAP, 0, 0)
        in_column(self._json_cut, (self.json, 1), on=json, margins=margins, spacing=None)
        self._stack.addWidget(json)
        self._stack.addWidget(self.source)

    def _text_page(self) -> QWidget:
        page, margins = QWidget(), (_PADDING, _GAP + 4, _PADDING, _GAP)
        self._empty = Label(say("Select a step to see all of it."), second=True)
        self._list = in_column(self._empty, None, on=page, margins=margins, spacing=_GAP + 2)
        self._area = SheetScroll(page)
        self._area.setAccessibleName(say("Fields"))
        page.setBackgroundRole(QPalette.ColorRole.Base)
        return self._area

    def _show(self) -> None:
        step, known = self._step, self._record is not None
        self._json = None
        self._fields = self._found_fields()
        title, about = title_of(step, derived=self._is_derived()) if known else ("", "")
        self._title.setText(title)
        self.setWindowTitle(title)
        self._about.setText(about)
        self._about.setVisible(bool(about))
        self._empty.setVisible(not known)
        scenario = self._scenario if known else None
        edit = None if scenario is None or step is None else scenario.edit_of(step.index)
        self.what_if.set_step(step, edit)
        for widget in (self.tabs, self.wrap, self.copy):  # the action owns the editor
            widget.setEnabled(known)
        self._want_source()
        self._show_fields()
        self._show_json()
        self._revealer.start()

    def _is_derived(self) -> bool:
        """The step is a recovery by the rules of import, and tried as nothing else."""
        step, run = self._step, None if self._document is None else self._document.run
        if step is None or run is None or step.index in self._tried:
            return False
        return step.index in run.imported.mapped.recovered

    def _found_fields(self) -> tuple[Field, ...]:
        document, step = self._document, self._step
        if document is None or document.record is None:
            return ()
        tried = None if step is None else self._tried.get(step.index)
        return fields_of(document, step, self._marks_of(step), tried, self._leaving)

    def _on_placed(self) -> None:
        """Scroll to the first place that is marked, once everything has its place."""
        tab, page = self.tabs.currentIndex(), self._area.widget()
        if tab != _TEXT_TAB:
            (self.json if tab == _JSON_TAB else self.source.text).show_found()
            return
        for row in self.rows if self._needle else ():
            place = None if row.isHidden() else row.found_place()
            if place is not None and page is not None:
                centre = row.mapTo(page, place.center())
                self._area.ensureVisible(centre.x(), centre.y(), 0, place.height())
                return

    def _want_source(self) -> None:
        """Ask for the source of another step; that of the same one stays."""
        record, before = self._record, self.place
        step = None if self._step is None else self._step.index
        place: StepPlace | RunPlace | None = None if record is None else place_of(record, step)
        if isinstance(record, RunRecord):
            place = run_place(record, step)
        if place == before and (place is None or before is None or place.raw is before.raw):
            return
        self.place, self._lines = place, ""
        self.source.wait()
        (self._asker.stop if place is None else self._asker.start)()

    def _shown_fields(self) -> tuple[Field, ...]:
        """The last field is the place; its lines are known a moment later."""
        if not self._fields or not self._lines:
            return self._fields
        place = self._fields[-1]
        return (*self._fields[:-1], replace(place, text=f"{place.text}, {self._lines}"))

    def _marks_of(self, step: Step | None) -> frozenset[Mark]:
        """What the step brings; counted once for a trace."""
        record = self._record
        if record is None or step is None:
            return frozenset()
        if self._marked is not record.trace:
            self._marked, self._marks = record.trace, outline_of(record.trace).marks
        return self._marks[step.index]

    def _show_fields(self) -> None:
        fields = self._shown_fields()
        while len(self.rows) < len(fields):
            row = FieldRow()
            row.value.set_needle(self._needle)
            self._list.insertWidget(self._list.count() - 1, row)
            self.setTabOrder(self.rows[-1].copy if self.rows else self.editor, row.value)
            self.setTabOrder(row.value, row.copy)
            self.rows.append(row)
        for number, row in enumerate(self.rows):
            used = number < len(fields)
            row.setVisible(used)
            if used:
                row.set_field(fields[number], wrapped=self.wrap.isChecked())

    def _show_json(self) -> None:
        """The JSON is written only once someone looks at it."""
        if self.tabs.currentIndex() != _JSON_TAB:
            return
        record = self._record
        head = "" if record is None else step_json_head(record, self._step, JSON_LENGTH)
        self.json.set_wrapped(wrapped=self.wrap.isChecked())
        self.json.setPlainText(cut_lines(head, JSON_LENGTH, LINE_LENGTH))
        words, longest = "", shown_count(LINE_LENGTH)
        if len(head) > JSON_LENGTH:
            words = cut_words(JSON_LENGTH, None)
        elif any(len(line) > LINE_LENGTH for line in head.split("\n")):
            words = say("Long lines cut at {line_length} characters", line_length=longest)
        self._json_cut.setText(words)
        self._json_cut.setVisible(bool(words))

    def _on_tab_changed(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self._show_json()
        self._revealer.start()

    def _on_wrap_toggled(self, wrapped: bool) -> None:  # noqa: FBT001
        for row in self.rows:
            row.set_wrapped(wrapped=wrapped)
        self.json.set_wrapped(wrapped=wrapped)
        self.source.text.set_wrapped(wrapped=wrapped)
