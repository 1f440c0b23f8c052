"""Assembles the panes of a window, their layout and their commands.

Loading and creating all this takes longer than showing the window, and none of it is visible
before something is open, so it is added after the first paint.
"""

from typing import NamedTuple

from PySide6.QtWidgets import QMainWindow

from kpinspector.app.session import Session
from kpinspector.ui.commands.batch_commands import BatchCommands
from kpinspector.ui.commands.commands import Commands
from kpinspector.ui.commands.compare_commands import CompareCommands
from kpinspector.ui.commands.desk import Desk
from kpinspector.ui.commands.opening import DropFilter, RecentMenu
from kpinspector.ui.commands.undo_commands import UndoCommands
from kpinspector.ui.commands.view_commands import ViewCommands
from kpinspector.ui.commands.whatif_commands import WhatIfCommands
from kpinspector.ui.commands.wishes import PaneWishes
from kpinspector.ui.dialogs.dialogs import Dialogs
from kpinspector.ui.window.frame import Frame
from kpinspector.ui.window.layout import Panes, WindowLayout


class Assembly(NamedTuple):
    """The parts that the window itself works with."""

    layout: WindowLayout
    commands: Commands
    comparing: CompareCommands
    what_if: WhatIfCommands
    view: ViewCommands
    batch: BatchCommands


def assemble(window: QMainWindow, frame: Frame, session: Session) -> Assembly:
    """Make the panes and commands, lay them out, and connect them to each other."""
    layout = WindowLayout(window, Panes(window, frame))
    frame.centre.layout().addWidget(layout.columns)  # type: ignore[union-attr]
    if frame.first is not frame.start:
        frame.first.deleteLater()
        frame.first.hide()
    desk = Desk(window, frame, session, layout, Dialogs(session, window))
    batch = BatchCommands(desk)  # brings the steps back before a command works on them
    what_if = WhatIfCommands(desk)
    commands = Commands(desk, UndoCommands(desk, what_if.history))
    PaneWishes(desk, commands, what_if)
    RecentMenu(desk)
    DropFilter(window).dropped.connect(commands.take)
    comparing, view = CompareCommands(desk), ViewCommands(desk)
    return Assembly(layout, commands, comparing, what_if, view, batch)
