"""Files of the memory that are left as they are: those of others, and those of a guest."""

import pytest

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.memory.memory import Memory
from kpinspector.words.memory import memory_words
from tests.scoring.memory_samples import (
    contents,
    killed_after,
    remember,
    run_python,
    scribble,
    sql,
    subject,
)

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
        (notice,) = map(memory_words, memory.notices)
        assert words in notice
        assert "nothing will be remembered" in notice
    assert contents(known.parent).keys() == before.keys()
    assert known.read_bytes() == before[known.name][2]


# Guest


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


def test_a_guest_reads_a_log_whose_index_is_lost(known):
    killed_after(known, "c")
    known.with_name(f"{known.name}-shm").unlink()
    with Memory.guest(known) as memory:
        assert (memory.size, memory.notices) == (3, ())


def test_a_guest_leaves_no_trace_in_an_unfinished_log(known):
    killed_after(known, "c")
    guest_sees_and_leaves(known, "a", "b", "c")


def test_a_guest_beside_a_process_that_writes(known):
    code = """
import sys
from pathlib import Path
from kpinspector.scoring.memory.memory import Memory
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


def test_a_guest_makes_neither_file_nor_folder(memory_path):
    with Memory.guest(memory_path) as memory:
        assert memory.notices == ()
        remember(memory, "a")
    assert not memory_path.parent.exists()


def test_a_guest_leaves_a_damaged_file_where_it_is(known):
    scribble(known, 0)
    before = contents(known.parent)
    with Memory.guest(known) as memory:
        assert remember(memory, "c")[0].basis is Basis.EMPTY_CACHE
        assert "damaged" in memory_words(memory.notices[0])
    assert contents(known.parent) == before
