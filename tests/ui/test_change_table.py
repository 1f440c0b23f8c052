"""What would change it, as rows of a table and in the copied answer."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from kpinspector.app.answers import explanation_of
from kpinspector.app.document import Document, Rules
from kpinspector.scoring.formula.assess import Verdict, assess
from kpinspector.scoring.novelty.sequence import Measured, Place
from kpinspector.trace.records import Source, TraceRecord
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.panes.why import ChangeTable, WhyView
from kpinspector.words.explanation import explain
from tests.cases import build
from tests.known import present

CALLS = [{"type": "tool_call", "tool": {"name": name}} for name in ("a", "b", "b")]


def answer(steps, confidence=0.9, similarity=0.3, threshold=0.75, *, success=True, profile=None):
    case = (steps, confidence, success, similarity, profile, threshold)
    trace, measurement, profile, _ = build(case)
    record = TraceRecord(Source("a.json", None, 1), trace, ())
    measured = Measured(record, Place("a", variant=False, flags=()), measurement)
    return explanation_of(Document(0, record, Rules(profile, threshold), measured))


def texts(table):
    model = table.model()
    roles = (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.DisplayRole)
    cells = []
    for row in range(model.rowCount()):
        indexes = [model.index(row, column) for column in range(model.columnCount())]
        cells.append([next((str(i.data(r)) for r in roles if i.data(r)), "") for i in indexes])
    return cells


def test_the_score_gate_is_said_as_it_is_seen_where_the_schema_fails(qtbot):
    table = ChangeTable()
    qtbot.addWidget(table)
    one = answer([{"type": "thought"}, *CALLS])
    measured = one.measured
    facts = replace(measured.measurement.facts, schema_valid=False)
    measured = replace(measured, measurement=replace(measured.measurement, facts=facts))
    one = explain(measured, assess(measured.measurement, one.assessment.profile, 0.75))
    changes = present(one.changes).changes
    assert any(change.after.score_passes for change in changes)
    assert {change.after.verdict for change in changes} == {Verdict.REJECTED}
    table.set_explanation(one)
    gates = [row[3] for row in texts(table) if row[-1].startswith("Try: ")]
    assert gates == ["passed" if change.after.score_passes else "failed" for change in changes]


@pytest.mark.parametrize("width", [600, 410, 330])
def test_every_remark_is_shown_whole(qtbot, width):
    table = ChangeTable()
    qtbot.addWidget(table)
    table.resize(width, 300)
    table.show()
    table.set_explanation(answer([{"type": "thought"}, *CALLS[1:]], threshold=0.6))
    said = []
    for number, row in enumerate(table.figures.rows):
        start = 0
        for cell in row.cells:
            if cell.role is TextRole.CAPTION and cell.text:
                room = sum(table.columnWidth(start + one) for one in range(cell.span))
                assert table.cells.metrics[cell.role].horizontalAdvance(cell.text) <= room, number
                said.append(cell.text)
            start += cell.span
    assert any("tool monotony no longer fires" in text for text in said)
    assert "now 0.9" in said


def test_an_accepted_trace_has_no_such_section(qtbot):
    view = WhyView()
    qtbot.addWidget(view)
    view.set_explanation(answer([{"type": "thought"}, *CALLS], threshold=0.1))
    assert not present(view.findChild(ChangeTable)).isVisibleTo(view)
    view.set_explanation(answer([{"type": "thought"}, *CALLS]))
    assert present(view.findChild(ChangeTable)).isVisibleTo(view)
