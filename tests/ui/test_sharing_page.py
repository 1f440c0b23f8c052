"""The Sharing tab: what it shows of either way, masked, and what its rows ask for."""

import json
from dataclasses import replace
from itertools import chain
from math import nan
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QPlainTextEdit, QWidget

from kpinspector.app.document import Document, Rules
from kpinspector.files import resources
from kpinspector.runs.read import read_file
from kpinspector.sharing.answer import ways_of
from kpinspector.sharing.posting import Way
from kpinspector.sharing.stringify import parse
from kpinspector.trace.clear import in_clear, masked_body
from kpinspector.trace.find import FoundFile
from kpinspector.trace.javascript import DECODER
from kpinspector.trace.read import read_bytes
from kpinspector.ui.look.marks import STATE_SIZE_LARGE, Shape
from kpinspector.ui.look.roles import StateMark
from kpinspector.ui.look.theme import TextRole, set_palette
from kpinspector.ui.parts.column_page import SheetScroll
from kpinspector.ui.sharing.sharing_page import SharingPage
from kpinspector.ui.tables.figure_table import FigureTable
from tests import user
from tests.fakes import make_raw
from tests.known import of, present
from tests.sharing.bodies import doubled
from tests.ui.documents import problem, scored
from tests.ui.reading import cells, description, heads, names, settle, texts, view_of

DATA = Path(__file__).parents[1] / "data"
SECRETS = (
    *("0123456789abcdef", "n0t-a-real-pw", "4477", "Invented-Pass", "INVENTEDinvented", "20.30"),
    *("lindqvist@", "aW52ZW50ZWQ", "INVENTED-debug", "/home/mara"),
)
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
    scroll = SheetScroll(page, steady=True)
    qtbot.addWidget(scroll)
    scroll.resize(440, 780)
    with qtbot.waitExposed(scroll):
        scroll.show()
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


def test_the_head_says_what_was_looked_for(page):
    show(page, sample())
    assert "Groq key" in user.find(page, QWidget, "Verdict").toolTip()


def test_captured_the_parts_that_are_taken_out_come_before_those_that_stay(page):
    show(page)
    assert description(page, "Verdict") == "7 leave in clear. 0.8417. Would be posted, 8 redacted."
    assert "8, by the SDK" in heads(page, "Redacted")
    assert {"kp_0••••", "[REDACTED:api_key]"} <= set(cells(page, "Redacted"))
    assert {"the trace", "task.objective", "e-mail address, never cleaned"} <= set(
        cells(page, "Leaves in clear")
    )
    assert {"Anthropic key", "step 4"} <= set(cells(page, "Warnings of kpinspector"))
    tops = [view_of(page, one).mapTo(page, QPoint()).y() for one in PARTS]
    assert tops == sorted(tops)


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


def test_contributed_nothing_is_asked_and_all_leaves(page):
    show(page, way=Way.CONTRIBUTE)
    assert not is_shown(page, "Redacted")
    assert "12, nothing is cleaned" in heads(page, "Leaves in clear")
    assert cells(page, "Gates").count("not asked") == 2


def test_the_line_with_both_ways_stands_at_either(page):
    for way in Way:
        show(page, way=way, score=0.6939)
        assert (
            "By contribute: as it is, whatever the score. By capture: not posted, 0.6939 of 0.7500."
        ) in names(page)


def test_below_the_threshold_there_is_no_body(page):
    show(page, score=0.6939)
    assert description(page, "Verdict").startswith("Would not be posted. 0.6939.")
    assert "its score is below the threshold" in names(page)
    assert not any(is_shown(page, one) for one in PARTS)
    assert not page.body.isVisible()


def test_no_secret_is_shown_whole(page):
    for way in Way:
        show(page, way=way)
        unfold(page)
        said = [*names(page), body_text(page)]
        for table in page.findChildren(FigureTable):
            said += [*chain.from_iterable(texts(table)), *tooltips(table)]
        assert not [one for one in SECRETS if any(one in text for text in said)]
        unfold(page)


def tooltips(table):
    model = table.model()
    places = [
        model.index(row, column)
        for row in range(model.rowCount())
        for column in range(model.columnCount())
    ]
    return [str(one.data(Qt.ItemDataRole.ToolTipRole) or "") for one in places]


def fold_line(page):
    return next(
        one for one in page.body.findChildren(QAbstractButton) if one.text().startswith("{")
    )


def unfold(page):
    QTest.mouseClick(fold_line(page), Qt.MouseButton.LeftButton)
    settle()


def body_text(page):
    return page.body.findChild(QPlainTextEdit).toPlainText()


def test_the_body_is_folded_to_a_line_and_unfolds_in_place(page):
    sharing = show(page)
    assert fold_line(page).text().startswith("{ @context, @type, id, metadata {6}, task {1}, steps")
    assert not page.body.findChild(QPlainTextEdit).isVisible()
    fold_line(page).setFocus()
    QTest.keyClick(fold_line(page), Qt.Key.Key_Space)
    settle()
    assert page.body.findChild(QPlainTextEdit).isVisible()
    assert json.loads(body_text(page)) == masked_body(dict(sharing.body), sharing.in_clear)
    show(page, way=Way.CONTRIBUTE)  # stays unfolded
    assert "[REDACTED" not in body_text(page)


def test_the_body_is_copied_as_it_would_be_posted(page):
    sharing = show(page)
    QTest.mouseClick(page.body.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == sharing.posting.body


def expected():
    """The bodies that the SDK posts of the traces beside them, by their ids."""
    text = (DATA / "sharing_expected.jsonl").read_bytes().decode("utf-8", "surrogatepass")
    found = map(DECODER.decode, filter(None, text.split("\n")))
    return {one["id"]: one["posted_body"] for one in found}


@pytest.mark.slow
def test_the_body_shown_is_the_one_that_the_sdk_posts_but_masked(page):
    bodies, compared = expected(), 0
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


def test_a_name_that_holds_something_is_masked_in_the_folded_body(page):
    show(page, replaced(**{"mara.lindqvist@example.org": 1}))
    assert "mara••••" in fold_line(page).text()
    assert "lindqvist" not in fold_line(page).text()


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


def test_a_row_asks_for_its_step_by_mouse_and_by_keys(page):
    wishes = []
    page.wished.connect(lambda wish: wishes.append(wish.of))
    show(page)
    table = view_of(page, "Redacted")
    place = table.visualRect(table.model().index(1, 2)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert wishes == [2]
    clear = view_of(page, "Leaves in clear")
    clear.setFocus()
    QTest.keyClick(clear, Qt.Key.Key_Home)
    QTest.keyClick(clear, Qt.Key.Key_Return)  # of the whole trace: nowhere to go
    QTest.keyClick(clear, Qt.Key.Key_Down)
    QTest.keyClick(clear, Qt.Key.Key_Return)
    assert wishes == [2, 8]


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


def test_without_room_the_masked_text_stays_whole(page):
    show(page)
    page.window().resize(330, 780)
    settle()
    for name in PARTS:
        table = view_of(page, name)
        metrics = table.cells.metrics[TextRole.FIXED]
        assert table.columnWidth(3) >= metrics.horizontalAdvance("mara••••")
        assert table.columnWidth(2) > 0


@pytest.mark.parametrize("width", [440, 800])
def test_warnings_stand_below_or_beside(page, width):
    show(page)
    page.window().resize(width, 780)
    settle()
    clear, warnings = (view_of(page, one) for one in PARTS[1:])
    right = warnings.mapTo(page, QPoint()).x() > clear.geometry().right()
    assert right is (width == 800)


def test_fields_say_what_is_chosen_and_what_the_user_chooses(page):
    chosen = []
    page.wished.connect(lambda wish: chosen.append(wish.of))
    show(page, level="private")
    way, level = page.findChildren(QComboBox)
    assert (way.accessibleName(), way.currentText()) == ("Sent by", "KPCapture")
    assert (level.accessibleName(), level.currentText()) == ("Level", "private")
    assert "A private trace is uploaded like any other" in " ".join(names(page))
    QTest.keyClicks(way, "cont")
    QTest.keyClick(level, Qt.Key.Key_Home)
    assert chosen == [Way.CONTRIBUTE, None] and chosen[0] is Way.CONTRIBUTE
    assert level.currentText() == "From trace: aggregated"


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


def test_every_list_can_be_come_to_by_keys(page):
    show(page)
    for name in (*PARTS, "Gates", "As another agent receives it"):
        assert view_of(page, name).focusPolicy() & Qt.FocusPolicy.TabFocus
    for button in (page.body.copy, page.body.save, fold_line(page)):
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
        assert button.accessibleName() or button.text()


def test_the_answer_as_text_is_the_one_of_the_command_line(page):
    sharing = show(page)
    assert page.answer.startswith("export-handover\n===")
    assert "steps.4.output_summary  sk-a••••  Anthropic key" in page.answer
    assert present(sharing.body_bytes)
