import json

import pytest
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QTextBrowser

from kpinspector.scoring.measure import Reach
from kpinspector.ui.step_detail import FIELD_LENGTH, JSON_LENGTH, StepDetail
from tests.ui.documents import STEPS, pending, problem, scored

NASTY = "<b>x</b><img src='http://example.invalid/x.png'>\x00\u202e\u05d0\x1b\ufdd0\ufffc"


@pytest.fixture
def detail(qtbot) -> StepDetail:
    detail = StepDetail()
    qtbot.addWidget(detail)
    detail.resize(636, 300)
    detail.show()
    qtbot.waitExposed(detail)
    return detail


def lines(detail: StepDetail) -> list[str]:
    shown = [row for row in detail.rows if not row.isHidden()]
    return [
        f"{row._label.text()}: {row.value.toPlainText()} ({row._note.accessibleDescription()})"
        for row in shown
    ]


def test_fields_and_what_they_count_for(detail: StepDetail) -> None:
    reach = Reach(tokens=512, truncated=True, ends_at_step=2)
    steps = [{**STEPS[1], "content": "Ask for K", "output_summary": "3 results"}, *STEPS]
    document = scored(0, steps=steps, reach=reach)
    detail.set_document(document)
    detail.set_step(document.record.trace.steps[0])
    assert detail._title.text() == "Step 0"
    assert detail._about.text() == "Tool call, ehr.read"
    assert lines(detail) == [
        "Content: Ask for K (novelty: in the window)",
        "Tool: ehr.read (tool_diversity: first use)",
        'Input: {"patient": "p-1", "hours": 72} (not scored)',
        "Output: 3 results (not scored)",
        "Latency: 310 ms (not scored)",
        "Type: tool_call (complexity: new type)",
        "Place: /steps/0 ()",
    ]
    detail.set_step(document.record.trace.steps[2])
    assert "Tool: ehr.read (used before)" in lines(detail)
    assert "Type: tool_call (seen before)" in lines(detail)


@pytest.mark.parametrize(
    ("reach", "step", "note"),
    [
        (Reach(512, truncated=True, ends_at_step=1), 0, "novelty: in the window"),
        (Reach(512, truncated=True, ends_at_step=0), 0, "novelty: partly in the window"),
        (Reach(512, truncated=True, ends_at_step=1), 3, "after the window"),
        (Reach(512, truncated=True, ends_at_step=None), None, "novelty: partly in the window"),
        (Reach(512, truncated=True, ends_at_step=None), 0, "after the window"),
        (Reach(512, truncated=True, ends_at_step=0), None, "novelty: in the window"),
        (Reach(80, truncated=False, ends_at_step=None), 3, "novelty: in the window"),
        (None, 0, "novelty is assumed"),
    ],
)
def test_what_novelty_sees(detail: StepDetail, reach, step: int | None, note: str) -> None:
    document = scored(0, reach=reach)
    detail.set_document(document)
    detail.set_step(None if step is None else document.record.trace.steps[step])
    assert lines(detail)[0].endswith(f"({note})")


def test_the_objective_and_nothing(detail: StepDetail) -> None:
    assert lines(detail) == []
    assert not detail._empty.isHidden()
    detail.set_document(pending(0, record=3))
    assert detail._title.text() == "Objective"
    assert lines(detail) == [
        "Content: Review the potassium trend (novelty: not known yet)",
        "Place: record 3, /task/objective ()",
    ]
    detail.set_document(problem(1))
    assert lines(detail) == []
    assert not detail.copy.isEnabled()


def test_the_same_trace_keeps_its_step(detail: StepDetail) -> None:
    document = pending(0)
    detail.set_document(document)
    detail.set_step(document.record.trace.steps[1])
    detail.set_document(document)
    assert detail._title.text() == "Step 1"
    detail.set_document(pending(1))
    assert detail._title.text() == "Objective"


def test_json_is_formatted_plain_and_copied_whole(detail: StepDetail) -> None:
    document = pending(0)
    detail.set_document(document)
    detail.set_step(document.record.trace.steps[1])
    detail.tabs.setCurrentIndex(1)
    assert json.loads(detail.json.toPlainText()) == STEPS[1]
    assert detail._json_cut.isHidden()
    detail.copy.click()
    assert json.loads(QGuiApplication.clipboard().text()) == STEPS[1]
    detail.set_step(None)
    assert json.loads(detail.json.toPlainText()) == {"objective": "Review the potassium trend"}


def test_long_values_are_cut_but_copied_whole(detail: StepDetail) -> None:
    content = "y" * (JSON_LENGTH + 5)
    document = pending(0, steps=[{"type": "thought", "content": content}])
    detail.set_document(document)
    detail.set_step(document.record.trace.steps[0])
    row = detail.rows[0]
    assert len(row.value.toPlainText()) == FIELD_LENGTH
    assert row._cut.text() == "Shown 20,000 of 100,005 characters"
    assert not row._cut_row.isHidden()
    row._on_copy_clicked()
    assert QGuiApplication.clipboard().text() == content
    detail.tabs.setCurrentIndex(1)
    assert len(detail.json.toPlainText()) == JSON_LENGTH
    assert not detail._json_cut.isHidden()
    assert json.loads(detail.whole_text())["content"] == content
    detail.set_step(None)
    assert row._cut_row.isHidden()


def test_hostile_values_stay_text(detail: StepDetail) -> None:
    steps = [{"type": NASTY, "content": NASTY, "tool": {"name": NASTY}, "input": NASTY}]
    document = pending(0, steps=steps, objective=NASTY)
    detail.set_document(document)
    detail.set_step(document.record.trace.steps[0])
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
    detail.set_document(document)
    detail.set_step(document.record.trace.steps[0])
    assert lines(detail)[:4] == [
        "Tool: (no name) (tool_diversity: first use)",
        "Input: null (not scored)",
        'Output: {"a": 1} (not scored)',
        'Latency: "x" (not scored)',
    ]
    detail.set_step(document.record.trace.steps[1])
    assert "Type: (none) (complexity: new type)" in lines(detail)


def test_wrapping_makes_a_value_as_high_as_its_lines(qtbot, detail: StepDetail) -> None:
    document = pending(0, steps=[{"type": "thought", "content": "word " * 200}])
    detail.set_document(document)
    detail.set_step(document.record.trace.steps[0])
    value = detail.rows[0].value
    one = value.fontMetrics().lineSpacing()
    qtbot.waitUntil(lambda: value.height() > 3 * one)
    assert not value.horizontalScrollBar().isVisible()
    detail.wrap.setChecked(False)
    assert value.height() < 3 * one
    detail.wrap.setChecked(True)
    detail.resize(1200, 300)
    wide = value.height()
    detail.resize(500, 300)
    qtbot.waitUntil(lambda: value.height() > wide)


def test_every_control_has_a_name(detail: StepDetail) -> None:
    document = pending(0)
    detail.set_document(document)
    controls = (detail.tabs, detail.wrap, detail.copy, detail.json, detail.rows[0].value)
    for control in controls:
        assert QAccessible.queryAccessibleInterface(control).text(QAccessible.Text.Name), control
