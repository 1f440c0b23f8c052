"""The map of the similarities of all pairs of traces; one pair is marked."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import groupby
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
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
from PySide6.QtWidgets import QMenu, QSizePolicy
from typing_extensions import override

from kpinspector.app.batches import BatchPicture
from kpinspector.app.values import State
from kpinspector.batch.groups import LEVEL_POWER, MOST_LEVEL, GroupedBatch, MapLevels, map_levels
from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.controls.views import Graphic, announce
from kpinspector.ui.look.marks import aligned, fill, outline
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import Colours, colours, scale, sized
from kpinspector.ui.panes import Do, Tell, Wish
from kpinspector.words.batch import pair_place, pair_words
from kpinspector.words.figures import shown_number
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
Cell = tuple[int, int]
"""The places of two traces in the order of the map: row and column."""


class Pair(NamedTuple):
    """Two traces, by their indices in the picture; on the diagonal they are the same."""

    one: int
    other: int


class MapBlock(NamedTuple):
    """The places of a group in the order of the map, from ``start`` to before ``end``."""

    start: int
    end: int
    group: int


@dataclass(frozen=True)
class Pairs:
    """All pairs of the traces in a picture that is compared and grouped."""

    picture: BatchPicture
    grouped: GroupedBatch

    @property
    def count(self) -> int:
        """The number of traces, not of pairs."""
        return len(self.picture.order)

    def similarity(self, pair: Pair) -> float:
        """The similarity of the two traces."""
        return float(self.grouped.batch.similarities[pair.one, pair.other])

    def cell_of(self, pair: Pair) -> Cell:
        """The row and the column of a pair on the map."""
        row, column = map(self.picture.order.index, pair)
        return row, column

    def name(self, trace: int) -> str:
        """The name of a trace in the list."""
        return one_line(self.picture.names[trace])

    def shared_group(self, pair: Pair) -> int | None:
        """The group of two or more that both traces are in; None if there is none."""
        one, other = (self.group_of[trace] for trace in pair)
        return one if one == other and self.size_of(one) > 1 else None

    def size_of(self, group: int) -> int:
        """The number of traces in a group."""
        return len(self.grouped.groups[group].members)

    def place_words(self, pair: Pair) -> str:
        """In words, whether both traces are in one group."""
        group = self.shared_group(pair)
        size = None if group is None else self.size_of(group)
        return pair_place(size, same=pair.one == pair.other)

    def words(self, pair: Pair) -> str:
        """A pair in words: names, similarity, and whether both are in one group."""
        names = (self.name(pair.one), self.name(pair.other))
        return pair_words(names, shown_number(self.similarity(pair)), self.place_words(pair))

    @cached_property
    def group_of(self) -> Mapping[int, int]:
        """The number of the group of each trace."""
        groups = enumerate(self.grouped.groups)
        return {trace: number for number, group in groups for trace in group.members}

    @cached_property
    def blocks(self) -> tuple[MapBlock, ...]:
        """The groups in the order of the map, including those of one trace."""
        blocks = []
        placed = enumerate(self.picture.order)
        for group, block in groupby(placed, lambda placed: self.group_of[placed[1]]):
            places = [place for place, _ in block]
            blocks.append(MapBlock(places[0], places[-1] + 1, group))
        return tuple(blocks)


def pairs_of(picture: BatchPicture | None) -> Pairs | None:
    """The pairs of a picture; None until its traces are compared and grouped."""
    if picture is None or picture.grouped is None:
        return None
    return Pairs(picture, picture.grouped)


def similarity_colour(similarity: float, found: Colours) -> QColor:
    """The colour of a similarity; beyond 0 or 1 it is that of the end."""
    share = min(1.0, max(0.0, similarity)) ** LEVEL_POWER
    sheet, full = found.sheet, found.novelty
    return QColor(
        round(sheet.red() + share * (full.red() - sheet.red())),
        round(sheet.green() + share * (full.green() - sheet.green())),
        round(sheet.blue() + share * (full.blue() - sheet.blue())),
    )


@dataclass(frozen=True)
class MapGrid:
    """Where traces stand on the map, in device px; several share a px if there is little room.

    Attributes:
        room: The px for the map, its ticks and the focus ring.
        count: The number of traces.
        unit: The number of device px that are one px at 100 %.
    """

    room: int
    count: int
    unit: float

    @cached_property
    def corner(self) -> int:
        """Where the square of the map begins, in both directions."""
        return self.px(RING_ROOM + TICK + _TICK_GAP)

    @cached_property
    def side(self) -> int:
        """The side of the square of the map."""
        return max(1, self.room - self.corner - self.px(RING_ROOM))

    @property
    def whole(self) -> int:
        """The side of all that is painted."""
        return self.corner + self.side + self.px(RING_ROOM)

    def px(self, px: int) -> int:
        """A length in px at 100 %, in whole device px."""
        return max(1, round(px * self.unit))

    def start(self, place: int) -> int:
        """The first px of a trace."""
        return min(self.end(place) - 1, self.end(place - 1))

    def end(self, place: int) -> int:
        """The px after the last one of a trace."""
        return self.corner + ((place + 1) * self.side - 1) // self.count + 1

    def middle(self, place: int) -> int:
        """The px in the middle of a trace."""
        return (self.start(place) + self.end(place) - 1) // 2

    def place_at(self, pixel: int) -> int | None:
        """The place of the trace at a px, the first if several share it; None outside the map."""
        inside = self.corner <= pixel < self.corner + self.side
        return (pixel - self.corner) * self.count // self.side if inside else None

    def square(self, start: int, end: int) -> QRect:
        """The square of neighbouring traces, from place ``start`` to before ``end``."""
        left = self.start(start)
        size = self.end(end - 1) - left
        return QRect(left, left, size, size)


def tick_of(state: State) -> int:
    """The length of the tick for a state."""
    return {State.ACCEPTED: TICK, State.REJECTED: SHORT_TICK}.get(state, OTHER_TICK)


def tick_ink(tick: int, found: Colours) -> QColor:
    """The colour of a tick of this length."""
    return {TICK: found.accepted, SHORT_TICK: found.rejected}.get(tick, found.second)


def _paint_ticks(painter: QPainter, grid: MapGrid, states: Sequence[State], found: Colours) -> None:
    """Paint ticks for states at the top and at the left; the longest if several share a px."""
    foot = grid.corner - grid.px(_TICK_GAP)
    ticks = sorted((tick_of(state), place) for place, state in enumerate(states))
    longest = {grid.start(place): (tick, grid.end(place)) for tick, place in ticks}
    for start, (tick, end) in longest.items():
        thick, length = end - start - min(grid.px(1), (end - start) // 2), grid.px(tick)
        fill(painter, QRect(start, foot - length, thick, length), tick_ink(tick, found))
        fill(painter, QRect(foot - length, start, length, thick), tick_ink(tick, found))


def _paint_outline(
    painter: QPainter, grid: MapGrid, square: QRect, found: Colours, *, chosen: bool = False
) -> None:
    """Paint a line around a group, and inside it a line in the sheet's colour."""
    line = grid.px(1)
    width = grid.px(_CHOSEN_EDGE) if chosen else line
    box = square.adjusted(-line, -line, line, line)
    outline(painter, box, found.accent if chosen else found.text, width)
    outline(painter, box.adjusted(width, width, -width, -width), found.sheet, line)


def _paint_mark(
    painter: QPainter, grid: MapGrid, cell: Cell, colour: QColor, found: Colours
) -> None:
    """Paint the cell of a pair enlarged, and a line from each edge to it."""
    row, column = (grid.middle(place) for place in cell)
    line, size, edge = grid.px(1), grid.px(_MARK), grid.px(_MARK_EDGE)
    box = QRect(column - size // 2, row - size // 2, size, size)
    across, down = max(0, box.left() - grid.corner), max(0, box.top() - grid.corner)
    fill(painter, QRect(grid.corner, row, across, line), found.text)
    fill(painter, QRect(column, grid.corner, line, down), found.text)
    fill(painter, box.adjusted(-line, -line, line, line), found.sheet)
    fill(painter, box, found.text)
    fill(painter, box.adjusted(edge, edge, -edge, -edge), colour)


class SimilarityMap(Graphic):
    """The map: each cell is a pair. Click or keys mark one; Return or a double click compares it.

    Arrow keys move by a trace, with Control by a group; Page Up and Page Down by ten rows; Home
    and End to the ends of a row, with Control to the corners.

    Attributes:
        pairs: The pairs on the map; None without any.
        marked: The marked pair; None for none.
    """

    pointed_changed = Signal()
    """Another pair is under the pointer, or marked."""

    def __init__(self, wish: Tell) -> None:
        super().__init__()
        self._wish = wish
        self.pairs: Pairs | None = None
        self._group: int | None = None
        self.marked: Pair | None = None
        self._hovered: Pair | None = None
        self._levels: MapLevels | None = None  # slower to compute than the rest is to paint
        self._plate = QPixmap()
        self._plate_of: tuple[object, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        sized(self, lambda one, px: one.setMinimumSize(px, px), _LEAST_SIDE)
        self.setAccessibleName(say("Similarity map"))
        self._describe()

    def set_pairs(self, pairs: Pairs | None) -> None:
        """Show other pairs; the marked pair stays marked if its traces are still there."""
        before, marked = self.pairs, self.marked
        if pairs is None or before is None or pairs.grouped.batch is not before.grouped.batch:
            self._levels = None
        self.pairs, self.marked, self._hovered, self._plate_of = pairs, None, None, ()
        if pairs is not None and before is not None and marked is not None:
            places = {one.number: at for at, one in enumerate(pairs.picture.documents)}
            one, other = (places.get(before.picture.documents[at].number) for at in marked)
            if one is not None and other is not None:
                self.marked = Pair(one, other)
        self._describe()

    def set_group(self, group: int | None) -> None:
        """Outline a group as the chosen one; None for none."""
        self._group = group
        self.update()

    def mark(self, pair: Pair) -> None:
        """Mark a pair, but do not choose its group."""
        self.marked = pair
        self._describe()

    def compare(self) -> None:
        """Emit the wish to compare the marked pair, if it is of two traces."""
        pair = self.marked
        if pair is not None and pair.one != pair.other:
            self._wish(Wish(Do.COMPARE, pair))

    def menu(self) -> QMenu | None:
        """A menu for the marked pair; None without a marked pair."""
        pair, pairs = self.marked, self.pairs
        if pair is None or pairs is None:
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        select = partial(self._wish, Wish(Do.SELECT, pair))
        for words, act in ((say("Compare"), self.compare), (say("Select Both"), select)):
            menu.addAction(words, act).setEnabled(pair.one != pair.other)
        for trace in dict.fromkeys(pair):
            name = pairs.name(trace).replace("&", "&&")
            menu.addSeparator()
            for words, do in (
                (say("Show {name}", name=name), Do.SHOW),
                (say("Keep {name} in the Plan", name=name), Do.KEEP),
                (say("Leave {name} out of the Plan", name=name), Do.LEAVE_OUT),
            ):
                menu.addAction(words, partial(self._wish, Wish(do, trace)))
        return menu

    @property
    def pointed(self) -> Pair | None:
        """The pair under the pointer, or else the marked one; None without one."""
        return self._hovered or self.marked

    def grid(self) -> MapGrid | None:
        """Where the traces stand at the present size; None without traces."""
        if self.pairs is None or not self.pairs.count:
            return None
        ratio = self.devicePixelRatioF()
        room = int(min(self.width(), self.height()) * ratio)
        return MapGrid(room, self.pairs.count, ratio * scale(100, self.fontMetrics()) / 100)

    def _pair_at(self, point: QPoint) -> Pair | None:
        grid, ratio = self.grid(), self.devicePixelRatioF()
        if self.pairs is None or grid is None:
            return None
        column, row = (grid.place_at(int(one * ratio)) for one in (point.x(), point.y()))
        if row is None or column is None:
            return None
        return Pair(self.pairs.picture.order[row], self.pairs.picture.order[column])

    def _mark(self, pair: Pair) -> None:
        """Mark a pair, and choose the group that both of its traces are in."""
        self.mark(pair)
        group = None if self.pairs is None else self.pairs.shared_group(pair)
        if group != self._group:
            self.set_group(group)
            self._wish(Wish(Do.TAKE_GROUP, group))

    def _describe(self) -> None:
        pair = self.pointed
        words = say("The arrow keys go from pair to pair, with Control from group to group.")
        if self.pairs is not None and pair is not None:
            words = self.pairs.words(pair)
        self.setAccessibleDescription(words)
        self.pointed_changed.emit()
        self.update()

    # the pointer

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._pair_at(event.position().toPoint()))

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def _hover(self, pair: Pair | None) -> None:
        if pair != self._hovered:
            self._hovered = pair
            self._describe()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        pair = self._pair_at(event.position().toPoint())
        if pair is None or event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._mark(pair)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._pair_at(event.position().toPoint()) is not None:
            self.compare()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        pairs, grid, ratio = self.pairs, self.grid(), self.devicePixelRatioF()
        place: QPoint | None = None
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            pair = self._pair_at(event.pos())
            if pair is not None:
                self._mark(pair)
                place = event.globalPos()
        elif pairs is not None and grid is not None and self.marked is not None:
            row, column = (round(grid.end(at) / ratio) for at in pairs.cell_of(self.marked))
            place = self.mapToGlobal(QPoint(column, row))
        menu = self.menu()
        if menu is not None and place is not None:
            menu.popup(place)

    # the keys

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.marked is None and self.pairs is not None and self.pairs.count:
            one, *others = self.pairs.picture.order
            self.mark(Pair(one, others[0] if others else one))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        pair, key, pairs = self.marked, event.key(), self.pairs
        if pair is None or pairs is None:
            event.ignore()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.compare()
        elif key == Qt.Key.Key_Escape and self._group is not None:
            self._wish(Wish(Do.TAKE_GROUP))
        elif key in _STEPS or key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            self._hovered = None
            self._mark(_pair_after(pairs, pair, Qt.Key(key), by_group=bool(control)))
            announce(self, self.accessibleDescription())
        else:
            event.ignore()

    # painting

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found, grid = QPainter(self), colours(self.palette()), self.grid()
        pairs, ratio = self.pairs, self.devicePixelRatioF()
        if pairs is None or grid is None:
            return
        if self.hasFocus():
            side = round(grid.whole / ratio)
            paint_box(painter, QRect(0, 0, side, side), None, found.accent, width=2)
        plate = self._plate_for(pairs, grid, found)
        place = QRectF(QPointF(), plate.deviceIndependentSize())
        painter.drawPixmap(aligned(painter, place), plate, QRectF(plate.rect()))
        painter.scale(1 / ratio, 1 / ratio)
        for block in pairs.blocks:
            if block.group == self._group:
                square = grid.square(block.start, block.end)
                _paint_outline(painter, grid, square, found, chosen=True)
        if self.pointed is not None:
            ink = similarity_colour(pairs.similarity(self.pointed), found)
            _paint_mark(painter, grid, pairs.cell_of(self.pointed), ink, found)

    def _plate_for(self, pairs: Pairs, grid: MapGrid, found: Colours) -> QPixmap:
        """The plate: all that does not change when the mark moves, painted once."""
        plate_of = (grid, self.palette().cacheKey())
        if plate_of != self._plate_of:
            self._plate = QPixmap(grid.whole, grid.whole)
            self._plate.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._plate)
            if self._levels is None or self._levels.side != grid.side:
                similarities = pairs.grouped.batch.similarities
                self._levels = map_levels(similarities, pairs.picture.order, grid.side)
            side, levels = grid.side, self._levels.levels
            image = QImage(levels, side, side, side, QImage.Format.Format_Indexed8)
            inks = [similarity_colour(one / MOST_LEVEL, found) for one in range(MOST_LEVEL + 1)]
            image.setColorTable([ink.rgb() for ink in inks])
            painter.drawImage(grid.square(0, grid.count), image)
            states = [pairs.picture.documents[trace].state for trace in pairs.picture.order]
            _paint_ticks(painter, grid, states, found)
            for block in pairs.blocks:
                if block.end - block.start > 1:
                    _paint_outline(painter, grid, grid.square(block.start, block.end), found)
            painter.end()
            self._plate.setDevicePixelRatio(self.devicePixelRatioF())
            self._plate_of = plate_of
        return self._plate


def _pair_after(pairs: Pairs, pair: Pair, key: Qt.Key, *, by_group: bool) -> Pair:
    """The pair that a key leads to from a pair."""
    (row, column), last = pairs.cell_of(pair), pairs.count - 1
    down, across = _STEPS.get(key, (0, 0))
    if key not in _STEPS:
        column = 0 if key == Qt.Key.Key_Home else last
        row = column if by_group else row
    elif by_group:
        row, column = _next_group(pairs, row, down), _next_group(pairs, column, across)
    else:
        row, column = (min(last, max(0, at)) for at in (row + down, column + across))
    return Pair(pairs.picture.order[row], pairs.picture.order[column])


def _next_group(pairs: Pairs, place: int, by: int) -> int:
    """The place where the next group begins, or the one before; ``by`` is the direction, or 0."""
    starts = [one.start for one in pairs.blocks]
    if by > 0:
        found = bisect_right(starts, place)
        return starts[found] if found < len(starts) else place
    return starts[max(0, bisect_left(starts, place) - 1)] if by < 0 else place
