"""The tree of steps and the pane around it: places, branches, kinds, what is painted."""

import json
import sys
from collections import Counter
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QAccessible, QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit

from kpinspector.files import resources
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from kpinspector.ui.look import theme
from kpinspector.ui.look.theme import colours
from kpinspector.ui.main_window import MainWindow
from kpinspector.ui.panes.whatif_case import case_of
from kpinspector.ui.steps.step_model import WINDOW_END, StepColumn, StepRole
from kpinspector.ui.steps.step_pane import StepPane
from tests import user
from tests.fakes import make_raw
from tests.known import of, present
from tests.ui.documents import STEPS, problem, recording, scored
from tests.ui.main_windows import close, open_window
from tests.ui.step_panes import choose_kind, chosen_kind, heard, reach, show, shown_pane, visible
from tests.ui.windows import exposed

pytestmark = pytest.mark.slow
SIZES = ((1366, 768), (1440, 900), (1000, 700))
LEAST = 40
USUAL_PT = 10  # a line of 16 px, which the look calls 100 %


@pytest.fixture
def pane(qtbot) -> StepPane:
    return shown_pane(qtbot)


def test_a_trace_is_shown_from_its_objective(pane: StepPane) -> None:
    said = heard(pane)
    show(pane, scored(0, reach=reach(1)))
    assert visible(pane) == ["o", "0", "1", "-", "2", "3"]
    assert said == [None]
    assert pane.header.title.text() == "Review the potassium trend"
    facts = "visit-03.json, medical, succeeded, confidence 0.97, network, aggregated"
    assert pane.header.facts.text().replace("  ·  ", ", ") == facts


def test_a_recording_with_no_project_and_an_odd_name_shows_no_path(pane: StepPane) -> None:
    name = "rollout-2026-11-22T07-14-54-01a2021b-9f69-7d51-87ff-b01a64542640.jsonl"
    show(pane, recording(0, f"/home/me/.codex/sessions/2026/11/22/{name}", form="codex"))
    assert pane.header.facts.text().startswith("no domain  ·  outcome not recorded")


def test_another_trace_starts_anew(pane: StepPane) -> None:
    show(pane, scored(0))
    pane.find_bar.field.setText("no such text")
    choose_kind(pane, "Thought")
    show(pane, scored(1))
    assert visible(pane) == ["o", "0", "1", "2", "3"]
    assert chosen_kind(pane).startswith("All")
    assert pane.find_bar.field.text() == ""
    show(pane, problem(2))
    assert visible(pane) == []
    assert pane.tree.current_step() is None
    show(pane, None)
    pane.grab()


def test_every_cell_of_the_tree_can_be_read_out(pane: StepPane) -> None:
    show(pane, scored(0, reach=reach(1)))
    tree = QAccessible.queryAccessibleInterface(pane.tree)
    names = [tree.child(number).text(QAccessible.Text.Name) for number in range(tree.childCount())]
    rows = [names[start : start + 5] for start in range(0, len(names), 5)]
    line = "Embedding window ends here, token 512: novelty sees nothing below"
    assert rows == [
        ["Number", "Kind", "Content", "Latency in milliseconds", "Counts for"],
        ["", "Objective", "Review the potassium trend", "", ""],
        ["0", "Thought", "Read the chart.", "", "complexity: new type"],
        [
            "1", "Tool call", "ehr.read  patient: p-1, hours: 72", "310",
            "complexity: new type, tool diversity: first use",
        ],
        [line] * 5,
        ["2", "Observation", "K 5.1", "", "complexity: new type"],
        [
            "3", "Recovery", "lab.query  Ask again.", "",
            "complexity: new type, tool diversity: first use, complexity: recovery",
        ],
    ]  # fmt: skip


def test_rail_and_line_are_painted(pane: StepPane) -> None:
    show(pane, scored(0, reach=reach(1)))
    novelty = colours(pane.palette()).novelty
    image = pane.tree.viewport().grab().toImage()
    height = pane.tree.visualRect(pane.tree.model().index(0, 0)).height()

    def rail(row: int) -> QColor:
        return image.pixelColor(1, row * height + height // 4)

    assert [rail(row) == novelty for row in range(6)] == [True, True, True, True, False, False]
    line = [image.pixelColor(x, 3 * height + (height - 1) // 2) for x in range(400, 600)]
    assert novelty in line and line.count(novelty) < len(line)


def test_the_tree_is_read_out(pane: StepPane) -> None:
    show(pane, scored(0, reach=reach(1)))
    tree = QAccessible.queryAccessibleInterface(pane.tree)
    assert tree.role() == QAccessible.Role.Tree
    assert tree.text(QAccessible.Text.Name) == "Steps"
    described = tree.text(QAccessible.Text.Description)
    assert described == "Embedding window ends here, token 512: novelty sees nothing below"
    for control in (*pane.findChildren(QLineEdit), *pane.findChildren(QComboBox)):
        assert QAccessible.queryAccessibleInterface(control).text(QAccessible.Text.Name)


def test_hostile_steps_are_painted_as_text(pane: StepPane) -> None:
    nasty = "<table><img src='http://example.invalid/x.png'>\x00\u202e\u05d0\r\x1b\ufdd0" * 20
    steps = [
        {"type": nasty, "content": nasty, "tool": {"name": nasty}},
        {"type": "tool_call", "tool": {}, "input": {nasty: [nasty]}, "latency_ms": 10**400},
        {"type": ["thought"], "tool": True, "latency_ms": -1},
        {"content": "x" * 20_000_000},
        {},
    ]
    show(pane, scored(0, steps=steps, objective=nasty, domain=nasty))
    pane.grab()
    assert "\x00" not in pane.header.title.text()
    assert "\n" not in pane.header.facts.text()


def test_a_long_trace_that_is_chosen_again_is_not_looked_through_again(qtbot) -> None:
    pane = StepPane()  # the tester would take minutes over so many
    exposed(qtbot, pane, 636, 500)
    document = scored(0, steps=STEPS * 7500, reach=reach(15_000))
    show(pane, document)
    show(pane, scored(1))
    calls = Counter()
    sys.setprofile(lambda frame, event, _: calls.update([event]))
    show(pane, document)
    pane.grab()
    sys.setprofile(None)
    assert pane.tree.steps.rowCount() == 22_502 and pane.tree.isExpanded(
        pane.tree.steps.place_of(1)
    )
    assert calls["call"] < 10_000  # not one for every step
    pane.go_to_step(29_999)
    assert pane.tree.visualRect(pane.tree.currentIndex()).isValid()
    assert pane.tree.columnWidth(StepColumn.NUMBER) > 38


def test_rows_that_are_tried_otherwise_are_tinted_and_struck(qtbot, pane: StepPane) -> None:
    document = scored(0)
    show(pane, document)
    before = pane.tree.grab().toImage()
    edits = (StepEdit(0, left_out=True), StepEdit(1, tool="guideline.search"))
    tried, marks = present(case_of(document, Scenario(edits=edits))).tried
    pane.show_steps(replace(pane.shown, tried=tried, marks=marks))
    after, steps = pane.tree.grab().toImage(), present(document.record).trace.steps
    for step, is_tried in zip(steps, (True, True, False, False), strict=True):
        ground = content_of(pane, step).topLeft() + QPoint(2, 2)
        assert (after.pixelColor(ground) != before.pixelColor(ground)) is is_tried
    accent, rect = colours(pane.tree.palette()).accent, content_of(pane, steps[1])
    points = [
        (x, y) for x in range(rect.left(), rect.right()) for y in range(rect.top(), rect.bottom())
    ]
    assert not [one for one in points if near(before.pixelColor(*one), accent)]
    assert len([one for one in points if near(after.pixelColor(*one), accent)]) > 20


def test_in_high_contrast_the_current_row_has_one_ground(qapp, pane, monkeypatch) -> None:
    theme.set_palette(qapp, dark=False)
    monkeypatch.setattr(theme, "high_contrast", lambda: True)
    palette = pane.palette()
    palette.setColor(QPalette.ColorRole.Highlight, QColor("#0000ff"))
    pane.tree.setPalette(palette)
    show(pane, scored(0))
    pane.go_to_step(2)  # which hangs under another
    image = pane.tree.viewport().grab().toImage()
    rect = pane.tree.visualRect(pane.tree.currentIndex())
    beside = image.pixelColor(rect.left() - 4, rect.center().y())
    assert beside == image.pixelColor(image.width() - 2, rect.center().y())


def content_of(pane: StepPane, step) -> QRect:
    """Where a step's content stands in a picture of the tree."""
    index = pane.tree.steps.place_of(step.index)
    rect = pane.tree.visualRect(index.siblingAtColumn(StepColumn.CONTENT))
    return rect.translated(0, pane.tree.header().height())


def near(one: QColor, other: QColor) -> bool:
    pairs = zip(of(tuple, one.getRgb())[:3], of(tuple, other.getRgb())[:3], strict=True)
    return all(abs(a - b) < 40 for a, b in pairs)


@pytest.fixture
def wide_font(qapp):
    """The widest font that desktops come with, in other sizes by a factor."""
    if "DejaVu Sans" not in QFontDatabase.families():
        pytest.skip("there is no DejaVu Sans here")
    before = QApplication.font()

    def use(ratio: float) -> None:
        font = QFont("DejaVu Sans")
        font.setPixelSize(round(USUAL_PT * 96 / 72 * ratio))
        QApplication.setFont(font)

    yield use
    QApplication.setFont(before)


@pytest.fixture
def opened(qtbot, tmp_path):
    """Gives what opens a file in a window."""
    windows = []

    def open_file(path) -> MainWindow:
        window = open_window(qtbot, tmp_path, path)
        window.setMinimumSize(1, 1)
        windows.append(window)
        return window

    yield open_file
    for window in windows:
        close(window)


def resize(window, size) -> None:
    window.setFixedSize(*size)
    for _ in range(4):
        QApplication.processEvents()


def characters(tree, index) -> int | None:
    """How many characters of tool and content are seen; None where all of them are."""
    row, fonts = index.data(StepRole.ROW), tree.itemDelegate().fonts
    room = tree.columnWidth(StepColumn.CONTENT) - 12
    seen = 0
    for text, style in ((row.tool, fonts.name), (row.text, fonts.body)):
        shown = style.metrics.elidedText(text, tree.textElideMode(), room)
        seen += len(shown)
        if shown != text:
            return seen
        room -= style.metrics.horizontalAdvance(text) + 8 if text else 0
    return None


def fewest(tree) -> int:
    """The fewest characters that are seen of a row that is cut."""
    found = []
    index = tree.model().index(0, StepColumn.KIND)
    while index.isValid():
        if index.data(StepRole.ROW).number != WINDOW_END:
            found.append(characters(tree, index))
        index = tree.indexBelow(index)
    return min((one for one in found if one is not None), default=10_000)


def samples():
    folder = resources() / "samples"
    return sorted(path.name for path in folder.iterdir() if path.suffix in {".json", ".jsonl"})


def test_forty_characters_of_every_sample_are_seen(wide_font, opened) -> None:
    wide_font(1)
    for name in samples():
        window = opened(resources() / "samples" / name)
        for size in SIZES if user.steps(window).isVisible() else ():
            resize(window, size)
            assert fewest(user.steps(window)) >= LEAST, (name, size)


def steps_with(**parts):
    steps = [
        {"step_id": n, "type": kind, "content": f"step {n} has some more words " * 9, **parts}
        for n, kind in enumerate(("thought", "tool_call", "observation", "error_recovery") * 3)
    ]
    return make_raw(steps=steps)


def test_latencies_have_a_column_only_where_there_are_any(wide_font, opened, tmp_path) -> None:
    wide_font(1)
    for parts, hidden in (({}, True), ({"latency_ms": 7}, False), ({"latency_ms": "7"}, True)):
        path = tmp_path / "a.json"
        path.write_text(json.dumps(steps_with(**parts)), encoding="utf-8")
        window = opened(path)
        resize(window, (1440, 900))
        assert user.steps(window).isColumnHidden(StepColumn.MS) is hidden


def test_what_gives_way_can_still_be_told(wide_font, opened, tmp_path) -> None:
    """Badges lose their words first, then the kinds theirs; icons, badges and figures stay."""
    wide_font(1)
    path = tmp_path / "a.json"
    path.write_text(json.dumps(steps_with(latency_ms=310)), encoding="utf-8")
    window = opened(path)
    tree = user.steps(window)
    metrics = tree.itemDelegate().fonts.body.metrics
    for width in range(846, 1700, 130):
        resize(window, (width, 700))
        widths = {column: tree.columnWidth(column) for column in StepColumn}
        assert widths[StepColumn.COUNTS_FOR] >= 2 * 16 + 4
        assert widths[StepColumn.KIND] >= 2 * 12 + 16
        assert widths[StepColumn.NUMBER] > metrics.horizontalAdvance("11")
        if not tree.isColumnHidden(StepColumn.MS):
            assert widths[StepColumn.MS] >= metrics.horizontalAdvance("310")
        assert width < SIZES[0][0] or fewest(tree) >= LEAST
