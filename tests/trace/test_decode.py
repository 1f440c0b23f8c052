"""Bytes become text: compressed, cut off, too many, and none that are JSON."""

import gzip
import json
import os

import pytest

from kpinspector.runs import read as runs_read
from kpinspector.runs.read import read_file
from kpinspector.trace import bytes as decode
from kpinspector.trace import read
from kpinspector.trace.find import FoundFile
from kpinspector.trace.records import ProblemKind
from tests.trace.samples import CODINGS, SHOWN, lines, only_problem, raws, read_it, records, trace


def test_gzip_that_is_cut_off_keeps_what_came_before():
    several = [trace(number, pad=os.urandom(300).hex()) for number in range(50)]
    data = gzip.compress(lines(several).encode())
    contents = read_it(data[: len(data) // 2])
    assert 5 < len(contents.traces) < 45
    problem = only_problem(contents)
    assert problem.line == len(contents.traces) + 1
    assert problem.found == "the end of truncated gzip data"


@pytest.mark.parametrize("data", [b"\x1f\x8b", gzip.compress(b"{}", mtime=0)[:11]])
def test_gzip_that_is_cut_off_at_once_is_no_empty_file(data):
    assert only_problem(read_it(data)).found == "the end of truncated gzip data"


def test_gzip_without_its_end_is_a_problem_though_the_text_is_whole():
    text = lines([trace(1), trace(2)])
    contents = read_it(gzip.compress(text.encode())[:-4])
    assert records(contents) == [1, 2]
    assert (only_problem(contents).line, only_problem(contents).column) == (3, 1)


def test_bytes_behind_gzip_are_a_problem():
    contents = read_it(gzip.compress(json.dumps(trace()).encode()) + b"junk")
    assert len(contents.traces) == 1
    assert only_problem(contents).found == "bytes behind the gzip data"
    padded = read_it(gzip.compress(json.dumps(trace()).encode()) + bytes(500))
    assert padded.problems == ()


@pytest.mark.parametrize("at", [2, 40, -6], ids=["method", "data", "checksum"])
def test_damaged_gzip_is_refused(at):
    data = bytearray(gzip.compress(json.dumps(trace()).encode()))
    data[at] ^= 0xFF
    contents = read_it(bytes(data))
    assert contents.traces == ()
    assert only_problem(contents).message.startswith("damaged gzip data: found an error in it")


def test_a_bomb_is_refused_before_it_is_unpacked(monkeypatch):
    monkeypatch.setattr(decode, "MAX_BYTES", 3 * 2**20)
    bomb = gzip.compress(b"[" + b" " * 40 * 2**20 + b"]")
    assert len(bomb) < 2**20
    taken = []
    read1 = gzip.GzipFile.read1
    monkeypatch.setattr(
        gzip.GzipFile, "read1", lambda *args: taken.append(piece := read1(*args)) or piece
    )
    problem = only_problem(read_it(bomb))
    assert (problem.expected, problem.found) == ("at most 3 MiB", "more")
    assert sum(map(len, taken)) <= 4 * 2**20
    assert max(map(len, taken)) == 2**20  # piece by piece, and none of them small


def test_as_much_as_may_be_is_read_and_a_byte_more_is_refused(monkeypatch):
    monkeypatch.setattr(decode, "MAX_BYTES", 2**20)
    text = json.dumps(trace()).encode()
    full = text + b" " * (2**20 - len(text))
    for data in (full, gzip.compress(full)):
        assert raws(read_it(data)) == [trace()]
    for data in (full + b" ", gzip.compress(full + b" ")):
        assert only_problem(read_it(data)).found == "more"


def test_files_over_the_limit_are_refused(tmp_path, monkeypatch):
    limit = 3 * 2**20
    monkeypatch.setattr(decode, "MAX_BYTES", limit)
    monkeypatch.setattr(read, "MAX_BYTES", limit)
    path = tmp_path / "big.json"
    path.write_text(json.dumps(trace(pad="x" * limit)))
    for named in (True, False):
        problem = only_problem(read_file(FoundFile(path, SHOWN, named)))
        assert problem.message.startswith("larger than ")
    assert only_problem(read_it(path.read_bytes())).found == "more"
    path.write_text("no JSON" * limit)
    assert not read_file(FoundFile(path, SHOWN, named=False)).problems


@pytest.mark.parametrize(
    "data",
    [b"", b" \n", b"hello", b"\xff\xfeh\0", b'"{"', gzip.compress(b"tar" * 9, mtime=0), b"\0" * 9],
)
def test_what_is_no_json_is_a_problem(data):
    problem = only_problem(read_it(data))
    assert (problem.kind, problem.expected) == (ProblemKind.UNREADABLE, '"{" or "["')
    assert problem.line is not None and problem.column is not None


def test_a_scan_does_not_read_on_in_what_is_no_json(tmp_path, monkeypatch):
    path = tmp_path / "film"
    path.write_bytes(b"\x00" * 5 * 2**20)
    seen = []
    monkeypatch.setattr(runs_read, "read_bytes", lambda data, *_, **__: seen.append(len(data)))
    read_file(FoundFile(path, SHOWN, named=False))
    assert seen == [2**20]


@pytest.mark.parametrize("coding", CODINGS)
def test_a_scan_knows_json_in_all_codings(tmp_path, coding):
    path = tmp_path / "x"
    path.write_bytes(CODINGS[coding]("\n\n " + json.dumps(trace())))
    assert raws(read_file(FoundFile(path, SHOWN, named=False))) == [trace()]


@pytest.mark.parametrize("size", [10, 2**21])
def test_a_scan_looks_behind_white_space(tmp_path, size):
    path = tmp_path / "x"
    blank = b" \n" * (size // 2)
    text = json.dumps(trace()).encode()
    for data in (
        blank + text,
        gzip.compress(blank + text, mtime=0),
        gzip.compress(blank, mtime=0) + gzip.compress(text, mtime=0),
    ):
        path.write_bytes(data)
        assert raws(read_file(FoundFile(path, SHOWN, named=False))) == [trace()]
