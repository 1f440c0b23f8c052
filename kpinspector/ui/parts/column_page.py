"""A page of two columns: side by side where there is room, else below each other."""

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.ui.controls.views import SCROLL_BAR_WIDTH
from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.theme import colours, scale
from kpinspector.ui.parts.hint_page import HintPage
from kpinspector.ui.parts.sheet_scroll import TwoColumns

PADDING = 16
TWO_COLUMNS_FROM = 730
_GAP = 32


class _Column(QWidget):
    """What stands below each other; ``parts`` takes it."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = QVBoxLayout(self)
        self.parts.setContentsMargins(0, 0, 0, 0)
        self.parts.setSpacing(0)


class ColumnPage(QWidget):
    """Two columns with a line between them where they are side by side, or a sentence instead."""

    def __init__(self, hint: str = "") -> None:
        super().__init__()
        self.hint = HintPage(hint)
        self.first, self.second = _Column(), _Column()
        self._columns = TwoColumns(self.first, self.second, _GAP)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PADDING, 0, PADDING - SCROLL_BAR_WIDTH, PADDING // 2)
        layout.setSpacing(0)
        layout.addWidget(self.hint)
        layout.addLayout(self._columns)
        layout.addStretch(1)
        self.setBackgroundRole(QPalette.ColorRole.Base)

    @property
    def wide(self) -> bool:
        """Whether the columns are side by side."""
        return self._columns.wide

    def rearrange(self) -> None:
        """Called when the columns have come side by side, or below each other."""

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self.wide and self.second.isVisible():
            left = self.second.geometry().left() - _GAP // 2
            fill(QPainter(self), QRect(left, 0, 1, self.height()), colours(self.palette()).line)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = event.size().width() >= scale(TWO_COLUMNS_FROM, self.fontMetrics())
        if self._columns.set_wide(wide=wide):
            self.rearrange()
