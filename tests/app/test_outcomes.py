"""What is stated of runs: which values, kept where, and seen in a row without measuring again."""

import json
from dataclasses import replace

import pytest

from kpinspector.app.document import Document, Rules
from kpinspector.app.documents import DocumentStore
from kpinspector.app.engine import TAKEN_BACK, Engine, Said, Statement
from kpinspector.runs.provenance import read_source, run_place
from kpinspector.runs.read import RunRecord, read_bytes, restated
from kpinspector.runs.rules import RunOutcome
from kpinspector.runs.run import Chunk
from kpinspector.runs.stated import FOLDER, NOTHING_STATED, Stated
from kpinspector.settings import Mode, Settings
from kpinspector.trace.step_source import StepSource
from tests.e2e.test_convert import DATA, LINES
from tests.fakes import FakeEmbedder

STATED = Stated(RunOutcome(0.9, success=True), "code")


@pytest.fixture
def run():
    (record,) = read_bytes(DATA, "night.jsonl").traces
    return record


def engine_of(mode, folder):
    return Engine(mode, folder, Settings(), FakeEmbedder())


def read_again(engine):
    """What the run then says that was stated."""
    (record,) = read_bytes(DATA, "night.jsonl", asked=engine.asked).traces
    assert isinstance(record, RunRecord)
    return record.imported.stated


def test_only_what_is_meant_is_stated_and_nothing_that_is_recorded(run):
    assert Statement(STATED).of(run) == STATED
    assert Statement(STATED, (Said.DOMAIN,)).of(run) == Stated(domain="code")
    failed = replace(run.imported.run, success=False)
    known = replace(run, imported=replace(run.imported, run=failed))
    assert Statement(STATED).of(known) == Stated(RunOutcome(0.9), "code")
    assert TAKEN_BACK.of(restated(run, STATED)) == NOTHING_STATED


def test_only_who_remembers_writes_what_is_stated(run, tmp_path):
    for mode in (Mode.GUEST, Mode.FRESH):
        engine = engine_of(mode, tmp_path)
        assert engine.state_outcome(run, STATED).imported.stated == STATED
        assert not (tmp_path / FOLDER).exists()
        assert read_again(engine) == STATED
    engine_of(Mode.REMEMBER, tmp_path).state_outcome(run, STATED)
    assert read_again(engine_of(None, tmp_path)) == STATED


def test_a_measurement_that_comes_late_is_that_of_the_run_as_it_is_stated_now(qapp, run, tmp_path):
    engine, row = engine_of(Mode.FRESH, tmp_path), Document(1, run, Rules())
    store = DocumentStore(Rules())
    store.put(row)
    (place,) = engine.places([row])
    late, _ = engine.measure(row, place)
    store.put(row.restated(restated(run, STATED)))
    assert store.put_scored(late)
    now = store[1]
    assert now.score is not None and late.score is None
    assert now.facts is not None and now.facts.task_domain == "code"
    assert now.measured is not None and now.measured.record is now.item
    (other,) = read_bytes(DATA, "night.jsonl").traces  # read anew: other steps, perhaps
    assert not store.put_scored(replace(late, item=other))
    engine.close()


def test_a_score_without_a_recovery_is_less(run, tmp_path):
    engine, row = engine_of(Mode.FRESH, tmp_path), Document(1, run, Rules())
    assert row.without_recovery(3) is None
    (place,) = engine.places([row])
    scored, _ = engine.measure(row, place)
    assert scored.bounds is not None
    without = scored.without_recovery(3)
    assert without is not None and without[1] < scored.bounds[1]
    engine.close()


def test_the_text_of_a_step_is_that_of_its_recording(run, tmp_path):
    path = tmp_path / "night.jsonl"
    path.write_bytes(DATA)
    place = run_place(run, 3)
    assert place is not None
    found = read_source(replace(place, path=str(path)))
    assert json.loads("\n".join(found.lines)) == LINES[5]["message"]["content"][0]
    assert found.first == 6
    gone = replace(place, path=str(path), place=replace(place.place, chunk=Chunk(1, 9, 30)))
    assert read_source(gone) == StepSource()
    assert read_source(replace(place, path=str(tmp_path / "none"))) == StepSource()
