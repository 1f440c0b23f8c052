"""Files that have no bytes now and more later, as a kernel's log: said, and the rest goes on."""

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from kpinspector.cli import measuring
from kpinspector.runs.follow import Followers
from kpinspector.settings import load_settings
from kpinspector.trace.find import FoundFile
from tests import user
from tests.fakes import FakeEmbedder, high_raw, save
from tests.sessions import write_session
from tests.user import reads

ROOT = Path(__file__).parents[2]
REASON = os.strerror(errno.EAGAIN)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX alone reads without waiting")


@pytest.fixture
def never_ready(monkeypatch):
    """Make a file one that gives what stands in it, and then says that more is yet to come."""
    paths, writers, readers = set(), [], set()
    open_low, stat_low = os.open, os.fstat

    def opened(path, flags, *rest, **named):
        if str(path) not in paths or not flags & os.O_NONBLOCK:
            return open_low(path, flags, *rest, **named)
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        os.write(writer, Path(path).read_bytes())
        writers.append(writer)
        readers.add(reader)
        return reader

    def status(descriptor):
        found = stat_low(descriptor)
        is_ours = descriptor in readers and stat.S_ISFIFO(found.st_mode)
        return os.stat_result((0o100644, *found[1:])) if is_ours else found

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(os, "fstat", status)
    yield lambda path: paths.add(str(path))
    for writer in writers:
        os.close(writer)


@pytest.fixture
def folder(tmp_path, never_ready, monkeypatch):
    """A sound trace, and four files that are never ready."""
    monkeypatch.setattr(measuring, "MiniLM", FakeEmbedder)
    folder = tmp_path / "traces"
    folder.mkdir()
    save(folder / "sound.json", high_raw("kp:trace:sound"))
    cut = [
        save(folder / "whole.json", high_raw("kp:trace:whole")),
        save(folder / "lines.jsonl", high_raw("kp:trace:1"), high_raw("kp:trace:2")),
        write_session(folder, 1),
        folder / "empty.json",
    ]
    cut[-1].touch()
    for path in cut:
        never_ready(path)
    return folder


@pytest.mark.parametrize("command", ["score", "explain", "plan", "summary", "sharing"])
def test_the_other_files_are_read(command, folder, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "500")
    captured = run(command, folder, status=2)
    said = captured.out + captured.err
    assert said.count(f"could not be opened: {REASON}") == 4
    assert "sound" in captured.out or command == "summary"
    assert "Traceback" not in said


def test_the_other_files_are_converted(folder, run):
    write_session(folder, 2)
    stated = ["--confidence", "1", "--success", "yes"]
    captured = run("convert", folder, "-o", "-", *stated, status=2)
    assert captured.err.count(REASON) == 4 and captured.out.count("\n") == 1


def test_each_command_that_names_one_says_so(folder, run):
    busy, sound = str(folder / "lines.jsonl"), str(folder / "sound.json")
    for command in (["compare", sound, busy], ["compare", busy, sound], ["replay", busy]):
        assert REASON in run(*command, status=2).err


def test_the_window_shows_the_problems_and_the_rest(folder):
    window = yield from user.opened(folder)
    yield lambda: len(user.row_names(window)) == 5
    yield lambda: user.scored_names(window) == ["sound"]
    user.go_to_row(window, "empty")
    yield reads(window, REASON)


def test_a_recording_that_stops_answering_while_it_is_followed_is_a_problem(tmp_path, never_ready):
    path = write_session(tmp_path, 1)
    followers, found = Followers(), FoundFile(path, str(path), named=True)
    assert followers.read(found, grows=True).traces
    never_ready(path)
    contents = followers.read(found, grows=True)
    assert not contents.traces and contents.problems[0].found == REASON


def test_settings_that_cannot_be_read_now_are_said(tmp_path, never_ready):
    (tmp_path / "settings.json").write_text('{"threshold": 0.5', encoding="utf-8")
    never_ready(tmp_path / "settings.json")
    _settings, notice = load_settings(tmp_path)
    assert notice is not None and REASON in notice


@pytest.mark.slow
@pytest.mark.parametrize("begins", ["", "whole", "lines"])
def test_standard_input_that_does_not_wait(begins, tmp_path):
    sound = save(tmp_path / "sound.json", high_raw("kp:trace:sound"))
    given = {"": b"", "whole": json.dumps(high_raw("kp:trace:in")).encode()}
    given["lines"] = given["whole"] + b"\n"
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.write(writer, given[begins])
    command = [sys.executable, "-m", "kpinspector", "score", "-", sound, "--json", "--fresh"]
    done = subprocess.run(
        [*map(str, command)], stdin=reader, cwd=ROOT, capture_output=True, timeout=120, check=False
    )
    os.close(writer)
    os.close(reader)
    answer = json.loads(done.stdout)
    (problem,) = answer["problems"]
    assert done.returncode == 2 and done.stderr == b""
    assert problem["path"] == "-" and problem["found"] == REASON
    assert [one["id"] for one in answer["traces"]] == ["kp:trace:sound"]
