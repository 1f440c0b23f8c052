"""The four dimensions of a what-if: a slider, a field and a lock each."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.controls.base import FlatButton, Label
from kpinspector.ui.controls.fields import NumberField
from kpinspector.ui.controls.slider import UNITS, DimensionSlider
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.marks import BADGE_SIZE_LARGE, paint_badge
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.theme import Colours, TextRole, colours, scale
from kpinspector.ui.parts.sections import SectionTitle
from kpinspector.ui.whatif.whatif_case import Case
from kpinspector.words.figures import shown_number, shown_short, shown_value
from kpinspector.words.say import say
from kpinspector.words.sentences import DIMENSION_NAMES

FIELD_WIDTH = 62
_STEP = 0.01
_ROOM = 30  # beside a number in its field
_GAP = 8
_ROW_GAP = 4
_DECIMALS = 3


class ShareField(NumberField):
    """A number from 0 to 1, shown with at least ``least`` decimals and at most ``most``.

    What is typed counts when it is done. A wheel over it scrolls the pane, and where there is no
    typing to take back the key for that belongs to the window.
    """

    def __init__(
        self, name: str, *, least: int = 2, most: int = 4, width: int = FIELD_WIDTH
    ) -> None:
        self._least = least
        self._width = width
        super().__init__(name)
        self.setDecimals(most)
        self.setRange(0.0, 1.0)
        self.setSingleStep(_STEP)
        self.setKeyboardTracking(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.editingFinished.connect(self._on_editing_finished)

    def show_value(self, value: float) -> None:
        """Show a number without asking for it; one outside 0 to 1 widens the range."""
        low, high = min(0.0, value), max(1.0, value)
        with QSignalBlocker(self):
            if (low, high) != (self.minimum(), self.maximum()):
                self.setRange(low, high)
                self.updateGeometry()
            if not self.same(value, self.value()):
                self.setValue(value)

    def same(self, value: float, other: float) -> bool:
        """Whether the field has no two values for these."""
        return round(value, self.decimals()) == round(other, self.decimals())

    @override
    def textFromValue(self, val: float) -> str:
        short = shown_short(val)
        places = len(short.partition(".")[2])
        return short if places >= self._least else shown_number(val, self._least)

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            edit, key = self.lineEdit(), QKeySequence.StandardKey
            undo = event.matches(key.Undo) and not edit.isUndoAvailable()
            if undo or (event.matches(key.Redo) and not edit.isRedoAvailable()):
                event.ignore()
                return False
        return super().event(event)

    @override
    def sizeHint(self) -> QSize:
        """Wider where a number outside 0 to 1 needs it: none is cut."""
        metrics, width = self.fontMetrics(), scale(self._width, self.fontMetrics())
        for end, usual in ((self.minimum(), 0.0), (self.maximum(), 1.0)):
            if end != usual:
                text = metrics.horizontalAdvance(self.textFromValue(end))
                width = max(width, text + scale(_ROOM, metrics))
        return QSize(width, super().sizeHint().height())

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def _on_editing_finished(self) -> None:
        self.lineEdit().setText(self.text())


class EdgeButton(FlatButton):
    """A button no wider than its sign and word, so that it ends at the pane's edge."""

    @override
    def sizeHint(self) -> QSize:
        return QSize(sum(self._widths()) + 2, super().sizeHint().height())


class LockButton(EdgeButton):
    """A lock that holds a number while closed; pressing it asks for the opposite."""

    def __init__(self) -> None:
        super().__init__(IconName.UNLOCK)
        self.setCheckable(True)

    def set_closed(self, *, closed: bool, words: str) -> None:
        """Show whether it is closed; the words say what it does."""
        if words == self.accessibleName() and closed is self.isChecked():
            return
        self.setChecked(closed)
        self.set_icon(IconName.LOCK if closed else IconName.UNLOCK)
        self.setAccessibleName(words)
        self.setToolTip(plain_tooltip(words))

    @override
    def _ground(self, found: Colours) -> QColor | None:
        """The sign says whether it is closed, not the ground."""
        return found.hover if self.isEnabled() and self.underMouse() else None

    @override
    def _ink(self, found: Colours) -> tuple[QColor, QColor]:
        if self.isChecked():
            return found.text, found.text
        return super()._ink(found)


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
