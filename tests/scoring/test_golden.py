"""Scores of the real SDK, in order, from an empty memory; schema cases and agent runs."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from kpinspector.runs.read import read_file
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.profiles import profile_for
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.embedder import Ahead, MiniLM
from kpinspector.scoring.novelty.sequence import (
    measure_batch,
    measure_novelty,
    measure_record,
    places_of,
)
from kpinspector.settings import Mode
from kpinspector.trace.find import FoundFile
from kpinspector.trace.records import Problem, Skipped, TraceRecord, UnscoredRecord
from tests.known import golden_lines

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[1] / "data"
CLOSE = 5e-5


@pytest.fixture(scope="module")
def minilm():
    return MiniLM()


def scores(path, embedder, memory):
    contents = read_file(FoundFile(path, path.name, named=True))
    assert not contents.problems
    for one in measure_batch(contents.traces, embedder, memory):
        facts = one.measurement.facts
        yield assess(one.measurement, profile_for(facts.task_domain), 0.75).score


def expected(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["score"] for line in lines]


def compare(traces, golden, embedder):
    wanted = expected(golden)
    with Memory(Mode.FRESH, None) as memory:
        got = list(scores(traces, embedder, memory))
        assert got == pytest.approx(wanted, abs=CLOSE, rel=0)
        assert list(scores(traces, embedder, memory)) == got
    return got, wanted


def test_the_synthetic_sequence(minilm):
    compare(DATA / "sequence_traces.jsonl", DATA / "sequence_scores.jsonl", minilm)


def test_high_scores_and_their_verdicts(minilm):
    got, wanted = compare(DATA / "high_traces.jsonl", DATA / "high_scores.jsonl", minilm)
    assert [one >= 0.75 for one in got] == [one >= 0.75 for one in wanted]
    assert sum(one >= 0.75 for one in wanted) == 38


def test_real_agent_runs(minilm, reference):
    traces = reference / "corpus" / "agent_traces.jsonl"
    compare(traces, DATA / "agent_scores.jsonl", minilm)


OBJECT_MEMBERS = {
    "constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "toLocaleString",
    "propertyIsEnumerable", "__proto__", "__defineGetter__", "__defineSetter__",
    "__lookupGetter__", "__lookupSetter__",
}  # fmt: skip
OUTCOMES = {"throws": "throws", "nan": "score is NaN", "infinite": "Infinity"}


def is_as_the_sdk_has_it(answer, record, measured):
    """Whether the record has the SDK's score, or is without one for its reason."""
    if isinstance(record, TraceRecord):
        domain = record.trace.metadata.task_domain
        found = assess(measured.measurement, profile_for(domain), 0.75).score
        if domain in OBJECT_MEMBERS:  # the one thing that is not copied
            return answer["outcome"] == "nan"
        return answer["outcome"] == "number" and abs(found - answer["score"]) <= CLOSE
    if isinstance(record, Skipped):
        return answer["outcome"] == "throws" and record.reason == "an empty list"
    return OUTCOMES[answer["outcome"]] in record.message


def test_traces_of_any_types(minilm):
    """Scores, reasons, and after each record the number of vectors."""
    path, answers = DATA / "coercion_traces.jsonl", golden_lines("coercion_expected.jsonl")
    contents = read_file(FoundFile(path, path.name, named=True))
    unscored: tuple[Problem | Skipped, ...] = (*contents.problems, *contents.skipped)
    others = {one.record: one for one in unscored}
    assert len(answers) == len(contents.traces) + len(others) == 250
    found = places_of([one.trace for one in contents.texts], minilm)
    places = {one.source.record: place for one, place in zip(contents.texts, found, strict=True)}
    by_number = others | {one.source.record: one for one in contents.texts}
    with Memory(Mode.FRESH, None) as memory, closing(Ahead(minilm)) as ahead:
        for number, answer in enumerate(answers, start=1):
            record, measured = by_number[number], None
            if isinstance(record, TraceRecord):
                measured = measure_record(record, places[number], ahead, memory)
            elif isinstance(record, UnscoredRecord):
                measure_novelty(record, places[number], minilm, memory)
            assert is_as_the_sdk_has_it(answer, record, measured), number
            assert memory.size == answer["cache_size_after"], number
