"""Claude Code's sessions."""

import json

import pytest
from hypothesis import given

from kpinspector.runs.read import Asked, RunRecord, read_bytes
from kpinspector.runs.recognise import Nearly, recognise
from kpinspector.runs.run import Format
from kpinspector.runs.texts import head_of
from tests.known import of
from tests.runs.made import (
    assert_grows,
    assert_holds,
    assert_takes_no_other,
    damaged,
    lines,
    odd_ones,
    outline,
    read,
    recovering,
    taken,
)
from tests.runs.truth import assert_as_expected, found_in, truths

FORM = Format.CLAUDE_CODE
CLIENT = "the client's own"


def line(kind, **members):
    own = {"sessionId": "5e55", "version": "2.1.330", "timestamp": "2026-05-04T08:00:01.5Z"}
    return {"type": kind, "isSidechain": False, **own, **members}


def user(content, **members):
    return line("user", message={"role": "user", "content": content}, **members)


def answer(name, *parts, **members):
    """A line of an answer; all lines of one answer have its name."""
    message = {"id": name, "role": "assistant", "model": "m", "content": list(parts)}
    return line("assistant", message=message, **members)


def text(said):
    return {"type": "text", "text": said}


def thinking(said):
    return {"type": "thinking", "thinking": said, "signature": "c2ln"}


def call(call_id, name="Bash", **given_input):
    return {"type": "tool_use", "id": call_id, "name": name, "input": given_input}


def result(call_id, content="", *, failed=None, **members):
    part = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return user([part if failed is None else {**part, "is_error": failed}], **members)


SESSION = [
    line("queue-operation", operation="enqueue", content="Count the pears."),
    user("Count the pears.", uuid="1"),
    line("attachment", attachment={"type": "date", "date": "2026-05-04"}, uuid="2"),
    answer("m1", thinking("Look first."), uuid="3"),
    answer("m1", text("I look."), uuid="4"),
    answer("m1", call("a", command="ls"), uuid="5"),
    answer("m1", call("b", command="cat basket"), uuid="6"),
    line("api-request", id="r1", params={"messages": [{"role": "user", "content": "Count."}]}),
    result("b", "Exit code 1\nno such basket", failed=True, uuid="7"),
    result("a", "barn", failed=False, uuid="8"),
    answer("m2", {"type": "redacted_thinking", "data": "AAAA"}, uuid="9"),
    answer("m2", text("Seven."), uuid="10"),
    line("cost-state", totalCostUSD=0.001),
]


def test_real_sessions_are_read_as_what_happened_in_them(reference):
    for path, expected in truths(reference, "claude").items():
        assert_as_expected(found_in(path), expected)


def test_files_of_other_agents_are_left_alone(reference):
    assert_takes_no_other(FORM, reference, "claude")


def test_a_session_is_read_block_by_block():
    recording = read(lines(*SESSION))
    (run,) = recording.runs
    assert recording.format is FORM
    assert (recording.version, run.session, run.key) == ("2.1.330", "5e55", "")
    assert outline(run) == [
        "prompt Count the pears.",
        "reasoning Look first.",
        "text I look.",
        'call Bash {"command": "ls"}',
        'call Bash {"command": "cat basket"}',
        "result failed Exit code 1\nno such basket",
        "result barn",
        "text Seven.",
    ]
    assert recovering(run, FORM) == [6]


def test_what_makes_no_step_is_counted_by_name_and_adds_up():
    recording = read(lines(*SESSION))
    assert recording.dropped == {
        "queue-operation": 1,
        "attachment": 1,
        "api-request": 1,
        "empty or redacted": 1,
        "cost-state": 1,
    }
    assert recording.total == len(SESSION) == 5 + 8


def test_every_block_leads_to_where_it_stands():
    run = read(lines(*SESSION)).runs[0]
    places = [(block.place.chunk.line, block.place.path) for block in run.blocks]
    assert places[0] == (2, ("message", "content"))
    assert places[1:] == [(n, ("message", "content", 0)) for n in (4, 5, 6, 7, 9, 10, 12)]
    assert {block.at for block in run.blocks} == {"2026-05-04T08:00:01.5Z"}


def test_a_call_of_the_answer_whose_other_call_failed_is_no_recovery():
    # a client may run the first call before it writes the second
    run = taken(
        FORM,
        user("Go."),
        answer("m1", call("a")),
        result("a", "no such tool", failed=True),
        answer("m1", call("b")),
        result("b", "fine"),
        answer("m2", call("c")),
    ).runs[0]
    assert recovering(run, FORM) == [4]


def test_the_texts_of_a_prompt_are_one_and_stand_apart_from_results():
    prompt = user([text("First."), text("<command-name>/cost</command-name>"), text("Second.")])
    assert outline(taken(FORM, prompt).runs[0]) == ["prompt First.\nSecond."]


@pytest.mark.parametrize(
    "said",
    [
        "<command-name>/compact</command-name>\n<command-message>compact</command-message>",
        "<local-command-stdout>Compacted</local-command-stdout>",
        "<bash-input>ls</bash-input>",
        "Caveat: The messages below were generated by the user while running local commands.",
        "[Request interrupted by user for tool use]",
        "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>",
    ],
)
@pytest.mark.parametrize("shape", [str, lambda said: [text(said)]])
def test_what_the_client_writes_is_no_prompt(said, shape):
    recording = taken(FORM, user("Go.", uuid="1"), user(shape(said), uuid="2"))
    assert outline(recording.runs[0]) == ["prompt Go."]
    assert recording.dropped == {CLIENT: 1}


def test_the_end_of_a_task_in_the_background_begins_no_run_of_its_own():
    session = lines(
        user("Count in the background.", uuid="1"),
        answer("m1", text("I wait."), uuid="2"),
        user("<task-notification>\n<result>7</result>", uuid="3", origin={"kind": "task"}),
        answer("m2", text("Seven."), uuid="4"),
        user("And the plums?", uuid="5"),
        answer("m3", text("None."), uuid="6"),
    )
    found = read_bytes(session, "s.jsonl", asked=Asked(split_prompts=True))
    objectives = [of(RunRecord, one).imported.mapped.objective for one in found.traces]
    assert objectives == ["Count in the background.", "And the plums?"]


def command(name, arguments=""):
    said = f"<command-message>{name}</command-message>\n<command-name>/{name}</command-name>"
    return said + (f"\n<command-args>{arguments}</command-args>" if arguments else "")


def test_what_a_command_of_the_user_stands_for_is_the_prompt():
    recording = taken(
        FORM,
        user(command("mend", "the roof"), uuid="1"),
        user([text("Please mend the roof.")], uuid="2", parentUuid="1", isMeta=True),
        answer("m1", text("Mended."), uuid="3", parentUuid="2"),
    )
    assert outline(recording.runs[0]) == ["prompt Please mend the roof.", "text Mended."]
    assert recording.dropped == {CLIENT: 1}


@pytest.mark.parametrize(
    "meta",
    [
        user("<system-reminder>\nBe kind.", uuid="3", parentUuid="1", isMeta=True),
        user("Continue from where you left off.", uuid="3", parentUuid="0", isMeta=True),
        user("<local-command-caveat>Not for you.", uuid="3", parentUuid="1", isMeta=True),
    ],
)
def test_other_lines_of_the_clients_are_no_prompts(meta):
    recording = taken(
        FORM, user(command("mend"), uuid="1"), meta, answer("m1", text("Hm."), uuid="4")
    )
    assert outline(recording.runs[0]) == ["text Hm."]
    assert recording.dropped == {CLIENT: 2}


@pytest.mark.parametrize(
    ("content", "members"),
    [
        ("no", {"toolUseResult": "User rejected tool use"}),
        ("no", {"toolUseResult": "Error: User rejected tool use"}),
        ("The user doesn't want to proceed with this tool use.", {}),
        ("Claude requested permissions to write, but you haven't granted it yet.", {}),
        ("Exit code 143\nCommand timed out after 2s", {}),
        ("rm in '/srv' needs approval.", {"toolDenialKind": "user-rejected"}),
        ("PreToolUse:Write hook error: no", {"toolDenialKind": "permission-rule"}),
    ],
)
def test_nothing_recovers_from_a_refusal_or_a_time_out(content, members):
    run = taken(
        FORM,
        user("Go."),
        answer("m1", call("a")),
        result("a", content, failed=True, **members),
        answer("m2", text("I may not.")),
    ).runs[0]
    assert outline(run)[2] == f"result failed spared {content}"
    assert not recovering(run, FORM)


@pytest.mark.parametrize("kind", [None, "", 3, {}])
def test_no_word_on_a_refusal_is_none(kind):
    failed = result("a", "Exit code 1", failed=True, toolDenialKind=kind)
    assert outline(taken(FORM, failed).runs[0]) == ["result failed Exit code 1"]


def test_a_result_that_is_an_image_is_an_empty_one():
    shown = result("a", [{"type": "image", "source": {"type": "base64", "data": "AAAA"}}])
    assert outline(taken(FORM, shown).runs[0]) == ["result"]


def test_a_side_chain_is_a_run_of_its_own_and_a_warm_up_is_none():
    recording = taken(
        FORM,
        user("Go.", uuid="1"),
        user("Count.", uuid="2", isSidechain=True, agentId="a1"),
        answer("m1", text("Seven."), uuid="3", isSidechain=True, agentId="a1"),
        user("Warmup", uuid="4", isSidechain=True, agentId="a2"),
        user("Weigh.", uuid="5", isSidechain=True),
        answer("m2", text("A pound."), uuid="6", parentUuid="5", isSidechain=True),
    )
    assert [(run.key, run.name) for run in recording.runs] == [
        ("", ""),
        ("a1", "sub-agent a1"),
        ("5", "sub-agent 5"),
    ]
    assert outline(recording.runs[2]) == ["prompt Weigh.", "text A pound."]
    assert len(recording.passed_over) == 1


SUMMARY = {"type": "summary", "summary": "Pears", "leafUuid": "1"}
ABOUT = {"agentType": "general-purpose", "description": "Count", "toolUseId": "a"}
CLEARED = user("<command-name>/clear</command-name>", uuid="1")


@pytest.mark.parametrize("file", [[SUMMARY, SUMMARY], [ABOUT], [CLEARED]])
def test_a_file_without_a_run_is_listed_as_skipped(file):
    found = read_bytes(lines(*file), "s.jsonl")
    assert not found.traces and not found.problems
    assert [str(one.reason) for one in found.skipped] == ["a recording without a run"]


def test_lines_without_a_session_are_nearly_one():
    nearly = recognise(head_of(lines({"type": "user", "message": {"content": "Go."}})))
    assert nearly == Nearly(FORM, "sessionId or uuid")
    assert recognise(head_of(json.dumps({"type": "user"}).encode())) is None


def test_odd_values_anywhere_invent_nothing():
    for records in odd_ones(SESSION):
        assert_holds(FORM, records)


@given(damaged(SESSION))
def test_damaged_sessions_invent_nothing(records):
    assert_holds(FORM, records)


def test_a_session_that_grows_says_at_the_end_what_one_says_that_is_read_once():
    assert_grows(FORM, SESSION)
