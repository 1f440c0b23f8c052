"""The actions, made from one table, with keys that have no other meaning on this platform."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TypeAlias

from PySide6.QtGui import QAction, QActionGroup, QIcon, QKeySequence, QPalette
from PySide6.QtWidgets import QAbstractButton, QMainWindow, QMenu

from kpinspector.ui.actions.table import (
    PANES,
    ROLES,
    THEMES,
    TRACE_MENU,
    Command,
    Line,
    menus,
)
from kpinspector.ui.look.marks import icon

_KEY = QKeySequence.StandardKey
# our keys may have a standard meaning if it is the same
_SAME = {
    Command.STOP: _KEY.Cancel,
    Command.CLOSE_COMPARISON: _KEY.Cancel,
    Command.SETTINGS: _KEY.Preferences,
    Command.QUIT: _KEY.Quit,
    Command.NEXT_TAB: _KEY.NextChild,
    Command.PREVIOUS_TAB: _KEY.PreviousChild,
}
Slot: TypeAlias = Callable[..., object]


def entries() -> Iterator[tuple[str, Line]]:
    """Every entry with the words of its menu, in the menus' order."""
    for menu in menus():
        for line in menu.lines:
            if line is not None:
                yield menu.text, line


@cache
def standard_meanings() -> Mapping[str, set[QKeySequence.StandardKey]]:
    """The standard meanings of every key that has some on the running platform."""
    found: dict[str, set[QKeySequence.StandardKey]] = {}
    for one in set(_KEY) - {_KEY.UnknownKey}:
        for key in QKeySequence.keyBindings(one):
            found.setdefault(key.toString(), set()).add(one)
    return found


def keys_of(entry: Line) -> list[QKeySequence]:
    """The keys of an entry on this platform: its own or the first free one of ours, then others."""
    found = [] if entry.keys.standard is None else QKeySequence.keyBindings(entry.keys.standard)
    meanings, allowed = standard_meanings(), {_SAME.get(entry.command, entry.keys.standard)}
    own, also = (
        [QKeySequence(text) for text in texts if meanings.get(text, set()) <= allowed]
        for texts in (entry.keys.own, entry.keys.also)
    )
    chosen = found or own[:1]
    return [*chosen, *(key for key in also if key not in chosen)]


def make_actions(window: QMainWindow) -> dict[Command, QAction]:
    """Fill the window's menu bar; returns the actions by name, disabled until they do something.

    Their icons are drawn later, by ``refresh_icons``: they are seen in menus only.
    """
    actions: dict[Command, QAction] = {}
    for menu in menus():
        made = window.menuBar().addMenu(menu.text)
        made.setObjectName(menu.name)
        made.setToolTipsVisible(True)
        for line in menu.lines:
            if line is None:
                made.addSeparator()
            else:
                actions[line.command] = _make(line, made)
    for command in PANES:
        actions[command].setCheckable(True)
        actions[command].setChecked(True)
    actions[Command.SHOW_BATCH].setCheckable(True)
    themes = QActionGroup(window)
    for command in THEMES:
        actions[command].setCheckable(True)
        themes.addAction(actions[command])
    return actions


def row_actions(actions: Mapping[Command, QAction]) -> tuple[QAction | None, ...]:
    """The commands of a trace's own menu, with None for a line."""
    return tuple(None if one is None else actions[one] for one in TRACE_MENU)


def connect(actions: Mapping[Command, QAction], slots: Mapping[Command, Slot]) -> None:
    """Have commands do something, and enable them; who knows what some of them need says so."""
    for command, slot in slots.items():
        actions[command].triggered.connect(slot)
        actions[command].setEnabled(True)


def enable(actions: Mapping[Command, QAction], holds: Mapping[Command, bool]) -> None:
    """Enable commands, or disable them."""
    for command, wanted in holds.items():
        actions[command].setEnabled(wanted)


def follow(action: QAction, button: QAbstractButton) -> None:
    """Have a button do what an action does, and be enabled while that is."""
    button.clicked.connect(action.trigger)
    button.setEnabled(action.isEnabled())
    action.enabledChanged.connect(button.setEnabled)


def refresh_icons(actions: Mapping[Command, QAction], palette: QPalette) -> None:
    """Draw the icons in the colours of the palette."""
    for _menu, entry in entries():
        if entry.icon is not None:
            actions[entry.command].setIcon(icon(entry.icon, palette))


def with_key(tip: str, action: QAction) -> str:
    """The tooltip of an action with its key."""
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    return f"{tip} ({keys})" if keys else tip


def _make(entry: Line, menu: QMenu) -> QAction:
    action = menu.addAction(QIcon(), entry.text)
    action.setObjectName(entry.command)
    action.setMenuRole(ROLES.get(entry.command, QAction.MenuRole.NoRole))
    action.setShortcuts(keys_of(entry))
    action.setShortcutContext(entry.keys.context)
    action.setToolTip(with_key(entry.tip, action))
    action.setEnabled(False)
    return action
