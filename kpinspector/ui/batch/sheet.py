"""What the sheets of the Batch page share: their ground and their header."""

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QWidget

from kpinspector.ui.controls.base import ElidedLabel, Label, in_column
from kpinspector.ui.controls.views import PANE_HEADER_HEIGHT, SCROLL_BAR_WIDTH
from kpinspector.ui.look.theme import TextRole, sized

SIDE = 16
BESIDE_BAR = SIDE - SCROLL_BAR_WIDTH
_GAP = 8


class Sheet(QWidget):
    """A flat sheet: a title and a note in its header, and what is put in ``column`` below."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
