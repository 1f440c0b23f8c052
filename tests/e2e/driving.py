"""What a script does with a window, and waits for."""

from typing import Any

import PySide6
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.e2e.user import answer_file_dialog, idle, reads, row_names, trigger

__all__ = ["answer_file_dialog", "idle", "trigger"]

# Qt 6.12 deprecates whole pixels here, and earlier versions know nothing else
ENTERING: Any = QPointF if PySide6.__version_info__ >= (6, 12) else QPoint


def drop(window, *paths, at=(9, 9)):
    """Drag files and folders, or addresses, into the window and let go."""
    mime = QMimeData()
    mime.setUrls([QUrl(p) if "://" in str(p) else QUrl.fromLocalFile(str(p)) for p in paths])
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    key = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(ENTERING(*at), action, mime, button, key))
    QApplication.sendEvent(window, QDropEvent(QPointF(*at), action, mime, button, key))


def says(window, words):
    """These words are seen in the window."""
    return reads(window, words)


def names(window):
    """The rows of the list, from top to bottom."""
    return row_names(window)


def focused():
    """The widget that has the keyboard."""
    widget = QApplication.focusWidget()
    assert widget is not None, "nothing has the keyboard"
    return widget


def press(key, modifiers=Qt.KeyboardModifier.NoModifier):
    """Press a key on whatever has the keyboard."""
    QTest.keyClick(focused(), key, modifiers)
