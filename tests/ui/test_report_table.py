"""The table of a report's traces, painted."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication

from kpinspector.app.document import Document, Rules
from kpinspector.ui.look.theme import colours, set_palette
from kpinspector.ui.traces.report_table import ReportColumn, ReportModel, ReportTable, ReportView
from tests.known import of
from tests.scoring.replays import TWO, changed_at, reread
from tests.scoring.test_report import report_of
from tests.ui.documents import report, scored


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def table(qtbot, request):
    set_palette(of(QApplication, QApplication.instance()), dark=request.param)
    model = ReportModel()
    table = ReportTable(model)
    qtbot.addWidget(table)
    model.setParent(table)
    rows = scored(0, "/t/a.json"), scored(1, "/t/b.json", value=0.0, confidence=0.4)
    model.set_document(report(9, *rows))
    table.resize(620, 200)
    with qtbot.waitExposed(table):
        table.show()
    yield table
    set_palette(of(QApplication, QApplication.instance()), dark=False)


def column_colours(table, row, column):
    rect = table.visualRect(table.model().index(row, column))
    image = table.viewport().grab(rect).toImage()
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


def test_states_are_told_by_their_shapes(table):
    found = colours(table.palette())
    assert found.accepted.name() in column_colours(table, 0, ReportColumn.STATE)
    assert found.rejected.name() in column_colours(table, 1, ReportColumn.STATE)


def test_the_trace_has_what_the_others_leave(table):
    widths = [table.columnWidth(column) for column in ReportColumn]
    assert sum(widths) == table.viewport().width()
    table.resize(420, 200)
    assert table.columnWidth(ReportColumn.TRACE) < widths[ReportColumn.TRACE]
    assert table.columnWidth(ReportColumn.SCORE) == widths[ReportColumn.SCORE]


def test_the_table_has_a_name(table):
    found = QAccessible.queryAccessibleInterface(table)
    assert found.text(QAccessible.Text.Name) == "Traces of the report"


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
    shown = [view.model.index(n, ReportColumn.AGAIN).data() for n in range(2)]
    assert shown == ["identical", "differs: score"]
