"""Reports among the rows: read, read again, left out of scoring, computed again on the worker."""

import json

from kpinspector.app.document import State
from kpinspector.app.exports import Form
from kpinspector.scoring.report.replay import Replay
from kpinspector.trace.read import Problem
from tests.app.harness import write
from tests.strategies import set_at


def written(one, tmp_path):
    """A report on two traces that are open, in a file of its own."""
    one.open(write(tmp_path / "a.jsonl", "kp:trace:1", "kp:trace:2"))
    path = tmp_path / "old.json"
    one.session.exports.write(Form.REPORT, path, one.session.documents)
    one.settle()
    return path


def edit(path, place, value):
    values = set_at(json.loads(path.read_bytes()), place, value)
    path.write_text(json.dumps(values), encoding="utf-8")


def test_a_report_is_a_row_of_its_own_kind(harness, tmp_path):
    one = harness()
    path = written(one, tmp_path)
    one.open(path)
    row = one.session.documents[-1]
    assert (row.name, row.state, row.record, row.facts) == ("old", State.REPORT, None, None)
    assert len(row.item.report.traces) == 2
    assert one.embedder.embedded == 2 and not one.session.waits
    assert one.session.history.recent[0].note == "a report"


def test_it_is_computed_again_with_the_traces_that_are_open(harness, tmp_path):
    one = harness()
    one.open(written(one, tmp_path))
    number = one.session.documents[-1].number
    one.session.replays.run(number)
    one.settle()
    found = one.rows[number].replay
    assert found.identical and found.recounted == found.traces == 2


def test_a_changed_trace_makes_it_differ(harness, tmp_path):
    one = harness()
    path = written(one, tmp_path)
    write(tmp_path / "a.jsonl", "kp:trace:1", "kp:trace:2", steps=[{"type": "thought"}])
    one.open(tmp_path / "a.jsonl", path)
    number = one.session.documents[-1].number
    one.session.replays.run(number)
    one.settle()
    found = one.rows[number].replay
    assert {one.trace for one in found.differences} == {0, 1}


def test_a_trace_that_came_to_its_file_since_is_lacking_and_one_of_another_file_is_not(
    harness, tmp_path
):
    one = harness()
    path = written(one, tmp_path)
    write(tmp_path / "other.jsonl", "kp:trace:8")
    one.open(tmp_path / "other.jsonl", path)
    number = one.session.documents[-1].number
    one.session.replays.run(number)
    one.settle()
    assert one.rows[number].replay.identical
    write(tmp_path / "a.jsonl", "kp:trace:1", "kp:trace:2", "kp:trace:9")
    one.open(tmp_path / "a.jsonl")
    one.session.replays.run(number)
    one.settle()
    found = one.rows[number].replay
    assert not found.identical
    assert [record.trace.id for record in found.unreported] == ["kp:trace:9"]


def test_a_report_that_is_read_again_keeps_its_replay_until_it_is_another(harness, tmp_path):
    one = harness()
    path = written(one, tmp_path)
    one.open(path)
    number = one.session.documents[-1].number
    one.session.replays.run(number)
    one.settle()
    one.open(path)
    assert one.rows[number].replay is not None
    edit(path, "traces.1.score", 0.9)
    one.open(path)
    assert one.rows[number].replay is None
    one.session.replays.run(number)
    one.settle()
    assert one.rows[number].replay.first.path == ("traces", 1, "score")


def test_a_result_for_a_row_that_is_gone_is_dropped(harness, tmp_path):
    one = harness()
    one.open(written(one, tmp_path))
    number = one.session.documents[-1].number
    one.session.replays.run(number)
    one.session.remove([number])
    one.settle()
    assert number not in one.rows


def test_a_result_for_a_report_that_was_read_anew_meanwhile_is_dropped(harness, tmp_path):
    one = harness()
    path = written(one, tmp_path)
    one.open(path)
    number = one.session.documents[-1].number
    waiting = []
    one.session.replays._submit = lambda work, done: waiting.append((work, done))
    one.session.replays.run(number)
    edit(path, "traces.1.score", 0.9)
    one.open(path)
    ((_, done),) = waiting
    done(Replay(2, 0, (), 0, 0, (), ()))
    one.settle()
    assert one.rows[number].replay is None
    done(None)
    assert len(waiting) == 1


def test_only_reports_are_replayed(harness, tmp_path):
    one = harness()
    one.open(write(tmp_path / "a.jsonl", "kp:trace:1"))
    row = one.session.documents[0]
    one.session.replays.run(row.number)
    one.settle()
    assert one.rows[row.number].replay is None


def test_a_report_of_another_version_is_a_problem_with_its_place(harness, tmp_path):
    one = harness()
    path = written(one, tmp_path)
    edit(path, "version", 3)
    one.open(path)
    row = one.session.documents[-1]
    assert row.state is State.UNREADABLE and isinstance(row.item, Problem)
    assert (row.item.line, row.item.json_path) == (1, "version")
    edit(path, "version", 2)
    one.open(path)
    assert one.session.documents[-1].state is State.REPORT


def test_the_report_on_a_list_with_a_report_is_that_of_the_command_line(harness, tmp_path):
    one = harness()
    path = written(one, tmp_path)
    one.open(path)
    again = tmp_path / "again.json"
    one.session.exports.write(Form.REPORT, again, one.session.documents)
    one.settle()
    skipped = json.loads(again.read_bytes())["skipped"]
    assert [(unit["path"], unit["reason"]) for unit in skipped] == [
        (str(path), "a report: use replay")
    ]
    row = one.session.documents[-1]
    assert json.loads(one.session.exports.report_text(row)) == json.loads(path.read_bytes())


def test_the_text_of_a_long_report_is_cut(harness, tmp_path):
    one = harness()
    one.open(write(tmp_path / "a.jsonl", *(f"kp:trace:{n}" for n in range(101))))
    path = tmp_path / "old.json"
    one.session.exports.write(Form.REPORT, path, one.session.documents)
    one.settle()
    one.open(path)
    text = one.session.exports.report_text(one.session.documents[-1])
    assert text.endswith("… and 1 more trace\n")
