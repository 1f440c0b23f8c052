"""Looks through a whole memory for damage that its answers would not show.

Half a second for 50,000 findings: for when nothing else is to be done.
"""

import sqlite3
from collections.abc import Callable
from typing import Protocol

from kpinspector.scoring.memory import rows
from kpinspector.scoring.memory.faults import Fault, FaultError, code_of


class Watch(Protocol):
    """Whoever asked for the look and may want it to stop; a job's token is one."""

    def check(self) -> None:
        """Raises what stops the look."""

    def stop_by(self, stop: Callable[[], None] | None) -> None:
        """How another thread stops a query that runs; None: there is none any more."""


class Unwatched:
    """Nobody wants it to stop."""

    def check(self) -> None:
        """Go on."""

    def stop_by(self, stop: Callable[[], None] | None) -> None:
        """Nobody will."""


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
