"""The same measurement under another similarity or finding; a look that leaves no trace."""

from dataclasses import replace
from typing import cast

import pytest

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.measurement import NOVELTY_ASSUMED, at_similarity, with_finding
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.embedder import Ahead
from kpinspector.scoring.novelty.questions import look_today
from kpinspector.scoring.novelty.sequence import (
    Measured,
    Place,
    expect,
    measure_batch,
    measure_edited,
)
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.records import Source, TraceRecord
from tests.answers import measurement
from tests.fakes import FakeEmbedder, NoEmbedder, make_raw
from tests.known import present


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
    with Memory.fresh() as made:
        yield made


def trace(name, **changes):
    return trace_from_json(make_raw(id=name, task={"objective": name}, **changes))


def remember(memory, *names):
    embedder = FakeEmbedder()
    records = [placed(trace(one))[0] for one in names]
    return [one.measurement for one in measure_batch(records, embedder, memory)]


def test_another_similarity_leaves_all_else_as_it_was():
    found = measurement()
    assert at_similarity(found, found.novelty.max_similarity) == found
    first = at_similarity(found, None)
    assert first.facts == found.facts
    assert (first.novelty.value, first.novelty.basis) == (0.5, Basis.EMPTY_CACHE)
    clamped = at_similarity(found, -0.25).novelty
    assert (clamped.value, clamped.unclamped, clamped.clamped) == (1.0, 1.25, True)


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


def test_where_the_window_ends_is_said_of_the_edited_text(memory):
    steps = [{"type": "thought", "content": "word " * 300}] * 3
    whole = trace("long", steps=steps)
    cut = replace(whole, steps=whole.steps[:2])
    edited = edit(whole, cut, FakeEmbedder(), memory)
    assert present(edited.reach).ends_at_step == 1


def test_without_a_model_an_edited_text_is_assumed_as_well(memory):
    found = edit(trace("a"), trace("a", steps=[]), NoEmbedder(), memory)
    assert found.assumed and found.value == NOVELTY_ASSUMED


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
