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

from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import read_bytes, read_file, read_text
from kpinspector.trace.records import Source, skipped_report
from kpinspector.trace.schema import Severity, passes
from tests.strategies import traces
from tests.trace.samples import (
    CODINGS,
    FORMS,
    SHOWN,
    SINGLE,
    lines,
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


def test_lines_on_which_traces_begin():
    one, two = json.dumps(trace(1), indent=2), json.dumps(trace(2), indent=2)
    long = one.count("\n")
    assert read_it(f"\n\n  {one}").traces[0].source == Source(SHOWN, None, 3)
    contents = read_it(f"[\n{one},\n\n{two}]")
    assert [record.source.line for record in contents.traces] == [2, 4 + long]
    contents = read_it(f'{{"data": [{{"unit":\n{one}}},\n{two}]}}')
    assert [record.source.line for record in contents.traces] == [2, 3 + long]
    contents = read_it("\n" + lines([trace(1)]) + "\r\n \n" + lines([trace(2)]))
    assert [record.source.line for record in contents.traces] == [2, 5]


def test_a_list_of_one_is_counted_and_so_is_what_is_no_trace():
    assert records(read_it(json.dumps([trace()]))) == [1]
    other = {"@type": "ExpertSOP", "id": "kp:sop:1"}
    contents = read_it(json.dumps([trace(1), other, 5, trace(2)]))
    assert records(contents) == [1, 4]
    assert (contents.skipped[0].record, contents.problems[0].record) == (2, 3)


@pytest.mark.parametrize("kind", ["ToolCallPattern", "ExpertSOP"])
@pytest.mark.parametrize("unit_id", ["kp:x:1", None, 5])
def test_other_units_are_skipped_by_name(kind, unit_id):
    contents = read_it(json.dumps({"data": {"unit": {"@type": kind, "id": unit_id}}}))
    assert (contents.traces, contents.problems) == ((), ())
    (skipped,) = contents.skipped
    assert (skipped.path, skipped.record, skipped.type) == (SHOWN, None, kind)
    assert skipped.id == ("kp:x:1" if unit_id == "kp:x:1" else None)
    assert kind in skipped.reason


@pytest.mark.parametrize("changes", [{"@type": "Other"}, {"@type": None}, {"@type": ["ExpertSOP"]}])
def test_an_unknown_type_is_read_as_a_trace_with_that_issue(changes):
    (record,) = read_it(json.dumps(trace(**changes))).traces
    assert [issue.path for issue in record.issues] == ["@type"]


def test_a_trace_with_members_that_replies_have_is_a_trace():
    odd = trace(data=[trace(2)], unit=trace(3))
    assert raws(read_it(json.dumps(odd))) == [odd]
    without_type = {key: value for key, value in odd.items() if key != "@type"}
    assert raws(read_it(json.dumps(without_type))) == [without_type]


@pytest.mark.parametrize("text", ["[]", '{"data": []}', '[{"data": []}]'])
def test_an_empty_list_is_said_to_be_one(text):
    contents = read_it(text)
    assert [skipped.reason for skipped in contents.skipped] == ["an empty list"]
    assert (contents.traces, contents.problems) == ((), ())


def test_of_duplicate_keys_the_last_wins():
    text = json.dumps(trace())[:-1] + ', "id": "kp:trace:last"}'
    assert read_it(text).traces[0].trace.id == "kp:trace:last"


def test_a_unit_with_data_of_its_own_is_no_reply():
    unit = {"@type": "ExpertSOP", "id": "kp:sop:1", "data": [trace(1)]}
    contents = read_it(json.dumps(unit).encode())
    assert not contents.traces and [one.id for one in contents.skipped] == ["kp:sop:1"]


# --- characters and numbers


def test_lone_surrogates_become_a_sign_and_a_warning():
    text = json.dumps(
        trace(task={"objective": "a\ud800b"}, **{"k\udc00": ["\ud83d\ude00", "\udfff"]})
    )
    assert "\\ud800" in text
    for several in (text, f"[{json.dumps(trace(2))}, {text}]", lines([trace(2)]) + text):
        contents = read_it(several)
        record = contents.traces[-1]
        assert contents.problems == ()
        assert record.trace.objective == "a\ufffdb"
        assert record.trace.raw["k\udc00"] == ["😀", "\udfff"]
        assert [issue.path for issue in record.issues] == ["task.objective", "k\ufffd", "k\ufffd.1"]
        assert {issue.severity for issue in record.issues} == {Severity.WARNING}
        assert passes(record.issues)
        assert all(other.issues == () for other in contents.traces[:-1])


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


def test_an_infinity_where_the_schema_wants_a_finite_number_is_an_issue():
    row = trace()
    row["steps"][0]["latency_ms"] = 7
    (record,) = read_it(json.dumps(row).replace('"latency_ms": 7', '"latency_ms": 1e999')).traces
    assert [(issue.path, issue.message) for issue in record.issues] == [
        ("steps.0.latency_ms", "expected a finite number, found Infinity")
    ]


def test_two_lone_surrogates_are_two_tools_shown_alike():
    row = trace(steps=[{"tool": {"name": name}} for name in ("\ud800", "\ud801", "\ud800")])
    (record,) = read_it(json.dumps(row)).traces
    assert len({step.tool_key for step in record.trace.steps}) == 2
    assert {step.tool_name for step in record.trace.steps} == {"\ufffd"}


def test_an_escaped_backslash_is_no_surrogate():
    (record,) = read_it(json.dumps(trace(x="\\ud800"))).traces
    assert record.trace.raw["x"] == "\\ud800"
    assert record.issues == ()


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
