"""What becomes of the memory when its file, its folder or its disk fail."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from kpinspector.errors import MemoryUnusableError
from kpinspector.scoring import memory_file
from kpinspector.scoring.memory import Basis, Memory
from kpinspector.scoring.memory_connection import MemoryConnection
from kpinspector.scoring.memory_faults import Fault, FaultError
from tests.scoring.memory_samples import Clock, subject, vector_of

ROOT = Path(__file__).parents[2]
NOBODY = 65534

posix_only = pytest.mark.skipif(os.name != "posix", reason="file modes of POSIX")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "memory.sqlite3"


def remember(memory, *names):
    return [memory.remember(subject(name), vector_of(name)) for name in names]


@pytest.fixture
def known(path):
    """A file with the entries a and b, closed."""
    with Memory.open(path) as memory:
        remember(memory, "a", "b")
    return path


def contents(folder):
    return {
        child.name: (child.stat().st_mtime_ns, child.stat().st_mode, child.read_bytes())
        for child in sorted(folder.iterdir())
    }


def works_and_remembers(path, *, size=1):
    with Memory.open(path) as memory:
        assert memory.notices == ()
        assert memory.remembers
        remember(memory, "new")
    with Memory.open(path) as memory:
        assert memory.finding(subject("new")) is not None
        assert memory.size == size


def aside_of(path):
    return sorted(
        child.name
        for child in path.parent.iterdir()
        if ".damaged-" in child.name and not child.name.endswith(("-wal", "-shm"))
    )


def sql(path, *statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def run_python(code, *arguments, **options):
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


# Creation


@posix_only
def test_file_and_folder_are_for_their_owner_alone(path):
    old = os.umask(0)
    try:
        with Memory.open(path) as memory:
            remember(memory, "a")
            for child in path.parent.iterdir():
                assert stat.S_IMODE(child.stat().st_mode) == 0o600, child
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_closed_memory_is_one_file(known):
    assert [child.name for child in known.parent.iterdir()] == [known.name]


def test_the_file_says_what_it_is(known):
    with closing(sqlite3.connect(known)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (0x4B506D65,)
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_empty_file_becomes_a_memory(path):
    path.parent.mkdir()
    path.touch()
    works_and_remembers(path)


def test_another_that_makes_the_file_at_the_same_time(path, monkeypatch):
    """Switching to the log fails at once while another writes, however long one would wait."""
    switch, pauses = memory_file._use_write_ahead_log, []

    def beside_a_writer(connection):
        other.execute("BEGIN IMMEDIATE")
        switch(connection)

    def pause(seconds):
        pauses.append(seconds)
        other.execute("COMMIT")

    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        monkeypatch.setattr(memory_file, "_use_write_ahead_log", beside_a_writer)
        monkeypatch.setattr("time.sleep", pause)
        with Memory.open(path) as memory:
            assert (memory.remembers, memory.notices) == (True, ())
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert len(pauses) == 1


def test_an_awkward_path(tmp_path):
    path = tmp_path / "50% of?two#three 'é" / "memory.sqlite3"
    with Memory.open(path) as memory:
        remember(memory, "a")
    with Memory.guest(path) as memory:
        assert memory.finding(subject("a")) is not None


# Damage


def scribble(path, offset, data=b"\xff" * 4000):
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


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
        (notice,) = memory.notices
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


def test_a_damaged_cell_is_seen_in_the_listing(known):
    sql(known, CELLS["a strange variant"])
    with Memory.open(known) as memory:
        assert memory.entries() == ()
        assert len(memory.notices) == 1


def test_damage_in_the_middle_of_a_run(known):
    with Memory.open(known) as memory:
        remember(memory, "c")
        sql(known, "PRAGMA wal_checkpoint(TRUNCATE)")
        scribble(known, 4096, b"\xff" * (known.stat().st_size - 4096))
        sql(known, "PRAGMA user_version = 1")
        remember(memory, "d", "e")
        assert len(memory.notices) == 1
        assert memory.remembers
        assert [entry.key for entry in memory.entries()] == ["d", "e"]
    assert len(aside_of(known)) == 1
    works_and_remembers(known, size=3)


def test_companions_go_with_their_file(path):
    path.parent.mkdir()
    for end in ("", "-wal", "-shm", "-other"):
        path.with_name(path.name + end).write_text(f"content{end}")
    aside = memory_file.set_aside(path, 0)
    assert {child.name: child.read_text() for child in path.parent.iterdir()} == {
        aside.name: "content",
        f"{aside.name}-wal": "content-wal",
        f"{aside.name}-shm": "content-shm",
        f"{path.name}-other": "content-other",
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
        assert "replaced" in one.notices[0]
    assert len(aside_of(known)) == 1
    works_and_remembers(known, size=4)


def test_a_file_that_took_the_place_of_the_damaged_one_is_not_set_aside(known):
    """The other process was quicker by a moment: between the damage and our answer to it."""
    connection = MemoryConnection(known, Clock())
    replaced = []

    def work(_):
        if not replaced:
            replaced.append(known.rename(known.with_name("aside")))
            with Memory.open(known) as other:
                remember(other, "new")
            raise FaultError(Fault.DAMAGED, "")
        return "done"

    assert connection.run(work) == "done"
    connection.close()
    assert "replaced" in connection.notices[0]
    assert aside_of(known) == []
    works_and_remembers(known, size=1)


def test_a_file_removed_in_the_middle_of_a_run(known):
    with Memory.open(known) as memory:
        remember(memory, "c")
        for child in known.parent.iterdir():
            child.unlink()
        known.parent.rmdir()
        assert remember(memory, "d")[0].basis is Basis.EMPTY_CACHE
        assert "removed" in memory.notices[0]
        assert memory.remembers
    works_and_remembers(known, size=2)


# Files that are left alone


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["PRAGMA user_version = 2"], "newer"),
        (["PRAGMA application_id = 77"], "another program"),
        (["PRAGMA application_id = 0", "PRAGMA user_version = 0"], "another program"),
    ],
)
@pytest.mark.parametrize("opened", [Memory.open, Memory.guest])
def test_a_file_that_is_not_ours_is_left_alone(known, statements, words, opened):
    sql(known, *statements)
    before = contents(known.parent)
    with opened(known) as memory:
        assert not memory.remembers
        assert memory.finding(subject("a")) is None
        assert remember(memory, "c")[0].basis is Basis.EMPTY_CACHE
        assert remember(memory, "d")[0].compared_with == 1
        (notice,) = memory.notices
        assert words in notice
        assert "nothing will be remembered" in notice
    assert contents(known.parent).keys() == before.keys()
    assert known.read_bytes() == before[known.name][2]


def test_a_database_of_another_program_keeps_its_journal(path):
    path.parent.mkdir()
    sql(path, "CREATE TABLE bookmarks (url)")
    before = contents(path.parent)
    with Memory.open(path) as memory:
        assert not memory.remembers
    assert contents(path.parent) == before


# Guest


def killed_after(path, name):
    """Another process remembers one trace and is killed before it closes the file."""
    code = """
import os, sys
from pathlib import Path
from kpinspector.scoring.memory import Memory
from tests.scoring.memory_samples import subject, vector_of
memory = Memory.open(Path(sys.argv[1]))
memory.remember(subject(sys.argv[2]), vector_of(sys.argv[2]))
sys.stdout.write("done"), sys.stdout.flush()
os.kill(os.getpid(), int(sys.argv[3]))
"""
    done = run_python(code, path, name, int(getattr(signal, "SIGKILL", signal.SIGTERM)))
    assert done.stdout == "done", done.stderr
    assert path.with_name(path.name + "-wal").stat().st_size > 0


def guest_sees_and_leaves(path, *names):
    before = contents(path.parent)
    with Memory.guest(path) as memory:
        assert (memory.remembers, memory.notices) == (False, ())
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
    with Memory.open(known) as memory:
        assert memory.size == 2


def test_a_guest_leaves_no_trace_in_an_unfinished_log(known):
    killed_after(known, "c")
    guest_sees_and_leaves(known, "a", "b", "c")


def test_a_guest_beside_a_process_that_writes(known):
    code = """
import sys
from pathlib import Path
from kpinspector.scoring.memory import Memory
from tests.scoring.memory_samples import subject
with Memory.guest(Path(sys.argv[1])) as memory:
    sys.stdout.write(f"{memory.size} {memory.finding(subject('c')) is not None} {memory.notices}")
"""
    with Memory.open(known) as memory:
        remember(memory, "c")
        before = contents(known.parent)
        assert run_python(code, known).stdout == "3 True ()"
        assert contents(known.parent) == before
        remember(memory, "d")


def test_a_guest_makes_neither_file_nor_folder(path):
    with Memory.guest(path) as memory:
        assert memory.notices == ()
        remember(memory, "a")
    assert not path.parent.exists()


def test_a_guest_leaves_a_damaged_file_where_it_is(known):
    scribble(known, 0)
    before = contents(known.parent)
    with Memory.guest(known) as memory:
        assert remember(memory, "c")[0].basis is Basis.EMPTY_CACHE
        assert "damaged" in memory.notices[0]
    assert contents(known.parent) == before


# Files that cannot be written


def goes_on_on_a_copy(memory, words):
    assert memory.finding(subject("a")) is not None
    assert remember(memory, "c")[0].compared_with == 2
    assert remember(memory, "d")[0].compared_with == 3
    assert memory.finding(subject("b")) is not None
    assert not memory.remembers
    (notice,) = memory.notices
    assert words in notice
    assert "What it knows still answers" in notice


def test_a_full_disk(known):
    with Memory.open(known) as memory:
        connection = memory._connection._connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        assert memory.remembers
        big = subject("big", objective="x" * 300, source_path="y" * 100_000)
        memory.remember(big, vector_of("big"))
        assert memory.finding(big) is not None
        memory.forget("big")
        goes_on_on_a_copy(memory, "is full")
    with Memory.open(known) as memory:
        assert [entry.key for entry in memory.entries()] == ["a", "b"]
        assert memory.findings_count == 2


def test_a_private_memory_whose_disk_is_full_goes_on(known):
    with Memory.guest(known) as memory:
        connection = memory._connection._connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        memory.remember(subject("big", source_path="y" * 100_000), vector_of("big"))
        assert memory.size == 3
        assert len(memory.notices) == 1


@posix_only
def test_a_limit_on_file_size(known):
    """The system refuses every write to a file: log, index of the log and temporary files."""
    code = """
import resource, sys
from pathlib import Path
from kpinspector.scoring.memory import Memory
from tests.scoring.memory_samples import subject
from tests.scoring.test_memory_file import goes_on_on_a_copy
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
with Memory.open(Path(sys.argv[1])) as memory:
    goes_on_on_a_copy(memory, "memory file")
    for number in range(300):
        memory.remember(subject(f"{number}", source_path="z" * 20_000), [1.0] * 384)
    assert memory.size > 300
sys.stdout.write(str(memory.notices))
"""
    done = run_python(code, known)
    assert done.returncode == 0, done.stderr
    with Memory.open(known) as memory:
        assert memory.size == 2


def test_a_lock_that_is_not_let_go(known, monkeypatch):
    monkeypatch.setattr(memory_file, "BUSY_TIMEOUT_MS", 20)
    with closing(sqlite3.connect(known, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with Memory.open(known) as memory:
            goes_on_on_a_copy(memory, "locked")
        other.execute("ROLLBACK")
        with Memory.open(known) as memory:
            assert memory.remembers
            other.execute("BEGIN IMMEDIATE")
            assert memory.finding(subject("a")) is not None
            goes_on_on_a_copy(memory, "locked")
            other.execute("ROLLBACK")
    with Memory.open(known) as memory:
        assert memory.size == 2


def test_a_file_whose_header_forbids_writing(known):
    """A copy has the same header: it answers until something is to be written."""
    scribble(known, 18, b"\3")
    with Memory.open(known) as memory:
        assert memory.finding(subject("a")) is not None
        remember(memory, "c", "d")
        assert memory.finding(subject("c")) is not None
        assert not memory.remembers
        assert [notice.endswith("will be remembered.") for notice in memory.notices] == [True] * 2


def test_a_folder_where_the_file_should_be(path):
    path.mkdir(parents=True)
    with Memory.open(path) as memory:
        remember(memory, "a")
        assert not memory.remembers
        assert len(memory.notices) == 1
    assert list(path.iterdir()) == []


def test_a_file_where_the_folder_should_be(tmp_path):
    (tmp_path / "data").write_text("a file")
    for opened in (Memory.open, Memory.guest):
        with opened(tmp_path / "data" / "memory.sqlite3") as memory:
            remember(memory, "a")
            assert not memory.remembers


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
with Memory.fresh() as memory:  # imports what is imported on first use
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
with Memory.open(path) as memory:
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
    with Memory.open(path) as memory:
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


@posix_only
def test_a_damaged_file_that_cannot_be_set_aside(readable_folder):
    path = readable_folder / "memory.sqlite3"
    path.write_bytes(b"damage" * 1000)
    readable_folder.chmod(0o555)
    done = as_one_who_may_not_write(
        readable_folder,
        """
with Memory.open(path) as memory:
    assert remember(memory, "c")[0].compared_with == 0
    assert not memory.remembers
    (notice,) = memory.notices
    assert "damaged" in notice and "nothing will be remembered" in notice, notice
""",
    )
    assert done.returncode == 0, done.stderr
    assert path.read_bytes() == b"damage" * 1000
    assert len(list(readable_folder.iterdir())) == 1


@posix_only
def test_a_file_that_cannot_be_read(readable_folder):
    path = readable_folder / "memory.sqlite3"
    with Memory.open(path) as memory:
        remember(memory, "a")
    path.chmod(0)
    done = as_one_who_may_not_write(
        readable_folder,
        """
for opened in (Memory.open, Memory.guest):
    with opened(path) as memory:
        assert remember(memory, "c")[0].compared_with == 0
        assert not memory.remembers
        assert len(memory.notices) == 1
""",
    )
    assert done.returncode == 0, done.stderr


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
        monkeypatch.setattr("kpinspector.scoring.memory_rows.insert_entry", full)
        with pytest.raises(MemoryUnusableError):
            remember(memory, "a")
