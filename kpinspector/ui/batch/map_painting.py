"""Where the traces of the map stand, and how its parts are painted; all in device px."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter

from kpinspector.app.judging import State
from kpinspector.batch.groups import LEVEL_POWER, MOST_LEVEL, MapLevels
from kpinspector.ui.look.marks import fill, outline
from kpinspector.ui.look.theme import Colours

TICK: Final = 8
SHORT_TICK: Final = 4
OTHER_TICK: Final = 2
RING_ROOM: Final = 4
_TICK_GAP = 2
_MARK = 9
_MARK_EDGE = 2
_CHOSEN_EDGE = 2
Cell = tuple[int, int]
"""The places of two traces: the row and the column."""


def similarity_colour(similarity: float, found: Colours) -> QColor:
    """The colour of one similarity; below 0 and above 1 those of the ends."""
    share = min(1.0, max(0.0, similarity)) ** LEVEL_POWER
    sheet, full = found.sheet, found.novelty
    return QColor(
        round(sheet.red() + share * (full.red() - sheet.red())),
        round(sheet.green() + share * (full.green() - sheet.green())),
        round(sheet.blue() + share * (full.blue() - sheet.blue())),
    )


@dataclass(frozen=True)
class MapGrid:
    """Where the traces stand; many to a pixel where there is too little room.

    Attributes:
        room: For the map, its ticks and the line around it.
        count: The number of traces.
        unit: So many device px are one px at 100 %.
    """

    room: int
    count: int
    unit: float

    @cached_property
    def corner(self) -> int:
        """Where the square begins, across and down."""
        return self.px(RING_ROOM + TICK + _TICK_GAP)

    @cached_property
    def side(self) -> int:
        """Of the square."""
        return max(1, self.room - self.corner - self.px(RING_ROOM))

    @property
    def whole(self) -> int:
        """The side of all that is painted."""
        return self.corner + self.side + self.px(RING_ROOM)

    def px(self, px: int) -> int:
        """A length at 100 % in whole device px."""
        return max(1, round(px * self.unit))

    def start(self, place: int) -> int:
        """The first pixel of a trace."""
        return min(self.end(place) - 1, self.end(place - 1))

    def end(self, place: int) -> int:
        """The pixel after the last one of a trace."""
        return self.corner + ((place + 1) * self.side - 1) // self.count + 1

    def middle(self, place: int) -> int:
        """The pixel in the middle of a trace."""
        return (self.start(place) + self.end(place) - 1) // 2

    def place_at(self, pixel: int) -> int | None:
        """The trace, or the first of those, at a pixel."""
        inside = self.corner <= pixel < self.corner + self.side
        return (pixel - self.corner) * self.count // self.side if inside else None

    def square(self, start: int, end: int) -> QRect:
        """The square of neighbouring traces, from a place to before another."""
        left = self.start(start)
        size = self.end(end - 1) - left
        return QRect(left, left, size, size)


def tick_of(state: State) -> int:
    """How long the tick of a state is."""
    return {State.ACCEPTED: TICK, State.REJECTED: SHORT_TICK}.get(state, OTHER_TICK)


def tick_ink(tick: int, found: Colours) -> QColor:
    """The colour of a tick of this length."""
    return {TICK: found.accepted, SHORT_TICK: found.rejected}.get(tick, found.second)


def paint_levels(painter: QPainter, grid: MapGrid, made: MapLevels, found: Colours) -> None:
    """Paint every pair in the colour of its level."""
    side = made.side
    image = QImage(made.levels, side, side, side, QImage.Format.Format_Indexed8)
    levels = range(MOST_LEVEL + 1)
    image.setColorTable([similarity_colour(one / MOST_LEVEL, found).rgb() for one in levels])
    painter.drawImage(grid.square(0, grid.count), image)


def paint_ticks(painter: QPainter, grid: MapGrid, states: Sequence[State], found: Colours) -> None:
    """Paint the states at the top and at the left; the longest where several share a pixel."""
    foot = grid.corner - grid.px(_TICK_GAP)
    ticks = sorted((tick_of(state), place) for place, state in enumerate(states))
    longest = {grid.start(place): (tick, grid.end(place)) for tick, place in ticks}
    for start, (tick, end) in longest.items():
        thick, length = end - start - min(grid.px(1), (end - start) // 2), grid.px(tick)
        fill(painter, QRect(start, foot - length, thick, length), tick_ink(tick, found))
        fill(painter, QRect(foot - length, start, length, thick), tick_ink(tick, found))


def paint_outline(
    painter: QPainter, grid: MapGrid, square: QRect, found: Colours, *, chosen: bool = False
) -> None:
    """Paint a line around a group, and one inside it that sets it off."""
    line = grid.px(1)
    width = grid.px(_CHOSEN_EDGE) if chosen else line
    box = square.adjusted(-line, -line, line, line)
    outline(painter, box, found.accent if chosen else found.text, width)
    outline(painter, box.adjusted(width, width, -width, -width), found.sheet, line)


def paint_mark(
    painter: QPainter, grid: MapGrid, cell: Cell, colour: QColor, found: Colours
) -> None:
    """Paint the cell of a pair larger than it is, and a line from each edge to it."""
    row, column = (grid.middle(place) for place in cell)
    line, size, edge = grid.px(1), grid.px(_MARK), grid.px(_MARK_EDGE)
    box = QRect(column - size // 2, row - size // 2, size, size)
    across, down = max(0, box.left() - grid.corner), max(0, box.top() - grid.corner)
    fill(painter, QRect(grid.corner, row, across, line), found.text)
    fill(painter, QRect(column, grid.corner, line, down), found.text)
    fill(painter, box.adjusted(-line, -line, line, line), found.sheet)
    fill(painter, box, found.text)
    fill(painter, box.adjusted(edge, edge, -edge, -edge), colour)
