"""Stand-ins for the model and for other processes, and traces to test with."""

import hashlib
import json
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from kpinspector.batch.child import Child
from kpinspector.errors import ModelError
from kpinspector.scoring.model.embedder import WINDOW_TOKENS, Window
from kpinspector.scoring.model.vectors import DIMENSIONS, Vector


class FakeEmbedder:
    """Takes each word for a token; makes a unit vector from the digest; counts embeddings."""

    model = "f" * 64

    def __init__(self) -> None:
        self._embedded: list[str] = []  # several threads may append at once
        self.failure: ModelError | None = None

    @property
    def embedded(self) -> int:
        return len(self._embedded)

    def window(self, text: str) -> Window:
        words = text.split(None, WINDOW_TOKENS)  # no more of a long text than the window
        kept = words[:WINDOW_TOKENS]
        ids = tuple(int(hashlib.sha256(word.encode()).hexdigest()[:6], 16) for word in kept)
        return Window(
            ids=ids,
            truncated=len(words) > WINDOW_TOKENS,
            end=len(" ".join(kept)) if len(words) > WINDOW_TOKENS else len(text),
        )

    def embed(self, window: Window) -> Vector:
        self._embedded.append(window.digest)
        return unit_vector(int(window.digest[:15], 16))


class Gated(FakeEmbedder):
    """Embeds the first ``count`` texts at once, and any other text only when the gate is open.

    The first texts are those tokenised first, since several threads embed at once, in any order.
    ``waiting`` is set when a text waits at the gate.
    """

    def __init__(self, count: int = 0, *, is_open: bool = False) -> None:
        super().__init__()
        self.gate, self.waiting = threading.Event(), threading.Event()
        self._free: set[str] = set()
        self._count = count
        if is_open:
            self.gate.set()

    def shut(self) -> None:
        self.gate.clear()
        self.waiting.clear()

    def window(self, text: str) -> Window:
        window = super().window(text)
        if len(self._free) < self._count:
            self._free.add(window.digest)
        return window

    def embed(self, window: Window) -> Vector:
        if window.digest not in self._free:
            self.waiting.set()
            assert self.gate.wait(60)
        return super().embed(window)


class NoEmbedder:
    """A program without its model."""

    failure = ModelError("The embedding model was not found.")

    @property
    def model(self) -> str:
        raise self.failure

    def window(self, text: str) -> Window:
        raise self.failure

    def embed(self, window: Window) -> Vector:
        raise self.failure


class Here(Child[Any]):
    """A ``Child`` that does its work at once, as a process of its own takes a second to start."""

    def __init__(self, work: Callable[..., Any], *arguments: object, limit: float = 0.0) -> None:
        self._result, self._ended, self.ended_early = work(*arguments), True, False


def unit_vector(seed: int) -> Vector:
    values = np.random.default_rng(seed).normal(size=DIMENSIONS)
    return (values / np.linalg.norm(values)).astype(np.float32)


def make_raw(**changes: Any) -> dict[str, Any]:
    """A schema-valid trace of three steps as JSON; a change to None removes the member."""
    raw: dict[str, Any] = {
        "@context": "https://openknowledgepulse.org/schema/v1",
        "@type": "ReasoningTrace",
        "id": "kp:trace:one",
        "metadata": {
            "created_at": "2026-01-15T12:00:00.000Z",
            "task_domain": "default",
            "success": True,
            "quality_score": 0,
            "visibility": "network",
            "privacy_level": "aggregated",
        },
        "task": {"objective": "Find the broken test"},
        "steps": [
            {"step_id": 0, "type": "thought", "content": "Look at the log"},
            {"step_id": 1, "type": "tool_call", "content": "", "tool": {"name": "grep"}},
            {"step_id": 2, "type": "observation", "content": "one failure"},
        ],
        "outcome": {"result_summary": "found", "confidence": 0.9},
    }
    raw.update(changes)
    return {name: value for name, value in raw.items() if value is not None}


def high_raw(trace_id="kp:trace:high"):
    """A trace that passes with default settings, as JSON."""
    kinds = ("thought", "tool_call", "observation", "error_recovery")
    steps = [
        {"step_id": n, "type": kinds[n % 4], "content": f"step {n}", "tool": {"name": f"tool {n}"}}
        for n in range(12)
    ]
    return make_raw(id=trace_id, steps=steps, outcome={"result_summary": "", "confidence": 1})


def passing(trace_id, objective):
    """A trace that passes, whose only text is its objective, as JSON."""
    raw = high_raw(trace_id) | {"task": {"objective": objective}}
    for step in raw["steps"]:
        step["content"] = ""
    return raw


def save(path, *raws):
    """Write traces as JSON Lines; returns the path."""
    path.write_text("\n".join(json.dumps(raw) for raw in raws), encoding="utf-8")
    return path
