"""The commands for all open traces together, and what their page wishes."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from kpinspector.app.answers import planned_file, summary_file
from kpinspector.app.batches import BatchPicture
from kpinspector.app.document import Document
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.ui.actions.actions import connect, follow
from kpinspector.ui.actions.table import Command
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
    """Connects the Batch page to the session, and shows it where no row or several are selected.

    One selected row brings its steps and score back; so do its commands.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._actions, self._session, self._layout = desk.actions, desk.session, desk.layout
        self._dialogs = desk.dialogs
        self._page, self._traces = desk.panes.batch, desk.panes.traces
        self._batches = desk.session.batches
        self._numbers: tuple[int, ...] = ()
        self._shown: object = None
        self._batches.changed.connect(self._show)
        self._session.memory.changed.connect(self._show_answer)
        self._connect_page()
        self._connect_actions()
        for row_chosen in (self._traces.table.clicked, self._traces.table.activated):
            row_chosen.connect(self._on_row_chosen)

    def _connect_page(self) -> None:
        page, batches = self._page, self._batches
        page.seen.connect(self._on_seen)
        page.filter_wanted.connect(self._on_filter_wanted)
        page.group_wanted.connect(self._on_group_wanted)
        self._traces.filter_changed.connect(self._show_group)
        page.stop_wanted.connect(batches.stop)
        page.resume_wanted.connect(batches.resume)
        page.map.similarity_chosen.connect(batches.set_similarity)
        page.map.compare_wanted.connect(self._on_compare_wanted)
        for sheet in (page.map, page.groups, page.plan):
            sheet.trace_chosen.connect(self._on_trace_chosen)
        page.map.selection_wanted.connect(self._on_selection_wanted)
        for sheet in (page.map, page.plan):
            sheet.keep_wanted.connect(partial(self._on_wish, True))
            sheet.leave_out_wanted.connect(partial(self._on_wish, False))

    def _connect_actions(self) -> None:
        actions, page = self._actions, self._page
        for command in _OF_ONE_TRACE:
            actions[command].triggered.connect(lambda: self._layout.set_batch(on=False))
        slots: dict[Command, Callable[..., None]] = {
            Command.SHOW_BATCH: self._on_show_wanted,
            Command.EXPORT_SUMMARY: self._on_export_wanted,
            Command.SAVE_PLAN: self._on_save_wanted,
        }
        connect(actions, slots)
        for button, command in (
            (page.export_button, Command.EXPORT_SUMMARY),
            (page.save_button, Command.SAVE_PLAN),
        ):
            button.setToolTip(actions[command].toolTip())
            button.clicked.connect(actions[command].trigger)
            follow(actions[command], button)

    def set_chosen(self, selected: tuple[Document, ...], *, any_trace: bool) -> None:
        """The selected rows; ``any_trace``: there is something to say of all together."""
        action, numbers = self._actions[Command.SHOW_BATCH], tuple(one.number for one in selected)
        if not any_trace:
            self._layout.set_batch(on=False)
        elif numbers != self._numbers or not action.isEnabled():
            self._layout.set_batch(on=len(numbers) != 1)
        self._numbers = numbers
        action.setEnabled(any_trace)

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
            self._page.set_picture(picture, batches.kept, batches.left_out)
            self._traces.model.set_batch(picture)
            self._show_group()
        failure, why = batches.failure, ""
        if batches.stopped:
            why = say("Stopped.") if failure is None else in_words(failure.message)
        self._page.set_progress(batches.progress, why)
        self._show_answer()
        self._enable()

    def _show_group(self) -> None:
        self._page.set_group(self._traces.group)

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
            self._page.set_answer(later if self._batches.busy else none, "")
            return
        facts = in_words(failure.message) if failure is not None else self._facts(picture)
        title = batch_title(picture.summary, picture.plan, picture.at_best)
        self._page.set_answer(title, facts)

    def _facts(self, picture: BatchPicture) -> str:
        state = self._session.memory.state
        failed = [
            one.verdict
            for one in picture.documents
            if one.facts is not None and one.facts.success_known and one.facts.success is False
        ]
        return batch_facts(
            picture.summary,
            (len(failed), failed.count(Verdict.ACCEPTED)),
            self._session.store.rules.threshold,
            None if state is None else state.mode,
        )

    # what is wished

    def _on_show_wanted(self, shown: bool) -> None:  # noqa: FBT001
        if shown:
            self._session.comparisons.close()
        self._layout.set_batch(on=shown)

    def _on_row_chosen(self) -> None:
        """A row that is selected already was chosen once more."""
        if len(self._traces.table.selected_documents()) == 1:
            self._layout.set_batch(on=False)

    def _on_filter_wanted(self, text: str) -> None:
        """Filter the list; the page stays, whatever is selected then."""
        self._traces.set_filter(text)
        self._layout.set_batch(on=True)

    def _on_group_wanted(self, group: int | None) -> None:
        """See the rows of a group only; the page stays, whatever is selected then."""
        self._traces.set_group(group)
        self._layout.set_batch(on=True)

    def _on_trace_chosen(self, index: int) -> None:
        number = self._number_of(index)
        if number is not None:
            self._traces.show_row(number)
            self._layout.set_batch(on=False)

    def _on_selection_wanted(self, indices: tuple[int, ...]) -> None:
        """Select these rows; the page stays."""
        numbers = [number for one in indices if (number := self._number_of(one)) is not None]
        self._traces.select_rows(numbers)
        self._layout.set_batch(on=True)

    def _on_compare_wanted(self, one: int, other: int) -> None:
        left, right = self._number_of(one), self._number_of(other)
        if left is not None and right is not None:
            self._session.comparisons.compare(left, right)

    def _on_wish(self, kept: bool, index: int, wished: bool) -> None:  # noqa: FBT001
        number = self._number_of(index)
        if number is not None:
            self._batches.wish(number, kept=kept if wished else None)

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
