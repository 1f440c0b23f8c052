"""The trace that an entry of a report is about."""

from kpinspector.scoring.report.replay import replay
from kpinspector.scoring.report.same_trace import TraceFinder
from tests.fakes import FakeEmbedder, make_raw
from tests.known import present
from tests.scoring.replays import TWO, records_of, reread
from tests.scoring.test_report import report_of


def test_traces_are_matched_by_id_wherever_they_stand_now():
    report = reread(report_of(*TWO))
    assert replay(
        report, records_of(*reversed(TWO), path="elsewhere.json"), FakeEmbedder()
    ).identical


def test_traces_of_one_id_are_told_apart_by_place_or_text():
    raws = [make_raw(task={"objective": text}) for text in ("one", "two", "three")]
    report = reread(report_of(*raws))
    assert len({entry.key for entry in report.report.traces}) == 3
    assert replay(report, records_of(*raws)).identical
    assert replay(report, records_of(*raws[::-1], path="x.json"), FakeEmbedder()).identical


def test_traces_without_an_id_are_told_by_place_or_text():
    raws = [make_raw(id=7, task={"objective": text}) for text in ("one", "two")]
    report = reread(report_of(*raws))
    assert replay(report, records_of(*raws)).identical
    assert replay(report, records_of(*raws[::-1], path="x.json"), FakeEmbedder()).identical
    assert replay(report, records_of(*raws, path="x.json")).recounted == 0


def test_another_id_is_another_trace_even_in_the_same_place():
    report = report_of(*TWO)
    finder = TraceFinder(records_of(make_raw(id="kp:trace:new"), TWO[1]), None)
    assert finder.find(report.traces[0]) is None
    assert present(finder.find(report.traces[1])).trace.id == "kp:trace:two"


def test_of_two_files_with_one_id_the_one_of_that_name_is_meant():
    (entry,) = report_of(TWO[0]).traces
    here, there = records_of(TWO[0]), records_of(TWO[0], path="/elsewhere/runs.json")
    other = records_of(TWO[0], path="other.json")
    assert present(TraceFinder((*other, *here), None).find(entry)).source.path == "runs.json"
    found = present(TraceFinder((*other, *there), None).find(entry))
    assert found.source.path == "/elsewhere/runs.json"
    assert present(TraceFinder(other * 2, None).find(entry)).source.path == "other.json"


def test_what_stands_in_its_place_is_meant_even_if_its_text_was_changed():
    raws = [make_raw(task={"objective": text}) for text in ("one", "two")]
    entry = report_of(*raws).traces[0]
    changed = make_raw(task={"objective": "changed"})
    finder = TraceFinder(
        (*records_of(raws[0], path="copy.json"), *records_of(changed, raws[1])), FakeEmbedder()
    )
    assert present(finder.find(entry)).trace.objective == "changed"
