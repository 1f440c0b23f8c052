"""A report whose secrets are masked: nothing else of it changes, and it replays as it was."""

import pytest

from kpinspector.scoring.report.replay import first_difference, replay
from kpinspector.sharing.masked_report import masked_report, masked_values
from tests.fakes import FakeEmbedder, make_raw
from tests.scoring.replays import records_of, reread
from tests.scoring.test_report import report_of

PHONES = ("555-010-4477", "555-010-9999")


def with_ids(*ids):
    return [make_raw(id=one, task={"objective": f"ask {one}"}) for one in ids]


def test_a_report_in_which_nothing_is_found_is_as_it_was():
    report = report_of(make_raw())
    assert masked_report(report) is report


def test_ids_that_are_masked_alike_replay_from_report_and_traces():
    raws = with_ids(*PHONES, "plain")
    report = masked_report(report_of(*raws))
    assert [one.id for one in report.traces] == ["555••••", "555••••", "plain"]
    assert all(near.key.endswith("••••") for near in report.traces[2].dimensions.novelty.neighbours)
    assert replay(reread(report)).identical
    traces = records_of(*raws)
    again = replay(reread(report), traces, FakeEmbedder())
    assert again.identical and again.recounted == 3 and again.measured == again.similarities == 3
    other = records_of(*raws[:2], raws[2] | {"task": {"objective": "another"}})
    assert not replay(reread(report), other, FakeEmbedder()).identical


def test_what_says_which_trace_it_is_stays():
    value = {
        "id": "ann@example.org",
        "key": "ann@example.org#0123abcd",
        "source": {"path": "/home/ann/runs.jsonl", "record": 3},
        "issues": [{"path": "steps.ann@example.org"}],
    }
    assert masked_values(value) == {
        "id": "ann••••",
        "key": "ann••••#0123abcd",
        "source": {"path": "/home/ann/runs.jsonl", "record": 3},
        "issues": [{"path": "step••••"}],
    }


def test_names_that_are_masked_alike_stay_two():
    assert masked_values({"ann@example.org": 1, "ann@example.net": 2}) == {
        "ann••••": 1,
        "ann••••••••": 2,
    }


@pytest.mark.parametrize(
    ("masked", "whole", "other"),
    [
        ("ask ann••••, now", "ask ann@example.org, now", "ask bob@example.org, now"),
        ({"ann••••": 1}, {"ann@example.org": 1}, {"bob@example.org": 1}),
    ],
)
def test_what_is_masked_is_the_same_as_what_it_stands_for(masked, whole, other):
    assert first_difference(masked, whole, ()) is None
    assert first_difference(masked, other, ()) is not None


def test_an_unmasked_report_replays_as_well():
    raws = with_ids(*PHONES)
    report = report_of(*raws)
    assert report.traces[0].id == PHONES[0]
    assert replay(reread(report), records_of(*raws), FakeEmbedder()).identical
