"""Widgets with a role for assistive technology; tabs, column heads, splitters and the menu key."""

from enum import StrEnum
from math import ceil

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QContextMenuEvent,
    QCursor,
    QFontMetrics,
    QFontMetricsF,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QApplication,
    QGroupBox,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QSplitter,
    QSplitterHandle,
    QTabBar,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from kpinspector.ui.controls.base import paint_box, without_mnemonic
from kpinspector.ui.look.marks import (
    STATE_SIZE,
    IconName,
    Shape,
    fill,
    line_below,
    paint_icon,
    paint_state,
)
from kpinspector.ui.look.theme import Colours, TextRole, colours, font, scale

PANE_HEADER_HEIGHT = 36
COLUMN_HEADER_HEIGHT = 26
GUTTER = 6
SCROLL_BAR_WIDTH = 10
_TAB_PADDING, _LEAST_TAB_PADDING = 12, 5
_UNDERLINE = 2
_RING = 2
_CELL_PADDING = 6
_SORT_ICON = 10
_GRIP_DOTS = 5
_GRIP_STEP = 3
_TEXT = Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextShowMnemonic
_ELIDE = Qt.TextElideMode.ElideRight


class Graphic(QLabel):
    """A painted widget with a name: labels with a pixmap are read as graphics; it is not shown."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        nothing = QPixmap(1, 1)
        nothing.fill(Qt.GlobalColor.transparent)
        self.setPixmap(nothing)

    @override
    def minimumSizeHint(self) -> QSize:
        return QWidget.minimumSizeHint(self)


class StateMark(Graphic):
    """The symbol of a state; its accessible name is the state's word."""

    def __init__(self, size: int = STATE_SIZE, *, filled: bool = False) -> None:
        super().__init__()
        self._size = size
        self._filled = filled
        self._shape: StrEnum = Shape.NOT_REACHED
        self._assumed = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_state(self, shape: StrEnum, word: str, *, assumed: bool = False) -> None:
        """Set the state."""
        self._shape = shape
        self._assumed = assumed
        self.setAccessibleName(word)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        side = scale(self._size, QFontMetrics(QApplication.font()))
        return QSize(side, side)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        found = colours(self.palette())
        paint_state(
            painter, self.rect(), self._shape, found, filled=self._filled, assumed=self._assumed
        )


class Group(QGroupBox):
    """Widgets that belong together: a group box without frame and margins."""

    def __init__(self) -> None:
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)

    @override
    def minimumSizeHint(self) -> QSize:
        return QWidget.minimumSizeHint(self)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        QWidget.resizeEvent(self, event)  # a group box would make room for its frame

    @override
    def changeEvent(self, event: QEvent) -> None:
        QWidget.changeEvent(self, event)


def announce(widget: QWidget, words: str) -> None:
    """Have a screen reader say a change, after what it is saying, wherever the focus is."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))


class PaneTabs(QTabBar):
    """Tabs in the header of a pane: the current one is underlined, and a line runs below all.

    Where room is short, the tabs move closer first, then they scroll.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self._known: dict[tuple[str, str], int] = {}
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setUsesScrollButtons(True)
        for button in self.findChildren(QToolButton):
            button.setAutoFillBackground(True)  # it lies over the tabs
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setMouseTracking(True)

    @override
    def sizeHint(self) -> QSize:
        return QSize(sum(self._widths(_TAB_PADDING)), scale(PANE_HEADER_HEIGHT, self.fontMetrics()))

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def tabSizeHint(self, index: int) -> QSize:
        widths, room = self._widths(_TAB_PADDING), self.width()
        if sum(widths) > room:
            widths = self._widths(_LEAST_TAB_PADDING)
        return QSize(widths[index], scale(PANE_HEADER_HEIGHT, self.fontMetrics()))

    @override
    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def _widths(self, padding: int) -> list[int]:
        """The width of each tab with a padding; 0 for a hidden tab."""
        around = 2 * scale(padding, self.fontMetrics())
        every = range(self.count())
        return [self._word_width(at) + around if self.isTabVisible(at) else 0 for at in every]

    def _word_width(self, index: int) -> int:
        """The width of a tab's word in the weight of the current tab, so that nothing moves.

        It is the least whole width at which nothing is cut; kept, as Qt asks for it often.
        """
        base = self.font()
        key = (self.tabText(index), base.key())
        if key not in self._known:
            word = without_mnemonic(key[0])
            metrics = (QFontMetricsF(base), QFontMetricsF(font(TextRole.NAME, base)))
            self._known[key] = ceil(max(one.horizontalAdvance(word) for one in metrics)) + 1
        return self._known[key]

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        found = colours(self.palette())
        line_below(painter, self.rect(), found)
        hovered = self.tabAt(self.mapFromGlobal(QCursor.pos())) if self.underMouse() else -1
        for index in range(self.count()):
            if self.isTabVisible(index):
                self._paint_tab(painter, index, found, hovered=index == hovered)

    def _paint_tab(self, painter: QPainter, index: int, found: Colours, *, hovered: bool) -> None:
        room = self.tabRect(index)
        current = index == self.currentIndex()
        padding = (room.width() - self._word_width(index)) // 2
        padding = max(padding, scale(_LEAST_TAB_PADDING, self.fontMetrics()))
        word = room.adjusted(padding, 0, -padding, 0)
        painter.setFont(font(TextRole.NAME, self.font()) if current else self.font())
        if not self.isTabEnabled(index):
            painter.setPen(found.disabled)
        else:
            painter.setPen(found.text if current or hovered else found.second)
        painter.drawText(word, Qt.AlignmentFlag.AlignCenter | _TEXT, self.tabText(index))
        if not current:
            return
        line = QRect(word.left(), self.height() - 1 - _UNDERLINE, word.width(), _UNDERLINE)
        fill(painter, line, found.accent)
        if self.hasFocus():
            ring = room.adjusted(4, 5, -4, -6)
            paint_box(painter, ring, None, found.accent, width=_RING)


class HeaderView(QHeaderView):
    """Column heads in small pale text, with a line below."""

    def __init__(
        self, orientation: Qt.Orientation = Qt.Orientation.Horizontal, parent: QWidget | None = None
    ) -> None:
        super().__init__(orientation, parent)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(1)
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.setDefaultAlignment(align)

    @override
    def sizeHint(self) -> QSize:
        # the width is the view's; Qt's own hint would ask the model for every head
        return QSize(0, scale(COLUMN_HEADER_HEIGHT, self.fontMetrics()))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        line_below(QPainter(self.viewport()), self.viewport().rect(), colours(self.palette()))

    @override
    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        model = self.model()
        found = colours(self.palette())
        role = Qt.ItemDataRole
        text = model.headerData(logicalIndex, self.orientation(), role.DisplayRole)
        align = model.headerData(logicalIndex, self.orientation(), role.TextAlignmentRole)
        room = rect.adjusted(_CELL_PADDING, 0, -_CELL_PADDING, 0)
        sorted_here = self.isSortIndicatorShown() and self.sortIndicatorSection() == logicalIndex
        painter.setFont(font(TextRole.CAPTION, self.font()))
        painter.setPen(found.text if sorted_here else found.second)
        if sorted_here:
            down = self.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder
            name = IconName.CHEVRON_DOWN if down else IconName.CHEVRON_UP
            place = QRect(rect.right() - _SORT_ICON - 2, rect.top(), _SORT_ICON, rect.height())
            paint_icon(painter, place, name, found.text)
            room.setRight(room.right() - _SORT_ICON)
        where = self.defaultAlignment() if align is None else Qt.AlignmentFlag(align)
        shown = painter.fontMetrics().elidedText(str(text or ""), _ELIDE, room.width())
        painter.drawText(room, where | Qt.AlignmentFlag.AlignVCenter | _TEXT, shown)


class Shell(QWidget):
    """Gives one widget all its space and has no size hint: changes inside move nothing outside.

    Without it, every changed text in a pane would lay out the whole window again.
    """

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        content.setParent(self)
        content.show()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._content.resize(event.size())


class Splitter(QSplitter):
    """A splitter whose handles look like the desk between panes."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setHandleWidth(GUTTER)
        self.setChildrenCollapsible(False)

    @override
    def addWidget(self, widget: QWidget) -> None:
        super().addWidget(widget)
        for place in reversed(range(self.count())):  # lower() reverses the order that readers see
            if child := self.widget(place):
                child.lower()

    @override
    def createHandle(self) -> QSplitterHandle:
        return _Handle(self.orientation(), self)


class _Handle(QSplitterHandle):
    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        found = colours(self.palette())
        painter.fillRect(self.rect(), found.desk)
        centre = self.rect().center()
        upright = self.orientation() == Qt.Orientation.Horizontal
        for number in range(_GRIP_DOTS):
            away = (number - _GRIP_DOTS // 2) * _GRIP_STEP
            x, y = (centre.x(), centre.y() + away) if upright else (centre.x() + away, centre.y())
            fill(painter, QRect(x, y, 1, 1), found.field_edge)


class MenuKey(QShortcut):
    """Shift+F10 opens the context menu of the focused widget, as Qt does only on Windows."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(QKeySequence(Qt.Modifier.SHIFT | Qt.Key.Key_F10), window)
        self.activated.connect(self._on_activated)

    def _on_activated(self) -> None:
        focused = QApplication.focusWidget()
        if focused is not None:
            cursor: QRect = focused.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
            place = cursor.center()
            reason = QContextMenuEvent.Reason.Keyboard
            event = QContextMenuEvent(reason, place, focused.mapToGlobal(place))
            QApplication.sendEvent(focused, event)
