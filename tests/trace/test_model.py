import pytest

from kpinspector.errors import NotScorableError
from kpinspector.trace.model import describe, quoted, trace_from_json, truthy
from tests.strategies import remove_at, set_at
from tests.trace.samples import trace


@pytest.mark.parametrize("value", [[], {}, "false", 1, -0.5, True, " "])
def test_true_in_javascript(value):
    assert truthy(value)


@pytest.mark.parametrize("value", [0, 0.0, -0.0, "", None, False])
def test_false_in_javascript(value):
    assert not truthy(value)


@pytest.mark.parametrize(
    ("path", "value", "expected", "found"),
    [
        ("metadata", [], "an object", "a list"),
        ("task", None, "an object", "null"),
        ("outcome", "x", "an object", "a string"),
        ("steps", {}, "a list", "an object"),
        ("steps.1", None, "an object", "null"),
        ("steps.1", [], "an object", "a list"),
        ("task.objective", None, "a string", "null"),
        ("steps.0.content", 0, "a string", "a number"),
        ("steps.0.content", False, "a string", "a boolean"),
        ("outcome.confidence", True, "a number", "a boolean"),
        ("outcome.confidence", "1", "a number", "a string"),
        ("outcome.confidence", None, "a number", "null"),
        ("outcome.confidence", float("inf"), "a number", "a number"),
        ("outcome.confidence", 10**400, "a number", "a number"),
    ],
)
def test_what_cannot_be_scored(path, value, expected, found):
    with pytest.raises(NotScorableError) as caught:
        trace_from_json(set_at(trace(), path, value))
    error = caught.value
    assert (error.json_path, error.expected, error.found) == (path, expected, found)


@pytest.mark.parametrize(
    "path", ["metadata", "task", "task.objective", "steps", "outcome", "outcome.confidence"]
)
def test_what_must_be_there(path):
    with pytest.raises(NotScorableError) as caught:
        trace_from_json(remove_at(trace(), path))
    assert (caught.value.json_path, caught.value.found) == (path, "nothing")


def test_absent_and_null_contents_are_empty():
    one = trace_from_json(trace(steps=[{}, {"content": None}, {"content": "x"}]))
    assert one.text == "objective 1   x"


@pytest.mark.parametrize("value", ["", 5, None, ["x"]])
def test_an_id_that_cannot_be_used(value):
    assert trace_from_json(trace(id=value)).id is None


def test_types_and_tool_names_count_as_in_a_javascript_set():
    names = [{"name": name} for name in (1, 1.0, True, "1", None, [], [], "1")]
    steps = trace_from_json(trace(steps=[{"tool": tool} for tool in [*names, {}, "x", 7]])).steps
    keys = [step.tool_key for step in steps]
    assert keys[0] == keys[1]
    assert keys[3] == keys[7]
    assert keys[8] == keys[9] == keys[10]  # a string and a number have no name
    assert keys[5] != keys[6]  # objects are equal to themselves alone
    assert len(set(keys)) == 7


def test_a_tool_that_javascript_calls_false_is_none():
    steps = trace_from_json(trace(steps=[{"tool": tool} for tool in (None, 0, "", False)])).steps
    assert [step.tool_key for step in steps] == [None] * 4
    assert [step.tool_name for step in steps] == [None] * 4


def test_tool_names_for_display():
    names = ("lab", None, True, {"a": ["x" * 500]})
    raw = [{"tool": {"name": name}} for name in names]
    shown = [step.tool_name for step in trace_from_json(trace(steps=raw)).steps]
    assert shown[:3] == ["lab", "", "true"]
    assert shown[3].startswith('{"a": ["xxx') and len(shown[3]) == 80


def test_metadata_of_other_types_is_none():
    raw = {"task_domain": 5, "success": "no", "quality_score": True, "visibility": []}
    metadata = trace_from_json(trace(metadata=raw)).metadata
    assert metadata.success
    assert (metadata.task_domain, metadata.quality_score, metadata.visibility) == (None,) * 3


def test_words():
    assert [describe(value) for value in (None, True, 1, 1.5, "", [], {})] == [
        "null", "a boolean", "a number", "a number", "a string", "a list", "an object",
    ]  # fmt: skip
    assert quoted("a\x1b\n" + "x" * 100, 5) == '"a\ufffd\ufffdx…"'
