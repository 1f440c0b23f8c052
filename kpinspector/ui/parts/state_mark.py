"""The shape of a state as a widget."""

from enum import StrEnum

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSizePolicy
from typing_extensions import override

from kpinspector.ui.look.marks import STATE_SIZE, Shape, paint_state
from kpinspector.ui.look.roles import Graphic
from kpinspector.ui.look.theme import colours, scale


class StateMark(Graphic):
    """The shape of a state, with its word for screen readers."""

    def __init__(self, size: int = STATE_SIZE, *, filled: bool = False) -> None:
        super().__init__()
        self._size = size
        self._filled = filled
        self._shape: StrEnum = Shape.NOT_REACHED
        self._assumed = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_state(self, shape: StrEnum, word: str, *, assumed: bool = False) -> None:
        """Show a state."""
        self._shape = shape
        self._assumed = assumed
        self.setAccessibleName(word)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        side = scale(self._size, QFontMetrics(QApplication.font()))
        return QSize(side, side)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        found = colours(self.palette())
        paint_state(
            painter, self.rect(), self._shape, found, filled=self._filled, assumed=self._assumed
        )
