"""Inspect's logs, as a document and as a zip."""

import hashlib
import json

import pytest

from kpinspector.runs.provenance import read_source, run_place
from kpinspector.runs.read import RunRecord, read_bytes, read_file
from kpinspector.runs.readers import inspect
from kpinspector.runs.recording import Collecting, recognise, recording_of
from kpinspector.runs.rules import session_of
from kpinspector.runs.run import Chunk, Record, Recording
from kpinspector.runs.texts import head_of
from kpinspector.trace.bytes import decode
from kpinspector.trace.find import FoundFile
from kpinspector.trace.javascript import JsonValue
from tests.runs.made import document, outline, read
from tests.runs.zips import DEFLATED, STORED, ZSTD, log_of, member, zipped

_SPEC: JsonValue = {"eval_id": "e1", "task": "doors", "packages": {"inspect_ai": "0.3.9"}}
_HASH = "0" * 32
SAMPLE = {
    "id": "door",
    "epoch": 1,
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": f"attachment://{_HASH}"},
        {
            "role": "assistant",
            "content": [
                {"type": "reasoning", "reasoning": "Locked?", "redacted": False},
                {"type": "text", "text": "I try."},
            ],
            "tool_calls": [
                {"id": "c1", "function": "open", "arguments": {"door": 1}, "type": "function"}
            ],
        },
        {
            "role": "tool",
            "content": "",
            "tool_call_id": "c1",
            "function": "open",
            "error": {"type": "unknown", "message": "no key"},
        },
        {
            "role": "assistant",
            "content": "I give up.",
            "tool_calls": [{"id": "c2", "function": "submit", "arguments": {"answer": "no"}}],
        },
        {"role": "tool", "content": "no", "tool_call_id": "c2", "function": "submit"},
    ],
    "attachments": {_HASH: "Open the door"},
    "scores": {"includes": {"value": "C", "answer": "no"}, "match": {"value": 0.5}},
    "started_at": "2026-01-02T03:04:05+00:00",
}
HEADER = {"version": 2, "status": "success", "eval": _SPEC}
WHOLE = {**HEADER, "samples": [SAMPLE, {**SAMPLE, "id": 7, "epoch": 2}]}
OUTLINE = [
    "prompt Open the door",
    "reasoning Locked?",
    "text I try.",
    'call open {"door": 1}',
    "result failed no key",
    "text I give up.",
]


@pytest.mark.parametrize("method", [STORED, DEFLATED, ZSTD])
def test_a_zip_has_a_run_for_each_sample(method):
    data = log_of({"door_epoch_1": SAMPLE, "b": {**SAMPLE, "id": "b"}}, HEADER, method)
    recording = read(data)
    assert not recording.problems
    assert [outline(run) for run in recording.runs] == [OUTLINE, OUTLINE]
    assert [(run.session, run.key) for run in recording.runs] == [("e1", "door:1"), ("e1", "b:1")]
    assert recording.version == "0.3.9"
    place = recording.runs[1].blocks[0].place
    assert (place.chunk.member, place.path) == ("samples/b.json", ("messages", 1, "content"))


def test_a_zip_and_a_document_of_one_log_are_the_same_traces():
    zipped_ones = read_bytes(log_of({"a": SAMPLE}, HEADER), "x.eval").traces
    (plain, _) = read_bytes(document(WHOLE), "x.json").traces
    assert [one.trace.raw for one in zipped_ones] == [plain.trace.raw]


def test_a_log_that_is_still_written_is_read():
    start = member("_journal/start.json", json.dumps(HEADER).encode())
    sample = member("samples/a.json", json.dumps(SAMPLE).encode())
    recording = read(zipped(start, sample))
    assert [outline(run) for run in recording.runs] == [OUTLINE]
    assert recording.runs[0].session == "e1"


def test_a_log_in_a_folder_is_found(tmp_path):
    path = tmp_path / "doors.eval"
    path.write_bytes(log_of({"a": SAMPLE}, HEADER) + b"")
    contents = read_file(FoundFile(path, "doors.eval", named=False))
    assert len(contents.traces) == 1


def test_a_large_log_in_a_folder_is_read_whole(tmp_path):
    path = tmp_path / "doors.eval"
    long = {**SAMPLE, "store": {"text": "x" * 2**21}}
    path.write_bytes(log_of({"a": long, "b": SAMPLE}, HEADER, STORED))
    contents = read_file(FoundFile(path, "doors.eval", named=False))
    assert (len(contents.traces), len(contents.problems)) == (2, 0)


def test_a_damaged_sample_is_a_problem_and_the_others_are_read():
    bad = member("samples/bad.json", b'{"id": ', crc=1)
    good = member("samples/good.json", json.dumps(SAMPLE).encode())
    recording = read(zipped(bad, good, member("header.json", json.dumps(HEADER).encode())))
    assert [outline(run) for run in recording.runs] == [OUTLINE]
    assert [problem.message for problem in recording.problems] == [
        "samples/bad.json: damaged zip data: found other data than the directory's check sum says"
    ]


def sessionless(data: bytes):
    recording = recording_of(decode(data), "made", "inspect")
    assert isinstance(recording, Recording)
    return recording.runs


def digest(sample) -> str:
    return hashlib.sha256(json.dumps(sample, ensure_ascii=False).encode()).hexdigest()


def test_samples_of_a_log_that_names_no_session_go_by_their_bytes():
    other = {**SAMPLE, "store": "Birnbäume \U0001f350"}
    runs = sessionless(document({"samples": [SAMPLE, other]}))
    assert [run.session for run in runs] == [digest(SAMPLE), digest(other)]
    assert session_of(runs[0], b"whatever") == runs[0].session
    (one,) = sessionless(zipped(member("samples/a.json", json.dumps(SAMPLE).encode())))
    assert one.session == digest(SAMPLE)


def test_samples_that_have_no_name_are_told_apart():
    nameless = {name: value for name, value in SAMPLE.items() if name not in ("id", "epoch")}
    other = {**nameless, "messages": [{"role": "assistant", "content": "No."}]}
    contents = read_bytes(document({**HEADER, "samples": [nameless, other, other]}), "x")
    ids = [one.trace.id for one in contents.traces]
    assert len(set(ids)) == len(ids) == 3
    alone = read_bytes(document({**HEADER, "samples": [nameless]}), "x").traces
    assert alone[0].trace.id == ids[0]


def test_a_log_without_samples_says_so():
    recording = read(document(HEADER))
    assert recording.passed_over == (("", "a log without samples"),)
    assert [one.reason for one in read_bytes(document(HEADER), "x").skipped] == [
        "a log without samples"
    ]


@pytest.mark.parametrize("indent", [None, 2])
def test_of_a_document_that_is_cut_off_the_complete_samples_are_read(tmp_path, indent):
    data = json.dumps({**HEADER, "samples": [SAMPLE, {**SAMPLE, "id": "b"}, SAMPLE]}, indent=indent)
    path = tmp_path / "doors.json"
    path.write_text(data[: data.rindex("I give up.")])
    found = FoundFile(path, str(path), named=True)
    whole = read_bytes(data.encode(), str(path))
    contents = read_file(found)
    assert [one.trace.id for one in contents.traces] == [one.trace.id for one in whole.traces[:2]]
    for one, other in zip(contents.traces, whole.traces, strict=False):
        assert isinstance(one, RunRecord) and isinstance(other, RunRecord)
        assert one.imported.mapped.places[0].spot == other.imported.mapped.places[0].spot
        assert list(one.imported.recording.dropped.items())[-1] == ("cut at the end", 1)
        place, same = run_place(one, 0), run_place(other, 0)
        assert place is not None and same is not None and read_source(place).lines
    (problem,) = contents.problems
    assert problem.message.startswith("the file is cut off here: everything complete before")
    lines = path.read_text().split("\n")
    assert (problem.line, problem.column) == (len(lines), len(lines[-1]) + 1)
    assert not contents.skipped


def test_a_log_that_is_cut_off_before_its_samples_does_not_say_that_it_has_none():
    data = json.dumps({**HEADER, "samples": [SAMPLE]}).encode()
    contents = read_bytes(data[: data.index(b"Be brief")], "doors.json")
    assert (contents.traces, contents.skipped) == ((), ())
    (problem,) = contents.problems
    assert problem.message.startswith("the file is cut off here")


@pytest.mark.parametrize("named", [True, False])
def test_of_a_zip_that_is_cut_off_the_complete_samples_are_read(tmp_path, named):
    start = member("_journal/start.json", json.dumps(HEADER).encode())
    samples = (member(f"samples/{one}.json", json.dumps(SAMPLE).encode()) for one in "ab")
    data = zipped(start, *samples)
    path = tmp_path / "doors.eval"
    path.write_bytes(data[: data.index(b"samples/b.json") + 40])
    contents = read_file(FoundFile(path, str(path), named=named))
    assert len(contents.traces) == 1
    (problem,) = contents.problems
    assert problem.message.startswith("samples/b.json: the file is cut off here")


def test_texts_that_are_named_too_often_are_left_out():
    attachments = inspect.Attachments(left=100)
    named = f"attachment://{_HASH}"
    text = "x" * 40
    assert attachments.resolved([named] * 4, {_HASH: text}) == [text, text, "", ""]
    assert attachments.missing == 2


def test_a_log_whose_samples_stand_behind_its_head_is_recognised():
    plan = {"plan": {"steps": ["x" * 100_000]}}
    assert recognise(head_of(document({**HEADER, **plan, "samples": [SAMPLE]}))) == "inspect"


def test_members_in_any_order_make_the_same_runs():
    def record(name, value):
        return Record(Chunk(1, 0, 1, name), value)

    records = [record("samples/a.json", SAMPLE), record("header.json", HEADER)]
    collecting = Collecting("inspect", "made"), Collecting("inspect", "made")
    for reader, order in zip(collecting, (records, records[::-1]), strict=True):
        for one in order:
            reader.take(one)
    assert collecting[0].recording() == collecting[1].recording()
