"""The whole window on a session with a made-up model, and what stands in it."""

import json

from PySide6.QtCore import QDeadlineTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar

from kpinspector.app.engine import Engine
from kpinspector.app.session import Session
from kpinspector.app.state import SavedState
from kpinspector.settings import Mode, Settings
from kpinspector.ui.look.theme import scale
from kpinspector.ui.main_window import MainWindow
from kpinspector.ui.traces.trace_table import TraceTable
from tests import user
from tests.fakes import FakeEmbedder, make_raw
from tests.known import present

WIDE, NARROW, SMALLEST = (1440, 900), (1000, 700), (800, 560)


def open_window(qtbot, folder, *paths, size=WIDE) -> MainWindow:
    """A window with files open, the first row current; ``close`` ends it."""
    window = show_window(qtbot, folder, *paths, size=size)
    user.go_to_row(window, 0)
    settle()
    return window


def show_window(qtbot, folder, *paths, size=WIDE) -> MainWindow:
    """The same as it is before a row is chosen."""
    settings = Settings()
    session = Session(Engine(Mode.FRESH, folder, settings, FakeEmbedder()), settings)
    window = MainWindow(settings, SavedState())
    window.furnish(session)
    session.setParent(window)
    # a thread that a failed test leaves behind would end the process in the middle of another one
    qtbot.addWidget(window, before_close_func=lambda one: session_of(one).close())
    resize(window, size)
    with qtbot.waitExposed(window):
        window.show()
    session.opener.open([str(path) for path in paths])
    finish(window)
    return window


def trace_and_problem(folder):
    """A file with a trace of sixty steps, and one that cannot be read."""
    steps = [{"step_id": n, "type": "thought", "content": f"thought {n} " * 9} for n in range(60)]
    trace, bad = folder / "a.json", folder / "bad.json"
    trace.write_text(json.dumps(make_raw(steps=steps)), encoding="utf-8")
    bad.write_text("{", encoding="utf-8")
    return trace, bad


def close(window):
    """Close the window and end its session."""
    session = session_of(window)
    window.close()
    assert session.close()


def session_of(window):
    """What the window works on."""
    return part(window, Session)


def part(window, kind):
    """The one part of a window that is of a kind, seen or not."""
    return present(window.findChild(kind))


def resize(window, size):
    """Give the window a size in pixels of the usual font."""
    metrics = window.fontMetrics()
    window.resize(*(scale(px, metrics) for px in size))
    settle()


def finish(window):
    """Wait until nothing is left to be done, and all of it is seen."""
    session = session_of(window)
    end = QDeadlineTimer(10_000)
    while session.progress.busy or not (session.runner.idle and session.store.told):
        assert not end.hasExpired()
        QTest.qWait(1)
    settle()


def settle():
    """Layouts ask one another until nothing moves."""
    for _ in range(4):
        QApplication.processEvents()


def rows(window, each=1):
    """Go to each row in turn, or to some of them."""
    table = part(window, TraceTable)
    for row in range(0, table.model().rowCount(), each):
        table.setCurrentIndex(table.model().index(row, 1))
        finish(window)
        yield row


def go_through_tabs(window):
    for tabs in window.findChildren(QTabBar):
        for tab in range(tabs.count()):
            tabs.setCurrentIndex(tab)
            settle()
