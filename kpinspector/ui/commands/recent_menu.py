"""The recent paths, in the File menu and on the start page."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from kpinspector.app.documents import ListChange
from kpinspector.app.session import Session
from kpinspector.app.state import RecentPath
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.start.start_page import Recent, StartPage, recent_rows
from kpinspector.words.say import say


class RecentMenu(QObject):
    """Shows the session's recent paths in both places, and opens the chosen one."""

    def __init__(
        self, action: QAction, session: Session, start: StartPage, window: QWidget
    ) -> None:
        super().__init__(window)
        self._session = session
        self._start = start
        self._action = action
        self._menu = QMenu(window)
        self._menu.setToolTipsVisible(True)
        self._paths: tuple[str, ...] = ()
        self._entries: list[QAction] = []
        action.setMenu(self._menu)
        self._menu.aboutToShow.connect(session.look_up_recent)
        start.recent_requested.connect(self._on_requested)
        start.clear_recent_requested.connect(session.history.clear)
        session.history.recent_changed.connect(self._show)
        session.store.changed.connect(self._on_list_changed)
        self._show(session.history.recent)
        session.look_up_recent()

    @Slot(object)
    def _show(self, recent: Sequence[RecentPath]) -> None:
        rows = recent_rows(recent)
        self._start.set_recent(rows)
        if self._paths != tuple(row.path for row in rows):
            self._fill(rows)
        for entry, row in zip(self._entries, rows, strict=True):
            entry.setEnabled(not row.is_missing)
        self._action.setEnabled(bool(rows))

    def _fill(self, rows: Sequence[Recent]) -> None:
        self._menu.clear()
        self._paths = tuple(row.path for row in rows)
        self._entries = []
        for number, row in enumerate(rows, 1):
            words = f"{row.title} ({row.caption})".replace("&", "&&")
            entry = self._menu.addAction(f"{_mnemonic(number)} {words}")
            entry.setToolTip(plain_tooltip(row.path))
            entry.setData(row.path)
            entry.triggered.connect(self._on_triggered)
            self._entries.append(entry)
        self._menu.addSeparator()
        self._menu.addAction(say("&Clear")).triggered.connect(self._session.history.clear)

    @Slot()
    def _on_triggered(self) -> None:
        entry = self.sender()
        if isinstance(entry, QAction):
            self._on_requested(str(entry.data()))

    @Slot(str)
    def _on_requested(self, path: str) -> None:
        self._session.open([path])

    @Slot(object)
    def _on_list_changed(self, change: ListChange) -> None:
        if change.removed and not len(self._session.store):
            self._session.look_up_recent()


def _mnemonic(number: int) -> str:
    """The key that chooses an entry: its last digit."""
    text = str(number)
    return f"{text[:-1]}&{text[-1]}"
