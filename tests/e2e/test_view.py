"""How the window looks: tabs of the score by keys, zoom, panes that are hidden, the histogram."""

import json

import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QTabBar, QWidget

from kpinspector.files import resources
from kpinspector.ui.actions.table import Command
from kpinspector.ui.look.theme import USUAL_ZOOM, set_zoom
from kpinspector.ui.parts.sections import SentenceLabel
from tests import user
from tests.fakes import make_raw, save
from tests.user import focused, press_key, tab, trigger

CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
PANES = (Command.SHOW_TRACES, Command.SHOW_STEP, Command.SHOW_SCORE)
RAWS = [make_raw(id=str(n), outcome={"result_summary": "", "confidence": n / 4}) for n in range(5)]


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
    label = user.find(window, QLabel, "Traces")
    return user.trace_list(window).fontMetrics().height(), label.font().pointSizeF()


def zoom(window, before):
    """How large everything is written, in per cent of a size before."""
    return round(100 * height(window)[1] / before[1])


def shown(window):
    """Which of the panes of traces, step and score are there."""
    tabs = [user.is_seen(window, QTabBar, name) for name in ("View of the step", "Score")]
    return [user.trace_list(window).isVisible(), *tabs]


def checked(window):
    """Which of them are checked in the menu."""
    return [user.action(window, one).isChecked() for one in PANES]


@pytest.fixture
def path(tmp_path):
    return save(tmp_path / "a.jsonl", *RAWS)


def test_tabs_by_keys_the_histogram_filters_and_the_wheel_zooms(path):
    window = yield from user.opened(path, wide=True)
    seen = []
    for key in (Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_5, Qt.Key.Key_1):
        press_key(key, ALT)
        seen.append(tab(window))
    assert seen == ["What-if", "Neighbours", "Sharing", "Why"]
    for _ in range(5):
        press_key(Qt.Key.Key_Tab, CTRL)
        seen.append(tab(window))
    assert seen[4:] == ["What-if", "Neighbours", "Sharing", "Why", "What-if"]
    for _ in range(2):
        press_key(Qt.Key.Key_Backtab, CTRL | SHIFT)
    assert tab(window) == "Sharing"
    yield lambda: user.description(window, "Scores").startswith(f"{len(RAWS)} scored")
    histogram = user.find(window, QWidget, "Scores")
    field, middle = user.filter_field(window), histogram.height() // 2
    for x in range(0, histogram.width(), 5):  # until a column is hit
        if not field.text():
            QTest.mouseClick(histogram, Qt.MouseButton.LeftButton, pos=QPoint(x, middle))
    assert field.text().startswith("score:")
    assert 0 < user.row_count(window) < len(RAWS)
    field.clear()
    assert user.row_count(window) == len(RAWS)
    view, before = user.trace_list(window).viewport(), height(window)
    wheel(view, 1, Qt.KeyboardModifier.NoModifier)
    QTest.keyPress(focused(), Qt.Key.Key_Control, CTRL)
    wheel(view, 2)
    assert zoom(window, before) == 120
    wheel(user.tab_bar(window, "Score"), -3)
    assert zoom(window, before) == 90
    QTest.keyRelease(focused(), Qt.Key.Key_Control)
    wheel(view, 1, Qt.KeyboardModifier.NoModifier)
    assert zoom(window, before) == 90


@pytest.mark.slow
def test_everything_is_written_larger_and_smaller_and_stays_so(path, data_dir, qapp):
    window = yield from user.opened(path)
    before = height(window)
    for _ in range(3):
        press_key(Qt.Key.Key_Plus, CTRL)
    press_key(Qt.Key.Key_Equal, CTRL)
    assert height(window)[1] == pytest.approx(before[1] * 1.4)
    press_key(Qt.Key.Key_Minus, CTRL)
    assert zoom(window, before) == 130 and height(window)[0] > before[0]
    state = data_dir / "state.json"
    yield lambda: state.exists() and json.loads(state.read_bytes())["zoom"] == 130
    yield user.CLOSED
    set_zoom(qapp, USUAL_ZOOM)  # as a new process has it
    window = yield from user.opened(path)
    assert zoom(window, before) == 130
    assert height(window)[1] == pytest.approx(before[1] * 1.3)
    press_key(Qt.Key.Key_0, CTRL)
    assert height(window) == before


@pytest.mark.parametrize(
    "limit",
    [(280, Qt.Key.Key_Plus, 300, Command.ZOOM_IN), (70, Qt.Key.Key_Minus, 50, Command.ZOOM_OUT)],
    ids=["larger", "smaller"],
)
def test_it_is_written_so_large_or_small_and_no_further(path, data_dir, limit):
    kept, key, most, command = limit
    data_dir.mkdir()
    (data_dir / "state.json").write_text(json.dumps({"zoom": kept}))
    window = yield from user.opened(path)
    for _ in range(4):
        press_key(key, CTRL)
    written = height(window)
    assert not user.action(window, command).isEnabled()
    press_key(Qt.Key.Key_0, CTRL)
    assert written[1] == pytest.approx(height(window)[1] * most / 100)


@pytest.mark.slow
def test_panes_are_hidden_come_back_and_are_kept(path):
    window = yield from user.opened(path, wide=True)
    user.trace_list(window).setFocus()
    press_key(Qt.Key.Key_F9)
    assert shown(window) == [False, True, True] and focused().isVisible()
    press_key(Qt.Key.Key_F9, SHIFT)
    press_key(Qt.Key.Key_F9, CTRL)
    assert shown(window) == [False, False, False]
    assert checked(window) == [False, False, False]
    window = yield from user.opened(path, wide=True)
    assert shown(window) == [False, False, False]
    assert checked(window) == [False, False, False]
    trigger(window, Command.FILTER)
    assert shown(window) == [True, False, False]
    press_key(Qt.Key.Key_3, ALT)
    assert shown(window) == [True, False, True] and tab(window) == "Neighbours"
    trigger(window, Command.RESTORE_LAYOUT)
    assert shown(window) == [True, True, True]
    assert checked(window) == [True, True, True]
    window.resize(1000, 700)
    trigger(window, Command.SHOW_STEP)
    assert user.tabs(window, "Score")[0] == "Why"
    trigger(window, Command.SHOW_STEP)
    assert user.tabs(window, "Score")[1] == "Why"


@pytest.mark.slow
def test_the_answer_begins_with_the_cause_in_two_lines_and_is_seen_whole():
    window = yield user.Main()
    window.setFixedSize(QSize(1440, 900))
    user.drop(window, resources() / "samples")
    yield lambda: user.row_count(window) >= 18
    yield user.idle(window)
    for row in range(user.row_count(window)):
        user.go_to_row(window, row)
        yield user.idle(window)
        (answer,) = user.seen(user.find(window, QScrollArea, "Why"), SentenceLabel)
        lines = answer.heightForWidth(answer.width()) / answer.fontMetrics().lineSpacing()
        assert lines == 2, answer.text()
    user.go_to_row(window, "refund-loop")
    yield user.idle(window)
    why = user.find(window, QScrollArea, "Why")
    (answer,) = user.seen(why, SentenceLabel)
    assert answer.text().startswith("Most is lost to outcome")
    assert why.verticalScrollBar().maximum() == 0
