"""The table of actions: every command, its menu, its key and its tooltip, once."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QIcon, QKeySequence, QPalette
from PySide6.QtWidgets import QMainWindow, QMenu

from kpinspector.ui.icons import IconName, icon

_TR = QCoreApplication.translate
_KEY = QKeySequence.StandardKey


class Command(StrEnum):
    """The name of every action."""

    OPEN = "open"
    OPEN_FOLDER = "open_folder"
    OPEN_SAMPLES = "open_samples"
    PASTE = "paste"
    RELOAD = "reload"
    EXPORT = "export"
    EXPORT_TRACE = "export_trace"
    CLOSE_ALL = "close_all"
    QUIT = "quit"
    COPY_ANSWER = "copy_answer"
    REMOVE = "remove"
    FILTER = "filter"
    FIND = "find"
    THEME_SYSTEM = "theme_system"
    THEME_LIGHT = "theme_light"
    THEME_DARK = "theme_dark"
    PREVIOUS = "previous"
    NEXT = "next"
    STOP = "stop"
    RESUME = "resume"
    SCORE_AGAIN = "score_again"
    FORGET = "forget"
    CLEAR_MEMORY = "clear_memory"
    ABOUT = "about"


@dataclass(frozen=True, slots=True)
class _Entry:
    command: Command
    text: str
    key: QKeySequence.StandardKey | str | None = None
    tip: str = ""
    icon: IconName | None = None
    checkable: bool = False


_SEPARATOR = None

_MENUS: tuple[tuple[str, tuple[_Entry | None, ...]], ...] = (
    (
        "&File",
        (
            _Entry(Command.OPEN, "&Open…", _KEY.Open, "Open trace files", IconName.OPEN),
            _Entry(
                Command.OPEN_FOLDER,
                "Open &Folder…",
                "Ctrl+Shift+O",
                "Open all traces in a folder",
                IconName.FOLDER,
            ),
            _Entry(Command.OPEN_SAMPLES, "Open &Samples", None, "Open the bundled samples"),
            _Entry(Command.PASTE, "&Paste as Trace", _KEY.Paste, "Score JSON text", IconName.PASTE),
            _SEPARATOR,
            _Entry(
                Command.RELOAD,
                "&Reload",
                _KEY.Refresh,
                "Read all open files again",
                IconName.RELOAD,
            ),
            _SEPARATOR,
            _Entry(
                Command.EXPORT,
                "&Export Report…",
                "Ctrl+E",
                "Write the report on all traces as JSON",
                IconName.EXPORT,
            ),
            _Entry(
                Command.EXPORT_TRACE,
                "Export Report on &Selected Traces…",
                "Ctrl+Shift+E",
                "Write the report on the selected traces as JSON",
            ),
            _SEPARATOR,
            _Entry(Command.CLOSE_ALL, "&Close All", _KEY.Close, "Take all traces off the list"),
            _Entry(Command.QUIT, "&Quit", _KEY.Quit, "Stop and close the window"),
        ),
    ),
    (
        "&Edit",
        (
            _Entry(
                Command.COPY_ANSWER,
                "&Copy Answer",
                "Ctrl+Shift+C",
                "Copy the score and every term of it as text",
                IconName.COPY,
            ),
            _Entry(
                Command.REMOVE, "&Remove from List", _KEY.Delete, "Take the selected traces off"
            ),
            _SEPARATOR,
            _Entry(Command.FILTER, "Fi&lter Traces", "Ctrl+L", "Go to the filter of the list"),
            _Entry(Command.FIND, "&Find in Steps", _KEY.Find, "Go to the search of the steps"),
        ),
    ),
    (
        "&View",
        (
            _Entry(Command.THEME_SYSTEM, "&System Theme", checkable=True),
            _Entry(Command.THEME_LIGHT, "&Light Theme", checkable=True),
            _Entry(Command.THEME_DARK, "&Dark Theme", checkable=True),
        ),
    ),
    (
        "&Go",
        (
            _Entry(
                Command.PREVIOUS,
                "&Previous Trace",
                "Alt+Up",
                "Go to the trace above",
                IconName.BACK,
            ),
            _Entry(
                Command.NEXT, "&Next Trace", "Alt+Down", "Go to the trace below", IconName.FORWARD
            ),
        ),
    ),
    (
        "&Score",
        (
            _Entry(Command.STOP, "&Stop", "Ctrl+.", "Stop; what is scored stays", IconName.STOP),
            _Entry(Command.RESUME, "&Resume", None, "Score what is still pending"),
            _SEPARATOR,
            _Entry(
                Command.SCORE_AGAIN,
                "Score &Again",
                "Ctrl+R",
                "Compare this trace with today's memory; replaces its finding",
            ),
            _Entry(Command.FORGET, "&Forget This Trace", None, "Take this trace out of the memory"),
            _Entry(Command.CLEAR_MEMORY, "&Clear Memory…", None, "Forget every trace"),
        ),
    ),
    ("&Help", (_Entry(Command.ABOUT, "&About kpinspector"),)),
)


def make_actions(window: QMainWindow) -> dict[Command, QAction]:
    """Fill the window's menu bar; returns the actions by name."""
    actions: dict[Command, QAction] = {}
    for title, entries in _MENUS:
        menu = window.menuBar().addMenu(_TR("Actions", title))
        menu.setToolTipsVisible(True)
        for entry in entries:
            if entry is None:
                menu.addSeparator()
            else:
                actions[entry.command] = _make(entry, menu)
    refresh_icons(actions, window.palette())
    return actions


def refresh_icons(actions: Mapping[Command, QAction], palette: QPalette) -> None:
    """Draw the icons in the colours of the palette."""
    for _title, entries in _MENUS:
        for entry in entries:
            if entry is not None and entry.icon is not None:
                actions[entry.command].setIcon(icon(entry.icon, palette))


def _make(entry: _Entry, menu: QMenu) -> QAction:
    action = menu.addAction(QIcon(), _TR("Actions", entry.text))
    action.setObjectName(entry.command)
    action.setCheckable(entry.checkable)
    action.setMenuRole(_ROLES.get(entry.command, QAction.MenuRole.NoRole))
    if isinstance(entry.key, str):
        action.setShortcut(QKeySequence(entry.key))
    elif entry.key is not None:
        action.setShortcuts(entry.key)
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    tip = _TR("Actions", entry.tip) if entry.tip else action.text().replace("&", "")
    action.setToolTip(f"{tip} ({keys})" if keys else tip)
    return action


_ROLES = {
    Command.QUIT: QAction.MenuRole.QuitRole,
    Command.ABOUT: QAction.MenuRole.AboutRole,
}
