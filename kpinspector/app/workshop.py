"""What is bound to the worker thread: the embedder and the memory, made on first use."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kpinspector.app.document import Document
from kpinspector.errors import ModelError
from kpinspector.scoring.batch import Place, measure_record, places_of
from kpinspector.scoring.embedder import Embedder
from kpinspector.scoring.memory import Memory
from kpinspector.scoring.mode import Mode, open_memory
from kpinspector.settings import Settings
from kpinspector.trace.read import TraceRecord


@dataclass(frozen=True, slots=True)
class MemoryState:
    """What the window says of memory and model.

    Attributes:
        mode: As it is, not as it was asked for: a memory that cannot be written makes a guest.
        remembered: Number of entries.
        model: The sha256 of the weights, or None when the model cannot be used.
        failure: Why it cannot.
        notices: What the memory had to say since it was opened.
    """

    mode: Mode
    remembered: int
    model: str | None
    failure: ModelError | None
    notices: tuple[str, ...]


class Workshop:
    """All but ``mode`` is called on the worker only."""

    def __init__(self, mode: Mode, folder: Path, settings: Settings, embedder: Embedder) -> None:
        self._mode = mode
        self._folder = folder
        self._settings = settings
        self._embedder = embedder
        self._memory: Memory | None = None

    @property
    def mode(self) -> Mode:
        """As it was asked for."""
        return self._mode

    def places(self, documents: Sequence[Document]) -> tuple[Place, ...]:
        """The places of the traces of one drop; *fresh* begins it with an empty memory."""
        if self._mode is Mode.FRESH:
            self.close()
        records = [document.record for document in documents]
        return places_of([record.trace for record in records if record], self._embedder)

    def measure(
        self, document: Document, place: Place, *, again: bool = False
    ) -> tuple[Document, MemoryState]:
        """The document with its measurement."""
        measured = measure_record(
            _record(document), place, self._embedder, self._opened(), again=again
        )
        return replace(document, measured=measured).prepared(), self.state()

    def forget(self, document: Document) -> MemoryState:
        """Take a trace out of the memory, with all that was found for it."""
        record, memory = _record(document), self._opened()
        if record.trace.id is not None:
            memory.forget(record.trace.id)
        elif document.measured is not None:
            memory.forget(document.measured.place.key)
        return self.state()

    def clear(self) -> MemoryState:
        """Forget everything."""
        self._opened().clear()
        return self.state()

    def state(self) -> MemoryState:
        """What to say of memory and model now."""
        memory = self._opened()
        failure = self._embedder.failure
        guest = self._mode is Mode.REMEMBER and not memory.remembers
        return MemoryState(
            mode=Mode.GUEST if guest else self._mode,
            remembered=memory.size,
            model=None if failure else self._embedder.model,
            failure=failure,
            notices=memory.notices,
        )

    def close(self) -> None:
        """Close the memory; the next use opens it again."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def _opened(self) -> Memory:
        if self._memory is None:
            self._memory = open_memory(self._mode, self._folder, self._settings)
        return self._memory


def _record(document: Document) -> TraceRecord:
    if document.record is None:
        raise ValueError("only traces are measured and remembered")
    return document.record
