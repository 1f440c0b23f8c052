"""A slider from 0 to 1 that marks the present value and the one that is needed."""

from math import isnan

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget
from typing_extensions import override

from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.look.theme import Colours, colours, scale

UNITS = 1000  # as many steps as the three decimals of a value can say

_STEP, _PAGE = 10, 100
_HEIGHT = 28
_SHORTEST = 64
_KNOB, _GHOST, _RING = 6.5, 4.0, 2.0
_TRACK = 4
_TRIANGLE = (4.0, 5.0)  # half of its width, and its height
_TRIANGLE_GAP = 1.5


class DimensionSlider(QSlider):
    """A slider in the colour of its dimension; keys, role and value are those of Qt.

    A ring marks the present value, a triangle below the track the value that is needed.
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
        """Mark the present value and the one that is needed; None marks nothing."""
        if (now, needed) != (self._now, self._needed):
            self._now, self._needed = now, needed
            self.update()

    def place_of(self, share: float) -> QPointF:
        """The point on the track of a value; one outside 0 to 1 stands at the end."""
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
        """Leave the wheel to the pane unless the slider has the focus."""
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
        """The line between the outermost places of the knob, with room for its focus."""
        side = self._px(_KNOB + 3 * _RING)
        height = self._px(_TRACK)
        return QRectF(side, (self.height() - height) / 2, self.width() - 2 * side, height)

    def _go_to(self, event: QMouseEvent) -> None:
        track = self._track()
        share = (event.position().x() - track.left()) / max(1.0, track.width())
        self.setSliderPosition(round(min(1.0, max(0.0, share)) * UNITS))

    def _px(self, px: float) -> float:
        """As ``scale``, in fractions."""
        return px * scale(100, self.fontMetrics()) / 100
