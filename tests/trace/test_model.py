from math import inf

import pytest

from kpinspector.errors import NotScorableError
from kpinspector.trace.javascript import truthy
from kpinspector.trace.model import describe, read_trace, trace_from_json
from kpinspector.trace.printable import quoted
from tests.known import present
from tests.strategies import remove_at, set_at
from tests.trace.samples import trace


@pytest.mark.parametrize("value", [[], {}, "false", 1, -0.5, True, " "])
def test_true_in_javascript(value):
    assert truthy(value)


@pytest.mark.parametrize("value", [0, 0.0, -0.0, "", None, False])
def test_false_in_javascript(value):
    assert not truthy(value)


@pytest.mark.parametrize(
    ("path", "value", "found", "result", "has_text"),
    [
        ("metadata", None, "null", "throws", True),
        ("outcome", None, "null", "throws", True),
        ("task", None, "null", "throws", False),
        ("steps", {}, "an object", "throws", False),
        ("steps", "abc", "a string", "throws", False),
        ("steps.1", None, "null", "throws", False),
        ("task.objective", {"toString": 1}, "an object", "throws", False),
        ("steps.0.content", [[{"toString": None}]], "a list", "throws", False),
        ("metadata.task_domain", {"toString": 1}, "an object", "throws", True),
        ("outcome.confidence", {"toString": 1}, "an object", "throws", True),
        ("outcome.confidence", "high", '"high"', "NaN", True),
        ("outcome.confidence", {}, "an object", "NaN", True),
        ("outcome.confidence", [True], "a list", "NaN", True),
        ("outcome.confidence", inf, "Infinity", "Infinity", True),
        ("outcome.confidence", 10**400, "Infinity", "Infinity", True),
        ("outcome.confidence", "-Infinity", '"-Infinity"', "-Infinity", True),
    ],
)
def test_what_has_no_score(path, value, found, result, has_text):
    raw = set_at(trace(steps=[{}, {}]), path, value)
    with pytest.raises(NotScorableError) as caught:
        trace_from_json(raw)
    error = caught.value
    assert (error.json_path, error.found) == (path, found)
    assert result in error.message and error.message.startswith(f"{path}: expected ")
    try:
        read, failure = read_trace(raw)
    except NotScorableError:
        assert not has_text
    else:
        assert has_text and read.text.startswith("objective") and present(failure).json_path == path


def test_three_recoveries_cut_an_infinite_confidence_to_a_score():
    raw = trace(metadata={"success": True}, outcome={"confidence": inf})
    trace_from_json(raw | {"steps": [{"type": "error_recovery"}] * 3})
    with pytest.raises(NotScorableError, match="Infinity"):
        trace_from_json(raw | {"steps": [{"type": "error_recovery"}] * 2})


@pytest.mark.parametrize("confidence", [inf, -inf, "high"])
@pytest.mark.parametrize("success", [True, False])
@pytest.mark.parametrize("domain", ["constructor", "__proto__", ["toString"]])
def test_a_domain_that_every_object_has_gives_no_number(domain, success, confidence):
    metadata = {"task_domain": domain, "success": success}
    with pytest.raises(NotScorableError, match="the SDK's score is NaN"):
        trace_from_json(
            trace(steps=[{}, {}], metadata=metadata, outcome={"confidence": confidence})
        )


@pytest.mark.parametrize("path", ["metadata", "task", "steps", "outcome", "outcome.confidence"])
def test_what_must_be_there(path):
    with pytest.raises(NotScorableError) as caught:
        trace_from_json(remove_at(trace(), path))
    assert (caught.value.json_path, caught.value.found) == (path, "nothing")


@pytest.mark.parametrize("outcome", [5, "x", []])
def test_an_outcome_without_members_gives_no_number(outcome):
    with pytest.raises(NotScorableError, match="NaN"):
        trace_from_json(trace(outcome=outcome))


def test_any_task_and_metadata_but_null_are_read_as_if_they_were_empty():
    one = trace_from_json(trace(task="t", metadata=[], steps=[]))
    assert one.text == "undefined "
    assert (one.metadata.success, one.metadata.task_domain) == (False, None)


@pytest.mark.parametrize(
    ("objective", "text"),
    [
        (None, "null"),
        (0.1, "0.1"),
        (True, "true"),
        ([None, [1, "a"], {}], ",1,a,[object Object]"),
        ({"valueOf": 1, "__proto__": None}, "[object Object]"),
        ("\ud800", "\ufffd"),
    ],
)
def test_an_objective_of_another_type_is_a_text(objective, text):
    assert trace_from_json(trace(task={"objective": objective})).objective == text


def test_contents_of_other_types_are_texts():
    contents = [0, False, [None, None], {}, 1e21, None]
    one = trace_from_json(trace(steps=[{"content": content} for content in contents]))
    assert [step.content for step in one.steps] == [
        "0",
        "false",
        ",",
        "[object Object]",
        "1e+21",
        "",
    ]


def test_a_step_that_is_no_object_counts_as_an_empty_one():
    steps = trace_from_json(trace(steps=[7, "x", [], False, {}])).steps
    assert {(step.kind, step.type_key, step.content, step.tool_key) for step in steps} == {
        (None, steps[4].type_key, "", None)
    }
    assert [dict(step.raw) for step in steps] == [{}] * 5


def test_a_domain_is_looked_up_by_its_text():
    for domain, text in ((["code"], "code"), (5, "5"), (None, None), ("\udfff", "\ufffd")):
        raw = trace(metadata={"task_domain": domain})
        assert trace_from_json(raw).metadata.task_domain == text


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
    assert present(shown[3]).startswith('{"a": ["xxx') and len(present(shown[3])) == 80


def test_metadata_of_other_types_is_none():
    raw = {"success": "no", "quality_score": True, "visibility": []}
    metadata = trace_from_json(trace(metadata=raw)).metadata
    assert metadata.success
    assert (metadata.task_domain, metadata.quality_score, metadata.visibility) == (None,) * 3


def test_words():
    assert [describe(value) for value in (None, True, 1, 1.5, "", [], {})] == [
        "null", "a boolean", "a number", "a number", "a string", "a list", "an object",
    ]  # fmt: skip
    assert quoted("a\x1b\n" + "x" * 100, 5) == '"a\ufffd\ufffdx…"'
