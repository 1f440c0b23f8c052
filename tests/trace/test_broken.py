"""What is broken loses no other record, and says where and what it is."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kpinspector.trace.records import FileContents, ProblemKind, TraceRecord
from tests.known import present
from tests.strategies import damaged
from tests.trace.samples import CODINGS, FORMS, SHOWN, read_it, records, trace

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


def test_a_first_line_without_its_end_costs_no_line_that_is_indented():
    one = json.dumps(trace())
    contents = read_it(f"{one[:-1]}\n   {one}\n\t{one}\n")
    assert len(contents.traces) == 2
    assert [(one.line, one.found) for one in contents.problems] == [(1, "the end of the line")]
