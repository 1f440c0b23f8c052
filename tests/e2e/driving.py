"""What a script does with a window, and waits for."""

from typing import Any

import PySide6
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from tests.e2e.user import reads

# Qt 6.12 deprecates whole pixels here, and earlier versions know nothing else
ENTERING: Any = QPointF if PySide6.__version_info__ >= (6, 12) else QPoint


def idle(window):
    """All is read and scored, and every pane knows of it."""
    session = window._session
    runner, timer = session._runner, session._groups.timer
    return lambda: runner.idle and not session.progress.busy and not timer.isActive()


def trigger(window, command):
    """Do what a menu's line does; it has to be enabled."""
    action = window._actions[command]
    assert action.isEnabled(), command
    action.trigger()


def drop(window, *paths, at=(9, 9)):
    """Drag files and folders, or addresses, into the window and let go."""
    mime = QMimeData()
    mime.setUrls([QUrl(p) if "://" in str(p) else QUrl.fromLocalFile(str(p)) for p in paths])
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    key = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(ENTERING(*at), action, mime, button, key))
    QApplication.sendEvent(window, QDropEvent(QPointF(*at), action, mime, button, key))


def answer_file_dialog(window, path):
    """Choose a path in the dialog that asks for one."""
    dialog = window.findChild(QFileDialog)
    dialog.fileSelected.emit(str(path))
    dialog.close()


def says(window, words):
    """These words are seen in the window."""
    return reads(window, words)


def names(window):
    """The rows in the order in which they came."""
    return [row.name for row in window._session.documents]


def listed(window):
    """The rows that the list shows, from top to bottom."""
    return [document.name for document in window._traces.filter.documents()]


def focused():
    """The widget that has the keyboard."""
    widget = QApplication.focusWidget()
    assert widget is not None, "nothing has the keyboard"
    return widget


def press(key, modifiers=Qt.KeyboardModifier.NoModifier):
    """Press a key on whatever has the keyboard."""
    QTest.keyClick(focused(), key, modifiers)
