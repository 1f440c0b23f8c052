"""Rows that are scored as guests: compared with the memory, and not remembered."""

import json

import pytest

from kpinspector.app.answers import REPORT, explanation_of
from kpinspector.app.reading import Opening
from kpinspector.runs.read import read_bytes
from kpinspector.scoring.findings import Basis
from kpinspector.settings import Mode
from tests.app.harness import write
from tests.fakes import Gated, make_raw
from tests.known import present

REMARK = "Scored as a guest: compared with what is remembered by now, and not remembered itself."


def guests(one, *ids, raws=None):
    """Open traces that are scored as guests."""
    raws = raws or [make_raw(id=each, task={"objective": each}) for each in ids]
    data = "\n".join(map(json.dumps, raws)).encode()
    one.session.pipeline.open((Opening(read_bytes(data, "guests.jsonl"), as_guest=True),))
    one.settle()
    return [one.session.documents[-len(raws) + place] for place in range(len(raws))]


def remembered(one):
    return one.session.memory.state.remembered


def no_longer_guests(one, *rows):
    for row in rows:
        one.session.store.put(one.session.store[row.number].scored_as(guest=False))
    assert one.session.store.unscored == [row.number for row in rows]
    one.session.pipeline.score([row.number for row in rows])
    one.settle()
    return [one.session.store[row.number] for row in rows]


@pytest.mark.parametrize("mode", Mode)
def test_a_guest_is_compared_and_nothing_of_it_is_stored(harness, tmp_path, mode):
    one = harness(mode=mode, opened=[write(tmp_path / "a.jsonl", "a", "b")])
    if mode is Mode.FRESH:
        (first,) = guests(one, "a-like")
        assert first.measured.measurement.novelty.basis is Basis.EMPTY_CACHE
        assert remembered(one) == 0
        return
    first, second = guests(one, "a-like", "b-like")
    for row in (first, second):
        novelty = row.measured.measurement.novelty
        assert (novelty.basis, novelty.compared_with) == (Basis.MEASURED, 2)
    assert remembered(one) == 2 and one.session.store.unscored == []


def test_what_is_remembered_of_a_guest_answers_for_it(harness, tmp_path):
    one = harness(opened=[write(tmp_path / "a.jsonl", "a", "b")])
    found = one.session.documents[1].measured.measurement.novelty
    raws = [make_raw(id="b", task={"objective": "b"})]
    (row,) = guests(one, raws=raws)
    assert row.measured.measurement.novelty.remembered
    assert row.measured.measurement.novelty.max_similarity == found.max_similarity
    remark = "Scored as a guest, by what was found when it was remembered."
    assert remark in explanation_of(row).remarks and REMARK not in explanation_of(row).remarks


def test_the_answer_and_the_report_say_that_nothing_is_remembered(harness, tmp_path):
    one = harness(opened=[write(tmp_path / "a.jsonl", "a")])
    (row,) = guests(one, "guest")
    said = [explanation_of(each).remarks for each in one.session.documents]
    assert [REMARK in each for each in said] == [False, True]
    out = tmp_path / "report.json"
    one.session.exports.write(REPORT, out, one.session.documents)
    one.settle()
    written = json.loads(out.read_text(encoding="utf-8"))
    assert ["as_guest" in each["flags"] for each in written["traces"]] == [False, True]
    assert row.as_guest and row.measured.place.as_guest
    one.open(out)
    assert present(one.session.documents[-1].replay).identical


def test_who_is_no_guest_any_more_is_scored_and_remembered(harness, tmp_path):
    one = harness(opened=[write(tmp_path / "a.jsonl", "a")])
    rows = guests(one, "x", "y")
    now = no_longer_guests(one, *rows)
    assert remembered(one) == 3
    assert [row.measured.measurement.novelty.compared_with for row in now] == [1, 2]
    assert not any(row.measured.place.as_guest or row.waits for row in now)
    listed = []
    one.session.memory.listed.connect(listed.append)
    one.session.memory.list_all()
    one.settle()
    assert [entry.trace_id for entry in listed[0].entries] == ["a", "x", "y"]


def test_a_guest_that_waits_keeps_the_score_that_it_had(harness):
    one = harness()
    (row,) = guests(one, "x")
    one.session.store.put(row.scored_as(guest=False))
    assert one.session.store[row.number].waits and one.session.waits
    assert one.session.store[row.number].score == row.score is not None
    one.session.resume()
    one.settle()
    assert not one.session.waits and remembered(one) == 1


def test_who_is_no_guest_any_more_ignores_what_was_measured_as_one(harness, qtbot):
    embedder = Gated()
    one = harness(embedder)
    data = json.dumps(make_raw(id="x")).encode()
    one.session.pipeline.open((Opening(read_bytes(data, "x.json"), as_guest=True),))
    qtbot.waitUntil(embedder.waiting.is_set)
    (row,) = one.session.documents
    one.session.store.put(row.scored_as(guest=False))
    one.session.pipeline.score([row.number])
    one.go_on()
    (row,) = one.session.documents
    assert not row.measured.place.as_guest and remembered(one) == 1


def test_a_trace_without_a_score_is_no_guest_of_the_memory_either(harness):
    one = harness()
    raw = make_raw(id="x")
    raw["steps"] = [{"type": "thought", "content": 7, "metadata": {"success": {}}}]
    del raw["outcome"]
    (row,) = guests(one, raws=[raw])
    assert row.record is None and row.text is not None, "it has a text and no score"
    assert remembered(one) == 0 and not one.session.waits
    no_longer_guests(one, row)
    assert remembered(one) == 1
    assert not one.session.waits


def test_a_guest_that_is_as_it_was_is_not_measured_again(harness, tmp_path):
    one = harness()
    path = write(tmp_path / "x.json", "x")
    one.open(path)
    (file,) = one.session.store.files.values()
    (real,) = one.session.store.files

    def read(*, as_guest):
        opening = Opening(file.found, real, file.root, as_guest=as_guest)
        one.session.pipeline.open((opening,), only_changed=True)
        one.settle()
        return one.session.documents[0].measured

    first = read(as_guest=True)
    assert first.place.as_guest
    assert read(as_guest=True) is first
    last = read(as_guest=False)
    assert not last.place.as_guest and read(as_guest=False) is last
