"""The commands of the window, and the objects that all of them use."""

from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from kpinspector.app.session import Session
from kpinspector.ui.actions.table import Command
from kpinspector.ui.dialogs.dialogs import Dialogs
from kpinspector.ui.window.frame import Frame
from kpinspector.ui.window.layout import WindowLayout

OF_STEPS = (
    Command.FIND,
    Command.FIND_NEXT,
    Command.FIND_PREVIOUS,
    Command.EXPAND_ALL,
    Command.COLLAPSE_ALL,
    Command.GO_TO_STEP,
)
"""Commands that work on the list of steps."""


class Desk(NamedTuple):
    """A window, its parts, and the session that they show."""

    window: QMainWindow
    frame: Frame
    session: Session
    layout: WindowLayout
    dialogs: Dialogs


class Part(QObject):
    """A group of commands of a window, with the objects that they use."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._frame, self._actions, self._session = desk.frame, desk.frame.actions, desk.session
        self._layout, self._panes, self._dialogs = desk.layout, desk.layout.panes, desk.dialogs
