"""A file with a problem in every item: some are kept, all are counted, and no trace is lost."""

import json
import tracemalloc
from time import process_time

import pytest

from kpinspector.trace.read import read_bytes
from kpinspector.trace.records import MOST_PROBLEMS
from tests.trace.samples import trace

GOOD = json.dumps(trace())
SOP = '{"@type": "ExpertSOP", "id": "kp:sop:1"}'
REPORT = '{"format": "kpinspector-report", "version": 1, "traces": []}'
BAD = {
    "numbers": "0",
    "texts": '"a, [b"',
    "lists": "[1, {}]",
    "objects": '{"a": {"b": []}}',
    "empty": "{}",
    "without metadata": '{"steps": [], "task": {}}',
    "of a wrong kind": '{"steps": 0, "metadata": 0, "task": 0, "outcome": 0}',
    "of an unknown type": '{"@type": "Other"}',
}
BROKEN = {
    "words": "x",
    "objects": "{x}",
    "lists": "[0 0]",
    "nested": '{"steps": [{"a": x}]}',
    "near": '{"steps": 0, "metadata": 0, "task": 0, "outcome": x}',
    "escaped": '{"\\u0061" x}',
}


def records(contents):
    every = [*contents.traces, *contents.reports]
    return [one.source.record for one in every] + [one.record for one in contents.skipped]


def check(contents, count, behind):
    """All but ``behind`` records are problems, of which the first are kept."""
    assert len(contents.problems) == MOST_PROBLEMS
    assert [one.record for one in contents.problems] == list(range(1, MOST_PROBLEMS + 1))
    assert contents.more_problems == count - MOST_PROBLEMS
    assert records(contents) == behind


def items(bad, count=MOST_PROBLEMS + 50):
    """So many, then good ones between further bad ones."""
    every = [bad] * count
    return [*every, GOOD, bad, REPORT, bad, bad, SOP, bad], [count + 1, count + 3, count + 6]


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
@pytest.mark.parametrize("form", ["[{}]", '{{"data": [{}]}}', '[{{"data": [{}]}}]'])
def test_a_list_with_too_many_problems_keeps_the_first_and_all_else(bad, form):
    every, behind = items(bad)
    text = form.format(",\n".join(every))
    contents = read_bytes(text.encode(), "a.json")
    check(contents, len(every) - 3, behind)
    assert contents.traces[0].source.line == behind[0]
    assert contents.reports[0].source.line == behind[1]


# of a list on a line each item is a record while they are looked at, and the line is one later
LINES = [*BAD.values(), *BROKEN.values(), "[x"]


@pytest.mark.parametrize("bad", [one for one in LINES if one not in {"[1, {}]", "[0 0]"}])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n \t\n"])
def test_lines_with_too_many_problems_keep_the_first_and_all_else(bad, end):
    every, behind = items(bad)
    contents = read_bytes(("{}\n" + end.join(every)).encode(), "a.jsonl")
    check(contents, len(every) - 3 + 1, [one + 1 for one in behind])
    lines = end.count("\n")
    assert contents.traces[0].source.line == 2 + lines * (behind[0] - 1)


@pytest.mark.parametrize("bad", BROKEN.values(), ids=BROKEN)
def test_a_broken_list_with_too_many_problems_keeps_the_first_and_all_else(bad):
    every, behind = items(bad)
    text = "[" + ",\n".join(every) + "]"
    contents = read_bytes(text.encode(), "a.json")
    check(contents, len(every) - 3, behind)
    assert contents.traces[0].source.line == behind[0]
    assert contents.traces[0].trace.raw == trace()


@pytest.mark.parametrize("end", ["", ",", ", {", ', "', ", ,0]", "]]"])
def test_a_broken_list_may_end_in_any_way(end):
    contents = read_bytes(("[" + "x," * 1100 + GOOD + end).encode(), "a.json")
    assert len(contents.traces) == 1
    assert len(contents.problems) == MOST_PROBLEMS and contents.more_problems >= 100


def test_as_many_as_are_kept_are_none_too_many():
    contents = read_bytes(f"[{','.join(['0'] * MOST_PROBLEMS)}]".encode(), "a.json")
    assert (len(contents.problems), contents.more_problems) == (MOST_PROBLEMS, 0)


def test_issues_of_a_file_are_bounded_and_every_trace_keeps_some():
    bad = json.dumps(trace(steps=[{}] * 600))
    contents = read_bytes(f"[{','.join([bad] * 40)}]".encode(), "a.json")
    counts = [len(one.issues) for one in contents.traces]
    assert counts[0] == 1001 and counts[-1] == 11 and sum(counts) < 25_000
    assert contents.traces[-1].issues[-1].message == "and 1,190 more like these"


SHAPES = {
    "numbers": ("[", "0,", "0]"),
    "objects": ("[", "{},", "{}]"),
    "a reply": ('{"data": [', "0,", "0]}"),
    "broken items": ("[", "x,", "x]"),
    "broken objects": ("[", "{x},", "x]"),
    "a broken end": ("[", "0,", "x]"),
    "lines": ("{}\n", "{x\n", ""),
    "lists on lines": ("{}\n", "[x\n", ""),
    "over lines": ("[\n", "0,\n", "0]"),
}


@pytest.mark.parametrize(("begin", "item", "end"), SHAPES.values(), ids=SHAPES)
def test_time_and_memory_are_linear_in_what_is_read(begin, item, end):
    def cost(count):
        data = (begin + item * count + end).encode()
        start = process_time()
        contents = read_bytes(data, "a.json")
        seconds = process_time() - start
        assert len(contents.problems) + contents.more_problems >= count
        return seconds

    small, large = min(cost(20_000) for _ in range(2)), cost(100_000)
    assert large < 5 * 5 * max(small, 0.02)
    tracemalloc.start()
    try:
        cost(50_000)
        assert tracemalloc.get_traced_memory()[1] < 30e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "form", ["[{}]", "[{},x]", "{{}}\n{}"], ids=["a list", "a broken list", "lines"]
)
def test_behind_the_last_that_is_kept_a_trace_is_known_by_its_members_alone(form: str) -> None:
    plain = json.dumps({name: value for name, value in trace().items() if name[0] != "@"})
    text_only = '{"task": {"objective": "o"}, "steps": []}'
    assert "@" not in plain and "\\" not in plain
    divider = "\n" if form.endswith("\n{}") else ","
    bad = "0" if form == "[{}]" else "x"
    if divider == "\n":
        bad = "{x}"
    items = [bad] * (MOST_PROBLEMS + 5) + [plain, bad, text_only, bad]
    contents = read_bytes(form.format(divider.join(items)).encode(), "a.json")
    assert len(contents.traces) == 1
    first = contents.traces[0].source.record
    assert first is not None
    assert [one.source.record for one in contents.unlisted] == [first + 2]
    assert len(contents.texts) == 2
