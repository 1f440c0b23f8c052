"""What the sheets of the Batch page share: what is wished on them, their ground and header."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QWidget

from kpinspector.ui.controls.base import ElidedLabel, Label, in_column
from kpinspector.ui.controls.views import PANE_HEADER_HEIGHT, SCROLL_BAR_WIDTH
from kpinspector.ui.look.theme import TextRole, sized

SIDE = 16
BESIDE_BAR = SIDE - SCROLL_BAR_WIDTH
_GAP = 8


class Wanted(StrEnum):
    """What can be wished of all traces together."""

    STOP = "stop"
    RESUME = "resume"
    FILTER = "filter"
    GROUP = "group"
    LINK_AT = "link at"
    COMPARE = "compare"
    SELECT = "select"
    SHOW = "show"
    KEEP = "keep"
    LEAVE_OUT = "leave out"
    WISH_NOTHING = "wish nothing"


@dataclass(frozen=True, slots=True)
class BatchWish:
    """A wish, and of what: the text of a filter, a group, a similarity, or places of traces."""

    do: Wanted
    of: Any = None


class Sheet(QWidget):
    """A flat sheet: a title and a note in its header, and what is put in ``column`` below."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.note = ElidedLabel("", second=True)
        header = QWidget()
        sized(header, QWidget.setFixedHeight, PANE_HEADER_HEIGHT)
        self.header = QHBoxLayout(header)
        self.header.setContentsMargins(SIDE, 0, SIDE, 0)
        self.header.setSpacing(_GAP)
        self.header.addWidget(Label(title, TextRole.PANE))
        self.header.addWidget(self.note, 1)
        self.column = in_column(header, on=self)

    def stack(self, *pages: QWidget) -> QStackedLayout:
        """Put pages below the header, of which one is seen."""
        stacked = QStackedLayout()
        self.column.addLayout(stacked, 1)  # at first, or pages come up as windows
        for page in pages:
            stacked.addWidget(page)
        return stacked
