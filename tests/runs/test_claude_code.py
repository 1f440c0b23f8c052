"""Claude Code's sessions."""

import pytest

from kpinspector.runs.read import Asked, RunRecord, read_bytes
from tests.known import of
from tests.runs.made import lines


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


SUMMARY = {"type": "summary", "summary": "Pears", "leafUuid": "1"}
ABOUT = {"agentType": "general-purpose", "description": "Count", "toolUseId": "a"}
CLEARED = user("<command-name>/clear</command-name>", uuid="1")


@pytest.mark.parametrize("file", [[SUMMARY, SUMMARY], [ABOUT], [CLEARED]])
def test_a_file_without_a_run_is_listed_as_skipped(file):
    found = read_bytes(lines(*file), "s.jsonl")
    assert not found.traces and not found.problems
    assert [str(one.reason) for one in found.skipped] == ["a recording without a run"]
