"""Codex's rollouts."""

import json

import pytest

from tests.runs.made import lines, outline, read, recovering, taken


def line(kind, **payload):
    return {"timestamp": "2026-05-04T08:00:01.500Z", "type": kind, "payload": payload}


def item(kind, **members):
    return line("response_item", type=kind, **members)


def event(kind, **members):
    return line("event_msg", type=kind, **members)


def said(role, *texts):
    part = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": part, "text": text} for text in texts])


def thought(*texts):
    return item("reasoning", summary=[{"type": "summary_text", "text": text} for text in texts])


def called(call_id, command="ls"):
    arguments = json.dumps({"command": command})
    return item("function_call", name="shell", arguments=arguments, call_id=call_id)


def answered(call_id, output):
    return item("function_call_output", call_id=call_id, output=output)


META = line("session_meta", id="0f5e", cli_version="0.104.0", cwd="/srv")
TURN = line("turn_context", cwd="/srv")
COUNT = event("token_count", info=None)

SESSION = [
    META,
    event("task_started", turn_id="1"),
    said("developer", "<permissions instructions>"),
    said("user", "<environment_context>\n  <cwd>/srv</cwd>"),
    said("user", "Count the pears."),
    event("user_message", message="Count the pears."),
    TURN,
    COUNT,
    thought("**Counting**", "Two baskets."),
    event("agent_message", message="I count."),
    said("assistant", "I count."),
    called("a", "count pears"),
    COUNT,
    answered("a", '{"output":"no such basket","metadata":{"exit_code":1}}'),
    TURN,
    COUNT,
    item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="b"),
    COUNT,
    item("custom_tool_call_output", call_id="b", output="Exit code: 0\nOutput:\ndone"),
    TURN,
    event("agent_message", message="Seven."),
    said("assistant", "Seven."),
    event("task_complete", turn_id="1"),
]


def test_a_rollout_is_read_item_by_item():
    recording = read(lines(*SESSION))
    (run,) = recording.runs
    assert recording.format == "codex"
    assert (recording.version, run.session, run.key, run.ended) == ("0.104.0", "0f5e", "", True)
    assert outline(run) == [
        "prompt Count the pears.",
        "reasoning **Counting**",
        "reasoning Two baskets.",
        "text I count.",
        'call shell "{\\"command\\": \\"count pears\\"}"',
        "result failed no such basket",
        'call apply_patch "*** Begin Patch"',
        "result done",
        "text Seven.",
    ]
    assert recovering(run, "codex") == [5]


def test_what_makes_no_step_is_counted_by_name_and_adds_up():
    recording = read(lines(*SESSION))
    assert recording.dropped == {
        "session meta": 1,
        "events": 9,
        "developer message": 1,
        "the client's own": 1,
        "turn context": 3,
    }
    assert recording.total == len(SESSION) == 15 + 8
    assert recording.total - sum(recording.dropped.values()) == 8


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n<cwd>/</cwd>",
        "<user_instructions>\nBe kind.",
        "# AGENTS.md instructions for /srv\n\n<INSTRUCTIONS>",
        "Warning: apply_patch was requested via shell. Use the apply_patch tool instead.",
        "<turn_aborted>\nThe user interrupted.",
        "<user_shell_command>\nls",
    ],
)
def test_what_the_client_writes_is_no_prompt(text):
    recording = taken("codex", META, said("user", text), said("user", "Go on."))
    assert outline(recording.runs[0]) == ["prompt Go on."]
    assert recording.dropped["the client's own"] == 1


def test_the_texts_of_a_prompt_are_one_without_those_of_the_client():
    prompt = said("user", "<environment_context>", "First.", "Second.")
    (block,) = taken("codex", META, prompt).runs[0].blocks
    assert block.text == "First.\nSecond."
    assert block.place.path == ("payload", "content", 1)


@pytest.mark.parametrize(
    "output",
    [
        '{"output":"","metadata":{"exit_code":127,"duration_seconds":0.1}}',
        "Chunk ID: 1a2b\nWall time: 0.0 seconds\nProcess exited with code 2\nOutput:\nno",
        "Process exited with code -1",
        "Exit code: 1\nWall time: 0 seconds\nOutput:\nno",
        {"content": "no", "success": False},
    ],
)
def test_an_exit_code_marks_a_failure(output):
    (block,) = taken("codex", META, answered("a", output)).runs[0].blocks
    assert block.failed


@pytest.mark.parametrize(
    "output",
    [
        '{"output":"","metadata":{"exit_code":0}}',
        '{"output":"Exit code: 1"}',
        '{"metadata":{"exit_code":1}',
        "{" * 10_000,
        "Exit code: 0\nOutput:\nProcess exited with code 1",
        "Wall time: 0 seconds\nOutput:\nExit code: 1\n",
        "apply_patch verification failed: Exit code: 1",
        "unsupported call: dig",
        "Process running with session ID 4",
        "Exit code: " + "9" * 5_000,
        {"content": "yes", "success": True},
        {"content": "yes"},
        None,
        7,
    ],
)
def test_what_stands_in_words_only_is_no_failure(output):
    (block,) = taken("codex", META, answered("a", output)).runs[0].blocks
    assert not block.failed


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (" as it is\n", " as it is\n"),
        (
            [{"type": "input_text", "text": "one"}, {"type": "input_image"}, {"text": "two"}],
            "one\ntwo",
        ),
        ({"content": "inside", "success": True}, "inside"),
        ('{"output":"a\\n b","metadata":{"exit_code":0,"duration_seconds":0.1}}', "a\n b"),
        (
            '{"output":"a","metadata":{"exit_code":0},"more":1}',
            '{"output":"a","metadata":{"exit_code":0},"more":1}',
        ),
        ("Exit code: 1\nWall time: 0 seconds\nTotal output lines: 9\nOutput:\nno\n", "no\n"),
        ("Chunk ID: 1a\nWall time: 0.0 seconds\nProcess exited with code 0\nOutput:\n", ""),
        ({"content": "Exit code: 0\nOutput:\nyes", "success": True}, "yes"),
        ("Exit code: 1", "Exit code: 1"),
        ("Exit code: 1\nno output", "Exit code: 1\nno output"),
        (
            "Wall time: 0 seconds\nProcess running with session ID 4\nOutput:\n",
            "Wall time: 0 seconds\nProcess running with session ID 4\nOutput:\n",
        ),
        ({"grüße": [1, 2]}, '{"grüße":[1,2]}'),
        (None, ""),
    ],
)
def test_a_result_has_its_text_as_recorded(output, text):
    (block,) = taken("codex", META, answered("a", output)).runs[0].blocks
    assert block.text == text


def test_images_beside_texts_are_counted():
    seen = [{"type": "input_text", "text": "one"}, {"type": "input_image", "image_url": "x"}]
    asked = item("message", role="user", content=seen)
    recording = taken("codex", META, asked, answered("a", seen))
    assert outline(recording.runs[0]) == ["prompt one", "result one"]
    assert recording.runs[0].parts == {"image": 2}


def test_calls_of_one_answer_do_not_recover_from_one_another():
    """Older versions write each result behind its call, before the next call of the answer."""
    failed = '{"output":"","metadata":{"exit_code":1}}'
    answer = [called("a"), answered("a", failed), called("b"), answered("b", "fine")]
    (run,) = taken("codex", META, TURN, *answer, TURN, called("c")).runs
    assert recovering(run, "codex") == [4]


@pytest.mark.parametrize(
    "between", [TURN, COUNT, line("token_usage_record"), said("user", "Try again.")]
)
def test_the_first_call_of_the_next_answer_recovers(between):
    failed = '{"output":"","metadata":{"exit_code":1}}'
    before = [META, said("user", "Dig."), TURN, called("a"), answered("a", failed)]
    (run,) = taken("codex", *before, between, called("b")).runs
    assert recovering(run, "codex") == [len(run.blocks) - 2]


def test_without_a_mark_between_answers_the_next_call_recovers():
    failed = '{"output":"","metadata":{"exit_code":1}}'
    (run,) = taken("codex", META, called("a"), answered("a", failed), called("b")).runs
    assert recovering(run, "codex") == [2]


def test_the_clients_warning_does_not_part_an_answer():
    warning = said("user", "Warning: apply_patch was requested via shell.")
    failed = '{"output":"","metadata":{"exit_code":1}}'
    records = [META, TURN, called("a"), warning, answered("a", failed), called("b")]
    assert recovering(taken("codex", *records).runs[0], "codex") == []


@pytest.mark.parametrize(
    "shown",
    [
        event("agent_message", message="All so far."),
        event(
            "item_completed", item={"type": "AgentMessage", "content": [{"text": "All so far."}]}
        ),
    ],
)
def test_a_message_before_a_compaction_is_its_summary_unless_it_was_shown(shown):
    summary = said("assistant", "All so far.")
    compacted = line("compacted", message="…", replacement_history=[])
    recording = taken("codex", META, called("a"), COUNT, summary, COUNT, compacted)
    assert outline(recording.runs[0]) == [outline(taken("codex", called("a")).runs[0])[0]]
    assert recording.dropped["compaction summary"] == recording.dropped["compacted"] == 1
    for records in ([shown, summary], [summary, shown]):
        kept = taken("codex", META, *records, compacted)
        assert outline(kept.runs[0]) == ["text All so far."]


def test_only_the_last_item_can_be_the_summary_and_only_a_message():
    compacted = line("compacted")
    records = [said("assistant", "I dig."), called("a"), compacted, compacted]
    recording = taken("codex", META, *records)
    assert len(recording.runs[0].blocks) == 2
    assert "compaction summary" not in recording.dropped


def test_reasoning_is_its_summary_and_else_its_content():
    content = [{"type": "reasoning_text", "text": "word for word"}]
    both = item("reasoning", summary=[{"type": "summary_text", "text": "short"}], content=content)
    bare = item("reasoning", summary=[], content=content)
    redacted = item("reasoning", summary=[], content=None, encrypted_content="x")
    recording = taken("codex", META, both, bare, redacted)
    assert outline(recording.runs[0]) == ["reasoning short", "reasoning word for word"]
    assert recording.dropped["empty or redacted"] == 1


def test_calls_without_a_name_are_called_by_their_kind():
    search = item("web_search_call", status="completed", action={"query": "pears"})
    other = item("ghost_snapshot", ghost_commit={})
    recording = taken("codex", META, search, other)
    assert outline(recording.runs[0]) == ['call web_search {"query": "pears"}']
    assert recording.dropped["ghost snapshot"] == 1


def test_a_resumed_session_goes_on():
    second = [META | {"payload": {"id": "other", "cli_version": "9"}}, event("task_started")]
    recording = taken("codex", *SESSION, *second, said("user", "And plums?"))
    (run,) = recording.runs
    assert (run.session, run.ended, recording.version) == ("0f5e", False, "0.104.0")
    assert outline(run)[-1] == "prompt And plums?"
