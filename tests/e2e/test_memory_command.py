"""Journeys through ``kpinspector memory``: list, forget, clear and info."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from kpinspector.__main__ import main
from kpinspector.cli import measuring
from tests.fakes import FakeEmbedder, make_raw

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run(capsysbinary):
    def run(*arguments):
        status = main(["memory", *map(str, arguments)])
        captured = capsysbinary.readouterr()
        return status, captured.out.decode(), captured.err.decode()

    return run


@pytest.fixture
def remembered(monkeypatch, tmp_path, data_dir, capsysbinary):
    """Two traces were scored."""
    embedder = FakeEmbedder()
    monkeypatch.setattr(measuring, "MiniLM", lambda: embedder)
    for name in ("one", "two"):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(make_raw(id=name, task={"objective": f"Do {name}"})), "utf-8")
        main(["score", str(path)])
    capsysbinary.readouterr()
    return data_dir / "memory.sqlite3"


def keys(run):
    return [entry["key"] for entry in json.loads(run("list", "--json")[1])["entries"]]


def test_what_is_scored_is_listed(run, remembered, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "500")  # temporary folders may have long names
    status, out, err = run("list")
    assert (status, err) == (0, "")
    first, second = out.splitlines()[1:3]
    assert first.endswith(f"one  Do one     {tmp_path / 'one.json'}") and "  two  " in second
    assert out.endswith("\n2 entries\n")
    assert keys(run) == ["one", "two"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of bytes that are no text")
def test_arguments_that_are_no_text_are_taken_as_well(run, tmp_path):
    no_text = os.fsdecode(b"\xff")
    status, out, _err = run("info", "--json", "--data-dir", tmp_path / no_text)
    assert status == 0 and json.loads(out)["path"] == str(tmp_path / "\ufffd/memory.sqlite3")
    status, _out, err = run("forget", no_text)
    assert (status, err) == (2, 'kpinspector: "\ufffd" is not remembered.\n')


def test_looking_makes_and_changes_nothing(run, data_dir):
    assert run("list") == (0, "no entries\n", "")
    assert run("info")[0] == 0 and run("forget", "x")[0] == 2 and run("clear", "--yes")[0] == 0
    assert not data_dir.exists()


def test_forgetting(run, remembered):
    assert run("forget", "one")[0] == 0
    assert keys(run) == ["two"]
    status, _, err = run("forget", "two", "\x1b[31mthree")
    assert status == 2 and "is not remembered" in err and "\x1b" not in err
    assert keys(run) == []


def test_info(run, remembered, data_dir):
    facts = json.loads(run("info", "--json")[1])
    assert (facts["entries"], facts["findings"]) == (2, 2)
    assert facts["bytes_on_disk"] >= remembered.stat().st_size > 0
    assert facts["path"] == str(remembered) and facts["embedder"]["state"] == "ready"
    assert facts["max_elements"] == 1000
    status, out, _ = run("info")
    assert status == 0 and "entries   2\n" in out


def test_the_folder_can_be_chosen_before_and_after(remembered, tmp_path, capsysbinary):
    assert main(["--data-dir", str(tmp_path / "other"), "memory", "list"]) == 0
    assert capsysbinary.readouterr().out == b"no entries\n"
    assert main(["memory", "list", "--data-dir", str(remembered.parent)]) == 0
    assert capsysbinary.readouterr().out.endswith(b"2 entries\n")


def test_clearing_needs_a_terminal_or_a_yes(run, remembered):
    status, _, err = run("clear")
    assert status == 2 and "--yes" in err and keys(run) == ["one", "two"]
    assert run("clear", "--yes") == (0, "", "")
    assert keys(run) == []


@pytest.mark.skipif(os.name != "posix", reason="terminals as POSIX has them")
@pytest.mark.parametrize(("answer", "status", "left"), [("y", 0, 0), ("no", 2, 2), ("", 2, 2)])
def test_clearing_asks_on_a_terminal(run, remembered, answer, status, left):
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
    assert len(keys(run)) == left


def test_a_memory_that_cannot_be_read_is_said(run, remembered):
    with closing(sqlite3.connect(remembered)) as memory:
        memory.execute("PRAGMA user_version = 99")
    for arguments in (("list",), ("info",), ("forget", "one"), ("clear", "--yes")):
        status, _, err = run(*arguments)
        assert status == 2 and "newer kpinspector" in err
    with closing(sqlite3.connect(remembered)) as memory:
        memory.execute("PRAGMA user_version = 1")
    assert keys(run) == ["one", "two"]


@pytest.mark.parametrize("arguments", [[], ["forget"], ["list", "x"], ["clear", "--json"]])
def test_bad_usage(arguments):
    with pytest.raises(SystemExit) as left:
        main(["memory", *arguments])
    assert left.value.code == 2


def test_it_loads_no_qt_and_no_model(tmp_path):
    code = (
        "import sys; from kpinspector.__main__ import main\n"
        "assert main(['memory', 'info']) == 0\n"
        "heavy = ('PySide6', 'shiboken6', 'onnxruntime', 'tokenizers')\n"
        "assert not [one for one in sys.modules if one.startswith(heavy)]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True)
