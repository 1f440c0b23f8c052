"""The memory's SQLite file: what can be wrong with it, opening, copying and setting it aside.

Write-ahead log with ``synchronous=NORMAL``: a killed process loses nothing that was committed; a
power loss may lose the last commits but damages nothing.
"""

import errno
import os
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Final

from kpinspector.files import BESIDE_DATABASE

APPLICATION_ID: Final = 0x4B506D65  # "KPme"
VERSION: Final = 1

# how long SQLite waits for a lock before callers may report it or give up
_PATIENCE_MS: Final = 250
_SMALLEST_PAGE: Final = 512
_COMPANIONS: Final = (*BESIDE_DATABASE, "-journal")
_PROBE_BYTES: Final = 2**16

# trace_id is '' where a trace has no usable id: ids are never empty
_SCHEMA: Final = (
    """CREATE TABLE entries (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        model TEXT NOT NULL,
        trace_id TEXT NOT NULL,
        variant INTEGER NOT NULL,
        digest TEXT NOT NULL,
        objective TEXT NOT NULL,
        source_path TEXT NOT NULL,
        added_at INTEGER NOT NULL,
        vector BLOB NOT NULL)""",
    """CREATE TABLE findings (
        trace_id TEXT NOT NULL,
        digest TEXT NOT NULL,
        model TEXT NOT NULL,
        basis TEXT NOT NULL,
        max_similarity REAL,
        neighbours TEXT NOT NULL,
        compared_with INTEGER NOT NULL,
        found_at INTEGER NOT NULL,
        UNIQUE (trace_id, digest, model))""",
    "CREATE INDEX entries_by_model ON entries (model)",
    "CREATE INDEX entries_by_trace ON entries (trace_id, model)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {VERSION}",
)

# the sqlite3 module fails to decode messages that quote a damaged file
Failure = sqlite3.DatabaseError | OSError | UnicodeDecodeError
BEGIN: Final = "BEGIN IMMEDIATE"
"""Executed before ``with connection``: the block is one transaction without other writers."""
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


@dataclass(frozen=True, slots=True)
class MemoryNotice:
    """A fault of the memory's file, how the memory goes on, and where a damaged file was moved."""

    fault: Fault
    path: Path | None
    remedy: Remedy
    aside: Path | None = None


class FaultError(sqlite3.DatabaseError):
    """A fault that SQLite itself does not detect."""

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(detail)
        self.fault = fault


_DAMAGED: Final = (
    *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT),
    *(sqlite3.SQLITE_SCHEMA, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH),
    sqlite3.SQLITE_ERROR,  # a missing table, or a format that this SQLite does not know
    sqlite3.SQLITE_CONSTRAINT,  # an index that differs from its table
)
_NO_WRITING: Final = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN)
_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
_SQLITE_FAULTS: Final = {
    **dict.fromkeys(_DAMAGED, Fault.DAMAGED),
    **dict.fromkeys(_NO_WRITING, Fault.READ_ONLY),
    **dict.fromkeys(_BUSY, Fault.LOCKED),
    sqlite3.SQLITE_FULL: Fault.FULL,
}
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)
_SYSTEM_FAULTS: Final = {
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), Fault.READ_ONLY),
    **dict.fromkeys(_FULL, Fault.FULL),
}


def fault_of(error: Failure) -> Fault:
    """The fault behind a failure of the file."""
    match error:
        case FaultError():
            return error.fault
        case OSError():
            return _SYSTEM_FAULTS.get(error.errno or 0, Fault.UNREADABLE)
        case UnicodeDecodeError():
            return Fault.DAMAGED
    code = getattr(error, "sqlite_errorcode", None)  # none for text that is not UTF-8
    return Fault.DAMAGED if code is None else _SQLITE_FAULTS.get(code & 0xFF, Fault.UNREADABLE)


def shrink(connection: sqlite3.Connection) -> None:
    """Return the space of deleted rows to the disk, unless another process is using the file."""
    connection.execute("PRAGMA busy_timeout = 0")  # not worth waiting for
    with suppress(sqlite3.OperationalError):
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")


def identity(path: Path) -> tuple[int, int] | None:
    """A value that tells a file from another one at the same path; None without a file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def size_on_disk(path: Path) -> int:
    """The size of a memory's file and its log in bytes; 0 without a file."""
    parts = (path, *(_beside(path, end) for end in BESIDE_DATABASE))
    return sum(part.stat().st_size for part in parts if part.exists())


def ensure_exists(path: Path) -> None:
    """Create the file, empty and readable by its owner alone, and its folder, unless they exist."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (FileNotFoundError, FileExistsError, NotADirectoryError) as error:
        raise FaultError(Fault.NO_FOLDER, str(error)) from error
    # opening and closing one that exists would drop the POSIX locks of an open connection
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def open_file(path: Path) -> sqlite3.Connection:
    """Connect to an existing file for writing; an empty one becomes a memory."""
    _refuse_special(path)
    with _connected(str(path)) as connection:
        connection.execute("PRAGMA synchronous = NORMAL")
        # deleted rows are overwritten, not merely unlinked
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(BEGIN)
        with connection:
            _refuse_scrap(path)
            _ensure_schema(connection)
        # a file system without shared memory keeps the rollback journal, which works too
        connection.execute("PRAGMA journal_mode = WAL")
        return connection


def open_private() -> sqlite3.Connection:
    """An empty memory, gone when the connection is closed."""
    with _connected(":memory:") as connection:
        _ensure_schema(connection)
        return connection


def copy_of_file(path: Path) -> sqlite3.Connection | None:
    """A private copy of a memory's file; nothing is written to the file or beside it.

    Returns None where there is no file. A file with a log is read under SQLite's locks; a file
    without a log is read without locks, and counts as locked if it changes meanwhile.
    """
    _refuse_special(path)
    if not path.exists():
        return None
    before = _state(path)
    _refuse_scrap(path)
    way = "immutable=1" if before else "mode=ro"
    if _beside(path, "-shm").exists():
        way += "&readonly_shm=1"
    try:
        with _connected(":memory:") as target:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True)) as source:
                source.backup(target, progress=_do_not_wait)
            _ensure_schema(target)
            _refuse_change(path, before)
            return target
    except sqlite3.DatabaseError:
        _refuse_change(path, before)
        raise


def _refuse_special(path: Path) -> None:
    for end in ("", *_COMPANIONS):
        with suppress(FileNotFoundError):
            try:
                mode = _beside(path, end).stat().st_mode
            except NotADirectoryError as error:
                raise FaultError(Fault.NO_FOLDER, str(error)) from error
            if not stat.S_ISREG(mode):
                fault = Fault.NO_FILE_BESIDE if end else Fault.NO_FILE
                raise FaultError(fault, f"a folder, a pipe or a device {end}")


def is_disk_full(path: Path) -> bool:
    """Whether the file's disk is full: SQLite does not always report why it cannot write."""
    try:
        with tempfile.TemporaryFile(dir=path.parent) as file:
            file.write(b"\1" * _PROBE_BYTES)
    except OSError as error:
        return error.errno in _FULL
    return False


def set_aside(path: Path, now: int) -> Path:
    """Rename a damaged file and its log after ``now`` in ms, never over an earlier one."""
    stamp = f"{datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=now):%Y%m%dT%H%M%SZ}"
    number = 1
    while True:
        aside = _beside(path, f".damaged-{stamp}" + (f"-{number}" if number > 1 else ""))
        with suppress(FileExistsError):
            aside.touch(mode=0o600, exist_ok=False)
            break
        number += 1
    try:
        # the log first: once the name is free, another process may create a memory with its own log
        for end in _COMPANIONS:
            if _beside(path, end).exists():
                _beside(path, end).replace(_beside(aside, end))
        path.replace(aside)
    except OSError:
        aside.unlink()
        raise
    return aside


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


@contextmanager
def _connected(name: str) -> Iterator[sqlite3.Connection]:
    """A connection that stays open, unless setting it up in the block fails."""
    connection = sqlite3.connect(name, timeout=_PATIENCE_MS / 1000, isolation_level=None)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        yield connection
    except BaseException:
        connection.close()
        raise


def _refuse_scrap(path: Path) -> None:
    """Refuse a file shorter than a page, which SQLite takes for an empty database."""
    size = path.stat().st_size
    if 0 < size < _SMALLEST_PAGE:
        raise FaultError(Fault.DAMAGED, f"{size} bytes")


def _ensure_schema(connection: sqlite3.Connection) -> None:
    """Make an empty database a memory; check that any other database is one.

    Files of earlier versions have a further column, ``seal``, which may be null.
    """
    what = ("SELECT count(*) FROM sqlite_master", "PRAGMA application_id", "PRAGMA user_version")
    tables, application, version = (connection.execute(one).fetchone()[0] for one in what)
    if (application, version, tables) == (0, 0, 0):
        for statement in _SCHEMA:
            connection.execute(statement)
    elif application != APPLICATION_ID:
        raise FaultError(Fault.FOREIGN, f"application id {application}")
    elif version != VERSION:
        fault = Fault.NEWER if version > VERSION else Fault.DAMAGED
        raise FaultError(fault, f"version {version}")


def _do_not_wait(status: int, _remaining: int, _total: int) -> None:
    """Stop a backup whose source is locked; it would retry for ever."""
    if status in _BUSY:
        raise FaultError(Fault.LOCKED, "locked while it was copied")


def _state(path: Path) -> tuple[int, ...]:
    """A value that differs whenever the file may have changed; () for a file with a log."""
    with suppress(FileNotFoundError):
        if _beside(path, "-wal").stat().st_size:
            return ()
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _refuse_change(path: Path, before: tuple[int, ...]) -> None:
    if _state(path) != before:
        raise FaultError(Fault.LOCKED, "it changed while it was copied")
