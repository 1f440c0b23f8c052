"""Rows to reports."""

from dataclasses import replace

from kpinspector.app.answers import ReportBasis, report_of
from kpinspector.scoring.report.report import UsedSettings
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from kpinspector.settings import Mode
from tests.answers import document
from tests.known import present

USED = UsedSettings(threshold=0.75, max_elements=1000, ttl_ms=None, mode=Mode.GUEST)


def test_what_is_tried_of_a_row_is_reported_as_far_as_it_fits():
    row = document()
    trace = present(row.record).trace
    last = len(trace.steps)
    tried = Scenario(confidence=1.0)
    for found in ((tried, trace), (replace(tried, edits=(StepEdit(last),)), trace)):
        (entry,) = report_of([row], ReportBasis(USED, None, None, {row.number: found})).traces
        what_if = present(entry["what_if"])
        assert what_if["changes"] == tried and what_if["score"] > entry["score"]
    for nothing in ({}, {row.number: (Scenario(), trace)}, {row.number + 1: (tried, trace)}):
        (entry,) = report_of([row], ReportBasis(USED, None, None, nothing)).traces
        assert entry["what_if"] is None
