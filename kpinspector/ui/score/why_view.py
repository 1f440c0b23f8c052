"""Why: the answer, then the parts that it is made of; in two columns where there is room."""

import sys

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kpinspector.scoring.formula.assess import Verdict
from kpinspector.ui.controls.views import SCROLL_BAR_WIDTH
from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.theme import colours, scale
from kpinspector.ui.parts.hint_page import HintPage
from kpinspector.ui.parts.sections import Divider
from kpinspector.ui.parts.sentence_label import SentenceLabel
from kpinspector.ui.parts.two_columns import TwoColumns
from kpinspector.ui.score.answer import Answer
from kpinspector.ui.score.answer_notes import FileFacts, Issues, Remarks
from kpinspector.ui.score.change_table import ChangeTable
from kpinspector.ui.score.dimension_table import DimensionTable
from kpinspector.ui.score.override_table import OverrideTable
from kpinspector.ui.score.verdict_block import GateRow, VerdictBlock
from kpinspector.ui.score.waterfall import Waterfall

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

PADDING = 16
TWO_COLUMNS_FROM = 730

_COLUMN_GAP = 32


class WhyView(QWidget):
    """The content of the Why tab."""

    wished = Signal(object)
    """A `StepWish` or a `NeighboursWish`, where evidence leads to; a `TryWish` of a change."""

    def __init__(self) -> None:
        super().__init__()
        self._verdict = VerdictBlock()
        self._sentence = SentenceLabel()
        self._gates = GateRow()
        self._remarks = Remarks()
        self._issues = Issues()
        self._facts = FileFacts()
        self._dimensions = DimensionTable()
        self._dimensions.row_activated.connect(self.wished)
        self._overrides = OverrideTable()
        self._waterfall = Waterfall()
        self._waterfall.wished.connect(self.wished)
        self._changes = ChangeTable()
        self._changes.row_activated.connect(self.wished)
        self._last_line = Divider()
        self._nothing = HintPage(self.tr("Choose a trace to see what its score is made of."))
        self._summary = self._make_summary()
        self._terms = self._make_terms()
        self._columns = TwoColumns(self._summary, self._terms, _COLUMN_GAP)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PADDING, 0, PADDING - SCROLL_BAR_WIDTH, PADDING // 2)
        layout.setSpacing(0)
        layout.addWidget(self._nothing)
        layout.addLayout(self._columns)
        layout.addStretch(1)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.set_answer(None)

    def _make_summary(self) -> QWidget:
        summary = QWidget()
        layout = QVBoxLayout(summary)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._verdict)
        layout.addWidget(self._sentence)
        layout.addSpacing(4)
        layout.addWidget(self._gates)
        layout.addSpacing(3)
        layout.addWidget(self._remarks)
        layout.addWidget(self._issues)
        layout.addWidget(self._facts)
        layout.addStretch(1)
        return summary

    def _make_terms(self) -> QWidget:
        terms = QWidget()
        layout = QVBoxLayout(terms)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._first_line = Divider()
        layout.addWidget(self._first_line)
        layout.addWidget(self._dimensions)
        layout.addWidget(Divider())
        layout.addWidget(self._overrides)
        layout.addWidget(Divider())
        layout.addWidget(self._waterfall)
        layout.addWidget(self._last_line)
        layout.addWidget(self._changes)
        # a new height comes a moment after new rows: nothing spreads till then
        layout.addStretch(1)
        return terms

    def set_answer(self, answer: Answer | None) -> None:
        """Show the answer for a document, or what would be here."""
        self._nothing.setVisible(answer is None)
        self._summary.setVisible(answer is not None)
        self._terms.setVisible(answer is not None and answer.shown is not None)
        if answer is None:
            return
        self._verdict.set_answer(answer)
        self._sentence.set_sentence(answer.sentence)
        self._gates.set_gates(answer.gates, assumed=answer.document.assumed)
        for part in (self._remarks, self._issues, self._facts):
            part.set_answer(answer)
        for table in (self._dimensions, self._overrides, self._waterfall, self._changes):
            table.set_answer(answer)
        may_fail = answer.pending and answer.document.verdict is not Verdict.ACCEPTED
        changes = may_fail or answer.changes_wait or answer.counterfactuals is not None
        self._last_line.setVisible(changes)
        self._changes.setVisible(changes)

    def set_changes(self, answer: Answer) -> None:
        """Show what would change the score; all else is as it was."""
        self._changes.set_answer(answer)

    def set_turn(self, answer: Answer) -> None:
        """Show when novelty is measured; all else is as it was."""
        self._dimensions.set_answer(answer)
        self._waterfall.set_answer(answer)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._columns.wide and self._terms.isVisible():
            left = self._terms.geometry().left() - _COLUMN_GAP // 2
            fill(QPainter(self), QRect(left, 0, 1, self.height()), colours(self.palette()).line)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = event.size().width() >= scale(TWO_COLUMNS_FROM, self.fontMetrics())
        if self._columns.set_wide(wide=wide):
            self._first_line.setVisible(not wide)
            self._put_changes(self._summary if wide else self._terms)

    def _put_changes(self, column: QWidget) -> None:
        """Below the verdict where there are two columns, else at the end."""
        layout = column.layout()
        if isinstance(layout, QVBoxLayout):
            for part in (self._last_line, self._changes):
                layout.insertWidget(layout.count() - 1, part)
