"""The what-if of the trace itself: its outcome, and its changed steps, each with an undo."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.whatif.changes import new_tools
from kpinspector.scoring.whatif.scenario import AddedStep, edited_trace
from kpinspector.trace.model import StepType
from kpinspector.ui.controls.base import ElidedLabel, Label
from kpinspector.ui.controls.fields import CheckBox
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.theme import TextRole, scale, sized
from kpinspector.ui.parts.sections import SectionTitle, WrappedLabel, clear_layout
from kpinspector.ui.whatif.whatif_case import Case
from kpinspector.ui.whatif.whatif_fields import EdgeButton, ShareField
from kpinspector.words.changes import EditLine, edit_lines, loss_sentences
from kpinspector.words.say import say, say_count
from kpinspector.words.score import assumed_sentence, evidence
from kpinspector.words.sentences import kind_word

_GAP = 8


LABEL_WIDTH = 88
_MOST_LINES = 8
_ARROW = "\N{RIGHTWARDS ARROW}"


class NoveltyNote(QWidget):
    """A sentence that is always visible, as editing steps does not change novelty by itself."""

    def __init__(self) -> None:
        super().__init__()
        self._sentence = WrappedLabel("", TextRole.CAPTION, second=True)
        self.measure = EdgeButton(text=say("Measure Again"), link=True)
        self.stop = EdgeButton(text=say("Stop"), link=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        row.addWidget(self._sentence, 1)
        row.addWidget(self.measure)
        row.addWidget(self.stop)

    def set_case(self, case: Case, *, measuring: bool) -> None:
        """Say what holds."""
        held = case.outcome.novelty_held
        words = self._words(case, measuring=measuring)
        if words != self._sentence.text():
            self._sentence.setText(words)
        self.measure.setVisible(held and not measuring)
        self.stop.setVisible(measuring)

    @property
    def text(self) -> str:
        """What it says."""
        return self._sentence.text()

    def _words(self, case: Case, *, measuring: bool) -> str:
        if measuring:
            return say("Novelty is being measured of the text that is left.")
        if case.scenario.novelty is not None:
            return say("Novelty is set by hand.")
        if case.assumed:
            return assumed_sentence(case.novelty.basis)
        if case.measured_again:
            found = evidence(Dimension.NOVELTY, case.outcome.facts, case.novelty)
            return say("Novelty was measured again: {found}.", found=found)
        if case.outcome.novelty_held:
            return say("Novelty is held, though it was measured of another text.")
        return say("Novelty is held as it was measured, whatever is tried of the steps.")


class TraceChanges(QWidget):
    """Confidence, success, and a line for each change of the steps."""

    scenario_wanted = Signal(object, str, str)

    def __init__(self) -> None:
        super().__init__()
        self._case: Case | None = None
        self._lines: tuple[EditLine, ...] = ()
        self._title = SectionTitle(say("Trace"))
        self.confidence = ShareField(say("Confidence"))
        self.succeeded = CheckBox(say("Succeeded"))
        self.add = EdgeButton(IconName.PLUS, say("Add Step"), name=say("Add Step"))
        self.add.setMenu(self._make_menu())
        self._loss = Label("", TextRole.CAPTION, second=True)
        self._loss.setWordWrap(True)
        self._loss.hide()
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        label = Label(say("Confidence"), second=True)
        label.setBuddy(self.confidence)
        sized(label, QWidget.setMinimumWidth, LABEL_WIDTH)
        ending = QHBoxLayout()
        ending.setSpacing(_GAP)
        for part in (label, self.confidence, self.succeeded):
            ending.addWidget(part)
        ending.addStretch(1)
        ending.addWidget(self.add)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self._title)
        layout.addLayout(ending)
        layout.addLayout(self._list)
        layout.addWidget(self._loss)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.confidence.valueChanged.connect(self._on_confidence_changed)
        self.succeeded.clicked.connect(self._on_succeeded_clicked)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room the sign alone says it."""
        super().resizeEvent(event)
        parts = (self.confidence, self.succeeded)
        taken = scale(LABEL_WIDTH, self.fontMetrics()) + 4 * _GAP
        taken += sum(part.sizeHint().width() for part in parts)
        style = Qt.ToolButtonStyle
        self.add.setToolButtonStyle(style.ToolButtonTextBesideIcon)
        if taken + self.add.sizeHint().width() > event.size().width():
            self.add.setToolButtonStyle(style.ToolButtonIconOnly)
        self.add.updateGeometry()

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        for kind in StepType:
            if kind is not StepType.TOOL_CALL:
                menu.addAction(kind_word(kind), partial(self._add, AddedStep(kind)))
        menu.addSeparator()
        menu.addAction(say("Tool Call, New Tool"), lambda: self._call(self._new_tool))
        used = menu.addAction(say("Tool Call, Used Tool"), lambda: self._call(self._used_tool))
        menu.aboutToShow.connect(lambda: used.setEnabled(bool(self._used_tool())))
        return menu

    def set_case(self, case: Case) -> None:
        """Show the end of the trace and its steps as they are tried."""
        self._case = case
        scenario, facts = case.scenario, case.outcome.facts
        self.confidence.show_value(facts.confidence)
        with QSignalBlocker(self.succeeded):
            self.succeeded.setChecked(facts.success)
        ending = (scenario.confidence, scenario.success)
        number = len(scenario.edits) + len(scenario.added)
        number += sum(one is not None for one in ending)
        changes = say_count("{number} change", "{number} changes", number)
        self._title.set_note(changes if number else say("no change"))
        lost = loss_sentences(case.loss)
        if lost != self._loss.text():
            self._loss.setText(lost)
            self._loss.setVisible(bool(lost))
        lines = edit_lines(scenario, case.trace)
        if [line.text for line in lines] != [line.text for line in self._lines]:
            self._show_lines(lines)
        self._lines = lines

    def _show_lines(self, lines: tuple[EditLine, ...]) -> None:
        clear_layout(self._list)
        before: QWidget = self.add
        for number, line in enumerate(lines[:_MOST_LINES]):
            row = _Line(line)
            row.taken_back.connect(partial(self._take_back, number))
            self._list.addWidget(row)
            QWidget.setTabOrder(before, row.back)  # else they come after all that was there
            before = row.back
        more = len(lines) - _MOST_LINES
        if more > 0:
            words = say("and {more} more, to be seen in the list of steps", more=f"{more:,}")
            self._list.addWidget(Label(words, TextRole.CAPTION, second=True))

    def _take_back(self, number: int) -> None:
        line = self._lines[number]
        self.scenario_wanted.emit(line.without, say("Take Back {place}", place=line.place), "")

    def _on_confidence_changed(self, value: float) -> None:
        case = self._case
        if case is None:
            return
        facts = case.measured.measurement.facts
        own = facts.outcome_known and self.confidence.same(value, facts.confidence)
        scenario = replace(case.scenario, confidence=None if own else value)
        self.scenario_wanted.emit(scenario, say("Confidence"), "confidence")

    def _on_succeeded_clicked(self, succeeded: bool) -> None:  # noqa: FBT001
        case = self._case
        if case is None:
            return
        facts = case.measured.measurement.facts
        own = facts.outcome_known and succeeded is facts.success
        scenario = replace(case.scenario, success=None if own else succeeded)
        self.scenario_wanted.emit(scenario, say("Succeeded"), "")

    def _call(self, tool: Callable[[], str]) -> None:
        self._add(AddedStep(StepType.TOOL_CALL, tool()))

    def _add(self, step: AddedStep) -> None:
        if self._case is not None:
            scenario = self._case.scenario.with_added(step)
            self.scenario_wanted.emit(scenario, say("Add Step"), "")

    def _new_tool(self) -> str:
        if self._case is None:
            return ""
        return new_tools(edited_trace(self._case.trace, self._case.scenario), 1)[0]

    def _used_tool(self) -> str:
        """The last one that is used."""
        if self._case is None:
            return ""
        steps = edited_trace(self._case.trace, self._case.scenario).steps
        return next((step.tool_name for step in reversed(steps) if step.tool_name), "")


class _Line(QWidget):
    """A changed step: its place, the file's values, the tried ones, and the undo."""

    taken_back = Signal()

    def __init__(self, line: EditLine) -> None:
        super().__init__()
        self.setAccessibleName(line.text)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        row.addWidget(Label(line.place))
        if line.before:
            row.addWidget(ElidedLabel(line.before, second=True))
            row.addWidget(Label(_ARROW, second=True))
        row.addWidget(ElidedLabel(line.after, TextRole.NAME))
        row.addStretch(1)
        self.back = EdgeButton(IconName.CLOSE, name=say("Take back: {line}", line=line.text))
        self.back.clicked.connect(self.taken_back)
        row.addWidget(self.back)
