"""What is seen of a window before anything is open: menus, tools, status and the start page."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMainWindow, QVBoxLayout, QWidget

from kpinspector.ui.actions import Command, make_actions
from kpinspector.ui.glance import Glance
from kpinspector.ui.start.start_content import recent_rows, samples
from kpinspector.ui.start.start_page import StartPage
from kpinspector.ui.status_bar import StatusBar
from kpinspector.ui.theme import scale, system_metrics
from kpinspector.ui.tool_bar import MenuBar, ToolBar

NARROW_BELOW = 1100

_SIZE = (1440, 900)
_SMALLEST = (800, 560)


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts that a window has from its beginning; no action does anything yet.

    Attributes:
        centre: Holds the start page, and later all that stands beside it.
    """

    actions: Mapping[Command, QAction]
    tools: ToolBar
    status: StatusBar
    start: StartPage
    centre: QWidget


def make_frame(window: QMainWindow, glance: Glance) -> Frame:
    """Make the parts and put them in their places; the start page has the centre."""
    window.setObjectName("main")
    window.setWindowTitle("kpinspector")
    window.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
    metrics, room = window.fontMetrics(), window.screen().availableSize()
    window.setMinimumSize(_least_size(window).boundedTo(room))
    window.resize(QSize(*(scale(px, metrics) for px in _SIZE)).boundedTo(room))
    window.setMenuBar(MenuBar(window))
    actions = make_actions(window)
    frame = Frame(
        actions=actions,
        tools=ToolBar(actions, window),
        status=StatusBar(window),
        start=StartPage(),
        centre=QWidget(window),
    )
    column = QVBoxLayout(frame.centre)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(frame.start)
    frame.start.set_samples(samples())
    frame.start.set_recent(recent_rows(glance.recent))
    window.addToolBar(frame.tools)
    window.setStatusBar(frame.status)
    window.setCentralWidget(frame.centre)
    frame.start.setFocus(Qt.FocusReason.OtherFocusReason)
    return frame


def _least_size(window: QMainWindow) -> QSize:
    """By the system's font: to write larger is no reason to take more of the screen."""
    app = QApplication.instance()
    metrics = system_metrics(app) if isinstance(app, QApplication) else window.fontMetrics()
    return QSize(*(scale(px, metrics) for px in _SMALLEST))
