"""What is open, what is being scored, how it is judged: the only mutable state."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from kpinspector.app import notices
from kpinspector.app.answers import Basis
from kpinspector.app.changes import Changes
from kpinspector.app.comparisons import Comparisons
from kpinspector.app.document import Document, Rules
from kpinspector.app.drops import Drop, Opening
from kpinspector.app.exports import Exports
from kpinspector.app.groups import Groups
from kpinspector.app.history import History
from kpinspector.app.jobs import Done, JobRunner, Priority, Token, Work
from kpinspector.app.listing import missing_paths
from kpinspector.app.neighbours import Neighbours
from kpinspector.app.opener import Opener
from kpinspector.app.pipeline import Pipeline
from kpinspector.app.progress import Notice, Progress, Turn
from kpinspector.app.reading import Change, Reading, RowRead
from kpinspector.app.remembered import Remembered
from kpinspector.app.removed import Removed
from kpinspector.app.replays import Replays
from kpinspector.app.rows import Rows
from kpinspector.app.scenarios import Scenarios
from kpinspector.app.sources import Sources
from kpinspector.app.state import State
from kpinspector.app.visits import Visits
from kpinspector.app.watch import Watcher
from kpinspector.app.workshop import MemoryState, Tried, Workshop
from kpinspector.errors import KpError
from kpinspector.files import resources
from kpinspector.scoring.batch import Measured
from kpinspector.scoring.mode import Mode
from kpinspector.scoring.report import UsedSettings
from kpinspector.scoring.report_read import FoundReport
from kpinspector.settings import Settings, save_settings
from kpinspector.trace.excerpt import read_excerpt
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import Problem, Skipped, read_bytes

PASTED = "(pasted)"

_log = logging.getLogger(__name__)
_EXPORT, _SETTINGS = "export", "settings"


class Session(QObject):
    """Open documents and their scoring. Values go out by signals, in groups."""

    documents_added = Signal(object)
    documents_changed = Signal(object)
    documents_removed = Signal(object)
    rules_changed = Signal(object)
    progress_changed = Signal(object)
    settings_changed = Signal(object)
    notice_raised = Signal(object)
    done = Signal(str)
    """The key of a notice that is out of date: what it says has succeeded since."""
    excerpt_read = Signal(object, object)
    row_wanted = Signal(object)
    state_changed = Signal()
    """What is kept for the next start may be another than it was."""

    def __init__(
        self,
        workshop: Workshop,
        settings: Settings,
        runner: JobRunner | None = None,
        state: State | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._workshop = workshop
        self._runner = runner or JobRunner(self)
        self._rules = Rules(threshold=settings.threshold)
        self._current: int | None = None
        self._rows = Rows()
        self._groups = Groups(self._rows, self)
        self._pipeline = Pipeline(self._runner, workshop, self._rows, self)
        self._opener = Opener(self._runner, self._pipeline, self._rows, self)
        self._watcher = Watcher(self._submit, self)
        self.sources = Sources(self._submit, self)
        self.changes = Changes(self._submit, self)
        self.history = History(state or State(), self)
        self.remembered = Remembered(workshop, self._runner, self._submit, self)
        self.neighbours = Neighbours(self._runner, workshop, self._scored, self)
        self.visits = Visits(self._opener, self._rows, self._submit, self)
        self.comparisons = Comparisons(self._rows, workshop, self._submit, self)
        self.scenarios = Scenarios(self._runner, workshop, self._rows, self._groups, self)
        self.exports = Exports(
            self._basis,
            partial(self._submit, key=_EXPORT),
            self._sources,
            self._workshop.folder,
            self,
        )
        self.replays = Replays(workshop, self._rows, self._groups, self._submit, self)
        self._connect()

    def _connect(self) -> None:
        self._groups.added.connect(self.documents_added)
        self._groups.changed.connect(self.documents_changed)
        self._groups.removed.connect(self.documents_removed)
        self._groups.due.connect(self._on_group_due)
        self._pipeline.read.connect(self._on_read)
        self._pipeline.scored.connect(self._on_scored)
        self._pipeline.ended.connect(self._on_ended)
        self._pipeline.failed.connect(self._raise_notice)
        self._pipeline.progress_changed.connect(self._on_progress)
        self._opener.progress_changed.connect(self._on_progress)
        self._opener.failed.connect(self._raise_notice)
        self._opener.notice_raised.connect(self.notice_raised)
        self._opener.rows_vanished.connect(self._groups.take_off)
        self._opener.opened.connect(self.history.add)
        self._opener.closed.connect(self._watcher.unwatch)
        self._opener.progress_changed.connect(self.state_changed)
        self._groups.removed.connect(self.state_changed)
        self.history.recent_changed.connect(self.state_changed)
        self._watcher.changed.connect(self._on_files_changed)
        self._watcher.notice_raised.connect(self.notice_raised)
        self.remembered.notice_raised.connect(self.notice_raised)
        self.remembered.forgetting.connect(self.scenarios.flush)
        self.exports.written.connect(lambda _path: self.done.emit(_EXPORT))
        self.neighbours.failed.connect(self._raise_notice)
        self.scenarios.failed.connect(self._raise_notice)
        self._pipeline.row_wanted.connect(self._on_row_wanted)
        self._pipeline.read.connect(self.visits.on_read)
        self.visits.row_wanted.connect(self._on_row_wanted)
        self.visits.notice_raised.connect(self.notice_raised)
        self.documents_changed.connect(self.comparisons.follow)
        self.documents_removed.connect(self.comparisons.forget)
        self.comparisons.notice_raised.connect(self.notice_raised)

    # what is seen

    @property
    def runner(self) -> JobRunner:
        """Runs all jobs of this session."""
        return self._runner

    @property
    def documents(self) -> tuple[Document, ...]:
        """All rows in the order in which they came."""
        return self._rows.documents

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    @property
    def settings(self) -> Settings:
        """What the user chose."""
        return self._settings

    @property
    def rules(self) -> Rules:
        """The profile and the threshold that all rows are judged by."""
        return self._rules

    @property
    def progress(self) -> Progress:
        """How far the work has come."""
        listing, listed = self._opener.listing, self._opener.listed
        return replace(self._pipeline.progress, listing=listing, listed=listed)

    @property
    def waits(self) -> bool:
        """Some trace is pending and nothing is being done about it."""
        return self._rows.waiting and not self.progress.busy

    def turn_of(self, number: int) -> Turn | None:
        """When a pending row is scored; None where nothing is being done about it."""
        return self._pipeline.turn_of(number)

    def document(self, number: int) -> Document | None:
        """The row of that number as it is now."""
        return self._rows.get(number)

    def has_file(self, number: int) -> bool:
        """Whether the row was read from a file; text that was pasted was not."""
        return self._rows.file_of(number) is not None

    def is_watched(self, number: int) -> bool:
        """Whether the row is read again as soon as its file changes."""
        real = self._rows.file_of(number)
        return real is not None and self._watcher.is_watched(real)

    @property
    def state(self) -> State:
        """What is kept for the next start."""
        current = None if self._current is None else self._rows.get(self._current)
        return self.history.state_with(self._opener.paths, current)

    # what the user asks for

    def open(self, paths: Sequence[str]) -> None:
        """Read files and folders and score their traces; what is open already is read again.

        The first row of them is wanted.
        """
        self._opener.open([str(Path(path).absolute()) for path in paths])

    def open_samples(self, *names: str) -> None:
        """Open bundled samples, all of them where none is named; they are no recent files."""
        folder = resources() / "samples"
        self._opener.open_samples([str(folder / one) for one in names] or [str(folder)])

    def open_text(self, text: str) -> None:
        """Read JSON text that was pasted or dropped, and score its traces."""
        data = text.encode("utf-8", "surrogatepass")
        self._submit(
            lambda _token: read_bytes(data, PASTED),
            lambda contents: self._pipeline.open((Opening(contents),), shows=True),
        )

    def restore(self) -> None:
        """Open what was open when the program was closed the last time."""
        self.history.want_current()
        self._opener.restore(self.history.state.open_paths)

    def reload(self) -> None:
        """Read all that is open again, as one drop; every row keeps its place."""
        self._opener.reload()

    def remove(self, numbers: Sequence[int]) -> Removed:
        """Take rows off the list; files and memory are untouched."""
        self.scenarios.flush()
        self._groups.flush()
        there = [row for one in sorted(numbers) if (row := self._rows.get(one)) is not None]
        rows = tuple((row, self._rows.place_of(row.number)) for row in there)
        reals = dict.fromkeys(place[0] for _, place in rows if place is not None)
        files = {real: self._rows.files[real] for real in reals}
        signatures = {real: file.signature for real, file in files.items()}
        removed = Removed(rows, files, signatures, tuple(self._rows.files), self._opener.paths)
        self._opener.leave_out(self._groups.take_off(numbers))
        return removed

    def close_all(self) -> Removed:
        """Take everything off the list, with what is still to be read of it."""
        looked_up, unread = self._opener.looked_up, self._pipeline.stop()
        files, roots = dict(self._rows.files), self._opener.paths
        removed = self.remove([one.number for one in self.documents])
        self._opener.leave_all()
        return replace(removed, files=files, roots=roots, unread=unread, looked_up=looked_up)

    def put_back(self, removed: Removed) -> None:
        """Bring rows back to where they were, as they were; what changed meanwhile is read."""
        gone = [real for real in removed.signatures if real not in self._rows.files]
        unread = [one for one in removed.unread if one.real not in self._rows.files]
        self._opener.open_again(removed)
        back = []
        for document, place in removed.rows:
            if place is not None:
                self._rows.files[place[0]].left_out.discard(place[1])
            if self._groups.put_back(document.with_rules(self._rules), place):
                back.append(document)
        self._rows.sort()
        self._groups.flush()
        for real in gone:
            self._watcher.watch(real, removed.signatures[real])
        files = self._rows.files
        changed = [
            real
            for real, signature in removed.signatures.items()
            if real not in gone and files[real].signature != signature
        ]
        self._opener.reread(changed, whole=False)
        waiting = [row.number for row in back if row.waits]
        waiting = [one for one in waiting if self._pipeline.turn_of(one) is None]
        if waiting or unread:
            self._pipeline.score(waiting, unread)
        self._opener.visit(*removed.looked_up)

    def stop(self) -> None:
        """Stop reading and scoring; what is done stays, the rest stays pending."""
        seen, unread = self._opener.stop(), self._pipeline.stop()
        for notice in notices.stopped(seen, len(unread)):
            self.notice_raised.emit(notice)

    def resume(self) -> None:
        """Score what is still pending, as one drop."""
        if self.waits:
            self._pipeline.score(self._rows.unscored)

    def set_current(self, number: int | None) -> None:
        """Say which row is shown, for the next start."""
        if number != self._current:
            self._current = number
            self.state_changed.emit()

    def look_up_recent(self) -> None:
        """Find out which of the recent paths are still there."""
        paths = [one.path for one in self.history.recent]
        self._submit(partial(missing_paths, paths), self.history.mark_missing)

    def set_rules(self, rules: Rules) -> None:
        """Judge all rows by another profile or threshold; nothing is measured again."""
        if rules == self._rules:
            return
        self._rules = rules
        self._groups.judge(rules)
        self.rules_changed.emit(rules)
        self.documents_changed.emit(self.documents)

    def score_again(self, number: int) -> None:
        """Compare a scored trace with today's memory; the old score is said once."""
        document = self._rows[number]
        measured = document.measured
        if measured is not None:
            self._submit(
                lambda _token: self._workshop.measure(document, measured.place, again=True),
                partial(self._on_scored_again, document),
            )

    def apply_settings(self, settings: Settings) -> None:
        """Keep other settings and work by them; the mode of the command line stays."""
        before, self._settings = self._settings, settings
        try:
            save_settings(self._workshop.folder, settings)
        except KpError as error:
            self._raise_notice(error, _SETTINGS)
        else:
            self.done.emit(_SETTINGS)
        if settings.threshold != before.threshold:
            self.set_rules(replace(self._rules, threshold=settings.threshold))
        self.remembered.apply(settings)
        self.settings_changed.emit(settings)

    def read_excerpt(self, number: int) -> None:
        """Read the lines around a problem; ``excerpt_read`` gives them with the number."""
        item = self._rows[number].item
        if isinstance(item, Problem) and item.line is not None:
            found, line = FoundFile(Path(item.path), item.path, named=True), item.line
            self._submit(
                lambda _token: read_excerpt(found, line), partial(self.excerpt_read.emit, number)
            )

    def close(self) -> bool:
        """Stop everything and close the memory; False if the worker did not stop in time."""
        self._groups.timer.stop()
        self._watcher.close()
        return self._runner.close(partial(self._end, self.scenarios.last_words()))

    def _end(self, tried: Sequence[Tried]) -> None:
        """The worker's last job."""
        try:
            self._workshop.keep(tried)
        except KpError as error:  # nobody is left to be told
            _log.info("%s %s", error.message, error.detail)
        finally:
            self._workshop.close()

    # news

    @Slot(object)
    def _on_read(self, reading: Reading) -> None:
        real = reading.opening.real
        file = self._rows.files.get(real)
        if real and file is None:
            return  # it was taken off the list while it was read
        read = [
            row
            for row in reading.rows
            if row.change is Change.NEW or row.document.number in self._rows
        ]
        for row in read:
            self._take(row)
        numbers = {row.key: row.document.number for row in read}
        if file is None:
            return
        kept = set(numbers.values())
        self._groups.take_off([one for one in file.rows.values() if one not in kept])
        self._rows.set_file_rows(real, numbers.items())
        file.signature = reading.signature
        if file.found is not None:
            self._watcher.watch(real, reading.signature)
        wanted = self.history.wanted_of([self._rows[one] for one in numbers.values()])
        if wanted is not None:
            self._on_row_wanted(wanted.number)

    def _take(self, row: RowRead) -> None:
        if row.change is not Change.SAME:
            self._groups.put(row.document.with_rules(self._rules))
            if row.change is not Change.NEW:
                self.scenarios.follow(row.document)

    @Slot(object, object)
    def _on_scored(self, document: Document, state: MemoryState) -> None:
        self._groups.put_scored(document, self._rules)
        self.remembered.take(state)

    @Slot(object)
    def _on_ended(self, drop: Drop) -> None:
        """All of a drop is scored: say what edits did, note what came of the paths."""
        self._groups.flush()
        self.history.want_no_more()
        files = self._rows.files
        roots = {files[real].root for one in drop.traces if (real := self._rows.file_of(one))}
        roots |= drop.roots
        self.history.note(
            (file.root, self._rows[number])
            for file in files.values()
            if file.root in roots
            for number in file.rows.values()
        )
        edited = [row for one in drop.edited if (row := self._rows.get(one)) is not None]
        if notice := notices.edited(edited):
            self.notice_raised.emit(notice)

    @Slot()
    def _on_progress(self) -> None:
        """Counts change with every job; the window hears of them with the next group."""
        progress = self.progress
        if not progress.busy:
            self._groups.flush()
            self.progress_changed.emit(progress)
        else:
            self._groups.wait()

    @Slot()
    def _on_group_due(self) -> None:
        self.progress_changed.emit(self.progress)

    @Slot(object)
    def _on_row_wanted(self, number: int) -> None:
        self._groups.flush()
        self.row_wanted.emit(number)

    @Slot(object)
    def _on_files_changed(self, reals: tuple[str, ...]) -> None:
        whole = self._workshop.mode is Mode.FRESH  # only the whole gives the same comparison
        self._opener.reread(reals, whole=whole)

    def _on_scored_again(self, before: Document, result: tuple[Document, MemoryState]) -> None:
        document, state = result
        self.remembered.take(state)
        if self._groups.put_scored(document, self._rules):
            now = self._rows[document.number]
            if notice := notices.scored_again(now, before.with_rules(self._rules)):
                self.notice_raised.emit(notice)

    def _scored(self) -> Iterator[Measured]:
        return (one.measured for one in self._rows.documents if one.measured is not None)

    def _basis(self) -> Basis:
        memory = self.remembered.state
        used = UsedSettings(
            threshold=self._rules.threshold,
            max_elements=self._settings.max_elements,
            ttl_ms=self._settings.ttl_ms,
            mode=memory.mode if memory else self._workshop.mode,
        )
        return Basis(used, memory.model if memory else None, self._rules.profile)

    def _sources(self) -> list[str]:
        """The files that are open, but for those that hold nothing to score."""
        other = (Skipped, FoundReport)
        return [
            real
            for real, file in self._rows.files.items()
            if any(not isinstance(self._rows[one].item, other) for one in file.rows.values())
        ]

    def _submit(self, work: Work, done: Done, *, key: str = "") -> Token:
        failed = partial(self._raise_notice, key=key)
        return self._runner.submit(work, done, failed, Priority.ASKED)

    def _raise_notice(self, error: Exception, key: str = "") -> None:
        if isinstance(error, KpError):
            self.notice_raised.emit(Notice(error.message, error.detail, key))
