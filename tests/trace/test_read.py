"""Files of every form are read: traces, other units and reports, and what stands in the way."""

import gzip
import json
import os
import sys
from math import inf
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.runs.read import read_file
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import read_bytes, read_text
from kpinspector.trace.records import Source, skipped_report
from kpinspector.trace.schema import passes
from tests.strategies import traces
from tests.trace.samples import (
    CODINGS,
    FORMS,
    SHOWN,
    SINGLE,
    only_problem,
    raws,
    read_it,
    records,
    trace,
)


def as_doubles(value):
    """The same with the double in place of each integer that JavaScript would round."""
    if isinstance(value, dict):
        return {key: as_doubles(member) for key, member in value.items()}
    if isinstance(value, list):
        return [as_doubles(member) for member in value]
    is_long = type(value) is int and abs(value) > 2**53
    return float(value) if is_long else value


# --- the forms


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("coding", CODINGS)
def test_all_forms_in_all_codings_give_the_same_traces(form, coding):
    several = [trace(1), trace(2, note="Zürich 🚀 確"), trace(3)]
    contents = read_it(CODINGS[coding](FORMS[form](several)))
    assert (contents.problems, contents.skipped) == ((), ())
    assert raws(contents) == several
    assert records(contents) == [1, 2, 3]
    assert all(record.issues == () for record in contents.traces)


@pytest.mark.parametrize("form", SINGLE)
@pytest.mark.parametrize("coding", CODINGS)
def test_a_file_that_is_one_trace_has_no_record_number(form, coding):
    contents = read_it(CODINGS[coding](SINGLE[form](trace())))
    assert raws(contents) == [trace()]
    assert records(contents) == [None]


@settings(deadline=None, max_examples=30)
@given(st.lists(traces(max_steps=3), min_size=2, max_size=3))
def test_all_forms_of_any_traces_give_the_same(several):
    several = as_doubles(several)
    for form in FORMS.values():
        contents = read_it(form(several))
        assert contents.problems == ()
        assert raws(contents) == several
        assert all(passes(record.issues) for record in contents.traces)


# --- characters and numbers


def test_numbers_are_those_of_javascript():
    text = json.dumps(trace(x="HERE")).replace(
        '"HERE"', "[1e999, -1e400, 12345678901234567890123, 9007199254740993, -0, 1.50, %s]"
    )
    long = "9" * 5000
    for x in (text % 7, text % f'{long}, "\\ud800"'):  # the second one is read by the scanner
        (record,) = read_it(x).traces
        found = record.trace.raw["x"]
        assert found[:6] == [inf, -inf, 1.2345678901234568e22, 9007199254740992, 0, 1.5]
        assert found[6] == (7 if x == text % 7 else inf)


def test_two_lone_surrogates_are_two_tools_shown_alike():
    row = trace(steps=[{"tool": {"name": name}} for name in ("\ud800", "\ud801", "\ud800")])
    (record,) = read_it(json.dumps(row)).traces
    assert len({step.tool_key for step in record.trace.steps}) == 2
    assert {step.tool_name for step in record.trace.steps} == {"\ufffd"}


# --- files


def test_a_file_that_is_gone_is_a_problem(tmp_path):
    problem = only_problem(read_file(FoundFile(tmp_path / "gone", SHOWN, named=False)))
    assert (problem.path, problem.line) == (SHOWN, None)
    assert problem.message.startswith("could not be opened: ")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")
def test_a_file_that_became_something_else_is_a_problem(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    problem = only_problem(read_file(FoundFile(tmp_path / "pipe", SHOWN, named=True)))
    assert problem.message == "not a file but a pipe"
    problem = only_problem(read_file(FoundFile(tmp_path, SHOWN, named=True)))
    assert problem.message.startswith("could not be opened: ")


def test_a_path_that_is_no_unicode_is_shown_with_a_sign():
    contents = read_bytes(b"[{}, 1, {", "a\udcff.json")
    assert {problem.path for problem in contents.problems} == {"a\ufffd.json"}
    problem = only_problem(read_file(FoundFile(Path("a\udcff"), "a\udcff", named=True)))
    assert problem.path == "a\ufffd"


def test_the_text_of_a_file_for_display(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(gzip.compress("{\n é".encode("utf-16")))
    assert read_text(FoundFile(path, SHOWN, named=True)) == "{\n é"
    path.write_bytes(b"\xef\xbb\xbf{\xe9")
    assert read_text(FoundFile(path, SHOWN, named=True)) == "{\ufffd"


def test_real_agent_runs(reference):
    path = reference / "corpus" / "agent_traces.jsonl"
    contents = read_file(FoundFile(path, "corpus", named=True))
    assert (contents.problems, contents.skipped) == ((), ())
    assert records(contents) == list(range(1, 112))
    assert sum(len(record.trace.steps) for record in contents.traces) == 2849
    assert all(record.issues == () for record in contents.traces)


REPORT = {"format": "kpinspector-report", "version": 1, "traces": [], "data": [{}]}


def test_a_report_is_told_from_a_trace_by_its_content():
    contents = read_bytes(json.dumps(REPORT, indent=1).encode(), "old.json")
    (report,) = contents.reports
    assert not (contents.traces or contents.problems or contents.skipped)
    assert report.source == Source("old.json", None, 1) and report.raw == REPORT
    assert report.place(("version",)) == (3, 13)
    skipped = skipped_report(report.source)
    assert (skipped.path, skipped.reason) == ("old.json", "a report: use replay")


@pytest.mark.parametrize("form", [json.dumps, lambda all_: "\n".join(map(json.dumps, all_))])
def test_reports_stand_among_traces_and_are_counted_with_them(form):
    contents = read_bytes(form([trace(1), REPORT, trace(2), REPORT]).encode(), "mixed.json")
    assert [one.source.record for one in contents.reports] == [2, 4]
    assert [one.source.record for one in contents.traces] == [1, 3]


def test_a_trace_may_call_itself_what_it_likes():
    contents = read_bytes(
        json.dumps(trace() | {"format": "kpinspector-report"}).encode(), "one.json"
    )
    assert len(contents.traces) == 1 and not contents.reports
