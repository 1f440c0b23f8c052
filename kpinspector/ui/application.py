"""Runs the program with a window, from the application object to a clean end."""

import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QMessageLogContext,
    QObject,
    QSettings,
    QSocketNotifier,
    QTimer,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
    qWarning,
)
from PySide6.QtWidgets import QApplication, QWidget
from typing_extensions import override

from kpinspector import __version__
from kpinspector.app.state import load_state
from kpinspector.app.values import Notice, Progress
from kpinspector.errors import ExitStatus, WriteError
from kpinspector.files import APP_ID, make_folder
from kpinspector.loading import loading
from kpinspector.settings import load_settings
from kpinspector.ui.look.marks import application_icon
from kpinspector.ui.look.theme import apply_theme, set_zoom, undressed
from kpinspector.ui.main_window import MainWindow
from kpinspector.words.say import in_words

if TYPE_CHECKING:
    from kpinspector.settings import Mode
    from kpinspector.ui.window_session import WindowSession

_AT_THE_LATEST_MS = 500
SWITCH_SECONDS = 0.0001
_EVERY_MS = 2000
_OLDER_EVERY = 5
_YOUNGEST, _OLDEST = 0, 2
_SETTINGS_OF_QT = "QtProject.conf"
_KILLED = 128  # shells add this to the number of the signal that ended a process
_ENDING = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


class FirstPaint(QObject):
    """Emits ``came`` once a window was painted for the first time, or is not painted in time.

    A window that is minimised or behind others at first may not be painted for hours.
    """

    came = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._timer = QTimer(self, singleShot=True, interval=_AT_THE_LATEST_MS)
        self._timer.timeout.connect(self._on_timeout)
        self._timer.start()
        window.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._timer.start(0)  # the paint event is handled only after this filter
        return False

    def _on_timeout(self) -> None:
        self._window.removeEventFilter(self)
        self.came.emit()


class Interpreter(QObject):
    """Settings of the Python interpreter that are in force until ``stop``.

    The worker yields after a tenth of a millisecond, not five, as painting the list once takes
    hundreds of turns.

    The automatic collector would stop all threads, for 50 ms and more, to visit all steps of
    all open traces whenever a long one is read; and it could delete a QObject on the worker's
    thread. So this thread collects at intervals, and what was read and scored is frozen: traces and
    their scores have no cycles, and are freed when their last reference goes.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rounds = 0
        self._reading = self._scoring = False
        self._was_enabled, self._interval = gc.isenabled(), sys.getswitchinterval()
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()
        gc.disable()
        sys.setswitchinterval(SWITCH_SECONDS)

    def stop(self) -> None:
        """Restore the former settings."""
        self._timer.stop()
        gc.unfreeze()
        if self._was_enabled:
            gc.enable()
        sys.setswitchinterval(self._interval)

    def follow(self, progress: Progress) -> None:
        """Collect nothing while files are read, and only young objects while traces are scored.

        When either has ended, freeze all objects, so that later collections skip them.
        """
        reading = progress.read < progress.to_read
        scoring = progress.scored < progress.to_score
        if (self._reading and not reading) or (self._scoring and not scoring):
            gc.freeze()
        self._reading, self._scoring = reading, scoring

    def collect(self) -> None:
        """Collect young objects, and at every fifth time all that are not frozen."""
        if self._reading:
            return
        self._rounds += 1
        older = not self._scoring and self._rounds % _OLDER_EVERY == 0
        gc.collect(_OLDEST if older else _YOUNGEST)


def run(
    paths: Sequence[str], folder: Path, mode: "Mode | None", no_window: Callable[[str], object]
) -> int:
    """Show the window and open these paths; return the exit status when it is closed."""
    app = _application(no_window)
    _keep_settings_of_qt(folder)
    settings, notice = load_settings(folder)
    state = load_state(folder)
    apply_theme(app, settings.theme)
    set_zoom(app, state.zoom)
    restored = settings.restore_files and bool(state.open_paths)
    window = MainWindow(settings, state, opening=bool(paths) or restored)
    interpreter = Interpreter()
    running: WindowSession | None = None

    def begin() -> None:
        nonlocal running
        try:
            with loading():
                from kpinspector.ui.window_session import WindowSession  # noqa: PLC0415 - after the window is seen

            with undressed(app):
                running = WindowSession(window, folder, settings, state, mode)
            app.sendPostedEvents()  # lay out everything before a waiting click is handled
            running.session.progress_changed.connect(interpreter.follow)
            if notice:
                running.session.board.raised.emit(Notice(in_words(notice)))
            running.open(paths)
        except BaseException:
            app.exit(ExitStatus.BUG)  # better no window than one that never works
            raise

    try:
        FirstPaint(window).came.connect(begin)
        window.show()
        with _interruptible(app):
            return app.exec()
    finally:
        if window.isVisible():
            window.close()  # a signal ends only the event loop
        if running is not None and not running.end():
            sys.stderr.flush()
            os._exit(ExitStatus.PROBLEM)  # a thread that is still running would abort the process
        interpreter.stop()
        window.deleteLater()
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _application(no_window: Callable[[str], object]) -> QApplication:
    """The application object; tests have made one already."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        with _fatal_in_words(no_window):
            app = QApplication(["kpinspector"])
    app.setApplicationName("kpinspector")
    app.setApplicationDisplayName("kpinspector")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName(APP_ID)
    app.setWindowIcon(application_icon())
    return app


@contextmanager
def _fatal_in_words(no_window: Callable[[str], object]) -> Iterator[None]:
    """End the process with a sentence if Qt finds no display, or lacks packages: it would abort."""
    heard: list[str] = []

    def hear(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
        heard.append(text)
        if kind is QtMsgType.QtFatalMsg:
            reason = next((one for one in heard if "connect to display" in one), heard[0])
            no_window(reason.partition(". ")[0])  # the next sentence is about installing
            os._exit(ExitStatus.PROBLEM)

    before = qInstallMessageHandler(hear)
    try:
        yield
    finally:
        qInstallMessageHandler(before)
    for one in heard:
        qWarning(one)


def _keep_settings_of_qt(folder: Path) -> None:
    """Keep the settings of Qt's file dialog in our folder, not in the one that Qt programs share.

    On macOS and Windows, with their own dialogs and stores, this changes nothing.
    """
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(folder))
    file = folder / _SETTINGS_OF_QT
    with suppress(OSError, WriteError):  # Qt keeps the mode of an existing file
        make_folder(folder)
        file.touch(0o600)
        file.chmod(0o600)


@contextmanager
def _interruptible(app: QApplication) -> Iterator[None]:
    """End the event loop on a signal that asks the process to end; a second one ends the process.

    Python runs handlers only while its interpreter runs, so the signal also wakes Qt's loop.
    """
    ours, pythons = socket.socketpair()
    pythons.setblocking(False)
    notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda: ours.recv(1))
    before = {one: signal.getsignal(one) for one in _ENDING}
    for one, handler in before.items():
        if handler is not signal.SIG_IGN:  # nohup ignores a signal so that the program stays
            signal.signal(one, lambda number, _frame: app.exit(_KILLED + number))
    wakeup = signal.set_wakeup_fd(pythons.fileno())
    try:
        yield
    finally:
        signal.set_wakeup_fd(wakeup)
        for one, handler in before.items():
            signal.signal(one, handler)
        notifier.setEnabled(False)
        ours.close()
        pythons.close()
