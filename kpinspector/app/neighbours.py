"""Questions about neighbours: today's nearest, alike steps; the way to their rows."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from kpinspector.app import notices
from kpinspector.app.document import Document
from kpinspector.app.documents import DocumentStore
from kpinspector.app.engine import Engine
from kpinspector.app.jobs import Done, JobRunner, Priority, Token, Work
from kpinspector.app.opener import Opener
from kpinspector.app.progress import NoticeBoard
from kpinspector.app.reading import Reading
from kpinspector.errors import TraceLostError
from kpinspector.scoring.findings import SHOWN_LENGTH, Finding, Neighbour, for_display, shown_key
from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.neighbours import (
    Alike,
    TextState,
    look_alike,
    look_today,
    read_neighbour,
)
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.trace.records import TraceRecord

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory

_END = object()


class Question(StrEnum):
    """The questions that can be asked."""

    TODAY = "today"
    RANKING = "ranking"


@dataclass(slots=True, eq=False)
class _Asked:
    """A question that is being answered; ``token`` is that of the job for the next part."""

    question: Question
    parts: Iterator[Any]
    tell: Callable[[Any], None]
    priority: Priority
    token: Token = field(default_factory=Token)


class Neighbours(QObject):
    """Part of the session: answers questions about the current trace only.

    A long answer comes in parts; each is a job with one embedding, so that other jobs do not wait
    for all of it. Questions about another trace, or an earlier score, get no answer.
    """

    today_known = Signal(object)
    """A `Finding`: today's nearest entries."""
    steps_ranked = Signal(object)
    """An `Alike` as far as it is known; None where the neighbour is not remembered."""
    ended = Signal(object)
    """A `Question` that is finished: answered, stopped or failed."""

    def __init__(
        self,
        runner: JobRunner,
        engine: Engine,
        store: DocumentStore,
        board: NoticeBoard,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._engine = engine
        self._store = store
        self._board = board
        self._measured: Measured | None = None
        self._asked: dict[Question, _Asked] = {}

    def set_document(self, document: Document | None) -> None:
        """Set the trace of the questions; None for none, or for one without a score."""
        measured = document.measured if document is not None else None
        if measured is not self._measured:
            self._measured = measured
            for question in tuple(self._asked):
                self.stop(question)

    def look(self) -> None:
        """Ask for today's nearest entries; ``today_known`` answers."""
        if self._measured is not None:
            found = self._looked(self._measured)
            self._ask(Question.TODAY, found, self.today_known.emit, Priority.ASKED)

    def rank_steps(self) -> None:
        """Ask what makes the trace like its nearest neighbour; ``steps_ranked`` answers."""
        if self._measured is not None and self._measured.measurement.novelty.neighbours:
            nearest = self._measured.measurement.novelty.neighbours[0]
            row = row_of(nearest, self._store.documents)
            found = self._ranked(self._measured, nearest, None if row is None else row.record)
            self._ask(Question.RANKING, found, self.steps_ranked.emit)

    def stop(self, question: Question) -> None:
        """Stop answering; the parts that were given stay valid."""
        asked = self._asked.pop(question, None)
        if asked is not None:
            asked.token.cancel()
            self.ended.emit(question)

    # each part of these runs in a job of its own, on the worker

    def _looked(self, measured: Measured) -> Iterator[Finding]:
        yield look_today(measured, *self._engine.tools())

    def _ranked(
        self, measured: Measured, nearest: Neighbour, other: TraceRecord | None
    ) -> Iterator[Alike | None]:
        tools = self._engine.tools()
        if other is None:
            other = _unchanged(nearest, measured.measurement.novelty.found_at, *tools)
        found = None
        for found in look_alike(measured, other, *tools):
            yield found
        if found is None:
            yield None

    def _ask(
        self,
        question: Question,
        parts: Iterator[Any],
        tell: Callable[[Any], None],
        priority: Priority = Priority.SCORE,
    ) -> None:
        """Ask anew, from the first part on."""
        self.stop(question)
        asked = _Asked(question, parts, tell, priority)
        self._asked[question] = asked
        self._go_on(asked)

    def _go_on(self, asked: _Asked) -> None:
        asked.token = self._runner.submit(
            lambda _token: next(asked.parts, _END),
            partial(self._on_part, asked),
            partial(self._on_failed, asked),
            asked.priority,
        )

    def _on_part(self, asked: _Asked, part: Any) -> None:
        if part is _END:
            self.stop(asked.question)
            return
        asked.tell(part)
        if self._asked.get(asked.question) is asked:
            self._go_on(asked)

    def _on_failed(self, asked: _Asked, error: Exception) -> None:
        self.stop(asked.question)
        self._board.fail(error)


class NeighbourOpener(QObject):
    """Part of the session: shows a neighbour's row; a notice says if there is none."""

    def __init__(
        self,
        opener: Opener,
        store: DocumentStore,
        board: NoticeBoard,
        submit: Callable[[Work, Done], Token],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._opener = opener
        self._store = store
        self._board = board
        self._submit = submit
        self._wanted: Neighbour | None = None

    def go_to(self, neighbour: Neighbour) -> None:
        """Show the trace that a neighbour stands for, if it is still where it was."""
        self._wanted = None
        row = row_of(neighbour, self._store.documents)
        if row is not None:
            self._store.want(row.number)
            return
        path = neighbour.source_path
        if any(one.path == path for one in self._store.documents):
            self._board.raised.emit(notices.not_in_file(neighbour))
            return
        self._submit(lambda _token: _is_file(path), partial(self._on_looked_up, neighbour))

    def _on_looked_up(self, neighbour: Neighbour, is_there: bool) -> None:  # noqa: FBT001
        if not is_there:
            self._board.raised.emit(notices.file_gone(neighbour))
            return
        self._wanted = neighbour
        self._opener.visit(neighbour.source_path)

    def on_read(self, reading: Reading) -> None:
        """Look for the wanted trace among the rows of a file that was just read."""
        wanted = self._wanted
        if wanted is None or reading.opening.root != wanted.source_path:
            return
        self._wanted = None
        documents = [row.document for row in reading.rows]
        row = row_of(wanted, documents) or next(iter(documents), None)
        if row is not None:
            self._store.want(row.number)
        if row_of(wanted, documents) is None:
            self._board.raised.emit(notices.not_in_file(wanted))


def row_of(neighbour: Neighbour, documents: Iterable[Document]) -> Document | None:
    """The row of the trace that a neighbour stands for; one of the same file before others."""
    found = [one for one in documents if _is_of(neighbour, one)]
    found.sort(key=lambda one: one.path != neighbour.source_path)
    return next(iter(found), None)


def _is_of(neighbour: Neighbour, document: Document) -> bool:
    """By the key where it is known, else by the id, else by file and objective."""
    if document.record is None:
        return False
    if document.measured is not None:
        return neighbour.key == shown_key(document.measured.place.key)
    trace = document.record.trace
    if neighbour.trace_id is not None and neighbour.trace_id == neighbour.key:
        return trace.id is not None and neighbour.trace_id == shown_key(trace.id)
    same_file = document.path == neighbour.source_path
    return same_file and neighbour.objective == for_display(trace.objective, SHOWN_LENGTH)


def _unchanged(
    neighbour: Neighbour, found_at: int | None, embedder: Embedder, memory: "Memory"
) -> TraceRecord | None:
    """A neighbour from its file, where that still holds the text that was compared."""
    try:
        found = read_neighbour(neighbour, found_at, embedder, memory)
    except TraceLostError:
        return None
    return found.measured.record if found.state is TextState.SAME else None


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except ValueError:  # a name that no file can have
        return False
