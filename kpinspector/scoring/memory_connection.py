"""A connection to the memory that goes on when its file fails."""

import logging
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Self, TypeVar

from kpinspector.errors import MemoryUnusableError
from kpinspector.scoring import memory_file
from kpinspector.scoring.memory_faults import FAILURES, Failure, Fault, FaultError, fault_of

_log = logging.getLogger(__name__)

_ATTEMPTS: Final = 5

# faults that a copy in another place does not share
_OF_THE_DISK: Final = (Fault.FULL, Fault.UNREADABLE)
_OF_THE_FILE: Final = (*_OF_THE_DISK, Fault.READ_ONLY, Fault.LOCKED)

_ON_A_COPY: Final = (
    "What it knows still answers, but nothing scored from now on will be remembered."
)
_ON_NOTHING: Final = "Scoring goes on with an empty memory, and nothing will be remembered."

Result = TypeVar("Result")


class MemoryConnection:
    """Runs work on the memory's file, or on a private memory that is thrown away in the end.

    A damaged file is set aside and a new one begun. A file that cannot be used otherwise is left
    alone, and work goes on on a private copy of it, or on an empty one where there is nothing to
    copy. Each such step leaves a notice. It belongs to one thread.

    Args:
        path: The memory's file, made when it is missing; None for a private memory.
        clock: Milliseconds since the epoch, for the names of files set aside.
    """

    def __init__(self, path: Path | None, clock: Callable[[], int]) -> None:
        self._path = path
        self._origin = path
        self._clock = clock
        self._connection: sqlite3.Connection | None = None
        self._identity: memory_file.Identity | None = None
        self.notices: tuple[str, ...] = ()

    @classmethod
    def guest(cls, path: Path, clock: Callable[[], int]) -> Self:
        """On a private copy of the file, which is left as it is; empty where there is none."""
        guest = cls(None, clock)
        guest._origin = path
        try:
            if path.exists():
                guest._connection = memory_file.copy_of_file(path, memory_file.ON_DISK)
        except FAILURES as error:
            guest._go_private(error)
        return guest

    @property
    def remembers(self) -> bool:
        """Whether what is written stays."""
        return self._path is not None

    def run(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """The result of ``work``, which is done again from its beginning after a fault.

        Raises:
            MemoryUnusableError: not even a private memory can be used.
        """
        failure: Exception | None = None
        for _ in range(_ATTEMPTS):
            try:
                return work(self._usable())
            except sqlite3.ProgrammingError:
                raise
            except FAILURES as error:
                failure = error
                self._recover(error)
        raise MemoryUnusableError("The memory cannot be used.", str(failure)) from failure

    def close(self) -> None:
        """Let go of the file. A private memory is gone."""
        if self._connection is not None:
            self._connection.close()

    def _usable(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = self._open()
        elif self._path is not None and memory_file.identity(self._path) != self._identity:
            raise FaultError(Fault.GONE, "another file stands there now, or none")
        return self._connection

    def _open(self) -> sqlite3.Connection:
        if self._path is None:
            return memory_file.open_private()
        memory_file.ensure_exists(self._path)
        self._identity = memory_file.identity(self._path)
        return memory_file.open_file(self._path)

    def _recover(self, error: Failure) -> None:
        fault = fault_of(error)
        _log.info("memory %s: %s: %s", self._origin, fault.name, error)
        if self._path is None or fault not in (Fault.DAMAGED, Fault.GONE):
            self._go_private(error)
        elif fault is Fault.GONE or memory_file.identity(self._path) != self._identity:
            self._drop()
            self._notice(Fault.GONE, "Scoring goes on with the file that stands there now.")
        else:
            self._begin_anew(self._path, error)

    def _begin_anew(self, path: Path, error: Failure) -> None:
        self._drop()
        try:
            aside = memory_file.set_aside(path, self._clock())
        except OSError as failure:
            _log.info("memory %s cannot be set aside: %s", path, failure)
            self._go_private(error)
        else:
            self._notice(Fault.DAMAGED, f"It was set aside as {aside}, and a new memory was begun.")

    def _go_private(self, error: Failure) -> None:
        """Change to a private memory: a copy where the fault leaves something to copy."""
        fault = fault_of(error)
        worth_a_copy = _OF_THE_FILE if self.remembers else _OF_THE_DISK
        copy = self._private_copy() if fault in worth_a_copy else None
        self._drop()
        self._path = None
        self._connection = copy or memory_file.open_private()
        self._notice(fault, _ON_NOTHING if copy is None else _ON_A_COPY)

    def _private_copy(self) -> sqlite3.Connection | None:
        """What can be saved, by way of the connection or else of the file."""
        if self._connection is not None:
            with suppress(*FAILURES):
                return memory_file.private_copy(self._connection, memory_file.IN_MEMORY)
            self._drop()
        if self._origin is not None:
            with suppress(*FAILURES):
                return memory_file.copy_of_file(self._origin, memory_file.IN_MEMORY)
        return None

    def _drop(self) -> None:
        self.close()
        self._connection = None

    def _notice(self, fault: Fault, consequence: str) -> None:
        what = fault.format(path=self._origin or "of this run")
        self.notices = (*self.notices, f"{what} {consequence}")
