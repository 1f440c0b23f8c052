"""The memory's SQLite file: opening, creating, setting aside, private copies.

Write-ahead log with ``synchronous=NORMAL``: a killed process loses nothing that was committed; a
power loss may lose the last commits but damages nothing.
"""

import errno
import os
import sqlite3
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from kpinspector.scoring.memory.faults import Fault, FaultError, fault_of

APPLICATION_ID: Final = 0x4B506D65  # "KPme"
VERSION: Final = 1
BUSY_TIMEOUT_MS = 30_000

# how long SQLite waits for a lock before callers may report it or give up
_PATIENCE_MS: Final = 250

# a large private memory spills into a temporary file; in memory where no disk is usable
ON_DISK: Final = ""
IN_MEMORY: Final = ":memory:"

_COPY_ATTEMPTS: Final = 5
_SMALLEST_PAGE: Final = 512
_COMPANIONS: Final = ("-wal", "-shm", "-journal")
_ROOM: Final = 2**16

# trace_id is '' where a trace has no usable id: ids are never empty
_COLUMNS: Final = {
    "entries": """
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        model TEXT NOT NULL,
        trace_id TEXT NOT NULL,
        variant INTEGER NOT NULL,
        digest TEXT NOT NULL,
        objective TEXT NOT NULL,
        source_path TEXT NOT NULL,
        added_at INTEGER NOT NULL,
        vector BLOB NOT NULL,
        seal INTEGER""",
    "findings": """
        trace_id TEXT NOT NULL,
        digest TEXT NOT NULL,
        model TEXT NOT NULL,
        basis TEXT NOT NULL,
        max_similarity REAL,
        neighbours TEXT NOT NULL,
        compared_with INTEGER NOT NULL,
        found_at INTEGER NOT NULL,
        seal INTEGER,
        UNIQUE (trace_id, digest, model)""",
}
_SCHEMA: Final = (
    *(f"CREATE TABLE {table} ({columns})" for table, columns in _COLUMNS.items()),
    "CREATE INDEX entries_by_model ON entries (model)",
    "CREATE INDEX entries_by_trace ON entries (trace_id, model)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {VERSION}",
)
_PROBES: Final = (
    "SELECT sequence, model, trace_id, variant, digest, added_at, vector FROM entries LIMIT 0",
    "SELECT objective, source_path FROM entries LIMIT 0",
    "SELECT trace_id, digest, model, basis, max_similarity, neighbours FROM findings LIMIT 0",
    "SELECT compared_with, found_at FROM findings LIMIT 0",
)

Identity = tuple[int, int]


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit everything in the block or nothing; there is one writer at a time."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def shrink(connection: sqlite3.Connection) -> None:
    """Return the space of deleted rows to the disk, unless another process is using the file."""
    connection.execute("PRAGMA busy_timeout = 0")  # not worth waiting for
    with suppress(sqlite3.OperationalError):
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.execute(f"PRAGMA busy_timeout = {_patience_ms()}")


def identity(path: Path) -> Identity | None:
    """A value that tells a file from another one at the same path; None without a file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def ensure_exists(path: Path) -> None:
    """Create the file, empty and readable by its owner alone, and its folder, unless they exist.

    Raises:
        FaultError: the folder does not exist and cannot be created.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (FileNotFoundError, FileExistsError, NotADirectoryError) as error:
        raise FaultError(Fault.NO_FOLDER, str(error)) from error
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        # opening and closing it would drop the POSIX locks of an open connection
        return
    os.close(descriptor)


def open_file(path: Path) -> sqlite3.Connection:
    """Connect to an existing file for writing; an empty one becomes a memory.

    Raises:
        sqlite3.DatabaseError: what ``fault_of`` names.
    """
    refuse_special(path)
    connection = _connect(str(path))
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        # deleted rows are overwritten, not merely unlinked
        connection.execute("PRAGMA secure_delete = ON")
        with transaction(connection):
            _refuse_scrap(path)
            _ensure_schema(connection)
        _use_write_ahead_log(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def open_private(where: str) -> sqlite3.Connection:
    """An empty memory, ``ON_DISK`` or ``IN_MEMORY``; it is gone when the connection is closed."""
    connection = _connect_private(where)
    try:
        _ensure_schema(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def open_to_look(path: Path) -> sqlite3.Connection:
    """Connect to a memory's file for reading, alongside the connection that writes.

    Raises:
        sqlite3.DatabaseError: what ``fault_of`` names.
    """
    refuse_special(path)
    return _connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def private_copy(source: sqlite3.Connection, where: str) -> sqlite3.Connection:
    """Copy a memory to ``ON_DISK`` or ``IN_MEMORY``; it is gone when the connection is closed.

    Raises:
        sqlite3.DatabaseError: what ``fault_of`` names.
    """
    target = _connect_private(where)
    try:
        source.backup(target, progress=_do_not_wait)
        _ensure_schema(target)
    except BaseException:
        target.close()
        raise
    return target


def copy_of_file(path: Path, where: str) -> sqlite3.Connection:
    """A private copy of a memory's file; nothing is written to the file or beside it.

    Raises:
        sqlite3.DatabaseError: what ``fault_of`` names.
        OSError: the file cannot be read.
    """
    refuse_special(path)
    for _ in range(_COPY_ATTEMPTS):
        before = _state(path)
        _refuse_scrap(path)
        try:
            copy = _copy_once(path, where)
        except sqlite3.DatabaseError:
            if _state(path) == before:
                raise
            continue
        if _state(path) == before:
            return copy
        copy.close()
    raise FaultError(Fault.LOCKED, "the file changes faster than it can be copied")


def is_there(path: Path) -> bool:
    """Whether there is a file to read.

    Raises:
        FaultError: the path of its folder leads to something else.
    """
    try:
        path.stat()
    except FileNotFoundError:
        return False
    except NotADirectoryError as error:
        raise FaultError(Fault.NO_FOLDER, str(error)) from error
    return True


def refuse_special(path: Path) -> None:
    """Refuse a pipe or a device: opening one may wait for ever.

    Raises:
        FaultError: the path, or that of SQLite's log, leads to something other than a file.
    """
    if not _is_file_or_nothing(path):
        raise FaultError(Fault.NO_FILE, "a pipe, a folder or a device")
    for companion in _COMPANIONS:
        if not _is_file_or_nothing(path.with_name(path.name + companion)):
            raise FaultError(Fault.NO_FILE_BESIDE, companion)


def _is_file_or_nothing(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return True


def is_disk_full(path: Path) -> bool:
    """Whether the file's disk is full: SQLite does not always report why it cannot write."""
    try:
        with tempfile.TemporaryFile(dir=path.parent) as file:
            file.write(b"\1" * _ROOM)
    except OSError as error:
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return False


def set_aside(path: Path, now: int) -> Path:
    """Rename a damaged file and its log; files set aside earlier are never overwritten.

    Raises:
        OSError: it cannot be renamed.
    """
    stamp = f"{datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=now):%Y%m%dT%H%M%SZ}"
    aside = _reserve(path, stamp)
    try:
        # the log first: once the name is free, another process may create a memory with its own log
        for companion in _COMPANIONS:
            beside = path.with_name(path.name + companion)
            if beside.exists():
                beside.replace(aside.with_name(aside.name + companion))
        path.replace(aside)
    except OSError:
        aside.unlink()
        raise
    return aside


def _reserve(path: Path, stamp: str) -> Path:
    """Create an empty file under a name that is still free."""
    number = 1
    while True:
        suffix = f"-{number}" if number > 1 else ""
        aside = path.with_name(f"{path.name}.damaged-{stamp}{suffix}")
        try:
            aside.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            number += 1
        else:
            return aside


def _connect(name: str, *, uri: bool = False) -> sqlite3.Connection:
    seconds = _patience_ms() / 1000
    connection = sqlite3.connect(name, timeout=seconds, isolation_level=None, uri=uri)
    _set(connection, "trusted_schema = OFF")
    return connection


def _connect_private(where: str) -> sqlite3.Connection:
    connection = _connect(where)
    # KiB; what does not fit goes to a temporary file
    _set(connection, "synchronous = OFF", "journal_mode = MEMORY", "cache_size = -65536")
    return connection


def _set(connection: sqlite3.Connection, *pragmas: str) -> None:
    """Set up a connection; close it if that fails, since no caller has it yet."""
    try:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise


def _patience_ms() -> int:
    return min(_PATIENCE_MS, BUSY_TIMEOUT_MS)


def _pragma(connection: sqlite3.Connection, name: str) -> object:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _refuse_scrap(path: Path) -> None:
    """Refuse a file shorter than a page, which SQLite takes for an empty database."""
    size = path.stat().st_size
    if 0 < size < _SMALLEST_PAGE:
        raise FaultError(Fault.DAMAGED, f"{size} bytes")


def _ensure_schema(connection: sqlite3.Connection) -> None:
    """Make an empty database a memory; check that any other database is one.

    Raises:
        FaultError: it is no memory, or one of an unknown version.
    """
    application, version = (
        _pragma(connection, "application_id"),
        _pragma(connection, "user_version"),
    )
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if (application, version, tables) == (0, 0, 0):
        for statement in _SCHEMA:
            connection.execute(statement)
        return
    if application != APPLICATION_ID:
        raise FaultError(Fault.FOREIGN, f"application id {application}")
    if not isinstance(version, int) or version < VERSION:
        raise FaultError(Fault.DAMAGED, f"version {version}")
    if version > VERSION:
        raise FaultError(Fault.NEWER, f"version {version}")
    for probe in _PROBES:
        connection.execute(probe)
    _ensure_seals(connection)


def _ensure_seals(connection: sqlite3.Connection) -> None:
    """Add the column of seals, which earlier versions lack and ignore."""
    for table in _COLUMNS:
        columns = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
        if ("seal",) not in columns.fetchall():
            connection.execute(f"ALTER TABLE {table} ADD COLUMN seal INTEGER")


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch the journal mode if need be; SQLite does not wait for other processes here."""
    deadline = time.monotonic() + _patience_ms() / 1000
    while _pragma(connection, "journal_mode") != "wal":
        try:
            # a file system without shared memory keeps the rollback journal, which works too
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if fault_of(error) is not Fault.LOCKED or time.monotonic() > deadline:
                raise
            time.sleep(0.005)
        else:
            return


def _do_not_wait(status: int, _remaining: int, _total: int) -> None:
    """Stop a backup whose source is locked; it would retry for ever."""
    if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        raise FaultError(Fault.LOCKED, "locked while it was copied")


def _log_has_content(path: Path) -> bool:
    try:
        return path.with_name(path.name + "-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


def _state(path: Path) -> tuple[object, ...]:
    """A value that differs whenever the file may have changed; SQLite's locks guard a log."""
    if _log_has_content(path):
        return ("log",)
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _copy_once(path: Path, where: str) -> sqlite3.Connection:
    """Copy a file, without writing anything beside it if that is possible.

    A file without a log is read as it is. With a log, its existing index is used, or a new one is
    made; where that is impossible, the file is read without its log.
    """
    ways = ["immutable=1"]
    if _log_has_content(path):
        ways = ["mode=ro&readonly_shm=1", "mode=ro", "immutable=1"]
    for way in ways[:-1]:
        try:
            return _copied(path, way, where)
        except sqlite3.DatabaseError as error:
            if fault_of(error) is not Fault.READ_ONLY:
                raise
    return _copied(path, ways[-1], where)


def _copied(path: Path, way: str, where: str) -> sqlite3.Connection:
    with closing(_connect(f"{path.absolute().as_uri()}?{way}", uri=True)) as source:
        return private_copy(source, where)
