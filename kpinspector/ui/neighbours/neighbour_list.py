"""The nearest traces, when the trace was scored or today, and what can be done with one of them."""

from enum import StrEnum

from PySide6.QtCore import QDateTime, QLocale, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.memory.findings import Finding, Neighbour
from kpinspector.scoring.memory.mode import Mode
from kpinspector.scoring.novelty.measure import Measurement, with_finding
from kpinspector.scoring.novelty.neighbours import Influence, compare_findings, influences, without
from kpinspector.ui.controls.base import Label, PushButton
from kpinspector.ui.controls.chips import ChipBar, ChipSpec
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.neighbours.neighbour_table import NeighbourTable
from kpinspector.ui.parts.sections import WrappedLabel
from kpinspector.ui.parts.sentence_label import SentenceLabel
from kpinspector.words.figures import shown_count
from kpinspector.words.neighbour_words import compared_words, today_sentence, without_score
from kpinspector.words.sentences import Run, Sentence

_PADDING = 16
_GAP = 8


class When(StrEnum):
    """Which comparison is shown."""

    SCORED = "scored"
    TODAY = "today"


class NeighbourList(QWidget):
    """The traces that novelty was compared with; those of today once they are known."""

    today_chosen = Signal()
    compare_requested = Signal(object)
    open_requested = Signal(object)
    try_novelty_requested = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._measurement: Measurement | None = None
        self._assessment: Assessment | None = None
        self._influences: tuple[Influence, ...] = ()
        self._today: Finding | None = None
        self._mode = Mode.REMEMBER
        self._when = ChipBar(
            (
                ChipSpec(When.SCORED, self.tr("When Scored")),
                ChipSpec(When.TODAY, self.tr("Today")),
            )
        )
        self._summary = SentenceLabel()
        self._table = NeighbourTable()
        self._bound = WrappedLabel("", TextRole.CAPTION, second=True)
        self._compare = PushButton(self.tr("Compare"), icon=IconName.COMPARE)
        self._open = PushButton(self.tr("Open"))
        self._leave_out = PushButton(self.tr("Leave Out in What-if"))
        self._lay_out()
        self._when.chip_chosen.connect(self._on_when_chosen)
        self._table.chosen_changed.connect(self._on_chosen_changed)
        self._compare.clicked.connect(self._on_compare)
        self._open.clicked.connect(self._on_open)
        self._leave_out.clicked.connect(self._on_leave_out)

    @property
    def wants_today(self) -> bool:
        """Today's nearest are asked for, and not known."""
        return self.shows_today and self._today is None

    @property
    def shows_today(self) -> bool:
        """Today's nearest are what is looked at."""
        return self._when.chosen == When.TODAY

    @property
    def chosen(self) -> Neighbour | None:
        """The trace that the buttons are about."""
        return self._table.chosen

    def set_measurement(self, measurement: Measurement, assessment: Assessment) -> None:
        """Show the finding of a trace; what is known of today stays while it is the same one."""
        if measurement is not self._measurement:
            self._today = None
        self._measurement, self._assessment = measurement, assessment
        self._influences = influences(measurement, assessment.profile, assessment.threshold)
        self._show()

    def set_today(self, finding: Finding) -> None:
        """Take today's nearest entries."""
        self._today = finding
        self._show()

    def set_mode(self, mode: Mode) -> None:
        """Say with what is compared today."""
        self._mode = mode
        self._show()

    def _lay_out(self) -> None:
        title = QHBoxLayout()
        title.setContentsMargins(_PADDING, 6, _PADDING - 4, 0)
        title.addWidget(Label(self.tr("Nearest remembered traces"), TextRole.HEADING))
        title.addStretch(1)
        title.addWidget(self._when)
        summary = QVBoxLayout()
        summary.setContentsMargins(_PADDING, 4, _PADDING, 0)
        summary.addWidget(self._summary)
        bound = QVBoxLayout()
        bound.setContentsMargins(_PADDING, 4, _PADDING, 0)
        bound.addWidget(self._bound)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(_PADDING, _GAP, _PADDING, 4)
        buttons.setSpacing(_GAP)
        for button in (self._compare, self._open, self._leave_out):
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(title)
        layout.addLayout(summary)
        layout.addWidget(self._table)
        layout.addLayout(bound)
        layout.addLayout(buttons)

    def _show(self) -> None:
        measurement, assessment = self._measurement, self._assessment
        if measurement is None or assessment is None:
            return
        today = self._today if self.shows_today else None
        if today is None:
            compared = self._compared_then(measurement)
            self._table.show_finding(self._influences, compared, measurement.novelty.own)
        else:
            comparison = compare_findings(measurement.novelty, today)
            compared = self.tr("{0} today").format(compared_words(today))
            self._table.show_today(comparison.nearest, compared, comparison.own)
        self._summary.set_sentence(self._summary_words(measurement, assessment))
        self._summary.setVisible(bool(self._summary.text()))
        bound = self._bound_words(measurement, assessment) if today is None else ""
        self._bound.setText(bound)
        self._bound.setVisible(bool(bound))
        self._table.setVisible(self._table.chosen is not None)
        self._on_chosen_changed()

    def _compared_then(self, measurement: Measurement) -> str:
        words, novelty = compared_words(measurement.novelty), measurement.novelty
        if not novelty.remembered or novelty.found_at is None:
            return words
        day = QDateTime.fromMSecsSinceEpoch(novelty.found_at).date()
        shown = QLocale().toString(day, QLocale.FormatType.ShortFormat)
        return self.tr("{0} on {1}").format(words, shown)

    def _summary_words(self, measurement: Measurement, assessment: Assessment) -> Sentence:
        if self.shows_today:
            if self._today is None:
                return (Run(self.tr("Comparing with what is remembered today.")),)
            now = with_finding(measurement, self._today)
            again = assess(now, assessment.profile, assessment.threshold)
            changed = compare_findings(measurement.novelty, self._today)
            return (*today_sentence(again, changed), *self._mode_words())
        if not self._influences:
            return (Run(self.tr("It was the first: there was nothing to compare with.")),)
        return ()

    def _mode_words(self) -> Sentence:
        """With what is compared today, where that is not what is remembered."""
        words = {
            Mode.GUEST: self.tr("As a guest: with a copy of the memory and what was scored since."),
            Mode.FRESH: self.tr("Fresh: with the traces of the last drop and no others."),
        }
        return (Run(f" {words[self._mode]}"),) if self._mode in words else ()

    def _bound_words(self, measurement: Measurement, assessment: Assessment) -> str:
        """The score without all of them, where that is more than the score without one."""
        count = len(self._influences)
        if count < 2:  # noqa: PLR2004
            return ""
        found = without(measurement, range(count), assessment.profile, assessment.threshold)
        words = self.tr("Without all {0} the score would be {1}.")
        return words.format(shown_count(count), without_score(found))

    def _influence(self) -> Influence | None:
        """What the chosen one did to the score, where the finding's are shown."""
        if self.shows_today and self._today is not None:
            return None
        return next((one for one in self._influences if one.neighbour == self.chosen), None)

    def _on_when_chosen(self, key: str) -> None:
        self._show()
        if key == When.TODAY:
            self.today_chosen.emit()

    @Slot()
    def _on_chosen_changed(self) -> None:
        influence = self._influence()
        shown = self.chosen is not None
        for button in (self._compare, self._open, self._leave_out):
            button.setVisible(shown)
        self._leave_out.setEnabled(influence is not None and influence.changes)

    @Slot()
    def _on_compare(self) -> None:
        if self.chosen is not None:
            self.compare_requested.emit(self.chosen)

    @Slot()
    def _on_open(self) -> None:
        if self.chosen is not None:
            self.open_requested.emit(self.chosen)

    @Slot()
    def _on_leave_out(self) -> None:
        influence = self._influence()
        if influence is not None:
            self.try_novelty_requested.emit(influence.without.novelty)
