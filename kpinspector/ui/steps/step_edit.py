"""A step in its file, by lines, and the fields that try another kind or tool of it."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from kpinspector.scoring.whatif.scenario import StepEdit
from kpinspector.trace.model import Step, StepType
from kpinspector.ui.controls.base import Drawing, ElidedLabel, Label, Part, in_column, in_row
from kpinspector.ui.controls.fields import CheckBox, ComboBox, TextField
from kpinspector.ui.look.painting import RIGHT
from kpinspector.ui.look.plain_text import one_line, shown_text
from kpinspector.ui.look.theme import Colours, TextRole, sized
from kpinspector.ui.parts.plain_value import PlainValue
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_count, say_list
from kpinspector.words.sentences import kind_word

LINE_LENGTH = 2_000
MOST_CHARACTERS = 100_000
_PADDING = 16
_GAP = 8
_TOP = 8
_BETWEEN = 14
_FIELD_LEAST, _FIELD_MOST = 72, 148
_LONGEST_TOOL = 200
_KINDS = tuple(StepType)


class SourceView(QWidget):
    """Shows lines, plain; long ones are cut, and a line below says so."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: Sequence[str] = ()
        self.text = _NumberedText(say("Source"))
        self.note = Label("", TextRole.CAPTION, second=True)
        self.note.setWordWrap(True)
        in_column(self.note, (self.text, 1), on=self, margins=(_PADDING, _GAP, 0, 0), spacing=2)
        self.text.set_wrapped(wrapped=True)
        self.wait()

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
            start = shown_text(line[:LINE_LENGTH].replace("\n", " "), LINE_LENGTH)
            shown.append(f"{start}…" if len(line) > LINE_LENGTH else start)
            length += len(shown[-1]) + 1
        notes = self._cut_words(len(shown), len(lines), long)
        if member:
            notes.insert(0, say("In {member} of the zip", member=one_line(member)))
        self._show(shown, first, say_list(notes))
        self._lines = lines

    def whole_text(self) -> str:
        """Every line, whole."""
        return "\n".join(self._lines)

    def _show(self, lines: Sequence[str], first: int, note: str) -> None:
        self._lines = lines
        self.note.setText(note)
        self.note.setVisible(bool(note))
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
        self._gutter = Drawing(QSize(), self._paint_numbers)
        self._gutter.setParent(self)
        self.updateRequest.connect(self._on_update_requested)
        self.blockCountChanged.connect(self._make_room)
        self._make_room()

    def set_lines(self, lines: Sequence[str], first: int) -> None:
        """Show lines, the first of them with this number."""
        self._first = first
        self.setPlainText("\n".join(lines))
        self._gutter.setVisible(bool(lines))
        self._make_room()

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

    def _paint_numbers(self, painter: QPainter, room: QRect, found: Colours) -> None:
        """Write the numbers of the lines that are seen, each at its first row."""
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
        self.setViewportMargins(self.gutter_width(), 0, 0, 0)
        self._place_gutter()
        self._gutter.update()

    def _place_gutter(self) -> None:
        inside = self.contentsRect()
        self._gutter.setGeometry(inside.left(), inside.top(), self.gutter_width(), inside.height())

    def gutter_width(self) -> int:
        """What the longest number needs."""
        last = str(self._first + self.blockCount() - 1)
        return self.fontMetrics().horizontalAdvance("0" * max(3, len(last))) + 2 * _GAP

    def _on_update_requested(self, room: QRect, moved: int) -> None:
        if moved:
            self._gutter.scroll(0, moved)
        else:
            self._gutter.update(0, room.y(), self._gutter.width(), room.height())


class StepEditRow(QWidget):
    """Emits a `StepEdit` for every change; visible only while what-if is on."""

    edit_wanted = Signal(object, str)
    """The edit, and which part was changed; further typing in it merges into one change."""
    gesture_ended = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step: Step | None = None
        self._edit = StepEdit(0)
        self.leave_out = CheckBox(say("Leave out"))
        self.kind = ComboBox(say("Kind in what-if"))
        self.kind.addItems([kind_word(kind) for kind in _KINDS])
        self.tool = TextField(say("Tool in what-if"))
        self.tool.edit.setPlaceholderText(say("no tool"))
        self.tool.edit.setMaxLength(_LONGEST_TOOL)
        self._lay_out()
        self.leave_out.clicked.connect(self._on_leave_out_clicked)
        self.kind.activated.connect(self._on_kind_activated)
        self.tool.edit.textEdited.connect(self._on_tool_edited)
        self.tool.edit.installEventFilter(self)
        self.hide()

    def _lay_out(self) -> None:
        parts: list[Part] = [ElidedLabel(say("In what-if"), second=True), self.leave_out]
        for name, control in ((say("Kind"), self.kind), (say("Tool"), self.tool)):
            parts += (_BETWEEN - _GAP, Label(name, second=True, buddy=control), control)
        in_row(*parts, None, on=self, margins=(_PADDING, _TOP, _PADDING, 0), spacing=_GAP)
        sized(self.tool, QWidget.setMinimumWidth, _FIELD_LEAST)
        sized(self.tool, QWidget.setMaximumWidth, _FIELD_MOST)

    def set_step(self, step: Step | None, edit: StepEdit | None) -> None:
        """Show what is tried of a step; nothing for None, which stands for what-if turned off."""
        self.setVisible(step is not None and edit is not None)
        if step is None or edit is None:
            return
        other = self._step is not step
        self._step, self._edit = step, edit
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
        if other or self.tool.text.strip() != tool.strip():
            self.tool.set_text(tool)

    def _on_leave_out_clicked(self, checked: bool) -> None:  # noqa: FBT001
        self._want(replace(self._edit, left_out=checked), "left_out")

    def _on_kind_activated(self, row: int) -> None:
        kind = _KINDS[row] if row < len(_KINDS) else None
        own = self._step is None or kind is self._step.kind
        self._want(replace(self._edit, type=None if own else kind), "type")

    def _on_tool_edited(self, text: str) -> None:
        name = text.strip()
        own = self._step is not None and name == _name_of(self._step).strip()
        self._want(replace(self._edit, tool=None if own else name), "tool")

    def _want(self, edit: StepEdit, what: str) -> None:
        self._edit = edit
        self.edit_wanted.emit(edit, what)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leaving the field ends the gesture."""
        if event.type() == QEvent.Type.FocusOut:
            self.gesture_ended.emit()
        return super().eventFilter(watched, event)


def _name_of(step: Step) -> str:
    return one_line(step.tool_name or "", _LONGEST_TOOL - 1)
