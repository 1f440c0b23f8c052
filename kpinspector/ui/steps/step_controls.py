"""The controls of the steps: find, go to a number, and what what-if tries of one."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from time import perf_counter

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from kpinspector.scoring.whatif.scenario import StepEdit
from kpinspector.trace.javascript import JsonValue, whole_characters
from kpinspector.trace.model import ReasoningTrace, Step, StepType
from kpinspector.ui.controls.base import ElidedLabel, FlatButton, Label, Part, in_row
from kpinspector.ui.controls.fields import CheckBox, ComboBox, SearchField, TextField, mark_wrong
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import sized
from kpinspector.ui.steps.step_words import OBJECTIVE, goes_on
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say
from kpinspector.words.sentences import kind_word

_SLICE_S = 0.006
_TELL_S = 0.1  # each signal repaints all visible rows
_PIECE = 2**17  # characters that are looked through without a pause
_OVERLAP = 2**9  # more than the longest text that can be looked for


_FIELD_WIDTH, _FIELD_LEAST = 148, 84
_NUMBER_WIDTH = 96
_TOOL_LEAST, _TOOL_MOST, _LONGEST_TOOL = 72, 148, 200
_PADDING, _GAP, _BETWEEN = 16, 8, 14
_KINDS = tuple(StepType)
_RETURN = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class StepFinder(QObject):
    """Looks for a text in content, tool, input and output, all of each, case aside."""

    progressed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._trace: ReasoningTrace | None = None
        self._texts: dict[int, tuple[str, ...]] = {}
        self.needle = ""
        self.hits: list[int] = []
        self._search: Iterator[None] | None = None
        self._told: tuple[float, bool] = (0.0, False)  # when, and whether there was a hit
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_slice_due)

    @property
    def done(self) -> bool:
        """Whether everything was searched."""
        return self._search is None

    def set_trace(self, trace: ReasoningTrace | None) -> None:
        """Look for the same in a trace; where it goes on with the last one, in what is new."""
        before, self._trace = self._trace, trace
        if before is None or trace is None or not _goes_on(before, trace):
            self._texts = {}
            self._begin(self.needle, self._all())
        elif self.needle:
            more = self._looking(self.needle, range(len(before.steps), len(trace.steps)))
            self._search = more if self._search is None else chain(self._search, more)
            self._on_slice_due()

    def find(self, text: str) -> None:
        """Look for a text; what is found is told in groups."""
        needle = text.strip()[: _OVERLAP // 2].casefold()
        if needle == self.needle:
            return
        narrower = self.done and self.needle and self.needle in needle
        self._begin(needle, list(self.hits) if narrower else self._all())

    def _all(self) -> Sequence[int]:
        return range(OBJECTIVE, len(self._trace.steps) if self._trace else OBJECTIVE)

    def _begin(self, needle: str, numbers: Sequence[int]) -> None:
        self.needle, self.hits = needle, []
        self._told = (0.0, False)
        self._search = self._looking(needle, numbers) if needle else None
        if self._search is None:
            self._timer.stop()
            self.progressed.emit()
        else:
            self._on_slice_due()

    def _on_slice_due(self) -> None:
        end = perf_counter() + _SLICE_S
        while self._search is not None and perf_counter() < end:
            try:
                next(self._search)
            except StopIteration:
                self._search = None
        if self._search is None:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()
        when, hit = self._told
        now, has_hit = perf_counter(), bool(self.hits)
        if self._search is None or has_hit != hit or now - when >= _TELL_S:
            self._told = (now, has_hit)
            self.progressed.emit()

    def _looking(self, needle: str, numbers: Sequence[int]) -> Iterator[None]:
        for number in numbers:
            if number not in self._texts:
                yield from self._read(number)
            for text in self._texts[number]:
                if needle in text:
                    self.hits.append(number)
                    break
                yield

    def _read(self, number: int) -> Iterator[None]:
        """Keep a step's texts, case aside."""
        texts, trace, whole = [], self._trace, ""
        if trace is not None:
            is_step = number != OBJECTIVE
            whole = searched_text(trace.steps[number]) if is_step else trace.objective
        for start in range(0, max(1, len(whole)), _PIECE):
            texts.append(whole[start : start + _PIECE + _OVERLAP].casefold())
            yield
        self._texts[number] = tuple(texts)


def _goes_on(before: ReasoningTrace, now: ReasoningTrace) -> bool:
    return before.objective == now.objective and goes_on(before.steps, now.steps)


def searched_text(step: Step) -> str:
    """All of a step that is looked through."""
    parts = [step.content, step.tool_name or ""]
    for name in ("input", "output_summary"):
        parts += _texts_in(step.raw.get(name))
    return whole_characters("\n".join(parts))


def _texts_in(value: JsonValue) -> Iterator[str]:
    """The texts within a value, names included."""
    match value:
        case str():
            yield value
        case dict():
            for name, member in value.items():
                yield name
                yield from _texts_in(member)
        case list():
            for member in value:
                yield from _texts_in(member)
        case None | bool():
            return
        case _:
            yield str(value)


class StepNumberField(TextField):
    """Asks for the number of a step; goes away once it has one, or with Escape."""

    chosen = Signal(int)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setAccessibleName(say("Number of the step"))
        self._count = 0
        sized(self, QWidget.setFixedWidth, _NUMBER_WIDTH)
        self.returnPressed.connect(self._on_return_pressed)
        self.textChanged.connect(self._on_changed)

    def ask(self, count: int) -> None:
        """Come up for one of so many steps."""
        self._count = count
        self.clear()
        last = shown_count(max(0, count - 1))
        self.setPlaceholderText(say("Step 0\N{EN DASH}{last}", last=last))
        self.show()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return
        super().keyPressEvent(event)

    def _number(self) -> int | None:
        text = self.text().strip().removeprefix("/steps/").removeprefix("#").replace(",", "")
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1  # noqa: PLR2004
        return number if 0 <= number < self._count else None

    def _on_changed(self) -> None:
        mark_wrong(self, wrong=bool(self.text().strip()) and self._number() is None)

    def _on_return_pressed(self) -> None:
        number = self._number()
        if number is not None:
            self.chosen.emit(number)
            self.closed.emit()
        elif not self.text().strip():
            self.closed.emit()


class FindBar(QWidget):
    """A search with the place among what was found, and ways to the next and the previous.

    ``wanted`` gives a number among the steps; the objective is the one before the first.
    """

    wanted = Signal(int)
    left = Signal()
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hits: Sequence[int] = ()
        self._current = OBJECTIVE
        self._done = True
        self.field = SearchField(say("Find in steps"))
        self.number = StepNumberField()
        self._count = Label("", second=True)
        self._previous = FlatButton(IconName.CHEVRON_UP, name=say("Previous"))
        self._next = FlatButton(IconName.CHEVRON_DOWN, name=say("Next"))
        in_row(self.number, self._count, self._previous, self._next, self.field, on=self, spacing=4)
        for widget in (self.number, self._count, self._previous, self._next):
            widget.hide()
        sized(self.field, QWidget.setMaximumWidth, _FIELD_WIDTH)
        sized(self.field, QWidget.setMinimumWidth, _FIELD_LEAST)
        self.field.textChanged.connect(self._show)
        self.field.installEventFilter(self)
        self._previous.clicked.connect(self.go_back)
        self._next.clicked.connect(self.go_on)
        self.number.closed.connect(self._on_number_closed)

    def set_hits(self, hits: Sequence[int], *, done: bool) -> None:
        """Set the hits so far, and whether that is all."""
        self._hits, self._done = hits, done
        self._show()

    def set_current(self, number: int) -> None:
        """Set the current step of the tree."""
        self._current = number
        self._show()

    def clear(self) -> None:
        """Clear the search without emitting a signal."""
        self.field.blockSignals(True)
        self.field.setText("")
        self.field.blockSignals(False)
        self.number.hide()
        self.set_hits((), done=True)

    def go_on(self) -> None:
        """Go to the next place, behind the last one to the first."""
        place = bisect_right(self._hits, self._current)
        self._go(place if place < len(self._hits) else 0)

    def go_back(self) -> None:
        """Go to the previous place, before the first one to the last."""
        self._go(bisect_left(self._hits, self._current) - 1)

    def _go(self, place: int) -> None:
        if self._hits:
            self.wanted.emit(self._hits[place])
        elif not self.field.text():
            self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def ask_number(self, count: int) -> None:
        """Ask which of so many steps to go to."""
        self.number.ask(count)
        self.resized.emit()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Return goes to the next hit, Down leaves for the tree."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in _RETURN:
                back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                (self.go_back if back else self.go_on)()
                return True
            if event.key() == Qt.Key.Key_Down:
                self.left.emit()
                return True
        return super().eventFilter(watched, event)

    def _show(self) -> None:
        looking = bool(self.field.text().strip())
        place = bisect_left(self._hits, self._current)
        here = place < len(self._hits) and self._hits[place] == self._current
        found = shown_count(len(self._hits)) + ("" if self._done else "…")
        words = say("{place} of {found}", place=shown_count(place + 1), found=found)
        if not self._hits:
            words = say("none") if self._done else "…"
        elif not here:
            words = say("{found} found", found=found)
        before = self._count.text(), self._count.isHidden()
        self._count.setText(words)
        for widget in (self._count, self._previous, self._next):
            widget.setVisible(looking)
        for button in (self._previous, self._next):
            button.setEnabled(bool(self._hits))
        if before != (words, not looking):
            self.field.setAccessibleDescription(words if looking else "")
            self.resized.emit()

    def _on_number_closed(self) -> None:
        self.number.hide()
        self.resized.emit()
        self.left.emit()


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
        self.tool.setPlaceholderText(say("no tool"))
        self.tool.setMaxLength(_LONGEST_TOOL)
        parts: list[Part] = [ElidedLabel(say("In what-if"), second=True), self.leave_out]
        for name, control in ((say("Kind"), self.kind), (say("Tool"), self.tool)):
            parts += (_BETWEEN - _GAP, Label(name, second=True, buddy=control), control)
        in_row(*parts, None, on=self, margins=(_PADDING, _GAP, _PADDING, 0), spacing=_GAP)
        sized(self.tool, QWidget.setMinimumWidth, _TOOL_LEAST)
        sized(self.tool, QWidget.setMaximumWidth, _TOOL_MOST)
        self.leave_out.clicked.connect(
            lambda checked: self._want(replace(self._edit, left_out=checked), "left_out")
        )
        self.kind.activated.connect(self._on_kind_activated)
        self.tool.textEdited.connect(self._on_tool_edited)
        self.tool.installEventFilter(self)
        self.hide()

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
        if other or self.tool.text().strip() != tool.strip():
            self.tool.setText(tool)

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
