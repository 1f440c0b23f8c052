"""No recording is taken for one of another format, and no trace for a recording."""

import json
from pathlib import Path

import pytest

from kpinspector.runs.database import loaded
from kpinspector.runs.read import read_file
from kpinspector.runs.readers import formats
from kpinspector.runs.recording import recognise
from kpinspector.runs.texts import FileHead, head_of
from kpinspector.trace.bytes import decode
from kpinspector.trace.find import FoundFile
from kpinspector.trace.records import FileContents, SkippedFile
from tests.fakes import make_raw

FAMILIES = {
    "claude": "claude-code",
    "codex": "codex",
    "gemini": "gemini",
    "atif": "atif",
    "inspect-ai": "inspect",
    "mini-swe-agent": "swe-agent",
    "opencode": "opencode",
    "autogen": "autogen",
    "pydantic-ai-messages": "pydantic-ai",
    "smolagents-steps": "smolagents",
    "vercel-ai-messages": "vercel-ai",
}


def expected(family: str, file: str) -> str:
    if family.startswith("otel-"):
        return "otlp"
    if file.endswith(".trace.jsonl"):
        return "openai-agents-trace"
    own = FAMILIES.get(family, family)
    return own if own in formats() and not file.endswith(".items.json") else "messages"


def recordings(reference: Path) -> list[tuple[Path, str]]:
    return [
        (folder / file, expected(entry["format"], file))
        for folder in (reference / "runs", reference / "runs" / "more")
        for entry in json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["runs"]
        for file in entry["files"]
        if file not in entry.get("refused", {})
    ]


def head_in(path: Path) -> FileHead:
    return head_of(decode(loaded(FoundFile(path, str(path), named=True))).data)


def test_every_recording_is_taken_for_what_it_is(reference):
    found = recordings(reference)
    assert len(found) > 130
    for path, form in found:
        assert recognise(head_in(path)) == form, path


def test_no_reader_but_its_own_takes_a_recording(reference):
    """Message lists come last, as other formats are such lists too."""
    special = [form for form in formats() if form != "messages"]
    for path, form in recordings(reference):
        head = head_in(path)
        takers = [one for one in special if formats()[one].lacks(head) == ""]
        assert takers == ([form] if form in special else []), path


@pytest.mark.parametrize(
    "raw",
    [
        make_raw(),
        [make_raw(), make_raw()],
        {"data": {"knowledge_units": [make_raw()]}},
        {"data": [make_raw()]},
        {"@type": "ReasoningTrace", "messages": [{"role": "user", "content": "x"}]},
        {"task": {}, "steps": [], "schema_version": "ATIF-v1.8"},
    ],
)
def test_what_is_the_registrys_is_no_recording(raw):
    assert recognise(head_of(json.dumps(raw).encode())) is None


def test_the_registrys_data_export_is_read_as_traces(tmp_path):
    path = tmp_path / "export.json"
    units = [make_raw(id="kp:trace:a"), make_raw(id="kp:trace:b")]
    path.write_text(json.dumps({"data": {"knowledge_units": units}}), encoding="utf-8")
    contents = read_file(FoundFile(path, str(path), named=True))
    assert [one.trace.id for one in contents.traces] == ["kp:trace:a", "kp:trace:b"]


def read(path: Path, data: bytes, *, named: bool) -> FileContents:
    path.write_bytes(data)
    return read_file(FoundFile(path, str(path), named=named))


SPEECH = {"type": "user", "sessionId": "s", "uuid": "u", "message": {"role": "user", "say": []}}
ZIPPED = b"PK\x05\x06" + bytes(18)


@pytest.mark.parametrize(
    ("data", "looks"),
    [
        (
            b'{"type": "a.b", "data": {"task": 1}, "id": 1, "at": 2}\n' * 36,
            "36 lines of JSON with type, data, id",
        ),
        (json.dumps(SPEECH).encode() + b"\n{}\n", "2 lines of JSON with type, sessionId, uuid"),
        (b'{"a": 1}\n{"b": 2}\n{"a": tr', "3 lines of JSON with a"),
        (b'{"name": "x", "version": "1"}', "a JSON object with name, version"),
        (b"{}", "a JSON object"),
        (b'[{"id": 1}, {"id": 2}]', "a JSON list of objects with id"),
        (b"[1, 2, 3]", "a JSON list"),
        (b'{"data": [1, 2]}', "a JSON object with data"),
        (b"# Title\n\nText.\n", "text"),
        (b"[2026-11-23] start\n[2026-11-24] end {x}\n", "text"),
        (b"SQLite format 3\0" + bytes(99), "an SQLite database"),
        (ZIPPED, "a zip file"),
        (b"\x89PNG\r\n\x1a\n\0", "data that are no text"),
        (b"", "an empty file"),
    ],
)
def test_what_is_of_no_known_format_is_one_problem_or_in_a_folder_one_skipped_file(
    tmp_path, data, looks
):
    said = f"no format that is known; it looks like {looks}"
    (problem,) = (found := read(tmp_path / "x", data, named=True)).problems
    assert problem.message == f"{said} (kpinspector formats lists the formats)"
    assert (problem.record, problem.line) == (None, None)
    assert not (found.traces or found.skipped or found.more_problems)
    scanned = read(tmp_path / "x", data, named=False)
    (skipped,) = scanned.skipped
    assert isinstance(skipped, SkippedFile) and skipped.reason == problem.message
    assert not (scanned.traces or scanned.problems)


@pytest.mark.parametrize(
    ("data", "count"),
    [
        (b'{"@type": "ReasoningTrace"}\n{"id": 1}\n7\n', 3),
        (b'[{"steps": 1}, {}]', 2),
        (b'{"id": 1,\n  "task" 2}', 1),
        (b'{"x": 1}\n{"task": "a", "steps": [}\n', 2),
        (b'[\n{"steps": [x]},\n{"steps": [x]}\n]', 2),
    ],
)
@pytest.mark.parametrize("named", [True, False])
def test_a_trace_file_keeps_the_problem_of_each_record(tmp_path, data, count, named):
    found = read(tmp_path / "x.jsonl", data, named=named)
    assert len(found.problems) == count and not found.skipped
    assert all(one.line is not None for one in found.problems)


def test_no_further_recording_gives_more_than_one_problem(reference):
    """Of formats without a reader of their own; what message lists take, they take whole."""
    folder = reference / "runs" / "more"
    files = sorted(path for path in folder.rglob("*/*") if path.is_file())
    assert len(files) == 33
    for path in files:
        contents = read_file(FoundFile(path, str(path), named=True))
        assert len(contents.problems) + len(contents.skipped) <= 1, path
        assert all("nearly" not in one.message for one in contents.problems), path


@pytest.mark.parametrize(
    "name",
    [
        "cline/*_?????.json",
        "continue/sessions.json",
        "qwen-code/*.meta.json",
        "agno/agno_sessions.json",
    ],
)
def test_what_describes_sessions_is_skipped_as_no_run(reference, name):
    form, _, file = name.partition("/")
    found = sorted((reference / "runs" / "more").glob(f"{form}/**/{file}"))
    assert found
    for path in found:
        contents = read_file(FoundFile(path, str(path), named=True))
        (skipped,) = contents.skipped
        assert skipped.reason == "a recording without a run"
        assert not (contents.traces or contents.problems)
