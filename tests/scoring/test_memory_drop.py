"""Damage that is found in the middle of a drop: what came before it is kept, in its order."""

import json

import pytest

from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.trace.read import read_bytes
from kpinspector.words.memory import memory_words
from tests.fakes import FakeEmbedder, make_raw
from tests.scoring.memory_samples import (
    keys_of,
    order_of,
    remember,
    scribble,
    sql,
    subject,
    vector_of,
    zero_indexes,
)

HELD = "the traces of this run alone"


def drop_of(*texts):
    raws = [make_raw(id=f"kp:trace:{text}", task={"objective": text}) for text in texts]
    return read_bytes("\n".join(map(json.dumps, raws)).encode(), "drop.jsonl").traces


def ruin(path):
    """Nothing can be read of it any more; its log is gone too."""
    sql(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    scribble(path, 0, b"\xff" * path.stat().st_size)


@pytest.fixture
def path(tmp_path):
    """A memory that knows two traces."""
    path = tmp_path / "memory.sqlite3"
    with Memory.open(path) as memory:
        list(measure_batch(drop_of("old one", "old two"), FakeEmbedder(), memory))
    return path


def found_in(memory, records, harm=None, after=2):
    """What a drop gives, harmed once so many of its traces were measured."""
    found = []
    for number, one in enumerate(measure_batch(records, FakeEmbedder(), memory), 1):
        found.append(one.measurement.novelty)
        if harm is not None and number == after:
            harm()
    return found


@pytest.mark.parametrize("harm", [zero_indexes, ruin])
def test_a_drop_stays_one_sequence(path, harm):
    records = drop_of("a", "b", "c", "d")
    with Memory.fresh() as memory:
        alone = found_in(memory, records)
    with Memory.open(path) as memory:
        found = found_in(memory, records, lambda: harm(path))
        (notice,) = map(memory_words, memory.notices)
        assert memory.lost and memory.remembers
        assert notice.endswith(f"and a new memory was begun with {HELD}.")
        assert order_of(memory) == [one.trace.id for one in records]
    assert [one.compared_with for one in found] == [2, 3, 2, 3]
    assert [one.max_similarity for one in found[2:]] == [one.max_similarity for one in alone[2:]]
    assert [one.neighbours for one in found[2:]] == [one.neighbours for one in alone[2:]]
    with Memory.open(path) as memory:
        again = found_in(memory, records)
        assert all(one.remembered for one in again)
        assert [one.max_similarity for one in again] == [one.max_similarity for one in found]
        assert [one.found_at for one in again] == [one.found_at for one in found]
        assert memory.size == 4 and memory.notices == ()


def test_what_was_forgotten_stays_forgotten_and_an_edit_where_it_moved_to(path):
    with Memory.open(path) as memory:
        remember(memory, "a", "b", "c", "d")
        memory.remember(subject("a", "edited"), vector_of("edited"))
        again = memory.score_again(subject("c"), vector_of("c"))
        assert memory.forget("b")
        ruin(path)
        found = memory.remember(subject("e"), vector_of("e"))
        assert sorted(keys_of(found)) == ["a", "c", "d"]
        assert order_of(memory) == ["c", "d", "a", "e"]
        assert memory.finding(subject("b")) is None
        assert memory.finding(subject("c")) == again
        assert memory.finding(subject("a")) is not None  # an undone edit has its number
        memory.clear()
        ruin(path)
        remember(memory, "f")
        assert order_of(memory) == ["f"]
        assert memory_words(memory.notices[-1]).endswith("and a new memory was begun.")


def test_where_nothing_can_be_set_aside_the_drop_goes_on_in_private(path, monkeypatch):
    records = drop_of("a", "b", "c")

    def refuse(*_):
        raise PermissionError("no")

    monkeypatch.setattr("kpinspector.scoring.memory.file.set_aside", refuse)
    with Memory.open(path) as memory:
        found = found_in(memory, records, lambda: ruin(path))
        assert not memory.remembers and memory.lost
        (notice,) = map(memory_words, memory.notices)
        assert notice.endswith(f"Scoring goes on with {HELD}, and nothing will be remembered.")
        assert order_of(memory) == [one.trace.id for one in records]
    assert [one.compared_with for one in found] == [2, 3, 2]


def test_a_known_trace_keeps_its_number_and_its_place(path):
    """Also where its entry is what is damaged: the finding answers, and nothing is set aside."""
    with Memory.open(path) as memory:
        remember(memory, "a", "b")
    with Memory.open(path) as memory:
        known = memory.recall(subject("b"))
        assert memory.recall(subject("new")) is None
        ruin(path)
        assert keys_of(remember(memory, "c")[0]) == ["b"]
        assert order_of(memory) == ["b", "c"]
        assert memory.finding(subject("b")) == known
    sql(path, "UPDATE entries SET vector = x'00' WHERE trace_id = 'b'")
    with Memory.open(path) as memory:
        assert memory.recall(subject("b")) == known
        assert memory.notices == ()


def test_a_long_drop_keeps_its_newest(path, monkeypatch):
    monkeypatch.setattr("kpinspector.scoring.memory.connection._MOST_ACTS", 3)
    with Memory.open(path) as memory:
        remember(memory, "a", "b", "c", "d")
        ruin(path)
        remember(memory, "e")
        assert order_of(memory) == ["b", "c", "d", "e"]
        assert "begun with the last 3 traces of this run" in memory_words(memory.notices[0])
