"""What-ifs that outlast the program: those that were saved, and what was being tried.

They are kept in an SQLite file beside the memory. A trace is found by its content, or else by its
place, so that one that was edited still has its what-ifs.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pydantic import TypeAdapter, ValidationError

from kpinspector.errors import KpError
from kpinspector.files import SCENARIO_FILE
from kpinspector.phrase import Phrase
from kpinspector.scoring.findings import for_display, shown_key
from kpinspector.scoring.memory.file import Mode, ensure_exists, refuse_special, transaction
from kpinspector.scoring.whatif.scenario import Draft

FILE_NAME = SCENARIO_FILE
VERSION = 1
MOST_TRACES = 1000
MOST_CHARACTERS = 64_000_000

_WAIT_S = 1.0
_TABLE = """
    CREATE TABLE kept (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        trace_id TEXT NOT NULL,
        key TEXT NOT NULL,
        content TEXT NOT NULL,
        path TEXT NOT NULL,
        record INTEGER NOT NULL,
        what_ifs TEXT NOT NULL)
"""
_FIND = """
    SELECT what_ifs FROM kept WHERE trace_id = :trace_id
    AND (content = :content OR (path = :path AND record = :record AND path <> ''))
    ORDER BY content = :content DESC, sequence DESC LIMIT 1
"""
_DELETE = """
    DELETE FROM kept WHERE trace_id = :trace_id
    AND (content = :content OR (path = :path AND record = :record AND path <> ''))
"""
_INSERT = """
    INSERT INTO kept (trace_id, key, content, path, record, what_ifs)
    VALUES (:trace_id, :key, :content, :path, :record, :what_ifs)
"""
# the newest one is kept, however long it is
_BOUND = """
    DELETE FROM kept WHERE sequence IN (
        SELECT sequence FROM (
            SELECT sequence, row_number() OVER newest AS place,
            sum(length(what_ifs)) OVER newest AS characters
            FROM kept WINDOW newest AS (ORDER BY sequence DESC)
        ) WHERE place > 1 AND (place > ? OR characters > ?)
    )
"""
_FORGET = "DELETE FROM kept WHERE key = ? OR trace_id = ?"


@dataclass(frozen=True, slots=True)
class Whose:
    """The trace whose what-ifs are kept.

    Attributes:
        trace_id: Its id; None without a usable one.
        content: A digest of the whole trace.
        path: The path of its file.
        record: Its number in the file; 0 for a file that is one trace.
        key: The name under which it is remembered; "" while that is not known.
    """

    trace_id: str | None
    content: str
    path: str
    record: int
    key: str = ""


@dataclass(frozen=True, slots=True)
class WhatIfs:
    """The what-ifs kept for one trace.

    Attributes:
        draft: The one that was being tried and was not saved.
        saved: Names and scenarios, oldest first.
    """

    draft: Draft | None = None
    saved: tuple[tuple[str, Draft], ...] = ()


NOTHING_KEPT = WhatIfs()
_ADAPTER = TypeAdapter(WhatIfs)


class ScenarioFile:
    """Keeps what-ifs; belongs to one thread. What is forgotten is overwritten in the file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def open(cls, mode: Mode, folder: Path) -> Self:
        """The per-user file, for a guest a private copy of it, for *fresh* nothing at all.

        Raises:
            KpError: the file cannot be used.
        """
        path = folder / FILE_NAME
        with _said(path):
            if mode is Mode.REMEMBER:
                refuse_special(path)
                ensure_exists(path)
                return cls(_connect(path))
            if mode is Mode.GUEST and path.exists():
                refuse_special(path)
                return cls(_copy_of(path))
            return cls(_connect(None))

    @staticmethod
    def exists(folder: Path) -> bool:
        """Something may be kept in this folder."""
        return (folder / FILE_NAME).exists()

    @classmethod
    def private(cls) -> Self:
        """A file in memory only, which is gone once it is closed."""
        return cls(_connect(None))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def find(self, whose: Whose) -> WhatIfs:
        """The what-ifs kept for a trace; none where the row is malformed.

        Raises:
            KpError: the file cannot be read.
        """
        with _said():
            row = self._connection.execute(_FIND, _parameters(whose)).fetchone()
        if row is None:
            return NOTHING_KEPT
        try:
            return _ADAPTER.validate_python(json.loads(row[0]))
        except (ValueError, ValidationError, RecursionError):
            return NOTHING_KEPT

    @property
    def is_empty(self) -> bool:
        """Whether nothing is kept for any trace.

        Raises:
            KpError: the file cannot be read.
        """
        with _said():
            return self._connection.execute("SELECT 1 FROM kept LIMIT 1").fetchone() is None

    def keep(self, whose: Whose, what_ifs: WhatIfs) -> None:
        """Replace what is kept for a trace; the oldest ones of other traces make room.

        Raises:
            KpError: the file cannot be written.
        """
        written = json.dumps(_ADAPTER.dump_python(what_ifs, mode="json"))
        parameters = _parameters(whose) | {"what_ifs": written}
        with _said(), transaction(self._connection):
            self._connection.execute(_DELETE, parameters)
            if what_ifs != NOTHING_KEPT:
                self._connection.execute(_INSERT, parameters)
                self._connection.execute(_BOUND, (MOST_TRACES, MOST_CHARACTERS))

    def forget(self, name: str) -> bool:
        """Forget the what-ifs of traces with this id or key; returns whether there were any.

        Raises:
            KpError: the file cannot be written.
        """
        with _said(), transaction(self._connection):
            names = shown_key(name), for_display(name)
            return self._connection.execute(_FORGET, names).rowcount > 0

    def clear(self) -> None:
        """Forget everything.

        Raises:
            KpError: the file cannot be written.
        """
        with _said():
            with transaction(self._connection):
                self._connection.execute("DELETE FROM kept")
            with suppress(sqlite3.OperationalError):  # another window uses it just now
                self._connection.execute("VACUUM")


def _connect(path: Path | None) -> sqlite3.Connection:
    name = ":memory:" if path is None else str(path)
    connection = sqlite3.connect(name, timeout=_WAIT_S, isolation_level=None)
    try:
        connection.execute("PRAGMA secure_delete = ON")
        _make_table(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _copy_of(path: Path) -> sqlite3.Connection:
    """A private copy of a file, which is left as it is."""
    private = _connect(None)
    try:
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as source:
            source.backup(private)
        _make_table(private)
    except BaseException:
        private.close()
        raise
    return private


def _make_table(connection: sqlite3.Connection) -> None:
    with transaction(connection):
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            connection.execute(_TABLE)
            connection.execute(f"PRAGMA user_version = {VERSION}")
        elif version != VERSION:
            raise sqlite3.DatabaseError("written by a newer kpinspector")


def _parameters(whose: Whose) -> dict[str, str | int]:
    """The parameters of a query; only a trace from a file has a place to be found by."""
    path = for_display(whose.path)
    return {
        "trace_id": for_display(whose.trace_id or ""),
        "key": shown_key(whose.key),
        "content": whose.content,
        "path": path if Path(path).is_absolute() else "",
        "record": whose.record,
    }


@contextmanager
def _said(path: Path | None = None) -> Iterator[None]:
    """Turn failures of the file into a ``KpError``."""
    try:
        yield
    except (sqlite3.DatabaseError, OSError, UnicodeDecodeError) as error:
        message = Phrase(
            "What-ifs are not kept for the next start: {path} could not be used.",
            path=Phrase("their file") if path is None else path,
        )
        raise KpError(message, str(error)) from error
