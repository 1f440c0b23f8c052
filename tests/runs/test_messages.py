"""Lists of messages, in the shapes of the libraries that write them."""

import pytest

from kpinspector.runs.read import read_bytes
from kpinspector.runs.recording import recognise, recording_of
from kpinspector.runs.run import Recording
from kpinspector.runs.texts import head_of
from kpinspector.trace.bytes import decode
from tests.runs.made import document, lines, read

OPENAI = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "Add"}, {"type": "text", "text": "2+3"}]},
    {
        "role": "assistant",
        "content": "Adding.",
        "reasoning_content": "Simple.",
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "add", "arguments": '{"a":2,"b":3}'},
            },
            {"id": "c2", "type": "custom", "custom": {"name": "note", "input": "sum"}},
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "5"},
    {"role": "tool", "tool_call_id": "c2", "content": [{"type": "text", "text": "kept"}]},
    {"role": "assistant", "content": None, "refusal": "No more."},
]
ANTHROPIC = [
    {"role": "user", "content": "Open the door"},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "Is it locked?", "signature": "x"},
            {"type": "redacted_thinking", "data": "x"},
            {"type": "text", "text": "I try."},
            {"type": "tool_use", "id": "t1", "name": "open", "input": {"door": 1}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "Hurry"},
            {
                "type": "tool_result",
                "tool_use_id": "t1",
                "is_error": True,
                "content": [{"type": "text", "text": "locked"}, {"type": "text", "text": "twice"}],
            },
        ],
    },
    {"role": "assistant", "content": [{"type": "text", "text": "I take the key."}]},
]


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ([{"text": "Hm."}, {"tool_call": {"id": "a"}}], "tool_call"),
        ([{"type": "some_new"}, {"type": "older"}], "older, some_new"),
        ([{"x\u202ey": 1, "z": 2}], "x\ufffdy z"),
    ],
)
@pytest.mark.parametrize("as_lines", [True, False])
def test_a_list_with_parts_that_are_not_known_is_refused(answer, named, as_lines):
    messages = [{"role": "user", "content": "Go"}, {"role": "assistant", "content": answer}]
    data = lines(*messages) if as_lines else document(messages)
    contents = read_bytes(data, "x")
    (problem,) = contents.problems
    assert problem.message == f"a list of messages whose parts are not known: {named}"
    assert (problem.line, contents.traces, contents.skipped) == (1, (), ())


def test_only_the_list_with_parts_that_are_not_known_is_refused():
    bad = [{"role": "assistant", "content": [{"tool_call": {}}]}]
    contents = read_bytes(lines(ANTHROPIC, bad, OPENAI), "x")
    assert [one.line for one in contents.problems] == [2]
    assert len(contents.traces) == 2


@pytest.mark.parametrize("held", [ANTHROPIC, {"messages": ANTHROPIC}])
def test_lines_of_lists_are_a_run_each(held):
    recording = read(lines(held, held, held))
    assert [run.blocks[0].place.chunk.line for run in recording.runs] == [1, 2, 3]
    contents = read_bytes(lines(held, {"messages": OPENAI}), "x")
    assert len({one.trace.id for one in contents.traces}) == 2


def test_a_list_longer_than_its_head_is_recognised():
    data = document([{"role": "user", "content": "x" * 100_000}, *OPENAI])
    assert recognise(head_of(data)) == "messages"


def test_a_list_that_is_asked_for_is_read_as_one():
    found = recording_of(decode(b'{"messages": []}'), "x", "messages")
    assert isinstance(found, Recording)
    assert not found.runs
    assert found.dropped == {"of no role": 1}
