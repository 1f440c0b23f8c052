"""Reads SQLite databases in which frameworks keep sessions, as lines of JSON.

Only a copy of a database is opened, as SQLite would write files beside the original.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, Final

from kpinspector.phrase import Phrase
from kpinspector.trace.bytes import MAX_BYTES, RefusedError, encoded, parse, too_large
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import load

MAGIC: Final = b"SQLite format 3\0"

_NAMES: Final = (b"agent_messages", b"checkpoints")  # tables' names, looked for in the bytes
_LOGS: Final = ("", "-wal", "-journal")  # suffixes of the database and its logs
_TRIES: Final = 3
_TABLES: Final = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
_ROWS: Final = (
    "SELECT CAST(session_id AS TEXT), CAST(created_at AS TEXT), CAST(message_data AS TEXT)"
    " FROM agent_messages ORDER BY id"
)
# the sqlite3 module fails to decode messages that quote a damaged file
_FAILURES: Final = (sqlite3.Error, UnicodeDecodeError)
_CHECKPOINTS: Final = {"checkpoints", "writes"}


def loaded(found: FoundFile, wanted: Callable[[bytes, BinaryIO], bool] | None = None) -> bytes:
    """The bytes of a file, as ``load`` gives them; of a database with sessions, their rows.

    Raises:
        OSError: the file cannot be opened or read.
        RefusedError: the file is too large, or no file, or a database that cannot be read.
    """
    data = load(found, wanted)
    if not data.startswith(MAGIC):
        return data
    if not (any(name in data for name in _NAMES) or Path(f"{found.path}-wal").exists()):
        return data
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / "copy"
        _copy(found.path, copy)
        with closing(sqlite3.connect(copy)) as database:
            return _lines(database) or data


def _copy(path: Path, copy: Path) -> None:
    """Copy a database and its logs, all in the state of one moment."""
    for _ in range(_TRIES):
        before = _states(path)
        for end in _LOGS:
            target = Path(f"{copy}{end}")
            target.unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                target.write_bytes(load(FoundFile(Path(f"{path}{end}"), "", named=True)))
        if before == _states(path):
            return
    raise RefusedError(
        Phrase("a database that changed each time it was copied: try again later"),
        Phrase("a database at rest"),
        Phrase("one that is being written"),
    )


def _states(path: Path) -> list[tuple[int, int]]:
    """Size and time of change of a database and of each of its logs that exists."""
    found = []
    for end in _LOGS:
        with suppress(FileNotFoundError):
            status = Path(f"{path}{end}").stat()
            found.append((status.st_size, status.st_mtime_ns))
    return found


def _lines(database: sqlite3.Connection) -> bytes:
    """The rows of the sessions in a database; b"" for one that has none."""
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    try:
        tables = {name for (name,) in database.execute(_TABLES)}
        if tables >= _CHECKPOINTS:
            raise RefusedError(
                Phrase(
                    "LangGraph's checkpoints are not read: "
                    "save a thread's state as JSON instead, as GET /threads/ID/state gives it"
                ),
                Phrase("messages in JSON"),
                Phrase("a database of checkpoints"),
            )
        return b"".join(_rows(database)) if "agent_messages" in tables else b""
    except _FAILURES as error:
        found = Phrase("an error in its data ({error})", error=str(error))
        message = Phrase("damaged SQLite database: found {found}", found=found)
        raise RefusedError(message, Phrase("an intact SQLite database"), found) from error


def _rows(database: sqlite3.Connection) -> Iterator[bytes]:
    """Each row as a line of JSON, with the session's item exactly as stored."""
    size = 0
    for session, created_at, item in database.execute(_ROWS):
        text = "null" if item is None else item.replace("\r", " ").replace("\n", " ")
        text = text if parse(text.encode()) else encoded(item)
        named = f'"session_id": {encoded(session)}, "created_at": {encoded(created_at)}'
        line = f'{{{named}, "message_data": {text}}}\n'
        size += len(line)
        if size > MAX_BYTES:
            raise too_large()
        yield line.encode()
