"""Recordings that grow."""

import codecs
import json
import random
from operator import is_
from pathlib import Path
from typing import Any

import pytest

from kpinspector.runs import follow
from kpinspector.runs.follow import Follower, Followers
from kpinspector.runs.read import RunRecord, read_file
from kpinspector.runs.run import DropName
from kpinspector.trace.find import FoundFile
from tests.fakes import make_raw
from tests.goldens import DATA
from tests.known import of, present


def line(number: int) -> bytes:
    """A line of a session: calls, results of which every third failed, texts."""
    content: list[dict[str, Any]]
    at = {"sessionId": "s", "uuid": f"u{number}", "timestamp": "2026-05-04T03:02:01Z"}
    match number % 3:
        case 0:
            content = [{"type": "text", "text": f"thought {number}"}]
        case 1:
            content = [{"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {}}]
        case _:
            content = [
                {
                    "type": "tool_result",
                    "tool_use_id": f"t{number - 1}",
                    "content": "x",
                    "is_error": number % 9 == 2,
                }
            ]
    kind = "user" if number % 3 == 2 else "assistant"
    message = {"role": kind, "id": f"m{number // 3}", "content": content}
    return json.dumps({"type": kind, "message": message, **at}).encode() + b"\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


@pytest.fixture
def found(path: Path) -> FoundFile:
    return FoundFile(path, str(path), named=True)


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def whole(path: Path):
    return read_file(FoundFile(path, str(path), named=True))


LINES = ("claude-code", "codex", "copilot", "gemini", "pi", "qwen-code")


@pytest.mark.parametrize("form", [*LINES, "openai-agents", "openai-agents-trace"])
def test_what_was_appended_in_pieces_is_as_read_at_once(path, form):
    pieces = random.Random(5)
    data = (DATA / "recordings" / f"{form}.jsonl").read_bytes()
    if form == "claude-code":
        data = b"".join(map(line, range(60)))
    follower, written, found = Follower(str(path)), 0, None
    path.write_bytes(b"")
    assert follower.read(path) is None
    while written < len(data):
        size = pieces.randint(1, 400)
        append(path, data[written : written + size])
        written += size
        found = follower.read(path)
        if found is not None:
            assert found.problems == ()
            assert found == whole(path)
    assert present(found) == whole(path)


@pytest.mark.parametrize("form", LINES)
def test_only_what_was_appended_is_read(path, monkeypatch, form):
    every = (DATA / "recordings" / f"{form}.jsonl").read_bytes().splitlines(keepends=True)
    if form == "claude-code":
        every = [*map(line, range(302))]
    path.write_bytes(b"".join(every[:-2]))
    follower = Follower(str(path))
    before = present(follower.read(path)).traces[0].trace.steps
    append(path, every[-2])
    parsed = []
    monkeypatch.setattr("kpinspector.runs.texts.parse", parsed.append)
    follower.read(path)
    assert len(parsed) == 1
    monkeypatch.undo()
    append(path, every[-1])
    after = present(follower.read(path)).traces[0].trace.steps
    assert all(one is other for one, other in zip(before, after, strict=False))


def test_of_many_exported_traces_only_the_one_that_grew_is_made_anew(path):
    one = (DATA / "recordings" / "openai-agents-trace.jsonl").read_bytes()
    other = one.replace(b'"trace_id": "', b'"trace_id": "other_')
    assert other != one
    *most, last = other.splitlines(keepends=True)
    path.write_bytes(one + b"".join(most))
    follower = Follower(str(path))
    before = present(follower.read(path)).traces
    append(path, last)
    after = present(follower.read(path)).traces
    assert len(before) == len(after) > 1
    assert all(map(is_, before[0].trace.steps, after[0].trace.steps))


def test_a_document_on_one_line_is_followed_with_its_places(tmp_path):
    path = tmp_path / "s.json"
    steps = [{"step_id": 1, "source": "agent", "message": "It is."}]
    document = {"schema_version": "ATIF-v1.6", "session_id": "s", "steps": steps}
    path.write_text(json.dumps(document) + "\n", encoding="utf-8")
    found = present(Follower(str(path)).read(path))
    assert found == whole(path)
    record = of(RunRecord, found.traces[0])
    assert record.imported.mapped.places[0].spot is not None


@pytest.mark.parametrize("data", [line(1), line(0) + line(7) * 3, b""])
def test_a_file_that_was_written_anew_is_read_anew(path, data):
    path.write_bytes(b"".join(map(line, range(30))))
    follower = Follower(str(path))
    follower.read(path)
    path.write_bytes(data)
    found = follower.read(path)
    assert found == (whole(path) if data else None)


def dropped(found) -> dict[str, int]:
    return dict(of(RunRecord, found.traces[0]).imported.recording.dropped)


def test_a_last_line_that_is_cut_is_counted_as_it_is_anew(path):
    path.write_bytes(b"".join(map(line, range(6))))
    follower = Follower(str(path))
    assert DropName.CUT not in dropped(follower.read(path))
    append(path, line(6)[:40])
    for _ in range(2):
        found = present(follower.read(path))
        assert found == whole(path)
        assert dropped(found)[DropName.CUT] == 1
    append(path, line(6)[40:])
    found = present(follower.read(path))
    assert found == whole(path)
    assert DropName.CUT not in dropped(found)


@pytest.mark.parametrize("rest", [line(6).rstrip(), b'{"type": nothing'])
def test_a_rest_that_is_no_cut_line_is_read_anew(path, found, rest):
    path.write_bytes(b"".join(map(line, range(6))))
    files = Followers()
    files.read(found, grows=True)
    append(path, rest)
    assert files.read(found) == whole(path)


def test_a_damaged_line_in_the_middle_is_located_once(path):
    path.write_bytes(line(0) + b'{"type":\n' + line(1))
    follower = Follower(str(path))
    follower.read(path)
    append(path, line(2))
    found = present(follower.read(path))
    assert [(one.line, one.column) for one in found.problems] == [(2, 9)]
    assert found == whole(path)


@pytest.mark.parametrize("data", [b"{}", b'{"steps": []}\n', b"\x1f\x8b\x08", b"text\n"])
def test_what_is_no_recording_in_lines_is_not_followed(tmp_path, data):
    path = tmp_path / "x"
    path.write_bytes(data)
    assert Follower(str(path)).read(path) is None


def test_a_file_that_was_read_before_is_read_on(path, found, monkeypatch):
    path.write_bytes(b"".join(map(line, range(20))))
    files = Followers()
    assert files.read(found) == whole(path)
    for number in range(20, 24):
        append(path, line(number))
        assert files.read(found) == whole(path)
    monkeypatch.setattr(follow, "read_file", None)  # not asked any more
    append(path, line(24))
    assert files.read(found) == whole(path)


def test_what_is_no_recording_is_read_each_time(path, found):
    files = Followers()
    for raw in (make_raw(), make_raw(id="kp:trace:other")):
        path.write_text(json.dumps(raw), encoding="utf-8")
        assert files.read(found) == whole(path)


def test_a_recording_that_is_gone_is_a_problem(path, found):
    path.write_bytes(line(0) + line(1))
    files = Followers()
    files.read(found)
    path.unlink()
    assert files.read(found).problems


def test_a_file_with_a_byte_order_mark_is_read_anew_each_time(path, found):
    path.write_bytes(codecs.BOM_UTF8 + line(0) + line(1))
    files = Followers()
    assert files.read(found) == files.read(found) == whole(path)


def test_a_last_line_without_its_end_does_not_vanish(path, found):
    path.write_bytes(line(0) + line(1)[:-1])
    files = Followers()
    assert files.read(found) == files.read(found) == whole(path)


def test_every_cut_of_the_last_line_is_one_that_is_still_being_written(path):
    text = 'gr\u00fc\u00df \\u00e9 \\" x'
    last = f'{{"type": "assistant", "n": [1.5e3, true, null], "text": "{text}"}}'.encode()
    for cut in range(1, len(last)):
        path.write_bytes(line(0) + line(1) + last[:cut])
        assert whole(path).problems == (), last[:cut]


def test_a_last_line_that_is_damaged_is_located(path):
    path.write_bytes(line(0) + line(1) + b'{"type": "assistant", "bad": NaN}')
    (problem,) = whole(path).problems
    assert problem.line == 3


@pytest.mark.parametrize("indent", [None, 2])
def test_a_document_that_is_cut_off_is_one_located_problem(tmp_path, indent):
    messages = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y" * 50}]
    data = json.dumps({"messages": messages}, indent=indent).encode()
    path = tmp_path / "m.json"
    path.write_bytes(data[: len(data) - 9])
    contents = whole(path)
    (problem,) = contents.problems
    assert problem.line == (10 if indent else 1) and not contents.traces


def test_a_first_line_longer_than_what_is_looked_at_is_a_line_all_the_same(path):
    message = {"role": "user", "content": "x" * 2**17}
    first = {"type": "user", "sessionId": "s", "uuid": "u", "message": message}
    path.write_bytes(json.dumps(first).encode() + b"\n" + line(0) + line(1)[:30])
    contents = whole(path)
    assert contents.problems == () and len(contents.traces) == 1


def test_a_file_that_is_likely_to_grow_is_followed_from_the_first_reading_on(path, found, tmp_path):
    pieces = random.Random(7)
    files = Followers()
    data = line(0) + line(1) + b"".join(map(line, range(2, 40)))
    written = len(line(0) + line(1))
    path.write_bytes(data[:written])
    assert files.read(found, grows=True) == whole(path)
    while written < len(data):
        size = pieces.randint(1, 300)
        append(path, data[written : written + size])
        written += size
        assert files.read(found, grows=True) == whole(path)
    text = tmp_path / "t.json"
    text.write_text(json.dumps(make_raw()), encoding="utf-8")
    other = FoundFile(text, str(text), named=True)
    assert files.read(other, grows=True) == whole(text)


def test_garbage_in_a_growing_file_is_one_located_problem(path):
    path.write_bytes(line(0) + line(1))
    follower = Follower(str(path))
    follower.read(path)
    for number in range(13):
        append(path, b"garbage %d\n" % number)
        follower.read(path)
    found = present(follower.read(path))
    (problem,) = found.problems
    assert (problem.line, problem.column) == (3, 1)
    assert problem.message.startswith("13 parts of the file cannot be read, the first of")
    assert found == whole(path)
    (run,) = found.traces
    assert isinstance(run, RunRecord) and dict(run.imported.recording.dropped)["unreadable"] == 13


def test_bytes_that_are_no_utf_8_are_said_once_a_file(path):
    latin = line(0).replace(b"thought", b"\xe9")
    path.write_bytes(line(0) + latin * 5 + line(2))
    contents = whole(path)
    (problem,) = contents.problems
    assert (problem.line, problem.found) == (2, "the byte 0xE9, which is not UTF-8 here")
    assert problem.message.startswith("bytes that are not UTF-8, from here on: U+FFFD")
    assert len(contents.traces) == 1
