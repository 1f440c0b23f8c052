"""A box to tick, painted in the look of the fields."""

import sys

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from kpinspector.ui.controls.base import CONTROL_HEIGHT, Ringed, paint_box, without_mnemonic
from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.theme import Colours, colours, scale

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

_GAP = 6
_RADIUS = 3
_TICK_MARGIN = 2
_TEXT = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextShowMnemonic


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
