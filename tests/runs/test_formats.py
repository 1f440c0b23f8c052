"""What holds of every format: of its samples, its real files, and what is nearly of it."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.runs.read import read_bytes
from kpinspector.runs.readers import formats
from kpinspector.runs.recording import recognise
from kpinspector.runs.run import Record
from kpinspector.runs.texts import FileHead, head_of, records_of
from kpinspector.trace.bytes import decode
from tests.goldens import DATA
from tests.runs.made import assert_grows, assert_holds, damaged, document, mutated, nearly, odd_ones
from tests.runs.truth import assert_as_expected, found_in, truths

SAMPLES = sorted((DATA / "recordings").iterdir())
each = pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)


def records_in(path) -> tuple[str, list]:
    """The format of a sample, and its JSON texts."""
    data = decode(path.read_bytes()).data
    form = recognise(head_of(data))
    assert form is not None
    found = records_of(data, path.name)
    return form, [one.value for one in found if isinstance(one, Record)]


def test_every_format_has_a_sample():
    assert {records_in(path)[0] for path in SAMPLES} == set(formats())


@each
def test_any_value_anywhere_is_borne(path):
    form, records = records_in(path)
    for made in odd_ones(records):
        assert_holds(form, made)


@each
@settings(max_examples=40)
@given(data=st.data())
def test_damaged_recordings_give_what_can_be_saved(path, data):
    form, records = records_in(path)
    assert_holds(form, data.draw(damaged(records)))


@pytest.mark.parametrize("path", [one for one in SAMPLES if one.suffix.startswith(".json")])
def test_mutated_recordings_are_told_in_one_problem_where_they_are_of_no_format(path):
    data, chance = path.read_bytes(), Random(path.name)
    for _ in range(30):
        made = mutated(data, chance)
        found = read_bytes(made, path.name)
        if recognise(head_of(made)) is None:
            assert len(found.problems) + len(found.skipped) <= 1, made


@each
def test_a_growing_file_gives_the_same_as_one_that_is_read_at_once(path):
    form, records = records_in(path)
    assert_grows(form, records + records[1:])


def test_real_recordings_are_read_as_what_happened_in_them(reference):
    found = truths(reference)
    assert len(found) == 89 + 27
    for path, expected in found.items():
        assert_as_expected(found_in(path), expected)


LISTS = ("pydantic-ai-messages", "vercel-ai-messages", "smolagents-steps", "autogen", "opencode")


@pytest.mark.parametrize("family", LISTS)
def test_real_lists_are_read_as_what_happened_in_them(reference, family):
    manifest = json.loads((reference / "runs" / "manifest.json").read_text(encoding="utf-8"))
    for entry in (one for one in manifest["runs"] if one["format"] == family):
        truth = entry["truth"]["main"]
        for file in entry["files"]:
            (found,) = found_in(reference / "runs" / file)
            assert found["prompts"] == entry["prompts"]
            assert (found["calls"], found["failed"]) == (truth["calls"], truth["failed"])
            if family != "autogen":  # which makes one thought of what a turn thinks and says
                assert found["texts"] == truth["texts"]
                thoughts = truth["texts"] + truth["reasoning"]
                assert str(found["kinds"]).count("T") == thoughts
            assert found["recoveries"] == (2 if family == "opencode" else 1)


def test_a_page_says_where_agents_keep_their_files():
    page = (DATA.parents[1] / "resources" / "help" / "recordings.md").read_text(encoding="utf-8")
    assert all(form.where in page for form in formats().values())


_ATIF = {"agent": {"name": "x"}, "steps": [{"source": "user", "step_id": 1, "message": ""}]}
_LOG = {"task": "t", "run_id": "1"}
_CONSOLE = {"name": "chat", "context": {"trace_id": "1"}, "start_time": "", "attributes": {}}
_SHOWN = {"type": "tool-dig", "toolCallId": "a", "state": "input-available"}


@pytest.mark.parametrize(
    ("form", "missing", "value"),
    [
        ("claude-code", "sessionId or uuid", {"type": "user", "message": {"content": "Go."}}),
        ("codex", "session_meta", {"type": "response_item", "payload": {}, "timestamp": ""}),
        ("otlp", "resourceSpans", {"scopeSpans": []}),
        ("otlp", "resourceSpans: these are spans as the console shows them", _CONSOLE),
        ("inspect", "samples", {"eval": _LOG, "version": 2}),
        ("inspect", "version", {"eval": _LOG, "samples": []}),
        ("swe-agent", "action in its trajectory", {"trajectory": [{"observation": "b"}]}),
        ("swe-agent", "observation in its trajectory", {"trajectory": [{"action": "a"}]}),
        ("atif", "steps", {"schema_version": "ATIF-v1.7", "agent": {"name": "x"}}),
        ("atif", "schema_version", _ATIF),
        ("gemini", "sessionId and projectHash", {"type": "gemini", "content": "so"}),
        ("gemini", "projectHash", {"sessionId": "1", "messages": []}),
        ("gemini", "sessionId", {"projectHash": "1", "startTime": "", "lastUpdated": ""}),
        ("copilot", "parentId", {"type": "user.message", "data": {"content": "Go."}}),
        ("qwen-code", "sessionId", {"type": "user", "message": {"role": "user", "parts": []}}),
        ("cline", "origin", {"sessionId": "1", "messages": [], "taskType": "x"}),
        ("pi", "cwd", {"type": "session", "id": "1", "timestamp": ""}),
        ("continue", "sessionId", {"history": [{"message": {"role": "user", "content": "x"}}]}),
        ("opencode", "parts of its messages", {"messages": [{"info": {"role": "user"}}]}),
        ("pydantic-ai", "kind of its messages", [{"parts": [{"part_kind": "text"}]}]),
        ("vercel-ai", "role of its messages", [{"parts": [_SHOWN]}]),
        ("smolagents", "model_output_message of its steps",
         [{"step_number": 1, "observations": "x", "tool_calls": []}]),
        ("autogen", "source of its messages", [{"type": "TextMessage", "content": "x"}]),
        ("messages", "role", {"messages": [{"content": "a"}, {"content": "b"}]}),
    ],
)  # fmt: skip
def test_what_is_nearly_of_a_format_says_what_it_lacks(form, missing, value):
    assert nearly(document(value)) == (form, missing)


@pytest.mark.parametrize(
    "value",
    [
        {"type": "user"},
        {"type": "response_item", "payload": 1, "timestamp": ""},
        {"resourceSpans": {}},
        {"eval": "x", "version": 1, "samples": []},
        {"version": 1, "samples": []},
        {"trajectory": [{"x": 1}]},
        {"steps": []},
        {"schema_version": "1", "steps": [1]},
        {"sessionId": "1", "startTime": "2"},
        [{"name": "Ann", "role": "user", "mail": "a@b.c"}],
        [{"role": "system", "content": "alone"}],
        {"messages": []},
        {"messages": "none"},
        [{"role": "user", "parts": [{"type": "text", "text": "x"}], "content": ""}],
        [1, "a"],
        {},
        [],
    ],
)
def test_what_is_of_no_format(value):
    assert nearly(document(value)) is None
    assert recognise(head_of(document(value))) is None


def test_a_zip_is_a_log_by_its_members():
    lacks = formats()["inspect"].lacks
    assert lacks(FileHead((), members=("samples/a.json", "summaries.json"))) == "header.json"
    for other in (("xl/book.xml", "samples/a.wav"), ("samples/a.json",)):
        assert recognise(FileHead((), members=other)) is None
        assert lacks(FileHead((), members=other)) is None
