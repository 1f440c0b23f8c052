"""Scenarios in the report: kept whole, and enough of them to compute their scores again."""

import json
from dataclasses import replace

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.files import resources
from kpinspector.scoring.formula.assess import assess_values
from kpinspector.scoring.formula.profiles import CUSTOM, PROFILES, Profile, Weights
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.scoring.report.compose import Results, make_report, scenario_entry
from kpinspector.scoring.report.read import SCHEMA_FILE
from kpinspector.scoring.report.written import report_json
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit
from kpinspector.scoring.whatif.whatif import what_if
from kpinspector.trace.model import StepType
from kpinspector.trace.read import read_bytes
from tests.fakes import FakeEmbedder, make_raw
from tests.known import present
from tests.scoring.memory_samples import subject
from tests.scoring.test_report import USED
from tests.scoring.test_whatif import measured, scenarios, similarities, traces

SCHEMA = jsonschema.Draft202012Validator(json.loads((resources() / SCHEMA_FILE).read_bytes()))
MIXED = Scenario(
    novelty=0.9,
    success=False,
    edits=(StepEdit(0, left_out=True), StepEdit(1, type="observation", tool="grep -r")),
    added=(AddedStep(StepType.ERROR_RECOVERY),),
    profile=Profile(CUSTOM, Weights(0.1, 0.2, 0.3, 0.4)),
    threshold=0.5,
)


def report_with(scenario):
    contents = read_bytes(json.dumps(make_raw()).encode(), "run.json")
    with Memory.fresh() as memory:
        (one,) = measure_batch(contents.traces, FakeEmbedder(), memory)
    return one, make_report(Results([one], (), (), what_ifs=[scenario]), USED, None)


def test_whose_a_measured_novelty_is_stands_nowhere_in_it():
    (one, _), own = report_with(None), subject("kp:trace:own")
    novelty = replace(one.measurement.novelty, own=own)
    assert novelty == one.measurement.novelty
    _, report = report_with(Scenario(measured_novelty=novelty))
    written = json.loads(report_json(report))
    SCHEMA.validate(written)
    measured_again = written["traces"][0]["what_if"]["changes"]["measured_novelty"]
    assert "basis" in measured_again and "own" not in measured_again


def test_what_is_tried_stands_beside_its_trace():
    measured_one, report = report_with(MIXED)
    SCHEMA.validate(json.loads(report_json(report)))
    (trace,) = report.traces
    entry = present(trace.what_if)
    assert entry.changes == MIXED
    assert entry.profile == "custom" and entry.weights == Weights(0.1, 0.2, 0.3, 0.4)
    assert entry.threshold == 0.5 and trace.threshold == 0.75
    assert entry.dimensions.novelty == 0.9 and entry.facts.error_recoveries == 1
    found = what_if(
        measured_one.record.trace, measured_one.measurement, MIXED, PROFILES[0], trace.threshold
    )
    assert entry.score == found.then.score and entry.verdict is found.then.verdict


@settings(deadline=None)
@given(traces, similarities, scenarios, st.sampled_from(PROFILES), st.floats(0, 1))
def test_the_entry_alone_gives_its_score_again(trace, similarity, scenario, profile, threshold):
    measurement = measured(trace, similarity)
    entry = scenario_entry(scenario, trace, measurement, profile, threshold)
    used = Profile(entry.profile, entry.weights)
    again = assess_values(entry.dimensions, entry.facts, used, entry.threshold)
    assert (again.score, again.overrides, again.verdict, again.margin) == (
        entry.score,
        entry.overrides,
        entry.verdict,
        entry.margin,
    )
