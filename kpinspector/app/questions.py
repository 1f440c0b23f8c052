"""What the window asks the worker about the current trace, and how it finds neighbours' rows."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

from kpinspector.app import notices
from kpinspector.app.answers import look_for_changes
from kpinspector.app.document import Document
from kpinspector.app.engine import Core
from kpinspector.app.jobs import Priority, Token, Work
from kpinspector.app.opener import Act
from kpinspector.app.reading import Reading
from kpinspector.errors import TraceLostError
from kpinspector.runs.provenance import RunPlace, read_source
from kpinspector.scoring.findings import SHOWN_LENGTH, Finding, Neighbour, for_display, shown_key
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.novelty.neighbours import (
    Alike,
    TextState,
    look_alike,
    look_today,
    read_neighbour,
)
from kpinspector.scoring.novelty.sequence import Measured, measure_edited
from kpinspector.scoring.whatif.scenario import Scenario, edited_trace
from kpinspector.trace.find import FoundFile
from kpinspector.trace.records import Problem, TraceRecord
from kpinspector.trace.step_source import StepPlace, read_excerpt, read_step

Tell: TypeAlias = Callable[[Any], object]
_END = object()


class Question(StrEnum):
    """The kinds of question; of each kind only the newest question is answered."""

    TODAY = "today"
    RANKING = "ranking"
    NOVELTY = "novelty"
    CHANGES = "changes"
    COMPARISON = "comparison"
    SHARING = "sharing"
    IN_CLEAR = "in clear"
    SOURCE = "source"
    EXCERPT = "excerpt"
    TEXT = "text"
    FILE = "file"


_OF_THE_SCORE = (Question.TODAY, Question.RANKING, Question.NOVELTY)


class Questions:
    """Part of the session: has the worker answer questions, and passes the answers to the caller.

    A long answer comes in parts, each computed in a job with one embedding, so that other jobs need
    not wait for all of it. Questions about a score that is no longer shown get no answer.
    """

    def __init__(self, core: Core, look_up: Callable[[tuple[str, ...], Act], object]) -> None:
        self._runner, self._engine, self._store, self._board = core
        self._look_up = look_up
        self._measured: Measured | None = None
        # for each open question, the token of its running job and what to call when it is over
        self._asked: dict[Question, tuple[Token, Callable[[], object]]] = {}
        self._wanted: Neighbour | None = None

    def set_document(self, document: Document | None) -> None:
        """Set the document that is shown; None for none."""
        measured = document.measured if document is not None else None
        if measured is not self._measured:
            self._measured = measured
            for question in _OF_THE_SCORE:
                self.stop(question)

    def ask(
        self,
        question: Question,
        work: Work | Iterator[Any],
        tell: Tell,
        over: Callable[[], object] = lambda: None,
        priority: Priority = Priority.ASKED,
    ) -> None:
        """Have ``work`` give an answer or iterate over its parts; each is passed to ``tell``.

        An earlier question of the kind is dropped. ``over`` is called when this one is answered,
        stopped or failed.
        """
        self.stop(question)

        def next_part(token: Token) -> object:
            return next(work, _END) if isinstance(work, Iterator) else work(token)

        def fail(error: Exception) -> None:
            self.stop(question)
            self._board.fail(error)

        def go_on() -> None:
            token = self._runner.submit(next_part, take, fail, priority)
            self._asked[question] = token, over

        def take(answer: object) -> None:
            asked = self._asked.get(question)
            if answer is _END or not isinstance(work, Iterator):
                self.stop(question)
            if answer is not _END:
                tell(answer)
            if asked is not None and self._asked.get(question) is asked:
                go_on()

        go_on()

    def is_asked(self, question: Question) -> bool:
        """Whether a question of this kind is not answered yet."""
        return question in self._asked

    def stop(self, question: Question) -> None:
        """Stop answering a question; parts that were given stay valid."""
        token, over = self._asked.pop(question, (None, None))
        if token is not None and over is not None:
            token.cancel()
            over()

    # about the score that is shown

    def look_today(self, tell: Callable[[Finding], object]) -> None:
        """Ask for the entries that are nearest to the trace in today's memory."""
        measured, tools = self._measured, self._engine.tools
        if measured is not None:
            self.ask(Question.TODAY, lambda _token: look_today(measured, *tools()), tell)

    def rank_steps(
        self, tell: Callable[[Alike | None], object], over: Callable[[], object]
    ) -> None:
        """Ask which steps make the trace like its nearest; None where that is not remembered."""
        if self._measured is not None and self._measured.measurement.novelty.neighbours:
            nearest = self._measured.measurement.novelty.neighbours[0]
            row = row_of(nearest, self._store.documents)
            found = self._ranked(self._measured, nearest, None if row is None else row.record)
            self.ask(Question.RANKING, found, tell, over, Priority.SCORE)

    def _ranked(
        self, measured: Measured, nearest: Neighbour, other: TraceRecord | None
    ) -> Iterator[Alike | None]:
        tools = self._engine.tools()
        if other is None:  # from its file, if that still holds the text that was compared
            with suppress(TraceLostError):
                read = read_neighbour(nearest, measured.measurement.novelty.found_at, *tools)
                other = read.measured.record if read.state is TextState.SAME else None
        found = None
        for found in look_alike(measured, other, *tools):
            yield found
        if found is None:
            yield None

    def measure(
        self, scenario: Scenario, tell: Callable[[Novelty], object], over: Callable[[], object]
    ) -> None:
        """Ask for the novelty of the trace as edited by a what-if; nothing of it is remembered."""
        measured = self._measured
        if measured is not None:

            def work(_token: Token) -> Novelty:
                edited = edited_trace(measured.record.trace, scenario)
                return measure_edited(
                    measured.record, edited, measured.place, *self._engine.tools()
                )

            self.ask(Question.NOVELTY, work, tell, over)

    # about any row

    def find_changes(self, document: Document, tell: Callable[[Document], object]) -> None:
        """Find the changes that would make a document pass, on the worker, as that takes long."""
        self.ask(Question.CHANGES, lambda _token: look_for_changes(document), tell)

    def read_source(self, place: StepPlace | RunPlace, tell: Tell) -> None:
        """Read the text of a step in its file, as it stands there."""

        def work(_token: Token) -> object:
            return read_source(place) if isinstance(place, RunPlace) else read_step(place)

        self.ask(Question.SOURCE, work, tell)

    def read_excerpt(self, document: Document, tell: Tell) -> None:
        """Read the lines around a row's problem, if the problem has a line."""
        item = document.item
        if isinstance(item, Problem) and item.line is not None:
            found, line = FoundFile(Path(item.path), item.path, named=True), item.line
            self.ask(Question.EXCERPT, lambda _token: read_excerpt(found, line), tell)

    # the rows of neighbours

    def go_to(self, neighbour: Neighbour) -> None:
        """Show the row of a neighbour, opening its file if need be; a notice says if that fails."""
        self._wanted = None
        row, path = row_of(neighbour, self._store.documents), neighbour.source_path
        if row is not None:
            self._store.want(row.number)
        elif any(one.path == path for one in self._store.documents):
            self._board.raised.emit(notices.not_in_file(neighbour))
        else:

            def visit(found: bool) -> None:  # noqa: FBT001
                if found:
                    self._wanted = neighbour
                    self._look_up((path,), Act.VISIT)
                else:
                    self._board.raised.emit(notices.file_gone(neighbour))

            self.ask(Question.FILE, lambda _token: Path(path).is_file(), visit)

    def look_among(self, reading: Reading) -> None:
        """Show the row of the neighbour that was visited, if its file has been read now."""
        wanted = self._wanted
        if wanted is None or reading.opening.root != wanted.source_path:
            return
        self._wanted = None
        documents = [row.document for row in reading.rows]
        found = row_of(wanted, documents)
        for row in documents[:1] if found is None else (found,):
            self._store.want(row.number)
        if found is None:
            self._board.raised.emit(notices.not_in_file(wanted))


def row_of(neighbour: Neighbour, documents: Iterable[Document]) -> Document | None:
    """The row that holds a neighbour's trace, of the same file before others; None without one."""
    found = [one for one in documents if _is_of(neighbour, one)]
    found.sort(key=lambda one: one.path != neighbour.source_path)
    return next(iter(found), None)


def _is_of(neighbour: Neighbour, document: Document) -> bool:
    """Whether a row holds the neighbour: by key if scored, else by id, or by file and objective."""
    if document.record is None:
        return False
    if document.measured is not None:
        return neighbour.key == shown_key(document.measured.place.key)
    trace = document.record.trace
    if neighbour.trace_id is not None and neighbour.trace_id == neighbour.key:
        return trace.id is not None and neighbour.trace_id == shown_key(trace.id)
    same_file = document.path == neighbour.source_path
    return same_file and neighbour.objective == for_display(trace.objective, SHOWN_LENGTH)
