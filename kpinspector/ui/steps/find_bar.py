"""The search in the steps, and the field that asks for a step's number."""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from time import perf_counter

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from kpinspector.trace.javascript import JsonValue, whole_characters
from kpinspector.trace.model import ReasoningTrace, Step, StepType
from kpinspector.ui.controls.base import FlatButton, Label, in_row
from kpinspector.ui.controls.fields import SearchField, TextField, mark_wrong
from kpinspector.ui.look.marks import IconName
from kpinspector.ui.look.theme import sized
from kpinspector.ui.steps.step_model import OBJECTIVE, goes_on
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say

_SLICE_S = 0.006
_TELL_S = 0.2  # each signal repaints all visible rows
_LONGEST_TEXT = 256  # characters of the searched text
_FIELD_WIDTH, _FIELD_LEAST = 148, 84
_NUMBER_WIDTH, _LONGEST_NUMBER = 96, 9


class FindBar(QWidget):
    """A search in the steps, with the place among the hits, and buttons for next and previous.

    It searches all of content, tool, input and output, ignoring case, in short slices of time.
    On request a field beside it asks for a step's number; it is hidden once it has one.

    Attributes:
        needle: The text that is searched, case-folded; "" for none.
        hits: The numbers of the steps that contain it, of the visible kind, in order.
    """

    found = Signal()
    """Another text is searched, or more hits are known."""
    wished = Signal(object)
    """The number of a step to go to; None for giving the focus back to the tree."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.needle = ""
        self.hits: tuple[int, ...] = ()
        self._steps: Sequence[Step] = ()
        self._objective = ""
        self._current = self._anchor = OBJECTIVE  # the anchor was current before the search began
        self._looking = False  # for the first hit from the anchor on
        self._hits_of_all_kinds: list[int] = []  # the hits of every kind of step
        self._to_search: deque[int] = deque()  # the numbers of steps that are still to be searched
        self._texts: dict[int, str] = {}  # the texts of steps, case-folded
        self._told = 0.0  # when ``found`` was last emitted
        self._timer = QTimer(self, interval=0)
        self.field = SearchField(say("Find in steps"))
        self.field.setPlaceholderText(say("Find"))
        self.number = TextField(say("Number of the step"))
        self._count = Label("", second=True)
        self._previous = FlatButton(IconName.CHEVRON_UP, name=say("Previous"))
        self._next = FlatButton(IconName.CHEVRON_DOWN, name=say("Next"))
        in_row(self.number, self._count, self._previous, self._next, self.field, on=self, spacing=4)
        for widget in (self.number, self._count, self._previous, self._next):
            widget.hide()
        sized(self.field, QWidget.setMaximumWidth, _FIELD_WIDTH)
        sized(self.field, QWidget.setMinimumWidth, _FIELD_LEAST)
        sized(self.number, QWidget.setFixedWidth, _NUMBER_WIDTH)
        self._timer.timeout.connect(self._on_slice_due)
        self.field.textChanged.connect(self._on_text_changed)
        self.number.textChanged.connect(self._on_number_changed)
        for field in (self.field, self.number):
            field.installEventFilter(self)
        self._previous.clicked.connect(self.go_back)
        self._next.clicked.connect(self.go_on)

    def show_hits(self, trace: ReasoningTrace | None, kind: StepType | None) -> None:
        """Search a trace for the same text; of a trace that has grown, only the new steps."""
        known, objective = self._steps, self._objective
        self._steps = () if trace is None else trace.steps
        self._objective = "" if trace is None else trace.objective
        if self._objective != objective or not goes_on(known, self._steps):
            self._texts = {}
            self._begin(self.needle, range(OBJECTIVE, len(self._steps)))
        elif self.needle:
            self._to_search.extend(range(len(known), len(self._steps)))
        if self._steps is not known:
            self._look()
        self.hits = tuple(
            n
            for n in self._hits_of_all_kinds
            if kind is None or (n >= 0 and self._steps[n].kind is kind)
        )
        self._say()

    def set_current(self, number: int) -> None:
        """Set the number of the tree's current step, or of the objective."""
        self._current = number
        self._say()

    def clear(self) -> None:
        """Clear the search, and hide the field for a number."""
        self.field.clear()
        self.number.hide()

    # searching

    def _on_text_changed(self, text: str) -> None:
        """Search for another text, from the step on that was current before the search began."""
        if not self.needle:
            self._anchor = self._current
        needle = text.strip()[:_LONGEST_TEXT].casefold()
        if needle != self.needle:
            narrower = self.needle and self.needle in needle and not self._to_search
            every = range(OBJECTIVE, len(self._steps))
            self._begin(needle, self._hits_of_all_kinds if narrower else every)
            self._looking = True
            self._on_slice_due()

    def _begin(self, needle: str, numbers: Iterable[int]) -> None:
        self.needle, self._hits_of_all_kinds, self._told = needle, [], 0.0
        self._to_search = deque(numbers if needle else ())

    def _look(self) -> None:
        """Search some more steps."""
        end = perf_counter() + _SLICE_S
        while self._to_search and perf_counter() < end:
            number = self._to_search.popleft()
            if number not in self._texts:
                self._texts[number] = self._text_of(number)
            if self.needle in self._texts[number]:
                self._hits_of_all_kinds.append(number)
        (self._timer.start if self._to_search else self._timer.stop)()

    def _text_of(self, number: int) -> str:
        """All the text of a step, case-folded."""
        parts = [self._objective]
        if number != OBJECTIVE:
            step = self._steps[number]
            parts = [step.content, step.tool_name or ""]
            for name in ("input", "output_summary"):
                parts += _texts_in(step.raw.get(name))
        return whole_characters("\n".join(parts)).casefold()

    def _on_slice_due(self) -> None:
        """Emit the hits known so far, and go to the first one from the anchor on."""
        self._look()
        if self._to_search and perf_counter() - self._told < _TELL_S:
            return
        self._told = perf_counter()
        self.found.emit()  # the pane now sets ``hits`` again
        place = bisect_left(self.hits, self._anchor)
        if self._looking and self.hits and (place < len(self.hits) or not self._to_search):
            self._looking = False
            self._go(place)

    def _say(self) -> None:
        looking, done = bool(self.field.text().strip()), not self._to_search
        place = bisect_left(self.hits, self._current)
        here = place < len(self.hits) and self.hits[place] == self._current
        found = shown_count(len(self.hits)) + ("" if done else "…")
        words = say("{place} of {found}", place=shown_count(place + 1), found=found)
        if not self.hits:
            words = say("none") if done else "…"
        elif not here:
            words = say("{found} found", found=found)
        self._count.setText(words)
        for widget in (self._count, self._previous, self._next):
            widget.setVisible(looking)
        for button in (self._previous, self._next):
            button.setEnabled(bool(self.hits))
        self.field.setAccessibleDescription(words if looking else "")

    # going to a hit or a step

    def go_on(self) -> None:
        """Go to the next hit, after the last one to the first."""
        self._go(bisect_right(self.hits, self._current))

    def go_back(self) -> None:
        """Go to the previous hit, before the first one to the last."""
        self._go(bisect_left(self.hits, self._current) - 1)

    def _go(self, place: int) -> None:
        if self.hits:
            self.wished.emit(self.hits[place % len(self.hits)])
        elif not self.field.text():
            self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def ask_number(self) -> None:
        """Show the field that asks for the number of a step to go to."""
        self.number.clear()
        last = shown_count(max(0, len(self._steps) - 1))
        self.number.setPlaceholderText(say("Step 0\N{EN DASH}{last}", last=last))
        self.number.show()
        self.number.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _typed_number(self) -> int | None:
        """The number in the field; None if no step has it."""
        text = self.number.text().strip().removeprefix("/steps/").removeprefix("#")
        text = text.replace(",", "")
        is_number = text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER
        return int(text) if is_number and int(text) < len(self._steps) else None

    def _on_number_changed(self, text: str) -> None:
        mark_wrong(self.number, wrong=bool(text.strip()) and self._typed_number() is None)

    def _leave_number(self, number: int | None) -> None:
        if number is not None:
            self.wished.emit(number)
        self.number.hide()
        self.wished.emit(None)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Return goes to the next hit or to the step; Down and Escape return to the tree."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        in_number = watched is self.number
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if in_number:
                if self._typed_number() is not None or not self.number.text().strip():
                    self._leave_number(self._typed_number())
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                (self.go_back if back else self.go_on)()
            case Qt.Key.Key_Escape if in_number:
                self._leave_number(None)
            case Qt.Key.Key_Down if not in_number:
                self.wished.emit(None)
            case _:
                return False
        return True


def _texts_in(value: JsonValue) -> Iterator[str]:
    """The texts within a JSON value, including the names of members."""
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
