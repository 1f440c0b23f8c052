"""Tools that the model's provider runs, in lists of messages."""

import json

import pytest

from tests.runs.made import document, outline, read, recovering, taken
from tests.runs.test_atif import STEPS
from tests.runs.test_lists import MODEL_MESSAGES, PYDANTIC, TASK, UI_MESSAGES
from tests.runs.truth import assert_as_expected, found_in

_MORE = ("anthropic-server-tools/messages.json", "openai-agents/hosted.items.json")

HOSTED = [
    {"role": "user", "content": "Find it"},
    {"type": "file_search_call", "id": "f", "queries": ["a"], "results": [{"text": "b", "n": 1}]},
    {"type": "file_search_call", "id": "g", "queries": ["a"], "results": None},
    {
        "type": "code_interpreter_call",
        "id": "i",
        "code": "1/0",
        "outputs": [{"type": "logs", "logs": "1"}, {"type": "logs", "logs": "2"}],
    },
    {"type": "code_interpreter_call", "id": "j", "code": "x", "outputs": [], "status": "failed"},
    {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "Again."}],
    },
    {"type": "image_generation_call", "id": "k", "result": "aGk=", "status": "completed"},
    {"type": "computer_call", "call_id": "l", "action": {"type": "screenshot"}},
    {
        "type": "computer_call_output",
        "call_id": "l",
        "output": {"type": "computer_screenshot", "image_url": "data:x"},
    },
    {"type": "local_shell_call", "id": "s0", "call_id": "s", "action": {"command": ["ls"]}},
    {"type": "local_shell_call_output", "id": "s", "output": "a b"},
    {"type": "apply_patch_call", "call_id": "p", "operation": {"type": "delete_file"}},
    {"type": "apply_patch_call_output", "call_id": "p", "status": "failed", "output": "no"},
]


@pytest.mark.parametrize("file", _MORE)
def test_real_lists_with_hosted_tools_are_read_as_what_happened(reference, file):
    folder = reference / "runs" / "more"
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (expected,) = (one["expect"][file] for one in manifest["runs"] if file in one["files"])
    assert_as_expected(found_in(folder / file), expected)


def test_built_in_tools_of_openai_responses():
    recording = read(document(HOSTED))
    assert outline(recording.runs[0]) == [
        "prompt Find it",
        'call file_search ["a"]',
        'result [{"text":"b","n":1}]',
        'call file_search ["a"]',
        'call code_interpreter "1/0"',
        "result 1\n2",
        'call code_interpreter "x"',
        "result failed",
        "text Again.",
        "call image_generation null",
        'call computer {"type": "screenshot"}',
        "result",
        'call local_shell {"command": ["ls"]}',
        "result a b",
        'call apply_patch {"type": "delete_file"}',
        "result failed no",
    ]
    assert recording.runs[0].parts == {"image": 2}
    assert recovering(recording.runs[0], "messages") == [7]
    blocks = recording.runs[0].blocks
    assert all(one.call_id in {"f", "i", "j", "l", "s", "p"} for one in blocks if one.text == "a b")


@pytest.mark.parametrize(
    ("outcomes", "marks"),
    [
        ([("exit", 0)], "result ["),
        ([("exit", 0), ("exit", 2)], "result failed ["),
        ([("exit", 0), ("timeout", None)], "result failed spared ["),
        ([("exit", 1), ("timeout", None)], "result failed ["),
    ],
)
def test_a_shell_fails_by_its_exit_codes(outcomes, marks):
    output = [
        {"stdout": "", "stderr": "", "outcome": {"type": kind, "exit_code": code}}
        for kind, code in outcomes
    ]
    item = {"type": "shell_call_output", "call_id": "s", "output": output}
    call = {"type": "shell_call", "call_id": "s", "action": {"commands": ["ls"]}}
    run = read(document([HOSTED[0], call, item])).runs[0]
    assert outline(run)[2].startswith(marks)


def _served(kind, content, **beside):
    call = {"type": "server_tool_use", "id": "s", "name": kind, "input": {}}
    return [call, {"type": f"{kind}_tool_result", "tool_use_id": "s", "content": content, **beside}]


def test_server_tools_of_anthropic():
    found = [{"type": "web_search_result", "url": "u", "encrypted_content": "x"}]
    mcp = [
        {"type": "mcp_tool_use", "id": "m", "name": "ask", "server_name": "s", "input": {}},
        {"type": "mcp_tool_result", "tool_use_id": "m", "is_error": True, "content": []},
    ]
    content = [
        *_served("web_search", found),
        *_served("web_search", {"type": "web_search_tool_result_error", "error_code": "e"}),
        {"type": "text", "text": "None."},
        *_served("bash_code_execution", {"type": "r", "return_code": 1, "stdout": "o"}),
        *mcp,
        {"type": "text", "text": "Done."},
    ]
    run = read(
        document([{"role": "user", "content": "Go"}, {"role": "assistant", "content": content}])
    ).runs[0]
    assert outline(run) == [
        "prompt Go",
        "call web_search {}",
        'result [{"type":"web_search_result","url":"u"}]',
        "call web_search {}",
        'result failed {"type":"web_search_tool_result_error","error_code":"e"}',
        "text None.",
        "call bash_code_execution {}",
        'result failed {"type":"r","return_code":1,"stdout":"o"}',
        "call ask {}",
        "result failed",
        "text Done.",
    ]
    assert recovering(run, "messages") == [4, 7, 9]


SEEN = [{"type": "text", "text": "What?"}, {"type": "image", "source": {}}]
CLAUDE = {"sessionId": "s", "type": "user", "message": {"role": "user", "content": SEEN}}
GEMINI = [
    {"sessionId": "s", "projectHash": "p"},
    {"id": "u", "type": "user", "content": [{"text": "What?"}, {"inlineData": {"data": "x"}}]},
]
OPENCODE = {
    "messages": [
        {"info": {"role": "user"}, "parts": [{"type": "text", "text": "What?"}, {"type": "file"}]}
    ]
}


@pytest.mark.parametrize(
    ("form", "records", "parts"),
    [
        ("claude-code", [CLAUDE], {"image": 1}),
        ("gemini", GEMINI, {"inlineData": 1}),
        ("opencode", [OPENCODE], {"file": 1}),
        ("atif", [{"steps": STEPS}], {"image": 1}),
        ("pydantic-ai", PYDANTIC, {"image-url": 1}),
        ("autogen", TASK, {"image": 1}),
        ("vercel-ai", UI_MESSAGES, {"file": 1}),
        ("vercel-ai", MODEL_MESSAGES, {"image": 1}),
    ],
)
def test_every_reader_counts_a_part_beside_a_text(form, records, parts):
    (run,) = taken(form, *records).runs
    assert run.parts == parts
