import os
import socket
import sys

import pytest

from kpinspector.trace.find import FoundFile, list_files
from kpinspector.trace.records import Problem, Skipped
from tests.known import of

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")


def make(folder, *names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{}")


def shown(*paths):
    return [item.shown for item in list_files(map(str, paths)) if isinstance(item, FoundFile)]


def test_paths_as_given_then_folders_in_code_point_order(tmp_path):
    make(
        tmp_path, "z.json", "in/b.json", "in/a/2", "in/a-1", "in/a/10", "in/a.json", "in/B", "in/ä"
    )
    relative = ["B", "a-1", "a.json", "a/10", "a/2", "b.json", "ä"]
    expected = [f"{tmp_path}/z.json", *(f"{tmp_path}/in/{name}" for name in relative)]
    assert shown(tmp_path / "z.json", tmp_path / "in") == expected


def test_shown_is_the_path_as_given_and_what_the_scan_added(tmp_path, monkeypatch):
    make(tmp_path, "in/sub/a.json")
    monkeypatch.chdir(tmp_path)
    assert shown("in/") == ["in/sub/a.json"]
    assert shown(".") == ["./in/sub/a.json"]
    assert shown("in/../in") == ["in/../in/sub/a.json"]
    found = of(FoundFile, *list_files(["in"]))
    assert found.path.read_text() == "{}"


def test_named_or_not(tmp_path):
    make(tmp_path, "a.json", "b.json")
    items = [of(FoundFile, one) for one in list_files([str(tmp_path), str(tmp_path / "b.json")])]
    assert [(item.path.name, item.named) for item in items] == [("a.json", False), ("b.json", True)]


def test_hidden_names_are_left_out_but_not_when_named(tmp_path):
    make(tmp_path, ".hidden/a.json", "in/.b.json", "in/.git/c.json", "in/d.json")
    assert shown(tmp_path / "in") == [f"{tmp_path}/in/d.json"]
    assert shown(tmp_path / ".hidden") == [f"{tmp_path}/.hidden/a.json"]


def test_the_description_of_a_recording_beside_it_is_no_file_of_its_own(tmp_path):
    make(tmp_path, "agent-1.jsonl", "agent-1.meta.json", "agent-2.meta.json")
    left = [f"{tmp_path}/agent-1.jsonl", f"{tmp_path}/agent-2.meta.json"]
    assert shown(tmp_path) == left
    assert shown(tmp_path / "agent-1.meta.json") == [f"{tmp_path}/agent-1.meta.json"]


@posix_only
def test_links_to_folders_are_not_followed_and_loops_end(tmp_path):
    make(tmp_path, "in/a.json", "out/b.json")
    (tmp_path / "in/loop").symlink_to(tmp_path / "in")
    (tmp_path / "in/out").symlink_to(tmp_path / "out")
    (tmp_path / "in/c.json").symlink_to(tmp_path / "out/b.json")
    (tmp_path / "link").symlink_to(tmp_path / "in")
    assert shown(tmp_path / "in") == [f"{tmp_path}/in/a.json", f"{tmp_path}/in/c.json"]
    assert shown(tmp_path / "link") == [f"{tmp_path}/link/a.json", f"{tmp_path}/link/c.json"]
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (problem,) = list_files([str(tmp_path / "self")])
    assert isinstance(problem, Problem)


@posix_only
def test_the_same_file_is_listed_once(tmp_path):
    make(tmp_path, "in/a.json")
    (tmp_path / "in/b.json").symlink_to(tmp_path / "in/a.json")
    given = [tmp_path / "in/b.json", tmp_path / "in", tmp_path / "in/a.json", tmp_path / "in/../in"]
    assert shown(*given) == [f"{tmp_path}/in/b.json"]


@pytest.mark.parametrize("path", ["", "no such file", "nul\0", "x" * 5000], ids=len)
def test_what_is_not_there_is_a_problem(path):
    (problem,) = list_files([path])
    assert isinstance(problem, Problem)
    assert problem.path == path
    assert problem.message.startswith("could not be opened: ")
    assert (problem.record, problem.line, problem.kind) == (None, None, "unreadable")


@posix_only
def test_a_problem_does_not_end_the_listing(tmp_path):
    make(tmp_path, "a.json", "z.json")
    (tmp_path / "m.json").symlink_to(tmp_path / "gone")
    first, second, third = list_files([str(tmp_path)])
    assert isinstance(first, FoundFile) and isinstance(third, FoundFile)
    assert isinstance(second, Problem) and second.path == f"{tmp_path}/m.json"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="a user without rights")
def test_a_folder_that_may_not_be_read(tmp_path):
    make(tmp_path, "a.json", "closed/b.json", "d.json")
    (tmp_path / "closed").chmod(0)
    items = list(list_files([str(tmp_path)]))
    (tmp_path / "closed").chmod(0o700)
    assert [type(item) for item in items] == [FoundFile, Problem, FoundFile]
    assert items[1].path == f"{tmp_path}/closed"


def test_a_folder_that_fails_to_be_read(tmp_path, monkeypatch):
    make(tmp_path, "a.json", "closed/b.json", "d.json")
    scan = os.scandir

    def refuse(path):
        if path.endswith("closed/"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    items = list(list_files([str(tmp_path)]))
    assert [type(item) for item in items] == [FoundFile, Problem, FoundFile]
    assert items[1].path == f"{tmp_path}/closed"
    assert of(Problem, items[1]).message == "could not be opened: Permission denied"


@posix_only
def test_pipes_sockets_and_devices(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        for name in ("pipe", "socket", "/dev/null"):
            (problem,) = list_files([name])
            assert isinstance(problem, Problem)
            assert problem.message.startswith("not a file or folder but a ")
        items = list(list_files(["."]))
    assert [of(Skipped, item).reason for item in items] == ["a pipe", "a socket"]


@posix_only
def test_names_that_are_no_unicode_can_be_shown_and_opened(tmp_path):
    (tmp_path / "in").mkdir()
    raw = os.fsencode(tmp_path) + b"/in/\xff.json"
    try:
        with open(raw, "w"):  # noqa: PTH123 (a name in bytes)
            pass
    except OSError:
        pytest.skip("this file system wants Unicode")
    for given in (str(tmp_path), os.fsdecode(raw)):
        found = of(FoundFile, *list_files([given]))
        assert found.shown == f"{tmp_path}/in/\ufffd.json"
        assert found.path.read_text() == ""
    (problem,) = list_files([os.fsdecode(raw) + "x"])
    assert problem.path == f"{tmp_path}/in/\ufffd.jsonx"


def test_it_is_lazy_and_can_be_stopped(tmp_path):
    make(tmp_path, "a", "b", "c")
    left = [2]

    class StopError(Exception):
        pass

    def check():
        if not left[0]:
            raise StopError
        left[0] -= 1

    with pytest.raises(StopError):
        list(list_files([str(tmp_path)], check))
    first = next(iter(list_files([str(tmp_path / "a"), "never looked at"])))
    assert isinstance(first, FoundFile)
