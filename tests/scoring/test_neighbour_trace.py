"""What became of the file behind a neighbour, on a memory that found it."""

import json

import pytest

from kpinspector.errors import TraceLostError
from kpinspector.runs.read import read_file
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.neighbours import TextState, read_neighbour
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.settings import Mode
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import read_bytes
from kpinspector.words.novelty import remark_on
from tests.fakes import FakeEmbedder, make_raw, save
from tests.scoring.memory_samples import Clock


class Desk:
    """Scores files one after the other, as a user would."""

    def __init__(self, folder):
        self.folder = folder
        self.clock = Clock()
        self.embedder = FakeEmbedder()
        self.memory = Memory(Mode.REMEMBER, folder / "memory.sqlite3", clock=self.clock)

    def save(self, name, *raws):
        return save(self.folder / name, *raws)

    def score(self, path):
        self.clock.now += 1000
        records = read_file(FoundFile(path, str(path), named=True)).traces
        return list(measure_batch(records, self.embedder, self.memory))

    def read(self, novelty):
        neighbour, found_at = novelty.neighbours[0], novelty.found_at
        return read_neighbour(neighbour, found_at, self.embedder, self.memory)


@pytest.fixture
def desk(tmp_path):
    made = Desk(tmp_path)
    yield made
    made.memory.close()


def raw(trace_id, text="the same"):
    return make_raw(id=trace_id, task={"objective": text})


def novelty_after(desk, *raws, name="old.jsonl"):
    """Score these, then another trace; its novelty names the last of them as neighbour."""
    desk.score(desk.save(name, *raws))
    return desk.score(desk.save("new.json", raw("kp:trace:new", "new")))[0].measurement.novelty


def kept(desk):
    return desk.memory.size, desk.memory.findings_count, desk.memory.entries()


def test_an_unchanged_file_answers_with_its_own_finding(desk):
    novelty = novelty_after(desk, raw("kp:trace:old"))
    before, embedded = kept(desk), desk.embedder.embedded
    found = desk.read(novelty)
    assert found.state is TextState.SAME
    assert found.measured.record.trace.id == "kp:trace:old"
    assert found.measured.measurement.novelty.remembered
    assert found.measured.place.key == "kp:trace:old"
    assert remark_on("old", found) == ()
    assert (kept(desk), desk.embedder.embedded) == (before, embedded)


def test_an_edit_behind_the_back_is_told_and_measured_but_not_remembered(desk):
    novelty = novelty_after(desk, raw("kp:trace:old"))
    desk.save("old.jsonl", raw("kp:trace:old", "other words"))
    before = kept(desk)
    found = desk.read(novelty)
    assert found.state is TextState.CHANGED
    assert found.measured.record.trace.objective == "other words"
    assert not found.measured.measurement.novelty.remembered
    assert found.measured.measurement.novelty.compared_with == 1
    assert kept(desk) == before
    changed, measured = remark_on("old", found)
    assert changed == "old has changed since it was remembered; this is its text now."
    assert "today's memory" in measured


def test_an_edit_that_was_scored_is_told(desk):
    novelty = novelty_after(desk, raw("kp:trace:old"))
    desk.score(desk.save("old.jsonl", raw("kp:trace:old", "other words")))
    found = desk.read(novelty)
    assert found.state is TextState.REMEMBERED_ANEW
    assert "remembered anew" in remark_on("old", found)[0]


def test_a_trace_without_id_is_known_by_its_text(desk):
    novelty = novelty_after(desk, raw(None, "first"), raw(None, "second"))
    for near in novelty.neighbours:
        found = read_neighbour(near, novelty.found_at, desk.embedder, desk.memory)
        assert found.measured.record.trace.objective == near.objective
        assert found.state is TextState.SAME
        assert found.measured.place.key == near.key
    desk.save("old.jsonl", raw(None, "first"), raw(None, "third"))
    second = next(near for near in novelty.neighbours if near.objective == "second")
    with pytest.raises(TraceLostError, match="no longer in its file"):
        read_neighbour(second, novelty.found_at, desk.embedder, desk.memory)
    desk.save("old.jsonl", raw(None, "third"))
    changed = read_neighbour(second, novelty.found_at, desk.embedder, desk.memory)
    assert changed.state is TextState.CHANGED


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "its file is gone"),
        ('{"id": ', "could not be read: "),
        (json.dumps(raw("kp:trace:another")), "is no longer in its file"),
        ("[]", "is no longer in its file"),
    ],
)
def test_a_file_without_the_trace_is_said(desk, text, reason):
    novelty = novelty_after(desk, raw("kp:trace:old"), name="old.json")
    path = desk.folder / "old.json"
    if text is None:
        path.unlink()
    else:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(TraceLostError) as raised:
        desk.read(novelty)
    assert reason in raised.value.message
    assert raised.value.message.startswith("old ")
    assert str(path) in raised.value.message


def test_what_never_was_a_file_is_said(desk):
    pasted = read_bytes(json.dumps(raw("kp:trace:old")).encode(), "(pasted)").traces
    list(measure_batch(pasted, desk.embedder, desk.memory))
    novelty = desk.score(desk.save("new.json", raw("kp:trace:new", "new")))[0].measurement.novelty
    with pytest.raises(TraceLostError, match="did not come from a file"):
        desk.read(novelty)
