"""The window as the sum of its parts: what one of them says reaches the others."""

import json
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from kpinspector.app.engine import Engine
from kpinspector.app.session import Session
from kpinspector.app.state import SavedState
from kpinspector.scoring.findings import Basis
from kpinspector.scoring.memory.mode import Mode
from kpinspector.settings import Settings
from kpinspector.ui.actions.table import Command
from kpinspector.ui.controls.base import FlatButton
from kpinspector.ui.look.theme import colours, set_palette
from kpinspector.ui.main_window import MainWindow
from kpinspector.ui.start.start_page import StartPage
from tests.fakes import FakeEmbedder, make_raw
from tests.known import of, present


class Window(MainWindow):
    """With what waits for it."""

    qtbot: QtBot


@pytest.fixture
def window(qtbot, tmp_path):
    """A window with the trace a.json and bad.json, which is none."""
    settings, folder = Settings(), tmp_path / "per-user"
    session = Session(Engine(Mode.FRESH, folder, settings, FakeEmbedder()), settings)
    window = Window(Settings(), SavedState())
    window.furnish(session)
    window.qtbot = qtbot
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    open_(window, save(tmp_path / "a.json", make_raw()), tmp_path / "bad.json")
    yield window
    window.close()
    assert session.close()


def save(path, raw):
    path.write_text(json.dumps(raw), encoding="utf-8")
    return path


def open_(window, *paths):
    window._session.open([str(path) for path in paths])
    wait(window)


def wait(window):
    session = window._session
    window.qtbot.waitUntil(
        lambda: session.runner.idle and not session.progress.busy and session.store.told
    )


def go_to(window, name):
    found = next(one for one in window._session.documents if one.name == name)
    window._traces.set_current(found.number)


def sentences(window):
    return [message.text for message in window._messages.messages]


def test_the_title_names_row_state_and_program(window):
    go_to(window, "a")
    assert window.windowTitle() == "a, rejected - kpinspector"
    window._session.store.judge(replace(window._session.store.rules, threshold=0.0))
    assert window.windowTitle() == "a, accepted - kpinspector"
    go_to(window, "bad")
    assert window.windowTitle() == "bad, not readable - kpinspector"
    window._actions[Command.CLOSE_ALL].trigger()
    window.qtbot.waitUntil(lambda: window.windowTitle() == "kpinspector")


def show(store, document):
    store.put(document)
    store.flush()


def test_the_title_says_undecided_and_assumed_as_the_answer_does(window):
    go_to(window, "a")
    scored, store = window._session.store.current, window._session.store
    store.judge(replace(store.rules, threshold=0.6))
    show(store, replace(scored, measured=None))
    assert window.windowTitle() == "a, undecided - kpinspector"
    assert window._score.word == "Undecided"
    measurement = scored.measured.measurement
    assumed = replace(measurement, novelty=replace(measurement.novelty, basis=Basis.NO_EMBEDDER))
    show(store, replace(scored, measured=replace(scored.measured, measurement=assumed)))
    assert window.windowTitle() == "a, rejected, assumed - kpinspector"


def test_a_title_has_no_control_characters(window, tmp_path):
    open_(window, save(tmp_path / "new\x07\u202eline.json", make_raw(id="kp:trace:new")))
    go_to(window, "new\x07\u202eline")
    title = window.windowTitle()
    assert title.startswith("new") and title.endswith("line, rejected - kpinspector")
    assert "\x07" not in title and "\u202e" not in title


def test_commands_follow_the_current_row_at_once(window):
    actions = window._actions
    go_to(window, "a")
    assert actions[Command.FIND].isEnabled() and actions[Command.SCORE_AGAIN].isEnabled()
    go_to(window, "bad")
    assert not actions[Command.FIND].isEnabled()
    assert not actions[Command.SCORE_AGAIN].isEnabled()
    assert actions[Command.OPEN_IN_EDITOR].isEnabled()


def test_problems_are_said_once_and_again_only_when_they_change(window, tmp_path):
    def said():
        return [one for one in sentences(window) if "could not be scored" in one]

    assert said() == ["1 of 2 could not be scored. Everything else is loaded."]
    window._messages.clear()
    window._actions[Command.RELOAD].trigger()
    wait(window)
    assert said() == []
    (tmp_path / "worse.json").write_text("[", encoding="utf-8")
    open_(window, tmp_path / "worse.json")
    assert said() == ["2 of 3 could not be scored. Everything else is loaded."]


def test_show_them_keeps_the_problems_only(window):
    buttons = window._messages.findChildren(FlatButton)
    next(one for one in buttons if one.text() == "Show Them").click()
    assert [one.name for one in window._traces.filter.documents()] == ["bad"]


def test_icons_follow_the_palette(window):
    def inks():
        image = window._actions[Command.RELOAD].icon().pixmap(16, 16).toImage()
        every = [image.pixelColor(x, y) for x in range(image.width()) for y in range(16)]
        return {colour.name() for colour in every if colour.alpha() == 255}

    app = of(QApplication, QApplication.instance())
    for dark in (False, True, False):
        set_palette(app, dark=dark)
        window.qtbot.waitUntil(lambda: colours(window.palette()).second.name() in inks())


def grounds(found):
    names = ("desk", "sheet", "alternate", "hover", "selection", "line", "track", "button_edge")
    return {getattr(found, name).rgb() for name in names}


def areas(window):
    """How many pixels there are of each colour that is more than the edge of a letter."""
    image = window.grab().toImage().convertToFormat(QImage.Format.Format_ARGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32)
    found = zip(*np.unique(pixels, return_counts=True), strict=True)
    return {int(colour): int(count) for colour, count in found if count > 400}


@pytest.mark.parametrize("row", ["a", "bad", None], ids=["trace", "problem", "start"])
def test_after_a_change_of_theme_nothing_keeps_an_old_ground(window, row):
    if row is None:
        window._actions[Command.CLOSE_ALL].trigger()
    else:
        go_to(window, row)
    app = of(QApplication, QApplication.instance())
    set_palette(app, dark=False)
    window.qtbot.waitUntil(lambda: not colours(window.palette()).dark)
    light = grounds(colours(app.palette()))
    assert len(light & set(areas(window))) > 2
    set_palette(app, dark=True)
    try:
        dark = grounds(colours(app.palette()))
        window.qtbot.waitUntil(lambda: colours(window.palette()).dark)
        seen = areas(window)
        assert {one: count for one, count in seen.items() if one in light - dark} == {}
        assert len(dark & set(seen)) > 2
    finally:
        set_palette(app, dark=False)


def test_closing_keeps_the_window_and_its_columns(window):
    window.close()
    state = window._session.history.state
    assert state.geometry and state.columns


class Shown(QObject):
    """Which windows come up."""

    def __init__(self, app):
        super().__init__(app)
        self.kinds = []
        app.installEventFilter(self)

    def eventFilter(self, watched, event):  # noqa: N802
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.kinds.append(type(watched))
        return False


def settle(app):
    """Layouts ask one another until nothing moves."""
    for _ in range(3):
        app.processEvents()


@pytest.mark.parametrize("size", [QSize(1440, 900), QSize(900, 600)], ids=["wide", "narrow"])
def test_panes_come_into_a_window_that_is_seen_without_a_sign(qapp, qtbot, tmp_path, size):
    settings = Settings()
    window = MainWindow(Settings(), SavedState())
    qtbot.addWidget(window)
    window.resize(size)
    shown = Shown(qapp)
    window.show()
    qtbot.waitUntil(window.isActiveWindow)
    bare = not window.furnished
    assert present(window.findChild(StartPage)).isVisible() and bare
    settle(qapp)
    before = window.grab().toImage()
    session = Session(Engine(Mode.FRESH, tmp_path, settings, FakeEmbedder()), settings)
    window.furnish(session)
    settle(qapp)
    qapp.removeEventFilter(shown)
    assert shown.kinds == [MainWindow]  # no pane comes up as a window of its own on the way
    assert window.isActiveWindow() and window.isAncestorOf(window.focusWidget())
    assert window.furnished and window.grab().toImage() == before
    window.close()
    assert session.close()


def test_a_window_that_is_closed_before_it_is_furnished_has_nothing_to_stop(qtbot):
    window = MainWindow(Settings(), SavedState())
    qtbot.addWidget(window)
    window.show()
    assert not any(
        action.isEnabled() for action in window._actions.values() if action.menu() is None
    )
    assert window.close()
