"""The rows of the tree: their order, what they say, and results of parallel calls."""

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from kpinspector.app.document import Document, Rules
from kpinspector.runs.follow import Follower
from kpinspector.scoring.formula.measurement import Reach
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from kpinspector.trace.model import StepType
from kpinspector.ui.look.plain_text import brief_value
from kpinspector.ui.panes.whatif_case import case_of
from kpinspector.ui.steps.step_fields import fields_of
from kpinspector.ui.steps.step_model import Shown, StepColumn, StepModel, StepRole, milliseconds
from tests.e2e.test_convert import call, line, result
from tests.known import present
from tests.runs import made
from tests.ui.documents import scored
from tests.ui.step_panes import show, shown_pane, visible

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
TYPE, TOOL = "complexity: new type", "tool diversity: first use"
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
    model.show(Shown(scored(0, reach=reach(end))))
    assert numbers(model) == expected


def test_no_line_where_novelty_sees_all(model: StepModel) -> None:
    model.show(Shown(scored(0, reach=reach(None, truncated=False))))
    assert numbers(model) == ["|", "|0", "|1", "|  2", "|3"]


def test_hostile_content_is_one_plain_line(model: StepModel) -> None:
    content = "<b>x</b>\x00\u202e\x1b\n" + "y" * 20_000_000
    steps = [{"type": "thought", "content": content}]
    model.show(Shown(scored(0, steps=steps, objective="\ud800<i>")))
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
    shown = Shown(scored(0, reach=reach(3)))
    model.show(replace(shown, kind=StepType.OBSERVATION))
    assert numbers(model) == ["|1", "|  2"]
    call = model.index(0, 0)
    assert not call.data(StepRole.ROW).kept and model.index(0, 0, call).data(StepRole.ROW).kept
    model.show(replace(shown, kind=StepType.TOOL_CALL))
    assert numbers(model) == ["|1"]
    model.show(shown)
    assert len(numbers(model)) == 6


def tried(model: StepModel, *edits: StepEdit) -> None:
    document = scored(0)
    case = present(case_of(document, Scenario(edits=edits)))
    model.show(Shown(document, case.scenario, *case.tried))


def test_what_is_tried_of_steps_and_what_they_then_bring(model: StepModel) -> None:
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


def first(document: Document, count: int) -> Shown:
    """The first steps of a row."""
    record = present(document.record)
    steps = replace(record.trace, steps=record.trace.steps[:count])
    return Shown(replace(document, item=replace(record, trace=steps)))


@pytest.mark.parametrize("end", [None, reach(9, truncated=False), reach(2)])
def test_steps_that_are_appended_give_the_same_tree_as_all_at_once(model, end):
    kinds = ["thought", "tool_call", "observation", "tool_call", "thought", "observation"] * 3
    whole = scored(0, steps=[{"type": kind, "content": kind} for kind in kinds], reach=end)
    model.show(first(whole, 4))
    for count in (4, 5, 6, 9, 10, 14, 15, len(kinds)):
        longer = first(whole, count)
        assert not model.show(longer)  # no row was placed anew
        anew = StepModel()
        anew.show(longer)
        assert outline(model) == outline(anew)
        places = [[one.place_of(number).data() for number in range(count)] for one in (model, anew)]
        assert places[0] == places[1]


def test_other_rows_are_placed_anew(model):
    steps = [{"type": kind} for kind in ("tool_call", "tool_call", "observation", "thought")]
    early, late = (scored(0, steps=steps, reach=reach(end)) for end in (0, 1))
    model.show(first(early, 3))
    assert model.show(Shown(late))  # the window ends elsewhere
    assert model.show(first(late, 3))  # there are fewer
    assert model.show(Shown(scored(1, steps=steps, reach=reach(1))))  # of another row
    assert numbers(model) == ["|", "|0", "|1", "   ", "   2", " 3"]


def test_a_result_of_another_call_is_placed_anew(model):
    row = document([2, 1])
    record = present(row.record)
    model.show(Shown(row))
    mapped = replace(record.imported.mapped, answered={3: 0})
    imported = replace(record.imported, mapped=mapped)
    assert model.show(Shown(replace(row, item=replace(record, imported=imported))))
    assert numbers(model) == [" ", " 0", " 1", " 2", " 3", " 4"]


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
    show(pane, row)
    results = present(row.record).trace.steps[3:]
    model = pane.tree.steps
    parents = {step.index: model.place_of(step.index).parent() for step in results}
    assert [number for number, parent in parents.items() if parent.isValid()] == under
    said = {
        step.index: field.text
        for step in results
        for field in fields_of(Shown(row), step)
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
        show(pane, Document(1, record, Rules()))
        pane.tree.viewport().grab()
        show(anew, shown(LINES[:end]))
        assert rows(pane.tree.steps) == rows(anew.tree.steps)
        assert visible(pane) == visible(anew)  # what came is open
        show(anew, None)
