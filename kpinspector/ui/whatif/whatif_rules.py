"""What is tried in what-if beside values: the trace's outcome and steps, and the rules."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.scoring.formula.profiles import (
    CUSTOM,
    DIMENSION_LETTERS,
    PROFILES,
    Dimension,
    Profile,
    Weights,
    profile_named,
    rebalanced,
)
from kpinspector.scoring.whatif.changes import new_tools
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, edited_trace
from kpinspector.trace.model import StepType
from kpinspector.ui.controls.base import CONTROL_HEIGHT, ElidedLabel, Label, in_column, in_row
from kpinspector.ui.controls.fields import CheckBox, ComboBox
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.theme import TextRole, colours, font, scale, sized
from kpinspector.ui.parts.sections import SectionTitle, WrappedLabel, clear_layout
from kpinspector.ui.whatif.whatif_case import Case, Flips
from kpinspector.ui.whatif.whatif_sliders import EdgeButton, ShareField
from kpinspector.words.changes import EditLine, edit_lines, loss_sentences, profile_word
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_count
from kpinspector.words.score import assumed_sentence, evidence
from kpinspector.words.sentences import DIMENSION_NAMES, kind_word

_GAP = 8
LABEL_WIDTH = 88
_MOST_LINES = 8
_ARROW = "\N{RIGHTWARDS ARROW}"
_ROW_GAP = 6
_WEIGHT_WIDTH = 46
_LETTER_WIDTH = 9
_CELL_GAP = 2
_BETWEEN = 4


class NoveltyNote(QWidget):
    """A sentence that is always visible, as editing steps does not change novelty by itself."""

    def __init__(self) -> None:
        super().__init__()
        self._sentence = WrappedLabel("", TextRole.CAPTION, second=True)
        self.measure = EdgeButton(text=say("Measure Again"), link=True)
        self.stop = EdgeButton(text=say("Stop"), link=True)
        in_row((self._sentence, 1), self.measure, self.stop, on=self, spacing=_GAP)

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
        ending = in_row(
            label, self.confidence, self.succeeded, None, self.add, margins=None, spacing=_GAP
        )
        in_column(self._title, ending, self._list, self._loss, on=self, spacing=2)
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
            tried = self._case.scenario
            scenario = replace(tried, added=(*tried.added, step))
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
        row = in_row(Label(line.place), on=self, spacing=_GAP)
        if line.before:
            row.addWidget(ElidedLabel(line.before, second=True))
            row.addWidget(Label(_ARROW, second=True))
        row.addWidget(ElidedLabel(line.after, TextRole.NAME))
        row.addStretch(1)
        self.back = EdgeButton(IconName.CLOSE, name=say("Take back: {line}", line=line.text))
        self.back.clicked.connect(self.taken_back)
        row.addWidget(self.back)


def _give_label_width(rules: "RuleChanges", width: int) -> None:
    grid = rules.layout()
    if isinstance(grid, QGridLayout):
        grid.setColumnMinimumWidth(0, width)


class RuleChanges(QWidget):
    """Profile and threshold, and the four weights below them."""

    scenario_wanted = Signal(object, str, str)

    def __init__(self) -> None:
        super().__init__()
        self._case: Case | None = None
        self.profile = ComboBox(say("Profile in what-if"))
        self.threshold = ShareField(say("Threshold in what-if"))
        self.weights = WeightFields()
        self._flips = Label(role=TextRole.CAPTION, second=True)
        note = say("weights add up to 1.00")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(_GAP)
        grid.setVerticalSpacing(_ROW_GAP)
        sized(self, _give_label_width, LABEL_WIDTH)
        grid.setColumnStretch(1, 1)
        grid.addWidget(SectionTitle(say("Rules"), note), 0, 0, 1, 2)
        threshold = in_row(self.threshold, None, self._flips, margins=None, spacing=None)
        left = Qt.AlignmentFlag.AlignLeft
        grid.addWidget(self._label(say("Profile"), self.profile), 1, 0)
        grid.addWidget(self.profile, 1, 1, left)
        grid.addWidget(self._label(say("Threshold"), self.threshold), 2, 0)
        grid.addLayout(threshold, 2, 1)
        weights = self._label(say("Weights"), self.weights)
        sized(weights, QWidget.setMinimumHeight, CONTROL_HEIGHT)
        grid.addWidget(weights, 3, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.weights, 3, 1)
        self.profile.activated.connect(self._on_profile_activated)
        self.threshold.valueChanged.connect(self._on_threshold_changed)
        self.weights.weights_wanted.connect(self._on_weights_wanted)

    def _label(self, text: str, buddy: QWidget) -> Label:
        label = Label(text, second=True)
        label.setBuddy(buddy)
        return label

    def set_case(self, case: Case) -> None:
        """Show the rules that are tried."""
        self._case = case
        then = case.outcome.then
        with QSignalBlocker(self.profile):
            self._show_profiles(case)
        self.threshold.show_value(then.threshold)
        self.weights.set_weights(then.profile.weights)

    def set_flips(self, flips: Flips) -> None:
        """Say how many verdicts of the list the threshold alone changes."""
        number, words = flips.by_threshold, ""
        if number:
            of = shown_count(flips.of - flips.open_by_threshold)
            words = say("flips {number} of {of}", number=shown_count(number), of=of)
        self._flips.setText(words)

    def _show_profiles(self, case: Case) -> None:
        word = profile_word(case.profile)
        chosen = case.document.rules.profile is not None
        if chosen:
            words = say("{profile}, chosen for all", profile=word)
        else:
            words = say("{profile}, from the trace", profile=word)
        own = Profile(CUSTOM, case.outcome.then.profile.weights)
        items = [
            (words, ""),
            *((profile_word(one), one.name) for one in PROFILES),
            (profile_word(own), CUSTOM),
        ]
        if [self.profile.itemText(row) for row in range(self.profile.count())] != [
            text for text, _ in items
        ]:
            self.profile.clear()
            for text, name in items:
                self.profile.addItem(text, name)
            self.profile.updateGeometry()
        tried = case.scenario.profile
        self.profile.setCurrentIndex(self.profile.findData("" if tried is None else tried.name))

    def _on_profile_activated(self, row: int) -> None:
        case, name = self._case, self.profile.itemData(row)
        if case is None:
            return
        profile = profile_named(name)
        if name == CUSTOM:
            profile = Profile(CUSTOM, case.outcome.then.profile.weights)
        self._want(case.with_profile(profile), say("Profile"))

    def _on_threshold_changed(self, value: float) -> None:
        case = self._case
        if case is not None:
            self._want(case.with_threshold(value), say("Threshold"), "threshold")

    def _on_weights_wanted(self, weights: Weights, dimension: Dimension) -> None:
        case = self._case
        if case is not None:
            words = say("Weight of {dimension}", dimension=DIMENSION_NAMES[dimension])
            self._want(case.with_profile(Profile(CUSTOM, weights)), words, f"weight {dimension}")

    def _want(self, scenario: Scenario, words: str, key: str = "") -> None:
        self.scenario_wanted.emit(scenario, words, key)


class WeightFields(QWidget):
    """Four weights that add up to 1: where one is changed, the others make room."""

    weights_wanted = Signal(object, object)
    """The weights, and the dimension whose weight was set."""
    gesture_ended = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._weights = PROFILES[0].weights
        self._across = 0
        self._fields: dict[Dimension, ShareField] = {}
        self._cells = [self._make_cell(dimension) for dimension in Dimension]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(_BETWEEN)
        self._grid.setVerticalSpacing(_ROW_GAP)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._place(len(self._cells))

    def set_weights(self, weights: Weights) -> None:
        """Show weights."""
        self._weights = weights
        for dimension, field in self._fields.items():
            field.show_value(weights.of(dimension))

    def field(self, dimension: Dimension) -> ShareField:
        """Where the weight of a dimension is typed."""
        return self._fields[dimension]

    def _make_cell(self, dimension: Dimension) -> QWidget:
        words = say("Weight of {name}", name=DIMENSION_NAMES[dimension])
        field = self._fields[dimension] = ShareField(words, width=_WEIGHT_WIDTH)
        whole = QWidget()
        in_row(_Letter(dimension), _CELL_GAP, field, on=whole)
        field.valueChanged.connect(
            lambda value: self.weights_wanted.emit(
                rebalanced(self._weights, dimension, value), dimension
            )
        )
        field.editingFinished.connect(self.gesture_ended)
        return whole

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        cell = self._cells[0].sizeHint().width()
        number = len(self._cells)
        fits = event.size().width() >= number * cell + (number - 1) * _BETWEEN
        self._place(number if fits else number // 2)

    def _place(self, across: int) -> None:
        """All beside one another, or two and two."""
        if across == self._across:
            return
        self._across = across
        for number, cell in enumerate(self._cells):
            self._grid.addWidget(cell, number // across, number % across)
        for column in range(len(self._cells) + 1):
            self._grid.setColumnStretch(column, int(column == across))


class _Letter(QWidget):
    """The letter of a dimension in its colour; the field beside it says the name."""

    def __init__(self, dimension: Dimension) -> None:
        super().__init__()
        self._dimension = dimension
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    @override
    def sizeHint(self) -> QSize:
        return QSize(scale(_LETTER_WIDTH, self.fontMetrics()), self.fontMetrics().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(font(TextRole.PANE, self.font()))
        painter.setPen(colours(self.palette()).dimension(self._dimension))
        room = QRect(0, 0, self.width(), self.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, DIMENSION_LETTERS[self._dimension])
