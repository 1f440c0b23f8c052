"""The session: joins all parts that work on the open documents; the window talks to it."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from kpinspector.app import answers, notices
from kpinspector.app.answers import Exports, ReportBasis
from kpinspector.app.batches import Batches
from kpinspector.app.comparisons import Comparisons
from kpinspector.app.document import Document, Rules, record_number
from kpinspector.app.documents import DocumentStore, Removed
from kpinspector.app.engine import Core, Engine, MemoryState, Outcomes, SessionMemory
from kpinspector.app.jobs import JobRunner
from kpinspector.app.opener import Act, Opener, UnreadRows, missing_paths
from kpinspector.app.pipeline import Drop, Pipeline
from kpinspector.app.questions import Questions
from kpinspector.app.reading import Opening, Reading
from kpinspector.app.sharing import SharingAnswers
from kpinspector.app.state import History, RowPlace, SavedState
from kpinspector.app.values import NoticeBoard, Progress
from kpinspector.app.watch import Watcher
from kpinspector.errors import KpError
from kpinspector.files import resources
from kpinspector.runs.read import read_bytes
from kpinspector.runs.readers import Here, found_here
from kpinspector.scoring.report.report import UsedSettings
from kpinspector.scoring.report.written import FoundReport
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.settings import Mode, Settings, save_settings
from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.records import PASTED, Skipped

_SETTINGS = "settings"


class Session(QObject):
    """The parts that open, read, score and keep documents, and actions that involve several parts.

    Attributes:
        board: Where all parts raise notices for the user.
        store: The rows, the current row, and the rules by which they are judged.
        tried: By row number, the what-if in force and the trace that it was made for.
    """

    progress_changed = Signal(object)
    settings_changed = Signal(object)

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        state: SavedState | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.settings = settings
        self._engine = engine
        self.runner = JobRunner(self)
        self.board = NoticeBoard(self)
        self.store = DocumentStore(Rules(threshold=settings.threshold), self)
        core = Core(self.runner, engine, self.store, self.board)
        self._ask = core.ask
        self.memory = SessionMemory(core, self)
        self.history = History(state or SavedState(), self)
        self.pipeline = Pipeline(core, self.memory, self)
        self.opener = Opener(core, self.pipeline, self.history, self)
        self.watcher = Watcher(core, self.opener, self)
        self.questions = Questions(core, self.opener.open)
        self.comparisons = Comparisons(core, self.questions, self)
        self.tried: dict[int, tuple[Scenario, ReasoningTrace]] = {}
        ask = partial(core.ask, key=answers.KEY)
        self.exports = Exports(self._basis, ask, self.board, self._sources, engine.folder)
        self.outcomes = Outcomes(core)
        self.sharing = SharingAnswers(engine, self.questions, self)
        self.unread = UnreadRows(core, self.pipeline, self)
        self.batches = Batches(core, self.memory, self)
        self.batches.set_limit(settings.max_elements)
        self.store.rested.connect(self._tell_progress)
        self.pipeline.read.connect(self._on_read)
        self.pipeline.ended.connect(self._on_ended)
        self.pipeline.progress_changed.connect(self._on_progress)
        self.opener.progress_changed.connect(self._on_progress)
        self.opener.closed.connect(self.unread.forget_closed)
        self.opener.closed.connect(self._on_closed)

    # what the window shows

    @property
    def documents(self) -> tuple[Document, ...]:
        """All rows in the order in which they came."""
        return self.store.documents

    @property
    def progress(self) -> Progress:
        """How far reading and scoring have come."""
        now, listed = self.pipeline.progress, self.opener.listed
        return now if listed is None else replace(now, listing=True, listed=listed)

    @property
    def waits(self) -> bool:
        """Whether a trace is pending and nothing is being scored."""
        return self.store.waiting and not self.progress.busy

    def is_watched(self, number: int) -> bool:
        """Whether the row's file is read again as soon as it changes."""
        real = self.store.file_of(number)
        return real is not None and self.watcher.is_watched(real)

    @property
    def state(self) -> SavedState:
        """What is kept for the next start."""
        current, history = self.store.current, self.history
        row = None if current is None else _place_of(current)
        paths, recent = self.opener.paths, history.recent
        return replace(
            history.state, recent=recent, open_paths=paths, current=history.wanted or row
        )

    # what the user asks for

    def open_samples(self, *names: str) -> None:
        """Open these bundled samples, or all; they do not become recent paths."""
        folder = resources() / "samples"
        self.opener.open([str(folder / one) for one in names] or [str(folder)], Act.SAMPLE)

    def open_text(self, text: str) -> None:
        """Read JSON text that was pasted or dropped, and score its traces."""
        data = text.encode("utf-8", "surrogatepass")
        self._ask(
            lambda _token: read_bytes(data, PASTED, asked=self._engine.asked),
            lambda contents: self.pipeline.open((Opening(contents),), shows=True),
        )

    def restore(self) -> None:
        """Open what was open when the program was closed the last time."""
        self.history.wanted = self.history.state.current
        self.unread.told.update(self.history.state.open_paths)  # notices about them were seen
        self.opener.open(self.history.state.open_paths, Act.RESTORE)

    def reload(self) -> None:
        """Read all open files again, as one drop; every row keeps its place."""
        self.opener.open(self.opener.paths, Act.RELOAD)

    def remove(self, numbers: Sequence[int]) -> Removed:
        """Take rows off the list; files and memory are untouched."""
        roots, due = self.opener.paths, self.pipeline.due
        removed = replace(self.store.remove(numbers), roots=roots, due=due)
        self.opener.leave_out(removed)
        return removed

    def close_all(self) -> Removed:
        """Take all rows off the list, and drop the files that are still to be read."""
        looked_up, files = self.opener.looked_up, dict(self.store.files)
        removed = self.remove([one.number for one in self.documents])
        unread = self.pipeline.stop()
        self.opener.leave_all()
        return replace(removed, files=files, unread=unread, looked_up=looked_up)

    def put_back(self, removed: Removed) -> None:
        """Put rows back in their old places, as they were.

        Rows that were going to be scored are scored; others that were pending stay pending.
        """
        files = self.store.files
        gone = [real for real, file in removed.files.items() if file.is_read and real not in files]
        unread = [one for one in removed.unread if one.real not in files]
        self.opener.open_again(removed)
        back = self.store.put_back(removed)
        for real in gone:
            self.watcher.watch(real)
        due = removed.due - self.pipeline.due
        waiting = [row.number for row in back if row.waits and row.number in due]
        if waiting or unread:
            self.pipeline.score(waiting, unread)
        self.opener.open(removed.looked_up, Act.VISIT)

    def stop(self) -> None:
        """Stop reading and scoring; finished work is kept, the rest stays pending."""
        for notice in notices.stopped(self.opener.stop(), len(self.pipeline.stop())):
            self.board.raised.emit(notice)

    def resume(self) -> None:
        """Score all pending rows, as one drop."""
        if self.waits:
            self.pipeline.score(self.store.unscored)

    def look_up_recent(self) -> None:
        """Look up which of the recent paths still exist."""
        paths = [one.path for one in self.history.recent]
        self._ask(partial(missing_paths, paths), self.history.mark_missing)

    def look_here(self, tell: Callable[[tuple[Here, ...]], object]) -> None:
        """Look up the recordings of other agents on this computer; ``tell`` is called with them."""
        home = Path.home()
        self._ask(lambda token: tuple(found_here(home, token.check)), tell)

    def score_again(self, number: int) -> None:
        """Score a trace again, against today's memory; a notice names the old score."""
        before = self.store[number]
        measured = before.measured
        if measured is None:
            return

        def take(result: tuple[Document, MemoryState]) -> None:
            document, state = result
            self.memory.take(state)
            if self.store.put_scored(document):
                now = self.store[number]
                if notice := notices.scored_again(now, before.with_rules(now.rules)):
                    self.board.raised.emit(notice)

        self._ask(lambda _token: self._engine.measure(before, measured.place, again=True), take)

    def apply_settings(self, settings: Settings) -> None:
        """Save new settings and apply them; the mode given on the command line stays in force."""
        before, self.settings = self.settings, settings
        try:
            save_settings(self._engine.folder, settings)
        except KpError as error:
            self.board.fail(error, _SETTINGS)
        else:
            self.board.settled.emit(_SETTINGS)
        if settings.threshold != before.threshold:
            self.store.judge(replace(self.store.rules, threshold=settings.threshold))
        self.memory.apply(settings)
        self.batches.set_limit(settings.max_elements)
        self.settings_changed.emit(settings)

    def close(self) -> bool:
        """Stop everything and close the memory; return False if the worker did not stop in time."""
        self.batches.close()
        self.store.close()
        self.watcher.close()
        return self.runner.close(self._engine.close)

    # slots

    def _on_read(self, reading: Reading) -> None:
        real, store = reading.opening.real, self.store
        ran = store.is_running(real)
        rows = store.take(reading)
        self.questions.look_among(reading)
        if rows is None or not real:
            return  # the file was closed while it was read, or this was pasted text
        if ran and not store.is_running(real) and self._engine.mode is Mode.FRESH:
            self.opener.reread((real,))
        if store.files[real].found is not None:
            self.watcher.watch(real)
        if self.history.wanted is not None:
            self._show_wanted(rows, self.history.wanted)

    def _show_wanted(self, rows: Sequence[Document], wanted: RowPlace) -> None:
        """Show the row that was current in the last session, if it is among these rows."""
        for one in rows:
            # the records of an unread recording are not known yet, so its path has to do
            if _place_of(one) == wanted or (one.unread is not None and one.path == wanted.path):
                self.history.wanted = None
                self.store.want(one.number)
                return

    def _on_ended(self, drop: Drop) -> None:
        """A drop is scored: tell how edits changed scores, and note the results of recent paths."""
        store = self.store
        store.flush()
        self.history.wanted = None
        roots = {store.files[real].root for one in drop.traces if (real := store.file_of(one))}
        roots = (roots | drop.roots) & {one.path for one in self.history.recent}
        opened = defaultdict[str, list[Document]](list)
        for file in store.files.values():
            if file.rows and file.root in roots:
                opened[file.root] += [store[number] for number in file.rows.values()]
        self.history.note({path: notices.note_on(rows) for path, rows in opened.items()})
        edited = [row for one in drop.edited if (row := store.get(one)) is not None]
        if notice := notices.edited(edited):
            self.board.raised.emit(notice)

    def _on_progress(self) -> None:
        """Progress changes with every job; the window is told only with the next group of rows."""
        busy = self.progress.busy
        self.batches.set_busy(busy=busy)
        if busy:
            self.store.wait()
        else:
            self.store.flush()
            self._tell_progress()

    def _tell_progress(self) -> None:
        progress = self.progress
        if progress.listing:
            self.store.wait()  # so that the number of names seen is told again
        self.progress_changed.emit(progress)

    def _on_closed(self) -> None:
        """Withdraw the notices about open files once no file is open."""
        if not self.store.files:
            for key in notices.OF_OPEN_FILES:
                self.board.settled.emit(key)

    def _basis(self) -> ReportBasis:
        memory, rules = self.memory.state, self.store.rules
        used = UsedSettings(
            threshold=rules.threshold,
            max_elements=self.settings.max_elements,
            ttl_ms=self.settings.ttl_ms,
            mode=memory.mode if memory else self._engine.mode,
        )
        model = memory.model if memory else None
        return ReportBasis(used, model, rules.profile, dict(self.tried))

    def _sources(self) -> list[str]:
        """The open files that hold something to score; exports must not overwrite them."""
        rows, other = self.store, (Skipped, FoundReport)
        return [
            real
            for real, file in rows.files.items()
            if file.on_request
            or any(not isinstance(rows[one].item, other) for one in file.rows.values())
        ]


def _place_of(document: Document) -> RowPlace:
    return RowPlace(document.path, record_number(document.item))
