"""Scores of the real SDK, in order, from an empty memory; schema cases and agent runs."""

import json
from pathlib import Path

import pytest

from kpinspector.scoring.assess import assess
from kpinspector.scoring.batch import measure_batch
from kpinspector.scoring.embedder import MiniLM
from kpinspector.scoring.memory import Memory
from kpinspector.scoring.profiles import profile_for
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import read_file

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
    with Memory.fresh() as memory:
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
