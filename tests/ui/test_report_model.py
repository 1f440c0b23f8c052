"""The traces of a report as rows."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from kpinspector.scoring.report.read import FoundReport
from kpinspector.scoring.report.replay import Difference, Replay, Why
from kpinspector.ui.traces.report_table import ReportColumn, ReportModel
from tests.known import of
from tests.ui.documents import report, scored

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
HOSTILE = "<b>bold</b>\n\u202e\x00"


@pytest.fixture
def model(qapp):
    model = ReportModel()
    tester = QAbstractItemModelTester(model, FATAL)
    yield model
    tester.deleteLater()


def made():
    rows = scored(0, "/t/a.json"), scored(1, "/t/b.json", value=0.0, confidence=0.4)
    return of(FoundReport, report(9, *rows).item).report


def texts(model, role=Qt.ItemDataRole.DisplayRole):
    columns = range(model.columnCount())
    return [
        [model.index(row, column).data(role) for column in columns]
        for row in range(model.rowCount())
    ]


def test_each_trace_is_a_row(model):
    model.set_report(made())
    assert texts(model) == [
        ["", "0.8495", "a", "medical", ""],
        ["", "0.4460", "b", "medical", ""],
    ]
    said = texts(model, Qt.ItemDataRole.AccessibleTextRole)
    assert said[1] == ["rejected", "0.4460", "b, Review the potassium trend", "medical", ""]
    heads = [
        model.headerData(n, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole)
        for n in ReportColumn
    ]
    assert heads == ["State", "Score", "Trace", "Profile", "Computed again"]
    model.set_report(None)
    assert model.rowCount() == 0


def test_what_came_of_a_replay_changes_one_column(model):
    report_made = made()
    model.set_report(report_made)
    changes: list[Any] = []
    model.dataChanged.connect(lambda top, bottom: changes.append((top, bottom)))
    model.modelReset.connect(lambda: changes.append("reset"))
    path = ("traces", 1, "dimensions", "novelty", "value")
    differences = (
        Difference(path, 0.5, 0.4, Why.EDITED),
        Difference(("checksum",), "a", "b", Why.EDITED),
    )
    model.set_report(report_made, Replay(2, 0, (), 0, 0, (), differences))
    assert [row[-1] for row in texts(model)] == ["identical", "differs: dimensions.novelty.value"]
    ((top, bottom),) = changes
    assert (top.row(), bottom.row()) == (0, 1)
    assert top.column() == bottom.column() == ReportColumn.AGAIN
    tooltip = texts(model, Qt.ItemDataRole.ToolTipRole)[1][-1]
    assert "0.5 is recorded, 0.4 is recomputed" in tooltip
    twice = Replay(2, 0, (), 0, 0, (), (differences[0], *differences), doubled=((0, 1),))
    model.set_report(report_made, twice)
    assert [row[-1] for row in texts(model)][:1] == ["in it twice"]
    first, second = (row[-1] for row in texts(model, Qt.ItemDataRole.ToolTipRole))
    assert "is in the report before, as traces.1" in first and second.count("0.5 is recorded") == 2
    model.set_report(report_made)
    assert [row[-1] for row in texts(model)] == ["", ""]


def test_text_of_a_report_is_shown_as_it_stands(model):
    (entry, _) = made().traces
    hostile = entry.model_copy(update={"objective": HOSTILE, "profile": HOSTILE})
    model.set_report(made().model_copy(update={"traces": (hostile,)}))
    (row,) = texts(model)
    assert row[ReportColumn.PROFILE] == "<b>bold</b>"
    tooltip = texts(model, Qt.ItemDataRole.ToolTipRole)[0][ReportColumn.TRACE]
    assert "&lt;b&gt;bold" in tooltip and "\u202e" not in tooltip and "\x00" not in tooltip
