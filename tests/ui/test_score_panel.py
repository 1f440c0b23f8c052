"""The score panel: its tabs, what it copies, and that all of it can be read."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QScrollArea, QTabBar, QToolButton

from kpinspector.app import answers
from kpinspector.app.document import Rules
from kpinspector.app.values import Turn
from kpinspector.trace.schema import Issue, Severity
from kpinspector.ui.panes.why import WhyView
from kpinspector.ui.tables.figure_table import FigureTable
from kpinspector.ui.window.score_panel import Tab
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
from tests.ui.main_windows import settle
from tests.ui.reading import heads, names, panel, show, table

__all__ = ["panel"]

HOSTILE = "<b>bold</b><img src='http://x/'>"


def why_bar(panel):
    areas = panel.findChildren(QScrollArea)
    return next(a for a in areas if isinstance(a.widget(), WhyView)).verticalScrollBar()


def choose_tab(panel, title: str) -> None:
    tabs = panel.findChild(QTabBar)
    titles = [tabs.tabText(number) for number in range(tabs.count())]
    tabs.setCurrentIndex(titles.index(title))


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


def test_a_file_name_cannot_add_lines_or_cells_to_the_copy(panel):
    show(panel, problem_document(path="/x/a\tb\nverdict\tAccepted.json"))
    panel.copy_answer()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert [line for line in lines if line.startswith("verdict")] == ["verdict\tNot readable"]
    assert all(line.count("\t") <= 1 for line in lines)


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


def test_the_answer_of_a_long_trace_is_written_elsewhere(panel, monkeypatch):
    show(panel, document())
    monkeypatch.setattr(answers, "LONG", 0)
    QGuiApplication.clipboard().setText("before")
    asked = []
    panel.wished.connect(asked.append)
    panel.copy_answer()
    assert [one.of.row for one in asked] == [document().number]
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


def test_a_step_that_comes_and_goes_has_room_for_its_tab(panel):
    show(panel, document())
    panel.hide()
    page = QLabel()
    page.setWindowTitle("Objective")
    panel.set_step_page(page)
    panel.show()
    for one in (document(), problem_document(), document()):
        show(panel, one)
        assert panel.tabs.width() == panel.tabs.sizeHint().width()
    panel.set_step_page(None)
    page.deleteLater()
