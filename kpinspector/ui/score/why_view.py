"""The Why tab: the answer, then its parts; in two columns where there is room."""

from PySide6.QtCore import QRect, QSize, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.scoring.formula.assess import GateResult, GateState
from kpinspector.ui.controls.base import ElidedLabel, Label, in_column, in_row
from kpinspector.ui.look.marks import STATE_SIZE_LARGE, fill
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.roles import Group, announce
from kpinspector.ui.look.theme import TextRole, colours, font, scale
from kpinspector.ui.parts.column_page import ColumnPage
from kpinspector.ui.parts.sections import Divider
from kpinspector.ui.parts.sentence_label import SentenceLabel
from kpinspector.ui.parts.state_mark import StateMark
from kpinspector.ui.score.answer_notes import FileFacts, Issues, Remarks
from kpinspector.ui.score.change_table import ChangeTable
from kpinspector.ui.score.dimension_table import DimensionTable, OverrideTable
from kpinspector.ui.score.waterfall import Waterfall
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import shown_range, shown_whole
from kpinspector.words.page import GATE_NAMES, GATE_SIGNS, GATE_WORDS, Sign
from kpinspector.words.say import say, say_list

BLOCK_HEIGHT = 62

_BLOCK_TOP = 8
_ICON_GAP = 8
_CONNECTOR = 19


_SENTENCE_LINES = 3


class _Connector(QWidget):
    """The short line between two gates."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    @override
    def sizeHint(self) -> QSize:
        return QSize(scale(_CONNECTOR, self.fontMetrics()), 1)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        line = QRect(0, self.height() // 2, self.width(), 1)
        fill(painter, line, colours(self.palette()).button_edge)


class GateRow(Group):
    """The three gates: readable, schema, score, each with a shape for its state."""

    def __init__(self) -> None:
        super().__init__()
        layout = in_row(on=self, margins=(0, 4, 0, 4), spacing=6)
        self._gates: list[tuple[StateMark, Label]] = []
        for number in range(3):
            if number:
                layout.addSpacing(2)
                layout.addWidget(_Connector())
                layout.addSpacing(2)
            mark, label = StateMark(), Label()
            layout.addWidget(mark)
            layout.addWidget(label)
            self._gates.append((mark, label))
        layout.addStretch(1)
        self.setAccessibleName(say("Gates"))

    def set_gates(self, gates: tuple[GateResult, ...], *, assumed: bool = False) -> None:
        """Show the state of each gate."""
        for (mark, label), gate in zip(self._gates, gates, strict=True):
            scored = gate.state in {GateState.PASSED, GateState.FAILED, GateState.UNDECIDED}
            is_score = gate is gates[-1]
            sign = GATE_SIGNS[gate.state]
            mark.set_state(sign, GATE_WORDS[gate.state], assumed=assumed and is_score and scored)
            label.setText(GATE_NAMES[gate.gate])
            reached = gate.state is not GateState.NOT_REACHED
            role = QPalette.ColorRole.WindowText if reached else QPalette.ColorRole.PlaceholderText
            label.setForegroundRole(role)
        said = (f"{GATE_NAMES[gate.gate]}: {GATE_WORDS[gate.state]}" for gate in gates)
        self.setAccessibleDescription(say_list(said))


class VerdictBlock(Group):
    """The verdict, which is read first; it has the same height while the score is pending."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: Explanation | None = None
        self._mark = StateMark(STATE_SIZE_LARGE, filled=True)
        self._word = ElidedLabel(role=TextRole.NUMBER)
        self._margin = ElidedLabel(second=True)
        self._score = Label(role=TextRole.SCORE)
        self._needs = Label(second=True)
        indent = scale(STATE_SIZE_LARGE, self.fontMetrics()) + _ICON_GAP
        layout = in_column(
            _line(self._mark, self._word, self._score), on=self, margins=(0, _BLOCK_TOP, 0, 0)
        )
        below = _line(self._margin, self._needs)
        below.setContentsMargins(indent, 0, 0, 0)
        layout.addLayout(below)
        layout.addStretch(1)
        self.setAccessibleName(say("Verdict"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_explanation(self, explanation: Explanation) -> None:
        """Show a verdict, or what replaces it; a new verdict of the same row is announced."""
        before, self._shown = self._shown, explanation
        word, score = explanation.word, explanation.score.text
        self._mark.set_state(explanation.sign, word, assumed=explanation.assumed)
        self._word.setText(word)
        self._margin.setText(explanation.margin)
        self._score.setText(score)
        self._needs.setText(explanation.needs)
        whole = explanation.terms
        self._score.setToolTip(plain_tooltip(_whole_score(explanation)))
        self._needs.setToolTip(plain_tooltip(shown_whole(whole.threshold)) if whole else "")
        said = [word, explanation.margin]
        if score:
            said[1:1] = [f"{score}, {explanation.needs}"]
        self.setAccessibleDescription(". ".join(said) + ".")
        if before is not None and before.row == explanation.row and before.word != word:
            announce(self, self.accessibleDescription())

    @override
    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(font(TextRole.BODY, QApplication.font()))
        height = max(scale(BLOCK_HEIGHT, metrics), super().sizeHint().height())
        return QSize(super().sizeHint().width(), height)


def _whole_score(explanation: Explanation) -> str:
    """All digits of the score, or of both ends of what is possible."""
    judged, possible = explanation.assessment, explanation.possible
    if possible is not None:
        return shown_range(shown_whole(possible.low.score), shown_whole(possible.high.score))
    return "" if judged is None else shown_whole(judged.score)


def _line(*widgets: QWidget) -> QHBoxLayout:
    """A line with elided words, then a figure at the right edge."""
    line = QHBoxLayout()
    line.setSpacing(_ICON_GAP)
    for widget in widgets:
        line.addWidget(widget, int(isinstance(widget, ElidedLabel)))
    return line


class WhyView(ColumnPage):
    """The content of the Why tab."""

    wished = Signal(object)
    """A `StepWish` or a `NeighboursWish`, where evidence leads to; a `TryWish` of a change."""

    def __init__(self) -> None:
        super().__init__(say("Choose a trace to see what its score is made of."))
        self._verdict = VerdictBlock()
        self._sentence = SentenceLabel(lines=_SENTENCE_LINES)
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
        self._make_summary()
        self._make_terms()
        self.set_explanation(None)

    def _make_summary(self) -> None:
        parts = self.first.parts
        parts.addWidget(self._verdict)
        parts.addWidget(self._sentence)
        parts.addSpacing(2)
        parts.addWidget(self._gates)
        parts.addSpacing(3)
        parts.addWidget(self._remarks)
        parts.addWidget(self._issues)
        parts.addWidget(self._facts)
        parts.addStretch(1)

    def _make_terms(self) -> None:
        parts = self.second.parts
        self._first_line = Divider()
        parts.addWidget(self._first_line)
        parts.addWidget(self._dimensions)
        parts.addWidget(Divider())
        parts.addWidget(self._overrides)
        parts.addWidget(Divider())
        parts.addWidget(self._waterfall)
        parts.addWidget(self._last_line)
        parts.addWidget(self._changes)
        # a new height comes a moment after new rows: nothing spreads till then
        parts.addStretch(1)

    def set_explanation(
        self, explanation: Explanation | None, *, changes_wait: bool = False
    ) -> None:
        """Show an explanation, or what will be shown here.

        ``changes_wait``: what would change the score takes long to find, and is shown later.
        """
        self.hint.setVisible(explanation is None)
        self.first.setVisible(explanation is not None)
        self.second.setVisible(explanation is not None and explanation.shown is not None)
        if explanation is None:
            return
        self._verdict.set_explanation(explanation)
        self._sentence.set_sentence(explanation.sentence)
        self._gates.set_gates(explanation.gates, assumed=explanation.assumed)
        for part in (self._remarks, self._issues, self._facts):
            part.set_explanation(explanation)
        for table in (self._dimensions, self._overrides, self._waterfall):
            table.set_explanation(explanation)
        self._changes.set_explanation(explanation, wait=changes_wait)
        may_fail = explanation.pending and explanation.sign is not Sign.ACCEPTED
        found = explanation.undecided or explanation.changes is not None
        changes = may_fail or changes_wait or found
        self._last_line.setVisible(changes)
        self._changes.setVisible(changes)

    def set_changes(self, explanation: Explanation) -> None:
        """Show what would change the score; all else is as it was."""
        self._changes.set_explanation(explanation)

    def set_turn(self, explanation: Explanation) -> None:
        """Show when novelty is measured; all else is as it was."""
        self._dimensions.set_explanation(explanation)
        self._waterfall.set_explanation(explanation)

    @override
    def rearrange(self) -> None:
        """What would change the score stands below the verdict, or at the end of one column."""
        self._first_line.setVisible(not self.wide)
        parts = (self.first if self.wide else self.second).parts
        for part in (self._last_line, self._changes):
            parts.insertWidget(parts.count() - 1, part)
