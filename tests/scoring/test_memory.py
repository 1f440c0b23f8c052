import numpy as np
import pytest

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.memory import rows as memory_rows
from kpinspector.scoring.memory.memory import Memory
from kpinspector.settings import Mode, Settings
from tests.scoring.memory_samples import (
    MODEL,
    Clock,
    keys_of,
    order_of,
    remember,
    subject,
    vector_of,
    vectors,
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.sqlite3"


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def memory(path, clock):
    with Memory(Mode.REMEMBER, path, clock=clock) as opened:
        yield opened
        assert opened.notices == ()


def test_an_edit_is_not_compared_with_itself_and_can_be_undone(memory):
    remember(memory, "a", "b", "c")
    first = memory.finding(subject("a"))
    edited = memory.remember(subject("a", "edited"), vector_of("a"))
    assert edited.compared_with == 2
    assert set(keys_of(edited)) == {"b", "c"}
    assert order_of(memory) == ["b", "c", "a"]
    assert memory.finding(subject("a")) == first
    assert memory.remember(subject("a"), vector_of("a")) == first
    assert order_of(memory) == ["b", "c", "a"]
    later = memory.remember(subject("d"), vector_of("a"))
    assert later.max_similarity == pytest.approx(1.0)
    assert later.compared_with == 3


def test_an_id_that_looks_like_a_key_is_an_id(memory):
    variant = subject("a", "one", variant=True)
    nameless = subject(None, "two")
    lookalikes = [subject(variant.key, "one"), subject(nameless.key, "two")]
    for number, one in enumerate([variant, nameless, *lookalikes]):
        assert memory.finding(one) is None
        assert memory.remember(one, vector_of("same")).compared_with == number
    assert memory.size == memory.findings_count == 4
    for one, other in zip(lookalikes, (variant, nameless), strict=True):
        assert memory.forget(one.key)
        assert memory.finding(other) is not None and memory.finding(one) is None
        assert memory.forget(one.key)
    assert memory.size == memory.findings_count == 0


def test_ids_are_compared_byte_for_byte(memory):
    names = ["a", "A", "a ", "a\0", "a\0b", "é", "e\u0301", "%", "_", "'", "\N{PILE OF POO}"]
    for number, name in enumerate(names):
        assert memory.remember(subject(name), vector_of(name)).compared_with == number
    assert order_of(memory) == names
    assert memory.forget("a\0")
    assert memory.size == len(names) - 1


def test_settings_decide_what_is_live_and_destroy_nothing(path, clock):
    with Memory(Mode.REMEMBER, path, clock=clock) as memory:
        found = []
        for name in "abcdef":
            clock.now += 1000
            found += remember(memory, name)
    query = vector_of("a")
    with Memory(Mode.REMEMBER, path, Settings(max_elements=2), clock=clock) as memory:
        assert memory.size == 6
        assert memory.remember(subject("g"), query).compared_with == 2
        assert set(keys_of(memory.finding(subject("g")))) == {"e", "f"}
    with Memory(Mode.REMEMBER, path, Settings(ttl_ms=2000), clock=clock) as memory:
        assert set(keys_of(memory.remember(subject("h"), query))) == {"e", "f", "g"}
    with Memory(Mode.REMEMBER, path, Settings(max_elements=3, ttl_ms=1), clock=clock) as memory:
        clock.now -= 3000
        assert set(keys_of(memory.remember(subject("i"), query))) == {"f", "g", "h"}
        clock.now += 3001
        assert memory.remember(subject("j"), query).basis is Basis.EMPTY_CACHE
    with Memory(Mode.REMEMBER, path, clock=clock) as memory:
        assert memory.remember(subject("k"), query).compared_with == 10
        assert [memory.finding(subject(name)) for name in "abcdef"] == found


def test_which_text_a_neighbours_key_stands_for_is_told(memory, clock):
    remember(memory, "a", "b")
    first = memory.entry_of("a", MODEL)
    assert first.digest == subject("a").digest
    clock.now += 1000
    memory.remember(subject("a", "edited"), vector_of("edited"))
    now = memory.entry_of("a", MODEL)
    assert now.digest == subject("a", "edited").digest
    assert now.added_at == first.added_at + 1000
    memory.remember(subject("x" * 400), vector_of("x"))
    near = memory.look(subject("new"), vector_of("x")).neighbours[0]
    assert memory.entry_of(near.key, MODEL).digest == subject("x" * 400).digest
    assert memory.entry_of("a", "b" * 64) is None
    memory.forget("a")
    assert memory.entry_of("a", MODEL) is None


def test_forgetting_by_key(memory):
    one, two = (subject("a", text, variant=True) for text in ("one", "two"))
    nameless, other = subject(None, "three"), subject(None, "four")
    for number, one_of_all in enumerate([one, two, nameless, other]):
        memory.remember(one_of_all, vectors(4)[number])
    assert memory.forget(one.key)
    assert memory.forget(nameless.key)
    assert order_of(memory) == [two.key, other.key]
    assert memory.findings_count == 2
    for nothing in ("", "text:", "a#", "#", "text:3", "a#1234567", one.key, nameless.key):
        assert not memory.forget(nothing)
    assert memory.forget(two.key)
    assert memory.forget(other.key)
    assert memory.size == memory.findings_count == 0


def test_a_long_id_is_itself_and_fills_no_finding(memory):
    long = "i" * 100_000
    memory.remember(subject(long + "1"), vector_of("a"))
    found, other = remember(memory, "b", "c")
    assert memory.finding(subject(long + "1")) is not None
    assert memory.finding(subject(long + "2")) is None
    for near in (found.neighbours[0], *other.neighbours):
        assert len(near.key) <= 300 and len(near.trace_id) <= 300
    assert found.neighbours[0].key == "i" * 298 + "…"


def test_a_path_that_is_no_text_can_be_remembered(memory):
    memory.remember(subject("a", source_path="b\udcffd.json"), vector_of("a"))
    assert memory.entries()[0].source_path == "b?d.json"
    assert remember(memory, "b")[0].neighbours[0].source_path == "b?d.json"


def test_vectors_are_read_once(path, memory, monkeypatch):
    remember(memory, "a", "b", "c")
    read = []

    def counted(connection, model, sequence):
        found = vectors_after(connection, model, sequence)
        read.append(found[1])
        return found

    vectors_after = memory_rows.vectors_after
    monkeypatch.setattr(memory_rows, "vectors_after", counted)
    with Memory(Mode.REMEMBER, path) as other:
        remember(other, "d", "e", "f")
        assert read == [[1, 2, 3]]
        remember(memory, "g")
        remember(other, "h")
        assert read[1:] == [[4, 5, 6], [7]]


def test_live_entries_are_given_as_if_some_had_been_forgotten(path, clock):
    with Memory(Mode.REMEMBER, path, Settings(max_elements=2), clock=clock) as memory:
        for name in "abcd":
            remember(memory, name)
        variant = subject("d", "other", variant=True)
        memory.remember(variant, vector_of("other"))
        memory.remember(subject(None, "text"), vector_of("text"))
        before = memory.entries()
        entries, found = memory.live(MODEL, [])
        assert [one.key for one in entries] == [variant.key, subject(None, "text").key]
        assert (found == np.stack([vector_of("other"), vector_of("text")])).all()
        entries, found = memory.live(MODEL, [subject("d", "new"), subject(None, "text")])
        assert [one.trace_id for one in entries] == ["b", "c"]
        assert (found == np.stack([vector_of("b"), vector_of("c")])).all()
        assert memory.live("b" * 64, [])[0] == ()
        assert memory.entries() == before
