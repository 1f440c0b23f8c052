"""Every connection to a memory is closed, whatever happened to its file."""

import os
import sqlite3

import pytest

from kpinspector.scoring.memory import file as memory_file
from kpinspector.scoring.memory.memory import Memory
from tests.scoring.memory_samples import remember, scribble, sql

HARM = {
    "nothing": lambda path: None,
    "no database": lambda path: path.write_bytes(b"not a database " * 500),
    "one byte": lambda path: path.write_bytes(b"x"),
    "half of it": lambda path: os.truncate(path, path.stat().st_size // 2),
    "bad schema": lambda path: scribble(path, 100, b"\xff" * 3000),
    "no findings": lambda path: sql(path, "DROP TABLE findings"),
    "newer": lambda path: sql(path, "PRAGMA user_version = 2"),
    "foreign": lambda path: sql(path, "PRAGMA application_id = 77"),
    "a header that forbids writing": lambda path: scribble(path, 18, b"\3"),
    "gone": lambda path: path.unlink(),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize("opened", [Memory.open, Memory.guest])
@pytest.mark.parametrize("harm", HARM.values(), ids=HARM.keys())
def test_every_connection_is_closed(known, connections, harm, opened):
    harm(known)
    with opened(known) as memory:
        remember(memory, "c", "d")
        memory.look_through()
        memory.clear()
    assert connections
    assert not [one for one in connections if one.is_open]


@pytest.mark.parametrize("statement", ["PRAGMA trusted_schema", "CREATE"])
def test_a_connection_that_cannot_be_set_up_is_closed(connections, monkeypatch, statement):
    class Failing:
        """Passes on all but one statement."""

        def __init__(self, connection):
            self._connection = connection

        def __getattr__(self, name):
            return getattr(self._connection, name)

        def execute(self, words, *rest):
            if words.startswith(statement):
                raise sqlite3.OperationalError("no memory")
            return self._connection.execute(words, *rest)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **o: Failing(connect(*a, **o)))
    with pytest.raises(sqlite3.OperationalError):
        memory_file.open_private()
    assert [one.is_open for one in connections] == [False]
