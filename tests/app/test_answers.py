"""Rows to reports."""

from dataclasses import replace

from kpinspector.app.answers import ReportBasis, report_of
from kpinspector.scoring.memory.file import Mode
from kpinspector.scoring.report.report import UsedSettings
from kpinspector.scoring.whatif.scenario import NamedScenario, Scenario
from tests.answers import document
from tests.known import present

USED = UsedSettings(threshold=0.75, max_elements=1000, ttl_ms=None, mode=Mode.GUEST)


def test_saved_scenarios_are_reported_with_their_row():
    named = NamedScenario("sure of it", Scenario(confidence=1.0))
    rows = (document(), replace(document(), scenarios=(named,)))
    first, second = report_of(rows, ReportBasis(USED, None, None)).traces
    assert first.scenarios == ()
    (entry,) = second.scenarios
    assert entry.name == "sure of it" and entry.score > present(second.score) == first.score
