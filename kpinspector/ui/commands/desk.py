"""What all commands work with."""

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from kpinspector.app.session import Session
from kpinspector.ui.actions.table import Command
from kpinspector.ui.dialogs.dialogs import Dialogs
from kpinspector.ui.window.frame import Frame
from kpinspector.ui.window.layout import Panes, WindowLayout


class Desk(NamedTuple):
    """A window, its parts, and the session that they show."""

    window: QMainWindow
    frame: Frame
    session: Session
    layout: WindowLayout
    dialogs: Dialogs

    @property
    def actions(self) -> Mapping[Command, QAction]:
        """The actions by their names."""
        return self.frame.actions

    @property
    def panes(self) -> Panes:
        """The panes of the window."""
        return self.layout.panes
