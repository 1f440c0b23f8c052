"""The report: its form, its schema, its numbers, its text."""

import json
import math
import runpy
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings

from kpinspector.files import resources
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.scoring.report.compose import Results, make_report
from kpinspector.scoring.report.read import SCHEMA_FILE
from kpinspector.scoring.report.report import UsedSettings
from kpinspector.scoring.report.written import json_values, report_json
from kpinspector.settings import Mode
from kpinspector.trace.printable import printable
from kpinspector.trace.read import read_bytes
from kpinspector.trace.schema import OLD_CONTEXT
from kpinspector.words.writers.report_text import report_table
from tests.fakes import FakeEmbedder, NoEmbedder, make_raw
from tests.strategies import traces

USED = UsedSettings(threshold=0.75, max_elements=1000, ttl_ms=None, mode=Mode.REMEMBER)


def report_of(*raws, embedder=None, profile=None, used=USED):
    embedder = embedder or FakeEmbedder()
    contents = read_bytes(json.dumps(raws).encode(), "runs.json")
    with Memory.fresh() as memory:
        measured = list(measure_batch(contents.traces, embedder, memory))
    results = Results(measured, contents.problems, contents.skipped)
    model = None if embedder.failure else embedder.model
    return make_report(results, used, model, profile)


def parsed(report):
    return json.loads(report_json(report))


@pytest.fixture
def validator():
    schema = json.loads((resources() / SCHEMA_FILE).read_bytes())
    return jsonschema.Draft202012Validator(schema)


def test_the_shipped_schemas_are_those_of_the_types(monkeypatch):
    written = {}
    path = Path(__file__).parents[2] / "packaging" / "make_report_schema.py"
    generate = runpy.run_path(str(path))["main"]
    monkeypatch.setitem(generate.__globals__, "write_atomic", written.__setitem__)
    generate()
    assert len(written) == 2
    assert all(path.read_bytes() == data for path, data in written.items())


def test_what_says_which_trace_it_is_stays():
    value = {
        "id": "ann@example.org",
        "key": "ann@example.org#0123abcd",
        "source": {"path": "/home/ann/runs.jsonl", "record": 3},
        "issues": [{"path": "steps.ann@example.org"}],
        "numbers": (math.inf, -math.inf, math.nan, 0.1),
    }
    assert json_values(value) == {
        "id": "ann••••",
        "key": "ann••••#0123abcd",
        "source": {"path": "/home/ann/runs.jsonl", "record": 3},
        "issues": [{"path": "step••••"}],
        "numbers": ["Infinity", "-Infinity", "NaN", 0.1],
    }
    alike = {"ann@example.org": 1, "ann@example.net": 2}
    assert json_values(alike) == {"ann••••": 1, "ann••••••••": 2}


def test_names_and_order_of_the_report(validator):
    one = parsed(report_of(make_raw(), {"@type": "ExpertSOP", "id": "kp:sop:1"}, 7))
    validator.validate(one)
    assert list(one) == [
        "format", "version", "generated_at", "generator", "embedder", "settings", "pending",
        "more_problems", "traces", "problems", "skipped",
    ]  # fmt: skip
    assert list(one["traces"][0]) == [
        "id", "key", "source", "objective", "task_domain", "profile", "weights", "steps",
        "dimensions", "composite", "overrides", "score", "sdk_score", "threshold", "margin",
        "gates", "verdict", "flags", "recorded_quality_score", "profiles", "issues",
        "what_if", "score_range", "provenance", "cause", "reach",
    ]  # fmt: skip
    assert one["traces"][0]["gates"] == {"schema": True, "score": False}
    assert one["traces"][0]["source"] == {
        "path": "runs.json", "record": 1, "line": 1, "format": None,
    }  # fmt: skip
    assert list(one["traces"][0]["profiles"]) == [profile.name for profile in PROFILES]
    assert one["skipped"][0]["type"] == "ExpertSOP"
    assert one["problems"][0]["kind"] == "not_scorable"


def test_every_number_can_be_added_up():
    (trace,) = parsed(report_of(make_raw()))["traces"]
    parts = [one["contribution"] for one in trace["dimensions"].values()]
    assert trace["composite"] == parts[0] + parts[1] + parts[2] + parts[3]
    before = trace["composite"]
    for override in trace["overrides"]:
        assert override["before"] == before
        before = override["after"]
    assert trace["score"] == before
    assert trace["margin"] == trace["score"] - trace["threshold"]


def test_two_reports_of_one_state_differ_in_the_time_only():
    raws = [make_raw(), make_raw(id="kp:trace:two")]
    one, two = parsed(report_of(*raws)), parsed(report_of(*raws))
    one["generated_at"] = two["generated_at"] = ""
    assert one == two


def test_the_factors_tell_which_rules_fire():
    thought = {"step_id": 0, "type": "thought", "tool": {"name": "a"}}
    (trace,) = parsed(report_of(make_raw(steps=[thought])))["traces"]
    assert trace["dimensions"]["complexity"]["factors"] == {
        "unique_types": 1, "error_recoveries": 0, "steps": 1, "single_thought": True,
    }  # fmt: skip
    assert trace["dimensions"]["tool_diversity"]["factors"] == {
        "unique_tools": 1, "steps": 1, "tool_steps": 1,
    }  # fmt: skip


def test_the_text_that_novelty_saw_is_told_by_its_digest():
    raw = make_raw()
    (trace,) = parsed(report_of(raw))["traces"]
    (record,) = read_bytes(json.dumps(raw).encode(), "").traces
    digest = FakeEmbedder().window(record.trace.text).digest
    assert trace["dimensions"]["novelty"]["text_sha256"] == digest


def test_neighbours_and_duplicates_are_named():
    other = make_raw(id="kp:trace:two", task={"objective": "Something else"})
    first, second, third = parsed(report_of(make_raw(), other, other))["traces"]
    assert first["dimensions"]["novelty"]["basis"] == "empty_cache"
    novelty = second["dimensions"]["novelty"]
    assert novelty["basis"] == "measured" and not novelty["remembered"]
    assert novelty["neighbours"][0]["id"] == "kp:trace:one"
    assert novelty["neighbours"][0]["path"].endswith("runs.json")
    assert novelty["max_similarity"] == novelty["neighbours"][0]["similarity"]
    assert third["flags"] == ["duplicate", "too_close_to_call"][: len(third["flags"])]
    assert third["dimensions"]["novelty"]["remembered"]


def test_without_a_model_the_report_says_assumed():
    one = parsed(report_of(make_raw(), embedder=NoEmbedder()))
    assert one["embedder"]["state"] == "missing" and one["embedder"]["sha256"] is None
    (trace,) = one["traces"]
    assert "assumed" in trace["flags"]
    assert trace["dimensions"]["novelty"]["basis"] == "no_embedder"
    assert trace["dimensions"]["novelty"]["tokens"] is None


def test_a_chosen_profile_judges_all():
    (trace,) = parsed(report_of(make_raw(), profile=PROFILES[3]))["traces"]
    assert trace["profile"] == "medical" and trace["weights"]["outcome_confidence"] == 0.55
    assert trace["score"] == trace["profiles"]["medical"]["score"]


@pytest.mark.parametrize("score", [0, 0.82, 1, None])
def test_the_recorded_score_is_kept_as_it_stands(score):
    metadata = make_raw()["metadata"] | {"quality_score": score}
    (trace,) = parsed(report_of(make_raw(metadata=metadata)))["traces"]
    assert trace["recorded_quality_score"] == score


def test_a_huge_confidence_is_still_json(validator):
    outcome = {"result_summary": "", "confidence": 1.7e308}
    text = report_json(report_of(make_raw(outcome=outcome)))
    assert b"Infinity" not in text and b"NaN" not in text
    validator.validate(json.loads(text))


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(raw=traces())
def test_any_trace_gives_a_report_of_the_schema(validator, raw):
    report = report_of(raw)
    validator.validate(parsed(report))
    report_table(report).encode("utf-8")


def test_the_table_tells_verdicts_problems_and_what_was_skipped():
    used = replace_threshold(0.5)
    text = report_table(
        report_of(make_raw(), {"@type": "ToolCallPattern", "id": "t"}, [], used=used)
    )
    assert "accepted" in text and "runs.json#1" in text
    assert "problem   runs.json#3, line 1, column" in text
    assert "skipped   runs.json#2" in text and "ToolCallPattern" in text
    assert text.endswith("1 accepted, 0 rejected, 1 with problems, 1 skipped\n")


def replace_threshold(threshold):
    return replace(USED, threshold=threshold)


def test_a_warning_passes_the_schema_gate():
    (trace,) = parsed(report_of(make_raw() | {"@context": OLD_CONTEXT}))["traces"]
    assert trace["gates"]["schema"] and [one["severity"] for one in trace["issues"]] == ["warning"]


def test_nothing_is_a_duplicate_where_no_text_can_be_told_from_another():
    one, two = make_raw(), make_raw(task={"objective": "another"})
    entries = parsed(report_of(one, two, embedder=NoEmbedder()))["traces"]
    assert [entry["flags"] for entry in entries] == [["assumed"], ["assumed"]]


def test_a_terminal_is_sent_nothing_to_act_on():
    assert printable("a\x1b[31m\x07\nb\u202ec") == "a\ufffd[31m\ufffd\ufffdb\ufffdc"


def test_the_table_names_what_fails_the_schema_and_only_some_of_it():
    steps = [{"step_id": 0, "type": "odd"}]
    text = report_table(report_of(make_raw(steps=steps) | {"@context": OLD_CONTEXT}))
    assert "schema: steps.0.type\n" in text
    text = report_table(report_of(make_raw(steps=steps * 1234)))
    assert "schema: steps.0.type, steps.1.type, steps.2.type and 1,231 more\n" in text


def test_the_table_has_the_minus_of_all_texts():
    text = report_table(report_of(make_raw(outcome={"result_summary": "", "confidence": -4})))
    assert "\u22124.000" in text and "-" not in text
