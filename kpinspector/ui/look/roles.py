"""Widgets that look as they like and are stock classes all the same, for the role that those have.

Assistive technology is told nothing useful of a bare widget; what changes is told by `announce`.
"""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QGroupBox, QLabel, QWidget
from typing_extensions import override


class Graphic(QLabel):
    """A drawing with a name. A label that has a picture is read as one; this is never painted."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        nothing = QPixmap(1, 1)
        nothing.fill(Qt.GlobalColor.transparent)
        self.setPixmap(nothing)

    @override
    def minimumSizeHint(self) -> QSize:
        return QWidget.minimumSizeHint(self)


class Group(QGroupBox):
    """Parts that belong together, without the frame and the room of a group box."""

    def __init__(self) -> None:
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)

    @override
    def minimumSizeHint(self) -> QSize:
        return QWidget.minimumSizeHint(self)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        """Nothing: the parts are all that is seen."""

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        QWidget.resizeEvent(self, event)  # a group box makes room for its frame

    @override
    def changeEvent(self, event: QEvent) -> None:
        QWidget.changeEvent(self, event)


def announce(widget: QWidget, words: str) -> None:
    """Say something that changed while the keyboard is elsewhere, once all else is said."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))
