"""Texts are embedded before their turn and side by side; what comes of it is as one by one."""

import threading
from collections.abc import Generator
from contextlib import closing

import numpy as np
import pytest

from kpinspector.errors import ModelError
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model import embedder as module
from kpinspector.scoring.model.embedder import Ahead, MiniLM
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.settings import Mode
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.records import Source, TraceRecord
from tests.fakes import FakeEmbedder, make_raw


def record(number, text):
    raw = make_raw(id=f"kp:trace:{number}", task={"objective": text}, steps=[])
    return TraceRecord(Source("runs.json", None, 1), trace_from_json(raw), ())


DROP = [record(number, text) for number, text in enumerate(("one", "two", "three", "four"))]


@pytest.fixture(autouse=True)
def _two_runs(monkeypatch):
    monkeypatch.setattr(module, "runs_at_once", lambda: 2)


@pytest.fixture
def memory():
    with Memory(Mode.FRESH, None) as opened:
        yield opened


def novelties(drop, embedder, memory):
    return [one.measurement.novelty for one in measure_batch(drop, embedder, memory)]


def values(found):
    return [(one.value, one.compared_with) for one in found]


class Together(FakeEmbedder):
    """Embeds only when two ask at once, and lets the one that came first go last."""

    def __init__(self):
        super().__init__()
        self.barrier = threading.Barrier(2)
        self.threads = set()

    def embed(self, window):
        self.threads.add(threading.current_thread().name.partition("_")[0])
        self.barrier.wait(10)
        return super().embed(window)


def test_several_are_embedded_at_once_and_stored_in_order(memory):
    together = Together()
    found = novelties(DROP, together, memory)
    assert together.threads == {"embedding"} and together.embedded == 4
    with Memory(Mode.FRESH, None) as other:
        lone = [novelties([one], FakeEmbedder(), other)[0] for one in DROP]
    assert values(found) == values(lone)
    assert [entry.trace_id for entry in memory.entries()] == [one.trace.id for one in DROP]


@pytest.mark.slow
def test_the_real_model_gives_the_same_bits_side_by_side():
    minilm = MiniLM()
    texts = ["a short one", "word " * 90, "many words of text " * 300, "中文 " * 80, "tail " * 700]
    alone = [minilm.embed(minilm.window(text)) for text in texts]
    with closing(Ahead(minilm)) as ahead:
        ahead.expect(texts, lambda _place, _window: False)
        beside = [ahead.embed(ahead.window(text)) for text in texts]
    assert all(np.array_equal(*pair) for pair in zip(alone, beside, strict=True))


def test_what_is_remembered_is_not_embedded_nor_the_same_text_twice(memory):
    novelties(DROP[:2], FakeEmbedder(), memory)
    embedder = FakeEmbedder()
    found = novelties([*DROP[:3], DROP[2], DROP[3], DROP[2]], embedder, memory)
    assert embedder.embedded == 2
    assert [one.remembered for one in found] == [True, True, False, True, False, True]


def test_no_more_is_begun_than_is_looked_ahead(memory):
    begun = []

    class Noting(FakeEmbedder):
        def window(self, text):
            begun.append(text)
            return super().window(text)

    measured = measure_batch([record(n, f"text {n}") for n in range(50)], Noting(), memory)
    next(measured)
    assert len(begun) == Ahead(FakeEmbedder()).depth < 50
    assert isinstance(measured, Generator)
    measured.close()  # and no thread is left


def test_a_run_that_fails_is_a_failure_of_its_own_trace(memory):
    class Partly(FakeEmbedder):
        def embed(self, window):
            if window == self.window("two "):
                raise ModelError("The embedding model is damaged.")
            return super().embed(window)

    found = novelties(DROP, Partly(), memory)
    assert [one.assumed for one in found] == [False, True, False, False]
