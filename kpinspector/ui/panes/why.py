"""The Why tab: the answer, then its parts; in two columns where there is room."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QGridLayout, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.scoring.formula.assess import Gate, GateState
from kpinspector.trace.clear import masked_in
from kpinspector.trace.schema import Issue, Severity, count_issues
from kpinspector.ui.controls.base import Drawing, ElidedLabel, Label, fill_box, in_column, in_row
from kpinspector.ui.look.marks import STATE_SIZE_LARGE, fill
from kpinspector.ui.look.plain_text import set_tip
from kpinspector.ui.look.roles import Group, StateMark, announce
from kpinspector.ui.look.theme import Colours, TextRole, font, scale, sized
from kpinspector.ui.panes.score_tables import (
    DIMENSION_WAYS,
    ChangeTable,
    dimension_columns,
    dimension_heads,
    dimension_rows,
    override_columns,
    override_heads,
    override_rows,
)
from kpinspector.ui.panes.waterfall import Waterfall
from kpinspector.ui.parts.column_page import ColumnPage
from kpinspector.ui.parts.sections import Divider, SectionTitle, WrappedLabel, clear_layout
from kpinspector.ui.parts.sentence_label import SentenceLabel
from kpinspector.ui.tables.figure_table import FigureTable, Stops
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import shown_count, shown_range, shown_whole
from kpinspector.words.page import GATE_NAMES, GATE_SIGNS, GATE_WORDS, Sign
from kpinspector.words.problems import file_facts
from kpinspector.words.say import in_words, say, say_count, say_list
from kpinspector.words.terms import recorded_words

MOST_ISSUES = 20
_LABEL_WIDTH = 88
_BLOCK_HEIGHT = 52
_BLOCK_TOP = 8
_ICON_GAP = 8
_CONNECTOR = 19


class Remarks(QWidget):
    """The remarks on a score, one sentence each."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = in_column(on=self, margins=(0, 0, 0, 2), spacing=2)
        self.setAccessibleName(say("Remarks"))

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

    def set_issues(self, issues: Sequence[Issue]) -> None:
        """List the issues, or nothing at all."""
        clear_layout(self._layout)
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

    def _counted(self, issues: Sequence[Issue]) -> str:
        errors = count_issues(issue for issue in issues if issue.severity is Severity.ERROR)
        warnings = count_issues(issues) - errors
        parts = []
        if errors:
            parts.append(say_count("{number} issue", "{number} issues", errors))
        if warnings:
            parts.append(say_count("{number} warning", "{number} warnings", warnings))
        return say_list(parts)


class FileFacts(QWidget):
    """The facts of a file that holds no trace, with their labels at the left."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setHorizontalSpacing(12)
        self._layout.setVerticalSpacing(5)
        self._layout.setColumnStretch(1, 1)
        self.setAccessibleName(say("In this file"))

    def set_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show what is known of a problem, a skipped unit or a report, or nothing at all."""
        clear_layout(self._layout)
        self.setVisible(bool(facts))
        if facts:
            self._layout.addWidget(Divider(), 0, 0, 1, 2)
            self._layout.addWidget(SectionTitle(say("In this file")), 1, 0, 1, 2)
        top = Qt.AlignmentFlag.AlignTop
        for number, (name, value) in enumerate(facts, start=2):
            label = Label(name, second=True)
            sized(label, QWidget.setMinimumWidth, _LABEL_WIDTH)
            self._layout.addWidget(label, number, 0, top)
            self._layout.addWidget(WrappedLabel(value), number, 1, top)


def _paint_connector(painter: QPainter, rect: QRect, colours: Colours) -> None:
    line = QRect(0, rect.height() // 2, rect.width(), 1)
    fill(painter, line, colours.button_edge)


class GateRow(Group):
    """The three gates: readable, schema, score, each with a shape for its state."""

    def __init__(self) -> None:
        super().__init__()
        layout = in_row(on=self, margins=(0, 4, 0, 4), spacing=6)
        self._gates: list[tuple[StateMark, Label]] = []
        for number in range(3):
            if number:
                connector = Drawing(QSize(_CONNECTOR, 1), _paint_connector, grows=True)
                fill_box(layout, 2, connector, 2)
            mark, label = StateMark(), Label()
            layout.addWidget(mark)
            layout.addWidget(label)
            self._gates.append((mark, label))
        layout.addStretch(1)
        self.setAccessibleName(say("Gates"))

    def set_gates(self, gates: Mapping[Gate, GateState], *, assumed: bool = False) -> None:
        """Show the state of each gate."""
        for (mark, label), (gate, state) in zip(self._gates, gates.items(), strict=True):
            scored = state in {GateState.PASSED, GateState.FAILED, GateState.UNDECIDED}
            is_assumed = assumed and gate is Gate.SCORE and scored
            mark.set_state(GATE_SIGNS[state], GATE_WORDS[state], assumed=is_assumed)
            label.setText(GATE_NAMES[gate])
            reached = state is not GateState.NOT_REACHED
            role = QPalette.ColorRole.WindowText if reached else QPalette.ColorRole.PlaceholderText
            label.setForegroundRole(role)
        said = (f"{GATE_NAMES[gate]}: {GATE_WORDS[state]}" for gate, state in gates.items())
        self.setAccessibleDescription(say_list(said))


class VerdictBlock(Group):
    """What is read first: a verdict and a figure, and a line below; always equally high.

    ``last`` stands at the end of that line.
    """

    def __init__(self, last: Label) -> None:
        super().__init__()
        self._shown: tuple[int | None, str] | None = None
        self._is_news = False
        self._mark = StateMark(STATE_SIZE_LARGE, filled=True)
        self._word = ElidedLabel(role=TextRole.NUMBER)
        self.score = Label(role=TextRole.SCORE)
        self.second, self.last = ElidedLabel(second=True), last
        indent = scale(STATE_SIZE_LARGE, self.fontMetrics()) + _ICON_GAP
        first = in_row(self._mark, (self._word, 1), self.score, margins=None, spacing=_ICON_GAP)
        below = in_row((self.second, 1), last, margins=(indent, 0, 0, 0), spacing=_ICON_GAP)
        in_column(first, below, None, on=self, margins=(0, _BLOCK_TOP, 0, 0))
        self.setAccessibleName(say("Verdict"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_verdict(self, sign: Sign, word: str, row: int | None, *, assumed: bool = False) -> None:
        """Show a verdict."""
        self._mark.set_state(sign, word, assumed=assumed)
        self._word.setText(word)
        before, self._shown = self._shown, (row, word)
        self._is_news = before is not None and before[0] == row and before[1] != word

    def set_said(self, *said: str) -> None:
        """Say all of it in sentences; a new verdict of the same row is announced."""
        self.setAccessibleDescription(". ".join(filter(None, said)) + ".")
        if self._is_news:
            announce(self, self.accessibleDescription())

    @override
    def sizeHint(self) -> QSize:
        metrics, hint = QFontMetrics(font(TextRole.BODY, QApplication.font())), super().sizeHint()
        return QSize(hint.width(), max(scale(_BLOCK_HEIGHT, metrics), hint.height()))


def _whole_score(explanation: Explanation) -> str:
    """All digits of the score, or of both ends of what is possible."""
    judged, possible = explanation.assessment, explanation.possible
    if possible is not None:
        return shown_range(shown_whole(possible.low.score), shown_whole(possible.high.score))
    return "" if judged is None else shown_whole(judged.score)


class WhyView(ColumnPage):
    """The content of the Why tab."""

    wished = Signal(object)
    """A `StepWish` or a `NeighboursWish`, where evidence leads to; a `TryWish` of a change."""

    def __init__(self) -> None:
        super().__init__()
        self._verdict = VerdictBlock(Label(second=True))
        self._sentence = SentenceLabel()
        self._gates = GateRow()
        self._remarks = Remarks()
        self._issues = Issues()
        self._facts = FileFacts()
        self._dimensions = FigureTable(
            dimension_columns(), DIMENSION_WAYS, name=say("Dimensions"), stops=Stops.ROWS
        )
        self._dimensions.row_activated.connect(self.wished)
        self._overrides = FigureTable(override_columns(), ({3},), name=say("Overrides"))
        self._waterfall = Waterfall()
        self._waterfall.wished.connect(self.wished)
        self._changes = ChangeTable()
        self._changes.row_activated.connect(self.wished)
        self._last_line = Divider()
        self._fill()
        self.set_explanation(None)

    def _fill(self) -> None:
        summary = (self._verdict, self._sentence, 2, self._gates, 3)
        fill_box(self.first.parts, *summary, self._remarks, self._issues, self._facts, None)
        self._first_line = Divider()
        terms = (self._dimensions, Divider(), self._overrides, Divider(), self._waterfall)
        # a new height comes a moment after new rows: nothing spreads till then
        end = (self._last_line, self._changes, None)
        fill_box(self.second.parts, self._first_line, *terms, *end)

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
        self._show_verdict(explanation)
        self._sentence.set_sentence(explanation.sentence)
        self._gates.set_gates(explanation.gates, assumed=explanation.assumed)
        recorded = explanation.recorded
        words = () if recorded is None else (" ".join(recorded_words(recorded)),)
        self._remarks.set_sentences((*explanation.remarks, *words))
        self._issues.set_issues(explanation.issues)
        self._facts.set_facts(file_facts(explanation.item))
        self._overrides.set_rows(override_rows(explanation), override_heads(explanation))
        self.set_turn(explanation)
        self._changes.set_explanation(explanation, wait=changes_wait)
        may_fail = explanation.pending and explanation.sign is not Sign.ACCEPTED
        found = explanation.undecided or explanation.changes is not None
        changes = may_fail or changes_wait or found
        self._last_line.setVisible(changes)
        self._changes.setVisible(changes)

    def _show_verdict(self, one: Explanation) -> None:
        block, word, score, terms = self._verdict, one.word, one.score.text, one.terms
        block.set_verdict(one.sign, word, one.row, assumed=one.assumed)
        block.score.setText(score)
        set_tip(block.score, _whole_score(one))
        block.second.setText(one.margin)
        block.last.setText(one.needs)
        set_tip(block.last, shown_whole(terms.threshold) if terms else "")
        block.set_said(word, f"{score}, {one.needs}" if score else "", one.margin)

    def set_changes(self, explanation: Explanation) -> None:
        """Show what would change the score; all else is as it was."""
        self._changes.set_explanation(explanation)

    def set_turn(self, explanation: Explanation) -> None:
        """Show when novelty is measured; all else is as it was."""
        self._dimensions.set_rows(dimension_rows(explanation), dimension_heads())
        self._waterfall.set_explanation(explanation)

    @override
    def rearrange(self) -> None:
        """What would change the score stands below the verdict, or at the end of one column."""
        self._first_line.setVisible(not self.wide)
        parts = (self.first if self.wide else self.second).parts
        for part in (self._last_line, self._changes):
            parts.insertWidget(parts.count() - 1, part)
