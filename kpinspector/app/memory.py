"""The state of memory and model that the window knows, and the user's actions on the memory."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from kpinspector.app.document import Document
from kpinspector.app.engine import Engine, MemoryState
from kpinspector.app.jobs import Done, JobRunner, Priority, Token, Work
from kpinspector.app.progress import Notice, NoticeBoard
from kpinspector.settings import Settings
from kpinspector.words.memory import memory_words


class SessionMemory(QObject):
    """Part of the session: acts on the memory; rows keep their scores whatever is forgotten."""

    changed = Signal(object)
    """The worker is about to be asked to forget something."""
    listed = Signal(object)

    def __init__(
        self,
        engine: Engine,
        runner: JobRunner,
        submit: Callable[[Work, Done], Token],
        board: NoticeBoard,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._runner = runner
        self._submit = submit
        self._board = board
        engine.tell_waiting(runner.wait)
        self.state: MemoryState | None = None

    def look_up(self) -> None:
        """Ask the worker for the state of memory and model."""
        self._submit(lambda _token: self._engine.state(), self.take)

    def look_through(self) -> None:
        """Look for damage in the memory when the worker is idle."""
        self._runner.submit(self._engine.look_through, self.take, lambda _: None, Priority.IDLE)

    def forget(self, document: Document) -> None:
        """Take a trace out of the memory, with what was tried of it."""
        self._submit(lambda _token: self._engine.forget(document), self.take)

    def clear(self) -> None:
        """Forget everything that was ever scored or tried."""
        self._submit(lambda _token: self._engine.clear(), self.take)

    def list_all(self) -> None:
        """Look up all that is remembered; ``listed`` gives it."""
        self._submit(lambda _token: self._engine.listing(), self.listed.emit)

    def forget_keys(self, keys: Sequence[str]) -> None:
        """Take the entries with these keys out of the memory, then list it again."""
        self._submit(lambda token: self._engine.forget_keys(keys, token.check), self.take)
        self.list_all()

    def apply(self, settings: Settings) -> None:
        """Apply other settings to the memory."""
        self._submit(lambda _token: self._engine.apply(settings), self.take)

    def take(self, state: MemoryState) -> None:
        """Take over the state that the worker found, and tell of news in it."""
        if state == self.state:
            return
        said = self.state.notices if self.state else ()
        if state.notices[: len(said)] != said:
            said = ()  # the memory was opened again
        self.state = state
        for notice in state.notices[len(said) :]:
            self._board.raised.emit(Notice(memory_words(notice)))
        self.changed.emit(state)
