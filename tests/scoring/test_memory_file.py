"""Making the memory's file, and what becomes of it when it is damaged or goes away."""

import errno
import json
import os
import sqlite3
import stat
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.memory import file, rows
from kpinspector.scoring.memory.memory import Memory
from kpinspector.settings import Mode
from kpinspector.trace.clear import masked_in
from kpinspector.words.memory import memory_words
from tests.every_secret import HELD, leaks
from tests.known import present
from tests.scoring.memory_samples import (
    Clock,
    contents,
    killed_after,
    order_of,
    posix_only,
    remember,
    run_python,
    scribble,
    sql,
    subject,
    vector_of,
    works_and_remembers,
)

REMEMBERING, AS_GUEST = partial(Memory, Mode.REMEMBER), partial(Memory, Mode.GUEST)


def aside_of(path):
    return sorted(
        child.name
        for child in path.parent.iterdir()
        if ".damaged-" in child.name and not child.name.endswith(("-wal", "-shm"))
    )


# Creation


@posix_only
def test_file_and_folder_are_for_their_owner_alone(memory_path):
    old = os.umask(0)
    try:
        with Memory(Mode.REMEMBER, memory_path) as memory:
            remember(memory, "a")
            for child in memory_path.parent.iterdir():
                assert stat.S_IMODE(child.stat().st_mode) == 0o600, child
    finally:
        os.umask(old)
    assert stat.S_IMODE(memory_path.parent.stat().st_mode) == 0o700


def test_an_awkward_path(tmp_path):
    path = tmp_path / "50% of?two#three 'é" / "memory.sqlite3"
    with Memory(Mode.REMEMBER, path) as memory:
        remember(memory, "a")
    with Memory(Mode.GUEST, path) as memory:
        assert memory.finding(subject("a")) is not None


# Damage


DAMAGE = {
    "no database": lambda path: path.write_bytes(b"not a database " * 500),
    "one byte": lambda path: path.write_bytes(b"x"),
    "half of it": lambda path: os.truncate(path, path.stat().st_size // 2),
    "bad schema": lambda path: scribble(path, 100, b"\xff" * 3000),
    # SQLite quotes it in its message, which the sqlite3 module then cannot decode
    "bad text in the schema": lambda path: path.write_bytes(
        path.read_bytes().replace(b"CREATE TABLE findings", b"CREATE T\x80BLE findings")
    ),
    "no entries": lambda path: sql(path, "DROP TABLE entries"),
    "no findings": lambda path: sql(path, "DROP TABLE findings"),
    "a column less": lambda path: sql(path, "ALTER TABLE findings RENAME found_at TO found"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_file_is_set_aside(known, damage):
    damage(known)
    damaged = known.read_bytes()
    with Memory(Mode.REMEMBER, known, clock=Clock(0)) as memory:
        remember(memory, "c")
        assert memory.mode is Mode.REMEMBER
        (notice,) = map(memory_words, memory.notices)
        assert (memory.size, memory.findings_count) == (1, 1)
    aside = known.with_name(f"{known.name}.damaged-19700101T000000Z")
    assert f"{known} is damaged" in notice
    assert str(aside) in notice
    assert aside.read_bytes() == damaged
    works_and_remembers(known, size=2)


CELLS = {
    "a short vector": "UPDATE entries SET vector = x'00' WHERE sequence = 1",
    "not a number": "UPDATE entries SET vector = "
    f"x'{np.full(384, np.nan, '<f4').tobytes().hex()}' WHERE sequence = 1",
    "a time of text": "UPDATE entries SET added_at = 'now' WHERE sequence = 1",
    "a path of bytes": "UPDATE entries SET source_path = x'ff'",
    "text that is not UTF-8": "UPDATE entries SET objective = CAST(x'ff' AS TEXT)",
    "no JSON": "UPDATE findings SET neighbours = '[[' WHERE trace_id = 'b'",
    "deep JSON": f"UPDATE findings SET neighbours = '{'[' * 100_000}' WHERE trace_id = 'b'",
    "JSON of another shape": "UPDATE findings SET neighbours = '[1]' WHERE trace_id = 'b'",
    "JSON with NaN": 'UPDATE findings SET neighbours = \'[["a","a","","",NaN]]\''
    " WHERE trace_id = 'b'",
    "a similarity above 1": "UPDATE findings SET max_similarity = 1.5 WHERE trace_id = 'b'",
    "a neighbour above 1": "UPDATE findings SET max_similarity = 1.5,"
    ' neighbours = \'[["a","a","","",1.5]]\' WHERE trace_id = \'b\'',
    "a count too small": "UPDATE findings SET compared_with = 0 WHERE trace_id = 'b'",
}


@pytest.mark.parametrize("statement", CELLS.values(), ids=CELLS.keys())
def test_a_damaged_cell_is_damage(known, statement):
    sql(known, statement)
    with Memory(Mode.REMEMBER, known) as memory:
        assert memory.finding(subject("b")) is None or "UPDATE entries" in statement
        remember(memory, "c")
        assert len(memory.notices) == 1
        assert len(aside_of(known)) == 1
        assert memory.size == 1
    works_and_remembers(known, size=2)


UNMET = (
    "PRAGMA writable_schema = ON",
    "UPDATE sqlite_master SET sql = sql || ' WHERE 0' WHERE name = 'entries_by_trace'",
    "PRAGMA writable_schema = RESET", "REINDEX entries_by_trace", "PRAGMA writable_schema = ON",
    "UPDATE sqlite_master SET sql = replace(sql, ' WHERE 0', '') WHERE sql LIKE '% WHERE 0'",
    "PRAGMA writable_schema = RESET",
)  # fmt: skip


@pytest.mark.parametrize("opened", [REMEMBERING, AS_GUEST])
def test_what_no_query_meets_is_found_by_the_look_through_all(known, opened):
    """An index lists less than there is."""
    sql(known, *UNMET)
    with opened(known) as memory:
        assert memory.size == 2 and memory.notices == ()
        memory.look_through()
        (notice,) = map(memory_words, memory.notices)
        assert "is damaged" in notice and memory.lost
        assert memory.size == 0 and (memory.mode is Mode.REMEMBER) is (opened is REMEMBERING)
        memory.look_through()
        assert len(memory.notices) == 1
    assert len(aside_of(known)) == (opened is REMEMBERING)


class StoppedError(Exception):
    """By the watch."""


class Impatient:
    """Stops the look at once."""

    def __init__(self):
        self.stops = []

    def check(self):
        raise StoppedError

    def stop_by(self, stop):
        self.stops.append(stop)


def test_a_look_can_be_stopped(known):
    watch = Impatient()
    with Memory(Mode.REMEMBER, known) as memory:
        with pytest.raises(StoppedError):
            memory.look_through(watch)
        assert len(watch.stops) == 2 and watch.stops[-1] is None
        assert memory.notices == ()


@pytest.mark.parametrize("opened", [REMEMBERING, AS_GUEST])
def test_a_memory_of_an_earlier_version_is_used_as_it_is(known, opened):
    """Its tables have a further column."""
    sql(
        known,
        *(f"ALTER TABLE {table} ADD COLUMN seal INTEGER" for table in ("entries", "findings")),
        "UPDATE entries SET seal = 7",
        "UPDATE findings SET seal = 7",
    )
    with opened(known) as memory:
        assert memory.finding(subject("b")).compared_with == 1
        assert remember(memory, "c")[0].compared_with == 2
        assert memory.forget("a")
        memory.look_through()
        assert memory.notices == () and order_of(memory) == ["b", "c"]


def test_damage_beside_an_unfinished_log(known):
    """Nothing of the old log comes into the new file."""
    with Memory(Mode.REMEMBER, known) as memory:
        remember(memory, *(f"more {number}" for number in range(40)))
    killed_after(known, "c")
    scribble(known, 0, b"\xff" * known.stat().st_size)
    with Memory(Mode.REMEMBER, known) as memory:
        assert remember(memory, "d", "e")[1].compared_with == 1
        assert len(memory.notices) == 1
    assert len(aside_of(known)) == 1
    works_and_remembers(known, size=3)


def test_what_another_process_set_aside_is_not_set_aside_again(known):
    with Memory(Mode.REMEMBER, known) as one:
        remember(one, "c")
        sql(known, "PRAGMA wal_checkpoint(TRUNCATE)")
        scribble(known, 0, b"\xff" * known.stat().st_size)
        with Memory(Mode.REMEMBER, known) as two:
            remember(two, "d")
            assert remember(one, "e")[0].compared_with == 1
            assert remember(two, "f")[0].compared_with == 2
        assert one.mode is Mode.REMEMBER
        assert "replaced" in memory_words(one.notices[0])
    assert len(aside_of(known)) == 1
    works_and_remembers(known, size=4)


# Beyond help


HARM = {
    **{name: DAMAGE[name] for name in ("no database", "half of it", "bad schema", "no findings")},
    "nothing": lambda path: None,
    "newer": lambda path: sql(path, "PRAGMA user_version = 2"),
    "foreign": lambda path: sql(path, "PRAGMA application_id = 77"),
    "a header that forbids writing": lambda path: scribble(path, 18, b"\3"),
    "gone": lambda path: path.unlink(),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize("opened", [REMEMBERING, AS_GUEST])
@pytest.mark.parametrize("harm", HARM.values(), ids=HARM.keys())
def test_every_connection_is_closed(known, connections, harm, opened):
    harm(known)
    with opened(known) as memory:
        remember(memory, "c", "d")
        memory.look_through()
        memory.clear()
    assert connections
    assert not [one for one in connections if one.is_open]


DISK = sqlite3.SQLITE_IOERR


@pytest.fixture
def fail(monkeypatch):
    """Let so many looks into the file fail, as SQLite says it."""

    def fail(code, times):
        find, left = rows.find, iter(range(times))

        def fails(*given):
            if next(left, None) is None:
                return find(*given)
            error = sqlite3.OperationalError("by the system")
            error.sqlite_errorcode = code
            raise error

        monkeypatch.setattr(rows, "find", fails)

    return fail


def no_room(*_, **__):
    raise OSError(errno.ENOSPC, "no room")


def test_on_a_full_disk_what_is_not_there_yet_is_not_lost(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "TemporaryFile", no_room)
    monkeypatch.setattr(file, "ensure_exists", no_room)
    with Memory(Mode.REMEMBER, tmp_path / "memory.db") as memory:
        assert remember(memory, "a")[0].basis is Basis.EMPTY_CACHE
        assert memory.mode is Mode.GUEST and not memory.lost


@pytest.mark.parametrize("code", [DISK, sqlite3.SQLITE_CORRUPT])
def test_one_read_that_fails_is_read_again(known, fail, code):
    """SQLite calls the file malformed for most reads that fail."""
    with Memory(Mode.REMEMBER, known) as memory:
        fail(code, 1)
        assert remember(memory, "new")[0].compared_with == 2
        assert memory.notices == () and memory.mode is Mode.REMEMBER and not memory.lost
    assert [child.name for child in known.parent.iterdir()] == [known.name]


@pytest.mark.parametrize(
    ("full", "words"), [(False, "failed to read"), (True, "is full")], ids=["read", "full"]
)
def test_a_file_that_cannot_be_used_is_left_as_it_is(known, fail, monkeypatch, full, words):
    """SQLite does not say of a full disk that it is full: the index of the log is a file too."""
    before = known.read_bytes()
    if full:
        monkeypatch.setattr(tempfile, "TemporaryFile", no_room)
    with Memory(Mode.REMEMBER, known) as memory:
        fail(DISK, 2)
        assert remember(memory, "new")[0].compared_with == 2
        assert memory.finding(subject("a")) is not None
        (notice,) = map(memory_words, memory.notices)
        assert words in notice and memory.mode is Mode.GUEST and not memory.lost
    assert known.read_bytes() == before
    assert not list(known.parent.glob("*damaged*"))


# Files that are left alone


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["PRAGMA user_version = 2"], "newer"),
        (["PRAGMA application_id = 77"], "another program"),
        (["PRAGMA application_id = 0", "PRAGMA user_version = 0"], "another program"),
    ],
)
@pytest.mark.parametrize("opened", [REMEMBERING, AS_GUEST])
def test_a_file_that_is_not_ours_is_left_alone(known, statements, words, opened):
    sql(known, *statements)
    before = contents(known.parent)
    with opened(known) as memory:
        assert memory.mode is Mode.GUEST
        assert memory.finding(subject("a")) is None
        assert remember(memory, "c")[0].basis is Basis.EMPTY_CACHE
        assert remember(memory, "d")[0].compared_with == 1
        (notice,) = map(memory_words, memory.notices)
        assert words in notice
        assert "nothing will be remembered" in notice
    assert contents(known.parent).keys() == before.keys()
    assert known.read_bytes() == before[known.name][2]


# Guest


def guest_sees_and_leaves(path, *names):
    before = contents(path.parent)
    with Memory(Mode.GUEST, path) as memory:
        assert (memory.mode, memory.notices) == (Mode.GUEST, ())
        for name in names:
            assert memory.finding(subject(name)) is not None
        assert memory.size == len(names)
        assert remember(memory, "x")[0].compared_with == len(names)
        assert remember(memory, "y")[0].compared_with == len(names) + 1
        memory.forget("a")
        assert contents(path.parent) == before
    assert contents(path.parent) == before


def test_a_guest_leaves_no_trace(known):
    guest_sees_and_leaves(known, "a", "b")


def test_a_guest_leaves_no_trace_in_an_unfinished_log(known):
    killed_after(known, "c")
    guest_sees_and_leaves(known, "a", "b", "c")


def test_a_guest_beside_a_process_that_writes(known):
    code = """
import sys
from pathlib import Path
from kpinspector.scoring.memory.memory import Memory
from kpinspector.settings import Mode
from tests.scoring.memory_samples import subject
with Memory(Mode.GUEST, Path(sys.argv[1])) as memory:
    sys.stdout.write(f"{memory.size} {memory.finding(subject('c')) is not None} {memory.notices}")
"""
    with Memory(Mode.REMEMBER, known) as memory:
        remember(memory, "c")
        before = contents(known.parent)
        assert run_python(code, known).stdout == "3 True ()"
        assert contents(known.parent) == before
        remember(memory, "d")


LENGTH = 300


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.sqlite3"


def rows_of(path, statement, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement, values).fetchall()


def nearest_of(memory, name):
    return present(memory.finding(subject(name))).neighbours


def test_no_secret_of_an_objective_stands_in_the_file(path):
    with Memory(Mode.REMEMBER, path) as memory:
        for number, held in enumerate(HELD.values()):
            text = f"Hand {held} over " + "so " * (85 - number // 3) + held
            memory.remember(subject(f"id-{number}", objective=text), vector_of(f"{number}"))
    assert leaks(path.read_bytes().decode("latin-1")) == set()


def test_what_an_earlier_version_cut_shows_no_more_than_its_mask(path):
    with Memory(Mode.REMEMBER, path) as memory:
        remember(memory, "a", "b")
    cuts = [
        f"{('so ' * LENGTH)[:before]} {held} on it goes"[: LENGTH - 1] + "…"
        for held in HELD.values()
        for before in range(LENGTH - len(held) - 3, LENGTH - 1)
    ]
    assert len(leaks(" ".join(cuts))) == len(HELD)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany(
            "INSERT INTO entries (model, trace_id, variant, digest, objective, source_path,"
            " added_at, vector) SELECT model, 'c', 0, digest, ?, '', added_at, vector FROM entries"
            " WHERE trace_id = 'a'",
            [(cut,) for cut in cuts],
        )
        nearest = json.dumps([["a", "a", cut, "/runs/a.json", 0.5] for cut in cuts])
        connection.execute(
            "UPDATE findings SET neighbours = ?, max_similarity = 0.5,"
            " compared_with = ? WHERE trace_id = 'b'",
            (nearest, len(cuts)),
        )
    with Memory(Mode.GUEST, path) as memory:
        kept = [one.objective for one in memory.entries() if one.trace_id == "c"]
        assert kept == [one.objective for one in nearest_of(memory, "b")]
        assert memory.notices == ()
    assert len(kept) == len(cuts)
    assert leaks(masked_in(" and ".join(kept))) == set()
    assert all(one.startswith("so " * 70) and one.endswith("…") for one in kept)


def test_forgetting_takes_objective_and_file_out_of_the_findings_of_others(path):
    with Memory(Mode.REMEMBER, path) as memory:
        remember(memory, "a", "b")
        before = remember(memory, "c")[0]
        assert memory.forget("a")
        after = nearest_of(memory, "c")
        assert not memory.forget("a"), "it is forgotten"
    assert [one.similarity for one in after] == [one.similarity for one in before.neighbours]
    left = {one.key: (one.objective, one.source_path) for one in after}
    assert left == {"a": ("", ""), "b": ("objective of b", "runs/one.jsonl")}
    assert b"objective of a" not in path.read_bytes()


def test_what_only_the_findings_of_others_name_can_be_forgotten(path):
    with Memory(Mode.REMEMBER, path) as memory:
        remember(memory, "a", "b")
    rows_of(path, "DELETE FROM entries WHERE trace_id = 'a'")
    rows_of(path, "DELETE FROM findings WHERE trace_id = 'a'")
    with Memory(Mode.REMEMBER, path) as memory:
        assert memory.forget("a")
        (near,) = nearest_of(memory, "b")
    assert (near.key, near.objective, near.source_path) == ("a", "", "")
    assert json.loads(rows_of(path, "SELECT neighbours FROM findings")[0][0])[0][2:4] == ["", ""]


NOBODY = 65534


def goes_on_on_a_copy(memory, words):
    assert memory.finding(subject("a")) is not None
    assert remember(memory, "c")[0].compared_with == 2
    assert remember(memory, "d")[0].compared_with == 3
    assert memory.finding(subject("b")) is not None
    assert memory.mode is Mode.GUEST
    (notice,) = map(memory_words, memory.notices)
    assert words in notice
    assert "What it knows still answers" in notice


@posix_only
def test_a_limit_on_file_size(known):
    """The system refuses every write to a file: log, index of the log and temporary files."""
    code = """
import resource, sys
from pathlib import Path
from kpinspector.scoring.memory.memory import Memory
from kpinspector.settings import Mode
from tests.scoring.memory_samples import subject
from tests.scoring.test_memory_file import goes_on_on_a_copy
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
with Memory(Mode.REMEMBER, Path(sys.argv[1])) as memory:
    goes_on_on_a_copy(memory, "memory file")
    for number in range(300):
        memory.remember(subject(f"{number}", source_path="z" * 20_000), [1.0] * 384)
    assert memory.size > 300
sys.stdout.write(str(memory.notices))
"""
    done = run_python(code, known)
    assert done.returncode == 0, done.stderr
    with Memory(Mode.REMEMBER, known) as memory:
        assert memory.size == 2


def test_a_lock_that_is_not_let_go(known, monkeypatch):
    monkeypatch.setattr("kpinspector.scoring.memory.memory.LOCKED_FOR_S", 0.02)
    with closing(sqlite3.connect(known, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with Memory(Mode.REMEMBER, known) as memory:
            goes_on_on_a_copy(memory, "locked")
        other.execute("ROLLBACK")
        with Memory(Mode.REMEMBER, known) as memory:
            assert memory.mode is Mode.REMEMBER
            other.execute("BEGIN IMMEDIATE")
            assert memory.finding(subject("a")) is not None
            goes_on_on_a_copy(memory, "locked")
            other.execute("ROLLBACK")
    with Memory(Mode.REMEMBER, known) as memory:
        assert memory.size == 2


@pytest.fixture
def readable_folder():
    """A folder that any user may enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


def as_one_who_may_not_write(folder, code):
    """Run Python as a user to whom the modes of the folder and its files apply."""
    head = """
import os, sys
from pathlib import Path
from tests.scoring.test_memory_file import *
path = Path(sys.argv[1])
Path.cwd().as_uri()  # imports what is imported on first use, and so does this:
with Memory(Mode.FRESH, None) as memory:
    remember(memory, "a")
if os.geteuid() == 0:
    for child in [path.parent, *path.parent.iterdir()]:
        os.chown(child, NOBODY, NOBODY)
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
if os.access("/", os.W_OK):
    sys.exit("no lesser user")
"""
    done = run_python(head + code, folder / "memory.sqlite3")
    if "no lesser user" in done.stderr or "Operation not permitted" in done.stderr:
        pytest.skip("cannot become a user to whom file modes apply")
    return done


GOES_ON = """
with Memory(Mode.REMEMBER, path) as memory:
    goes_on_on_a_copy(memory, "cannot be written")
"""


@posix_only
@pytest.mark.parametrize(
    ("folder_mode", "file_mode", "killed"),
    [
        (0o555, 0o444, False),
        (0o555, 0o444, True),
        (0o755, 0o444, False),
        (0o755, 0o444, True),
        # a log that is there already can be written without the folder
        (0o555, 0o600, False),
    ],
)
def test_a_file_or_folder_that_cannot_be_written(readable_folder, folder_mode, file_mode, killed):
    path = readable_folder / "memory.sqlite3"
    with Memory(Mode.REMEMBER, path) as memory:
        remember(memory, "a")
        if not killed:
            remember(memory, "b")
    if killed:
        killed_after(path, "b")
    for child in readable_folder.iterdir():
        child.chmod(file_mode)
    readable_folder.chmod(folder_mode)
    before = contents(readable_folder)
    done = as_one_who_may_not_write(readable_folder, GOES_ON)
    assert done.returncode == 0, done.stderr
    after = contents(readable_folder)
    if folder_mode == 0o555:
        assert after == before
    assert after[path.name] == before[path.name]
