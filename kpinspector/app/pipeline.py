"""Reads opened files, then scores their traces in order, one job at a time."""

import itertools
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from kpinspector.app.document import Document
from kpinspector.app.engine import Core, MemoryState, SessionMemory
from kpinspector.app.jobs import Done, Priority, Token, Work
from kpinspector.app.reading import Known, Opening, Reading, RowChange, read_opening
from kpinspector.app.values import Progress, Turn
from kpinspector.errors import KpError
from kpinspector.runs.recording import UnreadRun
from kpinspector.scoring.novelty.sequence import Place
from kpinspector.trace.records import SkippedFile

_MOST_BRIEF = 256  # files per job where recordings are only recognised by their beginnings


@dataclass(slots=True, eq=False)
class Drop:
    """Files opened by one act: all are read first, then their traces are scored.

    Attributes:
        shows: The first row is to be shown as soon as it is there.
        only_changed: Traces that have not changed keep their measurements.
        traces: Numbers of the rows with a trace, in the order of scoring.
        edited: Numbers of the rows that were scored before with other content.
        unscored: The rows still to be scored, with their places; None until the places are known.
        due: Numbers of the rows that wait for their places or their turn, or are being measured.
    """

    unread: deque[Opening] = field(default_factory=deque)
    roots: frozenset[str] = frozenset()
    shows: bool = False
    only_changed: bool = False
    traces: list[int] = field(default_factory=list)
    edited: list[int] = field(default_factory=list)
    unscored: deque[tuple[int, Place]] | None = None
    due: set[int] = field(default_factory=set)
    reading: tuple[Opening, ...] = ()


class Pipeline(QObject):
    """Part of the session: reads the files of all drops first, then scores the oldest drop."""

    read = Signal(object)
    """A `Reading`, before the store takes it."""
    ended = Signal(object)
    """A `Drop` whose traces are all scored."""
    progress_changed = Signal()

    def __init__(self, core: Core, memory: SessionMemory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self._engine, self._store, self._board = core
        self._memory = memory
        self._numbers = itertools.count()
        self._drops: deque[Drop] = deque()
        self._token: Token | None = None
        self._measuring = False
        self.progress = Progress()

    @property
    def due(self) -> frozenset[int]:
        """Numbers of the rows that will be scored, without those found to be unchanged."""
        numbers = (one.traces if one.unscored is None else one.due for one in self._drops)
        return frozenset(itertools.chain.from_iterable(numbers))

    def turn_of(self, number: int) -> Turn | None:
        """The turn of a row that waits to be scored; None for any other."""
        for drop in self._drops:
            if number in drop.traces:
                return Turn(drop.traces.index(number) + 1, len(drop.traces))
        return None

    def open(
        self,
        openings: Sequence[Opening],
        *,
        only_changed: bool = False,
        shows: bool = False,
        first: bool = False,
    ) -> Drop:
        """Read these files and score their traces as one drop; existing rows are replaced.

        With ``first``, the drop comes before all others.
        """
        roots = frozenset(opening.root for opening in openings)
        drop = Drop(deque(openings), roots, shows=shows, only_changed=only_changed)
        self._count(to_read=len(drop.unread))
        (self._drops.appendleft if first else self._drops.append)(drop)
        self._advance()
        return drop

    def withdraw(self, drop: Drop) -> None:
        """Drop the files of a drop that are not read yet."""
        if self._is_queued(drop):
            self._count(to_read=-len(drop.unread))
            drop.unread.clear()

    def score(self, numbers: Sequence[int], unread: Sequence[Opening] = ()) -> None:
        """Score these rows, then those that are read from ``unread``, as one drop."""
        self._count(to_read=len(unread), to_score=len(numbers))
        self._drops.append(Drop(deque(unread), traces=list(numbers)))
        self._advance()

    def stop(self) -> tuple[Opening, ...]:
        """Stop; finished work is kept. Return the files that were not read.

        A trace that is being measured is finished, as its finding may already be in the memory.
        """
        if self._token is not None and not self._measuring:
            self._token.cancel()
        self._token, self._measuring = None, False
        unread = tuple(one for drop in self._drops for one in (*drop.reading, *drop.unread))
        self._drops.clear()
        self._set_progress(Progress())
        return unread

    def _advance(self) -> None:
        """Submit the next job: the next files to read, else the next trace of the oldest drop."""
        if self._token is not None:
            return
        for drop in self._drops:
            if drop.unread:
                drop.reading = _next_read(drop.unread)
                files = [(one, self._store.known(one.real)) for one in drop.reading]
                work = partial(self._read, files, self._next(drop.traces))
                self._submit(drop, work, partial(self._on_read, drop), Priority.PARSE)
                return
        while self._drops:
            if self._score_next(self._drops[0]):
                return
            self.ended.emit(self._drops.popleft())
        self._set_progress(Progress())

    def _read(
        self, files: Sequence[tuple[Opening, Known]], waiting: Sequence[Document], token: Token
    ) -> list[Reading]:
        """Read files up to the first that is read whole; embed the ``waiting`` traces meanwhile."""
        self._engine.expect(waiting)
        readings: list[Reading] = []
        for opening, known in files:
            now = self._engine.now()
            try:
                reading = read_opening(opening, known, self._numbers, token, self._engine.read, now)
            except KpError:
                if not readings:
                    raise
                break  # this file is read in the next job, so that it fails alone
            readings.append(reading)
            if any(row.document.unread is None for row in reading.rows):
                break
        return readings

    def _next(self, numbers: Iterable[int]) -> list[Document]:
        """The first of these rows that are still there, as many as can be embedded early."""
        rows = (row for one in numbers if (row := self._trace(one)) is not None)
        return list(itertools.islice(rows, self._engine.depth))

    def _on_read(self, drop: Drop, readings: Sequence[Reading]) -> None:
        drop.unread.extendleft(reversed(drop.reading[len(readings) :]))
        self._token, drop.reading = None, ()
        traces = [[row for row in one.rows if row.document.text] for one in readings]
        self._count(read=len(readings), to_score=sum(map(len, traces)))
        for reading, found in zip(readings, traces, strict=True):
            drop.traces.extend(row.document.number for row in found)
            drop.edited.extend(
                row.document.number
                for row in found
                if row.change is RowChange.EDITED and row.document.earlier is not None
            )
            self.read.emit(reading)
            self._show_first(drop, reading)
        self._advance()

    def _show_first(self, drop: Drop, reading: Reading) -> None:
        """Ask the window to show the first row of a drop, once, as soon as it is read."""
        rows = (one.document for one in reading.rows)
        skipped = (SkippedFile, UnreadRun)
        numbers = (row.number for row in rows if not isinstance(row.item, skipped))
        first = next((one for one in numbers if one in self._store), None)
        if drop.shows and first is not None:
            drop.shows = False
            self._store.want(first)

    def _score_next(self, drop: Drop) -> bool:
        """Submit the next step of scoring a drop; return False when all of it is done."""
        if drop.unscored is None:
            documents = [row for one in drop.traces if (row := self._trace(one)) is not None]
            drop.unscored, drop.due = deque(), {one.number for one in documents}
            self._count(scored=len(drop.traces) - len(documents))
            self._submit(
                drop,
                lambda _token: self._engine.places(documents, goes_on=drop.only_changed),
                partial(self._on_placed, drop, documents),
                Priority.SCORE,
            )
            return True
        while drop.unscored:
            number, place = drop.unscored.popleft()
            document = self._trace(number)
            if document is not None:
                self._measure(drop, document, place)
                return True
            drop.due.discard(number)
            self._count(scored=1)
        return False

    def _trace(self, number: int) -> Document | None:
        """The present row with that number; None if it is gone or has no text to embed."""
        document = self._store.get(number)
        return document if document is not None and document.text is not None else None

    def _on_placed(self, drop: Drop, documents: list[Document], places: tuple[Place, ...]) -> None:
        self._token = None
        drop.unscored = deque(
            (document.number, place)
            for document, place in zip(documents, places, strict=True)
            if document.measured is None
            or document.measured.place != place
            or not drop.only_changed
        )
        drop.due = {number for number, _ in drop.unscored}
        self._count(scored=len(documents) - len(drop.unscored))
        self._advance()

    def _measure(self, drop: Drop, document: Document, place: Place) -> None:
        """Have a trace measured, and begin to embed those after it."""
        expected = [document, *self._next(number for number, _ in drop.unscored or ())]

        def work(_token: Token) -> tuple[Document, MemoryState]:
            self._engine.expect(expected)
            return self._engine.measure(document, place)

        self._submit(drop, work, partial(self._on_measured, drop), Priority.SCORE)
        self._measuring = True

    def _on_measured(self, drop: Drop, result: tuple[Document, MemoryState]) -> None:
        document, state = result
        drop.due.discard(document.number)
        self._store.put_scored(document)
        self._memory.take(state)
        if self._is_queued(drop):
            self._token = None
            self._count(scored=1)
            self._advance()

    def _on_failed(self, drop: Drop, error: Exception) -> None:
        """Report that one file or trace failed; go on with the others."""
        self._board.fail(error)
        if self._is_queued(drop):
            left = {number for number, _ in drop.unscored or ()}
            self._count(read=len(drop.reading[:1]), scored=len(drop.due - left))
            drop.unread.extendleft(reversed(drop.reading[1:]))
            self._token, drop.reading, drop.due = None, (), left
            self._advance()

    def _is_queued(self, drop: Drop) -> bool:
        """Whether a drop was not stopped meanwhile."""
        return any(one is drop for one in self._drops)

    def _submit(self, drop: Drop, work: Work, done: Done, priority: Priority) -> None:
        self._measuring = False
        self._token = self._runner.submit(work, done, partial(self._on_failed, drop), priority)

    def _count(self, **more: int) -> None:
        """Add these numbers to the counts of ``Progress`` that have these names."""
        now = self.progress
        self._set_progress(replace(now, **{one: getattr(now, one) + more[one] for one in more}))

    def _set_progress(self, progress: Progress) -> None:
        if progress != self.progress:
            self.progress = progress
            self.progress_changed.emit()


def _next_read(unread: deque[Opening]) -> tuple[Opening, ...]:
    """The files of the next job: one, or several recordings that are only recognised."""
    found = [unread.popleft()]
    while len(found) < _MOST_BRIEF and found[-1].brief and unread and unread[0].brief:
        found.append(unread.popleft())
    return tuple(found)
