"""Lists of messages, in the shapes of the libraries that write them."""

import json

import pytest

from kpinspector.runs.read import read_bytes
from kpinspector.runs.recording import recognise, recording_of
from kpinspector.runs.run import Recording
from kpinspector.runs.texts import head_of
from kpinspector.trace.bytes import decode
from tests.runs.made import document, lines, outline, read, recovering, taken
from tests.runs.traces import RUN, converse, told

_FORMATS = ("anthropic-messages", "langchain-messages", "openai-responses-items")

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
RESPONSES = [
    {"role": "user", "content": [{"type": "input_text", "text": "Weather?"}]},
    {
        "type": "reasoning",
        "summary": [{"type": "summary_text", "text": "Ask the tool."}],
        "encrypted_content": "x",
    },
    {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "I look."}],
    },
    {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": "{}", "id": "fc_1"},
    {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"query": "rain"}},
    {"type": "function_call_output", "call_id": "c1", "output": "rain"},
    {"type": "mcp_call", "id": "m1", "name": "ask", "arguments": "{}", "error": "gone"},
    {"type": "item_reference", "id": "msg_1"},
    {"type": "reasoning", "summary": [], "encrypted_content": "x"},
]
LANGCHAIN = [
    {"type": "human", "content": "Fetch it"},
    {
        "type": "ai",
        "content": "",
        "additional_kwargs": {"reasoning_content": "Which one?"},
        "tool_calls": [{"name": "fetch", "args": {"n": 1}, "id": "c1", "type": "tool_call"}],
        "invalid_tool_calls": [{"name": "fetch", "args": "{oops", "id": "c2", "error": "bad"}],
    },
    {"type": "tool", "content": "no such thing", "tool_call_id": "c1", "status": "error"},
    {"type": "ai", "content": [{"type": "text", "text": "Not there."}]},
]


def test_a_list_of_haystack_is_refused_by_its_parts(reference):
    data = (reference / "runs" / "more" / "haystack" / "messages.json").read_bytes()
    (problem,) = read_bytes(data, "x").problems
    assert problem.message == ("a list of messages whose parts are not known: reasoning, tool_call")


def test_a_list_of_openai_chat():
    recording = read(document(OPENAI))
    assert outline(recording.runs[0]) == [
        "prompt Add\n2+3",
        "reasoning Simple.",
        "text Adding.",
        'call add "{\\"a\\":2,\\"b\\":3}"',
        'call note "sum"',
        "result 5",
        "result kept",
        "text No more.",
    ]
    assert (recording.unit, recording.total) == ("messages", 6)
    assert recording.dropped == {"system message": 1}


def test_a_list_of_anthropic_messages():
    run = read(document(ANTHROPIC)).runs[0]
    assert outline(run) == [
        "prompt Open the door",
        "reasoning Is it locked?",
        "text I try.",
        'call open {"door": 1}',
        "result failed locked\ntwice",
        "prompt Hurry",
        "text I take the key.",
    ]
    assert recovering(run, "messages") == [5]


def test_a_list_of_amazon_converse():
    recording = read(document(converse()))
    (run,) = recording.runs
    assert told(run) == RUN
    assert recovering(run, "messages") == [3]
    assert (recording.total, recording.dropped) == (6, {})
    assert run.blocks[3].place.path == (2, "content", 0)
    reasoning = (3, "content", 0, "reasoningContent", "reasoningText", "text")
    assert run.blocks[4].place.path == reasoning


def test_items_of_openai_responses():
    recording = read(document(RESPONSES))
    assert outline(recording.runs[0]) == [
        "prompt Weather?",
        "reasoning Ask the tool.",
        "text I look.",
        'call weather "{}"',
        'call web_search {"query": "rain"}',
        "result rain",
        'call ask "{}"',
        "result failed gone",
    ]
    assert recording.dropped == {"item reference": 1, "empty or redacted": 1}
    answers = [block.answer for block in recording.runs[0].blocks if block.answer]
    assert answers[0] == answers[1] == answers[3] != answers[4]


def test_parts_beside_others_are_counted():
    asked = [
        {"type": "text", "text": "What is this?"},
        {"type": "image", "source": {}},
        {"type": "image_url", "image_url": {"url": "x"}},
        {"type": "document", "source": {}},
    ]
    answer = [
        {"type": "redacted_thinking", "data": "x"},
        {"type": "text", "text": "A door."},
        {"type": "some_new", "x": 1},
        {"type": "tool_use", "id": "t", "name": "look", "input": {}},
    ]
    seen = [{"type": "text", "text": "seen"}, {"type": "image", "source": {}}]
    result = [{"type": "tool_result", "tool_use_id": "t", "content": seen}]
    recording = read(
        document(
            [
                {"role": "user", "content": asked},
                {"role": "assistant", "content": answer},
                {"role": "user", "content": result},
                {"role": "user", "content": [{"type": "image"}, {"type": "image"}]},
                {"role": "user", "content": "And these?", "images": [{}], "files": [{}]},
            ]
        )
    )
    assert outline(recording.runs[0])[-2:] == ["result seen", "prompt And these?"]
    assert recording.runs[0].parts == {"image": 4, "file": 2, "empty or redacted": 1, "some_new": 1}
    assert (recording.total, recording.dropped) == (5, {"image": 1})


@pytest.mark.parametrize("role", ["user", "assistant"])
@pytest.mark.parametrize(
    ("content", "last", "parts", "dropped"),
    [
        ({"foo": "bar"}, "No more.", {}, {"object": 1}),
        (42, "No more.", {}, {"number": 1}),
        (True, "No more.", {}, {"boolean": 1}),
        ([["a", "b"], "c"], "c", {"array": 1}, {}),
        (["c", 4.2, None], "c", {"number": 1}, {}),
        (None, "No more.", {}, {"empty or redacted": 1}),
    ],
)
def test_what_is_no_part_is_counted_by_its_type(role, content, last, parts, dropped):
    recording = read(document([*OPENAI, {"role": role, "content": content}]))
    (run,) = recording.runs
    assert (run.blocks[-1].text, run.parts) == (last, parts)
    assert recording.dropped == {"system message": 1, **dropped}


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


def test_a_picture_of_amazon_converse_is_counted():
    asked = {"role": "user", "content": [{"text": "What?"}, {"image": {"format": "png"}}]}
    recording = read(document([asked, *converse()[1:]]))
    assert recording.runs[0].parts == {"image": 1}


def test_only_the_list_with_parts_that_are_not_known_is_refused():
    bad = [{"role": "assistant", "content": [{"tool_call": {}}]}]
    contents = read_bytes(lines(ANTHROPIC, bad, OPENAI), "x")
    assert [one.line for one in contents.problems] == [2]
    assert len(contents.traces) == 2


def _wrapped(message):
    return {"type": message["type"], "data": message}


def _constructed(message):
    names = {"human": "HumanMessage", "ai": "AIMessageChunk", "tool": "ToolMessage"}
    kwargs = {key: value for key, value in message.items() if key != "type"}
    path = ["langchain", "schema", "messages", names[message["type"]]]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": kwargs}


@pytest.mark.parametrize("shape", [dict, _wrapped, _constructed])
def test_a_list_of_langchain_in_each_of_its_shapes(shape):
    run = read(document({"messages": [shape(one) for one in LANGCHAIN]})).runs[0]
    assert outline(run) == [
        "prompt Fetch it",
        "reasoning Which one?",
        'call fetch {"n": 1}',
        'call fetch "{oops"',
        "result failed no such thing",
        "text Not there.",
    ]
    assert recovering(run, "messages") == [4]


def test_a_call_that_stands_in_content_and_in_tool_calls_is_one():
    part = {"type": "tool_use", "id": "c1", "name": "fetch", "input": {}}
    call = {"name": "fetch", "args": {}, "id": "c1"}
    other = {"name": "send", "args": {}, "id": "c2"}
    ai = {"type": "ai", "content": [part], "tool_calls": [call, other]}
    assert outline(read(document([ai])).runs[0]) == ["call fetch {}", "call send {}"]


def test_the_calls_of_older_dumps():
    more = {"tool_calls": [{"id": "c1", "function": {"name": "a", "arguments": "{}"}}]}
    old = {"type": "ai", "content": "", "additional_kwargs": more}
    assert outline(read(document([old])).runs[0]) == ['call a "{}"']
    older = {"role": "assistant", "function_call": {"name": "b", "arguments": "{}"}}
    result = {"role": "function", "name": "b", "content": "done"}
    assert outline(read(document([older, result])).runs[0]) == ['call b "{}"', "result done"]


def test_reasoning_stands_once_and_first():
    part = {"type": "reasoning", "reasoning": "In parts."}
    both = {"role": "assistant", "content": [part, "Said."], "reasoning_content": "In parts."}
    assert outline(read(document([both])).runs[0]) == ["reasoning In parts.", "text Said."]
    nested = {"type": "reasoning_content", "reasoning_content": {"text": "Nested."}}
    redacted = {"type": "reasoning", "redacted": True, "reasoning": "x", "summary": "Short."}
    answer = {"role": "assistant", "content": [nested, redacted]}
    assert outline(read(document([answer])).runs[0]) == ["reasoning Nested.", "reasoning Short."]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ([], ""),
        ({"ü": 1.0, "a": [True]}, '{"ü":1.0,"a":[true]}'),
        ([1, 2], "[1,2]"),
        ([{"type": "image", "data": "x"}], ""),
        (" kept as it is\n", " kept as it is\n"),
    ],
)
def test_a_result_always_makes_its_step(content, text):
    tool = {"role": "tool", "tool_call_id": "c", "content": content}
    run = read(document([OPENAI[1], tool])).runs[0]
    assert run.blocks[1].text == text


def test_a_refusal_stays_failed_and_nothing_recovers_from_it():
    refused = {"type": "tool_result", "tool_use_id": "t1", "is_error": True}
    refused["content"] = "The user doesn't want to proceed with this tool use."
    messages = [*ANTHROPIC[:2], {"role": "user", "content": [refused]}, ANTHROPIC[3]]
    run = read(document(messages)).runs[0]
    assert outline(run)[4].startswith("result failed spared")
    assert not recovering(run, "messages")


@pytest.mark.parametrize("holder", ["messages", "traj", "input", "history"])
def test_lists_under_a_name(holder):
    recording = read(document({"model": "m", holder: ANTHROPIC}))
    assert len(recording.runs[0].blocks) == 7
    assert recording.runs[0].blocks[0].place.path == (holder, 0, "content")


def test_what_a_request_tells_the_model_is_counted():
    recording = read(document({"system": "Be kind.", "messages": ANTHROPIC}))
    assert (recording.total, recording.dropped) == (5, {"system message": 1})


def test_lines_of_messages_are_one_run():
    recording = read(lines(*OPENAI))
    assert len(recording.runs) == 1
    assert len(recording.runs[0].blocks) == 8
    assert recording.runs[0].blocks[0].place.chunk.line == 2
    assert len(read(lines(OPENAI[1])).runs) == 1


@pytest.mark.parametrize("held", [ANTHROPIC, {"messages": ANTHROPIC}])
def test_lines_of_lists_are_a_run_each(held):
    recording = read(lines(held, held, held))
    assert [run.blocks[0].place.chunk.line for run in recording.runs] == [1, 2, 3]
    contents = read_bytes(lines(held, {"messages": OPENAI}), "x")
    assert len({one.trace.id for one in contents.traces}) == 2


def test_a_list_over_several_lines_is_one_document():
    text = "[\n" + ",\n".join(json.dumps(one) for one in OPENAI) + "\n]\n"
    recording = read(text.encode())
    assert len(recording.runs[0].blocks) == 8
    assert not recording.problems


def test_a_list_longer_than_its_head_is_recognised():
    data = document([{"role": "user", "content": "x" * 100_000}, *OPENAI])
    assert recognise(head_of(data)) == "messages"


def test_a_reward_beside_a_trajectory_is_its_success():
    trials = [
        {"task_id": 1, "reward": reward, "traj": ANTHROPIC} for reward in (1.0, 0.0, True, "1", 2)
    ]
    recording = read(document(trials))
    assert [run.success for run in recording.runs] == [True, False, None, None, False]
    assert [run.ended for run in recording.runs] == [True, True, False, False, True]
    assert len({run.key for run in recording.runs}) == 5
    assert read(document({"messages": ANTHROPIC, "reward": 1.0})).runs[0].success is None


def test_a_time_that_is_recorded():
    first = {"role": "user", "content": "Go", "timestamp": "2026-01-02T03:04:05Z"}
    assert [block.at for block in read(document([first, OPENAI[5]])).runs[0].blocks] == [
        "2026-01-02T03:04:05Z",
        "",
    ]


@pytest.mark.parametrize(
    ("member", "at"),
    [
        ({"timestamp": "2026-01-02T03:04:05Z"}, "2026-01-02T03:04:05Z"),
        ({"created_at": 1795427587}, "2026-11-23T09:53:07+00:00"),
        ({"ts": 1795427587250}, "2026-11-23T09:53:07.250000+00:00"),
        ({"ts": True, "created_at": None}, ""),
    ],
)
def test_times_in_each_of_their_units(member, at):
    run = read(document([{"role": "user", "content": "Go", **member}])).runs[0]
    assert run.blocks[0].at == at


@pytest.mark.parametrize(
    ("result", "failed"),
    [
        ({"content": "x", "tool_call_error": True}, True),
        ({"content": "x", "tool_call_error": False}, False),
        ({"content": {"query": "q", "result": "r", "success": False}}, True),
        ({"content": [{"result": "r", "success": True}, {"result": "", "success": False}]}, True),
        ({"content": '[{"query":"q","result":"r","success": false}]'}, True),
        ({"content": '{"result":"r","success": true}'}, False),
        ({"content": 'the log says "success": false'}, False),
        ({"content": '{"success": false'}, False),
        ({"content": '{"inner": {"success": false}}'}, False),
    ],
)
def test_a_result_that_says_it_failed(result, failed):
    tool = {"role": "tool", "tool_call_id": "c1", **result}
    run = read(document([OPENAI[1], OPENAI[2], tool])).runs[0]
    assert run.blocks[-1].failed is failed


def test_all_that_makes_no_block_is_counted():
    odd = [1, {"role": "clown", "content": "x"}, {"role": "user", "content": " "}, {"type": "a_b"}]
    recording = taken("messages", [*ANTHROPIC, *odd])
    assert recording.total == 8
    assert recording.dropped == {"of no role": 2, "empty or redacted": 1, "a b": 1}


def test_a_list_that_is_asked_for_is_read_as_one():
    found = recording_of(decode(b'{"messages": []}'), "x", "messages")
    assert isinstance(found, Recording)
    assert not found.runs
    assert found.dropped == {"of no role": 1}
