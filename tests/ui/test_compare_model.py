"""The rows of a comparison, in words and as a model."""

import pytest
from hypothesis import given, settings
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from kpinspector.trace.align import Likeness, align
from kpinspector.trace.model import trace_from_json
from kpinspector.ui.compare.compare_view import (
    SIGNS,
    CompareModel,
    CompareRole,
    make_row,
    spoken_row,
)
from kpinspector.ui.look.icons import IconName
from tests.strategies import traces
from tests.ui.comparisons import comparison
from tests.ui.documents import scored

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
NAMES = ("visit-03", "visit-08")
ROLE = Qt.ItemDataRole


@pytest.fixture
def model(qtbot):
    model = CompareModel()
    QAbstractItemModelTester(model, FATAL, model)
    return model


def outline(model):
    """Sign and numbers of every row."""
    found = []
    for row in range(model.rowCount()):
        shown = model.index(row, 0).data(CompareRole.ROW)
        numbers = ("" if one is None else one.number for one in (shown.left, shown.right))
        found.append(SIGNS[shown.likeness].join(numbers))
    return found


def spoken(model):
    rows = range(model.rowCount())
    return [model.index(row, 0).data(ROLE.AccessibleTextRole) for row in rows]


def test_every_pair_is_a_row_with_its_sign(model):
    model.set_alignment(comparison().alignment, NAMES)
    assert outline(model) == [
        "=",
        "0\N{NOT EQUAL TO}0",
        "1\N{NOT EQUAL TO}1",
        "+2",
        "2=3",
        "3\N{MINUS SIGN}",
    ]
    assert [model.counts[one] for one in Likeness] == [2, 2, 1, 1]
    assert model.differences == (1, 2, 3, 5)


def test_rows_of_one_likeness(model):
    model.set_only(Likeness.CHANGED)
    model.set_alignment(comparison().alignment, NAMES)
    assert outline(model) == ["0\N{NOT EQUAL TO}0", "1\N{NOT EQUAL TO}1"]
    assert model.differences == (0, 1)
    assert (model.row_of(2), model.row_of(3), model.number_at(1)) == (1, None, 2)
    model.set_only(Likeness.ONLY_LEFT)
    assert outline(model) == ["3\N{MINUS SIGN}"]
    model.set_only(None)
    assert len(outline(model)) == 6


def test_the_same_traces_are_not_reset(model, qtbot):
    shown = comparison().alignment
    model.set_alignment(shown, NAMES)
    with qtbot.assertNotEmitted(model.modelReset):
        model.set_alignment(shown, ("other", "names"))
    assert "only in other" in spoken(model)[5]
    with qtbot.waitSignal(model.modelReset):
        model.set_alignment(comparison().alignment, NAMES)


def test_every_row_is_told_in_words(model):
    model.set_alignment(comparison().alignment, NAMES)
    objective, words, tool, recovery, same, only = spoken(model)
    assert objective == "the same: Objective. Review the potassium trend"
    assert words == (
        "changed: Thought 0 in visit-03: Take 50 mg of ramipril a day;"
        " Thought 0 in visit-08: Take 25 mg of lisinopril a day"
    )
    assert tool == (
        "changed: Tool call ehr.read 1 in visit-03: patient: p-1;"
        " Tool call lab.query 1 in visit-08: patient: p-1"
    )
    assert recovery == "only in visit-08: Recovery 2. Ask again"
    assert same == "the same: Observation 2 and 3. K 5.1"
    assert only == "only in visit-03: Thought 3. Stop it"


def test_marks_stand_at_the_words_that_differ(model):
    model.set_alignment(comparison().alignment, NAMES)
    shown = model.index(1, 0).data(CompareRole.ROW)
    assert [shown.left.text[a:b] for a, b in shown.left.marks] == ["50", "ramipril"]
    assert [shown.right.text[a:b] for a, b in shown.right.marks] == ["25", "lisinopril"]
    call = model.index(2, 0).data(CompareRole.ROW)
    assert call.left.tool_changed and call.right.tool_changed
    assert call.left.icon is IconName.TOOL_CALL
    assert not call.left.marks


def test_an_unknown_type_and_a_late_beginning(model):
    long = "the same words over and over again, then "
    left = scored(0, steps=[{"type": "plan", "content": long + "one\nmore"}])
    right = scored(1, steps=[{"type": "plan", "content": long + "two\nmore"}])
    model.set_alignment(comparison(left, right).alignment, NAMES)
    shown = model.index(1, 0).data(CompareRole.ROW)
    assert shown.left.kind == "Unknown type" and shown.left.icon is IconName.FILE
    assert shown.left.text == "… over and over again, then one more"
    assert [shown.left.text[a:b] for a, b in shown.left.marks] == ["one"]


def test_tooltips_are_plain_and_hold_both_sides(model):
    left = scored(0, steps=[{"type": "thought", "content": "<b>one</b>"}])
    right = scored(1, steps=[{"type": "thought", "content": "two"}])
    model.set_alignment(comparison(left, right).alignment, NAMES)
    tip = model.index(1, 0).data(ROLE.ToolTipRole)
    assert tip == "<qt>visit-03: &lt;b&gt;one&lt;/b&gt;<br>visit-08: two</qt>"
    assert model.index(1, 0).data(ROLE.DisplayRole) == "<b>one</b>"


def test_many_rows_are_shown_without_keeping_them_all(model):
    steps = [{"type": "thought", "content": f"step {number}"} for number in range(2000)]
    model.set_alignment(comparison(scored(0, steps=steps), scored(1, steps=steps)).alignment, NAMES)
    assert len(spoken(model)) == 2001
    assert len(model._rows) <= 256


@pytest.mark.slow
@given(traces(), traces())
@settings(deadline=None)
def test_hostile_steps_are_told_in_one_line(one, other):
    for pair in align(trace_from_json(one), trace_from_json(other)).pairs:
        row = make_row(pair)
        for cell in (row.left, row.right):
            if cell is not None:
                assert "\n" not in cell.text and "\u202e" not in cell.text
                assert all(a < b <= len(cell.text) for a, b in cell.marks)
        assert spoken_row(row, NAMES)
