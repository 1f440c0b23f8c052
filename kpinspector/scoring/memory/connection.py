"""A connection to the memory that survives faults of its file, and the check of that file."""

import logging
import sqlite3
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, Protocol, Self, TypeVar

from kpinspector.errors import MemoryUnusableError
from kpinspector.phrase import Phrase
from kpinspector.scoring.memory import file as memory_file
from kpinspector.scoring.memory import rows
from kpinspector.scoring.memory.faults import (
    FAILURES,
    Failure,
    Fault,
    FaultError,
    MemoryNotice,
    Remedy,
    code_of,
    fault_of,
)

_ATTEMPTS: Final = 5
_READ_AGAIN: Final = 2
_SAID_AFTER_S: Final = 1.0
_PAUSE_S: Final = 0.01
_MOST_ACTS: Final = 1000
# faults that a copy elsewhere does not share
_OF_THE_DISK: Final = (Fault.FULL, Fault.UNREADABLE)
_OF_THE_FILE: Final = (*_OF_THE_DISK, Fault.READ_ONLY, Fault.LOCKED)
Result = TypeVar("Result")
Waits = Callable[[bool], None]
Act = Callable[[sqlite3.Connection], object]


class Watch(Protocol):
    """Can stop the check of a file; a job's token is one."""

    def check(self) -> None:
        """Raise an exception to stop the check."""

    def stop_by(self, stop: Callable[[], None] | None) -> None:
        """Register the function that stops the running query from another thread; None for none."""


class Unwatched:
    """Never stops the check."""

    def check(self) -> None:
        """Do nothing."""

    def stop_by(self, stop: Callable[[], None] | None) -> None:
        """Do nothing."""


def look_through(connection: sqlite3.Connection, watch: Watch) -> None:
    """Compare every index with its table, and every row with its seal.

    Raises:
        sqlite3.DatabaseError: what ``fault_of`` names, if anything is wrong.
    """
    watch.stop_by(connection.interrupt)
    try:
        watch.check()
        (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise FaultError(Fault.DAMAGED, str(found))
        for _ in rows.read_all(connection):
            watch.check()
    except sqlite3.OperationalError as error:
        if code_of(error) == sqlite3.SQLITE_INTERRUPT:
            watch.check()
        raise
    finally:
        watch.stop_by(None)


_log = logging.getLogger(__name__)


class MemoryConnection:
    """Runs work on the memory's file, or on a private memory that is discarded when it is closed.

    A damaged file is set aside and a new one begun, but only once a second connection has found the
    damage too, since a failed read looks the same. A file that cannot be used for any other reason
    is left alone: work goes on in a private copy, or in an empty memory where nothing can be
    copied. A new or empty memory is refilled with what this process has done. Each such step leaves
    a notice. A connection belongs to one thread.

    Args:
        path: The memory's file, created if it is missing; None for a private memory.
        clock: Milliseconds since the epoch, for the names of files that are set aside.
        waits: Called with True, repeatedly, while another program keeps the file locked for more
            than a second, when it may raise to give up; called with False once that is over.

    Attributes:
        lost: The file could not be used, or some of its rows may be missing or damaged.
    """

    def __init__(
        self, path: Path | None, clock: Callable[[], int], waits: Waits | None = None
    ) -> None:
        self._path = path
        self._origin = path
        self._clock = clock
        self._waits = waits or (lambda _: None)
        self._connection: sqlite3.Connection | None = None
        self._identity: memory_file.Identity | None = None
        self._read_again = 0
        self._acts: deque[Act] = deque(maxlen=_MOST_ACTS)
        self._begins_empty = False
        self.notices: tuple[MemoryNotice, ...] = ()
        self.lost = False

    @classmethod
    def guest(cls, path: Path, clock: Callable[[], int], waits: Waits | None = None) -> Self:
        """Connect to a private copy of the file, which is not touched; empty without a file."""
        guest = cls(None, clock, waits)
        guest._origin = path

        def copy() -> sqlite3.Connection | None:
            there = memory_file.is_there(path)
            return memory_file.copy_of_file(path, memory_file.ON_DISK) if there else None

        try:
            guest._connection = guest._patiently(copy)
        except FAILURES as error:
            guest._go_private(error)
        return guest

    @property
    def remembers(self) -> bool:
        """Whether what is written outlives the connection."""
        return self._path is not None

    def run(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run ``work`` and return its result; after a fault it starts over.

        Raises:
            MemoryUnusableError: not even a private memory can be used.
        """
        failure: Exception | None = None
        for _ in range(_ATTEMPTS):
            try:
                return self._patiently(lambda: work(self._usable()))
            except sqlite3.ProgrammingError:
                raise
            except FAILURES as error:
                failure = error
                self._recover(error)
        raise MemoryUnusableError(Phrase("The memory cannot be used."), str(failure)) from failure

    def keep(self, act: Act) -> None:
        """Keep an act that remembers, recalls or forgets, to repeat it in a new memory."""
        self._acts.append(act)

    def keep_nothing(self) -> None:
        """Drop the kept acts, as everything was forgotten."""
        self._acts.clear()

    def look_through(self, watch: Watch) -> None:
        """Check the whole file for damage; any leaves a notice, and the file stays in use."""
        if self.lost:
            return
        try:
            if self._path is None:
                look_through(self._usable(), watch)
            else:
                with closing(memory_file.open_to_look(self._path)) as connection:
                    look_through(connection, watch)
        except FAILURES as error:
            self._tell_damage(error)

    def close(self) -> None:
        """Close the file. A private memory is lost."""
        if self._connection is not None:
            self._connection.close()

    def _usable(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = self._open()
        elif self._path is not None and memory_file.identity(self._path) != self._identity:
            raise FaultError(Fault.GONE, "another file stands there now, or none")
        if self._begins_empty:
            for act in self._acts:
                act(self._connection)
            self._begins_empty = False
        return self._connection

    def _open(self) -> sqlite3.Connection:
        if self._path is None:
            return memory_file.open_private(memory_file.ON_DISK)
        memory_file.ensure_exists(self._path)
        self._identity = memory_file.identity(self._path)
        return memory_file.open_file(self._path)

    def _patiently(self, act: Callable[[], Result]) -> Result:
        """Retry while another program keeps the file locked, up to a limit."""
        start, told = time.monotonic(), False
        try:
            while True:
                try:
                    return act()
                except FAILURES as error:
                    waited = time.monotonic() - start
                    locked = fault_of(error) is Fault.LOCKED
                    if not locked or waited >= memory_file.BUSY_TIMEOUT_MS / 1000:
                        raise
                if waited >= _SAID_AFTER_S:
                    told = True
                    self._waits(True)
                time.sleep(_PAUSE_S)  # SQLite does not wait for every kind of lock
        finally:
            if told:
                self._waits(False)

    def _recover(self, error: Failure) -> None:
        fault = fault_of(error)
        _log.info("memory %s: %s: %s", self._origin, fault.name, error)
        path = self._path
        if path is None:
            self._go_private(error)
        elif fault is Fault.GONE or memory_file.identity(path) != self._identity:
            self._drop()
            self.lost = True
            self._notice(Fault.GONE, Remedy.OTHER_FILE)
        elif fault not in (Fault.DAMAGED, Fault.UNREADABLE):
            self._go_private(error)
        else:
            self._answer(path, fault, error)

    def _answer(self, path: Path, fault: Fault, error: Failure) -> None:
        """Respond to a file that seems damaged, or that could not be read or written."""
        if fault is Fault.UNREADABLE and memory_file.is_disk_full(path):
            self._go_private(FaultError(Fault.FULL, str(error)))
            return
        if fault is Fault.DAMAGED:
            self._drop()
            found = self._confirmed(path)
            if found is not None and fault_of(found) is Fault.DAMAGED:
                self._begin_anew(path, error)
                return
            if found is not None:
                self._go_private(found)
                return
        self._read_again += 1
        if self._read_again <= _READ_AGAIN:
            self._drop()
        else:
            self._go_private(FaultError(Fault.UNREADABLE, str(error)))

    def _confirmed(self, path: Path) -> Failure | None:
        """The fault that a second connection finds in the file; None where it finds none."""
        try:
            with closing(memory_file.copy_of_file(path, memory_file.ON_DISK)) as copy:
                look_through(copy, Unwatched())
        except FAILURES as error:
            _log.info("memory %s looked through: %s", path, error)
            return error
        return None

    def _tell_damage(self, error: Failure) -> None:
        """Leave a notice of damage; the next query will meet any other fault."""
        found: Failure | None = error
        if self._origin is not None and self.remembers:
            found = self._confirmed(self._origin)
        if found is not None and fault_of(found) in (Fault.DAMAGED, Fault.UNREADABLE):
            self.lost = True
            self._notice(fault_of(found), Remedy.AS_IT_IS)

    def _begin_anew(self, path: Path, error: Failure) -> None:
        try:
            aside = memory_file.set_aside(path, self._clock())
        except OSError as failure:
            _log.info("memory %s cannot be set aside: %s", path, failure)
            self._go_private(error)
        else:
            self.lost = self._begins_empty = True
            self._notice(Fault.DAMAGED, Remedy.NEW_FILE, aside)

    def _go_private(self, error: Failure) -> None:
        """Change to a private memory: a copy of the file, if the fault allows one."""
        fault = fault_of(error)
        worth_a_copy = _OF_THE_FILE if self.remembers else _OF_THE_DISK
        copy = self._private_copy() if fault in worth_a_copy else None
        self._drop()
        self._path = None
        self._connection = copy or memory_file.open_private(memory_file.IN_MEMORY)
        self._begins_empty = copy is None
        is_new = self._origin is not None and memory_file.identity(self._origin) is None
        self.lost = self.lost or (copy is None and not (fault is Fault.FULL and is_new))
        with suppress(*FAILURES):  # of a copy that is damaged as well
            knows = rows.count_entries(self._connection) + rows.count_findings(self._connection)
            copy = copy if knows else None
        self._notice(fault, Remedy.PRIVATE if copy is None else Remedy.COPY)

    def _private_copy(self) -> sqlite3.Connection | None:
        """A copy of what can still be read, by the connection or else from the file."""
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

    def _notice(self, fault: Fault, remedy: Remedy, aside: Path | None = None) -> None:
        newest = _MOST_ACTS if len(self._acts) == _MOST_ACTS else None
        refilled = bool(self._acts)
        notice = MemoryNotice(fault, self._origin, remedy, aside, refilled, newest)
        self.notices = (*self.notices, notice)
