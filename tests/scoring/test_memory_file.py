"""Making the memory's file, and what becomes of it when it is damaged or goes away."""

import os
import sqlite3
import stat
from contextlib import closing

import numpy as np
import pytest

from kpinspector.errors import MemoryUnusableError
from kpinspector.scoring.findings import Basis
from kpinspector.scoring.memory import file as memory_file
from kpinspector.scoring.memory.memory import Memory
from kpinspector.words.memory import memory_words
from tests.scoring.memory_samples import (
    Clock,
    killed_after,
    order_of,
    posix_only,
    remember,
    scribble,
    sql,
    subject,
    works_and_remembers,
)


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
        with Memory.open(memory_path) as memory:
            remember(memory, "a")
            for child in memory_path.parent.iterdir():
                assert stat.S_IMODE(child.stat().st_mode) == 0o600, child
    finally:
        os.umask(old)
    assert stat.S_IMODE(memory_path.parent.stat().st_mode) == 0o700


def test_a_closed_memory_is_one_file(known):
    assert [child.name for child in known.parent.iterdir()] == [known.name]


def test_the_file_says_what_it_is(known):
    with closing(sqlite3.connect(known)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (0x4B506D65,)
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_awkward_path(tmp_path):
    path = tmp_path / "50% of?two#three 'é" / "memory.sqlite3"
    with Memory.open(path) as memory:
        remember(memory, "a")
    with Memory.guest(path) as memory:
        assert memory.finding(subject("a")) is not None


# Damage


DAMAGE = {
    "no database": lambda path: path.write_bytes(b"not a database " * 500),
    "one byte": lambda path: path.write_bytes(b"x"),
    "half of it": lambda path: os.truncate(path, path.stat().st_size // 2),
    "one page": lambda path: os.truncate(path, 4096),
    "bad header": lambda path: scribble(path, 0, b"SQLite format 4"),
    "bad schema": lambda path: scribble(path, 100, b"\xff" * 3000),
    # SQLite quotes it in its message, which the sqlite3 module then cannot decode
    "bad text in the schema": lambda path: path.write_bytes(
        path.read_bytes().replace(b"CREATE TABLE findings", b"CREATE T\x80BLE findings")
    ),
    "no entries": lambda path: sql(path, "DROP TABLE entries"),
    "no findings": lambda path: sql(path, "DROP TABLE findings"),
    "a column less": lambda path: sql(path, "ALTER TABLE findings RENAME found_at TO found"),
    "version 0": lambda path: sql(path, "PRAGMA user_version = 0"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_file_is_set_aside(known, damage):
    damage(known)
    damaged = known.read_bytes()
    with Memory.open(known, clock=Clock(0)) as memory:
        remember(memory, "c")
        assert memory.remembers
        (notice,) = map(memory_words, memory.notices)
        assert (memory.size, memory.findings_count) == (1, 1)
    aside = known.with_name(f"{known.name}.damaged-19700101T000000Z")
    assert f"{known} is damaged" in notice
    assert str(aside) in notice
    assert aside.read_bytes() == damaged
    works_and_remembers(known, size=2)


def test_files_set_aside_are_never_overwritten(known):
    for round_ in range(3):
        known.write_bytes(b"damage %d" % round_ * 100)
        with Memory.open(known, clock=Clock(0)) as memory:
            assert len(memory.notices) == 1
    names = [f"{known.name}.damaged-19700101T000000Z{end}" for end in ("", "-2", "-3")]
    assert aside_of(known) == names
    for round_, name in enumerate(names):
        assert known.with_name(name).read_bytes().startswith(b"damage %d" % round_)


CELLS = {
    "a short vector": "UPDATE entries SET vector = x'00' WHERE sequence = 1",
    "a vector of text": "UPDATE entries SET vector = 'text' WHERE sequence = 1",
    "not a number": "UPDATE entries SET vector = "
    f"x'{np.full(384, np.nan, '<f4').tobytes().hex()}' WHERE sequence = 1",
    "a time of text": "UPDATE entries SET added_at = 'now' WHERE sequence = 1",
    "a path of bytes": "UPDATE entries SET source_path = x'ff'",
    "text that is not UTF-8": "UPDATE entries SET objective = CAST(x'ff' AS TEXT)",
    "a strange variant": "UPDATE entries SET variant = 7",
    "no JSON": "UPDATE findings SET neighbours = '[[' WHERE trace_id = 'b'",
    "deep JSON": f"UPDATE findings SET neighbours = '{'[' * 100_000}' WHERE trace_id = 'b'",
    "JSON of another shape": "UPDATE findings SET neighbours = '[1]' WHERE trace_id = 'b'",
    "JSON that is no list": "UPDATE findings SET neighbours = '{}' WHERE trace_id = 'b'",
    "JSON with NaN": 'UPDATE findings SET neighbours = \'[["a","a","","",NaN]]\''
    " WHERE trace_id = 'b'",
    "no neighbours": "UPDATE findings SET neighbours = '[]' WHERE trace_id = 'b'",
    "a similarity above 1": "UPDATE findings SET max_similarity = 1.5 WHERE trace_id = 'b'",
    "a neighbour above 1": "UPDATE findings SET max_similarity = 1.5,"
    ' neighbours = \'[["a","a","","",1.5]]\' WHERE trace_id = \'b\'',
    "no similarity": "UPDATE findings SET max_similarity = NULL WHERE trace_id = 'b'",
    "a strange basis": "UPDATE findings SET basis = 'no_embedder' WHERE trace_id = 'b'",
    "a count of text": "UPDATE findings SET compared_with = 'many' WHERE trace_id = 'b'",
    "a count too small": "UPDATE findings SET compared_with = 0 WHERE trace_id = 'b'",
}


@pytest.mark.parametrize("statement", CELLS.values(), ids=CELLS.keys())
def test_a_damaged_cell_is_damage(known, statement):
    sql(known, statement)
    with Memory.open(known) as memory:
        assert memory.finding(subject("b")) is None or "UPDATE entries" in statement
        remember(memory, "c")
        assert len(memory.notices) == 1
        assert len(aside_of(known)) == 1
        assert memory.size == 1
    works_and_remembers(known, size=2)


def test_damage_in_the_middle_of_a_run(known):
    with Memory.open(known) as memory:
        remember(memory, "c")
        sql(known, "PRAGMA wal_checkpoint(TRUNCATE)")
        scribble(known, 4096, b"\xff" * (known.stat().st_size - 4096))
        found = remember(memory, "d", "e")
        (notice,) = map(memory_words, memory.notices)
        assert notice.endswith("and a new memory was begun.")
        assert memory.remembers and memory.lost
        assert order_of(memory) == ["d", "e"]
        assert [one.compared_with for one in found] == [0, 1]
    assert len(aside_of(known)) == 1
    works_and_remembers(known, size=3)


UNMET = (
    "PRAGMA writable_schema = ON",
    "UPDATE sqlite_master SET sql = sql || ' WHERE 0' WHERE name = 'entries_by_trace'",
    "PRAGMA writable_schema = RESET",
    "REINDEX entries_by_trace",
    "PRAGMA writable_schema = ON",
    "UPDATE sqlite_master SET sql = replace(sql, ' WHERE 0', '') WHERE sql LIKE '% WHERE 0'",
    "PRAGMA writable_schema = RESET",
)


@pytest.mark.parametrize("opened", [Memory.open, Memory.guest])
def test_what_no_query_meets_is_found_by_the_look_through_all(known, opened):
    """An index lists less than there is."""
    sql(known, *UNMET)
    with opened(known) as memory:
        assert memory.size == 2 and memory.notices == ()
        memory.look_through()
        (notice,) = map(memory_words, memory.notices)
        assert "is damaged" in notice and memory.lost
        assert memory.size == 0 and memory.remembers is (opened == Memory.open)
        memory.look_through()
        assert len(memory.notices) == 1
    assert len(aside_of(known)) == (opened == Memory.open)


def test_a_sound_memory_has_nothing_to_say(known):
    for opened in (lambda: Memory.open(known), lambda: Memory.guest(known), Memory.fresh):
        with opened() as memory:
            remember(memory, "c")
            memory.look_through()
            assert memory.notices == () and not memory.lost


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
    with Memory.open(known) as memory:
        with pytest.raises(StoppedError):
            memory.look_through(watch)
        assert len(watch.stops) == 2 and watch.stops[-1] is None
        assert memory.notices == ()


@pytest.mark.parametrize("opened", [Memory.open, Memory.guest])
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


def test_companions_go_with_their_file(memory_path):
    memory_path.parent.mkdir()
    for end in ("", "-wal", "-shm", "-other"):
        memory_path.with_name(memory_path.name + end).write_text(f"content{end}")
    aside = memory_file.set_aside(memory_path, 0)
    assert {child.name: child.read_text() for child in memory_path.parent.iterdir()} == {
        aside.name: "content",
        f"{aside.name}-wal": "content-wal",
        f"{aside.name}-shm": "content-shm",
        f"{memory_path.name}-other": "content-other",
    }


def test_damage_beside_an_unfinished_log(known):
    """Nothing of the old log comes into the new file."""
    with Memory.open(known) as memory:
        remember(memory, *(f"more {number}" for number in range(40)))
    killed_after(known, "c")
    scribble(known, 0, b"\xff" * known.stat().st_size)
    with Memory.open(known) as memory:
        assert remember(memory, "d", "e")[1].compared_with == 1
        assert len(memory.notices) == 1
    assert len(aside_of(known)) == 1
    works_and_remembers(known, size=3)


def test_what_another_process_set_aside_is_not_set_aside_again(known):
    with Memory.open(known) as one:
        remember(one, "c")
        sql(known, "PRAGMA wal_checkpoint(TRUNCATE)")
        scribble(known, 0, b"\xff" * known.stat().st_size)
        with Memory.open(known) as two:
            remember(two, "d")
            assert remember(one, "e")[0].compared_with == 1
            assert remember(two, "f")[0].compared_with == 2
        assert one.remembers
        assert "replaced" in memory_words(one.notices[0])
    assert len(aside_of(known)) == 1
    works_and_remembers(known, size=4)


def test_a_file_removed_in_the_middle_of_a_run(known):
    with Memory.open(known) as memory:
        remember(memory, "c")
        for child in known.parent.iterdir():
            child.unlink()
        known.parent.rmdir()
        assert remember(memory, "d")[0].basis is Basis.EMPTY_CACHE
        assert "removed" in memory_words(memory.notices[0])
        assert memory.remembers
    works_and_remembers(known, size=2)


# Beyond help


def test_a_bug_is_not_taken_for_a_fault(known):
    memory = Memory.open(known)
    memory.close()
    with pytest.raises(sqlite3.ProgrammingError):
        memory.finding(subject("a"))
    assert memory.notices == ()


def test_not_even_a_private_memory(monkeypatch):
    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    with Memory.fresh() as memory:
        monkeypatch.setattr("kpinspector.scoring.memory.rows.insert_entry", full)
        with pytest.raises(MemoryUnusableError):
            remember(memory, "a")


def size_on_disk(path):
    parts = (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm")))
    return sum(part.stat().st_size for part in parts if part.exists())


def test_clearing_gives_the_room_back(memory_path):
    with Memory.open(memory_path) as memory:
        remember(memory, *(f"trace {number}" for number in range(200)))
        before = size_on_disk(memory_path)
        memory.clear()
        assert memory_path.stat().st_size < before / 5
        assert size_on_disk(memory_path) < before / 3
        remember(memory, "new")
        assert memory.size == 1
