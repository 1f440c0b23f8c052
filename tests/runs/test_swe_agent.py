"""SWE-agent's trajectories, and mini-swe-agent's."""

import json

import pytest

from kpinspector.runs.recording import recognise
from kpinspector.runs.texts import head_of
from tests.runs.made import document, lines, outline, read, recovering, taken


def turn(thought, action, observation):
    whole = f"{thought}\n```\n{action}\n```"
    return {"action": action, "observation": observation, "response": whole, "thought": thought}


def heard(role, content, **members):
    return {"role": role, "content": content, "agent": "main", **members}


TRAJECTORY = {
    "trajectory": [turn("I look.", "ls -a\n", "shed\n"), turn("I am done.", "submit", "")],
    "history": [
        heard("system", "SETTING: a garden"),
        heard("user", "A demonstration", is_demo=True),
        heard("user", "Mend the shed."),
        heard("assistant", "I look.", thought="I look.", action="ls -a\n"),
    ],
    "info": {"exit_status": "submitted", "swe_agent_version": "1.1.0"},
    "environment": "swe_main",
}
OUTLINE = [
    "prompt Mend the shed.",
    "text I look.",
    'call bash {"command": "ls -a\\n"}',
    "result shed",
    "text I am done.",
    'call bash {"command": "submit"}',
    "result",
]


def test_a_trajectory_is_read_turn_by_turn():
    recording = read(document(TRAJECTORY))
    (run,) = recording.runs
    assert (recording.format, recording.version) == ("swe-agent", "1.1.0")
    assert (recording.unit, recording.total, recording.dropped) == ("turns", 2, {})
    assert (run.session, run.key, run.ended, run.success) == ("", "", True, None)
    assert outline(run) == OUTLINE
    assert [block.place.path for block in run.blocks[:4]] == [
        ("history", 2, "content"),
        ("trajectory", 0, "thought"),
        ("trajectory", 0, "action"),
        ("trajectory", 0, "observation"),
    ]
    assert [block.call_id for block in run.blocks[1:]] == ["", "0", "0", "", "1", "1"]


def test_several_documents_are_several_runs():
    other = {**TRAJECTORY, "info": {"swe_agent_version": "2"}}
    recording = read(lines(TRAJECTORY, other))
    first, second = recording.runs
    assert recording.version == "1.1.0"
    assert outline(first) == outline(second) == OUTLINE
    assert (first.ended, second.ended) == (True, False)
    assert [run.chunk and run.chunk.line for run in (first, second)] == [1, 2]


def test_a_call_is_that_of_the_function_where_one_is_recorded():
    def called(name, action, **members):
        call = {"function": {"name": name, "arguments": json.dumps({"of": name})}, "id": "x"}
        return heard("assistant", "", action=action, tool_calls=[call], **members)

    history = [
        heard("user", "Mend it."),
        called("demo", "ls", is_demo=True),
        called("look", "ls"),
        called("look_again", "ls"),
        called("edit", "edit 1"),
    ]
    turns = [turn("", action, "") for action in ("ls", "edit 1", "ls", "ls")]
    run = taken("swe-agent", {"trajectory": turns, "history": history}).runs[0]
    assert [line for line in outline(run) if line.startswith("call")] == [
        'call look "{\\"of\\": \\"look\\"}"',
        'call edit "{\\"of\\": \\"edit\\"}"',
        'call look_again "{\\"of\\": \\"look_again\\"}"',
        'call bash {"command": "ls"}',
    ]


def test_the_prompt_may_stand_in_the_first_query_alone():
    query = [heard("system", "SETTING"), heard("user", [{"type": "text", "text": "Mend it."}])]
    first = {**turn("I look.", "ls", "shed"), "query": query}
    run = taken("swe-agent", {"trajectory": [first]}).runs[0]
    assert outline(run)[0] == "prompt Mend it."
    assert run.blocks[0].place.path == ("trajectory", 0, "query", 1, "content")


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        (turn(" ", "ls", "x"), ['call bash {"command": "ls"}', "result x"]),
        (turn("Hm.", " ", ""), ["text Hm."]),
        (turn("Hm.", "", "too long"), ["text Hm.", "result too long"]),
        ({"action": "ls", "observation": None}, ['call bash {"command": "ls"}']),
        ({"response": "Hm.", "action": "", "observation": ""}, ["text Hm."]),
        (turn("", "", ""), []),
    ],
)
def test_what_a_turn_lacks_makes_no_step(members, expected):
    recording = taken("swe-agent", {"trajectory": [members]})
    assert outline(recording.runs[0]) == expected
    assert recording.dropped == ({} if expected else {"empty turn": 1})


MINI = {"info": {"mini_version": "2.4.6", "exit_status": "Submitted"}}
NEW, OLD = "mini-swe-agent-1.1", "mini-swe-agent-1"
SYSTEM, TASK = {"role": "system", "content": "Help."}, {"role": "user", "content": "Mend it."}


def mini(*messages, trajectory_format=NEW):
    return {**MINI, "messages": [SYSTEM, TASK, *messages], "trajectory_format": trajectory_format}


def ran(returncode=0, exception_info="", **members):
    extra = {"returncode": returncode, "exception_info": exception_info, "timestamp": 2.5}
    return {"extra": extra, **members}


def arguments(command):
    return json.dumps({"command": command})


CHAT = mini(
    {
        "role": "assistant",
        "content": "I look twice.",
        "reasoning_content": "Hm.",
        "tool_calls": [
            {"id": "a", "function": {"name": "bash", "arguments": arguments("ls")}},
            {"id": "b", "function": {"name": "bash", "arguments": arguments("cat x")}},
        ],
        "extra": {"actions": [{"command": "ls"}, {"command": "cat x"}], "timestamp": 1.0},
    },
    ran(role="tool", tool_call_id="a", content="shed"),
    ran(1, role="tool", tool_call_id="b", content="no x"),
    {"role": "assistant", "content": "Well.", "tool_calls": None},
    {"role": "exit", "content": "", "extra": {"exit_status": "Submitted"}},
)
RESPONSES = mini(
    {
        "object": "response",
        "output": [
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]},
            {"type": "message", "content": [{"type": "output_text", "text": "I look twice."}]},
            {"type": "function_call", "id": "fc", "call_id": "a", "name": "bash",
             "arguments": arguments("ls")},
            {"type": "function_call", "id": "fd", "call_id": "b", "name": "bash",
             "arguments": arguments("cat x")},
        ],
        "extra": {"actions": [{"command": "ls"}, {"command": "cat x"}]},
    },
    ran(type="function_call_output", call_id="a", output="shed"),
    ran(1, type="function_call_output", call_id="b", output="no x"),
    {"object": "response", "output": [{"type": "message", "content": [{"text": "Well."}]}]},
    {"role": "exit", "content": ""},
)  # fmt: skip
TEXT_BASED = mini(
    {
        "role": "assistant",
        "content": "I look twice.",
        "reasoning_content": "Hm.",
        "extra": {"actions": [{"command": "ls"}, {"command": "cat x"}]},
    },
    ran(role="user", content="shed"),
    ran(1, role="user", content="no x"),
    {"role": "assistant", "content": "Well.", "extra": {"actions": []}},
    {"role": "exit", "content": ""},
)


@pytest.mark.parametrize("whole", [CHAT, RESPONSES, TEXT_BASED], ids=["chat", "items", "text"])
def test_a_mini_run_is_read_message_by_message_in_each_of_its_shapes(whole):
    recording = read(document(whole))
    (run,) = recording.runs
    assert (recording.version, recording.unit, run.ended) == ("2.4.6", "messages", True)
    texts = [line.replace("\\", "").replace('"{', "{").replace('}"', "}") for line in outline(run)]
    assert texts == [
        "prompt Mend it.",
        "reasoning Hm.",
        "text I look twice.",
        'call bash {"command": "ls"}',
        'call bash {"command": "cat x"}',
        "result shed",
        "result failed no x",
        "text Well.",
    ]
    calls, results = run.blocks[3:5], run.blocks[5:7]
    assert [one.call_id for one in calls] == [one.call_id for one in results]
    assert len({one.call_id for one in calls}) == 2
    assert recovering(run, "swe-agent") == [6]
    assert recording.total == 7
    assert recording.dropped == {"system message": 1, "exit": 1}


def test_the_time_of_a_message_is_recorded_in_seconds():
    run = taken("swe-agent", CHAT).runs[0]
    times = [block.at for block in run.blocks]
    assert times[2] == "1970-01-01T00:00:01+00:00"
    assert times[5] == "1970-01-01T00:00:02.500000+00:00"
    assert times[0] == times[7] == ""


def test_what_was_not_executed_has_not_failed():
    records = [ran(-1, "action was not executed", role="tool"), ran(-1, "timed out", role="tool")]
    run = taken("swe-agent", mini(*records)).runs[0]
    assert [block.failed for block in run.blocks[1:]] == [False, True]


def test_results_without_an_id_answer_the_calls_in_order():
    first, second = ({"command": name, "tool_call_id": name} for name in ("ls", "cat"))
    called = {"role": "assistant", "content": "", "extra": {"actions": [first, second]}}
    answers = [ran(role="tool", tool_call_id="ls", content="1"), ran(role="user", content="2")]
    late = ran(role="user", content="3")
    blocks = taken("swe-agent", mini(called, *answers, late)).runs[0].blocks
    assert [block.call_id for block in blocks] == ["", "ls", "cat", "ls", "cat", ""]


def test_results_with_an_id_answer_that_call_only():
    calls = [{"id": name, "function": {"name": "bash"}} for name in "ab"]
    called = {"role": "assistant", "content": "", "tool_calls": calls}
    answers = [ran(role="tool", tool_call_id=name) for name in ("b", "x", "a")]
    blocks = taken("swe-agent", mini(called, *answers)).runs[0].blocks
    assert [block.call_id for block in blocks[1:]] == ["a", "b", "b", "x", "a"]


def test_a_call_without_a_result_is_not_answered_by_a_later_one():
    first, second = (
        {"role": "assistant", "content": "", "extra": {"actions": [{"command": name}]}}
        for name in ("ls", "cat")
    )
    blocks = taken("swe-agent", mini(first, second, ran(role="user"))).runs[0].blocks
    assert blocks[3].call_id == blocks[2].call_id != blocks[1].call_id


def test_the_clients_word_on_a_message_without_a_call_is_no_prompt():
    word = {"role": "user", "content": "One call!", "extra": {"interrupt_type": "FormatError"}}
    said = {"role": "user", "content": "Wait.", "extra": {"interrupt_type": "UserInterruption"}}
    recording = taken("swe-agent", mini(word, said))
    assert outline(recording.runs[0]) == ["prompt Mend it.", "prompt Wait."]
    assert recording.dropped == {"system message": 1, "the client's own": 1}


def test_the_first_format_has_its_calls_in_the_text():
    messages = [
        {"role": "assistant", "content": "I look.\n```bash\nls -a\n```"},
        {"role": "user", "content": "<output>shed</output>"},
        {"role": "assistant", "content": "```bash\na\n```\n```bash\nb\n```"},
        {"role": "user", "content": "EXACTLY ONE action"},
    ]
    recording = taken("swe-agent", mini(*messages, trajectory_format=OLD))
    assert outline(recording.runs[0]) == [
        "prompt Mend it.",
        "text I look.\n```bash\nls -a\n```",
        'call bash {"command": "ls -a"}',
        "result <output>shed</output>",
        "text ```bash\na\n```\n```bash\nb\n```",
        "prompt EXACTLY ONE action",
    ]
    later = taken("swe-agent", mini(*messages)).runs[0]
    assert not any(line.startswith("call") for line in outline(later))


def test_empty_messages_are_counted():
    empty = [{"role": "user", "content": " "}, {"role": "assistant"}, {"object": "response"}, 7]
    recording = taken("swe-agent", mini(*empty))
    assert recording.dropped == {
        "system message": 1,
        "empty or redacted": 3,
        "message of nobody": 1,
    }


@pytest.mark.parametrize(
    "whole", [{"trajectory_format": NEW}, {"info": {"mini_version": "1.0"}, "messages": []}]
)
def test_a_mini_run_is_recognised_by_its_format_or_its_version(whole):
    assert recognise(head_of(document(whole))) == "swe-agent"


def test_a_document_of_neither_is_counted():
    recording = taken("swe-agent", {"info": {}}, 7)
    assert (recording.runs, recording.dropped) == ((), {"no trajectory": 2})


WHOLE = [TRAJECTORY, CHAT, RESPONSES, TEXT_BASED, mini(TASK, trajectory_format=OLD)]
