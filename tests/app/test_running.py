"""Recordings that are still being written: followed, scored as guests, then remembered once."""

import json
import os

import pytest
from PySide6.QtCore import QTimer

from kpinspector.app import watch
from kpinspector.app.answers import explanation_of
from kpinspector.app.values import State
from kpinspector.runs import follow
from kpinspector.runs.follow import QUIET_S
from kpinspector.settings import Mode
from tests.app.harness import write
from tests.known import present
from tests.runs.growing import Clock, GrowingSession

LONG = "word " * 600  # more than the model's window holds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def one(harness, clock):
    return harness(now=clock)


@pytest.fixture
def recording(tmp_path, clock):
    return session_at(tmp_path / "s.jsonl", clock)


def session_at(path, clock, *, first="Mend the pump", name="s"):
    made = GrowingSession(path, name, clock)
    made.prompt(first)
    made.call(command="ls")
    made.result("a list")
    return made


def waits_ms(files):
    """For how long nothing is looked at; None where no file is followed."""
    timer = files.findChild(QTimer, "first end")
    return timer.interval() if timer.isActive() else None


def grow(one, recording, text="more"):
    """Append a thought, and wait until the window would show it."""
    row = only(one, recording)
    steps = len(row.record.trace.steps)
    recording.thought(text)
    one.qtbot.waitUntil(lambda: len(only(one, recording).record.trace.steps) == steps + 1)
    one.settle()
    return only(one, recording)


def only(one, recording):
    (row,) = [each for each in one.session.documents if each.path == str(recording.path)]
    return row


def remembered(one):
    return one.session.memory.state.remembered


def rest(one, clock, seconds=QUIET_S):
    clock.time += seconds
    one.session.watcher.look_for_ends()
    one.settle()


def test_a_recording_runs_until_it_has_been_quiet_and_is_remembered_once(one, recording, clock):
    clock.time += 10
    one.open(recording.path)
    row = only(one, recording)
    assert row.running and row.is_guest and row.measured.place.as_guest
    assert remembered(one) == 0
    assert present(waits_ms(one.session.watcher)) == 20_001
    for _ in range(3):
        clock.time += 5
        row = grow(one, recording)
        assert row.running and row.before is None and remembered(one) == 0
        assert row.changed_at == recording.path.stat().st_mtime_ns
        assert len(row.measured.record.trace.steps) == len(row.record.trace.steps)
    assert present(waits_ms(one.session.watcher)) == 30_001
    rest(one, clock, QUIET_S - 1)
    assert only(one, recording).running
    rest(one, clock, 1)
    row = only(one, recording)
    assert not row.running and not row.measured.place.as_guest
    assert remembered(one) == 1 and waits_ms(one.session.watcher) is None
    assert one.said == []
    one.reload()
    assert remembered(one) == 1


def begun_at(path, clock):
    made = GrowingSession(path, clock=clock)
    made.prompt("Mend the pump")
    return made


def test_a_session_that_stays_without_a_step_is_passed_over(one, tmp_path, clock):
    recording = begun_at(tmp_path / "s.jsonl", clock)
    one.open(recording.path)
    rest(one, clock)
    row = only(one, recording)
    assert (row.state, row.running, row.begun) == (State.SKIPPED, False, None)
    assert explanation_of(row).word == "Skipped"
    assert not one.session.progress.busy and one.said == []


def test_a_file_that_was_old_when_it_was_opened_is_not_running(one, recording):
    recording.touch(ago=QUIET_S)
    one.open(recording.path)
    assert not only(one, recording).running and remembered(one) == 1
    assert waits_ms(one.session.watcher) is None


@pytest.mark.parametrize(("ahead", "running"), [(5, True), (3600, False)])
def test_the_clock_of_another_machine_may_go_before_ours(one, recording, ahead, running):
    recording.touch(ago=-ahead)
    one.open(recording.path)
    assert only(one, recording).running is running


def test_a_trace_is_never_running(one, tmp_path, clock):
    path = write(tmp_path / "a.jsonl", "a")
    os.utime(path, (clock(), clock()))
    one.open(path)
    assert not one.session.documents[0].running and remembered(one) == 1


def codex(*payloads):
    lines = [
        {"timestamp": "2026-05-04T03:02:01Z", "type": kind, "payload": payload}
        for kind, payload in payloads
    ]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


META = ("session_meta", {"id": "c", "cli_version": "0.104.0"})
STARTED = ("event_msg", {"type": "task_started"})
DONE = ("event_msg", {"type": "task_complete"})


def message(role, text):
    kind = "input_text" if role == "user" else "output_text"
    content = [{"type": kind, "text": text}]
    return ("response_item", {"type": "message", "role": role, "content": content})


def test_a_recording_that_says_that_it_ended_is_not_running(one, tmp_path, clock):
    path = tmp_path / "rollout.jsonl"

    def append(*payloads):
        with path.open("ab") as file:
            file.write(codex(*payloads))
        os.utime(path, (clock(), clock()))

    append(META, STARTED, message("user", "Mend it"), message("assistant", "I look."))
    one.open(path)
    assert one.session.documents[0].running and remembered(one) == 0
    clock.time += 5
    append(message("assistant", "Done."), DONE)
    one.qtbot.waitUntil(lambda: not one.session.documents[0].running)
    one.settle()
    (row,) = one.session.documents
    assert not row.waits and remembered(one) == 1 and waits_ms(one.session.watcher) is None
    clock.time += 5
    append(STARTED, message("user", "And now this"))
    one.qtbot.waitUntil(lambda: one.session.documents[0].running)
    one.settle()
    assert remembered(one) == 1, "what was remembered of the turn before stays"
    rest(one, clock)
    assert not one.session.documents[0].running and remembered(one) == 1
    assert one.said == []


def test_an_edit_of_a_recording_that_rests_is_still_an_edit(one, recording):
    recording.touch(ago=100)
    one.open(recording.path)
    text = recording.path.read_text(encoding="utf-8").replace("a list", "another list")
    recording.path.write_text(text, encoding="utf-8")
    recording.touch(ago=50)
    one.qtbot.waitUntil(lambda: only(one, recording).earlier is not None)


def test_what_is_appended_behind_the_window_is_not_embedded_again(one, tmp_path, clock):
    recording = session_at(tmp_path / "s.jsonl", clock, first=LONG)
    one.open(recording.path)
    embedded, found = one.embedder.embedded, only(one, recording).measured.measurement.novelty
    row = grow(one, recording)
    assert one.embedder.embedded == embedded
    assert row.measured.measurement.novelty is found
    assert row.measured.measurement.facts == row.facts
    assert row.facts.steps == len(row.record.trace.steps)
    short = session_at(tmp_path / "short.jsonl", clock, name="short")
    one.open(short.path)
    embedded = one.embedder.embedded
    grow(one, short)
    assert one.embedder.embedded == embedded + 1


def test_only_what_was_appended_is_read(one, recording, monkeypatch):
    one.open(recording.path)
    monkeypatch.setattr(follow, "read_file", None)
    grow(one, recording)
    grow(one, recording)


def test_a_run_stays_the_row_that_it_is_when_a_second_one_begins(one, recording, clock):
    one.open(recording.path)
    (before,) = one.session.documents
    recording.of_sub_agent("I look as well.")
    one.qtbot.waitUntil(lambda: len(one.session.documents) == 2)
    one.settle()
    first, second = one.session.documents
    assert first.number == before.number and second.run.imported.run.name == "sub-agent a1"
    assert first.running and second.running and first.before is None
    rest(one, clock)
    assert remembered(one) == 2


def test_several_that_rest_together_are_remembered_in_the_order_of_their_paths(
    one, tmp_path, clock
):
    folder = tmp_path / "sessions"
    folder.mkdir()
    made = [session_at(folder / f"{name}.jsonl", clock, first=name, name=name) for name in "cab"]
    one.open(folder)
    clock.time += 1
    grow(one, made[1])
    clock.time += 1
    for recording in made:
        recording.touch()
    one.reload()
    rest(one, clock)
    compared = {
        row.name: row.measured.measurement.novelty.compared_with for row in one.session.documents
    }
    assert compared == {"a": 0, "b": 1, "c": 2}


def test_what_grew_unseen_is_read_when_it_should_have_rested(one, recording, clock, monkeypatch):
    monkeypatch.setattr(watch, "MOST_WATCHED", 0)
    one.open(recording.path)
    clock.time += 20
    recording.thought("more")
    rest(one, clock, 10)
    row = only(one, recording)
    assert row.running and len(row.record.trace.steps) == 3 and remembered(one) == 0
    rest(one, clock, 20)
    assert not only(one, recording).running and remembered(one) == 1


def test_a_running_row_that_is_taken_off_and_put_back_comes_to_its_end(one, recording, clock):
    one.open(recording.path)
    removed = one.session.remove([only(one, recording).number])
    assert waits_ms(one.session.watcher) is None
    clock.time += QUIET_S
    one.session.put_back(removed)
    one.settle()
    rest(one, clock, 0)
    assert not only(one, recording).running and remembered(one) == 1


def test_a_fresh_memory_reads_one_file_while_it_runs_and_all_once_it_rests(
    harness, tmp_path, clock
):
    one = harness(now=clock, mode=Mode.FRESH)
    folder = tmp_path / "sessions"
    folder.mkdir()
    write(folder / "a.jsonl", "a1", "a2")
    recording = session_at(folder / "m.jsonl", clock)
    write(folder / "z.jsonl", "z")
    one.open(folder)
    assert only(one, recording).measured.measurement.novelty.compared_with == 2
    read = []
    inner = one.session.pipeline.read.connect(lambda reading: read.append(reading.opening.real))
    assert inner
    row = grow(one, recording)
    assert read == [str(recording.path)]
    assert row.measured.measurement.novelty.compared_with == 3, "with all that was scored"
    last = one.session.documents[-1]
    assert last.measured.measurement.novelty.compared_with == 2
    rest(one, clock)
    assert len(read) == 4
    counts = [each.measured.measurement.novelty.compared_with for each in one.session.documents]
    assert counts == [0, 1, 2, 3]


def test_a_last_step_that_is_still_being_said_was_not_edited(one, tmp_path, clock):
    path = tmp_path / "session.json"

    def say(text):
        messages = [
            {"id": "1", "type": "user", "content": "Mend the pump"},
            {"id": "2", "type": "gemini", "content": text},
        ]
        whole = {"sessionId": "g", "projectHash": "h", "messages": messages}
        path.write_text(json.dumps(whole), encoding="utf-8")
        os.utime(path, (clock(), clock()))

    say("I lo")
    one.open(path)
    clock.time += 1
    say("I look at it")
    one.qtbot.waitUntil(
        lambda: one.session.documents[0].record.trace.steps[-1].content == "I look at it"
    )
    one.settle()
    (row,) = one.session.documents
    assert row.running and row.earlier is None and one.said == []
