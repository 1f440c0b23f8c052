"""Widgets with a look of their own that are Qt's classes for the sake of their roles.

A bare widget tells assistive technology nothing useful; `announce` tells what changes.
"""

from enum import StrEnum

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QGroupBox, QLabel, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.ui.look.marks import STATE_SIZE, Shape, paint_state
from kpinspector.ui.look.theme import colours, scale


class Graphic(QLabel):
    """A drawing with a name: a label with a picture is read as one; the picture is not painted."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        nothing = QPixmap(1, 1)
        nothing.fill(Qt.GlobalColor.transparent)
        self.setPixmap(nothing)

    @override
    def minimumSizeHint(self) -> QSize:
        return QWidget.minimumSizeHint(self)


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


class Group(QGroupBox):
    """Parts that belong together, without the frame and the room of a group box."""

    def __init__(self) -> None:
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)

    @override
    def minimumSizeHint(self) -> QSize:
        return QWidget.minimumSizeHint(self)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        QWidget.resizeEvent(self, event)  # a group box makes room for its frame

    @override
    def changeEvent(self, event: QEvent) -> None:
        QWidget.changeEvent(self, event)


def announce(widget: QWidget, words: str) -> None:
    """Read out a change while the focus is elsewhere, after everything else."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))
