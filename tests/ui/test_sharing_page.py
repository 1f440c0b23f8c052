"""The Sharing tab: what it shows of either way, masked, and what its rows ask for."""

import json
from dataclasses import replace
from math import nan
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from kpinspector.app.document import Document, Rules
from kpinspector.files import resources
from kpinspector.runs.read import read_file
from kpinspector.sharing.answer import ways_of
from kpinspector.sharing.posting import Way
from kpinspector.trace.clear import in_clear, masked_body
from kpinspector.trace.find import FoundFile
from kpinspector.trace.javascript import parse
from kpinspector.trace.read import read_bytes
from kpinspector.ui.controls.views import StateMark
from kpinspector.ui.look.marks import STATE_SIZE_LARGE, Shape
from kpinspector.ui.look.theme import set_palette
from kpinspector.ui.panes.sharing import SharingPage
from kpinspector.ui.parts.sections import SheetScroll
from tests.fakes import make_raw
from tests.known import doubled, golden_lines, of, present
from tests.ui.documents import problem, scored
from tests.ui.main_windows import settle
from tests.ui.reading import cells, description, heads, names, texts, view_of
from tests.ui.windows import exposed

DATA = Path(__file__).parents[1] / "data"
PARTS = ("Redacted", "Leaves in clear", "Warnings of kpinspector")


def records(path):
    return read_file(FoundFile(path, str(path), named=True)).traces


def sample():
    return records(resources() / "samples" / "export-handover.json")[0]


def written(folder, **changes):
    path = folder / "trace.json"
    path.write_text(json.dumps({**sample().trace.raw, **changes}), encoding="utf-8")
    return records(path)[0]


@pytest.fixture
def page(qtbot):
    app = of(QApplication, QApplication.instance())
    set_palette(app, dark=False)
    page = SharingPage()
    scroll = exposed(qtbot, SheetScroll(page, steady=True), 440, 780)
    yield page
    scroll.hide()


def show(page, record=None, way=Way.CAPTURE, score=0.8417, threshold=0.75, level=None):
    ways = ways_of(record or sample(), score, threshold, level)
    document = Document(0, record or sample(), Rules())
    page.set_sharing(document, ways, way, (level, "aggregated"))
    settle()
    return ways.by(way)


def is_shown(page, name):
    return view_of(page, name).isVisible()


def test_nothing_but_a_hint_is_shown_without_an_answer(page):
    page.set_sharing(scored(0), None)
    settle()
    assert "in a moment" in names(page)
    assert page.answer == "" and not any(is_shown(page, one) for one in PARTS)


def test_what_leaves_in_clear_is_warned_of_before_it_is_said_to_be_posted(page):
    shown = page.findChildren(StateMark)[0]

    def pixels(mark):
        return mark.grab().toImage()

    def read_first():
        return shown.accessibleName(), pixels(shown)

    def drawn(sign):
        mark = StateMark(STATE_SIZE_LARGE, filled=True)
        mark.setParent(shown.parentWidget())
        mark.set_state(sign, "")
        mark.resize(shown.size())
        return pixels(mark)

    show(page, way=Way.CONTRIBUTE)
    assert read_first() == ("15 leave in clear", drawn(Shape.NOT_SCORABLE))
    show(page, read_raw(make_raw()), way=Way.CONTRIBUTE)
    assert read_first() == ("Would be posted", drawn(Shape.ACCEPTED))
    assert description(page, "Verdict").endswith("0 redacted, nothing leaves in clear.")
    show(page, score=0.6939)
    assert read_first() == ("Would not be posted", drawn(Shape.REJECTED))


def read_raw(raw):
    return read_bytes(json.dumps(raw).encode(), "one.json").traces[0]


def fold_line(page):
    return view_of(page, "Members of the body")


def unfold(page):
    fold_line(page).setFocus()
    QTest.keyClick(fold_line(page), Qt.Key.Key_Right)
    settle()


def body_text(page):
    return page.body.findChild(QPlainTextEdit).toPlainText()


def test_the_body_is_folded_to_a_line_and_unfolds_in_place(page):
    sharing = show(page)
    words = "{ @context, @type, id, metadata {6}, task {1}, steps"
    assert texts(fold_line(page))[0][0].startswith(words)
    assert not page.body.findChild(QPlainTextEdit).isVisible()
    fold_line(page).setFocus()
    QTest.keyClick(fold_line(page), Qt.Key.Key_Space)
    settle()
    assert page.body.findChild(QPlainTextEdit).isVisible()
    assert json.loads(body_text(page)) == masked_body(dict(sharing.body), sharing.in_clear)
    show(page, way=Way.CONTRIBUTE)  # stays unfolded
    assert "[REDACTED" not in body_text(page)


@pytest.mark.slow
def test_the_body_shown_is_the_one_that_the_sdk_posts_but_masked(page):
    expected, compared = golden_lines("sharing_expected.jsonl"), 0
    bodies = {one["id"]: one["posted_body"] for one in expected}
    show(page)
    unfold(page)
    for record in records(DATA / "sharing_traces.jsonl"):
        theirs = bodies[record.trace.id]
        if theirs is not None:
            score = theirs["metadata"]["quality_score"]
            show(page, record, score=nan if score is None else score, threshold=0.0)
            shown = doubled(parse(body_text(page)))
            assert shown == doubled(masked_body(theirs, in_clear(theirs)))
            compared += 1
    assert compared > 100


def test_of_very_many_parts_the_first_are_listed(page):
    step = {"step_id": 0, "type": "thought", "content": "a@example.org " * 300}
    show(page, replaced(steps=[step]))
    rows = texts(view_of(page, "Redacted"))
    assert len(rows) == 101 and rows[-1] == ["and 200 more"]
    assert "300, by the SDK" in heads(page, "Redacted")
    assert page.answer.count("[REDACTED:email]") == 300


def test_a_body_of_any_length_unfolds(page, tmp_path):
    step = {"step_id": 0, "type": "thought", "content": "so " * 60_000}
    show(page, written(tmp_path, steps=[step]))
    unfold(page)
    assert 100_000 < len(body_text(page)) < 101_000
    assert body_text(page).endswith("Shown the first 100,000 characters")


def test_what_others_receive_is_shown_by_its_first_lines(page):
    show(page)
    assert heads(page, "As another agent receives it")[-1] == "12 lines, 3 of them empty"
    lines = [one for one in cells(page, "As another agent receives it") if one]
    assert lines[1:3] == [
        "[TOOL_CALL]",
        (
            "[OBSERVATION] 02:14 connect [REDACTED:connection_string] failed:"
            " password authentication failed"
        ),
    ]
    assert len(lines) == 4


def test_without_steps_no_row_leads_anywhere(page):
    wishes = []
    page.wished.connect(lambda wish: wishes.append(wish.of))
    ways = ways_of(sample(), None, 0.75, None)
    page.set_sharing(problem(0), ways)
    settle()
    table = view_of(page, "Leaves in clear")
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert wishes == []


def test_the_rows_of_the_current_step_are_lit(page):
    show(page)
    page.set_step(5)
    table = view_of(page, "Redacted")
    assert [row for row in range(8) if table.is_lit(row)] == [5, 6]
    page.set_step(None)
    assert not any(table.is_lit(row) for row in range(8))


def test_the_special_cases_are_said(page):
    show(page, score=nan)
    assert "NaN: no threshold holds that back" in gates(page)
    bad = [{"step_id": 0, "type": "thought", "content": {"a": 1}}]
    show(page, replaced(steps=bad))
    assert "the SDK throws an error at steps.0.content" in gates(page)
    show(page, score=None)
    assert "the SDK throws an error" in gates(page)
    old = "https://knowledgepulse.dev/schema/v1"
    show(page, replaced(**{"@context": old}))
    assert any(one.startswith("the registry refuses it") for one in gates(page))


def gates(page):
    return dict(row[1:] for row in texts(view_of(page, "Gates"))).values()


def replaced(**changes):
    record = sample()
    return replace(record, trace=replace(record.trace, raw={**record.trace.raw, **changes}))


def test_a_cleaned_field_that_would_be_no_json_is_said_to_stay(page):
    step = {"step_id": 0, "type": "tool_call", "tool": {"name": "get"}}
    step["input"] = {"url": 'redis://host/x"y'}
    show(page, replaced(steps=[step]))
    assert "connection string, kept: cleaned, it would be no JSON" in cells(page, "Leaves in clear")


def test_no_reason_is_cut(page):
    show(page)
    table = view_of(page, "Leaves in clear")
    reasons = [present(row.cells[5].below) for row in table.figures.rows]
    assert "kept: cleaned, it would be no JSON" in [one.text for one in reasons]
    for one in reasons:
        metrics = table.cells.metrics[one.role]
        assert metrics.horizontalAdvance(one.text) <= table.columnWidth(5)
