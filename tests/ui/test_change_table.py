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
from kpinspector.ui.score.score_tables import ChangeTable, TryWish
from kpinspector.ui.score.why_view import WhyView
from kpinspector.words.explanation import explain
from kpinspector.words.writers.explanation_text import explanation_cells
from tests.answers import MEDICAL
from tests.cases import build
from tests.known import of, present

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


def test_each_change_has_its_words_and_its_score(qtbot):
    table = ChangeTable()
    qtbot.addWidget(table)
    table.set_explanation(answer([{"type": "thought"}, *CALLS]))
    rows = texts(table)
    assert any("Similarity at most" in cell for row in rows for cell in row)
    assert all(len(row) == 6 for row in rows)
    tried = [row for row in rows if row[-1].startswith("Try: ")]
    assert len(tried) == sum(row.wish is not None for row in table.figures.rows)
    assert rows == tried


def test_the_score_gate_is_said_as_it_is_seen_where_the_schema_fails(qtbot):
    table = ChangeTable()
    qtbot.addWidget(table)
    one = answer([{"type": "thought"}, *CALLS])
    measured = one.measured
    facts = replace(measured.measurement.facts, schema_valid=False)
    measured = replace(measured, measurement=replace(measured.measurement, facts=facts))
    one = explain(measured, assess(measured.measurement, one.assessment.profile, 0.75))
    changes = present(one.changes).changes
    assert any(change.reaches for change in changes)
    assert {change.after.verdict for change in changes} == {Verdict.REJECTED}
    table.set_explanation(one)
    gates = [row[3] for row in texts(table) if row[-1].startswith("Try: ")]
    assert gates == ["passed" if change.reaches else "failed" for change in changes]


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


def test_remarks_find_their_place_when_the_pane_changes(qtbot):
    table = ChangeTable()
    qtbot.addWidget(table)
    table.resize(900, 300)
    table.show()
    table.set_explanation(answer([{"type": "thought"}, *CALLS[1:]], threshold=0.6))
    beside = table.figures.rowCount()
    table.resize(330, 300)
    assert table.figures.rowCount() > beside
    table.resize(900, 300)
    assert table.figures.rowCount() == beside


def test_each_change_can_be_tried_by_mouse_and_keys(qtbot):
    table = ChangeTable()
    qtbot.addWidget(table)
    table.set_explanation(answer([{"type": "thought"}, *CALLS]))
    table.resize(400, 200)
    table.show()
    changes = [of(TryWish, row.wish).scenario for row in table.figures.rows if row.wish is not None]
    place = table.visualRect(table.model().index(1, 5)).center()
    with qtbot.waitSignal(table.row_activated) as tried:
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert tried.args[0].scenario == changes[1]
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Up)
    with qtbot.waitSignal(table.row_activated) as tried:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert tried.args[0].scenario == changes[0]


@pytest.mark.parametrize("room", [900, 440, 400, 350, 320, 300])
def test_no_figure_is_cut_however_narrow_it_is(qtbot, room):
    table = ChangeTable()
    qtbot.addWidget(table)
    table.resize(room, 300)
    table.set_explanation(answer([{"type": "thought"}, *CALLS]))
    table.show()
    columns = [n for n in range(6) if not table.isColumnHidden(n)]
    assert sum(table.columnWidth(n) for n in columns) <= table.viewport().width()
    assert columns == list(range(6))
    for row in range(table.figures.rowCount()):
        for number in {2, 4} & set(columns):
            cell = table.figures.cell(row, number)
            if cell is not None and cell.span == 1 and any(map(str.isdigit, cell.text)):
                needed = table.cells.metrics[cell.role].horizontalAdvance(cell.text)
                assert needed <= table.columnWidth(number), cell.text


def test_success_and_confidence_together_are_one_row(qtbot):
    table = ChangeTable()
    qtbot.addWidget(table)
    steps = [{"type": "thought"}, *CALLS[:2]] * 4
    table.set_explanation(answer(steps, 0.3, 0.4, threshold=0.6, success=False, profile=MEDICAL))
    rows = texts(table)
    (row,) = [one for one in rows if one[1].startswith("Success with confidence at least")]
    assert row[:1] == ["O"] and row[3] == "passed"
    assert row[5] == f"Try: {row[1]}"
    wish = of(TryWish, next(one.wish for one in table.figures.rows if one.cells[1].text == row[1]))
    assert wish.scenario.success and present(wish.scenario.confidence) > 0.3


def test_changes_that_reach_only_together_are_tried_together(qtbot):
    table = ChangeTable()
    qtbot.addWidget(table)
    steps = [{"type": "thought"}, *CALLS[:2], {"type": "observation"}]
    table.set_explanation(answer(steps, 0.9, 0.9, threshold=0.7, success=False))
    rows = texts(table)
    place = next(n for n, row in enumerate(rows) if row[1] == "Success instead of failure")
    first, second = rows[place : place + 2]
    assert (first[0], second[0]) == ("O", "N")
    assert second[1].startswith("and similarity at most 0.") and second[3:] == ["", "", ""]
    assert first[3:5] == ["passed", "0.7000"]
    assert first[5] == f"Try: Success instead of failure and {second[1].removeprefix('and ')}"
    wishes = [of(TryWish, table.figures.rows[one].wish) for one in (place, place + 1)]
    assert wishes[0] == wishes[1]
    assert wishes[0].scenario.success and present(wishes[0].scenario.novelty) > 0.1


def test_an_accepted_trace_has_no_such_section(qtbot):
    view = WhyView()
    qtbot.addWidget(view)
    view.set_explanation(answer([{"type": "thought"}, *CALLS], threshold=0.1))
    assert not present(view.findChild(ChangeTable)).isVisibleTo(view)
    view.set_explanation(answer([{"type": "thought"}, *CALLS]))
    assert present(view.findChild(ChangeTable)).isVisibleTo(view)


@pytest.mark.parametrize("threshold", [0.75, 0.1])
def test_the_copied_answer_holds_the_same(threshold):
    one = answer([{"type": "thought"}, *CALLS], threshold=threshold)
    text = explanation_cells(one)
    assert ("What would change it\tthe formula, not advice" in text) is (threshold > 0.5)
