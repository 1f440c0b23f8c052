import gzip
import json
import os
import sys
from math import inf
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kpinspector.trace import decode, read
from kpinspector.trace.find import FoundFile
from kpinspector.trace.place import locate
from kpinspector.trace.read import (
    FileContents,
    ProblemKind,
    Source,
    TraceRecord,
    UnscoredRecord,
    read_bytes,
    read_file,
    read_text,
    skipped_report,
)
from kpinspector.trace.schema import Severity, passes
from tests.known import present
from tests.strategies import damaged, traces
from tests.trace.samples import CODINGS, FORMS, SHOWN, SINGLE, lines, trace

BROKEN = Path(__file__).parents[1] / "data" / "broken"
THE_END = "the end of the file"


def read_it(text, *, named=True):
    data = text if isinstance(text, bytes) else text.encode()
    return read_bytes(data, SHOWN, named=named)


def as_doubles(value):
    """The same with the double in place of each integer that JavaScript would round."""
    if isinstance(value, dict):
        return {key: as_doubles(member) for key, member in value.items()}
    if isinstance(value, list):
        return [as_doubles(member) for member in value]
    is_long = type(value) is int and abs(value) > 2**53
    return float(value) if is_long else value


def raws(contents):
    return [record.trace.raw for record in contents.traces]


def records(contents):
    return [record.source.record for record in contents.traces]


def only_problem(contents):
    (problem,) = contents.problems
    return problem


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


# --- what is broken

GOLDENS = [
    # file, records that are kept, record, line, column, json path, expected, found
    ("bad_escape.json", [], None, 20, 21, "steps.0.content",
     'an escape that JSON knows, such as "\\n" or "\\u00e9"', '"\\x"'),
    ("bad_line.jsonl", [1, 3], 2, 2, 195, "metadata.success",
     'a value for "success"', 'the word "True"'),
    ("control_character.json", [], None, 20, 20, "steps.0.content",
     "a character that JSON allows in a text", "the control character U+0009"),
    ("empty.json", [], None, 1, 1, None,
     '"{" or "["', "an empty file"),
    ("latin1.json", [], None, 14, 19, "task.objective",
     "text in a valid encoding", "the byte 0xDC, which is not UTF-8 here"),
    ("leading_zero.json", [], None, 9, 22, "metadata.quality_score",
     "a number as JSON writes it", '"00.5"'),
    ("list_middle.json", [1, 3], 2, 40, 10, "id",
     '":" after the key "id"', "a quotation mark"),
    ("missing_comma.json", [], None, 20, 7, "steps.0.type",
     '"," or "}" after the value of "type"', "a quotation mark"),
    ("missing_quote.json", [], None, 32, 29, "outcome.result_summary",
     "a closing quotation mark", "the end of the line"),
    ("not_a_number.json", [], None, 33, 19, "outcome.confidence",
     'a value for "confidence"', 'the word "NaN"'),
    ("not_scorable.json", [], None, 33, 19, "outcome.confidence",
     "a finite number", '"high"'),
    ("overflow.json", [], None, 33, 19, "outcome.confidence",
     "a finite number", "Infinity"),
    ("reply_truncated.json", [1, 2], 3, 1, 1443, "steps.0",
     "a closing quotation mark", THE_END),
    ("single_quotes.json", [], None, 1, 2, None,
     'a key in quotation marks or "}"', "an apostrophe"),
    ("trailing_comma.json", [], None, 34, 3, "outcome",
     "a key in quotation marks", '"}"'),
    ("trailing_garbage.json", [], None, 36, 1, None,
     THE_END, '"}"'),
    ("truncated.json", [], None, 31, 13, "outcome",
     'a value for "outcome"', THE_END),
    ("truncated_line.jsonl", [1, 2], 3, 3, 513, "outcome",
     "a closing quotation mark", THE_END),
    ("words.json", [], None, 2, 3, None,
     '"{" or "["', 'the word "hello"'),
]  # fmt: skip


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden[0])
def test_broken_files(golden):
    name, kept, *place, expected, found = golden
    contents = read_file(FoundFile(BROKEN / name, f"given/{name}", named=True))
    assert records(contents) == kept
    problem = only_problem(contents)
    assert problem.path == f"given/{name}"
    assert [problem.record, problem.line, problem.column, problem.json_path] == place
    assert (problem.expected, problem.found) == (expected, found)
    assert f"expected {expected}, found {found}" in problem.message


def test_all_broken_files_are_tested():
    assert sorted(path.name for path in BROKEN.iterdir()) == [golden[0] for golden in GOLDENS]


TOO_DEEP = "[" * 201 + "]" * 201
BAD_VALUES = ["NaN", "-Infinity", "01", TOO_DEEP]


@pytest.mark.parametrize("bad", BAD_VALUES, ids=lambda bad: bad[:9])
@pytest.mark.parametrize("form", ["lines", "list", "list over lines", "reply", "lines of replies"])
def test_a_bad_record_in_the_middle_loses_no_other(bad, form):
    text = FORMS[form]([trace(1), trace(2, x="HERE"), trace(3)])
    before = text[: text.index('"HERE"')].split("\n")
    contents = read_it(text.replace('"HERE"', bad))
    assert raws(contents) == [trace(1), trace(3)]
    assert records(contents) == [1, 3]
    problem = only_problem(contents)
    assert (problem.record, problem.kind) == (2, ProblemKind.UNREADABLE)
    assert problem.line == len(before)
    if bad is TOO_DEEP:
        assert problem.json_path.startswith("x.0.0.")
        assert 190 < problem.column - len(before[-1]) <= 200
    else:
        assert (problem.json_path, problem.column) == ("x", len(before[-1]) + 1)


@pytest.mark.parametrize("form", ["list", "list over lines", "reply", "reply over lines"])
def test_records_before_a_cut_are_kept(form):
    text = FORMS[form]([trace(1), trace(2), trace(3)])
    contents = read_it(text[: text.index("objective 3")])
    assert raws(contents) == [trace(1), trace(2)]
    problem = only_problem(contents)
    assert (problem.record, problem.json_path, problem.found) == (3, "task.objective", THE_END)


def test_a_broken_text_in_place_of_a_record():
    contents = read_it(f'[{json.dumps(trace(1))}, "a\tb", {json.dumps(trace(2))}]')
    assert records(contents) == [1, 3]
    assert only_problem(contents).record == 2


def test_a_broken_reply_in_a_list_takes_its_own_broken_records_with_it():
    reply = f'{{"data": [x, {json.dumps(trace(2))}] "y"}}'
    contents = read_it(f"[{json.dumps(trace(1))}, {reply}, {json.dumps(trace(3))}]")
    assert raws(contents) == [trace(1), trace(3)]
    problem = only_problem(contents)
    assert (problem.record, problem.found) == (2, "a quotation mark")


def test_a_list_in_a_list_is_one_record():
    contents = read_it(f"[[1, x], {json.dumps(trace(2))}]")
    assert records(contents) == [2]
    problem = only_problem(contents)
    assert (problem.record, problem.json_path, problem.found) == (1, "1", 'the word "x"')


@pytest.mark.parametrize("end", [', "quality_score": x}', "} x", ', "a": 1'])
def test_a_reply_with_one_trace_is_all_or_nothing(end):
    contents = read_it(f'{{"data": {json.dumps(trace())}{end}')
    assert contents.traces == ()
    assert only_problem(contents).record is None


def test_the_path_in_a_broken_trace_counts_from_its_beginning():
    text = json.dumps(trace(data={"unit": "HERE"})).replace('"HERE"', "?")
    assert only_problem(read_it(text)).json_path == "data.unit"
    assert only_problem(read_it(f'{{"data": {{"unit": {text}}}}}')).json_path == "data.unit"


def test_a_comma_missing_between_records_keeps_those_before():
    contents = read_it(f"[{json.dumps(trace(1))} {json.dumps(trace(2))}]")
    assert raws(contents) == [trace(1)]
    problem = only_problem(contents)
    assert (problem.record, problem.expected, problem.found) == (None, '"," or "]"', '"{"')


def test_a_quotation_mark_missing_in_a_list_keeps_those_before():
    text = json.dumps([trace(1), trace(2), trace(3)], indent=1).replace(
        '"objective 2"', '"objective 2'
    )
    contents = read_it(text)
    assert raws(contents)[0] == trace(1)
    assert contents.problems[0].record == 2
    assert contents.problems[0].found == "the end of the line"


@pytest.mark.parametrize("indent", [0, 1, 4])
@pytest.mark.parametrize("cut", [0.1, 0.5, 0.9])
def test_one_broken_document_over_lines_is_one_problem(indent, cut):
    text = json.dumps(trace(), indent=indent)
    text = text[: int(len(text) * cut)]
    problem = only_problem(read_it(text))
    assert problem.record is None
    assert problem.line in (text.count("\n") + 1, text.rstrip().count("\n") + 1)


def test_one_broken_document_with_records_on_lines_is_one_problem():
    rows = [json.dumps(trace(number)) for number in range(4)]
    text = "[" + ",\n".join(rows).replace("objective 0", "objective \x01") + "]"
    contents = read_it(text)
    assert records(contents) == [2, 3, 4]
    assert only_problem(contents).record == 1


@pytest.mark.parametrize("bad", [0, 1, 2])
@pytest.mark.parametrize(
    "damage", [lambda row: row[:-30], lambda row: row + "}", lambda row: "x" + row[1:]]
)
def test_a_bad_line_is_one_problem(bad, damage):
    rows = [json.dumps(trace(number)) for number in range(3)]
    if bad == 0:
        rows[0] = rows[0][:-30]
    else:
        rows[bad] = damage(rows[bad])
    contents = read_it("\n".join(rows))
    assert records(contents) == [number + 1 for number in range(3) if number != bad]
    problem = only_problem(contents)
    assert (problem.record, problem.line) == (bad + 1, bad + 1)


def test_lines_that_are_all_bad_are_a_problem_each():
    text = lines([trace(number, x=float("nan")) for number in range(3)])
    problems = read_it(text).problems
    assert [(problem.record, problem.line) for problem in problems] == [(1, 1), (2, 2), (3, 3)]
    assert {problem.json_path for problem in problems} == {"x"}


def test_two_bad_lines():
    text = lines([trace(1, x=float("nan")), trace(2)])[:-30]
    assert [(one.record, one.line) for one in read_it(text).problems] == [(1, 1), (2, 2)]


@pytest.mark.parametrize("opening", ['{"data": [\n', "[\nx\n", "[\n"])
def test_a_list_with_records_on_lines_but_no_commas_is_one_document(opening):
    text = opening + lines([trace(1), trace(2), trace(3)]) + "]"
    assert only_problem(read_it(text)).found in {'"{"', 'the word "x"'}


def test_a_line_that_is_no_object():
    contents = read_it(lines([trace(1), 5, trace(2)]))
    assert records(contents) == [1, 3]
    problem = only_problem(contents)
    assert (problem.kind, problem.record, problem.line) == (ProblemKind.NOT_SCORABLE, 2, 2)
    assert (problem.expected, problem.found) == ("an object", "a number")


def test_a_byte_that_is_no_utf8_loses_its_line_alone():
    data = lines([trace(1), trace(2), trace(3)]).encode().replace(b"objective 2", b"objective \xe9")
    contents = read_it(data)
    assert records(contents) == [1, 3]
    problem = only_problem(contents)
    assert (problem.line, problem.json_path) == (2, "task.objective")
    assert "0xE9" in problem.found


@pytest.mark.parametrize("unit", ["\ud83d", "\udc00"], ids=["high", "low"])  # noqa: PT014 (they differ)
def test_half_a_pair_in_utf16_loses_its_line_alone(unit):
    text = json.dumps(trace(2)).replace("objective 2", "objective " + unit)
    text = "\n".join([json.dumps(trace(1)), text, json.dumps(trace(3))])
    contents = read_it(b"\xff\xfe" + text.encode("utf-16-le", "surrogatepass"))
    assert records(contents) == [1, 3]
    assert (only_problem(contents).line, only_problem(contents).found) == (2, "half of a character")


def test_half_a_unit_at_the_end_of_utf16():
    data = lines([trace(1), trace(2)]).rstrip().encode("utf-16")[:-1]
    contents = read_it(data)
    assert records(contents) == [1]
    assert (only_problem(contents).line, only_problem(contents).found) == (2, "half of a character")


def test_columns_count_characters():
    text = '{"😀é": "確", "x": ?}'
    assert only_problem(read_it(text)).column == text.index("?") + 1


def test_not_scorable_says_where_it_stands_in_the_file():
    rows = [trace(1), trace(2), trace(3)]
    rows[1]["steps"][1] = None
    text = json.dumps(rows, indent=2)
    problem = only_problem(read_it(text))
    assert (problem.kind, problem.record) == (ProblemKind.NOT_SCORABLE, 2)
    assert problem.json_path == "steps.1"
    assert (problem.line, problem.column) == locate(text, "1.steps.1")
    said = "steps.1: expected an object, found null; the SDK throws an error"
    assert problem.message == said
    assert not isinstance(problem, UnscoredRecord)


def test_what_has_a_text_but_no_score_stands_among_the_texts_in_its_place():
    rows = [trace(1), trace(2), trace(3)]
    rows[1]["outcome"]["confidence"] = "high"
    contents = read_it(lines(rows))
    problem = only_problem(contents)
    assert problem.message == (
        'outcome.confidence: expected a finite number, found "high"; the SDK\'s score is NaN'
    )
    assert isinstance(problem, UnscoredRecord)
    assert [one.source.record for one in contents.texts] == [1, 2, 3]
    assert [one.trace.id for one in contents.texts] == [row["id"] for row in rows]
    assert records(contents) == [1, 3]


def test_what_is_missing_stands_where_it_should_have_been():
    row = trace()
    del row["outcome"]["confidence"]
    text = json.dumps({"data": {"unit": row}}, indent=2)
    problem = only_problem(read_it(text))
    assert (problem.line, problem.column) == locate(text, "data.unit.outcome")
    assert (problem.json_path, problem.found) == ("outcome.confidence", "nothing")


# --- lone surrogates


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


# --- bytes


def test_a_unit_with_data_of_its_own_is_no_reply():
    unit = {"@type": "ExpertSOP", "id": "kp:sop:1", "data": [trace(1)]}
    contents = read_it(json.dumps(unit).encode())
    assert not contents.traces and [one.id for one in contents.skipped] == ["kp:sop:1"]


def test_gzip_that_is_cut_off_keeps_what_came_before():
    several = [trace(number, pad=os.urandom(300).hex()) for number in range(50)]
    data = gzip.compress(lines(several).encode())
    contents = read_it(data[: len(data) // 2])
    assert 5 < len(contents.traces) < 45
    problem = only_problem(contents)
    assert problem.line == len(contents.traces) + 1
    assert problem.found == "the end of truncated gzip data"


@pytest.mark.parametrize("data", [b"\x1f\x8b", gzip.compress(b"{}", mtime=0)[:11]])
def test_gzip_that_is_cut_off_at_once_is_no_empty_file(data):
    assert only_problem(read_it(data)).found == "the end of truncated gzip data"


def test_gzip_without_its_end_is_a_problem_though_the_text_is_whole():
    text = lines([trace(1), trace(2)])
    contents = read_it(gzip.compress(text.encode())[:-4])
    assert records(contents) == [1, 2]
    assert (only_problem(contents).line, only_problem(contents).column) == (3, 1)


def test_bytes_behind_gzip_are_a_problem():
    contents = read_it(gzip.compress(json.dumps(trace()).encode()) + b"junk")
    assert len(contents.traces) == 1
    assert only_problem(contents).found == "bytes behind the gzip data"
    padded = read_it(gzip.compress(json.dumps(trace()).encode()) + bytes(500))
    assert padded.problems == ()


@pytest.mark.parametrize("at", [2, 40, -6], ids=["method", "data", "checksum"])
def test_damaged_gzip_is_refused(at):
    data = bytearray(gzip.compress(json.dumps(trace()).encode()))
    data[at] ^= 0xFF
    contents = read_it(bytes(data))
    assert contents.traces == ()
    assert only_problem(contents).message.startswith("damaged gzip data: found an error in it")


def test_a_bomb_is_refused_before_it_is_unpacked(monkeypatch):
    monkeypatch.setattr(decode, "MAX_BYTES", 3 * 2**20)
    bomb = gzip.compress(b"[" + b" " * 40 * 2**20 + b"]")
    assert len(bomb) < 2**20
    taken = []
    read1 = gzip.GzipFile.read1
    monkeypatch.setattr(
        gzip.GzipFile, "read1", lambda *args: taken.append(piece := read1(*args)) or piece
    )
    problem = only_problem(read_it(bomb))
    assert (problem.expected, problem.found) == ("at most 3 MiB", "more")
    assert sum(map(len, taken)) <= 4 * 2**20
    assert max(map(len, taken)) == 2**20  # piece by piece, and none of them small


def test_as_much_as_may_be_is_read_and_a_byte_more_is_refused(monkeypatch):
    monkeypatch.setattr(decode, "MAX_BYTES", 2**20)
    text = json.dumps(trace()).encode()
    full = text + b" " * (2**20 - len(text))
    for data in (full, gzip.compress(full)):
        assert raws(read_it(data)) == [trace()]
    for data in (full + b" ", gzip.compress(full + b" ")):
        assert only_problem(read_it(data)).found == "more"


def test_files_over_the_limit_are_refused(tmp_path, monkeypatch):
    limit = 3 * 2**20
    monkeypatch.setattr(decode, "MAX_BYTES", limit)
    monkeypatch.setattr(read, "MAX_BYTES", limit)
    path = tmp_path / "big.json"
    path.write_text(json.dumps(trace(pad="x" * limit)))
    for named in (True, False):
        problem = only_problem(read_file(FoundFile(path, SHOWN, named)))
        assert problem.message.startswith("larger than ")
    assert only_problem(read_it(path.read_bytes())).found == "more"
    path.write_text("no JSON" * limit)
    assert read_file(FoundFile(path, SHOWN, named=False)).problems == ()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" \n",
        b"hello",
        b"\xff\xfeh\0",
        b"\x89PNG\r\n",
        b'"{"',
        gzip.compress(b"tar" * 9, mtime=0),
        b"\0" * 9,
    ],
)
def test_what_is_no_json_is_skipped_in_a_scan_and_a_problem_when_named(tmp_path, data):
    path = tmp_path / "x"
    path.write_bytes(data)
    scanned = read_file(FoundFile(path, SHOWN, named=False))
    assert (scanned.traces, scanned.problems) == ((), ())
    assert scanned.skipped[0].reason.startswith('not JSON: expected "{" or "[", found ')
    assert (scanned.skipped[0].path, scanned.skipped[0].type) == (SHOWN, None)
    problem = only_problem(read_file(FoundFile(path, SHOWN, named=True)))
    assert (problem.kind, problem.expected) == (ProblemKind.UNREADABLE, '"{" or "["')
    assert problem.line is not None and problem.column is not None


def test_a_scan_does_not_read_on_in_what_is_no_json(tmp_path, monkeypatch):
    path = tmp_path / "film"
    path.write_bytes(b"\x00" * 5 * 2**20)
    seen = []
    monkeypatch.setattr(read, "read_bytes", lambda data, *_args, **_named: seen.append(len(data)))
    read_file(FoundFile(path, SHOWN, named=False))
    assert seen == [2**20]


@pytest.mark.parametrize("coding", CODINGS)
def test_a_scan_knows_json_in_all_codings(tmp_path, coding):
    path = tmp_path / "x"
    path.write_bytes(CODINGS[coding]("\n\n " + json.dumps(trace())))
    assert raws(read_file(FoundFile(path, SHOWN, named=False))) == [trace()]


@pytest.mark.parametrize("size", [10, 2**21])
def test_a_scan_looks_behind_white_space(tmp_path, size):
    path = tmp_path / "x"
    blank = b" \n" * (size // 2)
    text = json.dumps(trace()).encode()
    for data in (
        blank + text,
        gzip.compress(blank + text, mtime=0),
        gzip.compress(blank, mtime=0) + gzip.compress(text, mtime=0),
    ):
        path.write_bytes(data)
        assert raws(read_file(FoundFile(path, SHOWN, named=False))) == [trace()]


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


# --- whatever the bytes


def is_whole(value):
    if isinstance(value, str):
        return not any("\ud800" <= character <= "\udfff" for character in value)
    if isinstance(value, dict):
        return all(is_whole(key) and is_whole(member) for key, member in value.items())
    return all(map(is_whole, value)) if isinstance(value, list) else True


def check(contents: FileContents) -> None:
    for problem in contents.problems:
        assert problem.path == SHOWN
        assert 0 < len(problem.message) < 1000
        assert problem.kind in ProblemKind
        if problem.kind is ProblemKind.NOT_SCORABLE or "JSON" in problem.message:
            assert present(problem.line) >= 1 and present(problem.column) >= 1
        assert problem.expected and problem.found
        assert is_whole([problem.message, problem.json_path, problem.expected, problem.found])
    numbers = [item.record for item in contents.problems]
    numbers += [item.record for item in contents.skipped]
    counted = [number for number in (*numbers, *records(contents)) if number is not None]
    assert sorted(counted) == list(range(1, len(counted) + 1))
    for record in contents.traces:
        assert isinstance(record, TraceRecord)
        trace = record.trace
        assert is_whole([trace.id or "", trace.text, *(issue.path for issue in record.issues)])
        assert is_whole([issue.message for issue in record.issues])
        assert is_whole([step.tool_name or "" for step in trace.steps])


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_bad_bytes_give_located_problems_or_traces_and_nothing_else(data):
    form = data.draw(st.sampled_from([*FORMS.values()]))
    text = form([trace(1), trace(2, x="\ud83d" if data.draw(st.booleans()) else "é")])
    coding = data.draw(st.sampled_from([*CODINGS.values()]))
    try:
        encoded = coding(text)
    except UnicodeEncodeError:
        encoded = text.encode("utf-8", "surrogatepass")
    raw = data.draw(damaged(encoded))
    contents = read_it(raw)
    check(contents)
    assert contents.traces or contents.problems or contents.skipped
    scanned = read_it(raw, named=False)
    assert scanned.traces == contents.traces or not contents.traces
    assert len(scanned.problems) <= len(contents.problems)


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=60) | st.binary(max_size=60).map(b"[".__add__))
def test_random_bytes(data):
    check(read_it(data))


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
