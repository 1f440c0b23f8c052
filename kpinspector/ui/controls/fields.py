"""Fields, check boxes, progress: one edge, accented with the focus, red where a value is wrong."""

from PySide6.QtCore import QEvent, QRect, QSignalBlocker, QSize, Qt
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPalette,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QProgressBar,
    QSizePolicy,
    QStyleOptionComboBox,
    QWidget,
)
from typing_extensions import override

from kpinspector.ui.controls.base import (
    CONTROL_HEIGHT,
    Drawing,
    FlatButton,
    Ringed,
    in_row,
    repolish,
)
from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.theme import Colours, follow_zoom, scale, sized
from kpinspector.words.figures import shown_number, shown_short
from kpinspector.words.say import say

_GAP = 6
_PADDING = 8
_CHEVRON = 12
_ELIDE = Qt.TextElideMode.ElideRight
_SHARE_WIDTH, _SHARE_STEP = 62, 0.01
_SHARE_ROOM = 30  # beside a number in its field


class CheckBox(Ringed, QCheckBox):
    """A box and its words; the whole of it can be clicked."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        sized(self, QWidget.setFixedHeight, CONTROL_HEIGHT)


class TextField(QLineEdit):
    """A line of text to be written."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        sized(self, QWidget.setFixedHeight, CONTROL_HEIGHT)


class SearchField(TextField):
    """A text field with a magnifier and, once there is text, a way to clear it; so does Escape."""

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(placeholder, parent)
        self.setPlaceholderText(placeholder)
        magnifier = Drawing(QSize(ICON_SIZE, ICON_SIZE), _paint_magnifier)
        magnifier.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._clear = FlatButton(IconName.CLOSE, name=say("Clear"), parent=self)
        self._clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.clicked.connect(self.clear)
        self._clear.clicked.connect(self.setFocus)
        self._clear.hide()
        self._row = in_row(magnifier, None, self._clear, on=self)
        self.textChanged.connect(lambda text: self._clear.setVisible(bool(text)))
        follow_zoom(self, SearchField._make_room)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            return
        super().keyPressEvent(event)

    def _make_room(self) -> None:
        left, icon, gap = (scale(px, self.fontMetrics()) for px in (_PADDING, ICON_SIZE, _GAP))
        self._row.setContentsMargins(left, 0, 2, 0)
        self._clear.fit()
        self._clear.setFixedSize(self._clear.sizeHint() - QSize(4, 4))
        self.setTextMargins(left + icon + gap - _PADDING + 2, 0, self._clear.width(), 0)


def _paint_magnifier(painter: QPainter, place: QRect, found: Colours) -> None:
    paint_icon(painter, place, IconName.SEARCH, found.second)


def mark_wrong(field: QWidget, *, wrong: bool) -> None:
    """Mark the value of a field as one that is not taken."""
    if field.property("wrong") != wrong:
        field.setProperty("wrong", wrong)
        repolish(field)


class ShareField(QDoubleSpinBox):
    """A number from 0 to 1, shown with at least ``least`` decimals and at most ``most``.

    The keys up and down step it; what is typed counts when it is done. A wheel over it scrolls the
    pane, and where there is no typing to take back the key for that belongs to the window.
    """

    def __init__(
        self, name: str, *, least: int = 2, most: int = 4, width: int = _SHARE_WIDTH
    ) -> None:
        self._least = least
        self._width = width
        super().__init__()
        self.setAccessibleName(name)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.lineEdit().setTextMargins(_PADDING - 2, 0, _PADDING - 2, 0)
        self.setDecimals(most)
        self.setRange(0.0, 1.0)
        self.setSingleStep(_SHARE_STEP)
        self.setKeyboardTracking(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.editingFinished.connect(lambda: self.lineEdit().setText(self.text()))

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
                width = max(width, text + scale(_SHARE_ROOM, metrics))
        return QSize(width, scale(CONTROL_HEIGHT, metrics))

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class ComboBox(QComboBox):
    """A choice in the look of a field."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        words = [self.itemText(row) for row in range(self.count())]
        widest = max(map(metrics.horizontalAdvance, words), default=0)
        # one more: the metrics leave out a fraction, which eliding does not
        width = widest + 1 + 2 * scale(_PADDING, metrics) + scale(_GAP, metrics)
        return QSize(width + scale(_CHEVRON, metrics), scale(CONTROL_HEIGHT, metrics))

    @override
    def minimumSizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        narrow = metrics.horizontalAdvance("M…") + 2 * scale(_PADDING, metrics)
        return QSize(narrow + scale(_CHEVRON + _GAP, metrics), scale(CONTROL_HEIGHT, metrics))

    @override
    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        metrics = self.fontMetrics()
        room = self.width() - 2 * scale(_PADDING, metrics) - scale(_CHEVRON + _GAP, metrics)
        option.currentText = metrics.elidedText(self.currentText(), _ELIDE, room)

    @override
    def showPopup(self) -> None:
        """Show the list in the colour of sheets, as menus are; the style would use the desk's."""
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Window, self.palette().color(QPalette.ColorRole.Base))
        self.view().setPalette(palette)
        super().showPopup()


class ProgressBar(QProgressBar):
    """A thin bar without text; the sentence beside it says the numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self.setAccessibleName(say("Progress"))
        sized(self, QWidget.setFixedWidth, 160)
        sized(self, QWidget.setFixedHeight, 6)
