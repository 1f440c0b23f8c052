"""The overlay that says what a drop would do while something is dragged over the window."""

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from kpinspector.ui.controls.base import Drawing, Label, in_column, in_row, paint_box
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.marks import Shape, paint_state
from kpinspector.ui.look.theme import Colours, TextRole, colours, scale

DESK_OPACITY = 0.64

_CARD_WIDTH, _CARD_PADDING, _GAP = 360, 24, 16
_ICON = 28
_EDGE = 2
_TARGET_TINT = 0.07


class DropCard(QWidget):
    """The sheet with the words, which stands in the middle."""


class DropOverlay(QWidget):
    """Covers its parent and takes no events, as the window goes on handling the drag."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._covered = parent
        self._refused = False
        self._card = DropCard(self)
        self._card.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title, self._caption = Label(role=TextRole.NUMBER), Label(second=True)
        for label in (self._title, self._caption):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        sign = Drawing(QSize(_ICON, _ICON), self._paint_sign)
        signs = in_row(None, sign, None)
        self._column = in_column(signs, self._title, self._caption, on=self._card)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        parent.installEventFilter(self)
        self.hide()

    def say_of(self, title: str, caption: str, *, refused: bool) -> None:
        """Say what a drop would do, or that this cannot be dropped, and why."""
        self._refused = refused
        self._title.setText(title)
        self._caption.setText(caption)
        self.setAccessibleName(title)
        self.setAccessibleDescription(caption)
        self._cover()
        self.raise_()
        self.show()
        self.update()

    def _cover(self) -> None:
        metrics = self.fontMetrics()
        padding, gap = scale(_CARD_PADDING, metrics), scale(_GAP, metrics)
        self._column.setContentsMargins(padding, padding, padding, padding)
        self._title.setContentsMargins(0, gap, 0, gap // 2)
        self.setGeometry(self._covered.rect())
        width = min(scale(_CARD_WIDTH, metrics), max(0, self.width() - padding))
        card = QRect(0, 0, width, self._column.heightForWidth(width))
        card.moveCenter(self.rect().center())
        self._card.setGeometry(card)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._cover()
        return super().eventFilter(watched, event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found = QPainter(self), colours(self.palette())
        painter.fillRect(self.rect(), _veil(found.desk, DESK_OPACITY))
        if not self._refused:
            ground = _veil(found.accent, _TARGET_TINT)
            paint_box(painter, self.rect(), ground, found.accent, width=_EDGE)

    def _paint_sign(self, painter: QPainter, place: QRect, found: Colours) -> None:
        if self._refused:
            paint_state(painter, place, Shape.NOT_SCORABLE, found)
        else:
            paint_icon(painter, place, IconName.DOWNLOAD, found.accent)


def _veil(colour: QColor, opacity: float) -> QColor:
    veil = QColor(colour)
    veil.setAlphaF(opacity)
    return veil
