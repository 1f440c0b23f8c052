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

from kpinspector.cli import measuring
from kpinspector.scoring.memory.memory import Memory
from kpinspector.settings import Mode
from kpinspector.ui.actions.table import Command
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
    there = path.with_name(f"pipe for {path.name}")
    pipe(there)
    path.symlink_to(there.name)


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


@pytest.fixture
def source(tmp_path):
    return save(tmp_path / "a.json", make_raw())


@pytest.fixture
def run(monkeypatch, run):
    """A command, with a fake model that all runs share."""
    embedder = FakeEmbedder()
    monkeypatch.setattr(measuring, "MiniLM", lambda: embedder)
    return run


@made_here
def test_everything_in_the_folder_is_for_its_owner_alone(run, data_dir, source, monkeypatch):
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
        window = yield user.Main()
        drop(window, source)
        yield lambda: row_names(window)
        yield (data_dir / "state.json").exists
        user.trigger(window, Command.ZOOM_IN)
        yield lambda: "state.json" in modes
        user.trigger(window, Command.OPEN)
        yield lambda: any(one.isVisible() for one in window.findChildren(QFileDialog))
        window.findChild(QFileDialog).reject()
        yield lambda: window.findChild(QFileDialog) is None
        yield user.CLOSED
        look(data_dir / "nothing", data_dir / "nothing")
    finally:
        os.umask(umask)
    expected = {"state.json.lock", "memory.sqlite3-wal", "memory.sqlite3", "QtProject.conf"}
    assert expected <= modes.keys()
    assert {name for name, found in modes.items() if found != {0o600}} == set()
    assert data_dir.stat().st_mode & 0o777 == 0o700


@made_here
@each_kind
def test_the_window_says_what_is_no_file(data_dir, source, capfd, make):
    data_dir.mkdir()
    names = ("settings.json", "state.json", "memory.sqlite3")
    for name in names:
        make(data_dir / name)

    def said(window, name):
        return any(str(data_dir / name) in one for one in user.messages(window))

    window = yield user.Main()
    yield lambda: all(said(window, name) for name in names)
    drop(window, source)
    yield lambda: row_names(window)
    yield idle(window)
    yield lambda: user.all_scored(window)
    yield user.CLOSED
    assert ("could not be written" in capfd.readouterr().err) is (make is not huge)


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
    with Memory(Mode.REMEMBER, data_dir / "memory.sqlite3") as memory:
        assert memory.size == 2


def waits(window):
    return any(label.isVisible() for label in window.findChildren(Label) if label.text() == LOCKED)


def test_the_window_says_that_it_waits_and_goes_on(locked, tmp_path):
    window = yield user.Main()
    drop(window, save(tmp_path / "b.json", make_raw(id="b")))
    yield lambda: waits(window)
    assert user.scored_names(window) == []
    locked.execute("ROLLBACK")
    yield lambda: row_names(window) and user.all_scored(window)
    yield lambda: not waits(window)
    assert reads(window, "2 remembered")()


def test_the_window_closes_while_it_waits(locked, source):
    window = yield user.Main()
    yield lambda: waits(window)


def test_damage_is_said_in_the_window_before_anything_is_scored(data_dir, source):
    path = data_dir / "memory.sqlite3"
    with Memory(Mode.REMEMBER, path) as memory:
        remember(memory, *"abcdef")
    zero_indexes(path)
    window = yield user.Main()
    yield reads(window, "a new memory was begun.")
    drop(window, source)
    yield lambda: row_names(window) and user.all_scored(window)
    assert reads(window, "1 remembered")()
    yield user.CLOSED
    assert len(list(data_dir.glob("*damaged*"))) == 1


def test_damage_is_said_on_the_command_line(run, data_dir, source):
    """Once: the damaged file is set aside."""
    run("score", source)
    zero_indexes(data_dir / "memory.sqlite3")
    status, out, err = run("memory", "info")
    assert status == 2 and out and "is damaged" in err
    status, _, err = run("score", source)
    assert status == 2 and "is damaged. It was set aside as" in err
    assert run("score", source)[::2] == (1, "")


def test_damage_in_the_middle_of_a_drop(run, data_dir, tmp_path, monkeypatch):
    """It goes on with a new memory, which the third trace begins."""
    path = data_dir / "memory.sqlite3"
    with Memory(Mode.REMEMBER, path) as memory:
        remember(memory, "old")

    def after(done, _total):
        if done == 2:
            zero_indexes(path)

    monkeypatch.setattr("kpinspector.cli.streams.show_progress", after)
    raws = [make_raw(id=f"kp:trace:{n}", task={"objective": f"text {n}"}) for n in range(4)]
    status, out, err = run("score", save(tmp_path / "drop.jsonl", *raws), "--json")
    assert status == 2 and f"{path} is damaged." in err and "a new memory was begun." in err
    novelties = [one["dimensions"]["novelty"] for one in json.loads(out)["traces"]]
    assert [one["compared_with"] for one in novelties] == [0, 1, 0, 1]
    with Memory(Mode.REMEMBER, path) as memory:
        assert order_of(memory) == ["kp:trace:2", "kp:trace:3"]
