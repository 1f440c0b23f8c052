"""The panes of the window: side by side, under one another, and back; nothing is lost."""

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QScreen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kpinspector.settings import Settings
from kpinspector.ui.actions.table import Command
from kpinspector.ui.controls.views import Splitter
from kpinspector.ui.look.theme import scale
from kpinspector.ui.main_window import MainWindow
from kpinspector.ui.panes.compare import ComparePane
from kpinspector.ui.panes.compare_view import CompareView
from kpinspector.ui.steps.step_detail import StepDetail
from kpinspector.ui.steps.step_pane import StepPane
from kpinspector.ui.traces.trace_pane import TracePane
from kpinspector.ui.traces.trace_row import TraceColumn
from kpinspector.ui.traces.trace_table import TraceTable
from kpinspector.ui.window.frame import ToolBar
from kpinspector.ui.window.score_panel import ScorePanel
from tests import user
from tests.known import of
from tests.ui.main_windows import (
    NARROW,
    SMALLEST,
    WIDE,
    close,
    finish,
    open_window,
    part,
    resize,
    session_of,
    settle,
    trace_and_problem,
)


@pytest.fixture
def window(qtbot, tmp_path):
    made = open_window(qtbot, tmp_path, *trace_and_problem(tmp_path))
    yield made
    close(made)


def tabs(window):
    return user.tabs(window, "Score")


def splitter(window, orientation, holding):
    found = [s for s in window.findChildren(Splitter) if s.orientation() == orientation]
    return next(s for s in found if s.indexOf(holding) >= 0)


def compare_with_itself(window):
    session = session_of(window)
    number = session.documents[0].number
    session.comparisons.compare(number, number)
    finish(window)


def test_at_first_list_and_score_have_their_widths_and_the_centre_the_rest(window):
    metrics = window.fontMetrics()
    assert part(window, TracePane).width() == scale(352, metrics)
    assert part(window, ScorePanel).width() == scale(440, metrics)
    for handle in (1, 2):
        assert (
            splitter(window, Qt.Orientation.Horizontal, part(window, TracePane))
            .handle(handle)
            .isVisible()
        )
    assert "Step" not in " ".join(tabs(window))


def test_below_the_width_the_score_is_under_the_steps_and_goes_back(window):
    before = tabs(window)
    resize(window, NARROW)
    score, steps = part(window, ScorePanel), part(window, StepPane)
    assert (
        score.mapTo(window, score.rect().topLeft()).y()
        > steps.mapTo(window, steps.rect().bottomLeft()).y()
    )
    assert tabs(window) == ["Objective", *before]
    assert score.isVisible() and steps.isVisible() and not part(window, StepDetail).isVisible()
    resize(window, WIDE)
    assert tabs(window) == before
    assert part(window, StepDetail).isVisible()
    assert (
        score.mapTo(window, score.rect().topLeft()).x()
        > steps.mapTo(window, steps.rect().topRight()).x()
    )
    test_at_first_list_and_score_have_their_widths_and_the_centre_the_rest(window)


def test_tab_scroll_step_and_focus_stay(window):
    tree, tabs_of_score = user.steps(window), user.tab_bar(window, "Score")
    user.go_to_step(window, 40)
    settle()
    place = tree.verticalScrollBar().value()
    assert place > 0
    user.go_to_tab(window, "Score", "What-if")
    tabs_of_score.setFocus()
    resize(window, NARROW)
    assert tabs(window)[0] == "Step 40"
    assert user.tab(window) == "What-if" and tabs_of_score.hasFocus()
    resize(window, WIDE)
    assert user.tab(window) == "What-if" and user.focused() is tabs_of_score
    assert user.current_step(window) == 40
    assert tree.verticalScrollBar().value() > 0


def test_the_steps_tab_follows_the_step_and_a_file_without_steps_has_none(window):
    resize(window, NARROW)
    user.go_to_step(window, 7)
    assert tabs(window)[0] == "Step 7"
    user.steps(window).setFocus()
    user.press_key(user.RETURN)
    assert part(window, StepDetail).isVisible()
    user.trigger(window, Command.NEXT)
    settle()
    assert user.current_name(window) == "bad"
    assert "Why" in tabs(window)[0] and not part(window, StepDetail).isVisible()
    user.trigger(window, Command.PREVIOUS)
    assert tabs(window)[0] == "Step 7"


@pytest.mark.parametrize("factor", [1.0, 1.5])
def test_the_smallest_window_holds_every_pane(qtbot, tmp_path, monkeypatch, factor):
    app = of(QApplication, QApplication.instance())
    usual, larger = app.font(), app.font()
    larger.setPointSizeF(larger.pointSizeF() * factor)
    monkeypatch.setattr(QScreen, "availableSize", lambda _screen: QSize(1920, 1080))
    app.setFont(larger)
    try:
        window = open_window(qtbot, tmp_path, *trace_and_problem(tmp_path))
        holds_every_pane(window)
        close(window)
    finally:
        app.setFont(usual)


def holds_every_pane(window):
    resize(window, SMALLEST)
    assert window.size() == window.minimumSize()
    for pane in (part(window, TracePane), part(window, StepPane), part(window, ScorePanel)):
        corner = pane.mapTo(window, pane.rect().bottomRight())
        assert window.rect().contains(corner), pane
        assert pane.height() > 100 and pane.width() >= pane.minimumWidth()


def test_what_was_dragged_stays_in_each_shape(window):
    columns = splitter(window, Qt.Orientation.Horizontal, part(window, TracePane))
    drag(columns, 1, 40)
    dragged = part(window, TracePane).width()
    assert dragged == scale(352, window.fontMetrics()) + 40
    resize(window, NARROW)
    assert part(window, TracePane).width() != dragged
    resize(window, WIDE)
    assert part(window, TracePane).width() == dragged
    user.trigger(window, Command.RESTORE_LAYOUT)
    settle()
    test_at_first_list_and_score_have_their_widths_and_the_centre_the_rest(window)


def drag(splitter, number, by):
    handle = splitter.handle(number)
    place = handle.rect().center()
    there = place + QPoint(by, 0)
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseMove(handle, there)
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=place)
    settle()


def list_state(window):
    return part(window, TraceTable).header.shown


def again(window, qtbot, **changes):
    """A window as the next start makes it, with the same files."""
    session = session_of(window)
    paths = [one.path for one in session.documents]
    session.remove([one.number for one in session.documents])
    window.close()
    state = session.history.state
    names = ("geometry", "window_state", "zoom", "columns")
    session.history.keep(**{name: getattr(state, name) for name in names} | changes)
    next_window = MainWindow(Settings(), session.history.state)
    next_window.furnish(session)
    qtbot.addWidget(next_window)
    session.opener.open(paths)
    finish(window)
    return next_window


def test_the_next_start_finds_window_panes_and_columns_as_they_were(window, qtbot):
    resize(window, NARROW)
    resize(window, WIDE)
    drag(splitter(window, Qt.Orientation.Horizontal, part(window, TracePane)), 1, 40)
    width = part(window, TracePane).width()
    window.setGeometry(2, 40, 780, 600)  # with its frame, within the screen that tests have
    settle()
    geometry = window.geometry()
    header, before = part(window, TraceTable).header, list_state(window)
    header.choose(header.shown ^ {TraceColumn.SOURCE, TraceColumn.SCORE})
    columns = list_state(window)
    other = again(window, qtbot)
    assert other.geometry() == geometry
    assert list_state(other) == columns != before
    resize(other, WIDE)
    other.show()
    settle()
    assert part(other, TracePane).width() == width


@pytest.mark.parametrize(
    "broken",
    ["", "no", "wide=0,440,0.3,0.5", "wide=1,2", "wide=999999,440,0.3,0.5", "wide=٣,440,0.3,0.5"],
)
def test_a_broken_state_stands_for_nothing(window, qtbot, broken):
    other = again(window, qtbot, geometry=broken, window_state=broken, columns={"traces": broken})
    resize(other, WIDE)
    other.show()
    settle()
    test_at_first_list_and_score_have_their_widths_and_the_centre_the_rest(other)


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_f6_comes_to_every_pane_and_back(window, size, qtbot):
    resize(window, size)
    window.activateWindow()
    user.trace_list(window).setFocus()
    panes = [
        part(window, TracePane),
        part(window, StepPane),
        part(window, ScorePanel),
        part(window, ToolBar),
    ]
    if size is WIDE:
        panes.insert(2, part(window, StepDetail))

    def here():
        return next(pane for pane in panes if pane.isAncestorOf(QApplication.focusWidget()))

    seen = []
    for _ in panes:
        user.trigger(window, Command.NEXT_PANE)
        seen.append(here())
    assert seen == [*panes[1:], panes[0]]
    user.trigger(window, Command.PREVIOUS_PANE)
    assert here() is panes[-1]


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_two_traces_take_the_place_of_one_and_give_it_back(window, size):
    resize(window, size)
    window.activateWindow()
    compare_with_itself(window)
    assert part(window, ComparePane).isVisible() and not part(window, StepPane).isVisible()
    assert part(window, CompareView).hasFocus()
    assert part(window, ScorePanel).isVisible() is (size is WIDE)
    panes = [part(window, ComparePane), part(window, ToolBar), part(window, TracePane)]
    if size is WIDE:
        panes.insert(1, part(window, ScorePanel))
    for pane in (*panes[1:], panes[0]):
        user.trigger(window, Command.NEXT_PANE)
        assert pane.isAncestorOf(QApplication.focusWidget())
    resize(window, WIDE)
    assert part(window, ScorePanel).isVisible()
    resize(window, size)
    user.trigger(window, Command.CLOSE_COMPARISON)
    assert part(window, StepPane).isVisible() and part(window, ScorePanel).isVisible()
    assert user.steps(window).hasFocus()
