"""Numbers from 0 to 1 to try, and the lock that holds one against what else is changed."""

from PySide6.QtCore import QEvent, QSignalBlocker, QSize
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from kpinspector.ui.controls.base import FlatButton
from kpinspector.ui.controls.fields import NumberField
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.theme import Colours, scale
from kpinspector.words.figures import shown_number, shown_short

FIELD_WIDTH = 62

_STEP = 0.01
_ROOM = 30  # beside a number in its field


class ShareField(NumberField):
    """A number from 0 to 1, shown with at least ``least`` decimals and at most ``most``.

    What is typed counts when it is done. A wheel over it scrolls the pane, and where there is no
    typing to take back the key for that belongs to the window.
    """

    def __init__(
        self, name: str, *, least: int = 2, most: int = 4, width: int = FIELD_WIDTH
    ) -> None:
        self._least = least
        self._width = width
        super().__init__(name)
        self.setDecimals(most)
        self.setRange(0.0, 1.0)
        self.setSingleStep(_STEP)
        self.setKeyboardTracking(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.editingFinished.connect(self._on_editing_finished)

    def show_value(self, value: float) -> None:
        """Show a number without asking for it; one outside 0 to 1 widens the range."""
        low, high = min(0.0, value), max(1.0, value)
        with QSignalBlocker(self):
            if (low, high) != (self.minimum(), self.maximum()):
                self.setRange(low, high)
                self.updateGeometry()
            if not self.same(value, self.value()):
                self.setValue(value)

    def same(self, value: float, other: float) -> bool:
        """Whether the field has no two values for these."""
        return round(value, self.decimals()) == round(other, self.decimals())

    @override
    def textFromValue(self, val: float) -> str:
        short = shown_short(val)
        places = len(short.partition(".")[2])
        return short if places >= self._least else shown_number(val, self._least)

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            edit, key = self.lineEdit(), QKeySequence.StandardKey
            undo = event.matches(key.Undo) and not edit.isUndoAvailable()
            if undo or (event.matches(key.Redo) and not edit.isRedoAvailable()):
                event.ignore()
                return False
        return super().event(event)

    @override
    def sizeHint(self) -> QSize:
        """Wider where a number outside 0 to 1 needs it: none is cut."""
        metrics, width = self.fontMetrics(), scale(self._width, self.fontMetrics())
        for end, usual in ((self.minimum(), 0.0), (self.maximum(), 1.0)):
            if end != usual:
                text = metrics.horizontalAdvance(self.textFromValue(end))
                width = max(width, text + scale(_ROOM, metrics))
        return QSize(width, super().sizeHint().height())

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def _on_editing_finished(self) -> None:
        self.lineEdit().setText(self.text())


class EdgeButton(FlatButton):
    """A button no wider than its sign and word, so that it ends at the pane's edge."""

    @override
    def sizeHint(self) -> QSize:
        return QSize(sum(self._widths()) + 2, super().sizeHint().height())


class LockButton(EdgeButton):
    """A lock that holds a number while closed; pressing it asks for the opposite."""

    def __init__(self) -> None:
        super().__init__(IconName.UNLOCK)
        self.setCheckable(True)

    def set_closed(self, *, closed: bool, words: str) -> None:
        """Show whether it is closed; the words say what it does."""
        if words == self.accessibleName() and closed is self.isChecked():
            return
        self.setChecked(closed)
        self.set_icon(IconName.LOCK if closed else IconName.UNLOCK)
        self.setAccessibleName(words)
        self.setToolTip(plain_tooltip(words))

    @override
    def _ground(self, found: Colours) -> QColor | None:
        """The sign says whether it is closed, not the ground."""
        return found.hover if self.isEnabled() and self.underMouse() else None

    @override
    def _ink(self, found: Colours) -> tuple[QColor, QColor]:
        if self.isChecked():
            return found.text, found.text
        return super()._ink(found)
