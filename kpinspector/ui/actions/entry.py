"""What is said of a command where it stands in a menu."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence

from kpinspector.ui.actions.names import Command
from kpinspector.ui.look.icons import IconName


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a menu.

    Attributes:
        command: Its name.
        text: Its words, in title case, with their mnemonic.
        tip: A sentence on what it does.
        key: The standard key with this very meaning.
        own: Keys of ours in order of preference, for where the platform has none of ``key``;
            what has a standard meaning there is passed over.
        also: Keys that do it as well, wherever they have no standard meaning.
        icon: Drawn beside it and on buttons.
        context: Where its key is heard.
        role: Its place in the menu of the application on macOS.
    """

    command: Command
    text: str
    tip: str
    key: QKeySequence.StandardKey | None = None
    own: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    icon: IconName | None = None
    context: Qt.ShortcutContext = Qt.ShortcutContext.WindowShortcut
    role: QAction.MenuRole = QAction.MenuRole.NoRole


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu of the menu bar; None stands for a line."""

    name: str
    text: str
    lines: tuple[Entry | None, ...]
