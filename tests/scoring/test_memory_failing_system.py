"""Reads and writes of the memory that fail: an intact file stays what and where it is."""

import shutil

import pytest

from kpinspector.scoring.memory.memory import Memory
from tests.scoring.failing_system import environment, library
from tests.scoring.memory_samples import remember, run_python, subject

NAMES = [f"trace {number}" for number in range(60)]

HEAD = """
import errno, shutil, sys
from pathlib import Path
from kpinspector.scoring.memory.memory import Memory
from kpinspector.words.memory import memory_words
from tests.scoring.failing_system import *
from tests.scoring.memory_samples import *
from tests.scoring.test_memory_failing_system import *
whole, folder = Path(sys.argv[1]), Path(sys.argv[2])
"""


@pytest.fixture(scope="module")
def failing(tmp_path_factory):
    return environment(library(tmp_path_factory.mktemp("library")))


@pytest.fixture
def whole(tmp_path):
    path = tmp_path / "whole.sqlite3"
    with Memory.open(path) as memory:
        remember(memory, *NAMES)
    return path


@pytest.fixture
def run(failing, whole, tmp_path):
    def run(code):
        done = run_python(HEAD + code, whole, tmp_path / "data", env=failing)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def copied(whole, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return shutil.copy(whole, folder / "memory.sqlite3")


def all_known(memory):
    return all(memory.finding(subject(name)) is not None for name in NAMES)


@pytest.mark.parametrize("code", ["EIO", "0"], ids=["error", "nothing read"])
def test_one_read_that_fails_is_read_again(run, code):
    """Whichever it is: SQLite calls the file malformed for most of them."""
    code = f"code = errno.{code}" if code != "0" else "code = 0"
    out = run(f"""
{code}
reached = 0
for number in range(1, 60, 2):
    path = copied(whole, folder)
    fail_reads(path, code, number)
    with Memory.open(path) as memory:
        found = remember(memory, "new")[0]
        mend()
        assert memory.notices == (), (number, memory.notices)
        assert memory.remembers and not memory.lost
        assert found.compared_with == 60 and all_known(memory), number
    assert [child.name for child in folder.iterdir()] == [path.name]
print("done")
""")
    assert out == "done\n"


def test_a_file_that_cannot_be_read_is_left_as_it_is(run):
    """Nothing is renamed, what was lost is said."""
    run("""
for first in (1, 8, 20):
    path = copied(whole, folder)
    fail_reads(path, first=first, last=ALWAYS)
    with Memory.open(path) as memory:
        remember(memory, "new")
        mend()
        (notice,) = map(memory_words, memory.notices)
        assert "failed to read" in notice and memory.lost and not memory.remembers, notice
    assert path.read_bytes() == whole.read_bytes()
    assert not list(folder.glob("*damaged*"))
""")


def test_a_read_that_fails_while_a_guest_copies(run):
    run("""
for number in (1, 5, 30):
    path = copied(whole, folder)
    fail_reads(path, first=number)
    with Memory.guest(path) as memory:
        mend()
        assert all_known(memory) and not memory.lost
""")


def test_a_full_disk_is_said_whatever_cannot_grow(run):
    """The index of the log is a file as well; SQLite calls that one a failed read or write."""
    run("""
for first in (1, 2, 3):
    path = copied(whole, folder)
    fail_writes(folder, first=first)
    with Memory.open(path) as memory:
        assert remember(memory, "new")[0].compared_with == 60
        assert all_known(memory)
        mend()
        (notice,) = map(memory_words, memory.notices)
        assert "is full" in notice and not memory.remembers and not memory.lost, notice
""")


def test_on_a_full_disk_a_memory_that_does_not_exist_yet_knows_nothing(run):
    run("""
for first in (1, 2, 3):
    path = folder / f"new-{first}.sqlite3"
    fail_writes(folder, first=first)
    with Memory.open(path) as memory:
        assert [one.compared_with for one in remember(memory, "a", "b")] == [0, 1]
        mend()
        (notice,) = map(memory_words, memory.notices)
        assert "is full. Scoring goes on with an empty memory, and nothing" in notice, notice
        assert not memory.remembers and not memory.lost
""")


def test_a_write_that_fails_otherwise_is_no_full_disk(run):
    run("""
path = copied(whole, folder)
fail_writes(folder, errno.EIO)
with Memory.open(path) as memory:
    assert remember(memory, "new")[0].compared_with == 60
    mend()
    (notice,) = map(memory_words, memory.notices)
    assert "failed to read or write" in notice and not memory.lost, notice
""")


def test_an_unread_memory_fails_the_command_line(run, tmp_path):
    """A trace that is known by heart would be accepted as new."""
    run("""
import io, json
from kpinspector.__main__ import main
from kpinspector.cli import measuring
from tests.fakes import high_raw
from tests.fakes import FakeEmbedder
measuring.MiniLM = FakeEmbedder
folder.mkdir()
files = [folder / "one.json", folder / "two.json"]
for number, file in enumerate(files):
    file.write_text(json.dumps(high_raw(f"kp:trace:{number}")))
arguments = ["--data-dir", str(folder), "--threshold", "0.8"]
assert main(["score", str(files[0]), *arguments]) == 0
path = folder / "memory.sqlite3"
known = path.read_bytes()
assert main(["score", str(files[1]), *arguments]) == 1  # the very same text
path.write_bytes(known)
fail_reads(path, first=6)
assert main(["score", str(files[1]), *arguments]) == 1  # read again
mend()
path.write_bytes(known)
fail_reads(path, first=6, last=ALWAYS)
sys.stderr = io.StringIO()
assert main(["score", str(files[1]), *arguments]) == 2
mend()
assert "failed to read" in sys.stderr.getvalue()
assert path.read_bytes() == known
""")
