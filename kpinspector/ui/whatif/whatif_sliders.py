"""The four dimensions of a what-if: a slider, a field and a lock each."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.controls.base import Label
from kpinspector.ui.controls.slider import UNITS, DimensionSlider
from kpinspector.ui.look.marks import BADGE_SIZE_LARGE, paint_badge
from kpinspector.ui.look.theme import TextRole, colours, scale
from kpinspector.ui.parts.sections import SectionTitle
from kpinspector.ui.whatif.whatif_case import Case
from kpinspector.ui.whatif.whatif_fields import LockButton, ShareField
from kpinspector.words.figures import shown_value
from kpinspector.words.say import say
from kpinspector.words.sentences import DIMENSION_NAMES

_GAP = 8
_ROW_GAP = 4
_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class _Row:
    slider: DimensionSlider
    field: ShareField
    lock: LockButton


class DimensionSliders(QWidget):
    """A row for each dimension; the lock says whether a value is held against the trace."""

    scenario_wanted = Signal(object, str, str)
    """The scenario, what was changed in words, and by what key it is one change with more."""
    measuring_wanted = Signal()
    gesture_ended = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._case: Case | None = None
        self._rows: dict[Dimension, _Row] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(_GAP)
        grid.setVerticalSpacing(_ROW_GAP)
        grid.setColumnStretch(2, 1)
        note = say("{mark} needed to pass, alone", mark="\N{BLACK UP-POINTING SMALL TRIANGLE}")
        grid.addWidget(SectionTitle(say("Dimensions"), note), 0, 0, 1, 5)
        for line, dimension in enumerate(Dimension, start=1):
            self._rows[dimension] = row = self._make_row(dimension)
            name = Label(DIMENSION_NAMES[dimension], TextRole.NAME)
            name.setBuddy(row.slider)
            parts = (_Badge(dimension), name, row.slider, row.field, row.lock)
            for column, part in enumerate(parts):
                grid.addWidget(part, line, column, Qt.AlignmentFlag.AlignVCenter)

    def _make_row(self, dimension: Dimension) -> _Row:
        name = DIMENSION_NAMES[dimension]
        field = ShareField(say("{name}, value", name=name), least=_DECIMALS, most=_DECIMALS)
        row = _Row(DimensionSlider(dimension, name), field, LockButton())
        row.slider.valueChanged.connect(lambda units: self._move(dimension, units / UNITS))
        row.slider.sliderReleased.connect(self.gesture_ended)
        row.field.valueChanged.connect(lambda value: self._move(dimension, value))
        row.lock.clicked.connect(lambda: self._turn(dimension))
        for part in (row.slider, row.field):
            part.installEventFilter(self)
        return row

    def set_case(self, case: Case) -> None:
        """Show the values of a scenario, and beside them those of now."""
        self._case = case
        then, now, needed = case.outcome.values, case.now, case.needed
        for dimension, row in self._rows.items():
            value = then.of(dimension)
            with QSignalBlocker(row.slider):
                row.slider.setValue(round(min(1.0, max(0.0, value)) * UNITS))
            present = now.of(dimension) if case.is_known(dimension) else None
            row.slider.set_marks(present, needed[dimension])
            said = self._said(value, present, needed[dimension])
            if said != row.slider.accessibleDescription():
                row.slider.setAccessibleDescription(said)
            row.field.show_value(value)
            self._show_lock(case, dimension, row.lock)

    def _said(self, value: float, now: float | None, needed: float | None) -> str:
        alone = say("not reachable alone") if needed is None else shown_value(needed)
        return say(
            "{value} in what-if, now {now}, needed alone: {alone}",
            value=shown_value(value),
            now=say("not recorded") if now is None else shown_value(now),
            alone=alone,
        )

    def _show_lock(self, case: Case, dimension: Dimension, lock: LockButton) -> None:
        name = DIMENSION_NAMES[dimension]
        by_hand = case.scenario.value_of(dimension) is not None
        if dimension is Dimension.NOVELTY:
            lock.setEnabled(by_hand or case.outcome.novelty_held or case.measured_again)
            closed = by_hand or not case.measured_again
            words = self._novelty_words(case, by_hand=by_hand)
        else:
            closed = by_hand
            held = say("{name} is held: let it follow the trace", name=name)
            words = held if by_hand else say("{name} follows the trace: hold it", name=name)
        lock.set_closed(closed=closed, words=words)

    def _novelty_words(self, case: Case, *, by_hand: bool) -> str:
        if by_hand:
            return say("Novelty is held: go back to what was measured")
        if case.measured_again:
            return say("Novelty was measured again: hold it as it was before")
        if case.outcome.novelty_held:
            return say("Novelty is held: measure it again")
        return say("Novelty is held as it was measured")

    def _move(self, dimension: Dimension, value: float) -> None:
        if self._case is not None:
            scenario = self._case.with_value(dimension, value)
            self.scenario_wanted.emit(scenario, DIMENSION_NAMES[dimension], dimension)

    def _turn(self, dimension: Dimension) -> None:
        """Hold a value, or let it follow the trace."""
        case = self._case
        if case is None:
            return
        self._show_lock(case, dimension, self._rows[dimension].lock)  # the scenario decides
        name, scenario = DIMENSION_NAMES[dimension], case.scenario
        if scenario.value_of(dimension) is not None:
            changed, words = scenario.with_value(dimension, None), say("Release {name}", name=name)
        elif dimension is not Dimension.NOVELTY:
            value = case.outcome.values.of(dimension)
            changed, words = scenario.with_value(dimension, value), say("Hold {name}", name=name)
        elif case.measured_again:
            changed, words = replace(scenario, measured_novelty=None), say("Hold {name}", name=name)
        else:
            self.measuring_wanted.emit()
            return
        self.scenario_wanted.emit(changed, words.format(name), "")

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leaving a slider or a field ends the gesture."""
        if event.type() == QEvent.Type.FocusOut:
            self.gesture_ended.emit()
        return super().eventFilter(watched, event)


class _Badge(QWidget):
    """The letter of a dimension; its name stands beside it."""

    def __init__(self, dimension: Dimension) -> None:
        super().__init__()
        self._dimension = dimension
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        side = scale(BADGE_SIZE_LARGE, self.fontMetrics())
        return QSize(side, side)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_badge(painter, self.rect(), self._dimension, colours(self.palette()))
