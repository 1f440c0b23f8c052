"""Subjects, vectors, a clock, and what tests of the memory do to its file."""

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from kpinspector.scoring.findings import Subject
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.vectors import DIMENSIONS, Vector
from kpinspector.settings import Mode

ROOT = Path(__file__).parents[2]
MODEL = "a" * 64

posix_only = pytest.mark.skipif(os.name != "posix", reason="file modes of POSIX")


@dataclass
class Clock:
    """Stands still until it is set."""

    now: int = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def subject(trace_id: str | None, text: str | None = None, **changes) -> Subject:
    """By default the text is the id."""
    made = Subject(
        trace_id=trace_id,
        digest=digest_of(trace_id or "" if text is None else text),
        model=MODEL,
        variant=False,
        objective=f"objective of {trace_id}",
        source_path="runs/one.jsonl",
    )
    return replace(made, **changes)


def vectors(count: int, seed: int = 1) -> list[Vector]:
    """Unit vectors in all directions: half of all similarities are negative."""
    rows = np.random.default_rng(seed).normal(size=(count, DIMENSIONS))
    return list((rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32))


def vector_of(name: str) -> Vector:
    """The same vector for the same name, in every process."""
    return vectors(1, int(digest_of(name)[:8], 16))[0]


def remember(memory, *names):
    return [memory.remember(subject(name), vector_of(name)) for name in names]


def keys_of(finding):
    return [near.key for near in finding.neighbours]


def order_of(memory):
    return [entry.key for entry in memory.entries()]


def works_and_remembers(path, *, size=1):
    with Memory(Mode.REMEMBER, path) as memory:
        assert memory.notices == ()
        assert memory.remembers
        remember(memory, "new")
    with Memory(Mode.REMEMBER, path) as memory:
        assert memory.finding(subject("new")) is not None
        assert memory.size == size


def contents(folder):
    return {
        child.name: (child.stat().st_mtime_ns, child.stat().st_mode, child.read_bytes())
        for child in sorted(folder.iterdir())
    }


def scribble(path, offset, data=b"\xff" * 4000):
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def sql(path, *statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def zero_indexes(path):
    """Overwrite the first page of each index; the tables stay whole."""
    sql(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        roots = connection.execute("SELECT rootpage FROM sqlite_master WHERE type = 'index'")
        pages = [root for (root,) in roots]
    for page in pages:
        scribble(path, (page - 1) * size, bytes(size))


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


def killed_after(path, name):
    """Another process remembers one trace and is killed before it closes the file."""
    code = """
import os, sys
from pathlib import Path
from kpinspector.scoring.memory.memory import Memory
from tests.scoring.memory_samples import subject, vector_of
memory = Memory(Mode.REMEMBER, Path(sys.argv[1]))
memory.remember(subject(sys.argv[2]), vector_of(sys.argv[2]))
sys.stdout.write("done"), sys.stdout.flush()
os.kill(os.getpid(), int(sys.argv[3]))
"""
    done = run_python(code, path, name, int(getattr(signal, "SIGKILL", signal.SIGTERM)))
    assert done.stdout == "done", done.stderr
    assert path.with_name(path.name + "-wal").stat().st_size > 0
