import json
from math import inf

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QTextBrowser

from kpinspector.app.document import Document
from kpinspector.scoring.formula.measurement import Reach
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from kpinspector.ui.panes.whatif_case import case_of
from kpinspector.ui.steps.step_detail import JSON_LENGTH, LINE_LENGTH, MOST_CHARACTERS, StepDetail
from kpinspector.ui.steps.step_fields import FIELD_LENGTH, json_head, json_of
from kpinspector.ui.steps.step_model import Shown
from tests import user
from tests.known import present
from tests.ui.documents import STEPS, pending, problem, score, scored
from tests.ui.main_windows import settle
from tests.ui.windows import exposed

NASTY = "<b>x</b><img src='http://example.invalid/x.png'>\x00\u202e\u05d0\x1b\ufdd0\ufffc"


@pytest.fixture
def detail(qtbot) -> StepDetail:
    return exposed(qtbot, StepDetail(), 636, 300)


def show(detail: StepDetail, document: Document, step: int | None = None) -> None:
    """Show a step of a row, or its objective."""
    steps = () if document.record is None else document.record.trace.steps
    detail.show_step(Shown(document), None if step is None else steps[step])


def lines(detail: StepDetail) -> list[str]:
    shown = [row for row in detail.rows if not row.isHidden()]
    return [
        f"{row.value.accessibleName()}: {row.value.toPlainText()}"
        f" ({user.description(row, 'Counts for')})"
        for row in shown
    ]


def test_fields_and_what_they_count_for(detail: StepDetail) -> None:
    reach = Reach(tokens=512, truncated=True, ends_at_step=2)
    steps = [{**STEPS[1], "content": "Ask for K", "output_summary": "3 results"}, *STEPS]
    document = scored(0, steps=steps, reach=reach)
    show(detail, document, 0)
    assert {"Step 0", "Tool call, ehr.read", "Latency"} <= set(user.texts(detail))
    assert lines(detail) == [
        "Content: Ask for K (Novelty: in the window)",
        "Tool: ehr.read (Tool diversity: first use)",
        'Input: {"patient": "p-1", "hours": 72} (not scored)',
        "Output: 3 results (not scored)",
        "Latency: 310 ms (not scored)",
        "Type: tool_call (Complexity: new type)",
        "Place: /steps/0 ()",
    ]
    show(detail, document, 2)
    assert "Tool: ehr.read (used before)" in lines(detail)
    assert "Type: tool_call (seen before)" in lines(detail)


@pytest.mark.parametrize(
    ("reach", "step", "note"),
    [
        (Reach(512, truncated=True, ends_at_step=1), 0, "Novelty: in the window"),
        (Reach(512, truncated=True, ends_at_step=0), 0, "Novelty: partly in the window"),
        (Reach(512, truncated=True, ends_at_step=1), 3, "after the window"),
        (Reach(512, truncated=True, ends_at_step=None), None, "Novelty: partly in the window"),
        (Reach(512, truncated=True, ends_at_step=None), 0, "after the window"),
        (Reach(512, truncated=True, ends_at_step=0), None, "Novelty: in the window"),
        (Reach(80, truncated=False, ends_at_step=None), 3, "Novelty: in the window"),
        (None, 0, "novelty is assumed"),
    ],
)
def test_what_novelty_sees(detail: StepDetail, reach, step: int | None, note: str) -> None:
    document = scored(0, reach=reach)
    show(detail, document, step)
    assert lines(detail)[0].endswith(f"({note})")


def test_the_objective_and_nothing(detail: StepDetail) -> None:
    assert lines(detail) == []
    assert user.reads(detail, "Select a step to see all of it.")()
    show(detail, pending(0, record=3))
    assert "Objective" in user.texts(detail)
    assert lines(detail) == [
        "Content: Review the potassium trend (Novelty: not known yet)",
        "Place: record 3, /task/objective ()",
    ]
    show(detail, problem(1))
    assert lines(detail) == []
    assert not detail.copy.isEnabled()


def test_long_values_are_cut_but_copied_whole(detail: StepDetail) -> None:
    content = "y" * (JSON_LENGTH + 5)
    document = pending(0, steps=[{"type": "thought", "content": content}])
    show(detail, document, 0)
    row = detail.rows[0]
    assert len(row.value.toPlainText()) == FIELD_LENGTH
    assert user.reads(row, "Shown 10,000 of 100,005 characters")()
    user.press(row, "Copy whole")
    assert QGuiApplication.clipboard().text() == content
    detail.tabs.setCurrentIndex(1)
    assert len(detail.json.toPlainText()) < LINE_LENGTH + 100
    assert user.reads(detail, "Shown the first 100,000 characters")()
    assert json.loads(detail.whole_text())["content"] == content
    show(detail, document)
    detail.tabs.setCurrentIndex(0)
    assert row.isVisible() and not user.reads(row, "Shown")()


def test_hostile_values_stay_text(detail: StepDetail) -> None:
    steps = [{"type": NASTY, "content": NASTY, "tool": {"name": NASTY}, "input": NASTY}]
    document = pending(0, steps=steps, objective=NASTY)
    show(detail, document, 0)
    detail.grab()
    shown = detail.rows[0].value.toPlainText()
    assert shown.startswith("<b>x</b><img src='http://example.invalid/x.png'>␀")
    assert not {"\x00", "\u202e", "\x1b", "\ufffc"} & set(shown)
    assert not detail.findChildren(QTextBrowser)
    detail.tabs.setCurrentIndex(1)
    detail.grab()
    assert "\x00" not in detail.json.toPlainText()


def test_odd_fields_are_shown_as_json(detail: StepDetail) -> None:
    step = {"type": 7, "tool": [], "input": None, "output_summary": {"a": 1}, "latency_ms": "x"}
    document = pending(0, steps=[step, {"tool": True}])
    show(detail, document, 0)
    assert lines(detail)[:4] == [
        "Tool: (no name) (Tool diversity: first use)",
        "Input: null (not scored)",
        'Output: {"a": 1} (not scored)',
        'Latency: "x" (not scored)',
    ]
    show(detail, document, 1)
    assert "Type: (none) (Complexity: new type)" in lines(detail)


SOURCE = ("    {", '      "type": "thought",', '      "content": "\u05d0<b>x"', "    }")


def test_the_source_is_asked_for_once_a_step_stays(qtbot, detail: StepDetail) -> None:
    asked = []
    detail.wished.connect(asked.append)
    document = pending(0, record=3)
    show(detail, document)
    for step in range(len(STEPS)):
        show(detail, document, step)
    qtbot.waitUntil(lambda: len(asked) == 1)
    place = asked[0]
    assert (place.path, place.record, place.step) == ("/traces/visit-03.json", 3, 3)
    assert place == detail.place
    show(detail, score(document, 0.5), 3)
    settle()
    assert not any(timer.isActive() for timer in detail.findChildren(QTimer))
    show(detail, problem(1))
    assert detail.place is None


def test_source_lines_have_their_numbers_and_place(detail: StepDetail) -> None:
    document = pending(0)
    show(detail, document, 1)
    detail.set_source(SOURCE, 61)
    assert lines(detail)[-1] == "Place: /steps/1, lines 61 to 64 ()"
    assert detail.whole_text().endswith("Place: /steps/1, lines 61 to 64")
    detail.tabs.setCurrentIndex(2)
    assert detail.source.text.toPlainText() == "\n".join(SOURCE)
    assert detail.source.note.text() == ""
    detail.grab()
    detail.copy.click()
    assert QGuiApplication.clipboard().text() == "\n".join(SOURCE)
    show(detail, score(document, 0.5), 1)
    assert lines(detail)[-1] == "Place: /steps/1, lines 61 to 64 ()"
    show(detail, document, 0)
    assert detail.source.text.toPlainText() == ""
    assert lines(detail)[-1] == "Place: /steps/0 ()"
    detail.set_source(("{}",), 1234)
    assert lines(detail)[-1] == "Place: /steps/0, line 1,234 ()"
    detail.set_source((), 1)
    assert "file has changed" in detail.source.note.text()
    assert lines(detail)[-1] == "Place: /steps/0 ()"


def test_long_source_is_cut_with_a_note_but_copied_whole(detail: StepDetail) -> None:
    show(detail, pending(0))
    detail.tabs.setCurrentIndex(2)
    long = ["x" * 20_000_000, *["y" * 2500] * 10, *["z" * 99] * 1990]
    detail.set_source(long, 7)
    shown = detail.source.text.toPlainText().split("\n")
    assert shown[0] == "x" * LINE_LENGTH + "…"
    assert detail.source.note.text() == "Shown 791 of 2,001 lines, 11 lines cut at 2,000 characters"
    assert len(detail.source.text.toPlainText()) < MOST_CHARACTERS + LINE_LENGTH
    assert detail.whole_text() == "\n".join(long)
    detail.grab()
    detail.set_source(["x" * 3000], 7)
    assert detail.source.note.text() == "1 line cut at 2,000 characters"


VALUES = [
    {},
    [],
    {"a": {}, "b": [[], [1, {"c": '\u05d0\n"x"'}]], "d": None, "e": [True, 1.5, -3]},
    "text",
    {"long": "y" * 300, "after": 1},
    {"Infinity": [inf, -inf, "Infinity"]},
]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("limit", [0, 1, 7, 40, 290, 5000])
def test_the_beginning_of_json_is_that_of_the_whole(value, limit: int) -> None:
    whole = json_of(value)
    head = json_head(value, limit)
    assert whole.startswith(head)
    assert len(head) == min(len(whole), limit + 1)


def show_tried(detail: StepDetail, *edits: StepEdit) -> None:
    document = scored(0)
    case = present(case_of(document, Scenario(edits=edits)))
    shown = Shown(document, case.scenario, *case.tried)
    detail.show_step(shown, present(document.record).trace.steps[1])


def test_what_is_tried_stands_beside_what_the_file_has(detail: StepDetail) -> None:
    show_tried(detail, StepEdit(1, tool="guideline.search", type="observation"))
    found = lines(detail)
    assert "Tool: guideline.search, in the file ehr.read (Tool diversity: first use)" in found
    assert "Type: observation, in the file tool_call (Complexity: new type)" in found
    assert detail.what_if.tool.text() == "guideline.search"
    show_tried(detail, StepEdit(1, tool=""))
    assert "Tool: no tool, in the file ehr.read (not counted)" in lines(detail)
    show_tried(detail, StepEdit(1, left_out=True))
    assert "Tool: ehr.read (not counted)" in lines(detail)
    assert "Type: tool_call (not counted)" in lines(detail)
