"""The embedder and the memory, used on the worker; the outcomes that the user states of runs."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from kpinspector.app.document import Document
from kpinspector.app.documents import DocumentStore
from kpinspector.app.jobs import Done, JobRunner, Priority, Token, Work
from kpinspector.app.reading import signature_of
from kpinspector.app.values import Notice, NoticeBoard
from kpinspector.errors import KpError, ModelError
from kpinspector.files import MEMORY_FILE
from kpinspector.loading import loading
from kpinspector.runs.follow import Followers, is_recent
from kpinspector.runs.read import Asked, RunRecord, restated
from kpinspector.runs.rules import RunOutcome
from kpinspector.runs.stated import NOTHING_STATED, Stated, keep
from kpinspector.scoring.findings import Entry
from kpinspector.scoring.memory.file import MemoryNotice, size_on_disk
from kpinspector.scoring.model.embedder import Ahead, Embedder
from kpinspector.scoring.novelty.sequence import (
    Place,
    expect,
    measure_novelty,
    measure_record,
    places_of,
)
from kpinspector.settings import Mode, Settings
from kpinspector.trace.find import FoundFile
from kpinspector.trace.records import FileContents, UnscoredRecord
from kpinspector.words.memory import memory_words

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory, Watch


@dataclass(frozen=True, slots=True)
class MemoryState:
    """The state of the memory and the model, as the window shows it.

    Attributes:
        mode: The mode in effect; *guest* where the memory cannot be written.
        remembered: The number of entries in the memory.
        model: The sha256 of the weights, or None when the model cannot be used.
        notices: The memory's notices since it was opened.
    """

    mode: Mode
    remembered: int
    model: str | None
    failure: ModelError | None
    notices: tuple[MemoryNotice, ...]


@dataclass(frozen=True, slots=True)
class MemoryListing:
    """The contents of the memory: its entries, oldest first; the number of all models' findings."""

    entries: tuple[Entry, ...]
    findings: int
    bytes_on_disk: int
    path: str


class Engine:
    """Used on the worker, except ``mode``, ``folder``, ``depth``, ``now`` and ``waits``.

    Attributes:
        waits: Called with True while another program locks the memory, then with False.
    """

    def __init__(
        self,
        given: Mode | None,
        folder: Path,
        settings: Settings,
        embedder: Embedder,
        now: Callable[[], float] = time,
    ) -> None:
        self.now, self.folder = now, folder
        self._given, self._settings = given, settings
        self._embedder = Ahead(embedder)
        self._followers = Followers()
        self._memory: Memory | None = None
        self.waits: Callable[[bool], None] | None = None
        self._stated: dict[str, Stated] = {}

    @property
    def mode(self) -> Mode:
        """The mode that the command line or the settings ask for."""
        return self._given or self._settings.mode

    @property
    def depth(self) -> int:
        """How many traces can be embedded before their turn to be scored."""
        return self._embedder.depth

    def places(self, documents: Sequence[Document], *, goes_on: bool = False) -> tuple[Place, ...]:
        """The places of the traces of one drop; in *fresh* mode the memory is emptied before.

        With ``goes_on`` it is kept if all are guests, so that they meet what was scored before.
        """
        if self.mode is Mode.FRESH and not (goes_on and all(one.is_guest for one in documents)):
            self._close_memory()
        records = [document.text for document in documents]
        places = places_of([record.trace for record in records if record], self._embedder)
        return tuple(
            place.for_guest() if document.is_guest else place
            for document, place in zip(documents, places, strict=True)
        )

    def measure(
        self, document: Document, place: Place, *, again: bool = False
    ) -> tuple[Document, MemoryState]:
        """The document with its measurement; a trace that cannot be scored is only remembered."""
        record, memory = document.text, self._opened()
        place = place.for_guest() if document.is_guest else place
        if isinstance(record, UnscoredRecord):
            if not place.as_guest:
                measure_novelty(record, place, self._embedder, memory)
            return replace(document, kept=not place.as_guest), self.state()
        if record is None:
            raise ValueError("only traces are measured and remembered")
        measured = measure_record(record, place, self._embedder, memory, again=again)
        return replace(document, measured=measured).prepared(), self.state()

    def expect(self, documents: Sequence[Document]) -> None:
        """Begin to embed the next traces; a failure is raised when its trace is measured."""
        records = [record for document in documents if (record := document.text) is not None]
        with suppress(KpError):
            expect(records, self._embedder, self._opened())

    def forget(self, keys: Sequence[str], check: Callable[[], None]) -> MemoryState:
        """Remove the traces with these keys or ids, and their findings, from the memory.

        ``check`` is called before each, and may raise to stop.
        """
        for key in keys:
            check()
            self._opened().forget(key)
        return self.state()

    def tools(self) -> tuple[Embedder, "Memory"]:
        """The embedder and the memory, for one job only: the memory may be closed after it."""
        return self._embedder, self._opened()

    def listing(self) -> MemoryListing:
        """The contents of the memory."""
        memory, path = self._opened(), self.folder / MEMORY_FILE
        on_disk = 0 if self.mode is Mode.FRESH else size_on_disk(path)
        return MemoryListing(memory.entries(), memory.findings_count, on_disk, str(path))

    def apply(self, settings: Settings) -> MemoryState:
        """Apply new settings; the memory is reopened if they concern it."""
        before, mode = self._settings, self.mode
        self._settings = settings
        limits = ("max_elements", "ttl_ms")
        changed = any(getattr(before, name) != getattr(settings, name) for name in limits)
        if changed or self.mode is not mode:
            self._close_memory()
        return self.state()

    def clear(self) -> MemoryState:
        """Remove everything from the memory."""
        self._opened().clear()
        return self.state()

    def look_through(self, watch: "Watch") -> MemoryState:
        """Check the whole memory for damage."""
        self._opened().look_through(watch)
        return self.state()

    def state(self) -> MemoryState:
        """The present state of memory and model."""
        memory = self._opened()
        failure = self._embedder.failure
        return MemoryState(
            mode=memory.mode,
            remembered=memory.size,
            model=None if failure else self._embedder.model,
            failure=failure,
            notices=memory.notices,
        )

    @property
    def asked(self) -> Asked:
        """The folder and the statements of the user, as readers of recordings need them."""
        return Asked(folder=self.folder, stated=self._stated)

    def read(self, found: FoundFile) -> FileContents:
        """Read a file; a recording that has grown is read on from its former end."""
        signature = signature_of(found.path)
        grows = is_recent(signature and signature.modified, self.now())
        return self._followers.read(found, self.asked, grows=grows)

    def state_outcome(self, run: RunRecord, stated: Stated) -> RunRecord:
        """The run with the outcome that the user states; on disk only in *remember* mode.

        Raises:
            KpError: the statement cannot be kept, and the run stays as it is.
        """
        trace_id = run.imported.mapped.id
        if self.mode is Mode.REMEMBER:
            keep(self.folder, trace_id, stated)
        else:
            self._stated[trace_id] = stated
        return restated(run, stated)

    def close(self) -> None:
        """Stop embedding and close all files; the memory is opened again when next used."""
        self._embedder.close()
        self._close_memory()

    def _close_memory(self) -> None:
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def _opened(self) -> "Memory":
        if self._memory is None:
            with loading():
                from kpinspector.scoring.memory.memory import Memory  # noqa: PLC0415 - on first use

            path = self.folder / MEMORY_FILE
            self._memory = Memory(self.mode, path, self._settings, waits=self.waits)
        return self._memory


class Core(NamedTuple):
    """The objects that all parts of a session share."""

    runner: JobRunner
    engine: Engine
    store: DocumentStore
    board: NoticeBoard

    def ask(self, work: Work, done: Done, key: str = "") -> Token:
        """Submit work before all other jobs; its failure raises a notice with this key."""
        return self.runner.submit(work, done, partial(self.board.fail, key=key))


class SessionMemory(QObject):
    """Part of the session: shows and clears the memory; rows keep their scores all the same."""

    changed = Signal(object)
    """A `MemoryState`."""
    listed = Signal(object)
    """A `MemoryListing`."""

    def __init__(self, core: Core, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self._engine, _, self._board = core
        self._ask = core.ask
        core.engine.waits = core.runner.worker.wait
        self.state: MemoryState | None = None

    def look_up(self) -> None:
        """Ask the worker for the state of the memory and the model."""
        self._ask(lambda _token: self._engine.state(), self.take)

    def look_through(self) -> None:
        """Check the memory for damage when the worker is idle."""
        self._runner.submit(self._engine.look_through, self.take, lambda _: None, Priority.IDLE)

    def forget(self, document: Document) -> None:
        """Remove a trace, and its findings, from the memory."""
        if document.measured is not None:
            trace, place = document.measured.record.trace, document.measured.place
            self._forget((place.key if trace.id is None else trace.id,))

    def clear(self) -> None:
        """Remove everything that was ever scored or tried from the memory."""
        self._ask(lambda _token: self._engine.clear(), self.take)

    def list_all(self) -> None:
        """Look up all entries; ``listed`` is emitted with them."""
        self._ask(lambda _token: self._engine.listing(), self.listed.emit)

    def forget_keys(self, keys: Sequence[str]) -> None:
        """Remove the entries with these keys from the memory, then list it again."""
        self._forget(keys)
        self.list_all()

    def _forget(self, keys: Sequence[str]) -> None:
        self._ask(lambda token: self._engine.forget(keys, token.check), self.take)

    def apply(self, settings: Settings) -> None:
        """Apply other settings to the memory."""
        self._ask(lambda _token: self._engine.apply(settings), self.take)

    def take(self, state: MemoryState) -> None:
        """Take over the state that the worker found; raise its new notices."""
        if state == self.state:
            return
        said = self.state.notices if self.state else ()
        if state.notices[: len(said)] != said:
            said = ()  # the memory was opened again
        self.state = state
        for notice in state.notices[len(said) :]:
            self._board.raised.emit(Notice(memory_words(notice)))
        self.changed.emit(state)


OUTCOME = "outcome"
"""The key of the notice that an outcome could not be kept."""


class Said(StrEnum):
    """The values of a run that the user can state."""

    CONFIDENCE = "confidence"
    SUCCESS = "success"
    DOMAIN = "domain"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement about one or more runs.

    Attributes:
        stated: The values; only those named in ``about`` count.
        about: Which values are stated; the others stay as they are for each run.
    """

    stated: Stated
    about: Collection[Said] = tuple(Said)

    def of(self, run: RunRecord) -> Stated:
        """What is stated of this run now; a recorded value is never overridden."""
        before, now = run.imported.stated, self.stated
        recorded, outcome = run.imported.recorded, before.outcome
        if Said.CONFIDENCE in self.about and recorded.confidence is None:
            outcome = RunOutcome(now.outcome.confidence, outcome.success)
        if Said.SUCCESS in self.about and recorded.success is None:
            outcome = RunOutcome(outcome.confidence, now.outcome.success)
        domain = now.domain if Said.DOMAIN in self.about else before.domain
        score = now.success_score if Said.SCORE in self.about else before.success_score
        return Stated(outcome, domain, score)


TAKEN_BACK = Statement(NOTHING_STATED)


class Outcomes:
    """Part of the session: keeps what the user states of runs, then shows it in their rows."""

    def __init__(self, core: Core) -> None:
        _, self._engine, self._store, self._board = core
        self._ask = core.ask

    def state(self, numbers: Sequence[int], statement: Statement) -> None:
        """State something of the runs among these rows, and of every open copy of them.

        A statement belongs to a run, not to one of its recordings. The chosen rows are stated last,
        as what is kept must be decided by them: a copy may record more than they do.
        """
        runs = {row.number: row.run for row in self._store.documents if row.run is not None}
        chosen = [number for number in numbers if number in runs]
        ids = {runs[number].imported.mapped.id for number in chosen}
        copies = [number for number, run in runs.items() if run.imported.mapped.id in ids]
        for number in (*(one for one in copies if one not in chosen), *chosen):
            self._state(number, statement)

    def _state(self, number: int, statement: Statement) -> None:
        document = self._store.get(number)
        run = None if document is None else document.run
        if run is None:
            return
        self._ask(
            lambda _token: self._engine.state_outcome(run, statement.of(run)),
            partial(self._on_stated, number, statement, run),
            OUTCOME,
        )

    def _on_stated(
        self, number: int, statement: Statement, before: RunRecord, after: RunRecord
    ) -> None:
        self._board.settled.emit(OUTCOME)
        document = self._store.get(number)
        if document is None:
            return
        if document.item is before:
            self._store.put(document.restated(after))
        else:  # the file was read again meanwhile
            self._state(number, statement)
