"""Finding in the steps, and going to one by its number."""

import itertools
import json

import pytest
from PySide6.QtCore import Qt, QTimer

from kpinspector.ui.look.painting import spans_of
from kpinspector.ui.look.theme import TextRole, colours
from kpinspector.ui.parts.plain_value import PlainValue
from kpinspector.ui.steps.step_detail import StepDetail
from kpinspector.ui.steps.step_model import Shown, StepColumn
from kpinspector.ui.steps.step_pane import StepPane
from tests.known import present
from tests.ui.documents import STEPS, scored
from tests.ui.reading import is_red
from tests.ui.step_panes import choose_kind, find, heard, hits, reach, show, shown_pane, visible
from tests.ui.windows import exposed


@pytest.fixture
def pane(qtbot) -> StepPane:
    return shown_pane(qtbot)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CHART", [0]),
        ("hours", [1]),
        ("72", [1]),
        ("potassium", [-1]),
        ("lab.q", [3]),
        ("window ends", []),
        ("  ", []),
        ("STRASSE", [4]),
        ("needle at the end", [5]),
        ("outcome-7", [6]),
    ],
)
def test_content_tool_input_and_output_are_looked_through(
    qtbot, pane: StepPane, text: str, expected
) -> None:
    steps = [
        *STEPS,
        {"content": "stra\xdfe"},
        {"content": "y" * 3_000_000 + "needle at" + " the end" + "z" * 300_000},
        {"output_summary": {"deep": [{"er": "Outcome-7"}]}},
    ]
    show(pane, scored(0, steps=steps, reach=reach(0)))
    find(pane, qtbot, text)
    index_of = pane.tree.steps.place_of
    found = [number for number in range(-1, len(steps)) if is_found(index_of(number))]
    assert found == expected


def is_found(index) -> bool:
    content = index.siblingAtColumn(StepColumn.CONTENT)
    return bool(content.data(Qt.ItemDataRole.AccessibleDescriptionRole) == "found here")


def test_return_and_keys_go_round(qtbot, pane: StepPane) -> None:
    show(pane, scored(0))
    pane.activateWindow()
    pane.focus_find()
    edit = pane.find_bar.field
    qtbot.keyClicks(edit, "a")
    qtbot.waitUntil(lambda: hits(pane) == "1 of 4")
    said = heard(pane)
    for _ in range(4):
        qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert said == [0, 1, 3, None]
    assert hits(pane) == "1 of 4"
    qtbot.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    pane.find_bar.go_back()
    pane.find_bar.go_on()
    assert said[4:] == [3, 1, 3]
    assert edit.hasFocus()
    qtbot.keyClick(edit, Qt.Key.Key_Down)
    assert pane.tree.hasFocus()


def test_typing_looks_from_where_it_began(qtbot, pane: StepPane) -> None:
    document = scored(0)
    show(pane, document)
    pane.go_to_step(1)
    assert find(pane, qtbot, "a") == "3 of 4"
    assert find(pane, qtbot, "ag") == "1 of 1"
    assert present(pane.tree.current_step()).index == 3
    assert find(pane, qtbot, "a") == "3 of 4"
    assert present(pane.tree.current_step()).index == 1
    assert find(pane, qtbot, "chart") == "1 of 1"
    assert present(pane.tree.current_step()).index == 0


def test_kinds_hide_and_find_counts_what_is_left(qtbot, pane: StepPane) -> None:
    show(pane, scored(0))
    assert find(pane, qtbot, "a") == "1 of 4"
    choose_kind(pane, "Recovery")
    assert visible(pane) == ["3"]
    assert hits(pane) == "1 found"
    pane.find_bar.go_on()
    assert hits(pane) == "1 of 1"
    choose_kind(pane, "All")
    assert hits(pane) == "4 of 4"


@pytest.mark.parametrize(
    ("text", "needle", "spans"),
    [
        ("Ask again", "a", [(0, 1), (4, 5), (6, 7)]),
        ("Stra\xdfe", "ss", [(4, 5)]),
        ("stra\xdfe x", "e x", [(5, 8)]),
        ("aaa", "aa", [(0, 2)]),
        ("x", "", []),
    ],
)
def test_spans(text: str, needle: str, spans) -> None:
    assert spans_of(text, needle) == spans


def test_a_step_is_gone_to_by_its_number(qtbot, pane: StepPane) -> None:
    show(pane, scored(0, steps=STEPS * 3))
    pane.activateWindow()
    said = heard(pane)
    choose_kind(pane, "Observation")
    pane.ask_number()
    field = pane.find_bar.number
    assert field.isVisible() and field.hasFocus()
    assert field.placeholderText() == "Step 0\N{EN DASH}11"
    qtbot.keyClicks(field, "12")
    assert is_red(field)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.isVisible() and said == []
    for text in ("7", "/steps/9", "#0"):
        pane.ask_number()
        qtbot.keyClicks(field, text)
        assert not is_red(field)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert field.isHidden() and pane.tree.hasFocus()
    assert said == [7, 9, 0]
    pane.ask_number()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.isHidden()


def is_seen(image, colour) -> bool:
    places = itertools.product(range(image.width()), range(image.height()))
    return any(image.pixelColor(*place) == colour for place in places)


def test_what_is_found_is_marked_in_the_detail_and_scrolled_to(qtbot) -> None:
    detail = exposed(qtbot, StepDetail(), 500, 160)
    words = " ".join(f"word{n}" for n in range(150))
    content = f"{words}\n\U0001f600 the Needle stands here, and a needle there\n{words}"
    document = scored(0, steps=[{"type": "thought", "content": content}])
    step = present(document.record).trace.steps[0]
    detail.show_step(Shown(document, needle="needle"), step)
    lines = json.dumps(dict(step.raw), indent=2).split("\n")
    detail.set_source(lines, 1)
    mark = colours(detail.palette()).find
    for tab in range(detail.tabs.count()):
        detail.tabs.setCurrentIndex(tab)
        qtbot.waitUntil(lambda: is_seen(detail.grab().toImage(), mark))
    detail.show_step(Shown(document), step)
    for tab in range(detail.tabs.count()):
        detail.tabs.setCurrentIndex(tab)
        assert not is_seen(detail.grab().toImage(), mark)


@pytest.mark.parametrize("text", ["a needle", "\U0001f600 needle x", "\u05d0\u05d1 needle \u05d2"])
def test_the_mark_lies_behind_the_word(qtbot, text: str) -> None:
    value = PlainValue("Content", TextRole.BODY)
    qtbot.addWidget(value)
    value.resize(300, 60)
    value.setPlainText(text)
    value.set_needle("needle")
    with qtbot.waitExposed(value):
        value.show()
    image, mark = value.viewport().grab().toImage(), colours(value.palette()).find
    columns = [
        x
        for x in range(image.width())
        if any(image.pixelColor(x, y) == mark for y in range(image.height()))
    ]
    width = value.fontMetrics().horizontalAdvance("needle")
    assert abs(max(columns) - min(columns) + 1 - width) <= 2
    found = value.cursorRect(present(value.first_found()))
    assert min(abs(found.left() - end) for end in (min(columns), max(columns))) <= 3


def test_long_traces_are_looked_through_without_a_pause(qtbot) -> None:
    pane = StepPane()  # the tester would take minutes over so many
    qtbot.addWidget(pane)
    pane.resize(636, 500)
    show(pane, scored(0, steps=STEPS * 7500))
    turns = []
    timer = QTimer(pane, interval=0)
    timer.timeout.connect(lambda: turns.append(hits(pane)))
    timer.start()
    pane.find_bar.field.setText("ask")
    qtbot.waitUntil(lambda: hits(pane) == "1 of 7,500", timeout=30_000)
    assert sum("…" in words for words in turns) > 3  # the event loop went on meanwhile
    pane.find_bar.go_back()
    assert hits(pane) == "7,500 of 7,500"
    assert present(pane.tree.current_step()).index == 29_999
    pane.find_bar.go_on()
    assert hits(pane) == "1 of 7,500"
