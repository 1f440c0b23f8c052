"""No recording is taken for one of another format, and no trace for a recording."""

import json
from pathlib import Path

import pytest

from kpinspector.runs.formats import FORMATS, reader_of
from kpinspector.runs.read import read_file
from kpinspector.runs.recognise import recognise
from kpinspector.runs.run import Format
from kpinspector.runs.texts import head_of
from kpinspector.trace.decode import decode
from kpinspector.trace.find import FoundFile
from tests.fakes import make_raw

FAMILIES = {
    "claude": Format.CLAUDE_CODE,
    "codex": Format.CODEX,
    "gemini": Format.GEMINI,
    "atif": Format.ATIF,
    "inspect-ai": Format.INSPECT,
    "mini-swe-agent": Format.SWE_AGENT,
    "opencode": Format.OPENCODE,
}
UNREAD = ("autogen", "smolagents-steps", "vercel-ai-messages")


def expected(family: str) -> Format | None:
    if family in UNREAD:
        return None
    other = Format.OTLP if family.startswith("otel-") else Format.MESSAGES
    return FAMILIES.get(family, other)


def recordings(reference: Path) -> list[tuple[Path, Format | None]]:
    manifest = json.loads((reference / "runs" / "manifest.json").read_text(encoding="utf-8"))
    return [
        (reference / "runs" / file, expected(entry["format"]))
        for entry in manifest["runs"]
        for file in entry["files"]
    ]


def test_every_recording_is_taken_for_what_it_is(reference):
    found = recordings(reference)
    assert len(found) > 80
    for path, form in found:
        seen = recognise(head_of(decode(path.read_bytes()).data))
        assert (seen if isinstance(seen, Format) else None) == form, path


def test_no_reader_but_its_own_takes_a_recording(reference):
    """Message lists come last, as other formats are such lists too."""
    special = [form for form in FORMATS if form is not Format.MESSAGES]
    for path, form in recordings(reference):
        head = head_of(decode(path.read_bytes()).data)
        takers = [one for one in special if reader_of(one).recognise(head)]
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


def test_a_file_that_is_nearly_a_recording_says_what_is_missing(tmp_path):
    path = tmp_path / "s.jsonl"
    lines = [{"type": "user", "message": {"role": "user", "content": "x"}}] * 2
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    (problem,) = read_file(FoundFile(path, str(path), named=True)).problems
    assert "Claude Code" in problem.message and "sessionId" in problem.message
