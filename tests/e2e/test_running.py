"""A recording that is written while it is looked at: followed, and remembered once it rests."""

import os
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QTreeView

from kpinspector.cli import measuring
from kpinspector.runs.follow import QUIET_S
from kpinspector.ui.actions.table import Command
from tests import user
from tests.fakes import FakeEmbedder
from tests.runs.growing import GrowingSession
from tests.user import idle, trigger


@pytest.fixture
def session(tmp_path):
    path = tmp_path / "work" / "night.jsonl"
    path.parent.mkdir()
    made = GrowingSession(path)
    made.prompt("Mend the pump that stops every night")
    for number in range(60):
        made.call(command=f"ls {number}")
        made.result(f"a list {number}")
    return made


@pytest.fixture
def remembered(run):
    """The keys of what is remembered, by the command line."""
    return lambda: [one["key"] for one in run("memory", "list", "--json").json["entries"]]


def rest(session):
    """As if nobody had written to the file for long enough."""
    then = time.time() - QUIET_S - 1
    os.utime(session.path, (then, then))


def spoken(window):
    (row,) = user.said_rows(window)
    return row


def is_running(window):
    return "running" in spoken(window)


def count(window):
    model = user.steps(window).model()
    last = model.index(model.rowCount() - 1, 0)
    inner = model.index(0, 0, last) if model.rowCount(last) else last
    return int(inner.data()) + 1


def end_of(window):
    bar = user.find(window, QTreeView, "Steps").verticalScrollBar()
    return bar.value(), bar.maximum()


@pytest.mark.slow
def test_a_session_is_followed_and_remembered_once_it_rests(session, remembered):
    window = yield from user.opened(session.path)
    yield lambda: is_running(window)
    assert count(window) == 120
    assert any("still running" in text for text in user.texts(window))
    assert user.reads(window, "1 running")() and user.reads(window, "0 remembered")()
    tree = user.find(window, QTreeView, "Steps")
    tree.setFocus()
    user.press_key(Qt.Key.Key_End)
    last = user.current_step(window)
    value, most = end_of(window)
    assert most > 0 and most - value < 10
    for number in range(3):
        session.thought(f"and {number}")
        yield lambda number=number: count(window) == 121 + number
        value, most = end_of(window)
        assert value == most, "who looks at the end goes on looking at it"
        assert user.current_step(window) == last, "what is selected stays so"
    tree.verticalScrollBar().setValue(100)
    session.call(command="rm")
    session.result("gone")
    yield lambda: count(window) == 125
    assert end_of(window)[0] == 100, "who looks elsewhere is not disturbed"
    yield idle(window)
    assert is_running(window) and user.reads(window, "0 remembered")()
    assert user.messages(window) == []
    rest(session)
    yield lambda: not is_running(window)
    yield idle(window)
    assert user.reads(window, "1 remembered")()
    assert not any("still running" in text for text in user.texts(window))
    assert user.messages(window) == []
    assert not any("before" in text for text in user.texts(window) if "edit" in text)
    yield user.CLOSED
    assert len(remembered()) == 1


def test_what_still_runs_when_the_window_is_closed_is_not_remembered(session, remembered):
    window = yield from user.opened(session.path)
    assert is_running(window)
    yield user.CLOSED
    assert remembered() == []


def test_the_end_of_the_rest_needs_no_change_of_the_file(session, remembered):
    then = time.time() - QUIET_S + 1.5
    os.utime(session.path, (then, then))
    window = yield from user.opened(session.path)
    yield lambda: not is_running(window)
    yield idle(window)
    assert user.reads(window, "1 remembered")()
    yield user.CLOSED
    assert len(remembered()) == 1


@pytest.mark.slow
def test_half_a_line_of_a_killed_writer_is_no_problem(session, remembered):
    window = yield from user.opened(session.path)
    session.thought("the last one")
    session.raw(b'{"type": "assistant", "message": {"role": "assis')
    yield lambda: count(window) == 121
    yield idle(window)
    rest(session)
    yield lambda: not is_running(window)
    yield idle(window)
    assert user.messages(window) == [] and count(window) == 121
    assert len(user.said_rows(window)) == 1
    yield user.CLOSED
    assert len(remembered()) == 1


def test_the_filter_finds_what_is_running(session):
    old = GrowingSession(session.path.with_name("old.jsonl"), "old")
    old.prompt("Yesterday's work")
    old.thought("It is done")
    rest(old)
    window = yield user.Main(session.path.parent)
    yield lambda: user.row_count(window) == 2
    yield idle(window)
    user.write(user.filter_field(window), "is:running")
    yield lambda: user.row_count(window) == 1
    rest(session)
    yield lambda: user.row_names(window) == []


@pytest.mark.slow
def test_what_is_tried_and_looked_for_goes_on_with_the_run(session):
    window = yield from user.opened(session.path, wide=True)
    user.find(window, QLineEdit, "Find in steps").setText("a list 59")
    yield user.reads(window, "1 of 1")
    session.call(command="ls")
    session.result("a list 59 again")
    yield user.reads(window, "1 of 2")
    yield idle(window)
    trigger(window, Command.WHAT_IF)
    user.go_to_step(window, 3)
    user.press(window, "Leave out")
    yield lambda: any("1 change" in text for text in user.texts(window))
    session.thought("and on")
    yield lambda: count(window) == 123
    yield idle(window)
    assert any("1 change" in text for text in user.texts(window))


@pytest.mark.slow
def test_a_session_that_begins_in_an_open_folder_is_listed_before_its_first_step(session):
    folder = session.path.parent
    window = yield from user.opened(folder)
    begun = GrowingSession(folder / "noon.jsonl", "noon")
    begun.prompt("Count the swallows under the roof")
    yield lambda: len(user.said_rows(window)) == 2
    yield idle(window)
    row = user.said_rows(window)[1]
    assert "running" in row and "pending" in row and "Claude Code" in row
    user.go_to_row(window, "noon")
    yield user.reads(window, "No step yet")
    begun.thought("There are three.")
    yield lambda: count(window) == 1
    yield idle(window)
    assert len(user.said_rows(window)) == 2
    assert not user.reads(window, "No step yet")()
    assert user.messages(window) == []


@pytest.fixture
def asked(run, monkeypatch):
    """A command line with a fake model."""
    monkeypatch.setattr(measuring, "MiniLM", FakeEmbedder)
    monkeypatch.setenv("COLUMNS", "200")
    return lambda *arguments: run(*arguments, "--fresh")


@pytest.mark.parametrize(
    ("ending", "verdict"),
    [
        ((), "undecided"),
        (("--confidence", "0.1", "--success", "no"), "rejected"),
        (("--confidence", "1", "--success", "yes"), "accepted"),
    ],
)
def test_what_runs_is_judged_so_far_and_scripts_get_the_verdict(
    asked, session, tmp_path, ending, verdict
):
    page = tmp_path / "page.html"
    case = (session.path, *ending, "--threshold", "0.5")
    texts = (
        ("score", *case),
        ("explain", *case),
        ("explain", *case, "--html", page),
        ("compare", session.path, *case),
    )
    last = "1 undecided" if verdict == "undecided" else f"1 {verdict}"

    def said():
        found = [asked(*one) for one in texts]
        assert {one.status for one in found} == {int(verdict != "accepted")}
        assert last in found[0].out
        return [*(one.out.lower() for one in found), page.read_text().lower()]

    def judged():
        report = asked("score", *case, "--json").json
        both = asked("compare", session.path, *case, "--json").json
        return report["traces"][0]["verdict"], both["left"]["verdict"]

    for out in said():
        assert f"{verdict} so far" in out
    assert judged() == (verdict, verdict)
    rest(session)
    for out in said():
        assert "so far" not in out and verdict in out
    assert judged() == (verdict, verdict)


@pytest.mark.slow
def test_the_window_judges_what_runs_so_far(session):
    window = yield from user.opened(session.path)
    assert "rejected so far" in spoken(window)
    assert user.description(window, "Verdict").startswith("Rejected so far. ")
    user.go_to_tab(window, "Score", "What-if")
    assert user.description(window, "Now").startswith("Rejected so far, ")
    rest(session)
    yield lambda: not is_running(window)
    yield idle(window)
    assert "rejected" in spoken(window) and "so far" not in spoken(window)
    assert "so far" not in user.description(window, "Now")
    user.go_to_tab(window, "Score", "Why")
    assert user.description(window, "Verdict").startswith("Rejected. ")
