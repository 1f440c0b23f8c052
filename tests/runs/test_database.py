"""Sessions in SQLite databases: read whole, and nothing is written where they lie."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kpinspector.runs.provenance import read_source, run_place
from kpinspector.runs.read import RunRecord, RunWithoutStep, read_file
from kpinspector.trace.find import FoundFile, list_files
from kpinspector.trace.records import FileContents

TABLE = (
    "CREATE TABLE agent_messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,"
    " message_data TEXT NOT NULL, created_at TIMESTAMP DEFAULT '2026-11-24 10:00:00')"
)
ASKED = {"role": "user", "content": "Dig."}
CALLED = {"type": "function_call", "call_id": "a", "name": "dig", "arguments": '{"at": "é"}'}
GIVEN = {"type": "function_call_output", "call_id": "a", "output": "sand"}


def insert(database: sqlite3.Connection, *items, session: str = "s1") -> None:
    rows = ((session, one if isinstance(one, str) else json.dumps(one)) for one in items)
    with database:
        database.executemany(
            "INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)", rows
        )


def open_writer(path: Path) -> sqlite3.Connection:
    """A writer that keeps its rows in the write-ahead log."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA wal_autocheckpoint = 0")
    database.execute(TABLE)
    return database


def made(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as database, database:
        for one in statements:
            database.execute(one)
    return path


def read(path: Path) -> FileContents:
    return read_file(FoundFile(path, str(path), named=True))


def steps_of(contents: FileContents) -> list[list[str]]:
    return [[str(step.kind) for step in one.trace.steps] for one in contents.traces]


def states(folder: Path) -> list[tuple[str, int, int]]:
    found = ((path.name, path.stat()) for path in sorted(folder.iterdir()))
    return [(name, status.st_size, status.st_mtime_ns) for name, status in found]


@pytest.mark.parametrize("named", [True, False])
def test_a_database_with_an_open_writer_is_read_whole_and_left_as_it_is(tmp_path, named):
    path = tmp_path / "sessions.db"
    with closing(open_writer(path)) as database:
        insert(database, ASKED, CALLED)
        insert(database, {"role": "user", "content": "Rake."}, session="s2")
        insert(database, GIVEN)
        before = states(tmp_path)
        assert [name for name, *_ in before] == [
            f"sessions.db{end}" for end in ("", "-shm", "-wal")
        ]
        (found, *_) = list_files([str(path if named else tmp_path)])
        assert isinstance(found, FoundFile)
        contents = read_file(found)
        assert steps_of(contents) == [["tool_call", "observation"]]
        (record,) = contents.traces
        assert isinstance(record, RunRecord)
        assert (record.imported.run.session, record.source.format) == ("s1", "openai-agents")
        assert record.imported.mapped.created_at == "2026-11-24T10:00:00.000Z"
        (skipped,) = contents.skipped
        assert isinstance(skipped, RunWithoutStep) and skipped.objective == "Rake."
        place = run_place(record, 0)
        assert place is not None
        assert json.loads("\n".join(read_source(place).lines)) == CALLED
        assert states(tmp_path) == before


def test_what_a_writer_left_behind_is_read_and_left_as_it_is(tmp_path):
    folder = tmp_path / "left"
    folder.mkdir()
    with closing(open_writer(tmp_path / "sessions.db")) as database:
        insert(database, ASKED, CALLED, GIVEN)
        for name in ("sessions.db", "sessions.db-wal"):
            shutil.copy(tmp_path / name, folder / name)
    before = states(folder)
    assert steps_of(read(folder / "sessions.db")) == [["tool_call", "observation"]]
    assert states(folder) == before


@pytest.mark.parametrize(("changes", "is_read"), [(2, True), (99, False)])
def test_a_database_that_changes_while_it_is_copied_is_copied_again(
    tmp_path, monkeypatch, changes, is_read
):
    path, copies, write = tmp_path / "sessions.db", [], Path.write_bytes
    with closing(open_writer(path)) as database:
        insert(database, ASKED, CALLED)

        def written(target: Path, data: bytes) -> int:
            if target.name.endswith("-wal"):
                copies.append(target)
                if len(copies) <= changes:
                    insert(database, GIVEN)
            return write(target, data)

        monkeypatch.setattr(Path, "write_bytes", written)
        contents = read(path)
    assert len(copies) == 3
    if is_read:
        assert steps_of(contents) == [["tool_call", "observation", "observation"]]
        return
    (problem,) = contents.problems
    assert (problem.path, contents.traces) == (str(path), ())
    assert "changed each time it was copied" in problem.message


def test_a_row_that_is_no_item_is_counted_and_the_others_are_read(tmp_path):
    path = tmp_path / "sessions.db"
    with closing(open_writer(path)) as database:
        insert(database, ASKED, "{no JSON", json.dumps(CALLED, indent=2), "1}\n{", GIVEN)
    contents = read(path)
    assert steps_of(contents) == [["tool_call", "observation"]]
    (record,) = contents.traces
    assert isinstance(record, RunRecord)
    assert record.imported.recording.dropped == {"of no role": 2}


CHECKPOINTS = ("CREATE TABLE checkpoints (a)", "CREATE TABLE writes (a)")
ENDLESS = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT * FROM n"


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        (CHECKPOINTS, "save a thread's state as JSON"),
        (["CREATE TABLE other (a)"], "it looks like an SQLite database"),
        ([f"CREATE VIEW agent_messages AS {ENDLESS}"], "it looks like an SQLite database"),
        (["CREATE TABLE agent_messages (a)"], "damaged SQLite database: found an error"),
    ],
)
def test_what_is_no_database_of_sessions_is_one_problem(tmp_path, statements, said):
    (problem,) = (contents := read(made(tmp_path / "x.db", *statements))).problems
    assert said in problem.message
    assert not (contents.traces or contents.skipped)


def test_a_database_of_others_is_not_copied(tmp_path, monkeypatch):
    path = made(tmp_path / "x.db", "CREATE TABLE other (a)")
    copied: list[Path] = []
    monkeypatch.setattr(Path, "write_bytes", lambda target, data: copied.append(target))
    assert "it looks like an SQLite database" in read(path).problems[0].message
    assert copied == []


@pytest.mark.parametrize("part", [slice(4096 * 3, 4096 * 5), slice(100, 200)])
def test_a_damaged_database_is_one_problem(tmp_path, part):
    path = tmp_path / "sessions.db"
    with closing(open_writer(path)) as database:
        insert(database, *(ASKED for _ in range(400)))
    data = bytearray(path.read_bytes())
    data[part] = b"\xff" * len(data[part])
    path.write_bytes(data)
    (problem,) = (contents := read(path)).problems
    assert problem.message.startswith("damaged SQLite database: found an error in its data")
    assert not contents.traces
