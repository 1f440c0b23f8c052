"""The panes of the window: side by side, under one another, and back; nothing is lost."""

import json

import pytest
from PySide6.QtCore import QDeadlineTimer, QPoint, QSize, Qt
from PySide6.QtGui import QScreen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from kpinspector.app.engine import Engine
from kpinspector.app.session import Session
from kpinspector.app.state import SavedState
from kpinspector.scoring.memory.mode import Mode
from kpinspector.settings import Settings
from kpinspector.ui.actions.table import Command
from kpinspector.ui.controls.views import Splitter
from kpinspector.ui.look.theme import scale
from kpinspector.ui.main_window import MainWindow
from kpinspector.ui.traces.trace_row import TraceColumn
from kpinspector.ui.window.frame import NARROW_BELOW
from tests.fakes import FakeEmbedder, make_raw
from tests.known import of

WIDE, NARROW, SMALLEST = (1440, 900), (1000, 700), (800, 560)


@pytest.fixture
def window(qtbot, tmp_path):
    made = make_window(qtbot, tmp_path)
    yield made
    made.close()
    assert made._session.close()


def make_window(qtbot, tmp_path, *, steps=60):
    settings = Settings()
    session = Session(Engine(Mode.FRESH, tmp_path, settings, FakeEmbedder()), settings)
    window = MainWindow(Settings(), SavedState())
    window.furnish(session)
    session.setParent(window)
    qtbot.addWidget(window)
    resize(window, WIDE)
    with qtbot.waitExposed(window):
        window.show()
    raw = make_raw(
        steps=[
            {"step_id": n, "type": "thought", "content": f"thought {n} " * 9} for n in range(steps)
        ]
    )
    path = tmp_path / "a.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    session.open([str(path), str(tmp_path / "bad.json")])
    finish(window)
    window._traces.set_current(session.documents[0].number)
    settle()
    return window


def resize(window, size):
    metrics = window.fontMetrics()
    window.resize(*(scale(px, metrics) for px in size))
    settle()


def finish(window):
    """Wait until nothing is left to be done, and all of it is seen."""
    session = window._session
    end = QDeadlineTimer(10_000)
    while not (session.runner.idle and session.store.told):
        assert not end.hasExpired()
        QTest.qWait(1)
    settle()


def settle():
    for _ in range(4):
        QApplication.processEvents()


def tabs(window):
    bar = window._score.tabs
    return [bar.tabText(n) for n in range(bar.count()) if bar.isTabVisible(n)]


def splitter(window, orientation, holding):
    found = [s for s in window.findChildren(Splitter) if s.orientation() == orientation]
    return next(s for s in found if s.indexOf(holding) >= 0)


def test_at_first_list_and_score_have_their_widths_and_the_centre_the_rest(window):
    metrics = window.fontMetrics()
    assert window._traces.width() == scale(352, metrics)
    assert window._score.width() == scale(440, metrics)
    for handle in (1, 2):
        assert (
            splitter(window, Qt.Orientation.Horizontal, window._traces).handle(handle).isVisible()
        )
    assert "Step" not in " ".join(tabs(window))


def test_below_the_width_the_score_is_under_the_steps_and_goes_back(window):
    before = tabs(window)
    resize(window, NARROW)
    score, steps = window._score, window._steps
    assert (
        score.mapTo(window, score.rect().topLeft()).y()
        > steps.mapTo(window, steps.rect().bottomLeft()).y()
    )
    assert tabs(window) == ["Objective", *before]
    assert score.isVisible() and steps.isVisible() and not window._detail.isVisible()
    resize(window, WIDE)
    assert tabs(window) == before
    assert window._detail.isVisible()
    assert (
        score.mapTo(window, score.rect().topLeft()).x()
        > steps.mapTo(window, steps.rect().topRight()).x()
    )
    test_at_first_list_and_score_have_their_widths_and_the_centre_the_rest(window)


def test_one_pixel_decides(window):
    edge = scale(NARROW_BELOW, window.fontMetrics())
    for width, narrow in ((edge, False), (edge - 1, True), (edge, False)):
        window.resize(width, 700)
        settle()
        assert ("Objective" in tabs(window)) is narrow


def test_tab_scroll_step_and_focus_stay(window):
    tree, score = window._steps.tree, window._score
    window._steps.select_step(window._current.record.trace.steps[40])
    settle()
    place = tree.verticalScrollBar().value()
    assert place > 0
    score.tabs.setCurrentIndex(1)
    score.tabs.setFocus()
    resize(window, NARROW)
    assert tabs(window)[0] == "Step 40"
    assert score.tabs.tabText(score.tabs.currentIndex()) == "What-if"
    assert score.tabs.hasFocus()
    resize(window, WIDE)
    assert score.tabs.tabText(score.tabs.currentIndex()) == "What-if"
    assert QApplication.focusWidget() is score.tabs
    assert window._steps.current_step().index == 40
    assert tree.verticalScrollBar().value() > 0


def test_the_steps_tab_follows_the_step_and_a_file_without_steps_has_none(window):
    resize(window, NARROW)
    window._steps.select_step(window._current.record.trace.steps[7])
    assert tabs(window)[0] == "Step 7"
    window._steps.tree.setFocus()
    window._steps.tree.activated.emit(window._steps.tree.currentIndex())
    assert window._detail.isVisible()
    window._traces.go(1)
    settle()
    assert window._current.record is None
    assert "Why" in tabs(window)[0] and not window._detail.isVisible()
    window._traces.go(-1)
    assert tabs(window)[0] == "Step 7"


def test_words_of_the_tool_bar_give_way(window):
    export = next(b for b in window._tools.findChildren(QToolButton) if b.text() == "Export")
    wide = export.width()
    resize(window, NARROW)
    assert export.width() < wide and export.toolTip()
    labels = [action for action in window._tools._labels if action.isVisible()]
    assert labels == []
    resize(window, WIDE)
    assert export.width() == wide and all(one.isVisible() for one in window._tools._labels)


@pytest.mark.parametrize("factor", [1.0, 1.5])
def test_the_smallest_window_holds_every_pane(qtbot, tmp_path, monkeypatch, factor):
    app = of(QApplication, QApplication.instance())
    usual, larger = app.font(), app.font()
    larger.setPointSizeF(larger.pointSizeF() * factor)
    monkeypatch.setattr(QScreen, "availableSize", lambda _screen: QSize(1920, 1080))
    app.setFont(larger)
    try:
        window = make_window(qtbot, tmp_path)
        holds_every_pane(window)
        window.close()
        assert window._session.close()
    finally:
        app.setFont(usual)


def holds_every_pane(window):
    resize(window, SMALLEST)
    assert window.size() == window.minimumSize()
    for pane in (window._traces, window._steps, window._score):
        corner = pane.mapTo(window, pane.rect().bottomRight())
        assert window.rect().contains(corner), pane
        assert pane.height() > 100 and pane.width() >= pane.minimumWidth()


def test_what_was_dragged_stays_in_each_shape(window):
    columns = splitter(window, Qt.Orientation.Horizontal, window._traces)
    drag(columns, 1, 40)
    dragged = window._traces.width()
    assert dragged == scale(352, window.fontMetrics()) + 40
    resize(window, NARROW)
    assert window._traces.width() != dragged
    resize(window, WIDE)
    assert window._traces.width() == dragged
    window._layout.restore_default()
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


def again(window, **changes):
    """A window as the next start makes it."""
    window.close()
    window._session.history.keep_window(
        **{
            "geometry": window._session.history.state.geometry,
            "window_state": window._session.history.state.window_state,
            "zoom": window._session.history.state.zoom,
            "columns": window._session.history.state.columns,
        }
        | changes
    )
    next_window = MainWindow(Settings(), window._session.history.state)
    next_window.furnish(window._session)
    return next_window


def test_the_next_start_finds_window_panes_and_columns_as_they_were(window, qtbot):
    resize(window, NARROW)
    resize(window, WIDE)
    drag(splitter(window, Qt.Orientation.Horizontal, window._traces), 1, 40)
    width = window._traces.width()
    window.setGeometry(2, 40, 780, 600)  # with its frame, within the screen that tests have
    settle()
    geometry = window.geometry()
    header = window._traces.table.header
    before = window._traces.columns_state()
    header.set_shown(next(iter(header.chosen - {TraceColumn.TRACE})), shown=False)
    columns = window._traces.columns_state()
    other = again(window)
    qtbot.addWidget(other)
    assert other.geometry() == geometry
    assert other._traces.columns_state() == columns != before
    resize(other, WIDE)
    other.show()
    other._layout.show_panes(shown=True)
    settle()
    assert other._traces.width() == width


def test_a_window_that_was_left_where_no_screen_is_comes_back_to_one(window, qtbot):
    window.move(9000, 9000)
    settle()
    other = again(window)
    qtbot.addWidget(other)
    assert other.screen().availableGeometry().intersects(other.frameGeometry())


@pytest.mark.parametrize(
    "broken",
    ["", "no", "wide=0,440,0.3,0.5", "wide=1,2", "wide=999999,440,0.3,0.5", "wide=٣,440,0.3,0.5"],
)
def test_a_broken_state_stands_for_nothing(window, qtbot, broken):
    other = again(window, geometry=broken, window_state=broken, columns={"traces": broken})
    qtbot.addWidget(other)
    resize(other, WIDE)
    other.show()
    other._layout.show_panes(shown=True)
    settle()
    test_at_first_list_and_score_have_their_widths_and_the_centre_the_rest(other)


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_f6_comes_to_every_pane_and_back(window, size, qtbot):
    resize(window, size)
    window.activateWindow()
    window._traces.table.setFocus()
    panes = [window._traces, window._steps, window._score, window._tools]
    if size is WIDE:
        panes.insert(2, window._detail)

    def here():
        return next(pane for pane in panes if pane.isAncestorOf(QApplication.focusWidget()))

    seen = []
    for _ in panes:
        window._actions[Command.NEXT_PANE].trigger()
        seen.append(here())
    assert seen == [*panes[1:], panes[0]]
    window._actions[Command.PREVIOUS_PANE].trigger()
    assert here() is panes[-1]


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_two_traces_take_the_place_of_one_and_give_it_back(window, size):
    resize(window, size)
    window.activateWindow()
    number = window._session.documents[0].number
    window._session.comparisons.compare(number, number)
    finish(window)
    assert window._compare.isVisible() and not window._steps.isVisible()
    assert window._compare.view.hasFocus()
    assert window._score.isVisible() is (size is WIDE)
    panes = [window._compare, window._tools, window._traces]
    if size is WIDE:
        panes.insert(1, window._score)
    for pane in (*panes[1:], panes[0]):
        window._actions[Command.NEXT_PANE].trigger()
        assert pane.isAncestorOf(QApplication.focusWidget())
    resize(window, WIDE)
    assert window._score.isVisible()
    resize(window, size)
    window._actions[Command.CLOSE_COMPARISON].trigger()
    assert window._steps.isVisible() and window._score.isVisible()
    assert window._steps.tree.hasFocus()


def test_a_comparison_ends_with_the_row_that_it_was_made_from(window):
    number = window._session.documents[0].number
    window._session.comparisons.compare(number, number)
    finish(window)
    window._traces.go(1)
    settle()
    assert window._problem.isVisible() and not window._compare.isVisible()
    window._traces.go(-1)
    settle()
    assert window._steps.isVisible()


def test_f6_on_the_start_page_and_on_a_problem(window):
    window._traces.go(1)
    window._traces.table.setFocus()
    window._actions[Command.NEXT_PANE].trigger()
    assert window._problem.isAncestorOf(QApplication.focusWidget())
    window._session.remove([one.number for one in window._session.documents])
    settle()
    seen = set()
    for _ in range(4):
        window._actions[Command.NEXT_PANE].trigger()
        focus = QApplication.focusWidget()
        seen |= {one for one in (window._start, window._tools) if one.isAncestorOf(focus)}
    assert seen == {window._start, window._tools}
