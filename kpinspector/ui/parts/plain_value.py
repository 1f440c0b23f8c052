"""A text of any length that is read, selected and copied, and never is markup."""

import sys

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QApplication, QFrame, QPlainTextEdit, QWidget

from kpinspector.ui.parts.controls_views import ScrollBar
from kpinspector.ui.theme import TextRole, font

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override


class PlainValue(QPlainTextEdit):
    """Text that can be selected and never is anything but text."""

    def __init__(self, name: str, role: TextRole, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role = role
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setHorizontalScrollBar(ScrollBar(Qt.Orientation.Horizontal, self))
        self.setVerticalScrollBar(ScrollBar(Qt.Orientation.Vertical, self))
        self.document().setDocumentMargin(0)
        self.set_role(role)

    def set_role(self, role: TextRole) -> None:
        """Write in the font of another role."""
        self._role = role
        self.setFont(font(role, QApplication.font()))

    def set_wrapped(self, *, wrapped: bool) -> None:
        """Break long lines, between words if possible."""
        mode, policy = QPlainTextEdit.LineWrapMode, Qt.ScrollBarPolicy
        self.setHorizontalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if wrapped else policy.ScrollBarAsNeeded
        )
        self.setLineWrapMode(mode.WidgetWidth if wrapped else mode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ApplicationFontChange:
            self.setFont(font(self._role, QApplication.font()))
        return super().event(event)
