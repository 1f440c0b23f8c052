"""Recordings to traces: every run under an id of its own, and what lines hold that say nothing."""

import zlib

import pytest

from kpinspector.runs.follow import Follower
from kpinspector.runs.read import Asked, RunRecord, read_bytes
from kpinspector.runs.rules import RunOutcome, trace_id
from kpinspector.runs.stated import Stated, keep
from kpinspector.trace.records import FileContents
from tests.runs.made import document, lines
from tests.runs.traces import model, request, said

CONVERSATION = {
    "messages": [
        {"role": "user", "content": "Dig."},
        {"role": "assistant", "content": "I dug."},
        {"role": "user", "content": "Deeper."},
        {"role": "assistant", "content": "So I did."},
    ]
}
LINE = {"type": "user", "sessionId": "s", "uuid": "u", "message": {"content": "Dig."}}
ANSWER = {**LINE, "type": "assistant", "uuid": "v", "message": {"content": "I dug."}}
OTHER = {"messages": [{"role": "user", "content": "Dig."}, {"role": "assistant", "content": "No."}]}


def runs_in(data: bytes, **asked) -> list[RunRecord]:
    contents = read_bytes(data, "made", asked=Asked(**asked))
    assert not contents.problems
    return [one for one in contents.traces if isinstance(one, RunRecord)]


def ids(data: bytes, **asked) -> list[str]:
    return [one.imported.mapped.id for one in runs_in(data, **asked)]


def test_a_run_that_a_file_tells_twice_has_an_id_each_time():
    first, other, again, third = ids(lines(CONVERSATION, OTHER, CONVERSATION, CONVERSATION))
    assert len({first, other, again, third}) == 4
    assert ids(lines(CONVERSATION)) == [first]  # as long as nothing else is told
    assert ids(lines(OTHER, CONVERSATION, CONVERSATION)) == [other, first, again]


def test_prompts_of_a_run_that_is_told_twice_have_an_id_each():
    found = ids(lines(CONVERSATION, CONVERSATION), split_prompts=True)
    assert len(set(found)) == len(found) == 4


def test_what_is_stated_of_a_run_is_not_said_of_its_like(tmp_path):
    data = lines(CONVERSATION, CONVERSATION)
    _, again = ids(data)
    keep(tmp_path, again, Stated(RunOutcome(0.9, success=True)))
    runs = runs_in(data, folder=tmp_path)
    assert [one.imported.outcome.is_known for one in runs] == [False, True]


def test_spans_without_a_trace_have_an_id_for_each_run():
    def without_ids(name, start):
        made = model(name, start, [said("user", name)], said("assistant", name))
        return {key: value for key, value in made.items() if key not in ("traceId", "spanId")}

    found = ids(lines(*(request(without_ids(name, n)) for n, name in enumerate("abc"))))
    assert len(set(found)) == len(found) == 3


def test_the_id_of_a_run_that_is_told_once_is_that_of_its_session():
    assert ids(lines(LINE, ANSWER)) == [trace_id("claude-code", "s", "")]


def test_a_line_that_holds_null_is_json_that_says_nothing():
    for records in ([LINE, None, ANSWER], [None, LINE, ANSWER], [LINE, ANSWER, None]):
        (record,) = runs_in(lines(*records))
        recording = record.imported.recording
        assert (recording.total, recording.dropped) == (3, {"of no type": 1})


TRUNCATED = "the end of truncated gzip data"


def cut_off(*texts: bytes) -> FileContents:
    """What is read of texts whose gzip data are cut: the last text as far as it was written."""
    packer = zlib.compressobj(wbits=31)
    packed = b"".join(packer.compress(one) + packer.flush(zlib.Z_SYNC_FLUSH) for one in texts)
    return read_bytes(packed, "made")


@pytest.mark.parametrize(("rest", "cut"), [(b"", 0), (b'{"type": "us', 1), (b'{"type": 7}', 0)])
def test_gzip_that_is_cut_off_is_a_problem_beside_what_could_be_read(rest, cut):
    contents = cut_off(lines(LINE, ANSWER), rest)
    (record,) = contents.traces
    assert isinstance(record, RunRecord)
    assert dict(record.imported.recording.dropped).get("cut at the end", 0) == cut
    (problem,) = contents.problems
    assert (problem.line, problem.column, problem.found) == (3, len(rest) + 1, TRUNCATED)
    assert problem.message == f"expected intact gzip data, found {TRUNCATED}"


def test_a_document_whose_gzip_is_cut_off_is_one_problem():
    contents = cut_off(document(CONVERSATION)[:-9])
    (problem,) = contents.problems
    assert problem.found == TRUNCATED
    (problem,) = cut_off(document(CONVERSATION)).problems  # all of it but the end of the gzip data
    assert problem.message == f"expected intact gzip data, found {TRUNCATED}"


def test_a_damaged_last_line_of_gzip_that_is_cut_off_is_no_second_problem():
    contents = cut_off(lines(LINE, ANSWER), b'{"a": nothing, "b": [')
    assert [one.found for one in contents.problems][-1] == TRUNCATED


def test_runs_of_equal_keys_in_a_growing_file_keep_their_own_steps(tmp_path):
    path = tmp_path / "growing.jsonl"
    spans = [
        model(f"{n}", n, [said("user", f"{n}?")], said("assistant", f"{n}!"), session__id=f"{n}")
        for n in range(4)
    ]
    follower = Follower("made")
    for count in (2, 4):
        path.write_bytes(lines(*(request(one) for one in spans[:count])))
        contents = follower.read(path)
        assert contents is not None
        said_in = [[step.content for step in one.trace.steps] for one in contents.traces]
        assert said_in == [[f"{n}!"] for n in range(count)]
