"""The Why tab: the answer, then its parts; in two columns where there is room."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QApplication, QGridLayout, QHBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.scoring.formula.assess import GateResult, GateState
from kpinspector.trace.clear import masked_in
from kpinspector.trace.schema import Issue, Severity, count_issues
from kpinspector.ui.controls.base import ElidedLabel, Label, in_column, in_row
from kpinspector.ui.look.marks import STATE_SIZE_LARGE, fill
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.roles import Group, announce
from kpinspector.ui.look.theme import TextRole, colours, font, scale, sized
from kpinspector.ui.parts.column_page import ColumnPage
from kpinspector.ui.parts.sections import Divider, SectionTitle, WrappedLabel, clear_layout
from kpinspector.ui.parts.sentence_label import SentenceLabel
from kpinspector.ui.parts.state_mark import StateMark
from kpinspector.ui.score.change_table import ChangeTable
from kpinspector.ui.score.dimension_table import DimensionTable, OverrideTable
from kpinspector.ui.score.waterfall import Waterfall
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import shown_count, shown_range, shown_whole
from kpinspector.words.page import GATE_NAMES, GATE_SIGNS, GATE_WORDS, Sign
from kpinspector.words.problems import file_facts
from kpinspector.words.say import in_words, say, say_count, say_list
from kpinspector.words.terms import recorded_words

MOST_ISSUES = 20
_LABEL_WIDTH = 88
BLOCK_HEIGHT = 62
_BLOCK_TOP = 8
_ICON_GAP = 8
_CONNECTOR = 19
_SENTENCE_LINES = 3


class Remarks(QWidget):
    """The remarks on a score, one sentence each."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = in_column(on=self, margins=(0, 0, 0, 2), spacing=2)
        self.setAccessibleName(say("Remarks"))

    def set_explanation(self, explanation: Explanation) -> None:
        """Show the remarks and how a recorded score compares, or nothing at all."""
        found = explanation.recorded
        recorded = () if found is None else (" ".join(recorded_words(found)),)
        self.set_sentences((*explanation.remarks, *recorded))

    def set_sentences(self, sentences: Sequence[str]) -> None:
        """Show these sentences; hide if there are none."""
        clear_layout(self._layout)
        for sentence in sentences:
            self._layout.addWidget(WrappedLabel(sentence, TextRole.CAPTION, second=True))
        self.setVisible(bool(sentences))
        self.setAccessibleDescription(" ".join(sentences))

    def height_for(self, width: int) -> int:
        """The height of all sentences, even before they are shown."""
        items = (self._layout.itemAt(number) for number in range(self._layout.count()))
        labels = (item.widget() for item in items if item is not None)
        lines = sum(
            label.heightForWidth(width) + self._layout.spacing()
            for label in labels
            if label is not None
        )
        return lines + self._layout.contentsMargins().bottom()


class Issues(QWidget):
    """The schema issues: place and message, errors first."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = in_column(on=self)
        self.setAccessibleName(say("Schema issues"))

    def set_explanation(self, explanation: Explanation) -> None:
        """List the issues, or nothing at all."""
        clear_layout(self._layout)
        issues = explanation.issues
        self.setVisible(bool(issues))
        if not issues:
            return
        self._layout.addWidget(Divider())
        self._layout.addWidget(SectionTitle(say("Schema"), self._counted(issues)))
        for issue in issues[:MOST_ISSUES]:
            place = masked_in(issue.path) or say("the record")
            self._layout.addSpacing(4)
            self._layout.addWidget(WrappedLabel(place, TextRole.FIXED))
            message = masked_in(in_words(issue.message))
            if issue.severity is Severity.WARNING:
                message = say("a warning only: {message}", message=message)
            self._layout.addWidget(WrappedLabel(message, TextRole.CAPTION, second=True))
        more = count_issues(issues) - MOST_ISSUES
        if more > 0:
            self._layout.addSpacing(4)
            rest = say("and {more} more, all of them in the report", more=shown_count(more))
            self._layout.addWidget(WrappedLabel(rest, TextRole.CAPTION, second=True))

    def _counted(self, issues: tuple[Issue, ...]) -> str:
        errors = count_issues(issue for issue in issues if issue.severity is Severity.ERROR)
        warnings = count_issues(issues) - errors
        parts = []
        if errors:
            parts.append(say_count("{number} issue", "{number} issues", errors))
        if warnings:
            parts.append(say_count("{number} warning", "{number} warnings", warnings))
        return say_list(parts)


class FactGrid(QWidget):
    """Facts with their labels at the left; hidden without facts."""

    def __init__(self, title: str = "") -> None:
        super().__init__()
        self._heading = title
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setHorizontalSpacing(12)
        self._layout.setVerticalSpacing(5)
        self._layout.setColumnStretch(1, 1)
        self.setAccessibleName(title)

    def set_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show these facts, in their order."""
        clear_layout(self._layout)
        self.setVisible(bool(facts))
        if facts and self._heading:
            self._layout.addWidget(Divider(), 0, 0, 1, 2)
            self._layout.addWidget(SectionTitle(self._heading), 1, 0, 1, 2)
        for number, (name, value) in enumerate(facts, start=2):
            label = Label(name, second=True)
            sized(label, QWidget.setMinimumWidth, _LABEL_WIDTH)
            self._layout.addWidget(label, number, 0, Qt.AlignmentFlag.AlignTop)
            self._layout.addWidget(WrappedLabel(value), number, 1, Qt.AlignmentFlag.AlignTop)


class FileFacts(FactGrid):
    """The facts of a file that holds no trace."""

    def __init__(self) -> None:
        super().__init__(say("In this file"))

    def set_explanation(self, explanation: Explanation) -> None:
        """Show what is known of a problem, a skipped unit or a report, or nothing at all."""
        self.set_facts(file_facts(explanation.item))


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
        super().__init__()
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
        if explanation is None:
            self.show_hint(say("Choose a trace to see what its score is made of."))
            return
        self.show_hint("")
        self.second.setVisible(explanation.shown is not None)
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
