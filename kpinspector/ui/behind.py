"""What stands behind a window: its session and its furniture, made when it was seen."""

import sys
from collections.abc import Sequence
from pathlib import Path

from kpinspector.app.session import Session
from kpinspector.app.state import load_state, save_state
from kpinspector.app.workshop import Workshop
from kpinspector.errors import WriteError
from kpinspector.files import STATE_FILE, why_unread
from kpinspector.scoring.embedder import MiniLM
from kpinspector.scoring.mode import Mode
from kpinspector.settings import load_settings
from kpinspector.ui.dialogs.crash import install_excepthook
from kpinspector.ui.main_window import MainWindow

_STATE_UNREAD = "{0} could not be read ({1}), so nothing of the last time is open."


class Behind:
    """The session of a window, from when the window was seen until it is closed.

    Args:
        window: Furnished from now on.
        folder: Where everything per-user is kept.
        mode: Which memory to work on, whatever the settings say; None for what they say.
    """

    def __init__(self, window: MainWindow, folder: Path, mode: Mode | None) -> None:
        self._crashes = install_excepthook(window)
        self._window = window
        self._folder = folder
        settings, notice = load_settings(folder)
        self._settings = settings
        workshop = Workshop(mode, folder, settings, MiniLM())
        self.session = Session(workshop, settings, state=load_state(folder))
        window.furnish(self.session)
        if notice:
            window.show_notice(notice)
        if reason := why_unread(folder / STATE_FILE):
            window.show_notice(window.tr(_STATE_UNREAD).format(folder / STATE_FILE, reason))

    def open(self, paths: Sequence[str]) -> None:
        """Open these paths; none opens what was open the last time."""
        if paths:
            self.session.open(paths)
        elif self._settings.restore_files:
            self.session.restore()
        self._window.set_opening(opening=self.session.progress.busy)
        self.session.remembered.look_up()
        self.session.remembered.look_through()

    def end(self) -> bool:
        """Keep the state and stop everything; False if the worker did not stop in time."""
        self._crashes.uninstall()
        try:
            save_state(self._folder, self.session.state)
        except WriteError as error:  # a full disk must not hold up the end
            sys.stderr.write(f"kpinspector: {error.message}\n")
        if not self.session.close():
            return False
        self.session.deleteLater()
        return True
