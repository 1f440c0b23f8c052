"""The same measurement under another similarity or finding; a look that leaves no trace."""

from dataclasses import replace
from typing import cast

import pytest

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.measurement import NOVELTY_ASSUMED, with_finding
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.embedder import Ahead
from kpinspector.scoring.novelty.neighbours import look_today
from kpinspector.scoring.novelty.sequence import (
    Flag,
    Measured,
    Place,
    expect,
    measure_batch,
    measure_edited,
    reach_of,
)
from kpinspector.settings import Mode
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.records import Source, TraceRecord
from tests.answers import measurement
from tests.fakes import FakeEmbedder, NoEmbedder, make_raw


def placed(trace) -> tuple[TraceRecord, Place]:
    """A record of the trace, and its place in a drop of its own."""
    return TraceRecord(Source("one.json", None, 1), trace, ()), Place(trace.id or "", False, ())


def look(trace, embedder, memory):
    record, place = placed(trace)
    return look_today(Measured(record, place, measurement()), embedder, memory)


def edit(whole, cut, embedder, memory):
    record, place = placed(whole)
    return measure_edited(record, cut, place, embedder, memory)


@pytest.fixture
def memory():
    with Memory(Mode.FRESH, None) as made:
        yield made


def trace(name, **changes):
    return trace_from_json(make_raw(id=name, task={"objective": name}, **changes))


def remember(memory, *names):
    embedder = FakeEmbedder()
    records = [placed(trace(one))[0] for one in names]
    return [one.measurement for one in measure_batch(records, embedder, memory)]


def test_looking_finds_todays_entries_and_remembers_nothing(memory):
    first, _ = remember(memory, "a", "b")
    embedder = FakeEmbedder()
    today = look(trace("a"), embedder, memory)
    assert [near.key for near in today.neighbours] == ["b"]
    assert embedder.embedded == 0  # its vector is stored
    assert memory.size == memory.findings_count == 2
    assert with_finding(first, today).novelty.max_similarity == today.max_similarity
    assert remember(memory, "a")[0].novelty.basis is Basis.EMPTY_CACHE


@pytest.mark.parametrize("trace_id", ["kp:trace:one", None])
def test_an_edited_text_is_not_compared_with_the_trace_that_was_edited(memory, trace_id):
    embedder = FakeEmbedder()
    whole = trace_from_json(make_raw() | {"id": trace_id})
    cut = replace(whole, steps=whole.steps[1:])
    list(measure_batch([placed(whole)[0]], embedder, memory))
    alone = edit(whole, cut, embedder, memory)
    assert (alone.value, alone.basis) == (NOVELTY_ASSUMED, Basis.EMPTY_CACHE)
    remember(memory, "other")
    found = edit(whole, cut, embedder, memory)
    vectors = [embedder.embed(embedder.window(one.text)) for one in (cut, trace("other"))]
    similarity = float(vectors[0] @ vectors[1])
    assert found.max_similarity == pytest.approx(similarity, abs=1e-6)
    assert [near.key for near in found.neighbours] == ["other"] and not found.remembered
    assert memory.size == memory.findings_count == 2


def test_a_text_that_was_not_recorded_is_neither_embedded_nor_remembered(memory):
    embedder = FakeEmbedder()
    silent = replace(trace("a"), text_known=False)
    record = TraceRecord(Source("one.json", None, 1), silent, ())
    (measured,) = measure_batch([record], embedder, memory)
    novelty = measured.measurement.novelty
    assert (novelty.value, novelty.basis, novelty.assumed) == (0.5, Basis.NOT_RECORDED, True)
    assert embedder.embedded == 0 and memory.size == 0


def test_a_text_that_was_not_recorded_is_not_expected_either(memory):
    class Seen:
        depth, model, texts = 3, "", None

        def expect(self, texts, is_known):
            self.texts = texts

    seen, silent = Seen(), replace(trace("a"), text_known=False)
    records = [TraceRecord(Source("x", None, 1), one, ()) for one in (silent, trace("b"))]
    expect(records, cast(Ahead, seen), memory)
    assert seen.texts == [trace("b").text]


def record(trace_id="kp:trace:one", text="a text"):
    raw = make_raw(id=trace_id, task={"objective": text}, steps=[])
    return TraceRecord(Source("runs.json", None, 1), trace_from_json(raw), ())


def novelties(records, embedder, memory):
    return [one.measurement.novelty for one in measure_batch(records, embedder, memory)]


@pytest.fixture
def embedder():
    return FakeEmbedder()


def test_a_negative_similarity_is_clamped_and_the_sdks_value_kept(memory, embedder, monkeypatch):
    vector = embedder.embed(embedder.window("any"))
    vectors = iter([vector, -vector])
    monkeypatch.setattr(embedder, "embed", lambda _window: next(vectors))
    drop = [record("kp:trace:1", "one"), record("kp:trace:2", "two")]
    novelty = novelties(drop, embedder, memory)[1]
    assert (novelty.value, novelty.clamped) == (1.0, True)
    assert novelty.unclamped == pytest.approx(2.0) and novelty.max_similarity < 0


def test_one_id_with_several_texts_is_several_traces(memory, embedder):
    drop = [record(text="one"), record(text="two"), record(text="one")]
    measured = list(measure_batch(drop, embedder, memory))
    keys = [one.place.key for one in measured]
    assert keys[0] == keys[2] != keys[1]
    assert all(
        key.startswith("kp:trace:one#") and len(key) == len("kp:trace:one#") + 8 for key in keys
    )
    assert [one.place.flags for one in measured] == [
        (Flag.SHARED_ID,),
        (Flag.SHARED_ID,),
        (Flag.DUPLICATE, Flag.SHARED_ID),
    ]
    assert measured[1].measurement.novelty.compared_with == 1
    assert measured[2].measurement.novelty.remembered


def test_the_same_trace_twice_is_a_duplicate(memory, embedder):
    measured = list(measure_batch([record(), record()], embedder, memory))
    assert [one.place.flags for one in measured] == [(), (Flag.DUPLICATE,)]
    assert [one.place.key for one in measured] == ["kp:trace:one"] * 2
    assert embedder.embedded == 1


def test_no_usable_id_takes_the_text_for_key(memory, embedder):
    drop = [record(trace_id, "one") for trace_id in (None, "", 7)]
    measured = list(measure_batch(drop, embedder, memory))
    digest = embedder.window(drop[0].trace.text).digest
    assert {one.place.key for one in measured} == {f"text:{digest}"}
    assert measured[0].place.flags == (Flag.NO_ID,)
    assert measured[1].place.flags == (Flag.DUPLICATE, Flag.NO_ID)


def test_without_a_model_novelty_is_assumed_and_nothing_is_stored(memory):
    drop = [record(text="one"), record(text="two"), record("kp:trace:2")]
    measured = list(measure_batch(drop, NoEmbedder(), memory))
    for one in measured:
        novelty = one.measurement.novelty
        assert (novelty.value, novelty.basis) == (0.5, Basis.NO_EMBEDDER)
        assert (novelty.compared_with, novelty.found_at) == (0, None)
        assert novelty.assumed and novelty.reach is None
    assert memory.size == 0


def test_without_weights_a_remembered_trace_still_answers(memory, embedder):
    drop = [record("kp:trace:1", "one"), record("kp:trace:2", "two")]
    known = novelties(drop, embedder, memory)[1]

    class Weightless(FakeEmbedder):
        def embed(self, window):
            raise NoEmbedder.failure

    again, new = novelties([drop[1], record("kp:trace:3", "three")], Weightless(), memory)
    assert (again.value, again.remembered) == (known.value, True)
    assert new.assumed and new.reach is not None


@pytest.mark.parametrize(
    ("objective", "words", "step"),
    [(510, 1, None), (512, 5, None), (10, 400, 1), (0, 512, 0), (0, 513, 0)],
)
def test_the_step_in_which_the_window_ends(embedder, objective, words, step):
    steps = [{"type": "thought", "content": "w " * (words - 1) + "w"} for _ in range(3)]
    raw = make_raw(task={"objective": "o " * max(0, objective - 1) + "o" * bool(objective)})
    trace = trace_from_json(raw | {"steps": steps})
    reach = reach_of(trace, embedder.window(trace.text))
    assert reach.tokens == 512 and reach.truncated
    expected = {510: 1, 512: None}.get(objective, step)
    assert reach.ends_at_step == expected
