"""The session of a window: made after the first paint, ended when the window is closed."""

import sys
from collections.abc import Sequence
from pathlib import Path

from kpinspector.app.engine import Engine
from kpinspector.app.session import Session
from kpinspector.app.state import SavedState, StateKeeper
from kpinspector.app.values import Notice
from kpinspector.errors import WriteError
from kpinspector.files import STATE_FILE, why_unread
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.settings import Mode, Settings
from kpinspector.ui.dialogs.help import Crashes
from kpinspector.ui.main_window import MainWindow
from kpinspector.words.say import in_words, say


class WindowSession:
    """The session of a window, from the first paint until the window is closed."""

    def __init__(
        self,
        window: MainWindow,
        folder: Path,
        settings: Settings,
        state: SavedState,
        mode: Mode | None,
    ) -> None:
        self._crashes = Crashes(window)
        self._settings = settings
        engine = Engine(mode, folder, settings, MiniLM())
        self.session = session = Session(engine, settings, state=state)
        self._window = window
        window.furnish(session)
        history, runner, board = session.history, session.runner, session.board
        self._keeper = StateKeeper(folder, history, self._state, runner, board, session)
        for changed in (
            history.recent_changed,
            session.opener.progress_changed,
            session.opener.closed,
            session.store.current_changed,
            window.place_changed,
        ):
            changed.connect(self._keeper.touch)
        if reason := why_unread(folder / STATE_FILE):
            sentence = say(
                "{path} could not be read ({reason}), so nothing of the last time is open.",
                path=folder / STATE_FILE,
                reason=reason,
            )
            session.board.raised.emit(Notice(sentence))

    def open(self, paths: Sequence[str]) -> None:
        """Open these paths; if there are none, open what was open the last time."""
        if paths:
            self.session.opener.open(paths)
        elif self._settings.restore_files:
            self.session.restore()
        self._window.set_opening(opening=self.session.progress.busy)
        self.session.memory.look_up()
        self.session.memory.look_through()

    def end(self) -> bool:
        """Stop everything and save the state; return False if the worker did not stop in time."""
        self._crashes.uninstall()
        stopped = self.session.close()
        try:
            self._keeper.end()
        except WriteError as error:  # a full disk must not keep the program from ending
            sys.stderr.write(f"kpinspector: {in_words(error.message)}\n")
        if not stopped:
            return False
        self.session.deleteLater()
        return True

    def _state(self) -> SavedState:
        self._window.keep_place()
        return self.session.state
