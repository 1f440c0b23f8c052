"""Results of parallel calls hang under their own call, or under none; they say whose they are."""

import json

import pytest
from PySide6.QtCore import QModelIndex

from kpinspector.app.document import Document, Rules
from kpinspector.runs.follow import Follower
from kpinspector.runs.read import restated
from kpinspector.runs.rules import RunOutcome
from kpinspector.runs.stated import Stated
from kpinspector.ui.steps import step_fields
from kpinspector.ui.steps.step_model import StepColumn
from tests.e2e.test_convert import call, line, result
from tests.known import present
from tests.runs import made
from tests.ui.step_panes import shown_pane

# steps 1 and 2 are calls, 3 and 4 their results: what hangs under step 2, and whose result is named
LINES = [
    line("user", "Find the leak."),
    line("assistant", [{"type": "text", "text": "I look."}], answer="a"),
    *(line("assistant", [call("Read", number)], answer="a") for number in (1, 2)),
    *(line("user", [result(number, f"line {number}")]) for number in (1, 2)),
    line("assistant", [{"type": "text", "text": "Once more."}], answer="b"),
    *(line("assistant", [call("Read", number)], answer="b") for number in (3, 4)),
    *(line("user", [result(number, f"line {number}")]) for number in (3, 4)),
]
ORDERS = {
    "in the order of the calls": ([1, 2], [], {3: "Step 1", 4: "Step 2"}),
    "as they finish": ([2, 1], [3], {4: "Step 1"}),
}


def document(order):
    lines = [
        line("user", "Find the leak."),
        line("assistant", [{"type": "text", "text": "I look."}], answer="a"),
        *(line("assistant", [call("Read", number)], answer="a") for number in (1, 2)),
        *(line("user", [result(number, f"line {number}")]) for number in order),
    ]
    return shown(lines)


def shown(lines):
    (record,) = made.run_records("".join(f"{json.dumps(one)}\n" for one in lines).encode())
    return Document(1, record, Rules())


def rows(model, parent=QModelIndex()):
    """What the tree shows, with what hangs under each row."""
    indexes = [model.index(row, 0, parent) for row in range(model.rowCount(parent))]
    return [
        (one.data(), one.siblingAtColumn(StepColumn.CONTENT).data(), rows(model, one))
        for one in indexes
    ]


@pytest.mark.parametrize("name", ORDERS)
def test_a_result_hangs_under_its_own_call_only(qtbot, name):
    order, under, whose = ORDERS[name]
    pane, row = shown_pane(qtbot), document(order)
    pane.set_document(row)
    results = present(row.record).trace.steps[3:]
    model = pane.tree.steps
    parents = {step.index: model.index_of(step).parent() for step in results}
    assert [number for number, parent in parents.items() if parent.isValid()] == under
    said = {
        step.index: field.text
        for step in results
        for field in step_fields.fields_of(row, step, ())
        if field.label == "Result of"
    }
    assert said == whose


@pytest.mark.parametrize("first", range(2, len(LINES)))
@pytest.mark.parametrize("more", [1, 2, 3])
def test_a_run_that_goes_on_shows_what_it_shows_when_it_is_opened_anew(
    qtbot, first, more, tmp_path
):
    pane, anew = shown_pane(qtbot), shown_pane(qtbot)
    path, follower = tmp_path / "run.jsonl", Follower("run.jsonl")
    for end in range(first, len(LINES) + more, more):
        path.write_text("".join(f"{json.dumps(one)}\n" for one in LINES[:end]), encoding="utf-8")
        (record,) = present(follower.read(path)).traces  # with the steps that it gave before
        pane.set_document(Document(1, record, Rules()))
        pane.tree.viewport().grab()
        anew.set_document(shown(LINES[:end]))
        assert rows(pane.tree.steps) == rows(anew.tree.steps)
        anew.set_document(None)


def test_what_is_stated_of_a_run_moves_none_of_its_steps(qtbot):
    pane, row = shown_pane(qtbot), shown(LINES)
    pane.set_document(row)
    before = rows(pane.tree.steps)
    pane.set_document(
        row.restated(restated(present(row.run), Stated(RunOutcome(0.9, success=True))))
    )
    assert rows(pane.tree.steps) == before
