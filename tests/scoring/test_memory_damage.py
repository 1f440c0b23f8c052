"""Any bytes in the memory's file: it works, or it is set aside, or it says why not."""

import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kpinspector.scoring.memory.memory import Memory
from kpinspector.settings import Mode
from tests.scoring.memory_samples import subject, vector_of

pytestmark = pytest.mark.slow

NAMES = [f"trace {number}" for number in range(40)]


class Whole:
    """Not a tuple: hypothesis would print all bytes of it."""

    def __init__(self, data, log):
        self.data, self.log = data, log


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a file with 40 entries, and those of a later log beside it."""
    path = tmp_path_factory.mktemp("whole") / "memory.sqlite3"
    with Memory(Mode.REMEMBER, path) as memory:
        for name in NAMES:
            memory.remember(subject(name), vector_of(name))
    with closing(sqlite3.connect(path)) as reader:
        # a reader keeps the log from being written back
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM entries").fetchone()
        with Memory(Mode.REMEMBER, path) as memory:
            memory.remember(subject("late"), vector_of("late"))
            memory.remember(subject("trace 3", "edited"), vector_of("edited"))
        data, log = path.read_bytes(), path.with_name(path.name + "-wal").read_bytes()
    assert len(data) > 100_000
    assert len(log) > 10_000
    return Whole(data, log)


@dataclass(frozen=True)
class Harm:
    """Cut at a share of the length, then bytes written over others; places as shares or offsets."""

    cut: float
    changes: list[tuple[float | int, bytes, int]]

    def done_to(self, data):
        data = data[: int(len(data) * self.cut)]
        for place, new, times in self.changes:
            offset = place if isinstance(place, int) else int(len(data) * place)
            data = overwritten(data, offset, new * times)
        return data


PLACES = st.floats(0, 1, exclude_max=True) | st.integers(0, 200)
SMALL = st.tuples(PLACES, st.binary(min_size=1, max_size=4), st.just(1))
BLOCK = st.tuples(PLACES, st.sampled_from([b"\0", b"\xff", b"["]), st.integers(1, 9000))
HARM = st.builds(Harm, st.just(1.0), st.lists(SMALL, min_size=1, max_size=12)) | st.builds(
    Harm, st.just(1.0) | st.floats(0, 1), st.lists(SMALL | BLOCK, max_size=3)
)


def overwritten(data, offset, new):
    return data[:offset] + new[: max(0, len(data) - offset)] + data[offset + len(new) :]


def use(memory):
    """Everything that a memory can do."""
    memory.finding(subject(NAMES[7]))
    memory.remember(subject("new"), vector_of("new"))
    memory.remember(subject(NAMES[5], "edited"), vector_of("edited"))
    memory.remember(subject(NAMES[9]), vector_of(NAMES[9]), again=True)
    for name in NAMES:
        memory.finding(subject(name))
    assert len(memory.entries()) <= memory.size
    memory.forget(NAMES[1])
    kept = memory.remember(subject("kept"), vector_of("kept"))
    assert memory.finding(subject("kept")) == kept
    return kept


def check(data, log):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.sqlite3"
        path.write_bytes(data)
        if log is not None:
            path.with_name(path.name + "-wal").write_bytes(log)
        with Memory(Mode.GUEST, path) as memory:
            use(memory)
        assert path.read_bytes() == data
        with Memory(Mode.REMEMBER, path) as memory:
            kept = use(memory)
            remembers = memory.remembers
            assert remembers or memory.notices
        with Memory(Mode.REMEMBER, path) as memory:
            # damage that nothing has met yet may be met now
            if remembers and not memory.notices and memory.finding(subject("kept")) is not None:
                assert memory.finding(subject("kept")) == kept
            memory.clear()
            memory.remember(subject("last"), vector_of("last"))
            remembers = memory.remembers
        if remembers:
            with Memory(Mode.REMEMBER, path) as memory:
                assert memory.finding(subject("last")) is not None


@settings(deadline=None, max_examples=120, suppress_health_check=[HealthCheck.too_slow])
@given(harm=HARM)
def test_a_file_with_any_bytes(whole, harm):
    check(harm.done_to(whole.data), None)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(harm=HARM)
def test_a_log_with_any_bytes(whole, harm):
    check(whole.data, harm.done_to(whole.log))
