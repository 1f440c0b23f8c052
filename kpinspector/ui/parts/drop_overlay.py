"""The overlay that says what a drop would do while something is dragged over the window."""

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.marks import Shape, aligned, paint_state
from kpinspector.ui.look.theme import Colours, TextRole, colours, font, scale

DESK_OPACITY = 0.64
CARD_RADIUS = 8

_CARD_WIDTH = 360
_CARD_PADDING = 24
_ICON = 28
_EDGE = 2
_TARGET_TINT = 0.07
_WRAPPED = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap


class DropOverlay(QWidget):
    """Covers its parent and takes no events, as the window goes on handling the drag."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._covered = parent
        self._title, self._caption = "", ""
        self._refused = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        parent.installEventFilter(self)
        self.hide()

    def say_of(self, title: str, caption: str, *, refused: bool) -> None:
        """Say what a drop would do, or that this cannot be dropped, and why."""
        self._title, self._caption, self._refused = title, caption, refused
        self.setAccessibleName(title)
        self.setAccessibleDescription(caption)
        self.setGeometry(self._covered.rect())
        self.raise_()
        self.show()
        self.update()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._covered.rect())
        return super().eventFilter(watched, event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        found = colours(self.palette())
        painter.fillRect(self.rect(), _veil(found.desk, DESK_OPACITY))
        if not self._refused:
            ground = _veil(found.accent, _TARGET_TINT)
            paint_box(painter, self.rect(), ground, found.accent, width=_EDGE, radius=4)
        self._paint_card(painter, found)

    def _paint_card(self, painter: QPainter, found: Colours) -> None:
        metrics = self.fontMetrics()
        padding, icon_side = scale(_CARD_PADDING, metrics), scale(_ICON, metrics)
        width = min(scale(_CARD_WIDTH, metrics), max(0, self.width() - padding))
        title_font = font(TextRole.NUMBER, self.font())
        inner = QRect(0, 0, max(1, width - 2 * padding), self.height())
        title = QFontMetrics(title_font).boundingRect(inner, _WRAPPED.value, self._title)
        caption = metrics.boundingRect(inner, _WRAPPED.value, self._caption)
        gap = scale(16, metrics)
        height = 2 * padding + icon_side + gap + title.height() + gap // 2 + caption.height()
        card = QRect(0, 0, width, height)
        card.moveCenter(self.rect().center())
        paint_box(painter, card, found.sheet, found.button_edge, radius=CARD_RADIUS)
        room = card.adjusted(padding, padding, -padding, -padding)
        place = QRect(room.left(), room.top(), room.width(), icon_side)
        if self._refused:
            paint_state(painter, place, Shape.NOT_SCORABLE, found)
        else:
            paint_icon(painter, place, IconName.DOWNLOAD, found.accent)
        room.setTop(place.bottom() + 1 + gap)
        painter.setFont(title_font)
        painter.setPen(found.text)
        painter.drawText(room, _WRAPPED, self._title)
        room.setTop(room.top() + title.height() + gap // 2)
        painter.setFont(self.font())
        painter.setPen(found.second)
        painter.drawText(room, _WRAPPED, self._caption)


def paint_dashes(painter: QPainter, rect: QRect, colour: QColor, *, radius: float) -> None:
    """Outline where something may be dropped."""
    pen = QPen(colour, _EDGE)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([4.0, 2.5])
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(aligned(painter, rect).adjusted(1, 1, -1, -1), radius, radius)
    painter.restore()


def _veil(colour: QColor, opacity: float) -> QColor:
    veil = QColor(colour)
    veil.setAlphaF(opacity)
    return veil
