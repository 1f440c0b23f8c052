"""opencode's exports."""

import json

from tests.runs.made import document, outline, read, recovering, taken
from tests.runs.truth import found_in


def message(role, *parts, **info):
    return {"info": {"role": role, "id": f"msg_{role}", "time": {"created": 1500}, **info},
            "parts": list(parts)}  # fmt: skip


def part(kind, **members):
    return {"type": kind, "id": "prt", **members}


def tool(call_id, status="completed", **state):
    state = {
        "status": status,
        "input": {"at": call_id},
        "time": {"start": 2000, "end": 3000},
    } | state
    return part("tool", tool="dig", callID=call_id, state=state)


EXPORT = {
    "info": {"id": "ses_1", "version": "1.18.33"},
    "messages": [
        message("user", part("text", text="Dig."), part("text", text="Read", synthetic=True)),
        message(
            "assistant",
            part("step-start"),
            part("reasoning", text="Hm."),
            part("text", text="I dig."),
            tool("a", output="sand", metadata={"exit": 0}),
            tool("b", "error", error="a stone"),
        ),
        message("assistant", tool("c", output="no", metadata={"exit": 1}), id="msg_2"),
        message("assistant", part("text", text="So far."), summary=True),
        message("assistant", tool("d", "running"), part("text", text="Done."), id="msg_3"),
    ],
}


def test_a_real_export_is_read_as_what_happened_in_it(reference):
    manifest = json.loads((reference / "runs" / "manifest.json").read_text(encoding="utf-8"))
    (entry,) = (one for one in manifest["runs"] if one["format"] == "opencode")
    (found,) = found_in(reference / "runs" / entry["files"][0])
    truth = entry["truth"]["main"]
    assert {name: found[name] for name in truth} == truth
    assert (found["prompts"], found["kinds"]) == (1, "TCOTTCCOOCOCOCOT")


def test_an_export_is_read_part_by_part():
    recording = read(document(EXPORT))
    (run,) = recording.runs
    assert (recording.format, recording.version, run.session) == (
        "opencode", "1.18.33", "ses_1")  # fmt: skip
    assert outline(run) == [
        "prompt Dig.",
        "reasoning Hm.",
        "text I dig.",
        'call dig {"at": "a"}',
        'call dig {"at": "b"}',
        "result sand",
        "result failed a stone",
        'call dig {"at": "c"}',
        "result failed no",
        'call dig {"at": "d"}',
        "text Done.",
    ]
    assert recovering(run, "opencode") == [6, 8]
    assert (recording.total, recording.dropped) == (5, {"compaction summary": 1})
    assert run.blocks[0].at == "1970-01-01T00:00:01.500000+00:00"
    assert run.blocks[5].place.path == ("messages", 1, "parts", 3, "state")
    assert [block.call_id for block in run.blocks[3:7]] == ["a", "b", "a", "b"]


def test_calls_of_one_answer_do_not_recover_from_one_another():
    answer = message("assistant", tool("a", "error", error="no"), tool("b", output="yes"))
    prompt = message("user", part("text", text="Dig."))
    run = taken("opencode", {"messages": [prompt, answer, answer]}).runs[0]
    assert recovering(run, "opencode") == []


def test_what_makes_no_step_is_counted_by_name():
    own = message("user", part("text", text="Read", synthetic=True))
    others = [own, message("assistant", part("step-start")), 7, message("user")]
    recording = taken("opencode", {"messages": others})
    assert recording.dropped == {
        "the client's own": 1,
        "empty or redacted": 2,
        "message of nobody": 1,
    }
