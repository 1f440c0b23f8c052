"""A memory that cannot be used: traces are scored all the same, it is said, and the status is 2."""

import errno
import os
import sys

import pytest

from kpinspector.__main__ import main
from tests.fakes import high_raw, save


def no_folder(place):
    (place / "file").write_text("", encoding="utf-8")
    return place / "file"


def below_a_file(place):
    return no_folder(place) / "below"


def a_folder_for_a_file(place):
    (place / "data" / "memory.sqlite3").mkdir(parents=True)
    return place / "data"


def a_folder_in_a_circle(place):
    (place / "data").symlink_to(place / "data")
    return place / "data"


def a_link_to_nowhere(place):
    (place / "data").symlink_to(place / "gone")
    return place / "data"


UNUSABLE = (no_folder, below_a_file, a_folder_for_a_file, a_folder_in_a_circle, a_link_to_nowhere)


@pytest.mark.parametrize("make", UNUSABLE)
@pytest.mark.parametrize("command", ["score", "explain", "compare"])
def test_a_memory_that_cannot_be_used_is_a_problem_wherever_it_lies(
    command, make, fake, tmp_path, run
):
    source = save(tmp_path / "1.json", high_raw())
    traces = [source] * (2 if command == "compare" else 1)
    folder = make(tmp_path)
    _, out, err = run(command, *traces, "--data-dir", folder, status=2)
    assert "ccepted" in out and "empty memory, and nothing will be remembered" in err
    assert main([command, *map(str, traces), "--data-dir", str(folder), "--fresh"]) == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="where no folder can be made")
def test_a_folder_that_cannot_be_made_is_no_memory(fake, tmp_path, run):
    source = str(save(tmp_path / "1.json", high_raw()))
    _, out, err = run("score", source, "--data-dir", "/proc/kpinspector", status=2)
    assert "1 accepted" in out and "it has no folder, and none can be made" in err
    # a guest writes nothing, so it needs no folder
    assert main(["score", source, "--data-dir", "/proc/kpinspector", "--guest"]) == 0


@pytest.mark.parametrize("name", ["data", "memory.sqlite3"])
def test_where_a_full_disk_has_no_room_for_a_memory_the_verdict_is_the_status(
    name, fake, tmp_path, run, monkeypatch
):
    source = str(save(tmp_path / "1.json", high_raw()))

    def full(make):
        def made(path, *rest, **named):
            if os.fspath(path).endswith(name):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
            return make(path, *rest, **named)

        return made

    monkeypatch.setattr(os, "open", full(os.open))
    monkeypatch.setattr(os, "mkdir", full(os.mkdir))
    said = run("score", source, "--data-dir", tmp_path / "data", status=0).err
    assert "is full. Scoring goes on with an empty memory, and nothing will be" in said


@pytest.mark.parametrize("make", [no_folder, below_a_file, a_folder_for_a_file])
def test_guests_and_the_memory_commands_say_so_too(make, fake, tmp_path, run):
    source = str(save(tmp_path / "1.json", high_raw()))
    option = ("--data-dir", str(make(tmp_path)))
    for words in (("score", source, "--guest"), ("memory", "list"), ("memory", "info"),
                  ("memory", "clear", "--yes"), ("memory", "forget", "x")):  # fmt: skip
        assert "empty memory" in run(*words, *option, status=2).err, words


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_memory_that_can_only_be_read_answers(score, fake, tmp_path, data_dir):
    source = save(tmp_path / "1.json", high_raw())
    assert score(source)[0] == 0
    for path in (*data_dir.iterdir(), data_dir):
        path.chmod(path.stat().st_mode & ~0o222)
    status, _out, err = score(source)
    data_dir.chmod(0o700)
    assert status == 0 and "What it knows still answers" in err


def test_help_says_which_memory_leaves_the_status_to_the_verdicts(run):
    said = run("score", "--help", status=0).words
    assert "can only be read, or whose disk is full, leaves the status to the verdicts" in said
