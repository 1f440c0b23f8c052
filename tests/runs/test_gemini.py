"""Gemini CLI's sessions."""

import pytest

from tests.runs.made import document, lines, outline, read, recovering, taken

HEADER = {
    "sessionId": "5e55",
    "projectHash": "ab12",
    "startTime": "2026-05-04T08:00:00.000Z",
    "lastUpdated": "2026-05-04T08:00:09.000Z",
    "kind": "main",
}
TIME = "2026-05-04T08:00:01.000Z"


def user(*texts, **members):
    content = [{"text": text} for text in texts]
    return {"id": f"u{texts[:1]}", "timestamp": TIME, "type": "user", "content": content, **members}


def model(name, content="", **members):
    return {"id": name, "timestamp": TIME, "type": "gemini", "content": content, **members}


def call(call_id, status="success", name="dig", **response):
    made = {"id": call_id, "name": name, "args": {"at": call_id}, "status": status}
    answer = {"id": call_id, "name": name, "response": response}
    return {**made, "result": [{"functionResponse": answer}]} if response else made


def copied(call_id):
    part = {"functionResponse": {"id": call_id, "response": {"output": "copy"}}}
    return {"id": f"c{call_id}", "timestamp": TIME, "type": "user", "content": [part]}


DIGGING = model(
    "m1",
    "I dig.",
    thoughts=[{"subject": "Where", "description": "By the tree."}, {"subject": "How"}],
    toolCalls=[call("a", output="sand"), call("b", "error", error="a stone")],
)
SESSION = [
    HEADER,
    {"$set": {"messages": [user("<session_context>\nThis is")], "lastUpdated": TIME}},
    user("<session_context>\nThis is"),
    user("Dig a hole."),
    {**DIGGING, "toolCalls": []},
    {"$set": {"lastUpdated": TIME}},
    DIGGING,
    copied("a"),
    model("m2", "It is deep."),
]


OUTLINE = [
    "prompt Dig a hole.",
    "reasoning Where\nBy the tree.",
    "reasoning How",
    "text I dig.",
    'call dig {"at": "a"}',
    'call dig {"at": "b"}',
    "result sand",
    "result failed a stone",
    "text It is deep.",
]


def test_lines_are_read_message_by_message_and_the_last_writing_of_one_counts():
    recording = read(lines(*SESSION))
    (run,) = recording.runs
    assert (recording.format, recording.unit) == ("gemini", "lines")
    assert (run.session, run.key, run.name, run.ended) == ("5e55", "", "", False)
    assert outline(run) == OUTLINE
    assert recovering(run, "gemini") == [7]
    assert {block.place.chunk.line for block in run.blocks[1:-1]} == {7}


def test_calls_that_are_no_objects_are_none():
    run = taken("gemini", model("m", toolCalls=[7, call("a", "executing"), None])).runs[0]
    assert outline(run) == ['call dig {"at": "a"}']
    assert run.blocks[0].place.path == ("toolCalls", 1)


def test_a_document_is_read_message_by_message():
    recording = read(document({**HEADER, "messages": [user("Dig a hole."), DIGGING, SESSION[-1]]}))
    (run,) = recording.runs
    assert (recording.unit, recording.total, recording.dropped) == ("messages", 3, {})
    assert outline(run) == OUTLINE
    assert [block.place.path for block in run.blocks[:5]] == [
        ("messages", 0, "content", 0),
        ("messages", 1, "thoughts", 0),
        ("messages", 1, "thoughts", 1),
        ("messages", 1, "content"),
        ("messages", 1, "toolCalls", 0),
    ]
    assert run.blocks[6].place.path == ("messages", 1, "toolCalls", 0, "result")


def test_what_makes_no_step_is_counted_by_name_and_adds_up():
    notes = [{"id": "i", "type": "info", "content": "Update!"}, {"$rewindTo": "m2"}, {"id": "n"}, 7]
    recording = taken("gemini", *SESSION, *notes, model("m3", "", thoughts=[], toolCalls=[]))
    assert recording.dropped == {
        "header": 1,
        "patch": 2,
        "the client's own": 1,
        "rewritten later": 1,
        "copy of a result": 1,
        "info": 1,
        "rewind": 1,
        "of no type": 2,
        "empty or redacted": 1,
    }
    assert recording.total - sum(recording.dropped.values()) == 3


def test_a_message_that_is_written_again_stays_where_it_was():
    records = [HEADER, model("m1", "one"), model("m2", "two"), model("m1", "again")]
    assert outline(taken("gemini", *records).runs[0]) == ["text again", "text two"]


def test_the_texts_of_a_prompt_are_one_without_those_of_the_client():
    prompts = [user("<session_context>", "First.", " ", "Second."), user("x", content="Plain.")]
    (first, second) = taken("gemini", HEADER, *prompts).runs[0].blocks
    assert (first.text, first.place.path) == ("First.\nSecond.", ("content", 1))
    assert (second.text, second.place.path) == ("Plain.", ("content",))


def test_a_compaction_summary_is_no_prompt():
    recording = taken("gemini", HEADER, user("<state_snapshot>\n<goal>"), user("Go on."))
    assert outline(recording.runs[0]) == ["prompt Go on."]
    assert recording.dropped["compaction summary"] == 1


def test_parts_of_the_content_may_be_thoughts():
    parts = [{"text": "hm", "thought": True}, {"text": "so"}, {"functionCall": {"name": "dig"}}]
    assert outline(taken("gemini", model("m", parts)).runs[0]) == ["reasoning hm", "text so"]


@pytest.mark.parametrize(
    ("status", "marks"),
    [
        ("success", "result"),
        ("error", "result failed"),
        ("cancelled", "result failed spared"),
        ("executing", None),
        ("scheduled", None),
    ],
)
def test_the_status_says_how_a_call_ended(status, marks):
    run = taken("gemini", model("m", toolCalls=[call("a", status)])).runs[0]
    assert outline(run)[1:] == ([marks] if marks else [])
    answered = taken("gemini", model("m", toolCalls=[call("a", status, output="ok")])).runs[0]
    assert outline(answered)[1:] == [f"{marks or 'result'} ok"]


def test_nothing_recovers_from_a_call_that_the_user_cancelled():
    refused = model("m1", toolCalls=[call("a", "cancelled", error="no")])
    run = taken("gemini", user("Dig."), refused, model("m2", "Well.")).runs[0]
    assert recovering(run, "gemini") == []


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"result": [{"functionResponse": {"response": {"output": " a\n"}}}]}, " a\n"),
        ({"result": [{"functionResponse": {"response": {"output": {"ü": [1]}}}}]}, '{"ü":[1]}'),
        ({"result": [{"functionResponse": {"response": {"x": 1, "output": "a"}}}]},
         '{"x":1,"output":"a"}'),
        ({"result": {"functionResponse": {"response": {"error": "bad"}}}}, "bad"),
        ({"result": [{"text": "a"}, {"inlineData": {}}, {"text": "b"}]}, "a\nb"),
        ({"result": "plain"}, "plain"),
        ({"result": [{"functionResponse": {"id": "x", "response": {"output": "other"}}},
                     {"functionResponse": {"id": "a", "response": {"output": "own"}}}]}, "own"),
        ({"resultDisplay": "shown"}, "shown"),
        ({"resultDisplay": {"fileDiff": ""}}, ""),
        ({"result": [{"functionResponse": {}}]}, ""),
    ],
)  # fmt: skip
def test_a_result_has_the_text_of_its_response(members, text):
    run = taken("gemini", model("m", toolCalls=[{**call("a"), **members}])).runs[0]
    assert run.blocks[1].text == text


def test_a_resumed_session_goes_on():
    again = {**HEADER, "sessionId": "other"}
    copy = {"$set": {"messages": [user("Dig a hole."), model("m1", "copy"), model("new", "copy")]}}
    recording = taken("gemini", *SESSION, again, copy, user("Fill it."))
    (run,) = recording.runs
    assert run.session == "5e55"
    assert outline(run) == [*OUTLINE, "prompt Fill it."]


def test_a_sub_agent_in_a_file_of_its_own_is_named_so():
    recording = taken("gemini", {**HEADER, "kind": "subagent"}, model("m", "so"))
    assert recording.runs[0].name == "sub-agent"
