"""The similarities of all pairs as a picture to point at, with states at its edges."""

from bisect import bisect_left, bisect_right

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
)
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.batch.groups import MapLevels, map_levels
from kpinspector.ui.batch.map_painting import (
    Cell,
    MapGrid,
    paint_levels,
    paint_mark,
    paint_outline,
    paint_ticks,
)
from kpinspector.ui.batch.pairs import Pair, Pairs
from kpinspector.ui.batch.ramp import similarity_colour
from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.look.marks import aligned
from kpinspector.ui.look.roles import Graphic, announce
from kpinspector.ui.look.theme import Colours, colours, scale
from kpinspector.words.say import say

_PAGE = 10
_LEAST_SIDE = 120
_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_PageUp: (-_PAGE, 0),
    Qt.Key.Key_PageDown: (_PAGE, 0),
}


class SimilarityMap(Graphic):
    """Every pair is a cell; the pointer or the keys mark one, a click or Return asks for more.

    The arrow keys move by a trace, with Control by a group; Page Up and Page Down by ten rows,
    Home and End to the ends of a row, with Control to the corners.
    """

    pair_pointed = Signal(object)
    """The pair under the pointer, else the marked one; None where there is none."""
    pair_marked = Signal(object)
    compare_wanted = Signal()
    let_go = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__()
        self.setParent(parent)
        self._pairs: Pairs | None = None
        self._chosen: int | None = None
        self._marked: Cell | None = None
        self._hovered: Cell | None = None
        self._levels: MapLevels | None = None
        self._plate = QPixmap()
        self._plate_of: tuple[object, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(say("Similarity map"))
        self._describe()

    def set_pairs(self, pairs: Pairs | None) -> None:
        """Show other pairs; a pair that is still there stays marked."""
        marked = self._numbers()
        if pairs is None or self._pairs is None or pairs.grouped.batch is not self._batch():
            self._levels = None
        self._pairs, self._hovered, self._plate_of = pairs, None, ()
        self._marked = self._cell_of(marked)
        self._tell()

    def set_chosen(self, group: int | None) -> None:
        """Outline a group as the chosen one."""
        self._chosen = group
        self.update()

    def mark(self, pair: Pair | None) -> None:
        """Mark a pair without telling that it was asked for."""
        places = () if self._pairs is None or pair is None else tuple(map(self._place_of, pair))
        self._marked = (places[0], places[1]) if places else None
        self._tell()

    @property
    def pointed(self) -> Pair | None:
        """The pair under the pointer, else the marked one."""
        return self._pair_of(self._hovered or self._marked)

    @property
    def marked(self) -> Pair | None:
        """The marked pair."""
        return self._pair_of(self._marked)

    def grid(self) -> MapGrid | None:
        """Where the traces stand; None without any."""
        if self._pairs is None or not self._pairs.count:
            return None
        ratio = self.devicePixelRatioF()
        room = int(min(self.width(), self.height()) * ratio)
        return MapGrid(room, self._pairs.count, ratio * scale(100, self.fontMetrics()) / 100)

    @override
    def sizeHint(self) -> QSize:
        side = scale(2 * _LEAST_SIDE, self.fontMetrics())
        return QSize(side, side)

    @override
    def minimumSizeHint(self) -> QSize:
        side = scale(_LEAST_SIDE, self.fontMetrics())
        return QSize(side, side)

    # pairs and cells

    def _batch(self) -> object:
        return None if self._pairs is None else self._pairs.grouped.batch

    def _place_of(self, trace: int) -> int:
        return self._pairs.picture.order.index(trace) if self._pairs is not None else 0

    def _numbers(self) -> tuple[int, ...]:
        """What the list knows the marked traces by."""
        pair = self.marked
        if self._pairs is None or pair is None:
            return ()
        return tuple(self._pairs.picture.documents[one].number for one in pair)

    def _cell_of(self, numbers: tuple[int, ...]) -> Cell | None:
        if self._pairs is None or not numbers:
            return None
        traces = {one.number: at for at, one in enumerate(self._pairs.picture.documents)}
        if not traces.keys() >= {*numbers}:
            return None
        row, column = (self._place_of(traces[number]) for number in numbers)
        return row, column

    def _pair_of(self, cell: Cell | None) -> Pair | None:
        if self._pairs is None or cell is None:
            return None
        row, column = cell
        return Pair(self._pairs.picture.order[row], self._pairs.picture.order[column])

    def _cell_at(self, point: QPoint) -> Cell | None:
        grid = self.grid()
        if grid is None:
            return None
        ratio = self.devicePixelRatioF()
        column, row = (grid.place_at(int(one * ratio)) for one in (point.x(), point.y()))
        return None if row is None or column is None else (row, column)

    # the pointer

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._cell_at(event.position().toPoint()))

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self._cell_at(event.position().toPoint())
        if cell is None or event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._mark(cell)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._cell_at(event.position().toPoint()) is not None:
            self.compare_wanted.emit()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        cell = self._cell_at(event.pos()) if by_mouse else self._marked
        if cell is not None and by_mouse:
            self._mark(cell)
            self.menu_wanted.emit(event.globalPos())
        elif cell is not None:
            grid, ratio = self.grid(), self.devicePixelRatioF()
            if grid is not None:
                row, column = cell
                place = QPoint(round(grid.end(column) / ratio), round(grid.end(row) / ratio))
                self.menu_wanted.emit(self.mapToGlobal(place))

    def _hover(self, cell: Cell | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self._tell()

    def _mark(self, cell: Cell) -> None:
        self._marked = cell
        self._tell()
        self.pair_marked.emit(self.marked)

    def _tell(self) -> None:
        self._describe()
        self.pair_pointed.emit(self.pointed)
        self.update()

    def _describe(self) -> None:
        pair = self.pointed
        if self._pairs is None or pair is None:
            words = say("The arrow keys go from pair to pair, with Control from group to group.")
        else:
            words = self._pairs.words(pair)
        self.setAccessibleDescription(words)

    # the keys

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._marked is None and self._pairs is not None and self._pairs.count:
            self._marked = (0, min(1, self._pairs.count - 1))
            self._tell()
        self.update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        cell, key = self._marked, event.key()
        if cell is None:
            event.ignore()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.compare_wanted.emit()
        elif key == Qt.Key.Key_Escape and self._chosen is not None:
            self.let_go.emit()
        elif key in _STEPS or key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            self._hovered = None
            self._mark(self._after(cell, Qt.Key(key), by_group=bool(control)))
            announce(self, self.accessibleDescription())
        else:
            event.ignore()

    def _after(self, cell: Cell, key: Qt.Key, *, by_group: bool) -> Cell:
        """The cell that a key leads to."""
        row, column = cell
        last = 0 if self._pairs is None else self._pairs.count - 1
        if key not in _STEPS:
            end = 0 if key == Qt.Key.Key_Home else last
            return (end if by_group else row), end
        down, across = _STEPS[key]
        if by_group:
            return self._next_group(row, down), self._next_group(column, across)
        return min(last, max(0, row + down)), min(last, max(0, column + across))

    def _next_group(self, place: int, by: int) -> int:
        """Where the next group begins, or the one before."""
        starts = [] if self._pairs is None else [one.start for one in self._pairs.blocks]
        if by > 0:
            found = bisect_right(starts, place)
            return starts[found] if found < len(starts) else place
        return starts[max(0, bisect_left(starts, place) - 1)] if by < 0 else place

    # painting

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found, grid = QPainter(self), colours(self.palette()), self.grid()
        pairs, ratio = self._pairs, self.devicePixelRatioF()
        if pairs is None or grid is None:
            return
        if self.hasFocus():
            side = round(grid.whole / ratio)
            paint_box(painter, QRect(0, 0, side, side), None, found.accent, width=2)
        plate = self._made(pairs, grid, found)
        place = QRectF(QPointF(), plate.deviceIndependentSize())
        painter.drawPixmap(aligned(painter, place), plate, QRectF(plate.rect()))
        painter.scale(1 / ratio, 1 / ratio)
        for block in pairs.blocks:
            if block.group == self._chosen:
                square = grid.square(block.start, block.end)
                paint_outline(painter, grid, square, found, chosen=True)
        cell, pair = self._hovered or self._marked, self.pointed
        if cell is not None and pair is not None:
            paint_mark(painter, grid, cell, similarity_colour(pairs.similarity(pair), found), found)

    def _made(self, pairs: Pairs, grid: MapGrid, found: Colours) -> QPixmap:
        """All that stays while the mark moves, painted once."""
        plate_of = (grid, self.palette().cacheKey())
        if plate_of != self._plate_of:
            self._plate = QPixmap(grid.whole, grid.whole)
            self._plate.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._plate)
            paint_levels(painter, grid, self._levels_for(pairs, min(grid.side, grid.count)), found)
            states = [pairs.picture.documents[trace].state for trace in pairs.picture.order]
            paint_ticks(painter, grid, states, found)
            for block in pairs.blocks:
                if block.end - block.start > 1:
                    paint_outline(painter, grid, grid.square(block.start, block.end), found)
            painter.end()
            self._plate.setDevicePixelRatio(self.devicePixelRatioF())
            self._plate_of = plate_of
        return self._plate

    def _levels_for(self, pairs: Pairs, side: int) -> MapLevels:
        if self._levels is None or self._levels.side != side:
            similarities = pairs.grouped.batch.similarities
            self._levels = map_levels(similarities, pairs.picture.order, side)
        return self._levels
