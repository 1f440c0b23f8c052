"""Makes the actions from the table of commands, with keys that have no other meaning here."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TypeAlias

from PySide6.QtGui import QAction, QActionGroup, QIcon, QKeySequence, QPalette
from PySide6.QtWidgets import QAbstractButton, QMainWindow, QMenu

from kpinspector.ui.actions.table import PANES, ROLES, THEMES, TRACE_MENU, Command, Line, menus
from kpinspector.ui.look.marks import icon

_KEY = QKeySequence.StandardKey
# commands whose own key may have this standard meaning
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
    """All lines of the menus with the words of their menus, in the order of the menu bar."""
    for menu in menus():
        for line in menu.lines:
            if line is not None:
                yield menu.text, line


@cache
def standard_meanings() -> Mapping[str, set[QKeySequence.StandardKey]]:
    """By key, its standard meanings on the running platform."""
    found: dict[str, set[QKeySequence.StandardKey]] = {}
    for one in set(_KEY) - {_KEY.UnknownKey}:
        for key in QKeySequence.keyBindings(one):
            found.setdefault(key.toString(), set()).add(one)
    return found


def keys_of(entry: Line) -> list[QKeySequence]:
    """The keys of a command on this platform: standard or the first free own one, then others."""
    found = [] if entry.keys.standard is None else QKeySequence.keyBindings(entry.keys.standard)
    meanings, allowed = standard_meanings(), {_SAME.get(entry.command, entry.keys.standard)}
    own, also = (
        [QKeySequence(text) for text in texts if meanings.get(text, set()) <= allowed]
        for texts in (entry.keys.own, entry.keys.also)
    )
    chosen = found or own[:1]
    return [*chosen, *(key for key in also if key not in chosen)]


def make_actions(window: QMainWindow) -> dict[Command, QAction]:
    """Fill the window's menu bar; return the actions by command, disabled until they are connected.

    Their icons are painted later, by ``refresh_icons``, as only menus show them.
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
    """The actions of the context menu of a row, with None for a separator."""
    return tuple(None if one is None else actions[one] for one in TRACE_MENU)


def connect(actions: Mapping[Command, QAction], slots: Mapping[Command, Slot]) -> None:
    """Connect the actions of commands to slots, and enable them; others may disable them again."""
    for command, slot in slots.items():
        actions[command].triggered.connect(slot)
        actions[command].setEnabled(True)


def enable(actions: Mapping[Command, QAction], holds: Mapping[Command, bool]) -> None:
    """Enable commands for which the value is true, disable the others."""
    for command, wanted in holds.items():
        actions[command].setEnabled(wanted)


def follow(action: QAction, button: QAbstractButton) -> None:
    """Make a button trigger an action, and be enabled while the action is."""
    button.clicked.connect(action.trigger)
    button.setEnabled(action.isEnabled())
    action.enabledChanged.connect(button.setEnabled)


def refresh_icons(actions: Mapping[Command, QAction], palette: QPalette) -> None:
    """Paint the icons of the actions in the colours of a palette."""
    for _menu, entry in entries():
        if entry.icon is not None:
            actions[entry.command].setIcon(icon(entry.icon, palette))


def with_key(tip: str, action: QAction) -> str:
    """A tooltip with the key of an action, if it has one."""
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
