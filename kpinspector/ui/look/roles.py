"""Widgets with a look of their own that are Qt's classes for the sake of their roles.

A bare widget tells assistive technology nothing useful; `announce` tells what changes.
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
        """Paint nothing: only the parts are visible."""

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        QWidget.resizeEvent(self, event)  # a group box makes room for its frame

    @override
    def changeEvent(self, event: QEvent) -> None:
        QWidget.changeEvent(self, event)


def announce(widget: QWidget, words: str) -> None:
    """Read out a change while the focus is elsewhere, after everything else."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))
