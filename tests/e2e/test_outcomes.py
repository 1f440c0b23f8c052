"""Recordings in the window: how they ended is stated, kept, taken back, and exported."""

import json
import os

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPlainTextEdit

from tests import user
from tests.e2e.test_convert import DATA, LINES
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
def test_what_is_stated_decides_is_kept_and_can_be_taken_back(recording):
    window = yield from user.opened(recording, wide=True)
    before = score(window)
    assert description(window, "Stated") == "nothing"
    assert "confidence, success, domain" in description(window, "Absent")
    assert description(window, "Derived") == "1 recovery, the id"
    assert description(window, "Lines") == "8 read  ·  dropped 1: 1 summary"
    user.press(window, "Set Outcome…")
    state(window, "Yes", "0.9")
    yield lambda: score(window) != before
    stated = score(window)
    assert description(window, "Stated") == "confidence 0.9, success yes"
    assert reads(window, "confidence 0.9  ·  stated by you")()
    said = [cell for row in user.table(window, "Dimensions") for cell in row]
    assert "confidence 0.9, succeeded, stated by you" in said
    assert "\N{EN DASH}" in before[1] and "\N{EN DASH}" not in stated[1]
    window = yield from user.opened(recording, wide=True)
    assert score(window) == stated
    trigger(window, "take_back_outcome")
    yield lambda: score(window) == before
    assert description(window, "Stated") == "nothing"
    assert not user.can_choose(window, "Score", "Take Back Outcome")
    yield user.CLOSED
    assert recording.read_text("utf-8").count("\n") == len(LINES)


@pytest.mark.slow
def test_what_was_stated_of_several_runs_is_undone_for_each(recording):
    other = recording.with_name("other.jsonl")
    other.write_bytes(DATA.replace(b"5e55", b"another"))
    window = yield user.Main(recording, other)

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


def test_an_export_scores_as_its_recording(recording, tmp_path):
    written = tmp_path / "night-trace.jsonl"
    window = yield from user.opened("--fresh", recording)
    trigger(window, "export_run")
    assert user.messages(window) == [NOT_EXPORTED]
    trigger(window, "set_outcome")
    state(window, "No", "0.5")
    yield lambda: "\N{EN DASH}" not in score(window)[1]
    stated = score(window)
    trigger(window, "export_run")
    assert user.messages(window) == []
    yield from user.save_as(window, written)
    (trace,) = [json.loads(line) for line in written.read_text("utf-8").splitlines()]
    assert trace["outcome"]["confidence"] == 0.5
    window = yield from user.opened("--fresh", written)
    assert score(window) == stated
    assert not user.can_choose(window, "Score", "Set Outcome…")
    assert not user.is_seen(window, QAbstractButton, "Set Outcome…")


def test_a_step_says_what_was_derived_and_where_it_stands(recording):
    window = yield from user.opened("--fresh", recording, wide=True)
    tree = user.steps(window)
    role = Qt.ItemDataRole.AccessibleTextRole
    for number, kind, marks in (
        (2, "Observation", "complexity: new type, failed in the source"),
        (3, "Recovery, derived", "complexity: new type, complexity: recovery"),
    ):
        user.go_to_step(window, number)
        index = tree.currentIndex()
        assert [index.siblingAtColumn(one).data(role) for one in (1, 4)] == [kind, marks]
    assert field(window, "Kind") == (
        "Recovery, as it is the first answer after a failed result: step 2, by is_error."
        " Recorded as text."
    )
    assert field(window, "Without it").startswith("A thought; the score would be ")
    data = recording.read_bytes()
    line = data.split(b"\n")[5]
    start = data.index(line)
    end = start + len(line)
    assert field(window, "Place") == f"line 6, /message/content/0, bytes {start:,} to {end:,}"
    assert user.is_seen(window, QLabel, "Recovery, derived")
    user.go_to_tab(window, "View of the step", "Source")
    yield lambda: field(window, "Source") != ""
    source = json.loads(field(window, "Source"))
    assert source == {"type": "text", "text": "The log has moved."}
    user.go_to_step(window, 2)
    user.go_to_tab(window, "View of the step", "Text")
    assert field(window, "Result") == "Failed in the source, by is_error"


def field(window, name):
    """What stands in the text of that name."""
    return user.find(window, QPlainTextEdit, name).toPlainText()


@pytest.mark.slow
def test_a_strip_that_was_folded_is_folded_when_the_window_opens_again(recording):
    name = "Fold or unfold what is said of the import"
    for folded in (False, True, False):
        window = yield from user.opened(recording, wide=True)
        assert (description(window, name) == "folded") is folded
        user.press(window, name)
        assert (description(window, name) == "folded") is not folded


def test_the_strip_states_and_takes_back_of_the_run_that_it_shows(recording):
    other = recording.with_name("noon.jsonl")
    other.write_bytes(DATA.replace(b"/work", b"/noon").replace(b"5e55", b"n00n"))

    def scores(window):
        return [row["Score"] for row in user.trace_rows(window)]

    window = yield from user.opened("--fresh", recording, other, wide=True)
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
