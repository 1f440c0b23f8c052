"""The report: its form, its schema, its numbers, its text."""

import json
import math
import re
import sys
import time
from dataclasses import is_dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

import pytest
from hypothesis import HealthCheck, given, settings

from kpinspector.scoring.formula.profiles import Terms
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.scoring.report.report import Report, UsedSettings, embedder_entry, trace_entry
from kpinspector.scoring.report.written import json_values, report_json, report_schema, told_members
from kpinspector.settings import Mode
from kpinspector.trace.read import read_bytes
from kpinspector.words.writers.explanation_text import report_table
from tests.fakes import FakeEmbedder, NoEmbedder, make_raw
from tests.strategies import traces

USED = UsedSettings(threshold=0.75, max_elements=1000, ttl_ms=None, mode=Mode.REMEMBER)


def report_on(measured, model, profile=None, tried=None, used=USED, **beside):
    """A report on what was measured, with the same tried of every trace."""
    traces = tuple(trace_entry(one, Terms(used.threshold, profile), tried) for one in measured)
    named = {"embedder": embedder_entry(model), "settings": used, "traces": traces}
    return Report(**{"problems": (), "skipped": ()} | named | beside)


def report_of(*raws, embedder=None, profile=None, used=USED):
    embedder = embedder or FakeEmbedder()
    contents = read_bytes(json.dumps(raws).encode(), "runs.json")
    with Memory(Mode.FRESH, None) as memory:
        measured = list(measure_batch(contents.traces, embedder, memory))
    model = None if embedder.failure else embedder.model
    beside = {"problems": contents.problems, "skipped": contents.skipped}
    return report_on(measured, model, profile, used=used, **beside)


def parsed(report):
    return json.loads(report_json(report))


def test_the_schema_has_all_that_values_have():
    rooms = tuple(f"kpinspector.{room}" for room in ("settings", "trace.", "scoring.", "runs."))
    modules = [one for name, one in sys.modules.items() if name.startswith(rooms)]
    kinds = {name: one for module in modules for name, one in vars(module).items()}
    parts, checked = report_schema()["$defs"], 0
    for name, part in parts.items():
        kind = kinds.get(name)
        if isinstance(kind, type) and is_dataclass(kind):
            assert [*part["properties"]] == [*told_members(kind)]
        elif isinstance(kind, type) and issubclass(kind, StrEnum):
            assert part["enum"] == [*kind]
        checked += kind is not None
        if "properties" in part:
            assert part["required"] == [*part["properties"]]
            assert part["additionalProperties"] is False and part["description"]
    assert checked == 28


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


def test_what_has_no_score_stands_beside_the_traces(validator):
    one = parsed(report_of(make_raw(), {"@type": "ExpertSOP", "id": "kp:sop:1"}, 7))
    validator.validate(one)
    source = {"path": "runs.json", "record": 1, "line": 1, "format": None}
    assert one["traces"][0]["source"] == source
    assert one["skipped"][0]["type"] == "ExpertSOP"
    assert one["problems"][0]["kind"] == "not_scorable"


def test_without_a_model_the_report_says_assumed():
    one = parsed(report_of(make_raw(), embedder=NoEmbedder()))
    assert one["embedder"]["state"] == "missing" and one["embedder"]["sha256"] is None
    (trace,) = one["traces"]
    assert "assumed" in trace["flags"]
    assert trace["dimensions"]["novelty"]["basis"] == "no_embedder"
    assert trace["dimensions"]["novelty"]["tokens"] is None


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(raw=traces())
def test_any_trace_gives_a_report_of_the_schema(validator, raw):
    report = report_of(raw)
    validator.validate(parsed(report))
    report_table(report).encode("utf-8")


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone is the system's")
def test_the_time_is_that_of_the_writing_in_utc_to_the_second(monkeypatch):
    monkeypatch.setenv("TZ", "XXX-05")
    time.tzset()
    before = datetime.now(UTC).replace(microsecond=0)
    said = report_of(make_raw()).generated_at
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", said)
    written = datetime.strptime(said, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    monkeypatch.undo()
    time.tzset()
    assert before <= written <= datetime.now(UTC) + timedelta(seconds=1)
