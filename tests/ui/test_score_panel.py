"""The score panel: its tabs, what it copies, and that all of it can be read."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QFont, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QTabBar, QToolButton

from kpinspector.app import whatif
from kpinspector.app.document import Rules
from kpinspector.app.progress import Turn
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.trace.schema import Issue, Severity
from kpinspector.ui.look.theme import set_palette
from kpinspector.ui.score.why_view import WhyView
from kpinspector.ui.tables.figure_table import FigureTable
from kpinspector.ui.window.score_panel import ScorePanel, Tab
from tests import user
from tests.answers import (
    document,
    measurement,
    neighbour,
    novelty,
    pending_document,
    problem_document,
    skipped_document,
)
from tests.known import of, present
from tests.ui.reading import (
    cells,
    description,
    heads,
    interfaces,
    names,
    settle,
    show,
    shown_panel,
    table,
)

HOSTILE = "<b>bold</b><img src='http://x/'>"


@pytest.fixture
def panel(qtbot) -> Iterator[ScorePanel]:
    with shown_panel(qtbot) as panel:
        yield panel


def why_bar(panel):
    areas = panel.findChildren(QScrollArea)
    return next(a for a in areas if isinstance(a.widget(), WhyView)).verticalScrollBar()


def choose_tab(panel, title: str) -> None:
    tabs = panel.findChild(QTabBar)
    titles = [tabs.tabText(number) for number in range(tabs.count())]
    tabs.setCurrentIndex(titles.index(title))


def test_every_table_is_a_table_with_named_columns(panel):
    show(panel, document())
    assert "0.0742" in cells(panel, "Dimensions")
    assert "2 different tools" in cells(panel, "Overrides")
    assert "+0.5335" in cells(panel, "How it adds up")
    heads = [
        one.text(QAccessible.Text.Name)
        for one in interfaces(panel)
        if one.role() == QAccessible.Role.ColumnHeader
    ]
    assert {"value", "weight", "adds", "lost", "reason", "from and to"} <= set(heads)


def test_nothing_painted_is_without_a_name(panel):
    show(panel, document(measurement(unique_tools=1)))
    silent = [
        one.object()
        for one in interfaces(panel)
        if one.role() in {QAccessible.Role.Table, QAccessible.Role.Button, QAccessible.Role.Graphic}
        and not one.text(QAccessible.Text.Name)
    ]
    assert silent == []


def test_a_pending_trace_says_when_it_is_scored_and_what_comes_then(panel):
    one = pending_document()
    for turn, said in (
        (None, "not measured yet"),
        (Turn(216, 1000), "being measured, place 216 of 1,000"),
        (Turn(216, 1200), "being measured, place 216 of 1,200"),
        (None, "not measured yet"),
    ):
        panel.set_document(one, turn)
        assert table(panel, "Dimensions")[3] == [said]
        panel.copy_answer()
        assert said in QGuiApplication.clipboard().text()
    panel.set_turn(Turn(1, 2))
    assert table(panel, "Dimensions")[3] == ["being measured, place 1 of 2"]
    assert heads(panel, "What would change it")[-1] == "shown when the score is known"
    show(panel, document())
    panel.set_turn(Turn(1, 2))
    assert "being measured" not in str(table(panel, "Dimensions"))


def test_a_recorded_score_is_held_against_the_recomputed_one(panel):
    one = document()
    record, measured = present(one.record), present(one.measured)
    metadata = replace(record.trace.metadata, quality_score=0.8)
    record = replace(record, trace=replace(record.trace, metadata=metadata))
    show(panel, replace(one, item=record, measured=replace(measured, record=record)))
    said = description(panel, "Remarks")
    assert "Recorded quality score 0.8: 0.0523 above the recomputed one. Novelty" in said
    panel.copy_answer()
    copied = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert ["recorded score", "0.8"] in copied
    low, high = (
        next(float(line[1]) for line in copied if line[0] == f"{end} novelty that gives it")
        for end in ("least", "greatest")
    )
    assert 0.45 < low < high < 1
    assert any(line[0].startswith("Recorded quality score 0.8:") for line in copied)


def test_no_document(panel):
    show(panel, document())
    show(panel, None)
    said = names(panel)
    assert "Choose a trace to see what its score is made of." in said
    assert "Rejected" not in said
    assert not panel.findChild(QToolButton).isEnabled()


def test_text_of_a_trace_is_plain_everywhere(panel, qtbot):
    near = novelty(neighbours=(neighbour(f"/x/{HOSTILE[:24]}.json", objective=HOSTILE),))
    issues = (Issue(HOSTILE, Severity.ERROR, HOSTILE),)
    show(panel, document(measurement(near, task_domain=HOSTILE, schema_valid=False), issues=issues))
    labels = [label for label in panel.findChildren(QLabel) if "<" in label.text()]
    assert labels
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in labels)
    for view in panel.findChildren(FigureTable):
        for row in range(view.model().rowCount()):
            for column in range(view.model().columnCount()):
                tip = view.model().index(row, column).data(Qt.ItemDataRole.ToolTipRole) or ""
                assert "<b>" not in tip and "<img" not in tip


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (None, "Choose a trace to try"),
        (pending_document(), "Novelty is still to be measured"),
        (problem_document(), "There is no trace in this row"),
        (skipped_document(), "There is no trace in this row"),
    ],
)
def test_what_if_says_what_would_be_there(panel, one, words):
    choose_tab(panel, "What-if")
    panel.what_if.set_case(one, None)
    settle()
    assert any(name.startswith(words) for name in names(panel))
    assert not [view for view in panel.findChildren(FigureTable) if view.isVisible()]


def chosen_tabs(panel):
    """The tab that is seen, and the last one beside that of the step."""
    return panel.tab, panel.last_tab


def test_the_what_if_tab_is_chosen_until_another_answer_is(panel):
    show(panel, document())
    assert Tab.WHAT_IF not in chosen_tabs(panel)
    panel.show_tab(Tab.WHAT_IF)
    assert chosen_tabs(panel) == (Tab.WHAT_IF, Tab.WHAT_IF)
    step = QLabel()
    panel.set_step_page(step)
    panel.show_step()
    assert chosen_tabs(panel) == (None, Tab.WHAT_IF)
    panel.leave_what_if()
    assert chosen_tabs(panel) == (None, Tab.WHY)
    panel.show_tab(Tab.WHAT_IF)
    panel.leave_what_if()
    assert panel.tabs.tabText(panel.tabs.currentIndex()) == "Why"
    panel.set_step_page(None)


def test_copy_puts_every_term_on_the_clipboard(panel, qtbot):
    show(panel, document())
    qtbot.mouseClick(panel.findChild(QToolButton), Qt.MouseButton.LeftButton)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert "verdict\tRejected" in lines
    assert "score\t0.7477499999999999" in lines
    line = next(line for line in lines if line.startswith("Novelty\t"))
    term = present(document().assessment).contributions[1]
    assert line.split("\t")[1:5] == [
        repr(number) for number in (term.value, term.weight, term.part, term.lost)
    ]
    assert "Recovery bonus\tno\t\t\t\tno recoveries, needs 3" in lines
    names = [line.split("\t")[0] for line in lines]
    profiles = [one.name for one in PROFILES]
    first = names.index(profiles[0])
    assert names[first : first + len(profiles)] == profiles


def test_a_file_name_cannot_add_lines_or_cells_to_the_copy(panel):
    show(panel, problem_document(path="/x/a\tb\nverdict\tAccepted.json"))
    panel.copy_answer()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert [line for line in lines if line.startswith("verdict")] == ["verdict\tNot readable"]
    assert all(line.count("\t") <= 1 for line in lines)


def test_it_fits_a_usual_window_without_scrolling(panel):
    panel.resize(440, 812)
    for one in (document(), pending_document()):
        show(panel, one)
        assert why_bar(panel).maximum() == 0


def test_a_sentence_of_four_lines_hides_less_than_a_line_of_the_rest(panel):
    panel.resize(440, 812)
    show(panel, document(measurement(unique_tools=1)))
    assert why_bar(panel).maximum() < panel.fontMetrics().lineSpacing()


def test_a_small_panel_scrolls_and_starts_at_the_top_for_another_trace(panel):
    panel.resize(440, 300)
    show(panel, document())
    bar = why_bar(panel)
    assert bar.maximum() > 0
    bar.setValue(50)
    show(panel, document(rules=Rules(threshold=0.7)))
    assert bar.value() == 50
    show(panel, pending_document())
    assert bar.value() == 0


@pytest.mark.parametrize("width", [300, 380, 440, 760])
def test_no_figure_is_cut_at_any_width_or_text_size(panel, qtbot, width):
    show(panel, document(measurement(novelty(0.82), unique_tools=1, error_recoveries=4)))
    for ratio in (1.0, 1.5, 2.0):
        font = QFont(QApplication.font())
        font.setPointSizeF(10 * ratio)
        QApplication.setFont(font)
        panel.resize(width, 780)
        settle()
        for view in panel.findChildren(FigureTable):
            if not view.isVisible() or view.accessibleName() != "How it adds up":
                continue
            for row in range(view.model().rowCount()):
                cell = view.figures.cell(row, 3)
                room = view.columnWidth(3)
                assert view.cells.metrics[cell.role].horizontalAdvance(cell.text) <= room
                assert view.rowHeight(row) >= view.cells.metrics[cell.role].height()


def test_light_and_dark_paint_different_pictures_of_the_same_words(panel):
    show(panel, document())
    pictures, words = [], []
    for dark in (False, True):
        set_palette(of(QApplication, QApplication.instance()), dark=dark)
        settle()
        pictures.append(panel.grab().toImage())
        words.append(names(panel))
    assert words[0] == words[1]
    assert pictures[0].pixelColor(5, 400).lightness() > 200
    assert pictures[1].pixelColor(5, 400).lightness() < 60


def test_the_answer_of_a_long_trace_is_written_elsewhere(panel, monkeypatch):
    show(panel, document())
    monkeypatch.setattr(whatif, "LONG", 0)
    QGuiApplication.clipboard().setText("before")
    asked = []
    panel.wished.connect(asked.append)
    panel.copy_answer()
    assert [one.row for one in asked] == [document().number]
    assert QGuiApplication.clipboard().text() == "before"


def test_where_it_is_narrow_the_tabs_scroll_and_none_is_cut(panel):
    show(panel, document())
    panel.setMinimumWidth(0)
    panel.resize(190, 400)
    settle()
    tabs = panel.tabs
    room = tabs.width() - sum(one.width() for one in user.seen(tabs, QToolButton))
    assert 0 < tabs.x() + tabs.width() < panel.width() and user.seen(tabs, QToolButton)
    for number in (*range(tabs.count()), 0):
        tabs.setCurrentIndex(number)
        settle()
        place = tabs.tabRect(number)
        assert place.left() >= 0 and place.right() <= room
        assert tabs.fontMetrics().horizontalAdvance(tabs.tabText(number)) <= place.width()
