"""Recordings in the window: how they ended is stated, kept, taken back, and exported."""

import json
import os
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPlainTextEdit

from tests import user
from tests.e2e.test_convert import DATA, LINES
from tests.fakes import FakeEmbedder
from tests.user import description, idle, reads, trigger

NOT_EXPORTED = (
    "Find out why the greenhouse is cold at night is not exported: confidence and success"
    " not recorded; state this with Score > Set Outcome."
)


@pytest.fixture
def recording(tmp_path):
    path = tmp_path / "work" / "night.jsonl"
    path.parent.mkdir()
    path.write_bytes(DATA)
    os.utime(path, (0, 0))  # it no longer runs
    return path


def state(window, success, confidence):
    """Answer the dialog that asks how runs ended."""
    asking = user.dialog(window, "Set Outcome")
    user.choose_in(asking, "Success", success)
    user.write(user.find(asking, QLineEdit, "Confidence"), confidence)
    user.press(asking, "Set Outcome")


def score(window):
    (row,) = user.trace_rows(window)
    return row["State"], row["Score"]


@pytest.mark.slow
def test_what_is_stated_decides_is_kept_and_can_be_taken_back(journey, recording, tmp_path):
    seen = {}

    def first(window):
        window.resize(1440, 900)
        yield idle(window)
        seen["before"] = score(window)
        assert description(window, "Stated") == "nothing"
        assert "confidence, success, domain" in description(window, "Absent")
        assert description(window, "Derived") == "1 recovery, the id"
        assert description(window, "Lines") == "8 read  ·  dropped 1: 1 summary"
        user.press(window, "Set Outcome…")
        state(window, "Yes", "0.9")
        yield lambda: score(window) != seen["before"]
        seen["stated"] = score(window)
        assert description(window, "Stated") == "confidence 0.9, success yes"
        assert reads(window, "confidence 0.9  ·  stated by you")()
        said = [cell for row in user.table(window, "Dimensions") for cell in row]
        assert "confidence 0.9, succeeded, stated by you" in said

    embedder = FakeEmbedder()
    assert journey([recording], first, embedder) == 0
    assert "\N{EN DASH}" in seen["before"][1]
    assert "\N{EN DASH}" not in seen["stated"][1]

    def second(window):
        window.resize(1440, 900)
        yield idle(window)
        assert score(window) == seen["stated"]
        trigger(window, "take_back_outcome")
        yield lambda: score(window) == seen["before"]
        assert description(window, "Stated") == "nothing"
        assert not user.can_choose(window, "Score", "Take Back Outcome")

    assert journey([recording], second, embedder) == 0
    assert recording.read_text("utf-8").count("\n") == len(LINES)


@pytest.mark.slow
def test_what_was_stated_of_several_runs_is_undone_for_each(journey, recording):
    other = recording.with_name("other.jsonl")
    other.write_bytes(DATA.replace(b"5e55", b"another"))

    def script(window):
        def scores():
            return [row["Score"] for row in user.trace_rows(window)]

        yield idle(window)
        user.select(window, "other")
        trigger(window, "set_outcome")
        state(window, "Yes", "0.9")
        yield lambda: "\N{EN DASH}" not in scores()[1]
        before = scores()
        user.select(window, "night", "other")
        trigger(window, "set_outcome")
        state(window, "Yes", "0.2")
        yield lambda: all(
            "\N{EN DASH}" not in now != was for now, was in zip(scores(), before, strict=True)
        )
        stated = scores()
        trigger(window, "undo")
        yield lambda: scores() == before
        trigger(window, "redo")
        trigger(window, "undo")  # before anything of it is kept
        yield idle(window)
        assert scores() == before
        trigger(window, "redo")
        yield lambda: scores() == stated
        trigger(window, "take_back_outcome")
        yield lambda: all("\N{EN DASH}" in one for one in scores())
        assert user.can_choose(window, "Edit", "Undo: Take Back")
        trigger(window, "undo")
        yield lambda: scores() == stated

    assert journey([recording, other], script, FakeEmbedder()) == 0


def test_an_export_scores_as_its_recording(journey, recording, tmp_path):
    written, seen = tmp_path / "night-trace.jsonl", {}

    def script(window):
        yield idle(window)
        trigger(window, "export_run")
        assert user.messages(window) == [NOT_EXPORTED]
        trigger(window, "set_outcome")
        state(window, "No", "0.5")
        yield lambda: "\N{EN DASH}" not in score(window)[1]
        seen["stated"] = score(window)
        trigger(window, "export_run")
        assert user.messages(window) == []
        user.answer_file_dialog(window, written)
        yield written.exists

    def exported(window):
        yield idle(window)
        assert score(window) == seen["stated"]
        assert not user.can_choose(window, "Score", "Set Outcome…")
        assert not user.is_seen(window, QAbstractButton, "Set Outcome…")

    embedder = FakeEmbedder()
    assert journey(["--fresh", recording], script, embedder) == 0
    (trace,) = [json.loads(line) for line in written.read_text("utf-8").splitlines()]
    assert trace["outcome"]["confidence"] == 0.5
    assert journey(["--fresh", written], exported, embedder) == 0


def test_a_step_says_what_was_derived_and_where_it_stands(journey, recording):
    said: dict[str, Any] = {}

    def script(window):
        window.resize(1440, 900)
        yield idle(window)
        tree = user.steps(window)
        role = Qt.ItemDataRole.AccessibleTextRole
        rows = {}
        for number in (2, 3):
            user.go_to_step(window, number)
            index = tree.currentIndex()
            rows[number] = [index.siblingAtColumn(one).data(role) for one in (1, 4)]
        said["rows"] = rows
        said.update({name: field(window, name) for name in ("Kind", "Without it", "Place")})
        assert user.is_seen(window, QLabel, "Recovery, derived")
        user.go_to_tab(window, "View of the step", "Source")
        yield lambda: field(window, "Source") != ""
        said["source"] = field(window, "Source")
        user.go_to_step(window, 2)
        user.go_to_tab(window, "View of the step", "Text")
        said["result"] = field(window, "Result")

    assert journey(["--fresh", recording], script) == 0
    assert said["rows"][2] == ["Observation", "complexity: new type, failed in the source"]
    assert said["rows"][3] == ["Recovery, derived", "complexity: new type, complexity: recovery"]
    assert said["Kind"] == (
        "Recovery, as it is the first answer after a failed result: step 2, by is_error."
        " Recorded as text."
    )
    assert said["Without it"].startswith("A thought; the score would be ")
    data = recording.read_bytes()
    line = data.split(b"\n")[5]
    start = data.index(line)
    end = start + len(line)
    assert said["Place"] == f"line 6, /message/content/0, bytes {start:,} to {end:,}"
    assert json.loads(said["source"]) == {"type": "text", "text": "The log has moved."}
    assert said["result"] == "Failed in the source, by is_error"


def field(window, name):
    """What stands in the text of that name."""
    return user.find(window, QPlainTextEdit, name).toPlainText()


@pytest.mark.slow
def test_a_strip_that_was_folded_is_folded_when_the_window_opens_again(journey, recording):
    name = "Fold or unfold what is said of the import"

    def is_folded(window):
        return description(window, name) == "folded"

    def first(window):
        window.resize(1440, 900)
        yield idle(window)
        assert not is_folded(window)
        user.press(window, name)
        assert is_folded(window)

    def second(window):
        window.resize(1440, 900)
        yield idle(window)
        assert is_folded(window)
        user.press(window, name)
        assert not is_folded(window)

    def third(window):
        window.resize(1440, 900)
        yield idle(window)
        assert not is_folded(window)

    for script in (first, second, third):
        assert journey([recording], script) == 0


def test_the_strip_states_and_takes_back_of_the_run_that_it_shows(journey, recording):
    other = recording.with_name("noon.jsonl")
    other.write_bytes(DATA.replace(b"/work", b"/noon").replace(b"5e55", b"n00n"))

    def scores(window):
        return [row["Score"] for row in user.trace_rows(window)]

    def script(window):
        window.resize(1440, 900)
        yield idle(window)
        before = scores(window)
        user.select(window, "night", "noon")
        trigger(window, "why")  # back to the steps
        user.press(window, "Set Outcome…")
        state(window, "Yes", "0.9")
        yield lambda: scores(window) != before
        yield idle(window)
        assert scores(window)[0] == before[0]  # the other one that is selected
        assert "\N{EN DASH}" not in scores(window)[1]
        user.press(window, "Take Back")
        yield lambda: scores(window) == before

    assert journey(["--fresh", recording, other], script, FakeEmbedder()) == 0
