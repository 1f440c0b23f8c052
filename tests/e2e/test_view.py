"""How the window looks: tabs of the score by keys, zoom, panes that are hidden, the histogram."""

import json

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kpinspector.ui.actions.actions import Command
from tests.e2e.driving import focused, idle, listed, press, trigger
from tests.fakes import make_raw, save

CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
RAWS = [make_raw(id=str(n), outcome={"result_summary": "", "confidence": n / 4}) for n in range(5)]


def tab(window):
    tabs = window._score.tabs
    return tabs.tabText(tabs.currentIndex())


def wheel(widget, notches, modifiers=CTRL):
    place = QPointF(widget.rect().center())
    event = QWheelEvent(
        place,
        QPointF(widget.mapToGlobal(place.toPoint())),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def height(window):
    """Of a line of text, in the list and in a label."""
    return window._traces.table.fontMetrics().height(), window._traces._count.font().pointSizeF()


@pytest.fixture
def path(tmp_path):
    return save(tmp_path / "a.jsonl", *RAWS)


def test_the_tabs_of_the_score_by_keys(journey, path):
    def script(window):
        window.resize(1440, 900)
        yield idle(window)
        seen = []
        for key in (Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_1):
            press(key, ALT)
            seen.append(tab(window))
        assert seen == ["What-if", "Neighbours", "Report", "Why"]
        for _ in range(5):
            press(Qt.Key.Key_Tab, CTRL)
            seen.append(tab(window))
        assert seen[4:] == ["What-if", "Neighbours", "Report", "Why", "What-if"]
        press(Qt.Key.Key_Backtab, CTRL | SHIFT)
        press(Qt.Key.Key_Backtab, CTRL | SHIFT)
        assert tab(window) == "Report"

    assert journey([path], script) == 0


def test_everything_is_written_larger_and_smaller_and_stays_so(journey, path, data_dir):
    before = []

    def first(window):
        yield idle(window)
        before.append(height(window))
        for _ in range(3):
            press(Qt.Key.Key_Plus, CTRL)
        press(Qt.Key.Key_Equal, CTRL)
        assert height(window)[1] == pytest.approx(before[0][1] * 1.4)
        press(Qt.Key.Key_Minus, CTRL)
        assert window._view.zoom == 130 and height(window)[0] > before[0][0]
        state = data_dir / "state.json"
        yield lambda: state.exists() and json.loads(state.read_bytes())["zoom"] == 130

    def second(window):
        assert window._view.zoom == 130
        yield idle(window)
        assert height(window)[1] == pytest.approx(before[0][1] * 1.3)
        for _ in range(40):
            press(Qt.Key.Key_Plus, CTRL)
        assert window._view.zoom == 300 and not window._actions[Command.ZOOM_IN].isEnabled()
        for _ in range(40):
            press(Qt.Key.Key_Minus, CTRL)
        assert window._view.zoom == 50 and not window._actions[Command.ZOOM_OUT].isEnabled()
        press(Qt.Key.Key_0, CTRL)
        assert height(window) == before[0]

    assert journey([path], first) == 0
    assert journey([path], second) == 0


def test_the_wheel_zooms_while_ctrl_is_down(journey, path):
    def script(window):
        yield idle(window)
        view = window._traces.table.viewport()
        wheel(view, 1, Qt.KeyboardModifier.NoModifier)
        QTest.keyPress(focused(), Qt.Key.Key_Control, CTRL)
        wheel(view, 2)
        assert window._view.zoom == 120
        wheel(window._score, -3)
        assert window._view.zoom == 90
        QTest.keyRelease(focused(), Qt.Key.Key_Control)
        wheel(view, 1, Qt.KeyboardModifier.NoModifier)
        assert window._view.zoom == 90

    assert journey([path], script) == 0


def test_panes_are_hidden_come_back_and_are_kept(journey, path):
    panes = {
        Command.SHOW_TRACES: "_traces",
        Command.SHOW_STEP: "_detail",
        Command.SHOW_SCORE: "_score",
    }

    def shown(window):
        return [getattr(window, name).isVisible() for name in panes.values()]

    def first(window):
        window.resize(1440, 900)
        yield idle(window)
        window._traces.table.setFocus()
        press(Qt.Key.Key_F9)
        assert shown(window) == [False, True, True] and focused().isVisible()
        press(Qt.Key.Key_F9, SHIFT)
        press(Qt.Key.Key_F9, CTRL)
        assert shown(window) == [False, False, False]
        assert not any(window._actions[one].isChecked() for one in panes)

    def second(window):
        window.resize(1440, 900)
        yield idle(window)
        assert shown(window) == [False, False, False]
        assert not any(window._actions[one].isChecked() for one in panes)
        trigger(window, Command.FILTER)
        assert shown(window) == [True, False, False]
        press(Qt.Key.Key_3, ALT)
        assert shown(window) == [True, False, True] and tab(window) == "Neighbours"
        trigger(window, Command.RESTORE_LAYOUT)
        assert shown(window) == [True, True, True]
        assert all(window._actions[one].isChecked() for one in panes)
        window.resize(1000, 700)
        trigger(window, Command.SHOW_STEP)
        assert window._score.tabs.tabText(0) == "Why"
        trigger(window, Command.SHOW_STEP)
        assert window._score.tabs.tabText(1) == "Why"

    assert journey([path], first) == 0
    assert journey([path], second) == 0


def test_the_histogram_sets_the_threshold_and_filters(journey, path):
    def script(window):
        window.resize(1440, 900)
        yield idle(window)
        histogram = window._traces._histogram
        yield lambda: sum(map(sum, histogram.columns)) == len(RAWS)
        histogram.setFocus()
        for _ in range(3):
            press(Qt.Key.Key_Left)
        assert window._tools._threshold.value() == 0.72 == window._session.store.rules.threshold
        (number, _), *_ = [one for one in enumerate(histogram.columns) if any(one[1])]
        chart, _ = histogram._places()
        place = QPoint(chart.left() + chart.width() * (2 * number + 1) // 40, chart.center().y())
        QTest.mouseClick(histogram, Qt.MouseButton.LeftButton, pos=place)
        assert window._traces._field.text.startswith("score:")
        assert 0 < len(listed(window)) < len(RAWS)
        press(Qt.Key.Key_Escape)
        assert window._traces._field.text == "" and len(listed(window)) == len(RAWS)

    assert journey([path], script) == 0
