"""What was opened is read, then its traces are scored, in order and one job at a time."""

import itertools
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from kpinspector.app.document import Document, Item, Rules, record_number
from kpinspector.app.drops import Drop, Progress
from kpinspector.app.jobs import Done, JobRunner, Priority, Token, Work
from kpinspector.app.workshop import MemoryState, Workshop
from kpinspector.scoring.batch import Place
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import FileContents, Problem, Skipped, read_file

Opened = FoundFile | FileContents | Problem | Skipped


class Pipeline(QObject):
    """Part of the session: files of all drops are read first, then the oldest drop is scored.

    Args:
        documents: The session's rows by number; one that is gone is passed over.
    """

    read = Signal(object)
    scored = Signal(object, object)
    failed = Signal(object)
    progress_changed = Signal(object)

    def __init__(
        self,
        runner: JobRunner,
        workshop: Workshop,
        documents: Mapping[int, Document],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._workshop = workshop
        self._documents = documents
        self._numbers = itertools.count()
        self._drops: deque[Drop] = deque()
        self._token: Token | None = None
        self._progress = Progress()

    @property
    def progress(self) -> Progress:
        """How far the work has come."""
        return self._progress

    def open(self, found: Iterable[Opened], rules: Rules) -> None:
        """Read these files and score their traces, as one drop."""
        drop, others = Drop(), []
        for item in found:
            if isinstance(item, (Problem, Skipped)):
                others.append(Document(next(self._numbers), item, rules))
            else:
                drop.unread.append(item)
        if others:
            self.read.emit(tuple(others))
        now = self._progress
        self._set_progress(replace(now, to_read=now.to_read + len(drop.unread)))
        self._drops.append(drop)
        self._advance()

    def score(self, numbers: Sequence[int]) -> None:
        """Score these rows, as one drop."""
        now = self._progress
        self._set_progress(replace(now, to_score=now.to_score + len(numbers)))
        self._drops.append(Drop(traces=list(numbers)))
        self._advance()

    def stop(self) -> int:
        """Stop; what is done stays. Returns how many files were not read."""
        if self._token is not None:
            self._token.cancel()
            self._token = None
        unread = self._progress.to_read - self._progress.read
        self._drops.clear()
        self._set_progress(Progress())
        return unread

    def _advance(self) -> None:
        """Submit the next job: a file to read, else the next trace of the oldest drop."""
        if self._token is not None:
            return
        for drop in self._drops:
            if drop.unread:
                work = partial(self._read, drop.unread.popleft())
                self._submit(work, partial(self._on_read, drop), Priority.PARSE)
                return
        while self._drops:
            if self._score_next(self._drops[0]):
                return
            self._drops.popleft()
        self._set_progress(Progress())

    def _read(self, found: FoundFile | FileContents, token: Token) -> tuple[Document, ...]:
        contents = found if isinstance(found, FileContents) else read_file(found)
        items: list[Item] = [*contents.traces, *contents.problems, *contents.skipped]
        items.sort(key=record_number)
        documents = []
        for item in items:
            token.check()
            documents.append(Document(next(self._numbers), item, Rules()).prepared())
        return tuple(documents)

    def _on_read(self, drop: Drop, documents: tuple[Document, ...]) -> None:
        self._token = None
        traces = [document.number for document in documents if document.record]
        drop.traces.extend(traces)
        now = self._progress
        self._set_progress(replace(now, read=now.read + 1, to_score=now.to_score + len(traces)))
        self.read.emit(documents)
        self._advance()

    def _score_next(self, drop: Drop) -> bool:
        """Submit the next step of a drop's scoring; False when it is done."""
        if drop.unscored is None:
            documents = [self._documents[one] for one in drop.traces if one in self._documents]
            drop.unscored = deque()
            self._submit(
                lambda _token: self._workshop.places(documents),
                partial(self._on_placed, drop, documents),
                Priority.SCORE,
            )
            return True
        while drop.unscored:
            number, place = drop.unscored.popleft()
            document = self._documents.get(number)
            if document is not None:
                work = partial(self._measure, document, place)
                self._submit(work, self._on_measured, Priority.SCORE)
                return True
            self._count_scored()
        return False

    def _on_placed(self, drop: Drop, documents: list[Document], places: tuple[Place, ...]) -> None:
        self._token = None
        numbers = [document.number for document in documents]
        drop.unscored = deque(zip(numbers, places, strict=True))
        self._advance()

    def _measure(
        self, document: Document, place: Place, _token: Token
    ) -> tuple[Document, MemoryState]:
        return self._workshop.measure(document, place)

    def _on_measured(self, result: tuple[Document, MemoryState]) -> None:
        self._token = None
        self._count_scored()
        self.scored.emit(*result)
        self._advance()

    def _on_failed(self, error: Exception) -> None:
        """Reading or scoring one item failed; the others go on."""
        self._token = None
        self.failed.emit(error)
        self._advance()

    def _submit(self, work: Work, done: Done, priority: Priority) -> None:
        self._token = self._runner.submit(work, done, self._on_failed, priority)

    def _count_scored(self) -> None:
        self._set_progress(replace(self._progress, scored=self._progress.scored + 1))

    def _set_progress(self, progress: Progress) -> None:
        if progress != self._progress:
            self._progress = progress
            self.progress_changed.emit(progress)
