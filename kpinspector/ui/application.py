"""The program with its window: made, shown, and taken down cleanly."""

import argparse
import os
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QSocketNotifier
from PySide6.QtWidgets import QApplication

from kpinspector import __version__
from kpinspector.app.session import Session
from kpinspector.app.workshop import Workshop
from kpinspector.cli import EXIT_INTERRUPTED, EXIT_PROBLEM, add_memory_options, chosen_mode
from kpinspector.files import APP_ID, data_dir
from kpinspector.scoring.embedder import MiniLM
from kpinspector.settings import load_settings
from kpinspector.ui.crash import install_excepthook
from kpinspector.ui.icons import application_icon
from kpinspector.ui.main_window import MainWindow
from kpinspector.ui.theme import apply_theme


def run(argv: Sequence[str]) -> int:
    """Open the window on these paths; returns the exit status when it is closed."""
    arguments = _parser().parse_args(argv)
    if not _has_display():
        sys.stderr.write("kpinspector: no display. `kpinspector score PATH` needs none.\n")
        return EXIT_PROBLEM
    app = _application()
    folder = data_dir(arguments.data_dir)
    settings, notice = load_settings(folder)
    apply_theme(app, settings.theme)
    mode = chosen_mode(arguments, settings)
    session = Session(Workshop(mode, folder, settings, MiniLM()), settings)
    window = MainWindow(session, settings, folder)
    crashes = install_excepthook(window)
    try:
        if notice:
            window.show_notice(notice)
        window.show()
        session.look_up_memory()
        session.open([str(Path(path).absolute()) for path in arguments.paths])
        with _interruptible(app):
            return app.exec()
    finally:
        crashes.uninstall()
        if not session.close():
            sys.stderr.flush()
            os._exit(EXIT_PROBLEM)  # a thread that still runs would abort the process


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kpinspector")
    parser.add_argument("paths", metavar="PATH", nargs="*", help="file or folder to open")
    parser.add_argument("--version", action="version", version=f"kpinspector {__version__}")
    add_memory_options(parser)
    return parser


def _has_display() -> bool:
    """Qt ends the process when there is none, so look first."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(one) for one in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


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
    before = signal.signal(signal.SIGINT, lambda _number, _frame: app.exit(EXIT_INTERRUPTED))
    wakeup = signal.set_wakeup_fd(pythons.fileno())
    try:
        yield
    finally:
        signal.set_wakeup_fd(wakeup)
        signal.signal(signal.SIGINT, before)
        notifier.setEnabled(False)
        ours.close()
        pythons.close()
