"""The faults of the memory's file, and how the memory goes on after them."""

import errno
import sqlite3
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

# the sqlite3 module fails to decode messages that quote a damaged file
Failure = sqlite3.DatabaseError | OSError | UnicodeDecodeError
FAILURES: Final = (sqlite3.DatabaseError, OSError, UnicodeDecodeError)


class Fault(StrEnum):
    """Why the memory's file cannot be used."""

    DAMAGED = "damaged"
    NEWER = "newer"  # written by a later version of the program
    FOREIGN = "foreign"  # written by another program
    GONE = "gone"  # moved, removed or replaced while in use
    READ_ONLY = "read_only"
    FULL = "full"  # the disk is full
    LOCKED = "locked"  # by another program
    UNREADABLE = "unreadable"
    NO_FOLDER = "no_folder"  # and it cannot be created
    NO_FILE = "no_file"  # but a folder, a pipe or a device
    NO_FILE_BESIDE = "no_file_beside"  # in place of SQLite's log


class Remedy(StrEnum):
    """How the memory goes on after a fault."""

    OTHER_FILE = "other_file"  # the file that is there now is used
    NEW_FILE = "new_file"  # a new one; the damaged one was set aside
    COPY = "copy"  # a private copy, discarded at the end
    PRIVATE = "private"  # an empty memory, discarded at the end
    AS_IT_IS = "as_it_is"


@dataclass(frozen=True, slots=True)
class MemoryNotice:
    """A fault of the memory's file, and how the memory goes on.

    Attributes:
        path: The file; None for a memory that never had one.
        aside: The new path of the damaged file.
        refilled: The new memory was filled with what this process had done.
        newest: How many of its latest acts that was; None for all of them.
    """

    fault: Fault
    path: Path | None
    remedy: Remedy
    aside: Path | None = None
    refilled: bool = False
    newest: int | None = None


class FaultError(sqlite3.DatabaseError):
    """A fault that SQLite itself does not detect."""

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(detail)
        self.fault = fault


_OF_SQLITE: Final = {
    sqlite3.SQLITE_CORRUPT: Fault.DAMAGED,
    sqlite3.SQLITE_NOTADB: Fault.DAMAGED,
    sqlite3.SQLITE_FORMAT: Fault.DAMAGED,
    sqlite3.SQLITE_SCHEMA: Fault.DAMAGED,
    sqlite3.SQLITE_TOOBIG: Fault.DAMAGED,
    sqlite3.SQLITE_MISMATCH: Fault.DAMAGED,
    # a missing table, or a file format that this SQLite does not know
    sqlite3.SQLITE_ERROR: Fault.DAMAGED,
    # an index that differs from its table
    sqlite3.SQLITE_CONSTRAINT: Fault.DAMAGED,
    sqlite3.SQLITE_READONLY: Fault.READ_ONLY,
    sqlite3.SQLITE_PERM: Fault.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Fault.READ_ONLY,
    sqlite3.SQLITE_FULL: Fault.FULL,
    sqlite3.SQLITE_BUSY: Fault.LOCKED,
    sqlite3.SQLITE_LOCKED: Fault.LOCKED,
    sqlite3.SQLITE_PROTOCOL: Fault.LOCKED,
}

_OF_SYSTEM: Final = {
    errno.EACCES: Fault.READ_ONLY,
    errno.EPERM: Fault.READ_ONLY,
    errno.EROFS: Fault.READ_ONLY,
    errno.ENOSPC: Fault.FULL,
    errno.EDQUOT: Fault.FULL,
}


def code_of(error: sqlite3.Error) -> int | None:
    """SQLite's error code; None for an error of the sqlite3 module: text that is not UTF-8."""
    return getattr(error, "sqlite_errorcode", None)


def fault_of(error: Failure) -> Fault:
    """The fault behind a failure of the file."""
    match error:
        case FaultError():
            return error.fault
        case OSError():
            return _OF_SYSTEM.get(error.errno or 0, Fault.UNREADABLE)
        case UnicodeDecodeError():
            return Fault.DAMAGED
    code = code_of(error)
    return Fault.DAMAGED if code is None else _OF_SQLITE.get(code & 0xFF, Fault.UNREADABLE)
