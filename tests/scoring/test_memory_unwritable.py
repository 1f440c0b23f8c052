"""A memory whose file, folder or disk cannot be written: scoring goes on on a copy."""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from kpinspector.scoring.memory.memory import Memory
from kpinspector.words.memory import memory_words
from tests.scoring.memory_samples import (
    contents,
    killed_after,
    posix_only,
    remember,
    run_python,
    scribble,
    subject,
)

NOBODY = 65534


def goes_on_on_a_copy(memory, words):
    assert memory.finding(subject("a")) is not None
    assert remember(memory, "c")[0].compared_with == 2
    assert remember(memory, "d")[0].compared_with == 3
    assert memory.finding(subject("b")) is not None
    assert not memory.remembers
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
from tests.scoring.memory_samples import subject
from tests.scoring.test_memory_unwritable import goes_on_on_a_copy
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
    monkeypatch.setattr("kpinspector.scoring.memory.memory.LOCKED_FOR_S", 0.02)
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
        said = map(memory_words, memory.notices)
        assert [one.endswith("will be remembered.") for one in said] == [True] * 2


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
from tests.scoring.test_memory_unwritable import *
path = Path(sys.argv[1])
Path.cwd().as_uri()  # imports what is imported on first use, and so does this:
with Memory.fresh() as memory:
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
    (notice,) = map(memory_words, memory.notices)
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
