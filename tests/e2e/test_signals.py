"""The window as a process of its own, ended from outside: what it was like is kept."""

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.fakes import make_raw, save

pytestmark = pytest.mark.slow


@pytest.fixture
def window(data_dir, qtbot):
    """Start the program on paths; gives the process when its state tells that they are open."""
    started = []

    def start(*paths, folder=data_dir):
        command = [sys.executable, "-m", "kpinspector", *map(str, paths)]
        environment = os.environ | {"KPINSPECTOR_DATA_DIR": str(folder)}
        process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
        started.append(process)
        wanted = [str(path) for path in paths]
        qtbot.waitUntil(lambda: kept(folder).get("open_paths") == wanted, timeout=60_000)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def kept(folder):
    try:
        return json.loads((folder / "state.json").read_bytes())
    except FileNotFoundError:
        return {}


def recent(folder):
    return [one["path"] for one in kept(folder)["recent"]]


def test_what_is_killed_has_kept_what_was_open(window, tmp_path, data_dir, qtbot):
    path = save(tmp_path / "a.json", make_raw())
    process = window(path)
    qtbot.waitUntil(lambda: kept(data_dir)["current"] is not None, timeout=60_000)
    process.kill()
    process.communicate(timeout=60)
    state = kept(data_dir)
    assert state["open_paths"] == [str(path)] and recent(data_dir) == [str(path)]
    assert state["current"] == [str(path), 0] and state["geometry"]
    assert [one.name for one in data_dir.iterdir() if one.name.startswith(".")] == []


@pytest.mark.usefixtures("signals_heard")
def test_two_windows_keep_the_recent_paths_of_one_another(window, tmp_path, data_dir, qtbot):
    paths = [save(tmp_path / f"{name}.json", make_raw(id=name)) for name in "ab"]
    first, second = window(paths[0]), window(paths[1])
    assert set(recent(data_dir)) == set(map(str, paths))
    for process in (first, second):
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 128 + signal.SIGTERM and said == b""
    assert set(recent(data_dir)) == set(map(str, paths))
