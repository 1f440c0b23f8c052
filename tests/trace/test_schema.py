import time
from functools import partial

import pytest
from hypothesis import given, settings

from kpinspector.trace.schema import (
    MOST_ISSUES,
    OLD_CONTEXT,
    Severity,
    find_issues,
    passes,
    sdk_readings,
)
from tests.known import golden_lines
from tests.strategies import REQUIRED, WRONG, near_traces, remove_at, set_at
from tests.trace.samples import trace

TYPES = '"thought", "tool_call", "observation" or "error_recovery"'
A_DAY = "expected a day that is in the calendar"


def paths(issues):
    return {issue.path for issue in issues}


def test_the_verdict_and_the_paths_of_the_sdk():
    cases, answers = golden_lines("schema_cases.jsonl"), golden_lines("schema_expected.jsonl")
    assert len(cases) == len(answers) == 150
    for number, (case, answer) in enumerate(zip(cases, answers, strict=True), 1):
        issues = find_issues(case)
        assert paths(issues) == {issue["path"] for issue in answer["issues"]}, number
        assert passes(issues) is answer["valid"], number


@pytest.mark.parametrize(
    ("path", "value"), [(path, value) for path in WRONG for value in WRONG[path]], ids=str
)
def test_a_wrong_value_is_one_error_at_its_path(path, value):
    full = trace(
        steps=[{"step_id": 0, "type": "tool_call", "tool": {"name": "lab"}}],
        knowledge_graph_delta={"entities": [], "relationships": []},
    )
    (issue,) = find_issues(set_at(full, path, value))
    assert (issue.path, issue.severity) == (path, Severity.ERROR)
    assert issue.message.startswith("expected ") and ", found " in issue.message


@pytest.mark.parametrize("path", REQUIRED)
def test_what_is_missing_is_one_error_at_its_path(path):
    (issue,) = find_issues(remove_at(trace(), path))
    assert (issue.path, issue.severity, issue.message) == (path, Severity.ERROR, "missing")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("steps.0.latency_ms", "5", "expected a number, found a string"),
        ("steps.0.step_id", 1.5, "expected a whole number, found 1.5"),
        ("steps.0.step_id", -1, "expected a number of at least 0, found -1"),
        ("outcome.confidence", 1.5, "expected a number of at most 1, found 1.5"),
        ("outcome.confidence", 10**30, "expected a number of at most 1, found 1e+30"),
        ("steps", [], "expected at least one step, found an empty list"),
        ("task.objective", "", 'expected a string that is not empty, found ""'),
        ("metadata.success", None, "expected a boolean, found null"),
        ("task", [], "expected an object, found a list"),
        ("id", "x", 'expected an id that begins with "kp:trace:", found "x"'),
        ("steps.0.type", "Thought", f'expected {TYPES}, found "Thought"'),
        ("steps.0.type", {}, f"expected {TYPES}, found an object"),
        ("metadata.created_at", "1900-02-29T00:00Z", f'{A_DAY}, found "1900-02-29T00:00Z"'),
    ],
)  # fmt: skip
def test_messages_are_plain_words(path, value, message):
    assert [issue.message for issue in find_issues(set_at(trace(), path, value))] == [message]


@pytest.mark.parametrize("text", ["x" * 10**6, "\x1b[31m\n" * 1000])
def test_messages_are_bounded_and_printable(text):
    bad = set_at(set_at(trace(id=text), "metadata.created_at", text), "steps.0.type", text)
    for issue in find_issues(bad):
        assert len(issue.message) < 200
        assert issue.message.isprintable()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("steps.0.step_id", 1.0),
        ("steps.0.step_id", -0.0),
        ("steps.0.step_id", 2**80),
        ("steps.0.step_id", 1e21),
        ("steps.0.latency_ms", 0),
        ("outcome.confidence", 1),
        ("metadata.created_at", "0000-02-29T23:59Z"),
        ("metadata.created_at", "2000-02-29T00:00:59.000000000000001Z"),
        ("metadata.created_at", "9999-12-31T00:00:00Z"),
        ("metadata.unknown", None),
        ("steps.0.tool", {"name": "", "extra": 1}),
        ("knowledge_graph_delta", {"entities": [{"name": "a", "type": "b"}], "relationships": []}),
    ],
)
def test_what_looks_odd_but_is_right(path, value):
    assert find_issues(set_at(trace(), path, value)) == ()


def test_the_old_context_is_a_warning_that_passes():
    (issue,) = find_issues(trace(**{"@context": OLD_CONTEXT}))
    assert (issue.path, issue.severity) == ("@context", Severity.WARNING)
    assert passes([issue])
    assert not passes(find_issues(trace(**{"@context": OLD_CONTEXT, "id": ""})))


def test_all_issues_are_given_and_none_twice():
    bad = trace(steps=[{"step_id": "x", "type": 1}, 5, {}], outcome=None)
    expected = ["steps.0.step_id", "steps.0.type", "steps.1", "steps.2.step_id", "steps.2.type"]
    assert [issue.path for issue in find_issues(bad)] == [*expected, "outcome"]


@pytest.mark.parametrize(
    ("path", "prefix"),
    [
        (("steps",), "steps"),
        (("metadata", "validated_by"), "metadata.validated_by"),
        (("knowledge_graph_delta", "entities"), "knowledge_graph_delta.entities"),
        (("knowledge_graph_delta", "relationships"), "knowledge_graph_delta.relationships"),
    ],
)
def test_issues_of_a_long_list_are_as_those_of_a_short_one_and_the_rest_is_counted(path, prefix):
    good = {
        "steps": {"step_id": 0, "type": "thought"},
        "validated_by": "me",
        "entities": {"name": "n", "type": "t"},
        "relationships": {"fact": "f", "valid_from": "v"},
    }[path[-1]]
    bad = trace(outcome=None, knowledge_graph_delta={"entities": [], "relationships": []})
    holder = bad if len(path) == 1 else bad[path[0]]
    holder[path[-1]] = [good] * 2500
    for index in (3, 999, 1000, 2400):
        holder[path[-1]][index] = 7
    found = [issue.path for issue in find_issues(bad) if issue.path != "outcome"]
    assert found == [f"{prefix}.{index}" for index in (3, 999, 1000, 2400)]
    holder[path[-1]] = [7] * 30_000
    *issues, last = [issue for issue in find_issues(bad) if issue.path != "outcome"]
    assert [issue.path for issue in issues] == [f"{prefix}.{index}" for index in range(MOST_ISSUES)]
    assert (last.path, last.message) == (prefix, "and 29,000 more like these")
    assert not passes(find_issues(bad))
    order = [issue.path.partition(".")[0] for issue in find_issues(bad)]
    assert order == sorted(order, key=list(trace(knowledge_graph_delta=None)).index)


def test_many_broken_steps_take_linear_time():
    def seconds(count):
        bad = trace(steps=[{"step_id": "x", "type": 1}] * count)
        start = time.perf_counter()
        *issues, last = find_issues(bad)
        seconds = time.perf_counter() - start
        more = 2 * count - MOST_ISSUES
        assert len(issues) == min(2 * count, MOST_ISSUES + 1) - 1
        if more > 0:
            assert (last.path, last.message) == ("steps", f"and {more:,} more like these")
        return seconds

    seconds(10)
    few, many = min(seconds(1000) for _ in range(3)), seconds(20_000)
    assert many < 20 * few * 10  # a square would be 400 times


@settings(deadline=None)
@given(near_traces())
def test_near_traces_fail_at_their_path(pair):
    one, path = pair
    issues = find_issues(one)
    assert path in paths(issues)
    assert not passes(issues)


@pytest.mark.parametrize(
    ("change", "value"), [(remove_at, "missing"), (partial(set_at, value=None), "null")]
)
def test_what_is_not_there_is_named_with_what_the_sdk_reads(change, value):
    raw = change(trace(), path="metadata.success")
    said = f"metadata.success is {value}; the SDK reads it as false."
    assert sdk_readings(find_issues(raw), raw) == (said,)
