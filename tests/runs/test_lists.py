"""The lists that libraries write: pydantic-ai, AutoGen, smolagents, and Vercel's AI SDK."""

import json
from typing import Any

import pytest

from tests.runs.made import document, lines, outline, read, recovering, taken
from tests.runs.truth import found_in

FAMILIES = {
    "pydantic-ai": "pydantic-ai-messages",
    "vercel-ai": "vercel-ai-messages",
    "smolagents": "smolagents-steps",
    "autogen": "autogen",
}


def asking(*parts, **members):
    return {"kind": "request", "parts": list(parts), **members}


def responding(*parts, **members):
    return {"kind": "response", "parts": list(parts), **members}


def part(kind, content=None, **members):
    return {"part_kind": kind, "content": content, **members}


def dig(call_id, **args):
    return {"part_kind": "tool-call", "tool_name": "dig", "args": args, "tool_call_id": call_id}


def dug(call_id, content, outcome="success", kind="tool-return"):
    return part(kind, content, tool_name="dig", tool_call_id=call_id, outcome=outcome)


PYDANTIC = [
    asking(
        part("system-prompt", "Be brief."),
        part("user-prompt", "Dig.", timestamp="2026-01-02T03:04:05Z"),
        conversation_id="c1",
    ),
    responding(part("thinking", "Hm."), part("text", "I dig."), dig("a", at=1), dig("b", at=2)),
    asking(dug("a", "a stone", "failed"), dug("b", {"sand": 7})),
    responding(part("thinking", ""), dig("c")),
    asking(dug("c", [{"loc": ["at"], "msg": "missing"}], kind="retry-prompt")),
    responding(dig("d", at=3), timestamp="2026-01-02T03:05:00Z"),
    asking(dug("d", "not allowed", "denied")),
    asking(part("retry-prompt", "Answer in JSON.")),
    asking(
        part("user-prompt", ["And", {"kind": "image-url", "url": "x"}, "now?"]),
        instructions="Be brief.",
    ),
    responding(part("text", "Sand.")),
    responding(part("text", " ")),
]
PYDANTIC_OUTLINE = [
    "prompt Dig.",
    "reasoning Hm.",
    "text I dig.",
    'call dig {"at": 1}',
    'call dig {"at": 2}',
    "result failed a stone",
    'result {"sand":7}',
    "call dig {}",
    'result failed [{"loc":["at"],"msg":"missing"}]',
    'call dig {"at": 3}',
    "result failed spared not allowed",
    "prompt And\nnow?",
    "text Sand.",
]

ARGUMENTS = '{"at": 1}'
TASK: list[dict[str, Any]] = [
    {"type": "TextMessage", "source": "user", "content": "Dig.", "created_at": "2026-01-02"},
    {"type": "ThoughtEvent", "source": "digger", "content": "Hm."},
    {
        "type": "ToolCallRequestEvent",
        "source": "digger",
        "content": [
            {"id": "a", "name": "dig", "arguments": ARGUMENTS},
            {"id": "b", "name": "dig", "arguments": "{}"},
        ],
    },
    {
        "type": "ToolCallExecutionEvent",
        "source": "digger",
        "content": [
            {"call_id": "a", "name": "dig", "content": "a stone", "is_error": True},
            {"call_id": "b", "name": "dig", "content": "sand", "is_error": False},
        ],
    },
    {"type": "ToolCallSummaryMessage", "source": "digger", "content": "a stone\nsand"},
    {"type": "HandoffMessage", "source": "digger", "target": "raker", "content": "Rake."},
    {"type": "TextMessage", "source": "raker", "content": "Done."},
    {"type": "MultiModalMessage", "source": "user", "content": ["And", {"data": "x"}, "now?"]},
    {"type": "StopMessage", "source": "raker", "content": "TERMINATE"},
    {"type": "TextMessage", "source": "raker", "content": ""},
]
TASK_OUTLINE = [
    "prompt Dig.",
    "reasoning Hm.",
    f"call dig {json.dumps(ARGUMENTS)}",
    'call dig "{}"',
    "result failed a stone",
    "result sand",
    "text Done.",
    "prompt And\nnow?",
]
STATE = {
    "type": "AssistantAgentState",
    "llm_context": {
        "messages": [
            {"type": "SystemMessage", "content": "Be brief."},
            {"type": "UserMessage", "source": "user", "content": "Dig."},
            {**TASK[2], "type": "AssistantMessage", "thought": "Hm."},
            {"type": "FunctionExecutionResultMessage", "content": TASK[3]["content"]},
            {"type": "AssistantMessage", "source": "digger", "content": "Done.", "thought": None},
        ]
    },
}


def function(call_id, name, **arguments):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def step(number, text, calls=(), **members):
    message = {"role": "assistant", "content": text, "tool_calls": list(calls)}
    return {
        "step_number": number,
        "timing": {"start_time": 1.5, "end_time": 2.5},
        "model_output_message": message,
        "tool_calls": list(calls),
        "error": None,
        "observations": None,
        **members,
    }


STEPS = [
    {"system_prompt": "Be brief."},
    {"task": "Dig.", "task_images": None},
    step(
        1,
        [{"type": "text", "text": "I dig."}],
        [function("a", "dig", at=1), function("b", "rake")],
        tool_calls=[],
        error={"type": "AgentToolExecutionError", "message": "Error executing tool 'dig'"},
    ),
    step(2, None, [function("c", "rake")], model_output="I rake.", observations="sand"),
    {"plan": "Rake on.", "model_output_message": {}},
    step(3, None, [function("d", "dig"), function("e", "dig")], observations="sand\nsand"),
    step(4, "Hm.", error={"type": "AgentParsingError", "message": "no call"}),
    {"task": "And now?"},
    step(1, None, [function("f", "dig")], error={"message": "a stone"}),
    step(2, None),
]
STEPS_OUTLINE = [
    "prompt Dig.",
    "text I dig.",
    'call dig {"at": 1}',
    "call rake {}",
    "result failed Error executing tool 'dig'",
    "text I rake.",
    "call rake {}",
    "result sand",
    "call dig {}",
    "call dig {}",
    "result sand\nsand",
    "text Hm.",
    "result failed no call",
    "prompt And now?",
    "call dig {}",
    "result failed a stone",
]


def answered(call_id, kind, value):
    output = {"type": kind, "value": value}
    return {"type": "tool-result", "toolCallId": call_id, "toolName": "dig", "output": output}


def called(call_id, **given):
    return {"type": "tool-call", "toolCallId": call_id, "toolName": "dig", "input": given}


MODEL_MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "Dig."}, {"type": "image"}]},
    {
        "role": "assistant",
        "content": [
            {"type": "reasoning", "text": "Hm."},
            {"type": "text", "text": "I dig."},
            called("a", at=1),
            called("b"),
        ],
    },
    {
        "role": "tool",
        "content": [answered("a", "error-text", "a stone"), answered("b", "json", {"sand": 7})],
    },
    {"role": "assistant", "content": ""},
    {"role": "assistant", "content": "Sand."},
]
MODEL_OUTLINE = [
    "prompt Dig.",
    "reasoning Hm.",
    "text I dig.",
    'call dig {"at": 1}',
    "call dig {}",
    "result failed a stone",
    'result {"sand":7}',
    "text Sand.",
]


def used(call_id, state, kind="tool-dig", **members):
    return {"type": kind, "toolCallId": call_id, "state": state, "input": {}, **members}


UI_MESSAGES = [
    {"id": "1", "role": "system", "parts": [{"type": "text", "text": "Be brief."}]},
    {
        "id": "2",
        "role": "user",
        "parts": [
            {"type": "text", "text": "Dig."},
            {"type": "file"},
            {"type": "text", "text": "!"},
        ],
    },
    {
        "id": "3",
        "role": "assistant",
        "parts": [
            {"type": "step-start"},
            {"type": "reasoning", "text": "Hm."},
            used("a", "output-error", errorText="a stone"),
            used("b", "output-available", kind="dynamic-tool", toolName="rake", output={"sand": 7}),
            {"type": "step-start"},
            {"type": "text", "text": "So."},
            used("c", "output-denied", approval={"approved": False, "reason": "not there"}),
            used("d", "input-available"),
            {"type": "step-start"},
            {"type": "text", "text": "Sand."},
        ],
    },
    {"id": "4", "role": "assistant", "parts": [{"type": "step-start"}]},
]
UI_OUTLINE = [
    "prompt Dig.\n!",
    "reasoning Hm.",
    "call dig {}",
    "call rake {}",
    "result failed a stone",
    'result {"sand":7}',
    "text So.",
    "call dig {}",
    "call dig {}",
    "result failed spared not there",
    "text Sand.",
]

MADE = {
    "pydantic-ai": ("pydantic-ai", PYDANTIC, PYDANTIC_OUTLINE, [6, 8]),
    "a task of AutoGen": ("autogen", TASK, TASK_OUTLINE, [5]),
    "smolagents": ("smolagents", STEPS, STEPS_OUTLINE, [4, 13]),
    "Vercel's model messages": ("vercel-ai", MODEL_MESSAGES, MODEL_OUTLINE, [6]),
    "Vercel's messages of a screen": ("vercel-ai", UI_MESSAGES, UI_OUTLINE, [5]),
}
DROPPED = {
    "pydantic-ai": {"the framework's own": 1, "empty or redacted": 1},
    "a task of AutoGen": {
        "results told again": 1,
        "handoff": 1,
        "end of the task": 1,
        "empty or redacted": 1,
    },
    "smolagents": {"system message": 1, "plan": 1, "empty or redacted": 1},
    "Vercel's model messages": {"system message": 1, "empty or redacted": 1},
    "Vercel's messages of a screen": {"system message": 1, "empty or redacted": 1},
}
each = pytest.mark.parametrize(
    ("form", "made", "wanted", "recoveries"), MADE.values(), ids=list(MADE)
)


@pytest.mark.parametrize(("form", "family"), FAMILIES.items(), ids=list(FAMILIES))
def test_real_lists_are_read_as_what_happened_in_them(reference, form, family):
    manifest = json.loads((reference / "runs" / "manifest.json").read_text(encoding="utf-8"))
    for entry in (one for one in manifest["runs"] if one["format"] == family):
        truth = entry["truth"]["main"]
        thoughts = truth["texts"] + truth["reasoning"]
        for file in entry["files"]:
            (found,) = found_in(reference / "runs" / file)
            assert found["prompts"] == entry["prompts"]
            assert (found["calls"], found["failed"]) == (truth["calls"], truth["failed"])
            if form != "autogen":  # which makes one thought of what a turn thinks and says
                assert found["texts"] == truth["texts"]
                assert str(found["kinds"]).count("T") == thoughts
            assert found["recoveries"] == 1


@each
@pytest.mark.parametrize("written", ["list", "held", "lines"])
def test_a_list_is_read_entry_by_entry(form, made, wanted, recoveries, written):
    held = {"steps" if form == "smolagents" else "messages": made}
    data = lines(*made) if written == "lines" else document(made if written == "list" else held)
    recording = read(data)
    (run,) = recording.runs
    assert recording.format == form
    assert outline(run) == wanted
    assert recovering(run, form) == recoveries
    assert recording.total == len(made)
    assert not recording.refused


@pytest.mark.parametrize("name", MADE)
def test_what_makes_no_step_is_counted_by_name(name):
    form, made, *_ = MADE[name]
    assert taken(form, made).dropped == DROPPED[name]


@each
def test_results_are_of_their_calls(form, made, wanted, recoveries):
    (run,) = taken(form, made).runs
    calls = {block.call_id for block in run.blocks if block.tool}
    results = [block.call_id for block in run.blocks if str(block.kind) == "result"]
    told = [one for one in results if one]
    assert set(told) <= calls and len(told) == len(set(told))
    assert len(results) - len(told) == (2 if form == "smolagents" else 0)


def test_the_state_of_an_agent_holds_the_messages_of_its_model():
    recording = read(document(STATE))
    assert outline(recording.runs[0]) == TASK_OUTLINE[:7]
    assert recording.dropped == {"system message": 1}
    place = recording.runs[0].blocks[0].place
    assert place.path == ("llm_context", "messages", 1, "content")


def test_a_conversation_of_pydantic_ai_is_a_session_and_has_times():
    (run,) = read(document(PYDANTIC)).runs
    assert run.session == "c1"
    assert run.blocks[0].at == "2026-01-02T03:04:05Z"
    assert run.blocks[9].at == "2026-01-02T03:05:00Z"
    assert read(lines(*PYDANTIC)).runs[0].session == "c1"


def test_steps_of_smolagents_have_times():
    (run,) = read(document(STEPS)).runs
    assert run.blocks[1].at == "1970-01-01T00:00:01.500000+00:00"
    assert run.blocks[4].at == "1970-01-01T00:00:02.500000+00:00"


def test_a_line_that_any_list_may_have_is_of_no_second_format():
    recording = read(lines(*MODEL_MESSAGES[1:]))
    assert (recording.format, recording.refused) == ("vercel-ai", ())


def test_lists_on_lines_are_runs_of_their_own():
    recording = read(lines(PYDANTIC, PYDANTIC[:2]))
    assert [outline(run) for run in recording.runs] == [PYDANTIC_OUTLINE, PYDANTIC_OUTLINE[:5]]
