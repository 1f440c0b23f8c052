"""Recordings recognised by the beginnings of their files alone."""

import os
from pathlib import Path

from kpinspector.runs.recording import recognise, unread_run
from kpinspector.runs.texts import head_of
from kpinspector.trace.bytes import decode
from kpinspector.trace.find import FoundFile, list_files
from kpinspector.words.problems import unscored
from tests.sessions import session, write_session, write_trace


def found(path):
    return FoundFile(path, str(path), named=False)


def test_a_session_is_recognised_and_says_when_it_changed(tmp_path):
    run = unread_run(found(write_session(tmp_path, 1, long=True)))
    assert run is not None and run.format == "claude-code"
    assert run.modified == Path(run.path).stat().st_mtime_ns
    assert unscored(run)[1] == "Not read"


def test_all_else_is_left_to_reading(tmp_path):
    paths = [write_trace(tmp_path, "trace"), tmp_path / "gone.jsonl", tmp_path]
    for name, data in {
        "empty": b"",
        "text": b"Pumps",
        "packed.gz": b"\x1f\x8b\x08",
        "zip": b"PK\x03\x04",
        "cut": session(1).encode()[:40],
        "meta": b'{"agentType": "reviewer", "toolUseId": "t1"}',
    }.items():
        paths.append(tmp_path / name)
        paths[-1].write_bytes(data)
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    assert [unread_run(found(path)) for path in (*paths, fifo)] == [None] * 10


def test_a_part_of_the_beginning_shows_what_the_whole_shows(reference):
    formats = set()
    for one in list_files([str(reference / "runs")]):
        assert isinstance(one, FoundFile)
        whole = recognise(head_of(decode(one.path.read_bytes()).data))
        brief = unread_run(one)
        if brief is None:  # it holds no run, or is none
            assert not isinstance(whole, str) or one.path.stat().st_size < 2**12, one.path
        else:
            assert brief.format is whole, one.path
            formats.add(brief.format)
    assert len(formats) >= 9
