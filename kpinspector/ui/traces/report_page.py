"""What takes the place of the steps for a report: what it is, its traces, whether it replays."""

from pathlib import PurePath

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kpinspector.app.document import Document
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.report.read import FoundReport
from kpinspector.scoring.report.replay import Replay
from kpinspector.scoring.report.report import Report
from kpinspector.trace.printable import on_one_line
from kpinspector.trace.records import dotted
from kpinspector.ui.controls.base import FlatButton, Label, PushButton
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.marks import STATE_SIZE_LARGE, Shape
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.parts.hint_page import HintPage
from kpinspector.ui.parts.sections import WrappedLabel
from kpinspector.ui.parts.state_mark import StateMark
from kpinspector.ui.score.answer_notes import FactGrid
from kpinspector.ui.steps.step_pane import PageHeader
from kpinspector.ui.traces.report_table import ReportModel, ReportTable
from kpinspector.words.figures import shown_count
from kpinspector.words.replay_words import (
    replay_sentence,
    replay_word,
    shown,
    trusted_words,
    unreported_words,
    wanted_words,
    why_words,
)
from kpinspector.words.say import say, say_list
from kpinspector.words.writers.replay_text import replay_text

_PADDING = 16
_GAP = 8
_NAME_LENGTH = 120
_MOST_LACKING = 5


class ReportPage(QWidget):
    """Shows a report; the result of its replay arrives with the document."""

    replay_requested = Signal(object)
    """The number of the report's row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = 0
        self._found: FoundReport | None = None
        self._replay: Replay | None = None
        self.header = PageHeader()
        self.button = PushButton(say("Replay"), icon=IconName.RELOAD, primary=True)
        self.button.clicked.connect(self.replay)
        self._mark = StateMark(STATE_SIZE_LARGE, filled=True)
        self.verdict = Label(role=TextRole.NUMBER)
        self.sentence = WrappedLabel("", second=True)
        self._copy = FlatButton(IconName.COPY, name=say("Copy What Came of It"))
        self._copy.clicked.connect(self._on_copy_clicked)
        self.difference = FactGrid()
        self.difference.setAccessibleName(say("First difference"))
        self.trusted = FactGrid()
        self.trusted.setAccessibleName(say("Taken on trust"))
        self.model = ReportModel(self)
        self.table = ReportTable(self.model)
        self._empty = HintPage(say("There is no trace in this report."), padding=_PADDING)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._lay_out()
        self.set_document(None)

    def set_document(self, document: Document | None) -> None:
        """Show a report and the result of its replay."""
        item = None if document is None else document.item
        self._number = 0 if document is None else document.number
        self._found = item if isinstance(item, FoundReport) else None
        self._replay = document.replay if document is not None else None
        report = None if self._found is None else self._found.report
        self._show_header()
        self._show_replay()
        self.model.set_report(report, self._replay)
        self.table.setVisible(self.model.rowCount() > 0)
        self._empty.setVisible(self.model.rowCount() == 0)

    @Slot()
    def replay(self) -> None:
        """Ask for a replay; its result arrives with the document."""
        if self.button.isEnabled():
            self.button.setEnabled(False)
            self.sentence.setText(say("Computing again…"))
            self.replay_requested.emit(self._number)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(_GAP)
        row.addWidget(self.button)
        row.addWidget(self._mark)
        row.addWidget(self.verdict)
        row.addStretch(1)
        row.addWidget(self._copy)
        top = QVBoxLayout()
        top.setContentsMargins(_PADDING, _GAP + 4, _PADDING, _GAP + 4)
        top.setSpacing(_GAP)
        top.addLayout(row)
        top.addWidget(self.sentence)
        top.addWidget(self.difference)
        top.addWidget(self.trusted)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addLayout(top)
        column.addWidget(self.table, 1)
        column.addWidget(self._empty, 1)

    def _show_header(self) -> None:
        if self._found is None:
            self.header.set_words("", ())
            return
        source, report = self._found.source, self._found.report
        name = one_line(PurePath(source.path).name or source.path, _NAME_LENGTH)
        if source.record is not None:
            name = say("{name}, record {record}", name=name, record=shown_count(source.record))
        wrote = f"{report.generator.name} {report.generator.version}"
        facts = (
            say("Written {generated_at}", generated_at=one_line(report.generated_at, _NAME_LENGTH)),
            say("by {wrote}", wrote=one_line(wrote, _NAME_LENGTH)),
            self._counts(report),
        )
        self.header.set_words(say("{name} is a report", name=name), facts)

    def _counts(self, report: Report) -> str:
        accepted = sum(trace.verdict is Verdict.ACCEPTED for trace in report.traces)
        return say(
            "{accepted} accepted, {rejected} rejected",
            accepted=shown_count(accepted),
            rejected=shown_count(len(report.traces) - accepted),
        )

    def _show_replay(self) -> None:
        """Show the result of the replay, or what the button would do."""
        done = self._replay
        self.button.setEnabled(self._found is not None)
        for part in (self._mark, self.verdict, self._copy):
            part.setVisible(done is not None)
        self.difference.set_facts(())
        self.trusted.set_facts(() if done is None else self._trust(done))
        if done is None:
            self.sentence.setText(
                say(
                    "Computes every score again from what the report holds. No file that it"
                    " names is opened; traces that are open here are counted and measured again"
                    " as well."
                )
            )
            return
        word = replay_word(done)
        self._mark.set_state(Shape.ACCEPTED if done.identical else Shape.REJECTED, word)
        self.verdict.setText(word)
        self.sentence.setText(replay_sentence(done))
        if self._found is not None:
            self.difference.set_facts((*self._first(done, self._found.report), *self._lacks(done)))

    def _first(self, done: Replay, report: Report) -> tuple[tuple[str, str], ...]:
        """The first difference, as facts to show."""
        first = done.first
        if first is None:
            return ()
        return (
            (say("First"), dotted(first.path)),
            (say("Recorded"), shown(first.recorded)),
            (say("Recomputed"), wanted_words(first)),
            (say("Why"), why_words(first, report)),
        )

    def _lacks(self, done: Replay) -> tuple[tuple[str, str], ...]:
        """The traces missing from it, the first few by name."""
        words = [on_one_line(unreported_words(one)) for one in done.unreported[:_MOST_LACKING]]
        more = len(done.unreported) - len(words)
        if more:
            words.append(say("and {more} more", more=shown_count(more)))
        return ((say("Lacking"), say_list(words)),) if words else ()

    def _trust(self, done: Replay) -> tuple[tuple[str, str], ...]:
        """The names of values that nothing could be checked against."""
        names = (trusted_words(one, done).removeprefix("traces.*.") for one in done.trusted)
        return ((say("On trust"), say_list(names)),)

    @Slot()
    def _on_copy_clicked(self) -> None:
        if self._found is not None and self._replay is not None:
            QGuiApplication.clipboard().setText(replay_text(self._found, self._replay))
