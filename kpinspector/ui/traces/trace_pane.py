"""The pane of traces: header, filter, state chips, list and histogram."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QCompleter, QListView, QMenu, QWidget
from typing_extensions import override

from kpinspector.app.document import Document, Rules, State
from kpinspector.ui.controls.base import ElidedLabel, FlatButton, Label, in_column, in_row, in_stack
from kpinspector.ui.controls.chips import ChipBar, ChipSpec
from kpinspector.ui.controls.fields import SearchField, mark_wrong
from kpinspector.ui.controls.views import PANE_HEADER_HEIGHT
from kpinspector.ui.look.marks import IconName
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.theme import TextRole, scale, sized
from kpinspector.ui.parts.sections import HintPage
from kpinspector.ui.traces import Kind
from kpinspector.ui.traces.histogram import Histogram
from kpinspector.ui.traces.trace_model import PROBLEM_STATES, TraceModel
from kpinspector.ui.traces.trace_query import (
    GROUP,
    KEYS,
    OF_BATCH,
    SCORE,
    bin_term,
    completions,
    example_like,
    group_term,
    values_of,
    with_term,
)
from kpinspector.ui.traces.trace_row import TraceColumn
from kpinspector.ui.traces.trace_table import NARROW, TraceTable
from kpinspector.words.figures import shown_count
from kpinspector.words.say import capitalised, say, say_count, say_list

_PADDING = 12
_GAP = 8
_COMPLETIONS = "QListView { border: 1px solid palette(mid) } QListView::item { padding: 4px }"


_ALL, _PROBLEMS = "all", "problems"
_ALONE_ON_A_CHIP = (State.ACCEPTED, State.REJECTED, State.UNDECIDED, State.PENDING, State.UNREAD)
_CHIP_STATES: Mapping[str, frozenset[State]] = {
    **{one: frozenset({one}) for one in _ALONE_ON_A_CHIP},
    _PROBLEMS: PROBLEM_STATES | {State.SKIPPED, State.REPORT},
}
"""The states that each chip keeps; the chip for all has none."""


class TracePane(QWidget):
    """The list of documents with its filter; its model, table and histogram have the signals."""

    filter_changed = Signal()
    in_clear_wanted = Signal(object)
    """The documents for which the texts that leave in clear are to be counted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = TraceModel(self)
        self.table = TraceTable(self.model, self)
        self.histogram = Histogram()
        self.add = FlatButton(IconName.PLUS, name=say("Open traces"))
        self._threshold = Rules().threshold
        self._menu = QMenu(self)
        self._newest = QAction(say("Newest First"), self)
        self._more = FlatButton(IconName.MORE, name=say("More"))
        self._count = ElidedLabel("", second=True)
        self._field = SearchField(say("Filter traces"))
        self._completions = QStringListModel(self)
        self._hint = Label("", TextRole.CAPTION)
        self._chips = ChipBar(
            (
                ChipSpec(_ALL, say("All")),
                *(ChipSpec(one, capitalised(one.word), one) for one in _ALONE_ON_A_CHIP),
                ChipSpec(_PROBLEMS, say("Problems and others"), State.UNREADABLE),
            ),
            moves_together=True,
        )
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._make_filter()
        self._lay_out()
        self.set_more_actions(())
        self._connect()
        self._refresh()

    def add_documents(self, documents: Iterable[Document]) -> None:
        """Add documents to the list."""
        with self.table.current_in_view():
            self.model.add_documents(documents)

    def update_documents(self, documents: Iterable[Document]) -> None:
        """Replace documents by their numbers."""
        with self.table.current_in_view():
            self.model.update_documents(documents)

    def remove(self, numbers: Iterable[int]) -> None:
        """Remove rows from the list."""
        gone = frozenset(numbers)
        with self.table.current_in_view(), self.table.current_handed_on(gone):
            self.model.remove(gone)

    def set_filter(self, text: str, chip: str = _ALL) -> None:
        """Set the filter's text and chip; by default rows in all states are shown."""
        self._chips.choose(chip)
        self._field.setText(text)

    def clear_filter(self) -> None:
        """Show all rows again."""
        self.set_filter("")

    def show_problems(self) -> None:
        """Show only rows with problems, and other rows that are never scored."""
        self.set_filter("", _PROBLEMS)

    @property
    def group(self) -> int | None:
        """The only group that the filter asks for, from 1, or ``ALONE``; None for none."""
        return self.model.query.group

    def set_group(self, group: int | None) -> None:
        """Filter by one group, keeping the other terms of the filter; None drops the group."""
        term = None if group is None else group_term(group)
        self._field.setText(with_term(self._field.text(), GROUP, term))

    def show_row(self, number: int) -> None:
        """Make a document current; clear the filter if it hides the document."""
        self.table.set_current(number)
        document = self.model.document(number)
        if document is not None and not self.model.index_of(number).isValid():
            (self.show_problems if document.is_other_file else self.clear_filter)()
            self.table.set_current(number)

    def select_rows(self, numbers: Sequence[int]) -> None:
        """Select only these rows; the last one is current. A filter that hides one is cleared."""
        for number in numbers:
            self.show_row(number)
        self.table.select(numbers)

    def begin(self) -> None:
        """Focus the list, and make its first row current unless there are unread rows."""
        if not self.model.counts.kinds()[Kind.UNREAD]:
            self.table.go(1)
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_filter(self) -> None:
        """Focus the filter and select its text."""
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def set_threshold(self, threshold: float) -> None:
        """Show a threshold in the histogram; its numbers follow once the documents are judged."""
        self._threshold = threshold
        self._show_spread()

    def set_more_actions(self, actions: Sequence[QAction]) -> None:
        """Set the commands at the top of the More menu, above the columns."""
        self._menu.clear()
        self._menu.addActions(list(actions))
        if actions:
            self._menu.addSeparator()
        self._menu.addAction(self._newest)
        self._menu.addMenu(self.table.header.menu)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_chips()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Down and Return go from the filter to the list."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            keys = {Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter}
            if event.key() in keys and self.model.rowCount():
                self.table.enter()
                return True
        return super().eventFilter(watched, event)

    def _make_filter(self) -> None:
        edit = self._field
        edit.setToolTip(plain_tooltip(_help_text()))
        edit.setAccessibleDescription(_help_text())
        edit.installEventFilter(self)
        self._popup = QListView()
        self._completer = QCompleter(self._completions, self._field)
        self._completer.setPopup(self._popup)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        later = Qt.ConnectionType.QueuedConnection  # Qt clears its list first
        self._completer.activated.connect(self._offer_values, later)
        edit.setCompleter(self._completer)
        self._hint.setWordWrap(True)
        self._hint.hide()

    def _lay_out(self) -> None:
        header = QWidget()
        sized(header, QWidget.setMinimumHeight, PANE_HEADER_HEIGHT)
        title, margins = Label(say("Traces"), TextRole.PANE), (_PADDING, 0, _PADDING - 5, 0)
        in_row(
            title, self._count, None, self.add, self._more, on=header, margins=margins, spacing=_GAP
        )
        column = in_column(header, on=self)
        margins = (_PADDING, 0, _PADDING, 4)
        column.addLayout(
            in_column(self._field, self._hint, self._chips, margins=margins, spacing=_GAP)
        )
        hints = (
            (say("No trace matches."), say("Clear filter"), self.clear_filter),
            (say("No trace here."), say("Show what was skipped"), self.show_problems),
        )
        pages = (HintPage(*hint, padding=_PADDING) for hint in hints)
        self._stack = in_stack(column, self.table, *pages)
        column.addWidget(self.histogram)
        stops = (self.add, self._more, self._field, *self._chips.chips, self.table)
        for stop, following in pairwise(stops):
            self.setTabOrder(stop, following)

    def _connect(self) -> None:
        self._more.clicked.connect(
            lambda: self._menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))
        )
        self._newest.triggered.connect(
            lambda: self.table.sortByColumn(TraceColumn.CHANGED, Qt.SortOrder.DescendingOrder)
        )
        self._field.textChanged.connect(self._on_text_changed)
        self._field.textEdited.connect(self._on_text_edited)
        self._chips.chip_chosen.connect(self._on_chip_chosen)
        self.model.changed.connect(self._on_list_changed)
        self.table.header.columns_changed.connect(self._ask_in_clear)
        self.histogram.bin_chosen.connect(self._on_bin_chosen)

    def _on_bin_chosen(self, number: int | None) -> None:
        """Filter by the scores of a column in place of other scores; None drops the scores."""
        term = None if number is None else bin_term(number)
        self._field.setText(with_term(self._field.text(), SCORE, term))

    def _on_text_edited(self, text: str) -> None:
        self._popup.setPalette(self.palette())
        self._popup.setStyleSheet(_COMPLETIONS)  # takes the present theme's colours
        self._completions.setStringList(completions(text))

    def _offer_values(self, completed: str) -> None:
        """Offer the values of a key that was just completed."""
        if completed.endswith(":"):
            self._on_text_edited(completed)
            self._completer.setCompletionPrefix(completed)
            self._completer.complete()

    def _on_text_changed(self, text: str) -> None:
        self.model.set_text(text)
        self.table.scrollTo(self.table.currentIndex())
        self.filter_changed.emit()

    def _on_chip_chosen(self, key: str) -> None:
        self.model.set_states(_CHIP_STATES.get(key))
        self.table.scrollTo(self.table.currentIndex())

    def _ask_in_clear(self) -> None:
        """Ask for a count of the texts in clear, if their column or the filter needs it."""
        if TraceColumn.IN_CLEAR in self.table.header.shown or self.model.asks_in_clear:
            self.in_clear_wanted.emit(self.model.uncounted())

    def _on_list_changed(self) -> None:
        self._ask_in_clear()
        nothing = self.model.total > 0 and not self.model.rowCount()
        self._stack.setCurrentIndex(0 if not nothing else 1 if self.model.active else 2)
        wrong = self._wrong_words(nothing=nothing)
        self._show_hint(wrong or self._other_words(nothing=nothing), wrong=bool(wrong))
        self._refresh()

    def _wrong_words(self, *, nothing: bool) -> str:
        """What the filter does not understand; unknown names matter only if no row is found."""
        query = self.model.query
        if query.wrong:
            example = example_like(query.wrong)
            return say(
                "{wrong} is not understood: try {example}", wrong=query.wrong, example=example
            )
        if query.unknown and nothing:
            known = ", ".join(f"{key}:" for key in KEYS)
            return say("{unknown}: is not known, only {known}", unknown=query.unknown, known=known)
        return ""

    def _other_words(self, *, nothing: bool) -> str:
        """Other hints on a filter that has no effect yet, or hides all rows."""
        query, counts = self.model.query, self.model.counts
        of_batch = [name for name in OF_BATCH if name in query.values]
        if of_batch and not self.model.knows_batch:
            return say(
                "{name}: is known once View > Batch has compared the traces", name=of_batch[0]
            )
        if query.unfinished:
            values = ", ".join(values_of(query.unfinished.rstrip(":")))
            return say("{name} takes {values}", name=query.unfinished, values=values)
        if not nothing or not self.model.active:
            return ""
        hidden, found = counts.total(), sum(counts.states().values())
        if found:
            chip = self._chips.chip(self._chips.chosen).word
            return say_count(
                "{number} row is hidden, {by_chip} by {chip}.",
                "{number} rows are hidden, {by_chip} of them by {chip}.",
                hidden,
                by_chip=shown_count(found),
                chip=chip,
            )
        of_each = counts.states(found=False)
        parts = say_list(one.counted(of_each[one]) for one in State if of_each[one])
        return say_count(
            "{number} row is hidden: {parts}.",
            "{number} rows are hidden: {parts}.",
            hidden,
            parts=parts,
        )

    def _show_hint(self, words: str, *, wrong: bool) -> None:
        if words != self._hint.text():
            role = QPalette.ColorRole.BrightText if wrong else QPalette.ColorRole.PlaceholderText
            self._hint.setForegroundRole(role)
            self._hint.setText(words)
            self._hint.setVisible(bool(words))
            mark_wrong(self._field, wrong=wrong)
            said = (words, _help_text())
            self._field.setAccessibleDescription("\n".join(filter(None, said)))

    def _count_words(self) -> str:
        """The numbers of traces and other rows; with a filter, how many rows it keeps."""
        counts, found = self.model.counts, self.model.counts.states()
        whole = counts.total()
        others = whole - counts.kinds()[Kind.TRACE]
        if self.model.active:
            kept = shown_count(sum(found[state] for state in self.model.states))
            of = shown_count(whole)
            if others:
                return say("{kept} of {of} in all", kept=kept, of=of)
            return say("{kept} of {of}", kept=kept, of=of)
        traces = shown_count(whole - others)
        if not others:
            return traces
        return say_count(
            "{traces} and 1 other", "{traces} and {number} others", others, traces=traces
        )

    def _refresh(self) -> None:
        """Bring counts, chips, histogram and column widths up to date."""
        self._count.setText(self._count_words())
        found = self.model.counts.states()
        self._show_chips()
        self._chips.set_counts(
            {chip: sum([found[one] for one in states]) for chip, states in _CHIP_STATES.items()}
        )
        wrong = sum(found[one] for one in PROBLEM_STATES)
        passed_over = not wrong and (found[State.SKIPPED] or found[State.REPORT])
        shape = State.SKIPPED if passed_over else State.UNREADABLE
        self._chips.chip(_PROBLEMS).set_state(shape)
        self._show_spread()
        self.table.lay_out_columns()

    def _show_chips(self) -> None:
        """Show the chips for recordings only if there are any, one of them only in a wide pane."""
        kinds, chosen = self.model.counts.kinds(), self._chips.chosen
        wide = self.width() >= scale(NARROW, self.fontMetrics())
        for chip, wanted in (
            (State.UNDECIDED, kinds[Kind.IMPORTED] > 0),
            (State.UNREAD, kinds[Kind.UNREAD] > 0 and wide),
        ):
            self._chips.chip(chip).setVisible(wanted or chosen == chip)

    def _show_spread(self) -> None:
        spread = self.model.counts.spread(self.model.states)
        self.histogram.show_spread(spread, self._threshold, self.model.query.bin)


def _help_text() -> str:
    """The syntax of the filter in a few lines."""
    return "\n".join(
        (
            say(
                "Words are looked for in name, file, objective, id and domain,"
                " of recordings in the name of the folder as well."
            ),
            say(
                "With a colon: {examples}",
                examples=(
                    "state:rejected  profile:code  score>0.7  score:0.5..0.8  c:>=0.6  format:codex"
                    "  is:running  needs:novelty  loss:n  rule:recovery  group:1  plan:chosen"
                    "  leaks:yes"
                ),
            ),
            say("All of them have to hold; values with commas are alternatives."),
        )
    )
