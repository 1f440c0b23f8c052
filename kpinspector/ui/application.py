"""The program with its window: made, shown, and taken down cleanly."""

import os
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QEvent, QSocketNotifier
from PySide6.QtWidgets import QApplication

from kpinspector import __version__
from kpinspector.app.jobs import JobRunner
from kpinspector.app.session import Session
from kpinspector.app.state import load_state, save_state
from kpinspector.app.workshop import Workshop
from kpinspector.errors import ExitStatus, WriteError
from kpinspector.files import APP_ID
from kpinspector.scoring.embedder import MiniLM
from kpinspector.scoring.mode import Mode
from kpinspector.settings import Settings
from kpinspector.ui.crash import install_excepthook
from kpinspector.ui.first_paint import FirstPaint
from kpinspector.ui.icons import application_icon
from kpinspector.ui.main_window import MainWindow
from kpinspector.ui.theme import apply_theme


def run(
    paths: Sequence[str],
    folder: Path,
    mode: Mode | None,
    settings: Settings,
    notice: str | None,
) -> int:
    """Open the window on these paths; returns the exit status when it is closed.

    Args:
        paths: Absolute, of files and folders; none opens what was open the last time.
        folder: Where everything per-user is kept.
        mode: Which memory to work on, whatever the settings say; None for what they say.
        settings: As saved.
        notice: What there is to say of the settings.
    """
    app = _application()
    apply_theme(app, settings.theme)
    state = load_state(folder)
    runner = JobRunner(held=True)
    session = Session(Workshop(mode, folder, settings, MiniLM()), settings, runner, state)
    window = MainWindow(session, settings, folder)
    FirstPaint(window).came.connect(runner.release)
    crashes = install_excepthook(window)
    try:
        if notice:
            window.show_notice(notice)
        window.show()
        session.remembered.look_up()
        if paths:
            session.open(paths)
        elif settings.restore_files:
            session.restore()
        with _interruptible(app):
            return app.exec()
    finally:
        if window.isVisible():
            window.close()  # Ctrl-C only ends the event loop
        crashes.uninstall()
        _keep(folder, session)
        if not session.close():
            sys.stderr.flush()
            os._exit(ExitStatus.PROBLEM)  # a thread that still runs would abort the process
        for part in (window, session, runner):
            part.deleteLater()
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _keep(folder: Path, session: Session) -> None:
    """Keep the state for the next start; a full disk must not hold up the end."""
    try:
        save_state(folder, session.state)
    except WriteError as error:
        sys.stderr.write(f"kpinspector: {error.message}\n")


def _application() -> QApplication:
    """The application; tests have one already."""
    running = QApplication.instance()
    app = running if isinstance(running, QApplication) else QApplication(["kpinspector"])
    app.setApplicationName("kpinspector")
    app.setApplicationDisplayName("kpinspector")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName(APP_ID)
    app.setWindowIcon(application_icon())
    return app


@contextmanager
def _interruptible(app: QApplication) -> Iterator[None]:
    """End the event loop on Ctrl-C: Python runs a handler only when it gets to run."""
    ours, pythons = socket.socketpair()
    pythons.setblocking(False)
    notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda: ours.recv(1))
    before = signal.signal(signal.SIGINT, lambda _number, _frame: app.exit(ExitStatus.INTERRUPTED))
    wakeup = signal.set_wakeup_fd(pythons.fileno())
    try:
        yield
    finally:
        signal.set_wakeup_fd(wakeup)
        signal.signal(signal.SIGINT, before)
        notifier.setEnabled(False)
        ours.close()
        pythons.close()
