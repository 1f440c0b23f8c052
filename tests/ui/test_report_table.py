"""The page of a report: what came of it, and its traces."""

from kpinspector.app.document import Document, Rules
from kpinspector.ui.traces.report_table import ReportView
from tests import user
from tests.scoring.replays import TWO, changed_at, reread
from tests.scoring.test_report import report_of


def test_a_report_that_was_changed_says_where_it_first_differs(qtbot):
    view, made = ReportView(), report_of(*TWO)
    qtbot.addWidget(view)
    view.set_document(Document(9, reread(made), Rules()))
    assert [one.lead for one in view.messages.messages] == ["Identical."]
    view.set_document(Document(9, changed_at(made, "traces.1.score", 0.5), Rules()))
    (message,) = view.messages.messages
    assert message.text.startswith("Different. A report on 2 traces, written 2") and message.fault
    assert "1 differs" in message.text
    assert "traces.1.score: 0.5 is recorded, 0." in message.text
    rows = [[cell.text for cell in row.cells] for row in view.table.figures.rows]
    assert [row[-1] for row in rows] == ["identical", "differs: score"]
    assert {row.cells[1].said for row in view.table.figures.rows} == {"rejected"}
    assert user.find(view, type(view.table), "Traces of the report", visible=False) is view.table
