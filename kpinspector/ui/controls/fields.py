"""Fields, check boxes, progress: one edge, accented with the focus, red where a value is wrong."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QProgressBar,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)
from typing_extensions import override

from kpinspector.ui.controls.base import (
    CONTROL_HEIGHT,
    FlatButton,
    Ringed,
    in_row,
    paint_box,
    without_mnemonic,
)
from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.theme import Colours, colours, follow_zoom, scale
from kpinspector.words.figures import shown_number, shown_short
from kpinspector.words.say import say

_GAP = 6
_RADIUS = 3
_TICK_MARGIN = 2
_TEXT = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextShowMnemonic


_PADDING = 8
_CHEVRON = 12
_FOCUS_EDGE = 2
_SHARE_WIDTH, _SHARE_STEP = 62, 0.01
_SHARE_ROOM = 30  # beside a number in its field


class CheckBox(Ringed, QCheckBox):
    """A box and its words; the whole of it can be clicked."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        words = metrics.horizontalAdvance(without_mnemonic(self.text()))
        width = scale(ICON_SIZE, metrics) + scale(_GAP, metrics) + words + 2
        return QSize(width, scale(CONTROL_HEIGHT, metrics))

    @override
    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        found, metrics = colours(self.palette()), self.fontMetrics()
        side = scale(ICON_SIZE, metrics)
        box = QRect(0, (self.height() - side) // 2, side, side)
        ground, edge = self._colours(found)
        paint_box(painter, box, ground, edge, radius=_RADIUS)
        if self.isChecked():
            inner = box.adjusted(_TICK_MARGIN, _TICK_MARGIN, -_TICK_MARGIN, -_TICK_MARGIN)
            paint_icon(painter, inner, IconName.CHECK, found.on_fill)
        painter.setPen(found.text if self.isEnabled() else found.disabled)
        painter.drawText(
            self.rect().adjusted(side + scale(_GAP, metrics), 0, 0, 0), _TEXT, self.text()
        )

    def _colours(self, found: Colours) -> tuple[QColor, QColor]:
        """Ground and edge of the box."""
        if not self.isEnabled():
            return (found.disabled if self.isChecked() else found.sheet), found.disabled
        if self.isChecked():
            return found.accent, found.accent
        if self.isDown():
            return found.line, found.field_edge
        return (found.hover if self.underMouse() else found.sheet), found.field_edge


def paint_field(painter: QPainter, widget: QWidget, *, focused: bool, wrong: bool = False) -> None:
    """Paint the ground and the edge of a field over the whole widget."""
    found = colours(widget.palette())
    edge, width = found.field_edge, 1
    if not widget.isEnabled():
        edge = found.line
    elif wrong:
        edge, width = found.rejected, _FOCUS_EDGE
    elif focused:
        edge, width = found.accent, _FOCUS_EDGE
    paint_box(painter, widget.rect(), found.sheet, edge, width=width)


def clear_base(widget: QWidget) -> None:
    """Make the background of a line edit transparent; other colours stay the palette's."""
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Base, QColor(Qt.GlobalColor.transparent))
    widget.setPalette(palette)


class TextField(QWidget):
    """A frame around a frameless line edit, ``edit``, which has the focus, keys and name."""

    text_changed = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edit = QLineEdit(self)
        self.edit.setFrame(False)
        self.edit.setAccessibleName(name)
        self.edit.setTextMargins(0, 0, 0, 0)
        clear_base(self.edit)
        self.setFocusProxy(self.edit)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self._wrong = False
        self._row = in_row(self.edit, on=self, margins=(_PADDING - 2, 0, _FOCUS_EDGE, 0))
        self.edit.installEventFilter(self)
        self.edit.textChanged.connect(self._on_text_changed)

    @property
    def text(self) -> str:
        """The text of the field."""
        return self.edit.text()

    def set_text(self, text: str) -> None:
        """Put a text into the field."""
        self.edit.setText(text)

    def set_wrong(self, *, wrong: bool) -> None:
        """Mark the value as one that is not taken."""
        self._wrong = wrong
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), scale(CONTROL_HEIGHT, self.fontMetrics()))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut}:
            self.update()
        return super().eventFilter(watched, event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.edit.setFocus(Qt.FocusReason.MouseFocusReason)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_field(painter, self, focused=self.edit.hasFocus(), wrong=self._wrong)

    def _on_text_changed(self, text: str) -> None:
        self.text_changed.emit(text)


class SearchField(TextField):
    """A text field with a magnifier and, once there is text, a way to clear it; so does Escape."""

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(placeholder, parent)
        self.edit.setPlaceholderText(placeholder)
        self._clear = FlatButton(IconName.CLOSE, name=say("Clear"), parent=self)
        self._clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        keep = self._clear.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self._clear.setSizePolicy(keep)
        self._clear.clicked.connect(self.edit.clear)
        self._clear.clicked.connect(self.edit.setFocus)
        self._clear.hide()
        self._row.addWidget(self._clear)
        follow_zoom(self, SearchField._make_room)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text:
            self.edit.clear()
            return
        super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        side = scale(ICON_SIZE, self.fontMetrics())
        place = QRect(scale(_PADDING, self.fontMetrics()), 0, side, self.height())
        paint_icon(painter, place, IconName.SEARCH, colours(self.palette()).second)

    @override
    def _on_text_changed(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        super()._on_text_changed(text)

    def _make_room(self) -> None:
        metrics = self.fontMetrics()
        left = scale(_PADDING, metrics) + scale(ICON_SIZE, metrics) + scale(_GAP, metrics)
        self._row.setContentsMargins(left, 0, _FOCUS_EDGE, 0)
        self._clear.setFixedSize(self._clear.sizeHint() - QSize(4, 4))


class NumberField(QDoubleSpinBox):
    """A number without arrows beside it; the keys up and down still step it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setFrame(False)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._wrong = False
        clear_base(self.lineEdit())
        self.lineEdit().setTextMargins(_PADDING - 2, 0, _PADDING - 2, 0)

    def set_wrong(self, *, wrong: bool) -> None:
        """Mark the value as one that is not taken."""
        self._wrong = wrong
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(
            super().sizeHint().width() + 2 * _PADDING, scale(CONTROL_HEIGHT, self.fontMetrics())
        )

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_field(painter, self, focused=self.hasFocus(), wrong=self._wrong)


class ShareField(NumberField):
    """A number from 0 to 1, shown with at least ``least`` decimals and at most ``most``.

    What is typed counts when it is done. A wheel over it scrolls the pane, and where there is no
    typing to take back the key for that belongs to the window.
    """

    def __init__(
        self, name: str, *, least: int = 2, most: int = 4, width: int = _SHARE_WIDTH
    ) -> None:
        self._least = least
        self._width = width
        super().__init__(name)
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
        return QSize(width, super().sizeHint().height())

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
        words = (self.itemText(row) for row in range(self.count()))
        widest = max(map(metrics.horizontalAdvance, words), default=0)
        # one more: the metrics leave out a fraction, which eliding does not
        width = widest + 1 + 2 * scale(_PADDING, metrics) + scale(_GAP, metrics)
        return QSize(width + scale(_CHEVRON, metrics), scale(CONTROL_HEIGHT, metrics))

    @override
    def minimumSizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        narrow = metrics.horizontalAdvance("M…") + 2 * scale(_PADDING, metrics)
        return QSize(narrow + scale(_CHEVRON + _GAP, metrics), self.sizeHint().height())

    @override
    def showPopup(self) -> None:
        """Show the list in the colour of sheets, as menus are; the style would use the desk's."""
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Window, self.palette().color(QPalette.ColorRole.Base))
        self.view().setPalette(palette)
        super().showPopup()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        found, metrics = colours(self.palette()), self.fontMetrics()
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        paint_field(painter, self, focused=focused)
        padding, side = scale(_PADDING, metrics), scale(_CHEVRON, metrics)
        chevron = QRect(self.width() - padding - side, 0, side, self.height())
        paint_icon(painter, chevron, IconName.CHEVRON_DOWN, found.second)
        room = self.rect().adjusted(padding, 0, -padding - side - scale(_GAP, metrics), 0)
        shown = metrics.elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room.width())
        painter.setPen(found.text if self.isEnabled() else found.disabled)
        align = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(room, align, shown)


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
        return QSize(scale(160, metrics), scale(6, metrics))

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
