"""Going to a neighbour: to its row, to its file, or to a sentence on what became of it."""

import json

import pytest

from kpinspector.app.questions import row_of
from kpinspector.scoring.findings import Neighbour
from tests.app.harness import write
from tests.fakes import make_raw
from tests.known import present


@pytest.fixture
def visited(harness):
    """A session that keeps the numbers of the rows it wants shown."""
    one = harness()
    one.wanted = []
    one.session.store.row_wanted.connect(one.wanted.append)
    return one


def nearest(one, place=-1):
    """The nearest neighbour of a row."""
    return one.session.documents[place].measured.measurement.novelty.neighbours[0]


def trace_of(neighbour, documents):
    return present(present(row_of(neighbour, documents)).record).trace


def names(one):
    return [one.session.store.get(number).record.trace.id for number in one.wanted]


def test_a_file_that_is_not_open_is_opened_and_its_record_shown(visited, tmp_path):
    visited.open(write(tmp_path / "many.jsonl", "a", "b", "c"))
    visited.open(write(tmp_path / "d.json", "d"))
    neighbour = nearest(visited)
    rows = [one for one in visited.session.documents if one.path.endswith("many.jsonl")]
    visited.session.remove([one.number for one in rows])
    visited.wanted.clear()
    visited.session.questions.go_to(neighbour)
    visited.settle()
    assert names(visited) == [neighbour.trace_id]
    assert visited.said == []


def test_a_file_without_the_trace_is_shown_and_said(visited, tmp_path):
    path = write(tmp_path / "a.json", "a")
    visited.open(path)
    visited.open(write(tmp_path / "b.json", "b"))
    neighbour = nearest(visited)
    visited.session.remove([visited.session.documents[0].number])
    write(path, "other")
    visited.wanted.clear()
    visited.session.questions.go_to(neighbour)
    visited.settle()
    assert names(visited) == ["other"]
    assert [notice.sentence for notice in visited.said] == ["a is not in a.json any more."]
    visited.said.clear()
    visited.wanted.clear()
    visited.session.questions.go_to(neighbour)
    visited.settle()
    assert [notice.sentence for notice in visited.said] == ["a is not in a.json any more."]


def test_texts_without_an_id_are_told_apart(visited, tmp_path):
    raws = [make_raw(id=None, task={"objective": one}) for one in ("first", "second", "third")]
    path = tmp_path / "many.jsonl"
    path.write_text("\n".join(map(json.dumps, raws)), encoding="utf-8")
    visited.open(path)
    for document in visited.session.documents:
        for neighbour in document.measured.measurement.novelty.neighbours:
            found = trace_of(neighbour, visited.session.documents)
            assert found.objective == neighbour.objective
    unscored = [one.__class__(one.number, one.item, one.rules) for one in visited.session.documents]
    last = nearest(visited)
    assert trace_of(last, unscored).objective == last.objective


def test_a_cut_key_still_finds_its_row(visited, tmp_path):
    long = "kp:trace:" + "x" * 400
    visited.open(write(tmp_path / "a.json", long))
    visited.open(write(tmp_path / "b.json", "b"))
    neighbour = nearest(visited)
    assert len(neighbour.key) == 299
    assert trace_of(neighbour, visited.session.documents).id == long


def test_a_path_that_no_file_can_have(visited):
    visited.wanted.clear()
    visited.session.questions.go_to(Neighbour("k", "k", "o", "a\0b", 0.5))
    visited.settle()
    assert len(visited.said) == 1
