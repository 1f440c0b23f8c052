"""Zips: sound ones, damaged ones, and such as are made to harm."""

import io
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.runs import archive
from kpinspector.runs.archive import DamagedError, names_in, recorded, unpacked
from kpinspector.runs.read import read_bytes, read_file
from kpinspector.runs.run import Chunk, Record
from kpinspector.runs.texts import Unfinished, records_of
from kpinspector.trace.find import FoundFile
from kpinspector.trace.records import Problem
from tests.runs.zips import DEFLATED, STORED, ZSTD, member, packed, zipped, zstd

_METHODS = (STORED, DEFLATED, ZSTD)


def _members(data: bytes) -> dict[str, bytes | str]:
    return {
        name: str(found) if isinstance(found, DamagedError) else found
        for name, found in unpacked(data, lambda _: True)
    }


def _only(data: bytes) -> bytes | str:
    (found,) = _members(data).values()
    return found


@pytest.mark.parametrize("method", _METHODS)
def test_members_are_unpacked_whatever_their_method(method):
    data = zipped(member("a.json", b"[1]" * 1000, method), member("b", b"", method))
    assert names_in(io.BytesIO(data)) == ("a.json", "b")
    assert _members(data) == {"a.json": b"[1]" * 1000, "b": b""}
    assert recorded(data, Chunk(1, 1, 2, "a.json")) == b"1"


def test_bytes_of_a_file_that_is_no_zip():
    assert recorded(b"abc", Chunk(1, 1, 2)) == b"b"


def test_data_of_several_frames_is_one_member():
    frames = packed(b"one ", ZSTD) + packed(b"two", ZSTD)
    assert _only(zipped(member("a", b"one two", ZSTD, data=frames))) == b"one two"


def test_of_two_members_with_one_name_the_last_counts():
    data = zipped(member("a", b"old"), member("b", b"other"), member("a", b"new"))
    assert _members(data) == {"a": b"new", "b": b"other"}


@pytest.mark.parametrize("method", _METHODS)
@pytest.mark.parametrize(("length", "size"), [(10_000, 10), (10, 10_000)], ids=["more", "less"])
def test_a_member_with_more_or_less_than_it_says_is_damaged(method, length, size):
    data = zipped(member("a", b"x" * length, method, size=size))
    assert _only(data) == "another size than the directory says"


@pytest.mark.parametrize("method", _METHODS)
def test_a_bomb_is_not_unpacked(method, monkeypatch):
    monkeypatch.setattr(archive, "MAX_BYTES", 2**20)
    bomb = member("bomb", bytes(2**22), method)
    assert _members(zipped(bomb, member("a", b"1"))) == {
        "bomb": "more than 1 MiB when it is unpacked",
        "a": b"1",
    }


def test_members_are_no_more_together_than_a_file_may_be(monkeypatch):
    monkeypatch.setattr(archive, "MAX_BYTES", 2**20)
    half = 2**19
    data = zipped(*(member(name, bytes(half)) for name in ("a", "b", "c")))
    assert [type(found) for found in _members(data).values()] == [bytes, bytes, str]


def test_a_member_that_says_little_is_unpacked_little(monkeypatch):
    """What a piece unpacks to has no bound of its own: 64 MiB of zeros are a few KiB."""
    asked = []
    real = zstd.ZstdDecompressor

    class Watched:
        def __init__(self):
            self._real = real()

        def decompress(self, data, max_length):
            asked.append(max_length)
            return self._real.decompress(data, max_length)

        @property
        def eof(self):
            return self._real.eof

    monkeypatch.setattr(archive, "ZstdDecompressor", Watched)
    data = zipped(member("a", bytes(2**26), ZSTD, size=5))
    assert _only(data) == "another size than the directory says"
    assert asked == [6]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"crc": 1}, "other data than the directory's check sum says"),
        ({"flags": 1}, "encrypted data"),
        ({"method": 97}, "compression method 97, which is not read"),
        ({"offset": 3}, "no member where the directory says"),
        ({"offset": 2**31}, "no member where the directory says"),
        ({"packed": 2}, "another size than the directory says"),
    ],
)
def test_what_a_directory_says_wrongly(said, found):
    assert _only(zipped(member("a", b"abc" * 9, **said))) == found


@pytest.mark.parametrize("method", [DEFLATED, ZSTD])
def test_damaged_data(method):
    data = zipped(member("a", b"abc" * 9, method, data=b"\xff" * 20))
    assert "an error in its data" in _only(data)


def test_a_directory_larger_than_any_is_not_read(monkeypatch):
    data = zipped(*(member(f"{number}", b"") for number in range(100)))
    monkeypatch.setattr(archive, "_MOST_LISTED", 1000)
    with pytest.raises(DamagedError):
        archive.listed(io.BytesIO(data))
    monkeypatch.setattr(archive, "_MOST_MEMBERS", 3)
    assert names_in(io.BytesIO(data)) == ("0", "1", "2")
    with pytest.raises(DamagedError, match="larger"):
        _members(data)


@pytest.mark.parametrize("name", ["../../etc/a.json", "/a.json", "C:\\a.json", "a\u202e.json"])
def test_a_name_is_only_a_name(name):
    (record,) = records_of(zipped(member(name, b"[1]")), "x")
    assert isinstance(record, Record)
    assert record.chunk == Chunk(1, 0, 3, name)


def test_a_damaged_member_is_a_problem_and_the_others_are_read():
    good, bad, broken = (
        member("a.json", b"[1]"),
        member("b.json", b"[1]", crc=1),
        member("c" * 200 + ".json", b"[1,"),
    )
    first, second, third = records_of(zipped(good, bad, broken, member("d.txt", b"?")), "x")
    assert isinstance(first, Record)
    assert isinstance(second, Problem)
    assert second.message.startswith("b.json: damaged zip data: found other data")
    assert isinstance(third, Problem)
    assert third.message.startswith("ccc")
    assert len(third.message) < 200
    assert third.message.endswith("not valid JSON: expected a value, found the end of the file")
    assert (third.line, third.column) == (1, 4)


_CUT_OFF = (
    "the file is cut off here: everything complete before this point was read; "
    "copy or save the file again to get the rest"
)


def _cut_in(data: bytes, name: str) -> bytes:
    """A zip that ends three bytes behind the name of this member."""
    return data[: data.index(name.encode()) + len(name) + 3]


@pytest.mark.parametrize("method", _METHODS)
def test_members_before_the_one_in_which_a_file_is_cut_are_read(method):
    sound = zipped(member("a.json", b'{"a": 1}', method), member("b.json", b'{"b": 2}', method))
    data = _cut_in(sound, "b.json")
    assert names_in(io.BytesIO(data)) == ("a.json",)
    first, last = records_of(data, "x")
    assert isinstance(first, Record) and first.value == {"a": 1}
    assert recorded(data, first.chunk) == b'{"a": 1}'
    assert isinstance(last, Unfinished) and last.problem is not None
    assert last.problem.message == f"b.json: {_CUT_OFF}"


@pytest.mark.parametrize("behind", [0, 1, 29])
def test_a_file_that_is_cut_between_two_members_names_none(behind):
    sound = zipped(member("a.json", b"1"), member("b.json", b"2"))
    data = sound[: sound.index(b"PK\x03\x04", 4) + behind]
    first, last = records_of(data, "x")
    assert isinstance(first, Record)
    assert isinstance(last, Unfinished) and last.problem is not None
    assert last.problem.message == _CUT_OFF


def test_a_damaged_directory_is_a_problem_beside_all_members():
    sound = zipped(member("a.json", b"1"), member("b.json", b"2"))
    first, second, last = records_of(sound[:-5], "x")
    assert isinstance(first, Record) and isinstance(second, Record)
    assert isinstance(last, Problem)
    assert last.message.startswith("damaged zip data: found no intact directory")


def test_a_member_whose_size_stands_behind_it_is_found_by_the_directory_alone():
    sound = zipped(member("a.json", b"1", flags=0x808), member("b.json", b"2"))
    assert names_in(io.BytesIO(sound)) == ("a.json", "b.json")
    assert names_in(io.BytesIO(_cut_in(sound, "b.json"))) == ()


def test_a_zip_without_a_directory_is_a_problem_where_it_was_named():
    data = zipped(member("book.xml", b"{}"))[:-5]
    (problem,) = read_bytes(data, "x.eval").problems
    assert problem.message.startswith("damaged zip data: found no intact directory")
    contents = read_bytes(data, "x.eval", named=False)
    assert not contents.problems
    assert len(contents.skipped) == 1


def test_of_a_zip_that_nobody_named_only_the_directory_is_looked_at(tmp_path, monkeypatch):
    path = tmp_path / "book.xlsx"
    filler = os.urandom(2**22)
    path.write_bytes(zipped(member("xl/book.xml", filler, STORED)))
    read = []

    def looked_at(file):
        names = names_in(file)
        read.append(names)
        return names

    monkeypatch.setattr("kpinspector.runs.read.names_in", looked_at)
    contents = read_file(FoundFile(path, "book.xlsx", named=False))
    (skipped,) = contents.skipped
    assert "a zip file" in skipped.reason
    assert not contents.problems
    assert read == [("xl/book.xml",)]


@settings(max_examples=300)
@given(data=st.data())
def test_no_damage_raises(data):
    sound = zipped(
        member("samples/a.json", b'{"a":1}' * 5, ZSTD),
        member("header.json", b'{"eval":{}}', DEFLATED),
        member("_journal/b.json", b"[]", STORED),
    )
    damaged = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 6))):
        damaged[data.draw(st.integers(2, len(sound) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(damaged[: data.draw(st.integers(2, len(sound)))])
    for one in (bytes(damaged), cut):
        for found in records_of(one, "x"):
            assert isinstance(found, Record | Problem | Unfinished)
        names_in(io.BytesIO(one))
        read_bytes(one, "x")


def test_members_that_are_damaged_cost_what_they_say(monkeypatch):
    monkeypatch.setattr(archive, "MAX_BYTES", 2**20)
    half = 2**19
    wrong = [member(name, bytes(half), crc=1) for name in ("a", "b")]
    found = _members(zipped(*wrong, member("c", bytes(half))))
    assert found["c"] != bytes(half)


def test_data_of_more_frames_than_any_writer_makes_is_damaged():
    frames = packed(b"", ZSTD) * 2000
    assert "frames" in str(_only(zipped(member("a", b"", ZSTD, data=frames))))
