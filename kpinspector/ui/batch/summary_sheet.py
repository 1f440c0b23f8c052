"""The summary of all open traces: what they can reach, what would help, and how values spread."""

from functools import partial
from itertools import accumulate

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.app.batches import BatchPicture
from kpinspector.batch.summary import BatchSummary, Cause
from kpinspector.scoring.formula.assess import Gate, Verdict
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.ui.batch.sheet import BESIDE_BAR, SIDE, Sheet
from kpinspector.ui.batch.summary_tables import FilterWish, LeverTable, ReachTable, SpreadTable
from kpinspector.ui.controls.base import FlatButton, Label
from kpinspector.ui.look.theme import TextRole, sized, typed
from kpinspector.ui.parts.sections import Divider
from kpinspector.ui.parts.sheet_scroll import SheetScroll, TwoColumns
from kpinspector.ui.parts.state_mark import StateMark
from kpinspector.ui.tables.figure_model import Head
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_list
from kpinspector.words.sentences import RULE_NAMES, verdict_word
from kpinspector.words.summary import cause_title

_COLUMN_GAP = 28
_GAP = 6
_LINE_HEIGHT = 20


class SummarySheet(Sheet):
    """Counts, levers and spreads; a row, a cause and a rule filter the list."""

    filter_wanted = Signal(str)
    """The text of a filter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("Summary"), parent)
        self._verdicts = {one: _VerdictCount(one) for one in Verdict}
        for count in self._verdicts.values():
            self.header.addWidget(count)
        self._reach, self._levers, self._spreads = ReachTable(), LeverTable(), SpreadTable()
        for table in (self._reach, self._levers):
            table.row_activated.connect(self._on_row_activated)
        self._columns = TwoColumns(self._reach, self._levers, _COLUMN_GAP)
        self._counts = _CountLine()
        self._counts.filter_wanted.connect(self.filter_wanted)
        content = QWidget()
        parts = QVBoxLayout(content)
        parts.setContentsMargins(SIDE, 0, BESIDE_BAR, 0)
        parts.setSpacing(0)
        parts.addLayout(self._columns)
        parts.addWidget(self._counts)
        parts.addWidget(Divider())
        parts.addWidget(self._spreads)
        parts.addStretch(1)
        self.column.addWidget(SheetScroll(content, steady=True), 1)
        self._columns.set_wide(wide=True)
        self.set_picture(None)

    def set_narrow(self, *, narrow: bool) -> None:
        """The levers stand under what the traces can reach."""
        self._columns.set_wide(wide=not narrow)

    def set_picture(self, picture: BatchPicture | None) -> None:
        """Show the summary of a picture; None for nothing known yet."""
        for verdict, count in self._verdicts.items():
            number = 0 if picture is None else picture.summary.verdicts[verdict]
            count.set_count(number)
            count.setVisible(
                picture is not None and (number > 0 or verdict is not Verdict.UNDECIDED)
            )
        self._counts.set_summary(None if picture is None else picture.summary)
        if picture is None:
            for table in (self._reach, self._levers, self._spreads):
                table.set_rows((), [Head("")] * len(table.figures.heads))
            return
        self._reach.set_summary(picture.summary)
        self._levers.set_summary(picture.summary)
        self._spreads.set_spreads(picture.summary.spreads)

    def _on_row_activated(self, wish: object) -> None:
        if isinstance(wish, FilterWish):
            self.filter_wanted.emit(wish.text)


class _VerdictCount(QWidget):
    """The shape of a verdict, a count and a word."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__()
        self._verdict, self._words = verdict, Label()
        mark = StateMark()
        mark.set_state(verdict, verdict_word(verdict))
        row = QHBoxLayout(self)
        row.setContentsMargins(_GAP, 0, 0, 0)
        row.setSpacing(_GAP)
        row.addWidget(mark)
        row.addWidget(self._words)

    def set_count(self, count: int) -> None:
        number = shown_count(count)
        words = {
            Verdict.ACCEPTED: say("{number} accepted", number=number),
            Verdict.REJECTED: say("{number} rejected", number=number),
            Verdict.UNDECIDED: say("{number} undecided", number=number),
        }
        self._words.setText(words[self._verdict])


class _CountLine(QWidget):
    """The greatest losses and the rules that fired, each a button that filters the list.

    As many as there is room for; the rest stand in the tooltip of the dots at the end.
    """

    filter_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._parts: list[Label | FlatButton] = []
        self._more = Label("…", TextRole.CAPTION, second=True)
        self._shown: BatchSummary | None = None

    def set_summary(self, summary: BatchSummary | None) -> None:
        """Show the counts of a summary."""
        if summary == self._shown:
            return
        self._shown = summary
        while self._row.takeAt(0) is not None:
            pass
        for part in self._parts:
            part.hide()
            part.deleteLater()
        self._parts = []
        if summary is not None:
            self._fill(summary)
            self._row.addWidget(self._more)
            self._row.addStretch(1)
            self._fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        widths = [part.sizeHint().width() for part in self._parts]
        dots = 0 if sum(widths) <= self.width() else self._more.sizeHint().width()
        fitting = sum(end + dots <= self.width() for end in accumulate(widths))
        for place, part in enumerate(self._parts):
            part.setVisible(place < fitting)
        self._more.setVisible(fitting < len(self._parts))
        self._more.setToolTip(say_list(part.text() for part in self._parts[fitting:]))

    def _fill(self, summary: BatchSummary) -> None:
        fired = [(rule, summary.rules[rule]) for rule in Rule if summary.rules[rule]]
        if summary.causes:
            self._put(Label(say("Greatest loss"), TextRole.CAPTION, second=True))
            for cause, count in summary.causes.most_common():
                self._add(cause_title(cause), count, _cause_filter(cause))
        if fired:
            self._put(Label(say("Fired"), TextRole.CAPTION, second=True))
            for rule, count in fired:
                self._add(RULE_NAMES[rule], count, f"rule:{rule}")

    def _put(self, part: Label | FlatButton) -> None:
        self._parts.append(part)
        self._row.addWidget(part)

    def _add(self, name: str, count: int, text: str) -> None:
        words = say("{name} {count}", name=name, count=shown_count(count))
        button = FlatButton(text=words)
        typed(button, TextRole.CAPTION)
        sized(button, QWidget.setFixedHeight, _LINE_HEIGHT)
        button.setToolTip(say("Show only these in the list"))
        button.clicked.connect(partial(self.filter_wanted.emit, text))
        self._put(button)


def _cause_filter(cause: Cause) -> str:
    if isinstance(cause, Gate):
        return f"reach:{ReachKind.SCHEMA}"
    return f"state:{Verdict.REJECTED} loss:{cause}"
