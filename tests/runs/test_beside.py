"""What a run says of its recording adds up: its own lines, those of other runs, and the dropped."""

import json
from typing import Any

import pytest

from kpinspector.runs.read import Asked
from kpinspector.runs.recording import recording_of
from kpinspector.runs.run import DropName, Recording, units_of
from kpinspector.trace.bytes import decode
from tests.runs import made


def spoken(kind, content, **more):
    message = {"role": kind, "content": content, "id": more.get("uuid", "")}
    return {"type": kind, "message": message, "sessionId": "s", **more}


SIDE = {"isSidechain": True}
LINES = [
    spoken("user", "Ask for tea.", uuid="1"),
    spoken("assistant", "I ask.", uuid="2"),
    spoken("user", "Find tea.", uuid="a1", parentUuid=None, **SIDE),
    spoken("assistant", "I find it.", uuid="a2", parentUuid="a1", **SIDE),
    spoken("user", "Boil water.", uuid="b1", parentUuid=None, **SIDE),
    spoken("assistant", "It boils.", uuid="b2", parentUuid="b1", **SIDE),
    spoken("assistant", "It steams.", uuid="b3", parentUuid="b2", **SIDE),
    spoken("user", "Warmup", uuid="c1", parentUuid=None, **SIDE),
    spoken("assistant", "Ready.", uuid="c2", parentUuid="c1", **SIDE),
    {"type": "file-history", "snapshot": {}},
    spoken("assistant", "Tea is there.", uuid="3"),
]


def dropped(data, **asked):
    runs = made.run_records(data, Asked(**asked))
    return [(one.imported.recording.total, dict(one.imported.recording.dropped)) for one in runs]


def test_lines_of_sub_agents_are_not_those_of_the_main_run():
    found = dropped(made.lines(*LINES) + b"{oh\n")
    common = {"of a warm-up": 2, "file-history": 1, "unreadable": 1}
    assert found == [
        (12, {"of sub-agents": 5, **common}),
        (12, {"of the main run": 3, "of another run": 3, **common}),
        (12, {"of the main run": 3, "of another run": 2, **common}),
    ]


def test_one_sub_agent_is_said_to_be_one():
    found = dropped(made.lines(*LINES[:4]))
    assert found == [(4, {"of a sub-agent": 2}), (4, {"of the main run": 2})]


def test_prompts_that_are_runs_of_their_own_have_their_own_lines():
    data = made.lines(*LINES[:2], *LINES[10:], spoken("user", "Pour it.", uuid="4"), LINES[1])
    assert dropped(data) == [(5, {})]
    found = dropped(data, split_prompts=True)
    assert found == [(5, {"of another run": 2}), (5, {"of another run": 3})]


LISTS: dict[str, Any] = {
    "messages": [{"role": "user", "content": "Sow."}, {"role": "assistant", "content": "Sown."}],
    "gemini": {
        "sessionId": "s",
        "projectHash": "h",
        "messages": [
            {"id": "1", "type": "user", "content": "Sow."},
            {"id": "2", "type": "gemini", "content": "Sown."},
        ],
    },
    "opencode": {
        "info": {"id": "s"},
        "messages": [
            {"info": {"role": "user"}, "parts": [{"type": "text", "text": "Sow."}]},
            {"info": {"role": "assistant"}, "parts": [{"type": "text", "text": "Sown."}]},
        ],
    },
    "mini": {
        "trajectory_format": "mini-swe-agent-1.1",
        "info": {},
        "messages": [
            {"role": "user", "content": "Sow."},
            {"role": "assistant", "content": "Sown."},
        ],
    },
    "swe-agent": {
        "trajectory": [
            {"thought": "Seed.", "action": "sow", "observation": "Sown."},
            {"thought": "Done.", "action": "", "observation": ""},
        ],
        "history": [{"role": "user", "content": "Sow."}],
        "info": {},
    },
    "atif": {
        "schema_version": "ATIF-v1.6",
        "steps": [
            {"step_id": 1, "source": "user", "message": "Sow."},
            {"step_id": 2, "source": "agent", "message": "Sown."},
        ],
    },
    "inspect": {
        "version": 2,
        "status": "success",
        "eval": {"task": "t", "eval_id": "e"},
        "samples": [
            {
                "id": "a",
                "epoch": 1,
                "messages": [
                    {"role": "user", "content": "Sow."},
                    {"role": "assistant", "content": "Sown."},
                ],
            }
        ],
    },
}


@pytest.mark.parametrize("name", LISTS)
def test_messages_of_a_document_are_counted_one_by_one(name):
    recording = made.read(made.document(LISTS[name]))
    (run,) = recording.runs
    assert units_of(run.blocks) == recording.total == 2


def test_all_real_recordings_add_up(reference):
    folder = reference / "runs"
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    several = 0
    for entry in manifest["runs"]:
        for file in entry["files"]:
            decoded = decode((folder / file).read_bytes())
            recording = recording_of(decoded, file)
            if not isinstance(recording, Recording):
                continue
            several += len(recording.runs) > 1
            made_steps = recording.total - sum(recording.dropped.values())
            assert sum(units_of(run.blocks) for run in recording.runs) == made_steps, file
            own = {units_of(run.blocks) for run in recording.runs}
            for run in made.run_records(decoded.data):
                imported = run.imported
                assert (
                    imported.recording.total - sum(n for _, n in imported.recording.dropped.items())
                    in own
                ), file
                assert all(number > 0 for number in imported.recording.dropped.values()), file
    assert several > 5


def test_what_readers_drop_has_a_name_of_ours_or_of_the_file(reference):
    folder = reference / "runs"
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for entry in manifest["runs"]:
        for file in entry["files"]:
            data = decode((folder / file).read_bytes()).data
            recording = recording_of(decode(data), file)
            if isinstance(recording, Recording):
                others = [name for name in recording.dropped if name not in set(DropName)]
                signs = [name.replace(" ", "_").encode() for name in others]
                signs += [name.encode() for name in others]
                found = [sign for sign in signs if b'"' + sign + b'"' in data]
                assert len(set(found)) >= len(others), (file, others)
