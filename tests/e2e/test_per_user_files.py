"""Per-user files that are no files, damaged or locked: said, never waited for."""

import json
import os
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from kpinspector.__main__ import main
from kpinspector.cli import measuring
from kpinspector.scoring.memory.memory import Memory
from kpinspector.ui.actions.actions import Command
from kpinspector.ui.controls.base import Label
from tests import user
from tests.fakes import FakeEmbedder, make_raw, save
from tests.scoring.memory_samples import order_of, remember, zero_indexes
from tests.user import drop, idle, reads, row_names

LOCKED = "Waiting for another program that keeps the memory locked"
HUGE = 2**40


def pipe(path):
    os.mkfifo(path)


def link_to_pipe(path):
    pipe(path.with_name("pipe"))
    path.symlink_to("pipe")


def huge(path):
    path.touch()
    try:
        os.truncate(path, HUGE)
    except OSError:
        pytest.skip("no room for a huge file with nothing in it")


NO_FILES = {
    "a pipe": pipe,
    "a link to a pipe": link_to_pipe,
    "a folder": lambda path: path.mkdir(),
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a huge file": huge,
}
made_here = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes and devices of POSIX")
each_kind = pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES.keys())
each_file = pytest.mark.parametrize("name", ["settings.json", "state.json", "memory.sqlite3"])


@pytest.fixture
def source(tmp_path):
    return save(tmp_path / "a.json", make_raw())


@pytest.fixture
def run(monkeypatch, capsysbinary):
    """A command, with a fake model that all runs share."""
    embedder = FakeEmbedder()
    monkeypatch.setattr(measuring, "MiniLM", lambda: embedder)

    def run(*arguments):
        status = main([*map(str, arguments)])
        captured = capsysbinary.readouterr()
        return status, captured.out.decode(), captured.err.decode()

    return run


@made_here
def test_everything_in_the_folder_is_for_its_owner_alone(
    journey, run, data_dir, source, monkeypatch
):
    """The lock and the log as well, which are there only while something is written."""
    modes, replace = {}, Path.replace

    def look(path, target):
        for one in data_dir.rglob("*"):
            modes.setdefault(one.name, set()).add(one.stat().st_mode & 0o777)
        return replace(path, target) if path.exists() else target

    monkeypatch.setattr(Path, "replace", look)
    umask = os.umask(0o022)
    try:
        run("score", source)

        def script(window):
            drop(window, source)
            yield lambda: row_names(window)
            yield idle(window)
            user.trigger(window, Command.ZOOM_IN)
            yield lambda: "state.json" in modes
            user.trigger(window, Command.OPEN)
            yield lambda: any(one.isVisible() for one in window.findChildren(QFileDialog))
            window.findChild(QFileDialog).reject()
            yield lambda: window.findChild(QFileDialog) is None

        assert journey([], script) == 0
        look(data_dir / "nothing", data_dir / "nothing")
    finally:
        os.umask(umask)
    expected = {"state.json.lock", "memory.sqlite3-wal", "memory.sqlite3", "QtProject.conf"}
    assert expected <= modes.keys()
    assert {name for name, found in modes.items() if found != {0o600}} == set()
    assert data_dir.stat().st_mode & 0o777 == 0o700


@made_here
@each_kind
@each_file
def test_the_window_says_what_is_no_file(journey, data_dir, source, capfd, name, make):
    data_dir.mkdir()
    make(data_dir / name)

    def script(window):
        yield reads(window, str(data_dir / name))
        drop(window, source)
        yield lambda: row_names(window)
        yield idle(window)
        yield lambda: user.all_scored(window)

    assert journey([], script) == 0
    assert (name == "state.json" and make is not huge) == (
        "could not be written" in capfd.readouterr().err
    )


@made_here
@each_kind
@pytest.mark.parametrize("name", ["settings.json", "memory.sqlite3"])
def test_the_command_line_says_what_is_no_file(run, data_dir, source, name, make):
    usual = run("score", source, "--fresh")
    data_dir.mkdir()
    make(data_dir / name)
    status, out, err = run("score", source)
    assert out == usual[1]
    assert err.count("\n") == 1 and str(data_dir / name) in err
    assert status == (usual[0] if name == "settings.json" else 2)


@made_here
@pytest.mark.parametrize("beside", ["-wal", "-shm", "-journal"])
def test_a_pipe_beside_the_memory_is_not_waited_for(run, data_dir, source, beside):
    run("score", source)
    pipe(data_dir / f"memory.sqlite3{beside}")
    status, _, err = run("score", source)
    assert status == 2 and err.count("\n") == 1 and "is no file" in err


@pytest.fixture
def locked(run, data_dir, source):
    """A memory that another program keeps locked until it is told to let go."""
    run("score", source)
    path = data_dir / "memory.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


class Listener:
    """Standard error of somebody who lets the memory go once told that it is waited for."""

    def __init__(self, other):
        self.other, self.said = other, ""

    def write(self, text):
        self.said += text
        self.other.execute("ROLLBACK")

    def flush(self):
        pass

    def isatty(self):
        return False


def test_the_command_line_says_that_it_waits_and_goes_on(
    run, locked, data_dir, tmp_path, monkeypatch
):
    listener = Listener(locked)
    monkeypatch.setattr(sys, "stderr", listener)
    status, out, _ = run("score", save(tmp_path / "b.json", make_raw(id="b")), "--json")
    assert json.loads(out)["settings"]["mode"] == "remember" and status == 1
    path = re.escape(str(data_dir / "memory.sqlite3"))
    assert re.fullmatch(
        rf"kpinspector: Waiting for another program that keeps .* {path} locked\.\n", listener.said
    )
    with Memory.open(data_dir / "memory.sqlite3") as memory:
        assert memory.size == 2


def waits(window):
    return any(label.isVisible() for label in window.findChildren(Label) if label.text() == LOCKED)


def test_the_window_says_that_it_waits_and_goes_on(journey, locked, tmp_path):
    def script(window):
        drop(window, save(tmp_path / "b.json", make_raw(id="b")))
        yield lambda: waits(window)
        assert user.scored_names(window) == []
        locked.execute("ROLLBACK")
        yield lambda: row_names(window) and user.all_scored(window)
        yield lambda: not waits(window)
        assert reads(window, "2 remembered")()

    assert journey([], script) == 0


def test_the_window_closes_while_it_waits(journey, locked, source):
    def script(window):
        yield lambda: waits(window)

    assert journey([], script) == 0


def damage(path):
    """Of a kind that scoring does not meet: an entry is another than when it was written."""
    with Memory.open(path) as memory:
        remember(memory, *"abcdef")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE entries SET objective = 'another' WHERE trace_id = 'c'")


def test_silent_damage_is_said_in_the_window(journey, data_dir, source):
    damage(data_dir / "memory.sqlite3")

    def script(window):
        yield reads(window, "memory.sqlite3 is damaged. Some of what it remembers may be missing.")
        drop(window, source)
        yield lambda: row_names(window) and user.all_scored(window)
        assert reads(window, "7 remembered")()

    assert journey([], script) == 0
    assert not list(data_dir.glob("*damaged*"))


def test_silent_damage_is_said_on_the_command_line(run, data_dir, source):
    assert run("score", source)[0] == 1
    damage(data_dir / "memory.sqlite3")
    status, _, err = run("score", source)
    assert status == 2 and "is damaged. Some of what it remembers may be missing." in err
    status, out, err = run("memory", "info")
    assert status == 2 and "entries   7" in out and "is damaged" in err
    assert run("memory", "clear", "--yes") == (0, "", "")
    status, _, err = run("score", source)
    assert (status, err) == (1, "")


BEGUN = "a new memory was begun with the traces of this run alone."


def drop_file(tmp_path):
    raws = [make_raw(id=f"kp:trace:{n}", task={"objective": f"text {n}"}) for n in range(4)]
    return save(tmp_path / "drop.jsonl", *raws)


def test_damage_in_the_middle_of_a_drop_on_the_command_line(run, data_dir, tmp_path, monkeypatch):
    """The third trace is compared with the two before it, and all four are remembered."""
    path = data_dir / "memory.sqlite3"
    with Memory.open(path) as memory:
        remember(memory, "old")

    def after(done, _total):
        if done == 2:
            zero_indexes(path)

    monkeypatch.setattr(measuring, "show_progress", after)
    status, out, err = run("score", drop_file(tmp_path), "--json")
    assert status == 2 and f"{path} is damaged." in err and BEGUN in err
    novelties = [one["dimensions"]["novelty"] for one in json.loads(out)["traces"]]
    assert [one["compared_with"] for one in novelties] == [0, 1, 2, 3]
    with Memory.open(path) as memory:
        assert order_of(memory) == [f"kp:trace:{n}" for n in range(4)]
    # harmed once more, two of them recalled by then
    again = json.loads(run("score", tmp_path / "drop.jsonl", "--json")[1])["traces"]
    novelties = [one["dimensions"]["novelty"] for one in again]
    assert [one["remembered"] for one in novelties] == [True, True, False, False]
    assert [one["compared_with"] for one in novelties] == [0, 1, 2, 3]


def test_damage_between_two_drops_in_the_window(journey, data_dir, source, tmp_path):
    def script(window):
        yield idle(window)
        zero_indexes(data_dir / "memory.sqlite3")
        drop(window, save(tmp_path / "later.json", make_raw(id="later")))
        yield reads(window, BEGUN)
        yield lambda: user.all_scored(window)
        assert reads(window, "2 remembered")()
        for name, compared in (("a", "nothing to compare with"), ("later", "with 1 entry")):
            user.go_to_row(window, name)
            assert compared in user.copied(window, Command.COPY_ANSWER)

    assert journey([source], script) == 0
