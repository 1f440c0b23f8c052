"""The similarities of all pairs as a picture to point at, with states at its edges."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
)
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.app.judging import State
from kpinspector.batch.similarity_map import MapLevels, map_levels
from kpinspector.ui.batch.pairs import Pair, Pairs
from kpinspector.ui.batch.ramp import level_colours, similarity_colour
from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.look.marks import aligned, fill, outline
from kpinspector.ui.look.roles import Graphic, announce
from kpinspector.ui.look.theme import Colours, colours, scale
from kpinspector.words.say import say

TICK: Final = 8
SHORT_TICK: Final = 4
OTHER_TICK: Final = 2
RING_ROOM: Final = 4

_TICK_GAP = 2
_MARK = 9
_MARK_EDGE = 2
_CHOSEN_EDGE = 2
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
_Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MapGrid:
    """Where the traces stand, in device px; many to a pixel where there is too little room.

    Attributes:
        corner: Where the square begins, across and down.
        side: Of the square.
        count: The number of traces.
    """

    corner: int
    side: int
    count: int

    def start(self, place: int) -> int:
        """The first pixel of a trace."""
        return self.corner + place * self.side // self.count

    def end(self, place: int) -> int:
        """The pixel after the last one of a trace."""
        return max(self.start(place) + 1, self.start(place + 1))

    def middle(self, place: int) -> int:
        """The pixel in the middle of a trace."""
        return (self.start(place) + self.end(place) - 1) // 2

    def place_at(self, pixel: int) -> int | None:
        """The trace, or the first of those, at a pixel."""
        inside = self.corner <= pixel < self.corner + self.side
        return (pixel - self.corner) * self.count // self.side if inside else None

    def block(self, start: int, end: int) -> QRect:
        """The square of neighbouring traces."""
        left = self.start(start)
        size = self.end(end - 1) - left
        return QRect(left, left, size, size)


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
        self._marked: _Cell | None = None
        self._hovered: _Cell | None = None
        self._levels: tuple[int, MapLevels] | None = None
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
        ratio, count = self.devicePixelRatioF(), self._pairs.count
        corner, spare = self._px(RING_ROOM + TICK + _TICK_GAP), self._px(RING_ROOM)
        room = max(1, int(min(self.width(), self.height()) * ratio) - corner - spare)
        return MapGrid(corner, room // count * count or room, count)

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

    def _cell_of(self, numbers: tuple[int, ...]) -> _Cell | None:
        if self._pairs is None or not numbers:
            return None
        traces = {one.number: at for at, one in enumerate(self._pairs.picture.documents)}
        if not traces.keys() >= {*numbers}:
            return None
        row, column = (self._place_of(traces[number]) for number in numbers)
        return row, column

    def _pair_of(self, cell: _Cell | None) -> Pair | None:
        if self._pairs is None or cell is None:
            return None
        row, column = cell
        return Pair(self._pairs.picture.order[row], self._pairs.picture.order[column])

    def _cell_at(self, point: QPoint) -> _Cell | None:
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
        if cell is not None:
            self._mark(cell)
            self.menu_wanted.emit(event.globalPos() if by_mouse else self._beside_mark(cell))

    def _beside_mark(self, cell: _Cell) -> QPoint:
        grid, ratio = self.grid(), self.devicePixelRatioF()
        if grid is None:
            return self.mapToGlobal(QPoint())
        row, column = cell
        place = QPoint(round(grid.end(column) / ratio), round(grid.end(row) / ratio))
        return self.mapToGlobal(place)

    def _hover(self, cell: _Cell | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self._tell()

    def _mark(self, cell: _Cell) -> None:
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
        cell, key = self._marked, Qt.Key(event.key())
        if cell is None:
            event.ignore()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.compare_wanted.emit()
        elif key == Qt.Key.Key_Escape and self._chosen is not None:
            self.let_go.emit()
        elif key in _STEPS or key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            self._hovered = None
            self._mark(self._after(cell, key, by_group=bool(control)))
            announce(self, self.accessibleDescription())
        else:
            event.ignore()

    def _after(self, cell: _Cell, key: Qt.Key, *, by_group: bool) -> _Cell:
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

    # painting, in device px

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found, grid = QPainter(self), colours(self.palette()), self.grid()
        if self.hasFocus():
            paint_box(painter, self._ring(grid), None, found.accent, width=2)
        if self._pairs is None or grid is None:
            return
        plate, ratio = self._made(self._pairs, grid, found), self.devicePixelRatioF()
        place = QRectF(QPointF(), plate.deviceIndependentSize())
        painter.drawPixmap(aligned(painter, place), plate, QRectF(plate.rect()))
        painter.scale(1 / ratio, 1 / ratio)
        for block in self._pairs.blocks:
            if block.group == self._chosen:
                self._outline(painter, grid.block(block.start, block.end), found, chosen=True)
        cell = self._hovered or self._marked
        if cell is not None:
            self._paint_mark(painter, grid, cell, found)

    def _ring(self, grid: MapGrid | None) -> QRect:
        """The line around a map that has the focus."""
        if grid is None:
            return self.rect()
        side = round((grid.corner + grid.side + self._px(RING_ROOM)) / self.devicePixelRatioF())
        return QRect(0, 0, side, side)

    def _made(self, pairs: Pairs, grid: MapGrid, found: Colours) -> QPixmap:
        """All that stays while the mark moves, painted once."""
        ratio = self.devicePixelRatioF()
        plate_of = (grid, self.palette().cacheKey(), ratio)
        if plate_of != self._plate_of:
            side = grid.corner + grid.side + self._px(RING_ROOM)
            self._plate = QPixmap(side, side)
            self._plate.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._plate)
            self._paint_cells(painter, pairs, grid, found)
            self._paint_ticks(painter, pairs, grid, found)
            for block in pairs.blocks:
                if block.end - block.start > 1:
                    self._outline(painter, grid.block(block.start, block.end), found)
            painter.end()
            self._plate.setDevicePixelRatio(ratio)
            self._plate_of = plate_of
        return self._plate

    def _paint_cells(self, painter: QPainter, pairs: Pairs, grid: MapGrid, found: Colours) -> None:
        if self._levels is None or self._levels[0] != min(grid.side, grid.count):
            most = min(grid.side, grid.count)
            made = map_levels(pairs.grouped.batch.similarities, pairs.picture.order, most)
            self._levels = (most, made)
        side, levels = self._levels[1].side, self._levels[1].levels
        image = QImage(levels, side, side, side, QImage.Format.Format_Indexed8)
        image.setColorTable(level_colours(found))
        painter.drawImage(QRect(grid.corner, grid.corner, grid.side, grid.side), image)

    def _paint_ticks(self, painter: QPainter, pairs: Pairs, grid: MapGrid, found: Colours) -> None:
        """The states at the top and at the left; the longest where several share a pixel."""
        ticks = sorted(
            (tick_of(pairs.picture.documents[trace].state), place)
            for place, trace in enumerate(pairs.picture.order)
        )
        inks = {TICK: found.accepted, SHORT_TICK: found.rejected, OTHER_TICK: found.second}
        foot = grid.corner - self._px(_TICK_GAP)
        for length, place in ticks:
            start, size = grid.start(place), grid.end(place) - grid.start(place)
            thick, long = size - min(self._px(1), size // 2), self._px(length)
            fill(painter, QRect(start, foot - long, thick, long), inks[length])
            fill(painter, QRect(foot - long, start, long, thick), inks[length])

    def _outline(
        self, painter: QPainter, block: QRect, found: Colours, *, chosen: bool = False
    ) -> None:
        """A line around a group, and one inside it that sets it off."""
        line = self._px(1)
        width = self._px(_CHOSEN_EDGE) if chosen else line
        box = block.adjusted(-line, -line, line, line)
        outline(painter, box, found.accent if chosen else found.text, width)
        outline(painter, box.adjusted(width, width, -width, -width), found.sheet, line)

    def _paint_mark(self, painter: QPainter, grid: MapGrid, cell: _Cell, found: Colours) -> None:
        """The cell of a pair, larger than it is, and a line from each edge to it."""
        row, column = (grid.middle(place) for place in cell)
        line, size = self._px(1), self._px(_MARK)
        left, top = column - size // 2, row - size // 2
        fill(painter, QRect(grid.corner, row, max(0, left - grid.corner), line), found.text)
        fill(painter, QRect(column, grid.corner, line, max(0, top - grid.corner)), found.text)
        box = QRect(left, top, size, size)
        fill(painter, box.adjusted(-line, -line, line, line), found.sheet)
        fill(painter, box, found.text)
        edge = self._px(_MARK_EDGE)
        fill(painter, box.adjusted(edge, edge, -edge, -edge), self._colour_of(cell, found))

    def _colour_of(self, cell: _Cell, found: Colours) -> QColor:
        pair = self._pair_of(cell)
        if self._pairs is None or pair is None:
            return found.sheet
        return similarity_colour(min(1.0, max(0.0, self._pairs.similarity(pair))), found)

    def _px(self, px: int) -> int:
        """A length at 100 % in whole device px."""
        return max(1, round(scale(px, self.fontMetrics()) * self.devicePixelRatioF()))


def tick_of(state: State) -> int:
    """How long the mark of a state is at the edge."""
    return {State.ACCEPTED: TICK, State.REJECTED: SHORT_TICK}.get(state, OTHER_TICK)
