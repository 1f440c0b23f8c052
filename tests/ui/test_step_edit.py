"""What can be tried of one step: every control asks for the whole edit of that step."""

import pytest
from PySide6.QtCore import Qt

from kpinspector.scoring.whatif.scenario import StepEdit
from kpinspector.trace.model import StepType
from kpinspector.ui.steps.step_detail import StepEditRow
from tests.ui.documents import trace

STEPS = trace(
    [
        {"type": "thought", "content": "a"},
        {"type": "tool_call", "tool": {"name": "grep"}},
        {"type": "note", "tool": {"name": 7}},
        {"type": "tool_call", "tool": {"name": "x" * 5000 + "\n"}},
    ]
).steps


class Heard(StepEditRow):
    """With what it wished for."""

    wishes: list[tuple[object, str]]


@pytest.fixture
def row(qtbot):
    made = Heard()
    qtbot.addWidget(made)
    made.wishes = []
    made.wished.connect(made.wishes.append)
    made.show()
    return made


def choose(row, text):
    place = row.kind.findText(text)
    row.kind.setCurrentIndex(place)
    row.kind.activated.emit(place)


def test_it_is_there_only_for_a_step_while_what_if_is_on(row):
    for step, edit in ((None, None), (STEPS[0], None), (None, StepEdit(0))):
        row.set_step(step, edit)
        assert not row.isVisible()
    row.set_step(STEPS[0], StepEdit(0))
    assert row.isVisible()


def test_another_kind_and_back(row):
    row.set_step(STEPS[0], StepEdit(0, tool="x"))
    choose(row, "Recovery")
    choose(row, "Thought")
    assert row.wishes == [
        (StepEdit(0, type=StepType.ERROR_RECOVERY, tool="x"), "type"),
        (StepEdit(0, tool="x"), "type"),
    ]


def test_a_kind_that_is_none_of_the_four_can_be_gone_back_to(row):
    row.set_step(STEPS[2], StepEdit(2))
    assert row.kind.currentText() == "Unknown type" and row.kind.count() == 5
    choose(row, "Observation")
    choose(row, "Unknown type")
    assert [edit.type for edit, _ in row.wishes] == [StepType.OBSERVATION, None]
    row.set_step(STEPS[1], StepEdit(1))
    assert row.kind.count() == 4


def test_the_tool_is_tried_as_it_is_typed(row, qtbot):
    row.set_step(STEPS[1], StepEdit(1))
    row.tool.setFocus()
    row.tool.end(False)
    qtbot.keyClicks(row.tool, " 2")
    assert [edit.tool for edit, _ in row.wishes] == [None, "grep 2"]
    row.tool.selectAll()
    qtbot.keyClick(row.tool, Qt.Key.Key_Delete)
    assert row.wishes[-1] == (StepEdit(1, tool=""), "tool")


def test_news_of_the_same_step_leave_the_cursor_where_it_is(row, qtbot):
    row.set_step(STEPS[1], StepEdit(1))
    row.tool.setCursorPosition(1)
    qtbot.keyClicks(row.tool, "a")
    row.set_step(STEPS[1], StepEdit(1, tool="garep"))
    assert row.tool.cursorPosition() == 2
    row.set_step(STEPS[1], StepEdit(1, tool="other"))
    assert row.tool.text() == "other"


def test_a_name_that_is_no_text_or_endless_is_shown_short_and_stays_the_steps_own(row, qtbot):
    row.set_step(STEPS[2], StepEdit(2))
    assert row.tool.text() == "7"
    row.set_step(STEPS[3], StepEdit(3))
    assert len(row.tool.text()) <= 200
    row.tool.setCursorPosition(0)
    qtbot.keyClick(row.tool, Qt.Key.Key_Delete)
    assert row.wishes[-1][0].tool.startswith("x")
    row.tool.undo()
    assert row.wishes[-1][0] == StepEdit(3)
