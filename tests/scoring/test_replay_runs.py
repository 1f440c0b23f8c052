"""Reports on runs computed again: those of version 1, and whatever was changed in a range."""

import json

import pytest

from kpinspector.runs.rules import RunOutcome
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.scoring.report.compose import Results, make_report
from kpinspector.scoring.report.read import FoundReport
from kpinspector.scoring.report.replay import replay
from kpinspector.scoring.report.report import checksum_of, json_values, report_json
from kpinspector.scoring.whatif.scenario import NamedScenario, Scenario
from kpinspector.trace.read import Problem
from tests import undecided
from tests.fakes import FakeEmbedder
from tests.known import of
from tests.scoring.replays import TWO, at, changed_at, read_back, reread
from tests.scoring.test_report import USED, report_of
from tests.strategies import set_at

NEW_IN_TRACES = ("score_range", "provenance")


def run_report(used=USED, **known):
    record = undecided.record(failures=3, calls=4, stated=RunOutcome(**known))
    with Memory.fresh() as memory:
        measured = list(measure_batch([record], FakeEmbedder(), memory))
    return make_report(Results(measured, (), ()), used, FakeEmbedder.model)


NEITHER = {"confidence": None, "success": None}


def version_1(report):
    """The report as it was written before there were ranges."""
    raw = json.loads(report_json(report))
    raw["version"] = 1
    for trace in raw["traces"]:
        for name in NEW_IN_TRACES:
            assert trace.pop(name) is None
        assert trace["source"].pop("format") is None
        for profile in trace["profiles"].values():
            assert profile.pop("score_range") is None
        for scenario in trace["scenarios"]:
            for name in ("confidence_known", "success_known"):
                assert scenario["facts"].pop(name) is True
            assert (scenario.pop("assumed"), scenario.pop("score_range")) == ([], None)
    raw["checksum"] = checksum_of(raw)
    return raw


TRIED = {
    "threshold": Scenario(threshold=0.2),
    "confidence": Scenario(confidence=0.9),
    "success": Scenario(success=False),
    "by hand": Scenario(outcome_confidence=0.4, success=True),
}
ASSUMED = {
    "threshold": ["confidence", "success"],
    "confidence": ["success"],
    "success": ["confidence"],
    "by hand": [],
}


def test_a_scenario_of_a_run_says_what_the_middle_stands_in_for():
    record = undecided.record(failures=3, calls=4)
    saved = tuple(NamedScenario(name, scenario) for name, scenario in TRIED.items())
    with Memory.fresh() as memory:
        measured = list(measure_batch([record], FakeEmbedder(), memory))
    results = Results(measured, (), (), scenarios=(saved,))
    report = make_report(results, USED, FakeEmbedder.model)
    data = report_json(report)
    found = {one["name"]: one for one in json.loads(data)["traces"][0]["scenarios"]}
    assert {name: one["assumed"] for name, one in found.items()} == ASSUMED
    low, high = found["threshold"]["score_range"]
    assert low < found["threshold"]["score"] < high
    assert all(one["score_range"] is None for one in found.values() if one["name"] != "threshold")
    assert replay(of(FoundReport, read_back(data))).identical


def test_a_report_of_version_1_replays():
    raw = version_1(report_of(*TWO))
    found = of(FoundReport, read_back(json.dumps(raw).encode()))
    assert found.report.version == 1
    again = replay(found)
    assert again.identical and again.differences == ()


def test_an_edit_of_a_report_of_version_1_is_found():
    raw = version_1(report_of(*TWO))
    raw["traces"][1]["score"] += 0.01
    found = of(FoundReport, read_back(json.dumps(raw).encode()))
    assert not replay(found).identical


@pytest.mark.parametrize(
    "known", [NEITHER, {"confidence": 0.9, "success": None}, {"confidence": None, "success": True}]
)
def test_a_report_on_a_run_replays(known):
    assert replay(reread(run_report(**known))).identical


def test_a_report_from_before_rejected_runs_had_a_cause_replays():
    report = run_report(USED.model_copy(update={"threshold": 1.0}), **NEITHER)
    raw = json.loads(report_json(report))
    assert raw["traces"][0]["cause"] is not None
    raw["traces"][0]["cause"] = None
    raw["checksum"] = checksum_of(raw)
    assert replay(of(FoundReport, read_back(json.dumps(raw).encode()))).identical


EDITS = [
    ("score_range", "low", "score"),
    ("score_range", "high", "score"),
    ("score_range", "low", "confidence"),
    ("score_range", "low", "composite"),
    ("score_range", "high", "margin"),
    ("score_range", "high", "overrides", 1, "after"),
    ("provenance", "total"),
    ("provenance", "without_derived", 0),
    ("provenance", "derived_steps", 0),
    ("profiles", "code", "score_range", 1),
]


@pytest.mark.parametrize("path", EDITS, ids=lambda path: ".".join(map(str, path)))
def test_an_edit_of_what_is_possible_is_found(path):
    report = run_report(**NEITHER)
    number = at(json_values(report)["traces"][0], path)
    again = replay(of(FoundReport, changed_at(report, _dotted(path), number + 1)))
    assert not again.identical


WORDS = [
    (("verdict",), "accepted"),
    (("profiles", "code", "verdict"), "rejected"),
    (("score_range", "low", "success"), True),
    (("provenance", "fields", "confidence"), "recorded"),
    (("provenance", "format"), "codex"),
    (("provenance", "version"), "9"),
    (("gates", "score"), True),
    (("score",), 0.5),
    (("score_range",), None),
    (("provenance",), None),
]


@pytest.mark.parametrize(("path", "value"), WORDS, ids=str)
def test_another_word_in_it_is_found(path, value):
    report = run_report(**NEITHER)
    assert at(json_values(report)["traces"][0], path) != value
    found = changed_at(report, _dotted(path), value)
    assert isinstance(found, Problem) or not replay(found).identical


def _dotted(path):
    return ".".join(map(str, ("traces", 0, *path)))


@pytest.mark.parametrize("path", EDITS[:6], ids=lambda path: ".".join(map(str, path)))
def test_a_checksum_that_fits_hides_no_edit_of_a_range(path):
    report = run_report(**NEITHER)
    number = at(json_values(report)["traces"][0], path)
    raw = set_at(json.loads(report_json(report)), _dotted(path), number + 0.25)
    raw["checksum"] = checksum_of(raw)
    assert not replay(of(FoundReport, read_back(json.dumps(raw).encode()))).identical
