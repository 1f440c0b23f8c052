"""One step in full: its fields, its JSON or its lines in the file, and its edit in what-if."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from itertools import zip_longest
from math import ceil
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPalette, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.runs.provenance import RunPlace, run_place
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.whatif.scenario import StepEdit
from kpinspector.trace.model import Step, StepType
from kpinspector.trace.step_source import StepPlace, place_of
from kpinspector.ui.controls.base import (
    Drawing,
    ElidedLabel,
    FlatButton,
    Label,
    Part,
    in_column,
    in_row,
    in_stack,
)
from kpinspector.ui.controls.fields import CheckBox, ComboBox, TextField
from kpinspector.ui.controls.views import PANE_HEADER_HEIGHT, PaneTabs
from kpinspector.ui.look.marks import BADGE_SIZE, IconName
from kpinspector.ui.look.painting import RIGHT
from kpinspector.ui.look.plain_text import one_line, shown_text
from kpinspector.ui.look.theme import Colours, TextRole, sized
from kpinspector.ui.parts.plain_value import PlainValue
from kpinspector.ui.parts.sections import Header, SheetScroll
from kpinspector.ui.steps.step_fields import (
    FIELD_LENGTH,
    Field,
    fields_of,
    json_head,
    step_json,
    title_of,
    value_of,
)
from kpinspector.ui.steps.step_model import Shown
from kpinspector.ui.steps.step_tree import FATE_ICONS
from kpinspector.ui.tables.figure_model import CellMark, paint_cell_mark
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_count, say_list
from kpinspector.words.sentences import DIMENSION_NAMES, kind_word

JSON_LENGTH = MOST_CHARACTERS = 100_000
LINE_LENGTH = 2_000
_PADDING, _GAP, _SIGN_GAP = 16, 8, 6
_LABEL_WIDTH, _NOTE_WIDTH = 80, 118
_TEXT_TAB, _JSON_TAB, _SOURCE_TAB = 0, 1, 2
_SETTLE_MS = 40  # so that a key that is held down asks only for the last step
_TOOL_LEAST, _TOOL_MOST, _LONGEST_TOOL = 72, 148, 200
_BETWEEN = 14
_KINDS = tuple(StepType)


class _FieldValue(PlainValue):
    """A value that is as high as its text."""

    def __init__(self, name: str) -> None:
        super().__init__(name, TextRole.BODY)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def fit(self) -> None:
        """Set the height that the text needs at the present width."""
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
        event.ignore()  # so that the page scrolls, not the field

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()


def _paint_sign(sign: StrEnum | None, painter: QPainter, room: QRect, found: Colours) -> None:
    """Paint a badge or an icon; None paints nothing."""
    if sign is not None:
        paint_cell_mark(painter, room, CellMark(sign), found, found.second)


class FieldRow(QWidget):
    """A row of the page: a label, a value, and what the field counts for in the score."""

    def __init__(self) -> None:
        super().__init__()
        self._field = Field("", "", "")
        self._label = Label("", second=True)
        nothing = partial(_paint_sign, None)
        self._signs = [Drawing(QSize(BADGE_SIZE, BADGE_SIZE), nothing) for _ in "12"]
        self._words = Label("", second=True)
        self._words.setAlignment(RIGHT)
        self._words.setAccessibleName(say("Counts for"))
        note, parts = QWidget(), (*self._signs, self._words)
        in_row(None, *parts, on=note, margins=(1, 0, 0, 0), spacing=_SIGN_GAP)
        sized(note, QWidget.setMinimumWidth, _NOTE_WIDTH)
        self.value = _FieldValue("")
        self._cut = Label("", TextRole.CAPTION, second=True)
        self.copy = FlatButton(text=say("Copy whole"), link=True)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._field.whole))
        self._cut_row = QWidget()
        in_row(self._cut, self.copy, None, on=self._cut_row, spacing=None)
        middle = in_column(self.value, self._cut_row, margins=None, spacing=2)
        row = in_row(on=self, spacing=_GAP)
        sized(self._label, QWidget.setMinimumWidth, _LABEL_WIDTH)
        row.addWidget(self._label, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(middle, 1)
        row.addWidget(note, 0, Qt.AlignmentFlag.AlignTop)

    def set_field(self, field: Field, *, wrapped: bool) -> None:
        """Show a field, its value up to a length; the same field keeps its selection and place."""
        if field == self._field and not self.isHidden():
            return
        self._field = field
        self._label.setText(field.label)
        self._show_note(field)
        self.value.setAccessibleName(field.label)
        self.value.set_role(TextRole.FIXED if field.fixed else TextRole.BODY)
        self.value.setPlainText(shown_text(field.text, FIELD_LENGTH))
        self.value.set_marked(field.tokens, field.clear)
        whole = len(field.text) if field.value is None else None
        self._cut.setText(cut_words(FIELD_LENGTH, whole))
        self._cut_row.setVisible(len(field.text) > FIELD_LENGTH)
        self.set_wrapped(wrapped=wrapped)

    def _show_note(self, field: Field) -> None:
        """Show what the field counts for, as badges and in words."""
        said, (second, first) = field.note, self._signs
        signs: list[StrEnum] = [FATE_ICONS[fate] for fate in field.fates]
        if field.dimension is not None:
            said = say("{dimension}: {note}", dimension=DIMENSION_NAMES[field.dimension], note=said)
            signs = signs or [field.dimension]
        for drawing, sign in zip_longest((first, second), signs):
            drawing.draw(partial(_paint_sign, sign))
        second.setVisible(len(signs) > 1)
        self._words.setText(field.note)
        self._words.setAccessibleDescription(said)

    def found_place(self) -> QRect | None:
        """The rectangle of the first mark in the row's value; None without a mark."""
        cursor = self.value.first_found()
        if cursor is None:
            return None
        place = self.value.cursorRect(cursor)
        return QRect(self.value.viewport().mapTo(self, place.topLeft()), place.size())

    def set_wrapped(self, *, wrapped: bool) -> None:
        """Set whether long lines are wrapped."""
        self.value.set_wrapped(wrapped=wrapped)
        self.value.fit()


def cut_words(shown: int, whole: int | None) -> str:
    """How much of a text is shown; ``whole`` is None if its length is not known."""
    if whole is None:
        return say("Shown the first {shown} characters", shown=shown_count(shown))
    return say(
        "Shown {shown} of {whole} characters",
        shown=shown_count(min(shown, whole)),
        whole=shown_count(whole),
    )


def _cut(lines: Sequence[str]) -> tuple[list[str], int]:
    """The lines that are shown, and how many are cut: long lines take long to lay out."""
    shown, length, long = [], 0, 0
    for line in lines:
        if length >= MOST_CHARACTERS:
            break
        start = shown_text(line[: LINE_LENGTH + 1].replace("\n", " "), LINE_LENGTH)
        if len(line) > LINE_LENGTH:
            start, long = f"{start}…", long + 1
        shown.append(start)
        length += len(start) + 1
    return shown, long


class TextPage(QWidget):
    """Plain text below a note on what is not shown of it."""

    def __init__(self, text: PlainValue) -> None:
        super().__init__()
        self.text, self.note = text, Label("", TextRole.CAPTION, second=True)
        self.note.setWordWrap(True)
        in_column(self.note, (text, 1), on=self, margins=(_PADDING, _GAP, 0, 0), spacing=2)
        text.set_wrapped(wrapped=True)
        self.set_note("")

    def set_note(self, words: str) -> None:
        """Set the note above the text; "" hides it."""
        self.note.setText(words)
        self.note.setVisible(bool(words))


class SourceText(PlainValue):
    """Plain text with line numbers in a gutter."""

    def __init__(self, name: str) -> None:
        self._first = 1
        super().__init__(name, TextRole.FIXED)
        self._gutter = Drawing(QSize(), self._paint_numbers)
        self._gutter.setParent(self)
        self.updateRequest.connect(self._make_room)
        self._make_room()

    def set_lines(self, lines: Sequence[str], first: int) -> None:
        """Show lines; ``first`` is the number of the first one."""
        self._first = first
        self.setPlainText("\n".join(lines))
        self._gutter.setVisible(bool(lines))
        self._make_room()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _paint_numbers(self, painter: QPainter, room: QRect, found: Colours) -> None:
        """Write the numbers of the visible lines, each at its first row."""
        painter.setFont(self.font())
        painter.setPen(found.second)
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
        """Make the gutter as wide as its longest number, and paint it again."""
        last, inside = str(self._first + self.blockCount() - 1), self.contentsRect()
        width = self.fontMetrics().horizontalAdvance("0" * max(3, len(last))) + 2 * _GAP
        if width != self.viewportMargins().left():
            self.setViewportMargins(width, 0, 0, 0)
        self._gutter.setGeometry(inside.left(), inside.top(), width, inside.height())
        self._gutter.update()


class SourceView(TextPage):
    """Shows plain lines of a file; long lines are cut."""

    text: SourceText

    def __init__(self) -> None:
        super().__init__(SourceText(say("Source")))
        self.lines: Sequence[str] = ()

    def wait(self) -> None:
        """Show no lines until they are read."""
        self.set_lines((), 1)
        self.set_note("")

    def set_lines(self, lines: Sequence[str], first: int, member: str = "") -> None:
        """Show lines; ``first`` is the first one's number, from 1; ``member`` a file in a zip."""
        self.lines = lines
        shown, long = _cut(lines)
        self.text.set_lines(shown, first)
        notes = [say("In {member} of the zip", member=one_line(member))] if member else []
        if len(shown) < len(lines):
            count, of = shown_count(len(shown)), shown_count(len(lines))
            notes.append(say("Shown {shown} of {whole} lines", shown=count, whole=of))
        if long:
            notes.append(
                say_count(
                    "1 line cut at {length} characters",
                    "{number} lines cut at {length} characters",
                    long,
                    length=shown_count(LINE_LENGTH),
                )
            )
        if not lines:
            notes = [say("No lines to show: the file has changed, or there is no file.")]
        self.set_note(say_list(notes))


class EditWish(NamedTuple):
    """A wish to edit a step in what-if, and the edited part; None for the end of typing.

    Edits of one part are merged into one change until the typing ends.
    """

    edit: StepEdit | None = None
    part: str = ""


class StepEditRow(QWidget):
    """Emits a wish for a `StepEdit` with every change; visible only while what-if is on."""

    wished = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step: Step | None = None
        self.leave_out = CheckBox(say("Leave out"))
        self.kind = ComboBox(say("Kind in what-if"))
        self.kind.addItems([kind_word(kind) for kind in _KINDS])
        self.tool = TextField(say("Tool in what-if"))
        self.tool.setPlaceholderText(say("no tool"))
        self.tool.setMaxLength(_LONGEST_TOOL)
        parts: list[Part] = [ElidedLabel(say("In what-if"), second=True), self.leave_out]
        for name, control in ((say("Kind"), self.kind), (say("Tool"), self.tool)):
            parts += (_BETWEEN - _GAP, Label(name, second=True, buddy=control), control)
        in_row(*parts, None, on=self, margins=(_PADDING, _GAP, _PADDING, 0), spacing=_GAP)
        sized(self.tool, QWidget.setMinimumWidth, _TOOL_LEAST)
        sized(self.tool, QWidget.setMaximumWidth, _TOOL_MOST)
        self.leave_out.clicked.connect(lambda: self._want("left_out"))
        self.kind.activated.connect(lambda: self._want("type"))
        self.tool.textEdited.connect(lambda: self._want("tool"))
        self.tool.editingFinished.connect(lambda: self.wished.emit(EditWish()))
        self.hide()

    def set_step(self, step: Step | None, edit: StepEdit | None) -> None:
        """Show the edit of a step; ``edit`` is None while what-if is off, which hides the row."""
        self.setVisible(step is not None and edit is not None)
        if step is None or edit is None:
            return
        other, self._step = self._step is not step, step
        self.leave_out.setChecked(edit.left_out)
        for control in (self.kind, self.tool):
            control.setEnabled(not edit.left_out)
        while self.kind.count() > len(_KINDS):
            self.kind.removeItem(len(_KINDS))
        if step.kind is None:
            self.kind.addItem(kind_word(None))
        kind = step.kind if edit.type is None else StepType(edit.type)
        self.kind.setCurrentIndex(len(_KINDS) if kind is None else _KINDS.index(kind))
        tool = _name_of(step) if edit.tool is None else edit.tool
        if other or self.tool.text().strip() != tool.strip():
            self.tool.setText(tool)

    def _want(self, part: str) -> None:
        """Emit a wish for what the controls say; values as in the file are left out of it."""
        if self._step is not None:
            kind, name = self.kind.currentIndex(), self.tool.text().strip()
            own_kind = kind == len(_KINDS) or _KINDS[kind] is self._step.kind
            edit = StepEdit(
                self._step.index,
                left_out=self.leave_out.isChecked(),
                type=None if own_kind else _KINDS[kind],
                tool=None if name == _name_of(self._step).strip() else name,
            )
            self.wished.emit(EditWish(edit, part))


def _name_of(step: Step) -> str:
    return one_line(step.tool_name or "", _LONGEST_TOOL - 1)


class StepDetail(QWidget):
    """Shows one step of a document in full, or its objective."""

    wished = Signal(object)
    """A place whose source is to be read, or an `EditWish`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place: StepPlace | RunPlace | None = None
        """The place of the step whose source is shown; None without a trace."""
        self._lines = ""
        self._asker = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._asker.timeout.connect(lambda: self.wished.emit(self.place))
        self._revealer = QTimer(self, singleShot=True, interval=0)  # once the fields are laid out
        self._revealer.timeout.connect(self._on_placed)
        self._shown = Shown()
        self._step: Step | None = None
        self._fields: tuple[Field, ...] = ()
        self.title = Label("", TextRole.PANE)
        """Left out of the layout where the step's tab shows it already."""
        self._about = ElidedLabel("", second=True)
        self.tabs = PaneTabs(say("View of the step"))
        self.wrap = FlatButton(IconName.WRAP, name=say("Wrap long lines"))
        self.copy = FlatButton(IconName.COPY, name=say("Copy the whole step"))
        self.editor = FlatButton(IconName.OPEN_EXTERNAL, name=say("Open the file in an editor"))
        self.what_if = StepEditRow()
        self.rows: list[FieldRow] = []
        self.json = PlainValue(say("JSON"), TextRole.FIXED)
        self._json_page = TextPage(self.json)
        self.source = SourceView()
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._lay_out()
        self.wrap.setCheckable(True)
        self.wrap.setChecked(True)
        self.wrap.toggled.connect(self._on_wrap_toggled)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.whole_text()))
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.what_if.wished.connect(self.wished)
        self._show()

    def show_step(self, now: Shown, step: Step | None) -> None:
        """Show a step, or the objective for None; what has not changed stays as the user left it.

        Hits of the search are marked, and the first one is scrolled to.
        """
        before, was, self._shown, self._step = self._shown, self._step, now, step
        if now.needle != before.needle:
            for value in (*(row.value for row in self.rows), self.json, self.source.text):
                value.set_needle(now.needle)
            self._revealer.start()
        names = ("document", "scenario", "tried", "marks", "leaving")
        if step is not was or not now.has_same(before, *names):
            self._show()

    def set_source(self, lines: Sequence[str], first_line: int) -> None:
        """Show the lines of the step in its file; none if the file does not hold it any more."""
        run = self.place if isinstance(self.place, RunPlace) else None  # this says its lines
        self.source.set_lines(lines, first_line, run.place.chunk.member if run else "")
        first, last = shown_count(first_line), shown_count(first_line + len(lines) - 1)
        self._lines = ""
        if run is None and len(lines) == 1:
            self._lines = say("line {first}", first=first)
        elif run is None and lines:
            self._lines = say("lines {first} to {last}", first=first, last=last)
        self._show_fields()
        self._revealer.start()

    def whole_text(self) -> str:
        """The uncut text that the copy button copies: all fields, the JSON or the source."""
        if self.tabs.currentIndex() == _JSON_TAB:
            return step_json(self._shown, self._step)
        if self.tabs.currentIndex() == _SOURCE_TAB:
            return "\n".join(self.source.lines)
        return "\n".join(f"{field.label}: {field.whole}" for field in self._shown_fields)

    def _lay_out(self) -> None:
        header = Header()
        self.tabs.setUsesScrollButtons(False)  # the title is cut before the tabs are
        for name in (say("Text"), say("JSON"), say("Source")):
            self.tabs.addTab(name)
        parts = (self.title, self._about, self.tabs, None, self.wrap, self.copy, self.editor)
        in_row(*parts, on=header, margins=(_PADDING, 0, _PADDING - 4, 0), spacing=_GAP)
        sized(header, QWidget.setMinimumHeight, PANE_HEADER_HEIGHT)
        column = in_column(header, self.what_if, on=self)
        page, margins = QWidget(), (_PADDING, _GAP + 4, _PADDING, _GAP)
        self._empty = Label(say("Select a step to see all of it."), second=True)
        self._list = in_column(self._empty, None, on=page, margins=margins, spacing=_GAP + 2)
        self._area = SheetScroll(page)
        self._area.setAccessibleName(say("Fields"))
        page.setBackgroundRole(QPalette.ColorRole.Base)
        self._stack = in_stack(column, self._area, self._json_page, self.source)

    def _show(self) -> None:
        now, step, record = self._shown, self._step, self._shown.record
        fields, (title, about) = fields_of(now, step), ("", "")
        if record is not None:
            title, about = title_of(now, step)
        if fields != self._fields:
            self._fields = fields
            self._revealer.start()
        self.title.setText(title)
        self.setWindowTitle(title)
        self._about.setText(about)
        self._about.setVisible(bool(about))
        self._empty.setVisible(record is None)
        edit = None
        if record is not None and step is not None and now.scenario is not None:
            edit = now.scenario.edit_of(step.index)
        self.what_if.set_step(step, edit)
        for widget in (self.tabs, self.wrap, self.copy):  # its action enables the editor button
            widget.setEnabled(record is not None)
        self._want_source()
        self._show_fields()
        self._show_json()

    def _on_placed(self) -> None:
        """Scroll to the first hit, once the fields are laid out."""
        tab, page = self.tabs.currentIndex(), self._area.widget()
        if tab != _TEXT_TAB:
            (self.json if tab == _JSON_TAB else self.source.text).show_found()
            return
        for row in self.rows if self._shown.needle else ():
            place = None if row.isHidden() else row.found_place()
            if place is not None and page is not None:
                centre = row.mapTo(page, place.center())
                self._area.ensureVisible(centre.x(), centre.y(), 0, place.height())
                return

    def _want_source(self) -> None:
        """Ask for the source of the step; the source of the same step stays."""
        record, before = self._shown.record, self.place
        step = None if self._step is None else self._step.index
        place: StepPlace | RunPlace | None = None if record is None else place_of(record, step)
        if isinstance(record, RunRecord):
            place = run_place(record, step)
        if place == before and (place is None or before is None or place.raw is before.raw):
            return
        self.place, self._lines = place, ""
        self.source.wait()
        (self._asker.stop if place is None else self._asker.start)()

    @property
    def _shown_fields(self) -> tuple[Field, ...]:
        """The fields, with the lines added to the place, which are known a moment later."""
        if not self._fields or not self._lines:
            return self._fields
        place = self._fields[-1]
        return (*self._fields[:-1], replace(place, text=f"{place.text}, {self._lines}"))

    def _show_fields(self) -> None:
        fields = self._shown_fields
        while len(self.rows) < len(fields):
            row = FieldRow()
            row.value.set_needle(self._shown.needle)
            self._list.insertWidget(self._list.count() - 1, row)
            self.setTabOrder(self.rows[-1].copy if self.rows else self.editor, row.value)
            self.setTabOrder(row.value, row.copy)
            self.rows.append(row)
        for number, row in enumerate(self.rows):
            if number < len(fields):
                row.set_field(fields[number], wrapped=self.wrap.isChecked())
            row.setVisible(number < len(fields))

    def _show_json(self) -> None:
        """Write the JSON, only if its tab is visible."""
        if self.tabs.currentIndex() != _JSON_TAB:
            return
        record = self._shown.record
        head = "" if record is None else json_head(value_of(record, self._step), JSON_LENGTH)
        lines, long = _cut(head[:JSON_LENGTH].split("\n"))
        text = "\n".join(lines)
        if text != self.json.toPlainText():
            self.json.setPlainText(text)
        words = ""
        if len(head) > JSON_LENGTH:
            words = cut_words(JSON_LENGTH, None)
        elif long:
            longest = shown_count(LINE_LENGTH)
            words = say("Long lines cut at {line_length} characters", line_length=longest)
        self._json_page.set_note(words)

    def _on_tab_changed(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self._show_json()
        self._revealer.start()

    def _on_wrap_toggled(self, wrapped: bool) -> None:  # noqa: FBT001
        for row in self.rows:
            row.set_wrapped(wrapped=wrapped)
        for text in (self.json, self.source.text):
            text.set_wrapped(wrapped=wrapped)
