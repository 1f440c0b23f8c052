"""The overlay that says what a drop would do while something is dragged over the window."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.marks import Shape, aligned, paint_state
from kpinspector.ui.look.theme import Colours, TextRole, colours, font, scale
from kpinspector.words.say import say

DESK_OPACITY = 0.64
CARD_RADIUS = 8

_CARD_WIDTH = 360
_CARD_PADDING = 24
_ICON = 28
_EDGE = 2
_TARGET_TINT = 0.07
_WRAPPED = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap


@dataclass(frozen=True, slots=True)
class DropTarget:
    """A part of the window and what a drop there would do."""

    rect: QRect
    title: str
    caption: str
    icon: IconName = IconName.DOWNLOAD


class DropOverlay(QWidget):
    """Covers its parent and takes no events, as the window goes on handling the drag."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._covered = parent
        self._targets: tuple[DropTarget, ...] = ()
        self._active = -1
        self._refused = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        parent.installEventFilter(self)
        self.hide()

    def show_targets(self, targets: tuple[DropTarget, ...], active: int) -> None:
        """Show where a drop can go; ``active`` is the one under the pointer, -1 for none."""
        self._put(targets, active, refused=False)

    def show_refusal(self, title: str, reason: str) -> None:
        """Say that this cannot be dropped, and why."""
        target = DropTarget(self._covered.rect(), title, reason)
        self._put((target,), 0, refused=True)

    def clear(self) -> None:
        """The drag has ended or left."""
        self._targets = ()
        self.hide()

    def _put(self, targets: tuple[DropTarget, ...], active: int, *, refused: bool) -> None:
        self._targets, self._active, self._refused = targets, active, refused
        named = targets[active] if 0 <= active < len(targets) else None
        self.setAccessibleName(named.title if named else say("Drop"))
        self.setAccessibleDescription(named.caption if named else "")
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
        for number, target in enumerate(self._targets):
            active = number == self._active and not self._refused
            self._paint_edge(painter, target.rect, found, active=active)
            self._paint_card(painter, target, found, active=active)

    def _paint_edge(self, painter: QPainter, rect: QRect, found: Colours, *, active: bool) -> None:
        if self._refused:
            return
        if active:
            ground = _veil(found.accent, _TARGET_TINT)
            paint_box(painter, rect, ground, found.accent, width=_EDGE, radius=4)
        else:
            paint_dashes(painter, rect, found.field_edge, radius=4)

    def _paint_card(
        self, painter: QPainter, target: DropTarget, found: Colours, *, active: bool
    ) -> None:
        metrics = self.fontMetrics()
        padding, icon_side = scale(_CARD_PADDING, metrics), scale(_ICON, metrics)
        width = min(scale(_CARD_WIDTH, metrics), max(0, target.rect.width() - padding))
        title_font = font(TextRole.NUMBER, self.font())
        inner = QRect(0, 0, max(1, width - 2 * padding), self.height())
        title = QFontMetrics(title_font).boundingRect(inner, _WRAPPED.value, target.title)
        caption = metrics.boundingRect(inner, _WRAPPED.value, target.caption)
        gap = scale(16, metrics)
        height = 2 * padding + icon_side + gap + title.height() + gap // 2 + caption.height()
        card = QRect(0, 0, width, height)
        card.moveCenter(target.rect.center())
        paint_box(painter, card, found.sheet, found.button_edge, radius=CARD_RADIUS)
        room = card.adjusted(padding, padding, -padding, -padding)
        place = QRect(room.left(), room.top(), room.width(), icon_side)
        if self._refused:
            paint_state(painter, place, Shape.NOT_SCORABLE, found)
        else:
            colour = found.accent if active else found.second
            paint_icon(painter, place, target.icon, colour)
        room.setTop(place.bottom() + 1 + gap)
        painter.setFont(title_font)
        painter.setPen(found.text)
        painter.drawText(room, _WRAPPED, target.title)
        room.setTop(room.top() + title.height() + gap // 2)
        painter.setFont(self.font())
        painter.setPen(found.second)
        painter.drawText(room, _WRAPPED, target.caption)


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
