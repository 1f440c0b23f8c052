"""Reading a report: what is none is refused with its place, and nothing is ever coerced."""

import builtins
import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kpinspector.scoring.report.written import FoundReport, read_report, report_json
from kpinspector.trace.read import read_bytes
from kpinspector.trace.records import Problem, ProblemKind
from tests.fakes import make_raw
from tests.known import present
from tests.scoring.test_report import parsed, report_of
from tests.strategies import damaged, json_values, set_at

SLOW = settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
REPORT = report_of(make_raw(), make_raw(id="kp:trace:two"), {"@type": "ExpertSOP"}, 7)
VALUES = parsed(REPORT)
EVERY_PATH = []


def collect(value, path=""):
    members = value.items() if isinstance(value, dict) else enumerate(value)
    for key, member in members:
        inner = f"{path}.{key}" if path else str(key)
        EVERY_PATH.append(inner)
        if isinstance(member, dict | list):
            collect(member, inner)


collect(VALUES)


def read(values, indent=1):
    (record,) = read_bytes(json.dumps(values, indent=indent).encode(), "report.json").reports
    return read_report(record)


def test_a_report_is_read_as_it_was_written():
    (record,) = read_bytes(report_json(REPORT), "report.json").reports
    assert read_report(record) == FoundReport(record.source, VALUES)


@pytest.mark.parametrize(
    ("path", "value", "expected", "found"),
    [
        ("version", 2, "3", "2"),
        ("version", "3", "3", '"3"'),
        ("generated_at", 5, "a string", "5"),
        ("traces", {}, "a list", "an object"),
        ("traces.1.id", 5, "a string", "5"),
        ("traces.1.score", "0.5", "a finite number", '"0.5"'),
        ("traces.1.steps", 1.5, "a whole number", "1.5"),
        ("traces.1.extra", 1, "nothing under this name", "1"),
        ("traces.1.gates.schema", 1, "a boolean", "1"),
        ("traces.1.verdict", "maybe", '"accepted" or "rejected" or "undecided"', '"maybe"'),
        ("traces.1.weights", [], "an object", "a list"),
        ("traces.1.dimensions.novelty.basis", "guessed",
         '"measured" or "empty_cache" or "no_embedder" or "not_recorded"', '"guessed"'),
        ("embedder.state", "x" * 99, '"ready" or "missing"', f'"{"x" * 59}…"'),
    ],
)  # fmt: skip
def test_what_is_not_as_it_should_be_is_located(path, value, expected, found):
    values = set_at(VALUES, path, value)
    problem = read(values)
    assert isinstance(problem, Problem) and problem.kind is ProblemKind.UNREADABLE
    assert (problem.json_path, problem.expected, problem.found) == (path, expected, found)
    assert problem.message == (
        f"not a report of this version: {path}: expected {expected}, found {found}"
    )
    lines = json.dumps(values, indent=1).splitlines()
    beginning = json.dumps(value)[:20]
    assert lines[present(problem.line) - 1][present(problem.column) - 1 :].startswith(beginning)


@SLOW
@given(st.sampled_from(EVERY_PATH), json_values())
def test_any_value_anywhere_gives_a_report_or_a_place(path, value):
    contents = read_bytes(json.dumps(set_at(VALUES, path, value)).encode(), "report.json")
    for record in contents.reports:
        found = read_report(record)
        if isinstance(found, Problem):
            assert found.line == 1 and present(found.column) >= 1
            assert present(found.json_path).startswith(path.partition(".")[0])


@SLOW
@given(damaged(report_json(REPORT)))
def test_damaged_bytes_give_reports_or_problems(data):
    contents = read_bytes(data, "report.json")
    found = [read_report(record) for record in contents.reports]
    assert all(isinstance(one, FoundReport | Problem) for one in found)
    assert found or contents.problems or contents.skipped or contents.traces


def test_no_path_in_a_report_is_opened(monkeypatch):
    asked = []

    def noting(call):
        return lambda path, *rest, **named: asked.append(str(path)) or call(path, *rest, **named)

    for module, name in ((os, "open"), (os, "stat"), (os, "lstat"), (builtins, "open")):
        monkeypatch.setattr(module, name, noting(getattr(module, name)))
    values = set_at(VALUES, "traces.0.source.path", "/told/in/the-report.json")
    assert isinstance(read(values), FoundReport)
    assert not [path for path in asked if "the-report" in path]
