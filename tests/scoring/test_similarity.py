import numpy as np
import pytest

from kpinspector.errors import ModelError
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.questions import similarity_of
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.records import Source, TraceRecord
from tests.fakes import FakeEmbedder, NoEmbedder, make_raw


def trace(name):
    return trace_from_json(make_raw(id=name, task={"objective": name}))


def test_it_is_the_cosine_of_both_embeddings():
    embedder = FakeEmbedder()
    one, other = (embedder.embed(embedder.window(trace(name).text)) for name in "ab")
    with Memory.fresh() as memory:
        found = similarity_of(trace("a"), trace("b"), embedder, memory)
        assert found == pytest.approx(float(np.dot(one, other)), abs=1e-6)
        assert similarity_of(trace("b"), trace("a"), embedder, memory) == found
        assert similarity_of(trace("a"), trace("a"), embedder, memory) == pytest.approx(1)


def test_what_is_remembered_is_not_embedded_again():
    embedder = FakeEmbedder()
    with Memory.fresh() as memory:
        records = [TraceRecord(Source("a.json", None, 1), trace(name), ()) for name in "ab"]
        list(measure_batch(records, embedder, memory))
        embedder = FakeEmbedder()
        similarity_of(trace("a"), trace("b"), embedder, memory)
        assert embedder.embedded == 0


def test_without_a_model_there_is_none():
    with Memory.fresh() as memory, pytest.raises(ModelError):
        similarity_of(trace("a"), trace("b"), NoEmbedder(), memory)
