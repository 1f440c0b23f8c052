"""The commands for several traces together, and what their pages wish."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from kpinspector.app.answers import planned_file, summary_file
from kpinspector.app.batches import BatchPicture
from kpinspector.app.document import Document
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.ui.actions.actions import connect, follow
from kpinspector.ui.actions.table import Command
from kpinspector.ui.batch.sheet import BatchWish, Wanted
from kpinspector.ui.commands.desk import Desk
from kpinspector.words.batch import batch_facts, batch_title
from kpinspector.words.say import in_words, say

_OF_ONE_TRACE = (
    Command.FIND,
    Command.FIND_NEXT,
    Command.FIND_PREVIOUS,
    Command.EXPAND_ALL,
    Command.COLLAPSE_ALL,
    Command.GO_TO_STEP,
    Command.COMPARE,
    Command.COMPARE_NEAREST,
)


class BatchCommands(QObject):
    """Connects the Batch page to the session, and the page of several chosen rows.

    One selected row brings its steps and score back; so do its commands.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._actions, self._session, self._layout = desk.actions, desk.session, desk.layout
        self._dialogs, self._panes = desk.dialogs, desk.panes
        self._page, self._traces = desk.panes.batch, desk.panes.traces
        self._batches = desk.session.batches
        self._numbers: tuple[int, ...] = ()
        self._shown: object = None
        self._page.seen.connect(self._on_seen)
        self._page.wished.connect(self._fulfil)
        self._panes.chosen.table.row_activated.connect(self._traces.show_row)
        self._batches.changed.connect(self._show)
        self._session.memory.changed.connect(self._show_answer)
        self._traces.filter_changed.connect(lambda: self._page.set_group(self._traces.group))
        for row_chosen in (self._traces.table.clicked, self._traces.table.activated):
            row_chosen.connect(self._on_row_chosen)
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

    def set_chosen(self, selected: tuple[Document, ...], *, any_trace: bool) -> None:
        """The selected rows; ``any_trace``: there is something to say of all together."""
        numbers, chosen = tuple(one.number for one in selected), self._panes.chosen
        if len(numbers) > 1:
            chosen.show_documents(selected)
        if numbers != self._numbers:
            self._layout.set_together(chosen if len(numbers) > 1 else None)
        elif not any_trace and self._layout.together is self._page:
            self._layout.set_together(None)
        self._numbers = numbers
        self._actions[Command.SHOW_BATCH].setEnabled(any_trace)

    # what is shown

    def _on_seen(self, seen: bool) -> None:  # noqa: FBT001
        self._actions[Command.SHOW_BATCH].setChecked(seen)
        self._batches.set_wanted(wanted=seen)
        self._enable()

    def _show(self) -> None:
        batches, picture = self._batches, self._batches.picture
        shown = (picture, batches.kept, batches.left_out)
        if shown != self._shown:
            self._shown = shown
            self._page.show_picture(picture, batches.kept, batches.left_out)
            self._traces.model.set_batch(picture)
            self._page.set_group(self._traces.group)
        why = say("Stopped.") if batches.failure is None else in_words(batches.failure.message)
        self._page.answer.set_progress(batches.progress, why if batches.stopped else "")
        self._show_answer()
        self._enable()

    def _enable(self) -> None:
        """Nothing is written that is not seen: it may be out of date."""
        batches, seen = self._batches, self._page.isVisible()
        plan = batches.picture.plan if batches.picture is not None and batches.planned else None
        self._actions[Command.EXPORT_SUMMARY].setEnabled(seen and batches.summarised)
        self._actions[Command.SAVE_PLAN].setEnabled(seen and bool(plan and plan.chosen))

    def _show_answer(self) -> None:
        picture, failure = self._batches.picture, self._batches.failure
        if picture is None:
            none, later = say("No trace is scored yet."), say("Summed up once all are scored.")
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

    # what is wished

    def _on_show_wanted(self, shown: bool) -> None:  # noqa: FBT001
        if shown:
            self._session.comparisons.close()
        self._layout.set_together(self._page if shown else None)

    def _on_row_chosen(self) -> None:
        """A row that is selected already was chosen once more."""
        if len(self._traces.table.selected_documents()) == 1:
            self._layout.set_together(None)

    def _fulfil(self, wish: BatchWish) -> None:
        batches, traces = self._batches, self._traces
        match wish.do:
            case Wanted.STOP:
                batches.stop()
            case Wanted.RESUME:
                batches.resume()
            case Wanted.LINK_AT:
                batches.set_similarity(wish.of)
            case Wanted.FILTER:
                traces.set_filter(wish.of)
                self._layout.set_together(self._page)  # it stays, whatever is selected then
            case Wanted.GROUP:
                traces.set_group(wish.of)
                self._layout.set_together(self._page)
            case _:
                self._fulfil_of_traces(wish)

    def _fulfil_of_traces(self, wish: BatchWish) -> None:
        batches, places = self._batches, wish.of if isinstance(wish.of, tuple) else (wish.of,)
        found = [self._number_of(one) for one in places]
        numbers = [one for one in found if one is not None]
        if len(numbers) < len(found):
            return
        match wish.do:
            case Wanted.COMPARE:
                self._session.comparisons.compare(*numbers)
            case Wanted.SELECT:
                self._traces.select_rows(numbers)
                self._layout.set_together(self._page)
            case Wanted.SHOW:
                self._traces.show_row(numbers[0])
                self._layout.set_together(None)
            case Wanted.KEEP:
                batches.wish(numbers[0], kept=True)
            case Wanted.LEAVE_OUT:
                batches.wish(numbers[0], kept=False)
            case Wanted.WISH_NOTHING:
                batches.wish(numbers[0], kept=None)

    def _number_of(self, index: int) -> int | None:
        """The row of a trace in the picture, if it is still there."""
        picture = self._batches.picture
        number = None if picture is None else picture.documents[index].number
        return number if number is not None and number in self._session.store else None

    def _on_export_wanted(self) -> None:
        """Export what is seen now, whatever changes until its place is chosen."""
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
