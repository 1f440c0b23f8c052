"""The window as the sum of its parts: what one of them says reaches the others."""

from dataclasses import replace

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QApplication, QWidget

from kpinspector.app.engine import Engine
from kpinspector.app.session import Session
from kpinspector.app.state import SavedState
from kpinspector.scoring.findings import Basis
from kpinspector.settings import Mode, Settings, Theme
from kpinspector.ui.actions.table import Command
from kpinspector.ui.main_window import MainWindow
from kpinspector.ui.window.start_page import StartPage
from tests import user
from tests.fakes import FakeEmbedder, make_raw, save
from tests.known import present
from tests.ui.main_windows import close, finish, open_window, session_of, settle


@pytest.fixture
def window(qtbot, tmp_path):
    """A window with the trace a.json and bad.json, which is none."""
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    files = save(tmp_path / "a.json", make_raw()), tmp_path / "bad.json"
    made = open_window(qtbot, tmp_path, *files)
    yield made
    close(made)


@pytest.mark.parametrize("theme", Theme)
def test_the_menu_marks_the_theme_that_is_set(qtbot, tmp_path, theme):
    settings = Settings(theme=theme)
    made = MainWindow(settings, SavedState())
    qtbot.addWidget(made)
    session = Session(Engine(Mode.FRESH, tmp_path, settings, FakeEmbedder()), settings)
    made.furnish(session)
    session.setParent(made)
    themes = {
        Command.THEME_SYSTEM: Theme.SYSTEM,
        Command.THEME_LIGHT: Theme.LIGHT,
        Command.THEME_DARK: Theme.DARK,
    }
    marked = [themes[one] for one in themes if user.action(made, one).isChecked()]
    assert marked == [theme]
    close(made)


def open_(window, *paths):
    session_of(window).opener.open([str(path) for path in paths])
    finish(window)


def test_the_title_names_row_state_and_program(window, qtbot):
    user.go_to_row(window, "a")
    assert window.windowTitle() == "a, rejected - kpinspector"
    user.set_number(window, "Threshold", 0.0)
    assert window.windowTitle() == "a, accepted - kpinspector"
    user.go_to_row(window, "bad")
    assert window.windowTitle() == "bad, not readable - kpinspector"
    user.trigger(window, Command.CLOSE_ALL)
    qtbot.waitUntil(lambda: window.windowTitle() == "kpinspector")


def show(store, document):
    store.put(document)
    store.flush()


def test_the_title_says_pending_and_assumed_as_the_answer_does(window):
    user.go_to_row(window, "a")
    store = session_of(window).store
    scored = store.current
    store.judge(replace(store.rules, threshold=0.6))
    show(store, replace(scored, measured=None))
    assert window.windowTitle() == "a, pending - kpinspector"
    assert user.reads(window, "Pending")()
    measurement = scored.measured.measurement
    assumed = replace(measurement, novelty=replace(measurement.novelty, basis=Basis.NO_EMBEDDER))
    show(store, replace(scored, measured=replace(scored.measured, measurement=assumed)))
    assert window.windowTitle() == "a, rejected, assumed - kpinspector"


def test_problems_are_said_once_and_again_only_when_they_change(window, tmp_path):
    def said():
        return [one for one in user.messages(window) if "could not be scored" in one]

    assert said() == ["1 of 2 could not be scored. Everything else is loaded."]
    user.press(window, "Close This Message")
    user.trigger(window, Command.RELOAD)
    finish(window)
    assert said() == []
    (tmp_path / "worse.json").write_text("[", encoding="utf-8")
    open_(window, tmp_path / "worse.json")
    assert said() == ["2 of 3 could not be scored. Everything else is loaded."]


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
    settle()
    before = window.grab().toImage()
    session = Session(Engine(Mode.FRESH, tmp_path, settings, FakeEmbedder()), settings)
    window.furnish(session)
    settle()
    qapp.removeEventFilter(shown)
    assert shown.kinds == [MainWindow]  # no pane comes up as a window of its own on the way
    assert window.isActiveWindow() and window.isAncestorOf(window.focusWidget())
    assert window.furnished and window.grab().toImage() == before
    enabled = {one for one in Command if user.action(window, one).isEnabled()}
    assert enabled == {
        *("open", "open_folder", "open_samples", "paste", "quit", "settings", "restore_layout"),
        *("theme_system", "theme_light", "theme_dark", "zoom_in", "zoom_out", "next_pane"),
        *("previous_pane", "manage_memory", "clear_memory", "help", "keys", "about"),
    }
    window.close()
    assert session.close()


def test_a_window_that_is_closed_before_it_is_furnished_has_nothing_to_stop(qtbot):
    window = MainWindow(Settings(), SavedState())
    qtbot.addWidget(window)
    window.show()
    actions = (user.action(window, command) for command in Command)
    assert not any(action.isEnabled() for action in actions if action.menu() is None)
    assert window.close()


@pytest.mark.parametrize("end", [shiboken6.delete, QObject.deleteLater], ids=["at once", "later"])
def test_a_window_that_has_the_focus_ends_without_a_word(qtbot, tmp_path, end):
    session = Session(Engine(Mode.FRESH, tmp_path, Settings(), FakeEmbedder()), Settings())
    window = MainWindow(Settings(), SavedState())
    window.furnish(session)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() in window.findChildren(QWidget))
    assert session.close()
    with qtbot.captureExceptions() as faults:
        end(window)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not shiboken6.isValid(window)
    assert faults == []
