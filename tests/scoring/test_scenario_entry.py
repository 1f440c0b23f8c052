"""Scenarios in the report: kept whole, and enough of them to compute their scores again."""

import json
from dataclasses import replace

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.files import resources
from kpinspector.scoring.formula.assess import assess_values
from kpinspector.scoring.formula.profiles import PROFILES, Profile
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.scoring.report.report import Results, make_report, scenario_entry
from kpinspector.scoring.report.written import SCHEMA_FILE, report_json
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.trace.read import read_bytes
from tests.fakes import FakeEmbedder, make_raw
from tests.scoring.memory_samples import subject
from tests.scoring.test_report import USED
from tests.scoring.test_whatif import measured, scenarios, similarities, traces

SCHEMA = jsonschema.Draft202012Validator(json.loads((resources() / SCHEMA_FILE).read_bytes()))


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


@settings(deadline=None)
@given(traces, similarities, scenarios, st.sampled_from(PROFILES), st.floats(0, 1))
def test_the_entry_alone_gives_its_score_again(trace, similarity, scenario, profile, threshold):
    measurement = measured(trace, similarity)
    entry = scenario_entry(scenario, trace, measurement, profile, threshold)
    used = Profile(entry["profile"], entry["weights"])
    again = assess_values(entry["dimensions"], entry["facts"], used, entry["threshold"])
    assert (again.score, again.overrides, again.verdict, again.margin) == (
        entry["score"],
        entry["overrides"],
        entry["verdict"],
        entry["margin"],
    )
