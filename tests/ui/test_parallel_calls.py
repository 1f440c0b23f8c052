"""Results of parallel calls hang under their own call, or under none; they say whose they are."""

import json

import pytest

from kpinspector.app.document import Document, Rules
from kpinspector.ui.steps import step_fields
from tests.e2e.test_convert import call, line, result
from tests.known import present
from tests.runs import made
from tests.ui.step_panes import shown_pane

# steps 1 and 2 are calls, 3 and 4 their results: what hangs under step 2, and whose result is named
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
    (record,) = made.run_records("".join(f"{json.dumps(one)}\n" for one in lines).encode())
    return Document(1, record, Rules())


@pytest.mark.parametrize("name", ORDERS)
def test_a_result_hangs_under_its_own_call_only(qtbot, name):
    order, under, whose = ORDERS[name]
    pane, shown = shown_pane(qtbot), document(order)
    pane.set_document(shown)
    results = present(shown.record).trace.steps[3:]
    model = pane.tree.steps
    parents = {step.index: model.index_of(step).parent() for step in results}
    assert [number for number, parent in parents.items() if parent.isValid()] == under
    said = {
        step.index: field.text
        for step in results
        for field in step_fields.fields_of(shown, step, ())
        if field.label == "Result of"
    }
    assert said == whose
