"""Journeys through ``kpinspector memory``: list, forget, clear and info."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from kpinspector.cli import measuring
from tests.fakes import FakeEmbedder, make_raw

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def memory(run):
    return partial(run, "memory")


@pytest.fixture
def remembered(monkeypatch, tmp_path, data_dir, run):
    """Two traces were scored."""
    embedder = FakeEmbedder()
    monkeypatch.setattr(measuring, "MiniLM", lambda: embedder)
    for name in ("one", "two"):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(make_raw(id=name, task={"objective": f"Do {name}"})), "utf-8")
        run("score", path)
    return data_dir / "memory.sqlite3"


def keys(memory):
    return [entry["key"] for entry in memory("list", "--json").json["entries"]]


def test_what_is_scored_is_listed(memory, remembered, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "500")  # temporary folders may have long names
    status, out, err = memory("list")
    assert (status, err) == (0, "")
    first, second = out.splitlines()[1:3]
    assert first.endswith(f"one  Do one     {tmp_path / 'one.json'}") and "  two  " in second
    assert out.endswith("\n2 entries\n")
    assert keys(memory) == ["one", "two"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of bytes that are no text")
def test_arguments_that_are_no_text_are_taken_as_well(memory, tmp_path):
    no_text = os.fsdecode(b"\xff")
    status, out, _err = memory("info", "--json", "--data-dir", tmp_path / no_text)
    assert status == 0 and json.loads(out)["path"] == str(tmp_path / "\ufffd/memory.sqlite3")
    status, _out, err = memory("forget", no_text)
    assert (status, err) == (2, 'kpinspector: "\ufffd" is not remembered.\n')


def test_looking_makes_and_changes_nothing(memory, data_dir):
    assert memory("list") == (0, "no entries\n", "")
    assert [memory(*one.split()).status for one in ("info", "forget x", "clear --yes")] == [0, 2, 0]
    assert not data_dir.exists()


def test_forgetting(memory, remembered):
    assert memory("forget", "one")[0] == 0
    assert keys(memory) == ["two"]
    status, _, err = memory("forget", "two", "\x1b[31mthree")
    assert status == 2 and "is not remembered" in err and "\x1b" not in err
    assert keys(memory) == []


def test_info(memory, remembered, data_dir):
    facts = memory("info", "--json").json
    assert (facts["entries"], facts["findings"]) == (2, 2)
    assert facts["bytes_on_disk"] >= remembered.stat().st_size > 0
    assert facts["path"] == str(remembered) and facts["embedder"]["state"] == "ready"
    assert facts["max_elements"] == 1000
    status, out, _ = memory("info")
    assert status == 0 and "entries   2\n" in out


def test_the_folder_can_be_chosen_before_and_after(remembered, tmp_path, run):
    assert run("--data-dir", tmp_path / "other", "memory", "list", status=0).out == "no entries\n"
    heard = run("memory", "list", "--data-dir", remembered.parent, status=0)
    assert heard.out.endswith("2 entries\n")


def test_clearing_needs_a_terminal_or_a_yes(memory, remembered):
    status, _, err = memory("clear")
    assert status == 2 and "--yes" in err and keys(memory) == ["one", "two"]
    assert memory("clear", "--yes") == (0, "", "")
    assert keys(memory) == []


@pytest.mark.skipif(os.name != "posix", reason="terminals as POSIX has them")
@pytest.mark.parametrize(("answer", "status", "left"), [("y", 0, 0), ("no", 2, 2), ("", 2, 2)])
def test_clearing_asks_on_a_terminal(memory, remembered, answer, status, left):
    ours, theirs = pytest.importorskip("pty").openpty()
    command = [sys.executable, "-m", "kpinspector", "memory", "clear"]
    with os.fdopen(ours, "r+b", buffering=0) as terminal:
        with subprocess.Popen(command, cwd=ROOT, stdin=theirs, stderr=theirs) as process:
            os.close(theirs)
            said = b""
            while not said.endswith(b"[y/N] "):
                said += terminal.read(1)
            terminal.write(answer.encode() + b"\n")
            assert process.wait(timeout=60) == status
        assert b"Forget 2 entries and all that was found with them?" in said
    assert len(keys(memory)) == left


def test_a_memory_that_cannot_be_read_is_said(memory, remembered):
    with closing(sqlite3.connect(remembered)) as file:
        file.execute("PRAGMA user_version = 99")
    for arguments in (("list",), ("info",), ("forget", "one"), ("clear", "--yes")):
        status, _, err = memory(*arguments)
        assert status == 2 and "newer kpinspector" in err
    with closing(sqlite3.connect(remembered)) as file:
        file.execute("PRAGMA user_version = 1")
    assert keys(memory) == ["one", "two"]


@pytest.mark.parametrize("arguments", [[], ["forget"], ["list", "x"], ["clear", "--json"]])
def test_bad_usage(arguments, memory):
    memory(*arguments, status=2)


def test_it_loads_no_qt_and_no_model():
    code = (
        "import sys; from kpinspector.__main__ import main\n"
        "assert main(['memory', 'info']) == 0\n"
        "heavy = ('PySide6', 'shiboken6', 'onnxruntime', 'tokenizers')\n"
        "assert not [one for one in sys.modules if one.startswith(heavy)]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True)
