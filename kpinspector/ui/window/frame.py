"""The frame of a window before anything is open: menus, tools, status and the start page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import QMainWindow, QSizePolicy, QWidget

from kpinspector.app.state import RecentPath
from kpinspector.ui.actions.actions import make_actions
from kpinspector.ui.actions.table import Command
from kpinspector.ui.controls.base import Drawing, in_column
from kpinspector.ui.controls.views import MenuKey
from kpinspector.ui.look.theme import Colours, application, scale, system_metrics
from kpinspector.ui.window.start_page import StartPage
from kpinspector.ui.window.status_bar import StatusBar
from kpinspector.ui.window.tool_bar import ToolBar
from kpinspector.words.say import say

NARROW_BELOW = 1100

LIST_WIDTH, NARROW_LIST_WIDTH, SCORE_WIDTH = 352, 248, 440
GUTTER = 6

_SIZE = (1440, 900)
_SMALLEST = (800, 560)
_FRAME = (8, 40)  # what a window manager takes at most, as far as it is known before it does
_HINT_SIDE, _HINT_TOP = 16, 8


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts that a window has from its beginning; no action does anything yet.

    Attributes:
        centre: Holds what is seen first, and later all panes.
        first: The start page, or empty panes where something is opened with the window.
    """

    actions: Mapping[Command, QAction]
    tools: ToolBar
    status: StatusBar
    start: StartPage
    centre: QWidget
    first: QWidget


def _paint_empty_panes(painter: QPainter, rect: QRect, found: Colours) -> None:
    """List, steps and score before there is anything in them."""
    metrics = painter.fontMetrics()
    narrow = rect.width() < scale(NARROW_BELOW, metrics)
    traces = scale(NARROW_LIST_WIDTH if narrow else LIST_WIDTH, metrics)
    score = 0 if narrow else scale(SCORE_WIDTH, metrics) + GUTTER
    centre = rect.adjusted(traces + GUTTER, 0, -score, 0)
    painter.fillRect(rect, found.sheet)
    for left in (traces, centre.right() + 1):
        painter.fillRect(left, 0, GUTTER, rect.height(), found.desk)
    painter.setPen(found.second)
    side, top = (scale(px, metrics) for px in (_HINT_SIDE, _HINT_TOP))
    painter.drawText(centre.adjusted(side, top, -side, 0), 0, say("Reading…"))


def make_frame(window: QMainWindow, recent: Sequence[RecentPath], *, opening: bool) -> Frame:
    """Make the parts and put them in their places; the start page has the centre."""
    window.setObjectName("main")
    window.setWindowTitle("kpinspector")
    window.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
    MenuKey(window)
    metrics, room = window.fontMetrics(), window.screen().availableSize() - QSize(*_FRAME)
    # by the system's font: zooming in does not need more of the screen
    least = system_metrics(application())
    window.setMinimumSize(QSize(*(scale(px, least) for px in _SMALLEST)).boundedTo(room))
    window.resize(QSize(*(scale(px, metrics) for px in _SIZE)).boundedTo(room))
    actions = make_actions(window)
    start = StartPage()
    first: QWidget = start
    if opening:
        first = Drawing(QSize(), _paint_empty_panes)
        first.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        first.setAccessibleName(say("Reading…"))
    frame = Frame(
        actions=actions,
        tools=ToolBar(actions, window),
        status=StatusBar(window),
        start=start,
        centre=QWidget(window),
        first=first,
    )
    in_column(frame.first, on=frame.centre, spacing=None)
    frame.start.set_recent(recent)
    window.addToolBar(frame.tools)
    window.setStatusBar(frame.status)
    window.setCentralWidget(frame.centre)
    frame.first.setFocus(Qt.FocusReason.OtherFocusReason)
    return frame
