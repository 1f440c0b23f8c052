"""Subjects, vectors and a clock for tests of the memory."""

import hashlib
from dataclasses import dataclass, replace

import numpy as np

from kpinspector.scoring.memory import Subject
from kpinspector.scoring.vectors import DIMENSIONS, Vector

MODEL = "a" * 64


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
