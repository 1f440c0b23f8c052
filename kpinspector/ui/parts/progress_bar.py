"""How far work has come."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.look.theme import colours, scale
from kpinspector.words.say import say

_WIDTH = 160
_HEIGHT = 6


class ProgressBar(QProgressBar):
    """A thin bar without text; the sentence beside it says the numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self.setAccessibleName(say("Progress"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(scale(_WIDTH, metrics), scale(_HEIGHT, metrics))

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        found, painter = colours(self.palette()), QPainter(self)
        radius = self.height() / 2
        paint_box(painter, self.rect(), found.line, radius=radius)
        share = self.value() / self.maximum()
        if share:
            filled = self.rect()
            filled.setWidth(max(self.height(), round(self.width() * share)))
            paint_box(painter, filled, found.accent, radius=radius)
