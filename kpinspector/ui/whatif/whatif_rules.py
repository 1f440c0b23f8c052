"""The rules of a what-if: profile, threshold and custom weights."""

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget
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
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.ui.controls.base import CONTROL_HEIGHT, Label
from kpinspector.ui.controls.fields import ComboBox
from kpinspector.ui.look.theme import TextRole, colours, font, scale, sized
from kpinspector.ui.parts.sections import SectionTitle
from kpinspector.ui.whatif.whatif_case import Case, Flips
from kpinspector.ui.whatif.whatif_fields import ShareField
from kpinspector.ui.whatif.whatif_trace import LABEL_WIDTH
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say
from kpinspector.words.scenario_words import profile_word
from kpinspector.words.sentences import DIMENSION_NAMES

_GAP = 8
_ROW_GAP = 6
_WEIGHT_WIDTH = 46
_LETTER_WIDTH = 9
_CELL_GAP = 2
_BETWEEN = 4


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
        threshold = QHBoxLayout()
        threshold.addWidget(self.threshold)
        threshold.addStretch(1)
        threshold.addWidget(self._flips)
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
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(_Letter(dimension))
        row.addSpacing(_CELL_GAP)
        row.addWidget(field)
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
