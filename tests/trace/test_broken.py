"""What is broken loses no other record, and says where and what it is."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kpinspector.trace.find import FoundFile
from kpinspector.trace.place import locate
from kpinspector.trace.read import read_file
from kpinspector.trace.records import FileContents, ProblemKind, TraceRecord, UnscoredRecord
from tests.known import present
from tests.strategies import damaged
from tests.trace.samples import (
    CODINGS,
    FORMS,
    SHOWN,
    lines,
    only_problem,
    raws,
    read_it,
    records,
    trace,
)

BROKEN = Path(__file__).parents[1] / "data" / "broken"
THE_END = "the end of the file"

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
    ("reply_truncated.json", [], None, 1, 1443, "data.2.steps.0",
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
@pytest.mark.parametrize("form", ["lines", "list", "list over lines"])
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


@pytest.mark.parametrize("form", ["list", "list over lines"])
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


def test_a_broken_reply_is_one_problem():
    reply = f'{{"data": [x, {json.dumps(trace(2))}]}}'
    problem = only_problem(read_it(reply))
    assert (problem.record, problem.json_path, problem.found) == (None, "data.0", 'the word "x"')
    contents = read_it(f"[{json.dumps(trace(1))}, {reply}, {json.dumps(trace(3))}]")
    assert raws(contents) == [trace(1), trace(3)]
    assert (only_problem(contents).record, only_problem(contents).json_path) == (2, "data.0")


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
