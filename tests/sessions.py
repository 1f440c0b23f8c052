"""Folders of small recordings, as Claude Code leaves them behind."""

import json
import os
import uuid

from tests.fakes import make_raw

LINE = '{"type": "user", "message": {"role": "user", "content": "And the valve"}, "uuid": "u9"}\n'
START = 1_790_000_000  # when session 0 was changed, in seconds since the epoch


def session(number, *, long=False):
    """The lines of a session: prompt, text, call and result; ``long``: with a long prompt."""
    beside = {"sessionId": f"s{number}", "timestamp": "2026-05-04T03:02:01.5Z"}
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": f"{number} pumps"}
    prompt = f"Count the pumps of house {number}" + " and its wells" * 10_000 * long
    parts = [
        ("user", prompt),
        ("assistant", [{"type": "text", "text": f"House {number} has a list."}]),
        ("assistant", [call]),
        ("user", [result]),
    ]
    return "".join(
        json.dumps(
            {
                **beside,
                "type": role,
                "message": {"role": role, "id": f"m{at}", "content": content},
                "uuid": f"u{at}",
            }
        )
        + "\n"
        for at, (role, content) in enumerate(parts)
    )


def name_of(number):
    """The name of a session's file, without its suffix."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"session {number}"))


def path_of(folder, number):
    """The path of a session; sessions are spread over ten projects by their last digit."""
    return folder / f"-home-me-{number % 10}" / f"{name_of(number)}.jsonl"


def write_session(folder, number, **how):
    """Write a session, changed ``number`` seconds after session 0; returns the path."""
    path = path_of(folder, number)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(session(number, **how), encoding="utf-8")
    os.utime(path, (START + number, START + number))
    return path


def write_sessions(folder, count):
    """Write ``count`` sessions; returns the folder."""
    for number in range(count):
        write_session(folder, number)
    return folder


def write_trace(folder, name):
    """Write a ReasoningTrace, changed a second before session 0; returns the path."""
    path = folder / f"{name}.json"
    path.write_text(json.dumps(make_raw(id=name, task={"objective": name})), encoding="utf-8")
    os.utime(path, (START - 1, START - 1))
    return path
