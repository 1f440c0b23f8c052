"""What can be wrong with the memory's file, and how that is said."""

import errno
import sqlite3
from enum import StrEnum
from typing import Final


class Fault(StrEnum):
    """Why the memory's file cannot be used; the value says so of ``{path}``."""

    DAMAGED = "The memory file {path} is damaged."
    NEWER = "The memory file {path} was written by a newer kpinspector and is left as it is."
    FOREIGN = "The memory file {path} belongs to another program and is left as it is."
    GONE = "The memory file {path} was moved, removed or replaced while in use."
    READ_ONLY = "The memory file {path} cannot be written."
    FULL = "The disk that holds the memory file {path} is full."
    LOCKED = "Another program keeps the memory file {path} locked."
    UNREADABLE = "The system failed to read or write the memory file {path}."
    NO_FOLDER = "The memory file {path} cannot be made: its folder is none and cannot become one."
    NO_FILE = "What stands at {path} is no file, so nothing can be remembered there."
    NO_FILE_BESIDE = "A log of the memory file {path} is no file, so the memory cannot be used."


class FaultError(sqlite3.DatabaseError):
    """A fault that SQLite itself does not see."""

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
    # an index that does not list what the table holds
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


# the sqlite3 module decodes SQLite's messages, which quote the damaged file
Failure = sqlite3.DatabaseError | OSError | UnicodeDecodeError
FAILURES: Final = (sqlite3.DatabaseError, OSError, UnicodeDecodeError)


def code_of(error: sqlite3.Error) -> int | None:
    """SQLite's own code; None for what the sqlite3 module raised: a text that is not UTF-8."""
    return getattr(error, "sqlite_errorcode", None)


def fault_of(error: Failure) -> Fault:
    """Name the fault behind a failure of the file."""
    match error:
        case FaultError():
            return error.fault
        case OSError():
            return _OF_SYSTEM.get(error.errno or 0, Fault.UNREADABLE)
        case UnicodeDecodeError():
            return Fault.DAMAGED
    code = code_of(error)
    return Fault.DAMAGED if code is None else _OF_SQLITE.get(code & 0xFF, Fault.UNREADABLE)
