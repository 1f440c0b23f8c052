"""Flat buttons and labels; they stay Qt's classes, and so keep their keys and roles."""

from collections.abc import Callable, Iterable
from math import ceil
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.marks import aligned
from kpinspector.ui.look.plain_text import set_tip
from kpinspector.ui.look.theme import Colours, TextRole, colours, font, scale, typed

CONTROL_HEIGHT = 26
START_HEIGHT = 30
RADIUS = 4
_PADDING = 12
_FLAT_PADDING = 8
_ICON_PADDING = 5
_GAP = 6
_CHEVRON = 12
_CHEVRON_GAP = 2
_RING_OUTSIDE = 3
_HALF = 128
_TEXT = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextShowMnemonic


_Box = TypeVar("_Box", bound=QBoxLayout)
Part: TypeAlias = QWidget | QLayout | int | tuple[QWidget | QLayout, int] | None
"""Of a row or column: a widget or a layout, perhaps with its stretch; px of space; or a stretch."""
Picture: TypeAlias = Callable[[QPainter, QRect, Colours], object]
Margins: TypeAlias = tuple[int, int, int, int] | None


def in_row(
    *parts: Part,
    on: QWidget | None = None,
    margins: Margins = (0, 0, 0, 0),
    spacing: int | None = 0,
) -> QHBoxLayout:
    """A layout with these parts from left to right; ``None`` leaves margins or spacing to Qt."""
    return _filled(QHBoxLayout() if on is None else QHBoxLayout(on), parts, margins, spacing)


def in_column(
    *parts: Part,
    on: QWidget | None = None,
    margins: Margins = (0, 0, 0, 0),
    spacing: int | None = 0,
) -> QVBoxLayout:
    """The same from top to bottom."""
    return _filled(QVBoxLayout() if on is None else QVBoxLayout(on), parts, margins, spacing)


def _filled(box: _Box, parts: Iterable[Part], margins: Margins, spacing: int | None) -> _Box:
    if margins is not None:
        box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    fill_box(box, *parts)
    return box


def fill_box(box: QBoxLayout, *parts: Part) -> None:
    """Append these parts."""
    for one in parts:
        part, stretch = one if isinstance(one, tuple) else (one, 0)
        match part:
            case None:
                box.addStretch(1)
            case int():
                box.addSpacing(part)
            case QWidget():
                box.addWidget(part, stretch)
            case _:
                box.addLayout(part, stretch)


def ring_place(target: QWidget, holder: QWidget, out: int) -> QRect:
    """The place of the ring in a widget around the button."""
    place = QRect(target.mapTo(holder, QPoint(0, 0)), target.size())
    return place.adjusted(-out, -out, out, out)


def room_for_ring(target: QWidget, out: int) -> tuple[QWidget, list[QWidget]]:
    """The nearest widget around a button with room for its ring, and those on the way to it.

    A scroll area cuts its contents on purpose, so the ring stays inside it.
    """
    between: list[QWidget] = []
    holder = target.parentWidget() or target
    outer = holder.parentWidget()
    while outer is not None and not holder.isWindow():
        has_room = holder.rect().contains(ring_place(target, holder, out))
        if has_room or isinstance(outer, QAbstractScrollArea):
            break
        between.append(holder)
        holder, outer = outer, outer.parentWidget()
    return holder, between


if TYPE_CHECKING:
    _Stock = QWidget
else:
    _Stock = object  # whatever is behind it


def paint_box(
    painter: QPainter,
    rect: QRect | QRectF,
    ground: QColor | None,
    edge: QColor | None = None,
    *,
    width: float = 1.0,
    radius: float = RADIUS,
) -> None:
    """Paint a rounded box with its edge inside ``rect``, sharp at any device pixel ratio."""
    box = aligned(painter, rect)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(Qt.PenStyle.NoPen)
    if edge is not None:
        inner = aligned(painter, box.adjusted(width, width, -width, -width))
        ring = QPainterPath()
        ring.addRoundedRect(box, radius, radius)
        ring.addRoundedRect(inner, max(0.0, radius - width), max(0.0, radius - width))
        if ground is not None:
            painter.setBrush(ground)
            painter.drawRoundedRect(box, radius, radius)
        painter.fillPath(ring, edge)
    elif ground is not None:
        painter.setBrush(ground)
        painter.drawRoundedRect(box, radius, radius)
    painter.restore()


def repolish(widget: QWidget) -> None:
    """Let the style sheet see that a property of a widget has another value."""
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)


def without_mnemonic(text: str) -> str:
    """A button's text as it is shown."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


class FocusRing(QWidget):
    """The accented line around a button that has the keyboard focus.

    Its parent is the nearest widget around the button with room for it, so that no edge cuts it.
    """

    def __init__(self, target: QWidget) -> None:
        holder, between = room_for_ring(target, _RING_OUTSIDE)
        super().__init__(holder)
        self._target, self._holder = target, holder
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        for widget in (target, *between):
            widget.installEventFilter(self)
        target.destroyed.connect(self.deleteLater)
        self._follow()
        self.raise_()
        self.show()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.Move | QEvent.Type.Resize:
                self._follow()
            case QEvent.Type.FocusOut if watched is self._target:
                self._end()
            case QEvent.Type.Hide | QEvent.Type.ParentChange:
                self._end()
        return False

    def _end(self) -> None:
        self._target.removeEventFilter(self)
        self.hide()
        self.deleteLater()

    def _follow(self) -> None:
        self.setGeometry(ring_place(self._target, self._holder, _RING_OUTSIDE))


class Ringed(_Stock):
    """Mixin before a button's Qt class: draws a ring while the button is focused by keys."""

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Put the ring around a button that keys have come to; a click needs none."""
        super().focusInEvent(event)
        mouse = event.reason() == Qt.FocusReason.MouseFocusReason
        if not mouse and self.parentWidget() is not None:
            FocusRing(self)


class PushButton(Ringed, QPushButton):
    """A button with an edge; the one primary button of a view is filled with the accent."""

    def __init__(
        self,
        text: str,
        parent: QWidget | None = None,
        *,
        icon: IconName | None = None,
        primary: bool = False,
        height: int = CONTROL_HEIGHT,
    ) -> None:
        super().__init__(text, parent)
        self._icon = icon
        self._primary = primary
        self._height = height
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    @override
    def sizeHint(self) -> QSize:
        metrics = self._metrics()
        width = metrics.horizontalAdvance(without_mnemonic(self.text())) + 2 * scale(
            _PADDING, metrics
        )
        if self._icon is not None:
            width += scale(ICON_SIZE, metrics) + scale(_GAP, metrics)
        return QSize(width, scale(self._height, metrics))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        found = colours(self.palette())
        ground, edge, ink, sign = self._colours(found)
        paint_box(painter, self.rect(), ground, edge)
        metrics = self._metrics()
        room = self.rect()
        width = metrics.horizontalAdvance(without_mnemonic(self.text()))
        if self._icon is not None:
            side, gap = scale(ICON_SIZE, metrics), scale(_GAP, metrics)
            left = (room.width() - width - side - gap) // 2
            paint_icon(painter, QRect(left, 0, side, room.height()), self._icon, sign)
            room.setLeft(left + side + gap)
        else:
            room.setLeft((room.width() - width) // 2)
        painter.setFont(self._font())
        painter.setPen(ink)
        painter.drawText(room, _TEXT, self.text())

    def _font(self) -> QFont:
        return font(TextRole.PANE, self.font()) if self._primary else self.font()

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self._font())

    def _colours(self, found: Colours) -> tuple[QColor, QColor, QColor, QColor]:
        """Ground, edge, text and icon."""
        if not self.isEnabled():
            return found.button, found.line, found.disabled, found.disabled
        if self._primary:
            ground = found.accent
            if self.isDown() or self.underMouse():
                step = 118 if self.isDown() else 109
                ground = ground.lighter(step) if found.dark else ground.darker(step)
            return ground, ground, found.on_fill, found.on_fill
        if self.isDown() or self.isChecked():
            return found.line, found.field_edge, found.text, found.text
        if self.underMouse():
            return found.hover, found.field_edge, found.text, found.text
        return found.button, found.button_edge, found.text, found.second


class FlatButton(Ringed, QToolButton):
    """A button without an edge: an icon, a word, or both; ``name`` is read out where no word is."""

    def __init__(
        self,
        icon: IconName | None = None,
        text: str = "",
        *,
        name: str = "",
        link: bool = False,
        tight: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """Make a button; a ``tight`` one is no wider than its sign and word, at a pane's edge."""
        super().__init__(parent)
        self._icon = icon
        self._link, self._tight = link, tight
        self.setText(text)
        if name:
            set_tip(self, name)
            self.setAccessibleName(name)
        beside = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        self.setToolButtonStyle(beside if text else Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    @override
    def setMenu(self, menu: QMenu) -> None:
        """Open a menu at once, not after a long press; without a menu it is pressed as usual."""
        super().setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def set_icon(self, icon: IconName | None) -> None:
        """Change the icon."""
        self._icon = icon
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        height = scale(CONTROL_HEIGHT, metrics)
        icon, word, chevron = self._widths()
        padding = scale(_FLAT_PADDING if word else _ICON_PADDING, metrics)
        width = icon + word + chevron
        return QSize(width + 2 if self._tight else max(width + 2 * padding, height), height)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        found = colours(self.palette())
        ground = self._ground(found)
        if ground is not None:
            paint_box(painter, self.rect(), ground)
        ink, sign = self._ink(found)
        icon, word, chevron = self._widths()
        left = (self.width() - icon - word - chevron) // 2
        side = scale(ICON_SIZE, self.fontMetrics())
        if self._icon is not None:
            paint_icon(painter, QRect(left, 0, side, self.height()), self._icon, sign)
        if word:
            painter.setPen(ink)
            painter.drawText(QRect(left + icon, 0, word, self.height()), _TEXT, self.text())
        if chevron:
            side = scale(_CHEVRON, self.fontMetrics())
            room = QRect(left + icon + word + chevron - side, 0, side, self.height())
            paint_icon(painter, room, IconName.CHEVRON_DOWN, sign)

    def _widths(self) -> tuple[int, int, int]:
        """The widths of icon, word and chevron, each with the gap that it needs."""
        metrics = self.fontMetrics()
        alone = self.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
        shown = "" if alone and self._icon is not None else without_mnemonic(self.text())
        word = metrics.horizontalAdvance(shown)
        icon = scale(ICON_SIZE, metrics) if self._icon is not None else 0
        opens = self.menu() is not None and self._icon is not IconName.MORE  # its dots say so
        chevron = scale(_CHEVRON, metrics) if opens else 0
        return (
            icon + scale(_GAP, metrics) if icon and word else icon,
            word,
            chevron + scale(_CHEVRON_GAP, metrics) if chevron else 0,
        )

    def _ground(self, found: Colours) -> QColor | None:
        if self.isChecked():
            return found.selection
        if not self.isEnabled():
            return None
        if self.isDown():
            return found.line
        # half of the line is the hover colour on a sheet, and shows on the desk as well
        half = QColor(found.line)
        half.setAlpha(_HALF)
        return half if self.underMouse() else None

    def _ink(self, found: Colours) -> tuple[QColor, QColor]:
        """The colours of word and icon."""
        if not self.isEnabled():
            return found.disabled, found.disabled
        if self._link:
            return found.accent, found.accent
        lit = self.isChecked() or self.isDown() or self.underMouse()
        return found.text, found.text if lit else found.second


class Drawing(QWidget):
    """A small picture beside the words for it, of a size in px at 100 %."""

    def __init__(self, size: QSize, paint: Picture, *, grows: bool = False) -> None:
        super().__init__()
        self._size, self._paint = size, paint
        upright = QSizePolicy.Policy.Preferred if grows else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Fixed, upright)

    def draw(self, paint: Picture) -> None:
        """Show something else."""
        self._paint = paint
        self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(scale(self._size.width(), metrics), scale(self._size.height(), metrics))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        self._paint(QPainter(self), self.rect(), colours(self.palette()))


class Label(QLabel):
    """Plain text in one of the roles of type; ``second`` is the paler of the two text colours.

    Its mnemonic leads to the ``buddy``, which it names.
    """

    def __init__(
        self,
        text: str = "",
        role: TextRole = TextRole.BODY,
        *,
        second: bool = False,
        buddy: QWidget | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        if buddy is not None:
            self.setBuddy(buddy)
        self.setTextFormat(Qt.TextFormat.PlainText)
        typed(self, role)
        if second:
            self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.setText(text)


class ElidedLabel(Label):
    """A line of plain text that is elided at its end, with the whole text in its tooltip."""

    elided_at = Qt.TextElideMode.ElideRight

    @override
    def setText(self, text: str) -> None:
        super().setText(text)
        self._show_whole()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("…"), super().minimumSizeHint().height())

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._full_width(), super().sizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_whole()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self.palette().color(self.foregroundRole()))
        room = self.contentsRect()
        line = " ".join(self.text().split())
        shown = self.fontMetrics().elidedText(line, self.elided_at, room.width())
        painter.drawText(room, self.alignment() | Qt.TextFlag.TextSingleLine, shown)

    def _full_width(self) -> int:
        """The least whole width at which nothing is elided."""
        width = QFontMetricsF(self.font()).horizontalAdvance(" ".join(self.text().split()))
        return ceil(width) + (1 if width else 0)

    def _show_whole(self) -> None:
        cut = self._full_width() > self.contentsRect().width()
        set_tip(self, self.text() if cut else "")


class NameLabel(ElidedLabel):
    """The name of a trace; its middle gives way, as names of one file end differently."""

    elided_at = Qt.TextElideMode.ElideMiddle


def strong(start: int, length: int) -> QTextLayout.FormatRange:
    """A part of a text in demibold, in UTF-16 units."""
    part, weight = QTextLayout.FormatRange(), QTextCharFormat()
    weight.setFontWeight(QFont.Weight.DemiBold)
    part.start, part.length, part.format = start, length, weight
    return part
