"""The fields of the What-if tab: values, the trace's outcome and steps, and the rules."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QRect, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.app.questions import Question
from kpinspector.scoring.formula.profiles import (
    CUSTOM,
    DIMENSION_LETTERS,
    PROFILE_NAMED,
    PROFILES,
    Dimension,
    Profile,
    Weights,
    rebalanced,
)
from kpinspector.scoring.whatif.changes import new_tools
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, edited_trace
from kpinspector.trace.model import ReasoningTrace, StepType
from kpinspector.ui.controls.base import (
    CONTROL_HEIGHT,
    Drawing,
    ElidedLabel,
    FlatButton,
    Label,
    Look,
    in_column,
    in_row,
)
from kpinspector.ui.controls.fields import UNITS, CheckBox, ComboBox, DimensionSlider, ShareField
from kpinspector.ui.look.marks import BADGE_SIZE_LARGE, IconName, paint_badge
from kpinspector.ui.look.plain_text import set_tip
from kpinspector.ui.look.theme import Colours, TextRole, font, scale, sized
from kpinspector.ui.panes import Do, Tell, Wish
from kpinspector.ui.panes.whatif_case import Case, Flips
from kpinspector.ui.parts.sections import SectionTitle, WrappedLabel, clear_layout
from kpinspector.words.changes import EditLine, edit_lines, loss_sentences, profile_word
from kpinspector.words.figures import shown_count, shown_value
from kpinspector.words.say import say, say_count
from kpinspector.words.score import assumed_sentence, evidence
from kpinspector.words.sentences import DIMENSION_NAMES, kind_word

LABEL_WIDTH = 88
_GAP = 8
_DECIMALS = 3
_MOST_LINES = 8
_ARROW = "\N{RIGHTWARDS ARROW}"
_WEIGHT_WIDTH = 46
_LETTER_WIDTH = 9
_CELL_GAP = 2
_BETWEEN = 4


MEASURE, STOP = Wish(Do.ASK, Question.NOVELTY), Wish(Do.STOP, Question.NOVELTY)


class _Part(QWidget):
    """A part of the tab: it shows a case, and emits wishes to try another scenario."""

    _case: Case

    def __init__(self, wish: Tell) -> None:
        super().__init__()
        self._wish = wish

    def _try(self, scenario: Scenario, words: str, key: str = "") -> None:
        self._wish(Wish(Do.TRY, scenario, words, key))

    def _end(self) -> None:
        """End a gesture: the next change is not merged with the last one."""
        self._wish(Wish(Do.END_GESTURE))

    def _make_grid(self, title: SectionTitle, spacing: int, columns: int, wide: int) -> QGridLayout:
        """A grid below a title; the column ``wide`` takes the spare width."""
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(_GAP)
        grid.setVerticalSpacing(spacing)
        grid.setColumnStretch(wide, 1)
        grid.addWidget(title, 0, 0, 1, columns)
        return grid


class LockButton(FlatButton):
    """A lock button that is closed while a value is held; clicks do not change it by themselves."""

    @override
    def _colours(self, found: Colours) -> Look:
        """The icon shows whether it is closed, so a closed lock has no other ground."""
        ground = found.hover if self.isEnabled() and self.underMouse() else None
        return (
            ground,
            None,
            found.text,
            found.text if self.isChecked() else super()._colours(found)[3],
        )


class _Row(NamedTuple):
    slider: DimensionSlider
    field: ShareField
    lock: LockButton


class DimensionSliders(_Part):
    """A row for each dimension; a lock shows that its value is held, whatever the trace says."""

    def __init__(self, wish: Tell) -> None:
        super().__init__(wish)
        self._rows: dict[Dimension, _Row] = {}
        note = say("{mark} needed to pass, alone", mark="\N{BLACK UP-POINTING SMALL TRIANGLE}")
        tip = say("Four values; each times its weight is a part of the score")
        grid = self._make_grid(SectionTitle(say("Dimensions"), note, tip=tip), 4, 5, wide=2)
        for line, dimension in enumerate(Dimension, start=1):
            self._rows[dimension] = row = self._make_row(dimension)
            name = Label(DIMENSION_NAMES[dimension], TextRole.NAME, buddy=row.slider)
            side = QSize(BADGE_SIZE_LARGE, BADGE_SIZE_LARGE)
            badge = Drawing(side, partial(_paint_badge, dimension))
            for column, part in enumerate((badge, name, *row)):
                grid.addWidget(part, line, column, Qt.AlignmentFlag.AlignVCenter)

    def _make_row(self, dimension: Dimension) -> _Row:
        name = DIMENSION_NAMES[dimension]
        field = ShareField(say("{name}, value", name=name), least=_DECIMALS, most=_DECIMALS)
        row = _Row(DimensionSlider(dimension, name), field, LockButton(IconName.UNLOCK, tight=True))
        row.lock.setCheckable(True)
        row.slider.valueChanged.connect(lambda units: self._move(dimension, units / UNITS))
        row.slider.sliderReleased.connect(self._end)
        row.field.valueChanged.connect(lambda value: self._move(dimension, value))
        row.lock.clicked.connect(lambda: self._wish(self._show_lock(dimension)))
        for part in (row.slider, row.field):
            part.installEventFilter(self)
        return row

    def set_case(self, case: Case) -> None:
        """Show the values of the what-if, and marks for the values now."""
        self._case = case
        then, now, needed = case.outcome.values, case.now, case.needed
        for dimension, row in self._rows.items():
            value, alone = then.of(dimension), needed[dimension]
            with QSignalBlocker(row.slider):
                row.slider.setValue(round(min(1.0, max(0.0, value)) * UNITS))
            present = now.of(dimension) if case.is_known(dimension) else None
            row.slider.set_marks(present, alone)
            said = say(
                "{value} in what-if, now {now}, needed alone: {alone}",
                value=shown_value(value),
                now=say("not recorded") if present is None else shown_value(present),
                alone=say("not enough alone") if alone is None else shown_value(alone),
            )
            if said != row.slider.accessibleDescription():
                row.slider.setAccessibleDescription(said)
            row.field.show_value(value)
            self._show_lock(dimension)

    def _show_lock(self, dimension: Dimension) -> Wish:
        """Show whether a value is held; return the wish for a click on the lock."""
        lock = self._rows[dimension].lock
        closed, words, wish = _lock_of(self._case, dimension)
        lock.setEnabled(wish is not None)
        if words != lock.accessibleName() or closed is not lock.isChecked():
            lock.setChecked(closed)
            lock.set_icon(IconName.LOCK if closed else IconName.UNLOCK)
            lock.setAccessibleName(words)
            set_tip(lock, words)
        return wish or Wish(Do.END_GESTURE)

    def _move(self, dimension: Dimension, value: float) -> None:
        self._try(self._case.with_value(dimension, value), DIMENSION_NAMES[dimension], dimension)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End the gesture when a slider or a field loses the focus."""
        if event.type() == QEvent.Type.FocusOut:
            self._end()
        return super().eventFilter(watched, event)


def _lock_of(case: Case, dimension: Dimension) -> tuple[bool, str, Wish | None]:
    """Whether a value is held, the lock's words, and its wish; None if it cannot be opened."""
    name, scenario = DIMENSION_NAMES[dimension], case.scenario
    of_novelty = dimension is Dimension.NOVELTY
    if scenario.value_of(dimension) is not None:
        back = say("Novelty is held: go back to what was measured")
        words = back if of_novelty else say("{name} is held: let it follow the trace", name=name)
        freed = scenario.with_value(dimension, None)
        return True, words, Wish(Do.TRY, freed, say("Release {name}", name=name))
    hold = say("Hold {name}", name=name)
    if not of_novelty:
        held = scenario.with_value(dimension, case.outcome.values.of(dimension))
        words = say("{name} follows the trace: hold it", name=name)
        return False, words, Wish(Do.TRY, held, hold)
    if case.measured_again:
        words = say("Novelty was measured again: hold it as it was before")
        return False, words, Wish(Do.TRY, replace(scenario, measured_novelty=None), hold)
    if case.outcome.novelty_held:
        return True, say("Novelty is held: measure it again"), MEASURE
    return True, say("Novelty is held as it was measured"), None


class NoveltyNote(QWidget):
    """A sentence, always visible, on where novelty comes from: editing steps does not change it."""

    def __init__(self, wish: Tell) -> None:
        super().__init__()
        self._sentence = WrappedLabel("", TextRole.CAPTION, second=True)
        self.measure = FlatButton(text=say("Measure Again"), link=True, tight=True)
        self.stop = FlatButton(text=say("Stop"), link=True, tight=True)
        self.measure.clicked.connect(lambda: wish(MEASURE))
        self.stop.clicked.connect(lambda: wish(STOP))
        in_row((self._sentence, 1), self.measure, self.stop, on=self, spacing=_GAP)

    def set_case(self, case: Case, *, measuring: bool) -> None:
        """Say where the novelty of the what-if comes from."""
        held = case.outcome.novelty_held
        words = self._words(case, measuring=measuring)
        if words != self._sentence.text():
            self._sentence.setText(words)
        self.measure.setVisible(held and not measuring)
        self.stop.setVisible(measuring)

    @property
    def text(self) -> str:
        """The sentence that is shown."""
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


class TraceChanges(_Part):
    """The fields for the outcome of the trace, and a line for each changed step."""

    def __init__(self, wish: Tell) -> None:
        super().__init__(wish)
        self._lines: tuple[EditLine, ...] = ()
        tip = say("How the run ended, and the steps that are tried otherwise")
        self._title = SectionTitle(say("Trace"), tip=tip)
        self.confidence = ShareField(say("Confidence"))
        self.succeeded = CheckBox(say("Succeeded"))
        self.add = FlatButton(IconName.PLUS, say("Add Step"), name=say("Add Step"), tight=True)
        self.add.setMenu(self._make_menu())
        self._loss = Label("", TextRole.CAPTION, second=True)
        self._loss.setWordWrap(True)
        self._loss.hide()
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        label = Label(say("Confidence"), second=True, buddy=self.confidence)
        sized(label, QWidget.setMinimumWidth, LABEL_WIDTH)
        ending = in_row(
            label, self.confidence, self.succeeded, None, self.add, margins=None, spacing=_GAP
        )
        in_column(self._title, ending, self._list, self._loss, on=self, spacing=2)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.confidence.valueChanged.connect(self._on_confidence_changed)
        self.confidence.editingFinished.connect(self._end)
        self.succeeded.clicked.connect(self._on_succeeded_clicked)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the button that adds a step without its text where the row is too narrow."""
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
        menu, call = QMenu(self), StepType.TOOL_CALL
        for kind in StepType:
            if kind is not call:
                menu.addAction(kind_word(kind), partial(self._add, kind))
        menu.addSeparator()
        menu.addAction(
            say("Tool Call, New Tool"), lambda: self._add(call, new_tools(self._edited, 1)[0])
        )
        used = menu.addAction(say("Tool Call, Used Tool"), lambda: self._add(call, self._used_tool))
        menu.aboutToShow.connect(lambda: used.setEnabled(bool(self._used_tool)))
        return menu

    def set_case(self, case: Case) -> None:
        """Show the outcome and the changed steps of a what-if."""
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
            back = FlatButton(
                IconName.CLOSE, name=say("Take back: {line}", line=line.text), tight=True
            )
            back.clicked.connect(partial(self._take_back, number))
            self._list.addWidget(_line_row(line, back))
            QWidget.setTabOrder(before, back)  # else they come last in the tab order
            before = back
        more = len(lines) - _MOST_LINES
        if more > 0:
            words = say("and {more} more, to be seen in the list of steps", more=f"{more:,}")
            self._list.addWidget(Label(words, TextRole.CAPTION, second=True))

    def _take_back(self, number: int) -> None:
        line = self._lines[number]
        self._try(line.without, say("Take Back {place}", place=line.place))

    def _on_confidence_changed(self, value: float) -> None:
        facts = self._case.measured.measurement.facts
        own = facts.outcome_known and self.confidence.same(value, facts.confidence)
        scenario = replace(self._case.scenario, confidence=None if own else value)
        self._try(scenario, say("Confidence"), "confidence")

    def _on_succeeded_clicked(self, succeeded: bool) -> None:  # noqa: FBT001
        facts = self._case.measured.measurement.facts
        own = facts.outcome_known and succeeded is facts.success
        scenario = replace(self._case.scenario, success=None if own else succeeded)
        self._try(scenario, say("Succeeded"))

    def _add(self, kind: StepType, tool: str | None = None) -> None:
        tried, step = self._case.scenario, AddedStep(kind, tool)
        self._try(replace(tried, added=(*tried.added, step)), say("Add Step"))

    @property
    def _edited(self) -> ReasoningTrace:
        return edited_trace(self._case.trace, self._case.scenario)

    @property
    def _used_tool(self) -> str:
        """The tool that is used last in the edited trace; "" if no tool is used."""
        steps = reversed(self._edited.steps)
        return next((step.tool_name for step in steps if step.tool_name), "")


def _line_row(line: EditLine, back: FlatButton) -> QWidget:
    """A row for a changed step: its place, old and new values, and a button to take it back."""
    row, parts = QWidget(), [Label(line.place)]
    row.setAccessibleName(line.text)
    if line.before:
        parts += (ElidedLabel(line.before, second=True), Label(_ARROW, second=True))
    in_row(*parts, ElidedLabel(line.after, TextRole.NAME), None, back, on=row, spacing=_GAP)
    return row


class RuleChanges(_Part):
    """The fields for profile and threshold, and the four weights below them."""

    def __init__(self, wish: Tell) -> None:
        super().__init__(wish)
        self.profile = ComboBox(say("Profile in what-if"))
        self.threshold = ShareField(say("Threshold in what-if"))
        self.profile.addItem("", "")
        for one in (*PROFILES, Profile(CUSTOM, PROFILES[0].weights)):
            self.profile.addItem(profile_word(one), one.name)
        self.weights = WeightFields(self._on_weight_changed, self._end)
        self._flips = Label(role=TextRole.CAPTION, second=True)
        note = say("weights add up to 1.00")
        tip = say("By what this trace is judged; the others are not touched")
        grid = self._make_grid(SectionTitle(say("Rules"), note, tip=tip), 6, 2, wide=1)
        sized(self, lambda one, px: one.layout().setColumnMinimumWidth(0, px), LABEL_WIDTH)
        threshold = in_row(self.threshold, None, self._flips, margins=None, spacing=None)
        left = Qt.AlignmentFlag.AlignLeft
        grid.addWidget(Label(say("Profile"), second=True, buddy=self.profile), 1, 0)
        grid.addWidget(self.profile, 1, 1, left)
        grid.addWidget(Label(say("Threshold"), second=True, buddy=self.threshold), 2, 0)
        grid.addLayout(threshold, 2, 1)
        weights = Label(say("Weights"), second=True, buddy=self.weights)
        sized(weights, QWidget.setMinimumHeight, CONTROL_HEIGHT)
        grid.addWidget(weights, 3, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.weights, 3, 1)
        self.profile.activated.connect(self._on_profile_activated)
        self.threshold.valueChanged.connect(
            lambda value: self._try(self._case.with_threshold(value), say("Threshold"), "threshold")
        )
        self.threshold.editingFinished.connect(self._end)

    def set_case(self, case: Case) -> None:
        """Show the rules of the what-if."""
        self._case = case
        then, tried = case.outcome.then, case.scenario.profile
        word = profile_word(case.judged.profile)
        words = say("{profile}, from the trace", profile=word)
        if case.document.rules.profile is not None:
            words = say("{profile}, chosen for all", profile=word)
        with QSignalBlocker(self.profile):
            if words != self.profile.itemText(0):
                self.profile.setItemText(0, words)
                self.profile.updateGeometry()
            self.profile.setCurrentIndex(self.profile.findData(tried.name if tried else ""))
        self.threshold.show_value(then.threshold)
        self.weights.set_weights(then.profile.weights)

    def set_flips(self, flips: Flips) -> None:
        """Show how many verdicts in the list the threshold alone would change."""
        number, words = flips.flipped.get(""), ""
        if number:
            of = shown_count(flips.of - flips.opened.get("", 0))
            words = say("flips {number} of {of}", number=shown_count(number), of=of)
        self._flips.setText(words)

    def _on_profile_activated(self, row: int) -> None:
        case, name = self._case, self.profile.itemData(row)
        profile = PROFILE_NAMED.get(name)
        if name == CUSTOM:
            profile = Profile(CUSTOM, case.outcome.then.profile.weights)
        self._try(case.with_profile(profile), say("Profile"))

    def _on_weight_changed(self, dimension: Dimension, value: float) -> None:
        words = say("Weight of {dimension}", dimension=DIMENSION_NAMES[dimension])
        weights = rebalanced(self._case.outcome.then.profile.weights, dimension, value)
        self._try(self._case.with_profile(Profile(CUSTOM, weights)), words, f"weight {dimension}")


class WeightFields(QWidget):
    """Fields for four weights that add up to 1: when one changes, the others are adapted."""

    def __init__(
        self, want: Callable[[Dimension, float], object], end: Callable[[], object]
    ) -> None:
        super().__init__()
        self._want, self._end = want, end
        self._across = 0
        self._fields: dict[Dimension, ShareField] = {}
        self._cells = [self._make_cell(dimension) for dimension in Dimension]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(_BETWEEN)
        self._grid.setVerticalSpacing(6)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._place(len(self._cells))

    def set_weights(self, weights: Weights) -> None:
        """Show these weights."""
        for dimension, field in self._fields.items():
            field.show_value(weights.of(dimension))

    def _make_cell(self, dimension: Dimension) -> QWidget:
        words = say("Weight of {name}", name=DIMENSION_NAMES[dimension])
        field = self._fields[dimension] = ShareField(words, width=_WEIGHT_WIDTH)
        whole = QWidget()
        letter = Drawing(QSize(_LETTER_WIDTH, 0), partial(_paint_letter, dimension), grows=True)
        in_row(letter, _CELL_GAP, field, on=whole)
        field.valueChanged.connect(partial(self._want, dimension))
        field.editingFinished.connect(self._end)
        return whole

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        cell = self._cells[0].sizeHint().width()
        number = len(self._cells)
        fits = event.size().width() >= number * cell + (number - 1) * _BETWEEN
        self._place(number if fits else number // 2)

    def _place(self, across: int) -> None:
        """Place the fields in one row, or in two rows of two."""
        if across == self._across:
            return
        self._across = across
        for number, cell in enumerate(self._cells):
            self._grid.addWidget(cell, number // across, number % across)
        for column in range(len(self._cells) + 1):
            self._grid.setColumnStretch(column, int(column == across))


def _paint_badge(dimension: Dimension, painter: QPainter, rect: QRect, colours: Colours) -> None:
    paint_badge(painter, rect, dimension, colours)


def _paint_letter(dimension: Dimension, painter: QPainter, rect: QRect, colours: Colours) -> None:
    """Write a dimension's letter in its colour; the field after it has the full name."""
    painter.setFont(font(TextRole.PANE, painter.font()))
    painter.setPen(colours.dimension(dimension))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, DIMENSION_LETTERS[dimension])
