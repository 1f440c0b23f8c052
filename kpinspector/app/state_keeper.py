"""Writes the state soon after it changed: what is killed loses no more than the last second."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from kpinspector.app.jobs import JobRunner
from kpinspector.app.progress import Notice
from kpinspector.app.state import State, save_state
from kpinspector.errors import KpError, WriteError

_KEY = "state"
_REST_MS = 500  # changes that come together are written together


class StateKeeper(QObject):
    """Keeps one file as the state is, from when it was read until the program ends.

    Args:
        folder: Where everything per-user is kept.
        base: The state as it was read.
        gather: Gives the state as it is now.
        runner: Has the worker write.
    """

    notice_raised = Signal(object)
    done = Signal(str)
    """The key of a notice that is out of date."""
    written = Signal(object, object)
    """A `State` as it was here, and as the file holds it now with what other windows did."""

    def __init__(
        self,
        folder: Path,
        base: State,
        gather: Callable[[], State],
        runner: JobRunner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._folder = folder
        self._base = base
        self._gather = gather
        self._runner = runner
        self._failed = False
        self._writing = False
        self._timer = QTimer(self, singleShot=True, interval=_REST_MS)
        self._timer.timeout.connect(self._write)

    @Slot()
    def touch(self) -> None:
        """Something may have changed."""
        if not self._timer.isActive():
            self._timer.start()

    def end(self) -> None:
        """Write what is not yet written, here and now.

        Raises:
            WriteError: the folder cannot be written to.
        """
        self._timer.stop()
        save_state(self._folder, self._gather(), self._base)

    @Slot()
    def _write(self) -> None:
        if self._writing:
            self._timer.start()
            return
        state = self._gather()
        if state != self._base:
            self._writing = True
            work = partial(save_state, self._folder, state, self._base)
            written = partial(self._on_written, state)
            self._runner.submit(lambda _token: work(), written, self._on_failed)

    def _on_written(self, ours: State, kept: State) -> None:
        self._writing = self._failed = False
        self.done.emit(_KEY)
        self._base = kept
        self.written.emit(ours, kept)

    def _on_failed(self, error: Exception) -> None:
        """Said once: every further change would fail in the same way."""
        self._writing = False
        if isinstance(error, KpError) and not self._failed:
            self._failed = isinstance(error, WriteError)
            self.notice_raised.emit(Notice(error.message, error.detail, _KEY))
