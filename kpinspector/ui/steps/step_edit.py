"""The what-if of one step: without it, as another kind, with another tool."""

from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget
from typing_extensions import override

from kpinspector.scoring.whatif.scenario import StepEdit
from kpinspector.trace.model import Step, StepType
from kpinspector.ui.controls.base import ElidedLabel, Label
from kpinspector.ui.controls.fields import CheckBox, ComboBox, TextField
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import sized
from kpinspector.words.say import say
from kpinspector.words.sentences import kind_word

_PADDING = 16
_TOP = 8
_GAP = 8
_BETWEEN = 14
_FIELD_LEAST, _FIELD_MOST = 72, 148
_LONGEST_TOOL = 200

_KINDS = tuple(StepType)


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
        row = QHBoxLayout(self)
        row.setContentsMargins(_PADDING, _TOP, _PADDING, 0)
        row.setSpacing(_GAP)
        row.addWidget(ElidedLabel(say("In what-if"), second=True))
        row.addWidget(self.leave_out)
        for name, control in ((say("Kind"), self.kind), (say("Tool"), self.tool)):
            label = Label(name, second=True)
            label.setBuddy(control)
            row.addSpacing(_BETWEEN - _GAP)
            row.addWidget(label)
            row.addWidget(control)
        sized(self.tool, QWidget.setMinimumWidth, _FIELD_LEAST)
        sized(self.tool, QWidget.setMaximumWidth, _FIELD_MOST)
        row.addStretch(1)

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
