"""Files are written whole or not at all, and only files are replaced."""

import os
import sys
import threading
from pathlib import Path

import pytest

from kpinspector.errors import WriteError
from kpinspector.files import write_atomic, write_own

POSIX = pytest.mark.skipif(os.name != "posix", reason="pipes and links as POSIX has them")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_and_replaced(tmp_path):
    path = tmp_path / "a.json"
    write_atomic(path, b"one")
    write_atomic(path, b"two")
    assert path.read_bytes() == b"two" and names(tmp_path) == ["a.json"]


@POSIX
def test_a_replaced_file_keeps_its_mode_and_a_link_stays_one(tmp_path):
    path, link = tmp_path / "a.json", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_atomic(link, b"new")
    assert link.is_symlink() and path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640


@POSIX
def test_a_new_file_has_the_mode_that_the_system_gives(tmp_path):
    before = os.umask(0o027)
    try:
        write_atomic(tmp_path / "a.json", b"")
    finally:
        os.umask(before)
    assert (tmp_path / "a.json").stat().st_mode & 0o777 == 0o640


@POSIX
@pytest.mark.parametrize("before", [None, 0o644])
def test_a_file_of_our_own_is_for_its_owner_alone(tmp_path, before):
    path = tmp_path / "a.json"
    if before is not None:
        path.touch(before)
    old = os.umask(0o022)
    try:
        write_own(path, b"one")
    finally:
        os.umask(old)
    assert path.read_bytes() == b"one" and path.stat().st_mode & 0o777 == 0o600


@POSIX
def test_the_longest_name_that_a_file_may_have_can_be_written(tmp_path):
    path = tmp_path / ("😀" * 62 + ".json")
    write_atomic(path, b"x")
    assert path.read_bytes() == b"x"


@pytest.mark.parametrize("kind", ["folder", "no folder", "loop"])
def test_what_cannot_be_written_is_said_and_leaves_nothing(tmp_path, kind):
    path = tmp_path / "there"
    match kind:
        case "folder":
            path.mkdir()
        case "no folder":
            path = path / "a.json"
        case _:
            path.symlink_to(path)
    before = names(tmp_path)
    with pytest.raises(WriteError, match="could not be written"):
        write_atomic(path, b"x")
    assert names(tmp_path) == before


@POSIX
def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_atomic(pipe, b"report")
    reader.join()
    assert read == [b"report"] and pipe.is_fifo() and names(tmp_path) == ["pipe"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a device that is always full")
def test_a_device_that_takes_nothing_is_said():
    with pytest.raises(WriteError, match="No space left"):
        write_atomic(Path("/dev/full"), b"x" * 100_000)


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    path.write_bytes(b"old")

    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old" and names(tmp_path) == ["a.json"]
