"""The similarity map of all open traces, with the pair that it points at and its table."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QStackedWidget, QWidget
from typing_extensions import override

from kpinspector.app.batches import BatchPicture
from kpinspector.batch.groups import FIRST_SIMILARITY, MapLevels, map_levels
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.batch.map_painting import (
    RING_ROOM,
    Cell,
    MapGrid,
    paint_levels,
    paint_mark,
    paint_outline,
    paint_ticks,
    similarity_colour,
)
from kpinspector.ui.batch.pair_pane import MapKey, Pair, PairPage, PairPane, Pairs, pairs_of
from kpinspector.ui.batch.sheet import SIDE, BatchWish, Sheet, Wanted
from kpinspector.ui.controls.base import FlatButton, Label, in_column, in_row, paint_box
from kpinspector.ui.controls.fields import ShareField
from kpinspector.ui.controls.slider import UNITS, DimensionSlider
from kpinspector.ui.look.marks import aligned
from kpinspector.ui.look.roles import Graphic, announce
from kpinspector.ui.look.theme import Colours, colours, scale, sized
from kpinspector.ui.parts.column_page import HintPage
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
_GAP = 12
_SLIDER = 132


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
        marked, before = self._numbers(), self._pairs
        if pairs is None or before is None or pairs.grouped.batch is not before.grouped.batch:
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
            paint_levels(painter, grid, self._levels_for(pairs, grid.side), found)
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


class MapSheet(Sheet):
    """How similar all pairs are: a map, or a table of the pairs of one trace."""

    def __init__(self, wish: Callable[[BatchWish], object]) -> None:
        super().__init__(say("Similarity map"))
        self._wish = wish
        self._pairs: Pairs | None = None
        self._chosen: int | None = None
        self._slider = DimensionSlider(Dimension.NOVELTY, say("Groups at"))
        self._slider.setTracking(False)
        self._field = ShareField(say("Groups at, value"))
        self._as_table = FlatButton(text=say("Table"))
        self._as_table.setCheckable(True)
        self._as_table.setToolTip(say("Show the pairs of one trace as a table"))
        self._map = SimilarityMap()
        self._page = PairPage()
        self._pane = PairPane()
        self._key = MapKey()
        self._views = QStackedWidget()
        self._hint = HintPage(padding=SIDE)
        self._lay_out()
        self._show_similarity(FIRST_SIMILARITY)
        self._connect(wish)
        self.show_picture(None)

    def _lay_out(self) -> None:
        self.header.setSpacing(_GAP)
        self.header.insertWidget(1, self._as_table)
        for part in (Label(say("Groups at"), second=True), self._slider, self._field):
            self.header.addWidget(part)
        sized(self._slider, QWidget.setFixedWidth, _SLIDER)
        for view in (self._map, self._page):
            self._views.addWidget(view)
        body = QWidget()
        beside = in_column((self._pane, 1), self._key, spacing=_GAP)
        margins = (_GAP, 2, SIDE, _GAP)
        in_row((self._views, 1), beside, on=body, margins=margins, spacing=_GAP - RING_ROOM)
        self._pages = self.stack(self._hint, body)

    def _connect(self, wish: Callable[[BatchWish], object]) -> None:
        self._slider.sliderMoved.connect(lambda units: self._field.show_value(units / UNITS))
        self._slider.valueChanged.connect(lambda units: self._choose_similarity(units / UNITS))
        self._field.valueChanged.connect(self._choose_similarity)
        self._as_table.toggled.connect(lambda shown: self._views.setCurrentIndex(int(shown)))
        self._as_table.toggled.connect(self._show_marked)
        self._map.pair_pointed.connect(self._pane.set_pair)
        self._map.pair_marked.connect(self._on_pair_marked)
        self._map.let_go.connect(lambda: wish(BatchWish(Wanted.GROUP)))
        self._page.pair_chosen.connect(self._map.mark)
        for asked in (self._map.compare_wanted, self._page.table.activated, self._pane.compared):
            asked.connect(lambda *_: self._on_compare())
        for view in (self._map, self._page.table):
            view.menu_wanted.connect(self._show_menu)

    def show_picture(self, picture: BatchPicture | None) -> None:
        """Show the pairs of a picture; a marked pair stays marked, no group is chosen."""
        self.set_group(None)
        self._pairs = pairs = pairs_of(picture)
        several = pairs is not None and pairs.count > 1
        if pairs is not None:
            self._show_similarity(pairs.grouped.similarity)
        for part in (self._slider, self._field, self._as_table):
            part.setEnabled(several)
        self._hint.set_sentence(
            say("One trace alone has no pairs. Open more to see how similar they are.")
            if pairs is not None and pairs.count
            else say("The map is shown once all open traces are compared with each other.")
        )
        self._pages.setCurrentIndex(int(several))
        shown = pairs if several else None
        self._pane.set_pairs(shown)
        self._key.set_pairs(shown)
        self._map.set_pairs(shown)
        self._show_marked()

    def set_group(self, group: int | None) -> None:
        """Outline the chosen group."""
        self._chosen = group
        self._map.set_chosen(group)

    # the similarity of groups

    def _show_similarity(self, similarity: float) -> None:
        with QSignalBlocker(self._slider):
            self._slider.setValue(round(similarity * UNITS))
        self._field.show_value(similarity)

    def _choose_similarity(self, similarity: float) -> None:
        self._show_similarity(similarity)
        self._wish(BatchWish(Wanted.LINK_AT, similarity))

    # pairs

    def _show_marked(self) -> None:
        """Bring the table to the marked pair."""
        if self._pairs is not None and self._pairs.count and self._as_table.isChecked():
            self._page.show_pairs(self._pairs, self._map.marked)

    def _on_pair_marked(self, pair: Pair) -> None:
        group = None if self._pairs is None else self._pairs.shared_group(pair)
        if group != self._chosen:
            self.set_group(group)
            self._wish(BatchWish(Wanted.GROUP, group))

    def _on_compare(self) -> None:
        pair = self._map.marked
        if pair is not None and pair.one != pair.other:
            self._wish(BatchWish(Wanted.COMPARE, pair))

    def _show_menu(self, place: QPoint) -> None:
        """What can be done with the marked pair."""
        pair, pairs = self._map.marked, self._pairs
        if pair is None or pairs is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        both = (
            menu.addAction(say("Compare"), self._on_compare),
            menu.addAction(say("Select Both"), lambda: self._wish(BatchWish(Wanted.SELECT, pair))),
        )
        for action in both:
            action.setEnabled(pair.one != pair.other)
        for trace in dict.fromkeys(pair):
            name = pairs.name(trace).replace("&", "&&")
            menu.addSeparator()
            for words, do in (
                (say("Show {name}", name=name), Wanted.SHOW),
                (say("Keep {name} in the Plan", name=name), Wanted.KEEP),
                (say("Leave {name} out of the Plan", name=name), Wanted.LEAVE_OUT),
            ):
                menu.addAction(words, partial(self._wish, BatchWish(do, trace)))
        menu.popup(place)
