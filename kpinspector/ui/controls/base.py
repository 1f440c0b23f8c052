"""Layouts, buttons and labels; the widgets are Qt's classes, and so keep their keys and roles."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import StrEnum
from math import ceil
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from kpinspector.ui.look.marks import ICON_SIZE, IconName, aligned, paint_icon, paint_state
from kpinspector.ui.look.plain_text import set_tip
from kpinspector.ui.look.theme import Colours, TextRole, colours, follow_zoom, font, scale, typed

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
_ALONE = Qt.ToolButtonStyle.ToolButtonIconOnly
_BESIDE = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
_TEXT = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextShowMnemonic


_Box = TypeVar("_Box", bound=QBoxLayout)
Part: TypeAlias = QWidget | QLayout | int | tuple[QWidget | QLayout, int] | None
"""A part of a row or column: a widget or layout, or with its stretch; px; None for a stretch."""
Sign: TypeAlias = StrEnum | str
"""An `IconName` or a state, which is painted as a picture; or a word."""
Parts: TypeAlias = list[tuple[int, Sign, int]]
"""The parts of a button: the gap before each, its sign, and the side of a painted sign."""
Look: TypeAlias = tuple[QColor | None, QColor | None, QColor, QColor]
"""The colours of a button's ground, edge, words and icons; None for no ground or edge."""
Picture: TypeAlias = Callable[[QPainter, QRect, Colours], object]
Margins: TypeAlias = tuple[int, int, int, int] | None


def in_row(
    *parts: Part,
    on: QWidget | None = None,
    margins: Margins = (0, 0, 0, 0),
    spacing: int | None = 0,
) -> QHBoxLayout:
    """A layout with these parts from left to right; None leaves margins or spacing to Qt."""
    return _filled(QHBoxLayout() if on is None else QHBoxLayout(on), parts, margins, spacing)


def in_column(
    *parts: Part,
    on: QWidget | None = None,
    margins: Margins = (0, 0, 0, 0),
    spacing: int | None = 0,
) -> QVBoxLayout:
    """A layout with these parts from top to bottom, otherwise as ``in_row``."""
    return _filled(QVBoxLayout() if on is None else QVBoxLayout(on), parts, margins, spacing)


def in_stack(box: QBoxLayout, *pages: QWidget) -> QStackedLayout:
    """Append pages to a box, of which one is visible at a time, in the space that is left."""
    stack = QStackedLayout()
    box.addLayout(stack, 1)  # before its pages, which would become windows otherwise
    for page in pages:
        stack.addWidget(page)
    return stack


def _filled(box: _Box, parts: Iterable[Part], margins: Margins, spacing: int | None) -> _Box:
    if margins is not None:
        box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    fill_box(box, *parts)
    return box


def fill_box(box: QBoxLayout, *parts: Part) -> None:
    """Append these parts to a layout."""
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


if TYPE_CHECKING:

    class _Stock(QWidget):
        def text(self) -> str: ...
        def setText(self, text: str) -> None: ...  # noqa: N802 - Qt's name
        def _padding(self, metrics: QFontMetrics) -> int: ...
        def _colours(self, found: Colours) -> Look: ...

else:
    _Stock = object  # the real methods are those of the Qt class after the mixin


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
    """Make the style sheet notice that a property of a widget has changed."""
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)


def without_mnemonic(text: str) -> str:
    """A button's text as it is shown, without the mnemonic's marker."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


class FocusRing(QWidget):
    """The accented ring around a button that has the keyboard focus.

    Its parent is the nearest widget around the button with room for it, so that no edge cuts it;
    a scroll area must be able to cut it, so it stays inside of that.
    """

    def __init__(self, target: QWidget) -> None:
        self._target, self._holder = target, target.parentWidget() or target
        watched = [target]
        outer = self._holder.parentWidget()
        while outer is not None and not self._holder.isWindow():
            has_room = self._holder.rect().contains(self._place())
            if has_room or isinstance(outer, QAbstractScrollArea):
                break
            watched.append(self._holder)
            self._holder, outer = outer, outer.parentWidget()
        super().__init__(self._holder)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        for widget in watched:
            widget.installEventFilter(self)
        target.destroyed.connect(self.deleteLater)
        self.setGeometry(self._place())
        self.raise_()
        self.show()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.Move | QEvent.Type.Resize:
                self.setGeometry(self._place())
            case QEvent.Type.FocusOut if watched is self._target:
                self._end()
            case QEvent.Type.Hide | QEvent.Type.ParentChange:
                self._end()
        return False

    def _end(self) -> None:
        self._target.removeEventFilter(self)
        self.hide()
        self.deleteLater()

    def _place(self) -> QRect:
        out, corner = _RING_OUTSIDE, self._target.mapTo(self._holder, QPoint(0, 0))
        return QRect(corner, self._target.size()).adjusted(-out, -out, out, out)


class Ringed(_Stock):
    """Mixin before a button's Qt class: shows a ring while the button is focused by keys."""

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the ring, unless the focus came by a click."""
        super().focusInEvent(event)
        mouse = event.reason() == Qt.FocusReason.MouseFocusReason
        if not mouse and self.parentWidget() is not None:
            FocusRing(self)


class Painted(Ringed):
    """Mixin before a button's Qt class: paints icon and word in a row, centred in a box.

    Places and size are computed when words, signs or zoom change, not whenever Qt asks for them.
    """

    _icon: IconName | None = None
    _height = CONTROL_HEIGHT
    _role: TextRole | None = None

    def _begin(self) -> None:
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        follow_zoom(self, Painted.fit)

    def fit(self) -> None:
        """Compute places and size again, after words, signs or zoom have changed."""
        if self._role is not None:
            self.setFont(font(self._role, QApplication.font()))
        metrics = self.fontMetrics()
        self._places: list[tuple[int, int, Sign]] = []
        end = 0
        for gap, sign, side in self._parts(metrics):
            word = not isinstance(sign, StrEnum)
            width = metrics.horizontalAdvance(without_mnemonic(sign)) if word else side
            self._places.append((end + gap, width, sign))
            end += gap + width
        self._taken = end
        self._size = QSize(end + 2 * self._padding(metrics), scale(self._height, metrics))
        self.updateGeometry()
        self.update()

    @override
    def setText(self, text: str) -> None:
        super().setText(text)
        self.fit()

    def _parts(self, metrics: QFontMetrics) -> Parts:
        parts: Parts = [] if self._icon is None else [(0, self._icon, scale(ICON_SIZE, metrics))]
        if self.text():
            parts.append((scale(_GAP, metrics) if parts else 0, self.text(), 0))
        return parts

    @override
    def sizeHint(self) -> QSize:
        return self._size

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found = QPainter(self), colours(self.palette())
        ground, edge, ink, colour = self._colours(found)
        if ground is not None:
            paint_box(painter, self.rect(), ground, edge)
        painter.setPen(ink)
        left = (self.width() - self._taken) // 2
        for x, width, sign in self._places:
            room = QRect(left + x, 0, width, self.height())
            if isinstance(sign, IconName):
                paint_icon(painter, room, sign, colour)
            elif isinstance(sign, StrEnum):
                paint_state(painter, room, sign, found)
            else:
                room.setRight(self.width())  # the words' width leaves out a fraction
                painter.drawText(room, _TEXT, sign)


class PushButton(Painted, QPushButton):
    """A button with an edge; the only primary button of a view is filled with the accent."""

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
        self._icon, self._height = icon, height
        self._role = TextRole.PANE if primary else None
        self._begin()

    @override
    def _padding(self, metrics: QFontMetrics) -> int:
        return scale(_PADDING, metrics)

    @override
    def _colours(self, found: Colours) -> Look:
        if not self.isEnabled():
            return found.button, found.line, found.disabled, found.disabled
        if self._role is not None:  # the primary button
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


class FlatButton(Painted, QToolButton):
    """A button without an edge: icon, word, or both; ``name`` is read out if it has no word."""

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
        """Make a button; ``tight`` leaves no space around sign and word, for the edge of a pane."""
        super().__init__(parent)
        self._icon, self._link, self._tight = icon, link, tight
        QToolButton.setText(self, text)
        QToolButton.setToolButtonStyle(self, _BESIDE if text else _ALONE)
        if name:
            set_tip(self, name)
            self.setAccessibleName(name)
        self._begin()

    def set_role(self, role: TextRole) -> None:
        """Set the role that gives the word's font."""
        self._role = role
        self.fit()

    def set_icon(self, icon: IconName) -> None:
        """Set the icon."""
        self._icon = icon
        self.fit()

    @override
    def setMenu(self, menu: QMenu) -> None:
        """Set a menu, which opens at once and not after a long press; None for no menu."""
        super().setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.fit()

    @override
    def setToolButtonStyle(self, style: Qt.ToolButtonStyle) -> None:
        super().setToolButtonStyle(style)
        self.fit()

    @override
    def _parts(self, metrics: QFontMetrics) -> Parts:
        parts = super()._parts(metrics)
        if self._icon is not None and self.toolButtonStyle() == _ALONE:
            del parts[1:]
        if self.menu() is not None and self._icon is not IconName.MORE:  # its dots stand for a menu
            chevron = scale(_CHEVRON, metrics)
            parts.append((scale(_CHEVRON_GAP, metrics), IconName.CHEVRON_DOWN, chevron))
        return parts

    @override
    def _padding(self, metrics: QFontMetrics) -> int:
        worded = any(not isinstance(sign, StrEnum) for _, _, sign in self._places)
        return 1 if self._tight else scale(_FLAT_PADDING if worded else _ICON_PADDING, metrics)

    @override
    def _colours(self, found: Colours) -> Look:
        ground = found.selection if self.isChecked() else None
        lit = self.isChecked() or self.isDown() or self.underMouse()
        if ground is None and lit and self.isEnabled():
            ground = QColor(found.line)
            if not self.isDown():
                # half of the line's colour is the hover colour on a sheet, and shows on the desk
                ground.setAlpha(_HALF)
        if not self.isEnabled():
            return ground, None, found.disabled, found.disabled
        if self._link:
            return ground, None, found.accent, found.accent
        return ground, None, found.text, found.text if lit else found.second


class Drawing(QWidget):
    """A small picture that is painted by a function; its size is in px at 100 %."""

    def __init__(self, size: QSize, paint: Picture, *, grows: bool = False) -> None:
        super().__init__()
        self._size, self._paint = size, paint
        upright = QSizePolicy.Policy.Preferred if grows else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Fixed, upright)

    def draw(self, paint: Picture) -> None:
        """Set the function that paints the picture."""
        self._paint = paint
        self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(scale(self._size.width(), metrics), scale(self._size.height(), metrics))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        found = colours(self.palette())
        if not self.isEnabled():
            found = replace(found, second=found.disabled)
        self._paint(QPainter(self), self.rect(), found)


class Label(QLabel):
    """Plain text in a role of type; ``second`` is the paler of the two text colours.

    The mnemonic in the text moves the focus to the ``buddy``.
    """

    def __init__(
        self,
        text: str = "",
        role: TextRole = TextRole.BODY,
        *,
        second: bool = False,
        buddy: QWidget | None = None,
    ) -> None:
        super().__init__()
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
        """The least whole width in px at which nothing is cut."""
        width = QFontMetricsF(self.font()).horizontalAdvance(" ".join(self.text().split()))
        return ceil(width) + (1 if width else 0)

    def _show_whole(self) -> None:
        cut = self._full_width() > self.contentsRect().width()
        if (tip := self.text() if cut else "") != self.accessibleDescription():
            set_tip(self, tip)


class NameLabel(ElidedLabel):
    """The name of a trace, which is cut in its middle, as the ends tell names of one file apart."""

    elided_at = Qt.TextElideMode.ElideMiddle
