"""What is open, what is being scored, how it is judged: the only mutable state."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from kpinspector.app.document import Document, Rules
from kpinspector.app.drops import Notice, Progress
from kpinspector.app.jobs import Done, JobRunner, Priority, Token, Work
from kpinspector.app.pipeline import Opened, Pipeline
from kpinspector.app.workshop import MemoryState, Workshop
from kpinspector.errors import KpError
from kpinspector.scoring.batch import Measured
from kpinspector.scoring.compose import Results, make_report
from kpinspector.scoring.figures import shown_score
from kpinspector.scoring.report import Report, UsedSettings, report_json, write_report
from kpinspector.settings import Settings, save_settings
from kpinspector.trace.excerpt import read_excerpt
from kpinspector.trace.find import FoundFile, list_files
from kpinspector.trace.read import (
    Problem,
    Skipped,
    TraceRecord,
    read_bytes,
)

_FLUSH_MS = 30  # rows reach the window in groups, at most so often
PASTED = "(pasted)"


class Session(QObject):
    """Open documents and their scoring. Values go out by signals, in groups."""

    documents_added = Signal(object)
    documents_changed = Signal(object)
    documents_removed = Signal(object)
    rules_changed = Signal(object)
    progress_changed = Signal(object)
    settings_changed = Signal(object)
    memory_changed = Signal(object)
    memory_listed = Signal(object)
    notice_raised = Signal(object)
    report_written = Signal(object)
    excerpt_read = Signal(object, object)

    def __init__(
        self,
        workshop: Workshop,
        settings: Settings,
        runner: JobRunner | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._workshop = workshop
        self._runner = runner or JobRunner(self)
        self._rules = Rules(threshold=settings.threshold)
        self._documents: dict[int, Document] = {}
        self._opened: list[str] = []
        self._listings: list[Token] = []
        self._pipeline = Pipeline(self._runner, workshop, self._documents, self)
        self._pipeline.read.connect(self._on_read)
        self._pipeline.scored.connect(self._on_scored)
        self._pipeline.failed.connect(self._raise_notice)
        self._pipeline.progress_changed.connect(self._on_progress)
        self._memory: MemoryState | None = None
        self._added: dict[int, Document] = {}
        self._changed: dict[int, Document] = {}
        self._flusher = QTimer(self, singleShot=True, interval=_FLUSH_MS)
        self._flusher.timeout.connect(self._on_flush_due)

    # what is seen

    @property
    def documents(self) -> tuple[Document, ...]:
        """All rows in the order in which they came."""
        return tuple(self._documents.values())

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
        return self._pipeline.progress

    @property
    def waits(self) -> bool:
        """Some trace is pending and nothing is being done about it."""
        return not self.progress.busy and any(
            one.record and one.measured is None for one in self._documents.values()
        )

    @property
    def memory(self) -> MemoryState | None:
        """What is known of memory and model; None before the worker looked."""
        return self._memory

    def document(self, number: int) -> Document | None:
        """The row of that number as it is now."""
        return self._documents.get(number)

    # what the user asks for

    def look_up_memory(self) -> None:
        """Ask the worker for the state of memory and model."""
        self._submit(lambda _token: self._workshop.state(), self._on_memory_known)

    def open(self, paths: Sequence[str]) -> None:
        """Read files and folders and score their traces; a path that is open is read again."""
        self._close_paths(paths)
        self._opened.extend(paths)
        self._listings.append(
            self._submit(lambda token: tuple(list_files(paths, token.check)), self._on_listed)
        )

    def open_text(self, text: str) -> None:
        """Read JSON text that was pasted or dropped, and score its traces."""
        data = text.encode("utf-8", "surrogatepass")
        self._submit(lambda _token: (read_bytes(data, PASTED),), self._on_listed)

    def reload(self) -> None:
        """Read all that is open again, as one drop."""
        paths = list(dict.fromkeys(self._opened))
        if paths:
            self.open(paths)

    def remove(self, numbers: Sequence[int]) -> None:
        """Take rows off the list; files and memory are untouched."""
        self._flush()
        gone = tuple(number for number in numbers if self._documents.pop(number, None))
        self.documents_removed.emit(gone)

    def stop(self) -> None:
        """Stop reading and scoring; what is done stays, the rest stays pending."""
        for token in self._listings:
            token.cancel()
        self._listings.clear()
        unread = self._pipeline.stop()
        if unread:
            self.notice_raised.emit(Notice(f"Stopped before {unread:,} files were read."))

    def resume(self) -> None:
        """Score what is still pending, as one drop."""
        if self.waits:
            pending = [one for one in self.documents if one.record and one.measured is None]
            self._pipeline.score([one.number for one in pending])

    def set_rules(self, rules: Rules) -> None:
        """Judge all rows by another profile or threshold; nothing is measured again."""
        if rules == self._rules:
            return
        self._rules = rules
        self._flush()
        for number, document in self._documents.items():
            self._documents[number] = document.with_rules(rules)
        self.rules_changed.emit(rules)
        self.documents_changed.emit(self.documents)

    def score_again(self, number: int) -> None:
        """Compare a scored trace with today's memory; the old score is said once."""
        document = self._documents[number]
        measured = document.measured
        if measured is not None:
            self._submit(
                lambda _token: self._workshop.measure(document, measured.place, again=True),
                partial(self._on_scored_again, document),
            )

    def forget(self, number: int) -> None:
        """Take a trace out of the memory; its row keeps its score until it is read again."""
        document = self._documents[number]
        self._submit(lambda _token: self._workshop.forget(document), self._on_memory_known)

    def clear_memory(self) -> None:
        """Forget everything that was ever scored; the rows keep their scores."""
        self._submit(lambda _token: self._workshop.clear(), self._on_memory_known)

    def list_memory(self) -> None:
        """Look up all that is remembered; ``memory_listed`` gives it."""
        self._submit(lambda _token: self._workshop.listing(), self.memory_listed.emit)

    def forget_keys(self, keys: tuple[str, ...]) -> None:
        """Take what has these keys out of the memory, then list it again."""
        self._submit(
            lambda token: self._workshop.forget_keys(keys, token.check), self._on_memory_known
        )
        self.list_memory()

    def apply_settings(self, settings: Settings) -> None:
        """Keep other settings and work by them; the mode of the command line stays."""
        before, self._settings = self._settings, settings
        try:
            save_settings(self._workshop.folder, settings)
        except KpError as error:
            self._raise_notice(error)
        if settings.threshold != before.threshold:
            self.set_rules(replace(self._rules, threshold=settings.threshold))
        self._submit(lambda _token: self._workshop.apply(settings), self._on_memory_known)
        self.settings_changed.emit(settings)

    def export(self, path: Path, numbers: Sequence[int] | None = None) -> None:
        """Write the report on these rows, or on all, to a file."""
        results, used, model = self._results(numbers)
        profile = self._rules.profile

        def write(_token: Token) -> Path:
            write_report(path, make_report(results, used, model, profile))
            return path

        self._submit(write, self.report_written.emit)

    def report_text(self, number: int) -> str:
        """The report on one row as JSON text."""
        results, used, model = self._results([number])
        report: Report = make_report(results, used, model, self._rules.profile)
        return report_json(report).decode()

    def read_excerpt(self, number: int) -> None:
        """Read the lines around a problem; ``excerpt_read`` gives them with the number."""
        item = self._documents[number].item
        if isinstance(item, Problem) and item.line is not None:
            found, line = FoundFile(Path(item.path), item.path, named=True), item.line
            self._submit(
                lambda _token: read_excerpt(found, line), partial(self.excerpt_read.emit, number)
            )

    def close(self) -> bool:
        """Stop everything and close the memory; False if the worker did not stop in time."""
        self._flusher.stop()
        return self._runner.close(self._workshop.close)

    # news

    @Slot(object)
    def _on_listed(self, found: tuple[Opened, ...]) -> None:
        self._pipeline.open(found, self._rules)

    @Slot(object)
    def _on_read(self, documents: tuple[Document, ...]) -> None:
        for document in documents:
            self._put(document.with_rules(self._rules), self._added)

    @Slot(object, object)
    def _on_scored(self, document: Document, state: MemoryState) -> None:
        if document.number in self._documents:
            self._put(document.with_rules(self._rules), self._changed)
        self._on_memory_known(state)

    @Slot(object)
    def _on_progress(self, progress: Progress) -> None:
        """Counts change with every job; the window hears of them with the next group."""
        if not progress.busy:
            self._flush()
            self.progress_changed.emit(progress)
        elif not self._flusher.isActive():
            self._flusher.start()

    def _on_scored_again(self, before: Document, result: tuple[Document, MemoryState]) -> None:
        document, state = result
        self._on_memory_known(state)
        if document.number not in self._documents:
            return
        self._put(document.with_rules(self._rules), self._changed)
        old, new = before.with_rules(self._rules).assessment, self._documents[before.number]
        if old is not None and new.assessment is not None:
            was, now = (shown_score(one.score, one.threshold) for one in (old, new.assessment))
            self.notice_raised.emit(Notice(f"{document.name} scored again: {now}, before {was}."))

    # the list and its groups

    def _put(self, document: Document, group: dict[int, Document]) -> None:
        self._documents[document.number] = document
        group[document.number] = document
        if not self._flusher.isActive():
            self._flusher.start()

    @Slot()
    def _on_flush_due(self) -> None:
        self._flush()
        self.progress_changed.emit(self.progress)

    def _flush(self) -> None:
        """Hand over the rows that came and changed since the last group."""
        added, changed = tuple(self._added), tuple(self._changed.keys() - self._added.keys())
        self._added.clear()
        self._changed.clear()
        if added:
            self.documents_added.emit(tuple(self._documents[one] for one in added))
        if changed:
            self.documents_changed.emit(tuple(self._documents[one] for one in changed))

    def _close_paths(self, paths: Sequence[str]) -> None:
        """Take off the list what stands at or below paths that are opened again."""
        again = {Path(path) for path in paths}
        gone = [
            document.number
            for document in self.documents
            if not again.isdisjoint((Path(document.path), *Path(document.path).parents))
        ]
        if gone:
            self.remove(gone)

    # answers

    def _results(self, numbers: Sequence[int] | None) -> tuple[Results, UsedSettings, str | None]:
        chosen = self.documents if numbers is None else [self._documents[one] for one in numbers]
        measured = [one.measured for one in chosen if isinstance(one.measured, Measured)]
        items = [one.item for one in chosen]
        results = Results(
            measured=measured,
            problems=[item for item in items if isinstance(item, Problem)],
            skipped=[item for item in items if isinstance(item, Skipped)],
            pending=sum(isinstance(item, TraceRecord) for item in items) - len(measured),
        )
        used = UsedSettings(
            threshold=self._rules.threshold,
            max_elements=self._settings.max_elements,
            ttl_ms=self._settings.ttl_ms,
            mode=self._memory.mode if self._memory else self._workshop.mode,
        )
        return results, used, self._memory.model if self._memory else None

    def _on_memory_known(self, state: MemoryState) -> None:
        if state == self._memory:
            return
        said = self._memory.notices if self._memory else ()
        if state.notices[: len(said)] != said:
            said = ()  # the memory was opened again
        self._memory = state
        for sentence in state.notices[len(said) :]:
            self.notice_raised.emit(Notice(sentence))
        self.memory_changed.emit(state)

    def _submit(self, work: Work, done: Done) -> Token:
        return self._runner.submit(work, done, self._raise_notice, Priority.ASKED)

    def _raise_notice(self, error: Exception) -> None:
        if isinstance(error, KpError):
            self.notice_raised.emit(Notice(error.message, error.detail))
