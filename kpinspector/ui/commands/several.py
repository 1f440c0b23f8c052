"""The commands for several traces: comparing two, and the Batch page."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from kpinspector.app.answers import planned_file, summary_file
from kpinspector.app.batches import BatchPicture
from kpinspector.app.document import Document
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.trace.align import StepText
from kpinspector.trace.clear import masked_in
from kpinspector.ui.actions import connect, enable, follow, with_key
from kpinspector.ui.actions.table import Command
from kpinspector.ui.commands import OF_STEPS, Desk, Part
from kpinspector.ui.look.plain_text import one_line, plain_tooltip
from kpinspector.ui.panes import Do, Wish
from kpinspector.ui.steps.step_model import OBJECTIVE
from kpinspector.words.batch import batch_facts, batch_title
from kpinspector.words.say import in_words, say
from kpinspector.words.writers.comparison import SideBySide

_TWO = 2
_LONGEST_NAME = 32
# enabled only while two traces are compared
_OF_THE_PANE = (
    Command.NEXT_DIFFERENCE,
    Command.PREVIOUS_DIFFERENCE,
    Command.SWAP_SIDES,
    Command.COPY_COMPARISON,
    Command.CLOSE_COMPARISON,
)
_KEPT = {Do.KEEP: True, Do.LEAVE_OUT: False, Do.WISH_NOTHING: None}
_OF_ONE_TRACE = (*OF_STEPS, Command.COMPARE, Command.COMPARE_NEAREST)


class CompareCommands(Part):
    """Connects compare actions and the session's comparisons to their pane."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._pane = pane = self._panes.compare
        self._comparisons = comparisons = desk.session.comparisons
        self._selected: tuple[Document, ...] = ()
        self._shown = False
        pane.addAction(self._actions[Command.CLOSE_COMPARISON])
        slots = {
            Command.COMPARE: self._compare,
            Command.COMPARE_NEAREST: self._compare_nearest,
            Command.NEXT_DIFFERENCE: lambda: pane.view.go_to_difference(1),
            Command.PREVIOUS_DIFFERENCE: lambda: pane.view.go_to_difference(-1),
            Command.SWAP_SIDES: comparisons.swap,
            Command.COPY_COMPARISON: lambda: comparisons.write_text(
                QGuiApplication.clipboard().setText
            ),
            Command.CLOSE_COMPARISON: comparisons.close,
        }
        connect(self._actions, slots)
        enable(self._actions, dict.fromkeys(_OF_THE_PANE, False))
        comparisons.changed.connect(self._show)
        pane.header.swap.clicked.connect(comparisons.swap)
        pane.close_button.clicked.connect(comparisons.close)
        pane.view.step_wanted.connect(self._on_step_wanted)

    def set_chosen(self, selected: tuple[Document, ...]) -> None:
        """Set the selected rows; enable comparing them, or the current row with its nearest."""
        are_two = len(selected) == _TWO and all(one.record is not None for one in selected)
        self._selected = selected if are_two else ()
        novelty, action = self._novelty(), self._actions[Command.COMPARE]
        nearest = novelty is not None and bool(novelty.neighbours)
        can = are_two or (nearest and len(selected) < _TWO)
        enable(self._actions, {Command.COMPARE: can, Command.COMPARE_NEAREST: nearest})
        if are_two:
            left, right = (one_line(one.name, _LONGEST_NAME) for one in selected)
            tip = say("Compare {left} with {right}", left=left, right=right)
        elif can and novelty is not None:
            tip = say(
                "Compare with {nearest}, which set the novelty of this trace",
                nearest=masked_in(novelty.names[0]),
            )
        else:
            tip = say("Select two traces to compare, or one that has a nearest trace")
        action.setToolTip(plain_tooltip(with_key(tip, action)))

    def _compare(self) -> None:
        """Compare the two selected rows, or the current row with its nearest trace."""
        if self._selected:
            left, right = self._selected
            self._comparisons.compare(left.number, right.number)
        else:
            self._compare_nearest()

    def _compare_nearest(self) -> None:
        """Compare the current row with the neighbour that set its novelty."""
        current, novelty = self._session.store.current, self._novelty()
        if current is not None and novelty is not None and novelty.neighbours:
            self._comparisons.compare_with(current.number, novelty.neighbours[0])

    def _novelty(self) -> Novelty | None:
        current = self._session.store.current
        measured = current.measured if current is not None else None
        return measured.measurement.novelty if measured else None

    def _show(self, comparison: SideBySide | None) -> None:
        before, self._shown = self._shown, comparison is not None
        if comparison is not None:
            self._pane.set_comparison(comparison)
        if self._shown is not before:
            self._layout.set_comparing(on=self._shown)
            enable(self._actions, dict.fromkeys(_OF_THE_PANE, self._shown))
        if self._shown and not before:
            self._pane.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_step_wanted(self, right: bool, text: StepText) -> None:  # noqa: FBT001
        number, neighbour = self._comparisons.numbers[int(right)], self._comparisons.neighbour
        self._comparisons.close()
        if number is not None:
            self._panes.traces.show_row(number)
            self._panes.steps.go_to_step(OBJECTIVE if text.step is None else text.step.index)
        elif neighbour is not None:
            self._session.questions.go_to(neighbour)


class BatchCommands(Part):
    """Connects the Batch page, and the page for several selected rows, to the session.

    Selecting one row shows its steps and score again; so does a command that works on them.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._page, self._traces = self._panes.batch, self._panes.traces
        self._batches = desk.session.batches
        self._numbers: tuple[int, ...] = ()
        self._shown: object = None
        self._page.wished.connect(self._fulfil)
        self._panes.chosen.table.row_activated.connect(self._traces.show_row)
        self._batches.changed.connect(self._show)
        self._session.memory.changed.connect(self._show_answer)
        self._traces.filter_changed.connect(lambda: self._page.set_group(self._traces.group))
        for row_chosen in (self._traces.table.clicked, self._traces.table.activated):
            row_chosen.connect(self._on_row_chosen)
        for command in OF_STEPS:
            self._actions[command].triggered.connect(desk.session.comparisons.close)
        for command in _OF_ONE_TRACE:
            self._actions[command].triggered.connect(lambda: self._layout.set_together(None))
        slots: dict[Command, Callable[..., None]] = {
            Command.SHOW_BATCH: self._on_show_wanted,
            Command.EXPORT_SUMMARY: self._on_export_wanted,
            Command.SAVE_PLAN: self._on_save_wanted,
        }
        connect(self._actions, slots)
        for button, command in (
            (self._page.export_button, Command.EXPORT_SUMMARY),
            (self._page.save_button, Command.SAVE_PLAN),
            (self._panes.chosen.compare_button, Command.COMPARE),
            (self._panes.chosen.batch_button, Command.SHOW_BATCH),
        ):
            action = self._actions[command]
            button.setToolTip(action.toolTip())
            follow(action, button)
        self._enable()

    def set_chosen(self, selected: tuple[Document, ...], *, any_trace: bool) -> None:
        """Set the selected rows; ``any_trace``: the Batch page has something to show."""
        numbers, chosen = tuple(one.number for one in selected), self._panes.chosen
        if len(numbers) > 1:
            chosen.show_documents(selected)
        if numbers != self._numbers:
            self._layout.set_together(chosen if len(numbers) > 1 else None)
        elif not any_trace and self._layout.together is self._page:
            self._layout.set_together(None)
        self._numbers = numbers
        self._actions[Command.SHOW_BATCH].setEnabled(any_trace)

    # showing results

    def _show(self) -> None:
        batches, picture = self._batches, self._batches.picture
        if picture is not self._shown:
            self._shown = picture
            self._page.show_picture(picture)
            self._traces.model.set_batch(picture)
            self._page.set_group(self._traces.group)
        why = say("Stopped.") if batches.failure is None else in_words(batches.failure.message)
        self._page.answer.set_progress(batches.progress, why if batches.stopped else "")
        self._show_answer()
        self._enable()

    def _enable(self) -> None:
        """Enable writing the summary and the plan only while they are visible and up to date."""
        batches, seen = self._batches, self._page.isVisible()
        plan = batches.picture.plan if batches.picture is not None and batches.planned else None
        self._actions[Command.EXPORT_SUMMARY].setEnabled(seen and batches.summarised)
        self._actions[Command.SAVE_PLAN].setEnabled(seen and bool(plan and plan.chosen))

    def _show_answer(self) -> None:
        picture, failure = self._batches.picture, self._batches.failure
        if picture is None:
            none, later = say("No trace is scored yet."), say("Summed up once all are scored.")
            if any(one.measured is not None for one in self._session.store.documents):
                none = say("Not summed up yet.")
            self._page.answer.set_answer(later if self._batches.busy else none, "")
            return
        facts = in_words(failure.message) if failure is not None else self._facts(picture)
        title = batch_title(picture.summary, picture.plan, picture.at_best)
        self._page.answer.set_answer(title, facts)

    def _facts(self, picture: BatchPicture) -> str:
        state = self._session.memory.state
        ended = [(one.facts, one.verdict) for one in picture.documents if one.facts is not None]
        failed = [verdict for one, verdict in ended if one.success_known and not one.success]
        unknown = sum(not one.outcome_known for one, _ in ended)
        return batch_facts(
            picture.summary,
            (len(failed), failed.count(Verdict.ACCEPTED), unknown),
            self._session.store.rules.threshold,
            None if state is None else state.mode,
        )

    # fulfilling wishes

    def _on_show_wanted(self, shown: bool) -> None:  # noqa: FBT001
        if shown:
            self._session.comparisons.close()
        self._layout.set_together(self._page if shown else None)

    def _on_row_chosen(self) -> None:
        """Leave the pages of several traces where a row is chosen that was selected already."""
        if len(self._traces.table.selected_documents()) == 1:
            self._layout.set_together(None)

    def _fulfil(self, wish: Wish) -> None:
        batches, traces = self._batches, self._traces
        match wish.do:
            case Do.SEE:
                self._actions[Command.SHOW_BATCH].setChecked(wish.of)
                batches.set_wanted(wanted=wish.of)
                self._enable()
            case Do.STOP:
                batches.stop()
            case Do.RESUME:
                batches.resume()
            case Do.LINK_AT:
                batches.set_similarity(wish.of)
            case Do.FILTER:
                traces.set_filter(wish.of)
                self._layout.set_together(self._page)  # it stays, whichever rows are selected
            case Do.TAKE_GROUP:
                traces.set_group(wish.of)
                self._layout.set_together(self._page)
            case _:
                self._fulfil_of_traces(wish)

    def _fulfil_of_traces(self, wish: Wish) -> None:
        batches, places = self._batches, wish.of if isinstance(wish.of, tuple) else (wish.of,)
        picture = batches.picture
        numbers = [] if picture is None else [picture.documents[one].number for one in places]
        if not numbers or any(one not in self._session.store for one in numbers):
            return
        match wish.do:
            case Do.COMPARE:
                self._session.comparisons.compare(*numbers)
            case Do.SELECT:
                self._traces.select_rows(numbers)
                self._layout.set_together(self._page)
            case Do.SHOW:
                self._traces.show_row(numbers[0])
                self._layout.set_together(None)
            case _:
                batches.wish(numbers[0], kept=_KEPT[wish.do])

    def _on_export_wanted(self) -> None:
        """Export the summary as it is now, whatever changes while the user chooses a file."""
        picture, documents = self._batches.picture, self._session.documents
        if picture is not None:
            exports = self._session.exports
            kinds = {
                say("Page (*.html)"): ".html",
                say("Report (*.json)"): ".json",
                say("Text (*.txt)"): ".txt",
            }
            self._dialogs.ask_where(
                say("Export Summary"),
                kinds,
                "kpinspector-summary",
                lambda path: exports.write_made(
                    path, lambda basis, _check: summary_file(path, picture, documents, basis)
                ),
            )

    def _on_save_wanted(self) -> None:
        picture, exports = self._batches.picture, self._session.exports
        if picture is not None:
            self._dialogs.ask_where(
                say("Save the Plan, Nothing Masked"),
                {say("Traces (*.jsonl)"): ".jsonl"},
                "kpinspector-plan",
                lambda path: exports.write_made(path, lambda _basis, _check: planned_file(picture)),
            )
