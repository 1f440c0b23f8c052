"""The Neighbours tab: what novelty was compared with, the effect of order, and the unseen text."""

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.app.questions import Question
from kpinspector.scoring.findings import Basis, Finding, Neighbour
from kpinspector.scoring.novelty.questions import Alike
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.settings import Mode
from kpinspector.ui.controls.base import in_column
from kpinspector.ui.controls.views import SCROLL_BAR_WIDTH
from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.theme import TextRole, colours, scale
from kpinspector.ui.neighbours.neighbour_list import NeighbourList
from kpinspector.ui.neighbours.neighbour_parts import AlikePart, OrderChart, UnseenPart
from kpinspector.ui.parts.column_page import HintPage, TwoColumns
from kpinspector.ui.parts.sections import Divider, WrappedLabel
from kpinspector.words.explanation import Explanation
from kpinspector.words.run import middle_scores
from kpinspector.words.say import say

_PADDING = 16
_TWO_COLUMNS_FROM = 640


class NeighbourView(QWidget):
    """The content of the Neighbours tab. What is asked for comes back by setters."""

    asked = Signal(object)
    """A `Question` about the trace that is shown."""
    stop_requested = Signal(object)
    """A `Question` that needs no answer any more."""
    compare_requested = Signal(object, object)
    """The number of the row that is shown, and a `Neighbour`."""
    open_requested = Signal(object)
    try_novelty_requested = Signal(float)
    step_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._explanation: Explanation | None = None
        self._measured: Measured | None = None
        self._nothing = HintPage(padding=_PADDING)
        self._middle = WrappedLabel("", TextRole.CAPTION, second=True)
        self._middle.setContentsMargins(_PADDING, _PADDING // 2, _PADDING, 0)
        self.list = NeighbourList()
        self._order = OrderChart()
        self._alike = AlikePart()
        self._unseen = UnseenPart()
        self._alike_line, self._unseen_line = Divider(), Divider()
        self._terms = self._make_terms()
        self._columns = TwoColumns(self.list, self._terms)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, _PADDING // 2)
        layout.setSpacing(0)
        layout.addWidget(self._nothing)
        layout.addWidget(self._middle)
        layout.addLayout(self._columns)
        layout.addStretch(1)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self._connect()
        self.set_explanation(None)

    def _make_terms(self) -> QWidget:
        terms = QWidget()
        layout = in_column(on=terms, margins=(_PADDING, 0, _PADDING - SCROLL_BAR_WIDTH, 0))
        self._first_line = Divider()
        for part in (
            self._first_line,
            self._order,
            self._alike_line,
            self._alike,
            self._unseen_line,
            self._unseen,
        ):
            layout.addWidget(part)
        return terms

    def _connect(self) -> None:
        self.list.today_chosen.connect(self._ask)
        self.list.compare_requested.connect(self._on_compare_requested)
        self.list.open_requested.connect(self.open_requested)
        self.list.try_novelty_requested.connect(self.try_novelty_requested)
        self._alike.step_wanted.connect(self.step_wanted)
        asking = self._alike.asking
        asking.asked.connect(lambda: self.asked.emit(Question.RANKING))
        asking.stop_requested.connect(lambda: self.stop_requested.emit(Question.RANKING))

    def set_explanation(self, explanation: Explanation | None) -> None:
        """Show the neighbours of a trace, or say why there are none."""
        measured = None if explanation is None else explanation.measured
        other = measured is not self._measured
        self._explanation, self._measured = explanation, measured
        words = self._why_nothing(explanation)
        self._nothing.set_sentence(words)
        self._nothing.setVisible(bool(words))
        for part in (self.list, self._terms):
            part.setVisible(not words)
        self._say_middle(None if words else explanation)
        if words or explanation is None or explanation.assessment is None or measured is None:
            return
        self.list.set_measurement(
            measured.measurement, explanation.assessment, explanation.neighbours
        )
        if explanation.order is not None:
            self._order.set_order(explanation.order)
        if other:
            self._alike.set_measured(measured)
            self._unseen.set_reach(measured.measurement.novelty.reach)
        alike = bool(explanation.neighbours)
        self._alike.setVisible(alike)
        self._alike_line.setVisible(alike)
        self._ask()

    def _say_middle(self, explanation: Explanation | None) -> None:
        """Of a run that may have ended in several ways, for which of them the scores are."""
        ranges = explanation is not None and explanation.possible is not None
        facts = explanation.facts if explanation is not None and ranges else None
        self._middle.setText("" if facts is None else middle_scores(facts))
        self._middle.setVisible(facts is not None)

    def set_today(self, finding: Finding) -> None:
        """Take today's nearest entries."""
        self.list.set_today(finding)

    def set_alike(self, alike: Alike | None) -> None:
        """Take what makes both alike as far as it is known; None: the neighbour is gone."""
        self._alike.set_alike(alike)

    def set_ended(self, question: Question) -> None:
        """A question is finished."""
        if question is Question.RANKING:
            self._alike.set_ended()

    def set_mode(self, mode: Mode) -> None:
        """Show which memory today's comparison uses."""
        self.list.set_mode(mode)

    def refresh_today(self) -> None:
        """The memory has changed: look again, if today's nearest entries are shown."""
        if self.isVisible() and self._measured is not None and self.list.shows_today:
            self.asked.emit(Question.TODAY)

    def _why_nothing(self, explanation: Explanation | None) -> str:
        if explanation is None:
            return say("Choose a trace to see what it was compared with.")
        if explanation.pending:
            return say("What it is compared with is known when the trace is scored.")
        if explanation.novelty is None:
            return say("There is no score: nothing was compared.")
        if explanation.novelty.basis is Basis.NOT_RECORDED:
            return say(
                "Nothing was compared, as the recording left the content out:"
                " novelty is assumed 0.5, whatever came before."
            )
        if explanation.assumed:
            return say(
                "Nothing was compared, as the embedding model could not be loaded:"
                " novelty is assumed 0.5, whatever came before."
            )
        return ""

    def _on_compare_requested(self, neighbour: Neighbour) -> None:
        if self._explanation is not None:
            self.compare_requested.emit(self._explanation.row, neighbour)

    def _ask(self) -> None:
        """Ask for what is shown and is not known yet."""
        if not self.isVisible() or self._measured is None:
            return
        if self.list.wants_today:
            self.asked.emit(Question.TODAY)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._columns.wide and self._terms.isVisible():
            left = self._terms.geometry().left()
            fill(QPainter(self), QRect(left, 0, 1, self.height()), colours(self.palette()).line)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = event.size().width() >= scale(_TWO_COLUMNS_FROM, self.fontMetrics())
        if self._columns.set_wide(wide=wide):
            self._first_line.setVisible(not wide)
