"""ATIF's trajectories."""

from tests.runs.made import document, outline, read, recovering, taken

STEPS = [
    {"step_id": 1, "source": "system", "message": "Be brief."},
    {"step_id": 2, "source": "user", "message": "Bake", "timestamp": "2026-01-02T03:04:05Z"},
    {
        "step_id": 3,
        "source": "agent",
        "message": [{"type": "text", "text": "I light it."}, {"type": "image", "source": {}}],
        "reasoning_content": "The oven first.",
        "tool_calls": [
            {"tool_call_id": "c1", "function_name": "light", "arguments": {"degrees": 180}},
            {"tool_call_id": "c2", "function_name": "wait", "arguments": {}},
        ],
        "observation": {
            "results": [
                {"source_call_id": "c2", "content": None},
                {"source_call_id": "c1", "content": "no gas", "extra": {"is_error": True}},
            ]
        },
    },
    {"step_id": 4, "source": "agent", "message": "I order gas."},
    {"step_id": 5, "source": "agent", "message": ""},
]
SUB = {
    "schema_version": "ATIF-v1.7",
    "trajectory_id": "sub",
    "agent": {"name": "helper"},
    "steps": [{"source": "user", "message": "Help"}, {"source": "agent", "message": "Yes"}],
}
WHOLE = {
    "schema_version": "ATIF-v1.7",
    "session_id": "s1",
    "agent": {"name": "baker", "version": "1"},
    "steps": STEPS,
}


def test_a_trajectory():
    recording = read(document(WHOLE))
    assert outline(recording.runs[0]) == [
        "prompt Bake",
        "reasoning The oven first.",
        "text I light it.",
        'call light {"degrees": 180}',
        "call wait {}",
        "result",
        "result failed no gas",
        "text I order gas.",
    ]
    assert recovering(recording.runs[0], "atif") == [6]
    assert recording.dropped == {"system message": 1, "empty or redacted": 1}
    assert (recording.total, recording.version) == (5, "ATIF-v1.7")
    assert recording.runs[0].session == "s1"
    assert recording.runs[0].blocks[0].at == "2026-01-02T03:04:05Z"


def test_sub_agents_are_runs_of_their_own_wherever_they_stand():
    inner = {**SUB, "trajectory_id": None, "session_id": "s2"}
    sub = {**SUB, "subagent_trajectories": [inner]}
    recording = read(document({**WHOLE, "subagent_trajectories": [sub, inner]}))
    found = [(run.session, run.key, run.name) for run in recording.runs]
    assert found == [
        ("s1", "", ""),
        ("s1", "sub", "sub-agent sub"),
        ("s2", "1.1", "sub-agent 1.1"),
        ("s2", "2", "sub-agent 2"),
    ]
    assert recording.runs[1].blocks[0].place.path == (
        "subagent_trajectories",
        0,
        "steps",
        0,
        "message",
    )
    assert recording.total == 11


def test_copied_context_is_counted_and_makes_no_step():
    copied = [{**one, "is_copied_context": True} for one in STEPS[:3]]
    recording = read(document({**WHOLE, "steps": [*copied, *SUB["steps"]]}))
    assert outline(recording.runs[0]) == ["prompt Help", "text Yes"]
    assert recording.dropped == {"copied context": 3}


def test_a_trajectory_without_a_prompt_of_its_own_has_the_copied_one():
    copied = [{**one, "is_copied_context": True} for one in STEPS[:3]]
    recording = read(document({**WHOLE, "steps": [*copied, STEPS[3]]}))
    assert outline(recording.runs[0]) == ["prompt Bake", "text I order gas."]
    assert recording.dropped == {"copied context": 2}
    assert recording.total == 4


def test_lines_of_trajectories_are_a_run_each():
    assert len(taken("atif", WHOLE, SUB).runs) == 2
