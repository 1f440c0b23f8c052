"""The table of a report's traces, painted."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication

from kpinspector.scoring.report.read import FoundReport
from kpinspector.ui.look.theme import colours, set_palette
from kpinspector.ui.traces.report_table import ReportColumn, ReportModel, ReportTable
from tests.known import of
from tests.ui.documents import report, scored


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def table(qtbot, request):
    set_palette(of(QApplication, QApplication.instance()), dark=request.param)
    model = ReportModel()
    table = ReportTable(model)
    qtbot.addWidget(table)
    model.setParent(table)
    rows = scored(0, "/t/a.json"), scored(1, "/t/b.json", value=0.0, confidence=0.4)
    model.set_report(of(FoundReport, report(9, *rows).item).report)
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
