"""Fields, check boxes, progress bars and the sliders of dimensions; wrong values are red."""

from math import isnan

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPolygonF,
    QValidator,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QProgressBar,
    QSizePolicy,
    QSlider,
    QStyleOptionComboBox,
    QWidget,
)
from typing_extensions import override

from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.controls.base import (
    CONTROL_HEIGHT,
    Drawing,
    FlatButton,
    Ringed,
    in_row,
    paint_box,
    repolish,
)
from kpinspector.ui.look.marks import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.theme import Colours, colours, follow_zoom, scale, sized
from kpinspector.words.figures import shown_number, shown_short
from kpinspector.words.say import say

_GAP = 6
_PADDING = 8
_CHEVRON = 12
_ELIDE = Qt.TextElideMode.ElideRight
_SHARE_WIDTH, _SHARE_STEP = 62, 0.01
_SHARE_ROOM = 30  # px beside the number in its field
# lengths of the slider
UNITS = 1000  # steps of the slider: a value has three decimals
_STEP, _PAGE = 10, 100
_HEIGHT = 28
_SHORTEST = 64
_KNOB, _GHOST, _RING = 6.5, 4.0, 2.0
_TRACK = 4
_TRIANGLE = (4.0, 5.0)  # half its width, and its height
_TRIANGLE_GAP = 1.5


class CheckBox(Ringed, QCheckBox):
    """A check box; its words can be clicked, too."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        sized(self, QWidget.setFixedHeight, CONTROL_HEIGHT)


class TextField(QLineEdit):
    """A field for a line of text."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        sized(self, QWidget.setFixedHeight, CONTROL_HEIGHT)


class SearchField(TextField):
    """A text field with a magnifier; its text is cleared by a button and by Escape."""

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
        offering = QApplication.activePopupWidget() is not None  # Escape closes a popup first
        if event.key() == Qt.Key.Key_Escape and self.text() and not offering:
            self.clear()
        else:
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
    """Mark a field's value as wrong, or as right."""
    if field.property("wrong") != wrong:
        field.setProperty("wrong", wrong)
        repolish(field)


class ShareField(QDoubleSpinBox):
    """A field for a number from 0 to 1, with at least ``least`` decimals and at most ``most``.

    The keys Up and Down change it by a step; typing counts when it is finished. The wheel over the
    field scrolls the pane; Undo is left to the window if there is no typing to undo.
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
        """Show a number without emitting a signal; a number outside 0 to 1 widens the range."""
        low, high = min(0.0, value), max(1.0, value)
        with QSignalBlocker(self):
            if (low, high) != (self.minimum(), self.maximum()):
                self.setRange(low, high)
                self.updateGeometry()
            if not self.same(value, self.value()):
                self.setValue(value)

    def same(self, value: float, other: float) -> bool:
        """Whether two numbers look the same in the field."""
        return round(value, self.decimals()) == round(other, self.decimals())

    @override
    def validate(self, input: str, pos: int) -> tuple[QValidator.State, str, int]:
        """Take a comma for a point."""
        return super().validate(input.replace(",", "."), pos)

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
        """The usual width, or more for a number outside 0 to 1, which is not cut."""
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
    """A combo box that looks like a field."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        words = [self.itemText(row) for row in range(self.count())]
        widest = max(map(metrics.horizontalAdvance, words), default=0)
        # one px more: the metrics leave out a fraction, which eliding counts
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
        """Show the list in the colour of sheets, as for menus; the style would take the desk's."""
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Window, self.palette().color(QPalette.ColorRole.Base))
        self.view().setPalette(palette)
        super().showPopup()


class ProgressBar(QProgressBar):
    """A thin bar without text; a label beside it says the numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self.setAccessibleName(say("Progress"))
        sized(self, QWidget.setFixedWidth, 160)
        sized(self, QWidget.setFixedHeight, 6)


class DimensionSlider(QSlider):
    """A slider in the colour of its dimension; keys, role and value are as in Qt.

    A ring marks the value now, a triangle below the track the value that is needed.
    """

    def __init__(self, dimension: Dimension, name: str, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._dimension = dimension
        self._now: float | None = None
        self._needed: float | None = None
        self.setAccessibleName(name)
        self.setRange(0, UNITS)
        self.setSingleStep(_STEP)
        self.setPageStep(_PAGE)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def set_marks(self, now: float | None, needed: float | None) -> None:
        """Set the marks for the value now and the value that is needed; None for no mark."""
        if (now, needed) != (self._now, self._needed):
            self._now, self._needed = now, needed
            self.update()

    def place_of(self, share: float) -> QPointF:
        """The point on the track for a value; values outside 0 to 1 are at the ends."""
        track = self._track()
        within = 0.0 if isnan(share) else min(1.0, max(0.0, share))
        return QPointF(track.left() + within * track.width(), track.center().y())

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(2 * scale(_SHORTEST, metrics), scale(_HEIGHT, metrics))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(scale(_SHORTEST, self.fontMetrics()), self.sizeHint().height())

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self.setSliderDown(True)
        self._go_to(event)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self._go_to(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.setSliderDown(False)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the pane unless the slider has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        found = colours(self.palette())
        colour = found.dimension(self._dimension) if self.isEnabled() else found.disabled
        track, knob = self._track(), self.place_of(self.sliderPosition() / UNITS)
        paint_box(painter, track, found.track, radius=track.height() / 2)
        filled = QRectF(track.left(), track.top(), knob.x() - track.left(), track.height())
        paint_box(painter, filled, colour, radius=track.height() / 2)
        if self._now is not None:
            self._paint_ring(painter, self.place_of(self._now), _GHOST, found.neutral, found)
        if self._needed is not None:
            self._paint_triangle(painter, self.place_of(self._needed), found)
        self._paint_ring(painter, knob, _KNOB, colour, found)
        if self.hasFocus():
            radius = self._px(_KNOB + 2 * _RING)
            painter.setPen(QPen(found.accent, _RING))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(knob, radius, radius)

    def _paint_ring(
        self, painter: QPainter, centre: QPointF, size: float, colour: QColor, found: Colours
    ) -> None:
        width = _RING if size == _KNOB else 1.2
        radius = self._px(size) - width / 2
        painter.setPen(QPen(colour, width))
        lit = size == _KNOB and self.isEnabled() and (self.isSliderDown() or self.underMouse())
        painter.setBrush(found.hover if lit else found.sheet)
        painter.drawEllipse(centre, radius, radius)

    def _paint_triangle(self, painter: QPainter, point: QPointF, found: Colours) -> None:
        half, height = (self._px(one) for one in _TRIANGLE)
        top = point.y() + self._px(_KNOB + _TRIANGLE_GAP)
        corners = [(0.0, 0.0), (half, height), (-half, height)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(found.text if self.isEnabled() else found.disabled)
        painter.drawPolygon(QPolygonF([QPointF(point.x() + x, top + y) for x, y in corners]))

    def _track(self) -> QRectF:
        """The track; at both ends there is room for the knob and its focus ring."""
        side = self._px(_KNOB + 3 * _RING)
        height = self._px(_TRACK)
        return QRectF(side, (self.height() - height) / 2, self.width() - 2 * side, height)

    def _go_to(self, event: QMouseEvent) -> None:
        track = self._track()
        share = (event.position().x() - track.left()) / max(1.0, track.width())
        self.setSliderPosition(round(min(1.0, max(0.0, share)) * UNITS))

    def _px(self, px: float) -> float:
        """A length in px at 100 % scaled like ``scale``, but not rounded."""
        return px * scale(100, self.fontMetrics()) / 100
