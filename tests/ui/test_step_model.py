from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from kpinspector.scoring.formula.measurement import Reach
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from kpinspector.trace.model import StepType
from kpinspector.ui.look.plain_text import brief_value
from kpinspector.ui.steps.step_model import StepColumn, StepModel, StepRole
from kpinspector.ui.steps.step_row import RowKind, milliseconds
from kpinspector.ui.whatif.whatif_case import case_of
from tests import undecided
from tests.known import present
from tests.ui.documents import STEPS, scored, trace

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
TYPE, TOOL = "complexity: new type", "tool diversity: first use"
LINE = "Embedding window ends here, token 512: novelty sees nothing below"


@pytest.fixture
def model(qapp):
    model = StepModel()
    tester = QAbstractItemModelTester(model, FATAL)
    yield model
    del tester


def outline(model, parent: QModelIndex = QModelIndex(), depth: int = 0) -> list[str]:
    lines = []
    for row in range(model.rowCount(parent)):
        cells = [model.index(row, column, parent) for column in StepColumn]
        rail = "|" if cells[0].data(StepRole.ROW).seen else " "
        text = "; ".join(str(cell.data()) for cell in cells)
        lines.append(f"{rail}{'  ' * depth}{text}")
        lines += outline(model, cells[0], depth + 1)
    return lines


def reach(step: int | None, *, truncated: bool = True) -> Reach:
    return Reach(tokens=512, truncated=truncated, ends_at_step=step)


def test_outline_without_a_known_window(model: StepModel) -> None:
    model.set_trace(trace())
    assert outline(model) == [
        " ; Objective; Review the potassium trend; ; ",
        " 0; Thought; Read the chart.; ; complexity: new type",
        f" 1; Tool call; ehr.read  patient: p-1, hours: 72; 310; {TYPE}, {TOOL}",
        "   2; Observation; K 5.1; ; complexity: new type",
        f" 3; Recovery; lab.query  Ask again.; ; {TYPE}, {TOOL}, complexity: recovery",
    ]


def numbers(model) -> list[str]:
    return [line.split(";")[0] for line in outline(model)]


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (None, ["|", " ", " 0", " 1", "   2", " 3"]),
        (0, ["|", "|0", " ", " 1", "   2", " 3"]),
        (1, ["|", "|0", "|1", "   ", "   2", " 3"]),
        (2, ["|", "|0", "|1", "|  2", " ", " 3"]),
        (3, ["|", "|0", "|1", "|  2", "|3", " "]),
    ],
)
def test_the_line_stands_where_the_window_ends(model: StepModel, end, expected) -> None:
    model.set_trace(trace(), reach(end))
    assert numbers(model) == expected


def test_no_line_where_novelty_sees_all(model: StepModel) -> None:
    model.set_trace(trace(), reach(None, truncated=False))
    assert numbers(model) == ["|", "|0", "|1", "|  2", "|3"]


def test_the_line_is_read_out_but_not_selected(model: StepModel) -> None:
    model.set_trace(trace(), reach(0))
    line = model.index(2, StepColumn.CONTENT)
    assert line.data(StepRole.ROW).kind is RowKind.WINDOW_END
    assert line.data(Qt.ItemDataRole.AccessibleTextRole) == LINE
    assert not line.flags() & Qt.ItemFlag.ItemIsSelectable
    assert model.index(1, 0).flags() & Qt.ItemFlag.ItemIsSelectable


def test_steps_are_found_again(model: StepModel) -> None:
    shown = trace()
    model.set_trace(shown, reach(1))
    for step in shown.steps:
        assert model.index_of(step).data(StepRole.STEP) is step
    assert model.index_of(None).data(StepRole.ROW).kind is RowKind.OBJECTIVE
    model.set_trace(None)
    assert not model.index_of(None).isValid()
    assert model.rowCount() == 0


def test_counts(model: StepModel) -> None:
    model.set_trace(trace([*STEPS, {"type": "dream"}, {}]))
    assert [model.outline.kinds[kind] for kind in (*StepType, None)] == [1, 1, 1, 1, 2]


def test_hostile_content_is_one_plain_line(model: StepModel) -> None:
    content = "<b>x</b>\x00\u202e\x1b\n" + "y" * 20_000_000
    model.set_trace(trace([{"type": "thought", "content": content}], objective="\ud800<i>"))
    assert model.index(1, StepColumn.CONTENT).data() == "<b>x</b>␀␛"
    assert model.index(0, StepColumn.CONTENT).data() == "\ufffd<i>"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (310, "310"),
        (12345.6, "12,346"),
        (-1, "\N{MINUS SIGN}1"),
        (10**400, ""),
        (1e300, "1e+300"),
        (True, ""),
        ("9", ""),
        (None, ""),
    ],
)
def test_milliseconds(value, shown: str) -> None:
    assert milliseconds(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (
            {"a": [1], "b": {}, "c": None, "d": True, "e": "x\ny"},
            "a: […], b: {}, c: null, d: true, e: x",
        ),
        ([1, "two", []], "1, two, []"),
        ("text", "text"),
        (1.5, "1.5"),
    ],
)
def test_brief_value(value, shown: str) -> None:
    assert brief_value(value) == shown


def test_kind_filter_keeps_the_call_above(model: StepModel) -> None:
    model.set_trace(trace(), reach(3))
    model.set_kind(StepType.OBSERVATION)
    assert numbers(model) == ["|1", "|  2"]
    call = model.index(0, 0)
    assert not model.matches(call)
    assert model.matches(model.index(0, 0, call))
    model.set_kind(StepType.TOOL_CALL)
    assert numbers(model) == ["|1"]
    model.set_kind(None)
    assert len(numbers(model)) == 6


@pytest.mark.parametrize("end", [None, 0, 1, 2, 3])
@pytest.mark.parametrize("kind", [None, StepType.OBSERVATION])
def test_what_novelty_sees_is_known_later_and_nothing_is_made_anew(
    model: StepModel, qtbot, end, kind
) -> None:
    shown = trace()
    model.set_trace(shown, reach(end))
    model.set_kind(kind)
    expected, numbered = outline(model), numbers(model)
    model.set_trace(shown)
    kept = QPersistentModelIndex(model.index_of(shown.steps[1]))
    with qtbot.assertNotEmitted(model.modelReset):
        assert model.set_reach(reach(end))
    assert outline(model) == expected and numbers(model) == numbered
    assert kept.isValid() and kept.data(StepRole.STEP) is shown.steps[1]
    assert [model.index_of(step).data(StepRole.STEP) for step in shown.steps if kind is None] == [
        step for step in shown.steps if kind is None
    ]
    assert model.window_sentence


def test_thirty_thousand_steps(qapp) -> None:
    model = StepModel()  # the tester would take minutes over so many
    model.set_trace(trace(STEPS * 7500), reach(20_000))
    assert model.rowCount() == 2 + 3 * 7500
    model.set_kind(StepType.ERROR_RECOVERY)
    assert model.rowCount() == 7500


def tried(model: StepModel, *edits: StepEdit) -> None:
    case = present(case_of(scored(0), Scenario(edits=edits)))
    model.set_tried(*case.tried)


def test_what_is_tried_of_steps_and_what_they_then_bring(model: StepModel) -> None:
    model.set_trace(trace())
    tried(
        model,
        StepEdit(0, left_out=True),
        StepEdit(1, tool="lab.query"),
        StepEdit(3, type=StepType.THOUGHT),
    )
    assert outline(model) == [
        " ; Objective; Review the potassium trend; ; ",
        " 0; Thought; Read the chart.; ; ",
        f" 1; Tool call; lab.query  patient: p-1, hours: 72; 310; {TYPE}, {TOOL}",
        "   2; Observation; K 5.1; ; complexity: new type",
        f" 3; Thought; lab.query  Ask again.; ; {TYPE}",
    ]
    said = Qt.ItemDataRole.AccessibleTextRole
    words = {
        (row, column): model.index(row, column).data(said)
        for row, column in (
            (1, StepColumn.CONTENT),
            (2, StepColumn.CONTENT),
            (3, StepColumn.KIND),
            (3, StepColumn.CONTENT),
        )
    }
    assert list(words.values()) == [
        "left out: Read the chart.",
        "lab.query  patient: p-1, hours: 72, in the file the tool is ehr.read",
        "Thought, in the file Recovery",
        "lab.query  Ask again.",
    ]
    tried(model)
    assert outline(model)[1] == " 0; Thought; Read the chart.; ; complexity: new type"


def test_only_the_rows_that_are_others_are_news(model: StepModel, qtbot) -> None:
    model.set_trace(trace())
    heard = []
    model.dataChanged.connect(
        lambda first, last: heard.append((first.siblingAtColumn(0).data(), last.column()))
    )
    tried(model, StepEdit(1, tool="lab.query"))
    assert sorted(heard) == [("1", 4), ("3", 4)]
    heard.clear()
    tried(model, StepEdit(1, tool="lab.query"))
    assert heard == []
    model.set_trace(trace())
    assert "ehr.read" in outline(model)[2]


@pytest.mark.parametrize("end", [None, reach(9, truncated=False), reach(2)])
def test_steps_that_are_appended_give_the_same_tree_as_all_at_once(model, end):
    kinds = ["thought", "tool_call", "observation", "tool_call", "thought", "observation"] * 3
    whole = trace([{"type": kind, "content": kind} for kind in kinds])
    resets = []
    model.set_trace(replace(whole, steps=whole.steps[:4]), end)
    model.modelReset.connect(lambda: resets.append(1))
    for count in (4, 5, 6, 9, 10, 14, 15, len(kinds)):
        longer = replace(whole, steps=whole.steps[:count])
        assert model.append(longer, end)
        anew = StepModel()
        anew.set_trace(longer, end)
        assert outline(model) == outline(anew)
        assert all(model.index_of(one).data() == anew.index_of(one).data() for one in longer.steps)
    assert resets == []


@pytest.mark.parametrize(("before", "now"), [({}, {2: 0}), ({2: 0}, {})])
def test_a_tree_in_which_a_result_turns_out_to_be_another_calls_is_not_appended_to(
    model, before, now
):
    kinds = ["tool_call", "tool_call", "observation", "thought"]
    whole = trace([{"type": kind, "content": kind} for kind in kinds])
    run = present(undecided.record()).imported.mapped
    model.run = replace(run, answered=before)
    model.set_trace(replace(whole, steps=whole.steps[:3]), None)
    model.run = replace(run, answered=now)
    assert not model.append(whole, None)


def test_a_tree_whose_other_rows_would_change_is_not_appended_to(model):
    whole = trace([{"type": "thought", "content": str(number)} for number in range(4)])
    model.set_trace(replace(whole, steps=whole.steps[:3]), reach(1))
    assert not model.append(whole, reach(2))
    assert not model.append(replace(whole, objective="another"), reach(1))
    assert not model.append(replace(whole, steps=whole.steps[:2]), reach(1))
    assert not model.append(replace(whole, steps=whole.steps[1:]), reach(1))
    model.set_kind(StepType.THOUGHT)
    assert not model.append(whole, reach(1))
