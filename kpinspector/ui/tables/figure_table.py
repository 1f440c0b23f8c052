"""A table of figures and drawings, which assistive technology reads as a table."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple

from PySide6.QtCore import QItemSelectionModel, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.painting import STRIP
from kpinspector.ui.look.theme import Colours, TextRole, colours, scale
from kpinspector.ui.tables import FlatTable, place_of_menu
from kpinspector.ui.tables.figure_model import (
    COLUMN_GAP,
    HEAD_HEIGHT,
    CellPainter,
    FigureCell,
    FigureHeader,
    FigureModel,
    Head,
    Index,
    Row,
)
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say

_LEAST_OF_NAMES = 0.6


@dataclass(frozen=True, slots=True)
class ColumnWidth:
    """The width of a column, in px at 100 %.

    Attributes:
        width: At least this; the one column that stretches needs this much.
        stretch: Takes what the others leave.
        fits: Grows to its widest text.
        texts: Further texts to fit, so that tables share an edge.
        gap: What is left free beside a text that is fitted.
        elides: Its words are cut before the column that stretches has less than it needs, and a
            little where that is gone.
    """

    width: int
    stretch: bool = False
    fits: bool = False
    texts: tuple[str, ...] = ()
    gap: int = COLUMN_GAP
    elides: bool = False


def fitting(*widths: int) -> tuple[ColumnWidth, ...]:
    """Columns that grow to their widest text, each from a least width."""
    return tuple([ColumnWidth(width, fits=True) for width in widths])


_MORE = object()  # the wish of the row that shows the others; the table fulfils it itself


class Stops(Enum):
    """Where the arrow keys stop: at rows with wishes, at all rows, or at rows to choose."""

    WISHES = 1
    ROWS = 2
    CHOSEN = 3
    ONE_OR_NONE = 4


class Few(NamedTuple):
    """How many rows are shown first, and the column and height of the row that shows the others.

    ``words`` tell how many the others are, where the row offers something else.
    """

    rows: int = 0
    column: int = 0
    height: int = 0
    words: Callable[[int], str] | None = None


_ALL = Few()


class FigureTable(FlatTable):
    """Shows the rows of a ``FigureModel``, at its full height unless it scrolls by itself.

    Arrow keys go to the next row, or to the next with a wish if any has one; see ``Stops``.
    Return, Space and a click activate a wish. In a table with a chosen row, Space and a click
    choose, Return and a double click activate; Escape unchooses in a table of ``ONE_OR_NONE``.

    Attributes:
        chosen: The wish of the chosen row; None without one.
        lit: Rows with this wish look as if they were under the mouse.
        all_shown: Whether all rows are shown, and not only the first few.
        menu_of: Returns the menu for a wish; None for no menu.
    """

    row_activated = Signal(object)
    """The wish of the activated row."""
    chosen_changed = Signal()

    def __init__(
        self,
        columns: Sequence[ColumnWidth],
        ways: Sequence[Collection[int]] = (),
        *,
        name: str = "",
        head_height: int = HEAD_HEIGHT,
        stops: Stops = Stops.WISHES,
        few: Few = _ALL,
    ) -> None:
        """Make an empty table.

        Args:
            columns: The columns' widths.
            ways: Which columns may be hidden; see ``fitted_widths``.
            name: The name for assistive technology.
            head_height: In px at 100 %; 0 if no head is painted.
            stops: Where the arrows stop.
            few: How many rows are shown until the user wants the others.
        """
        super().__init__()
        self.setAccessibleName(name)
        self._columns = tuple(columns)
        self._ways = tuple(ways)
        self._head_height, self._stops, self._few = head_height, stops, few
        self._scrolls, self._lets_go = False, stops is Stops.ONE_OR_NONE
        self._chooses = self._lets_go or stops is Stops.CHOSEN
        self._every: Sequence[Row] = ()
        self.all_shown = False
        self.chosen: Any = None
        self.lit: object = None
        self.menu_of: Callable[[Any], QMenu | None] = lambda _: None
        self.cells = CellPainter()
        self._natural: list[int] = []
        self._walked: Sequence[int] = ()
        self.figures = FigureModel([Head("")] * len(columns), self)
        self.setModel(self.figures)
        self.setItemDelegate(_Delegate(self))
        self._header = FigureHeader(self.figures, self.cells, self)
        self.setHorizontalHeader(self._header)
        self.verticalHeader().setMinimumSectionSize(1)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        mode, bar, policy = self.SelectionMode, Qt.ScrollBarPolicy, QSizePolicy.Policy
        self.setSelectionMode(mode.SingleSelection if self._chooses else mode.NoSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(bar.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(bar.ScrollBarAlwaysOff)
        self.setSizePolicy(policy.Ignored, policy.Fixed)
        self.make_fonts()
        self.lay_out_columns()

    def scroll_by_itself(self) -> None:
        """Let the rows scroll below the heads, so that the table may have any height."""
        self._scrolls = True
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    def set_rows(self, rows: Sequence[Row], heads: Sequence[Head] | None = None) -> None:
        """Show other rows, perhaps under other heads; a current wish that is kept stays current."""
        row = self.currentIndex().row()
        current = self._wish_of(row)
        self._every, few = rows, self._few.rows
        if few and not self.all_shown and len(rows) > few:
            rows = (*rows[:few], self._more_row(len(rows) - few))
        moved = self.figures.set_rows(rows)
        if heads is not None and tuple(heads) != self.figures.heads:
            self.figures.set_heads(heads)
            moved = True
        if moved:
            self.lay_out_columns()
        wishes = [number for number, row in enumerate(rows) if row.wish is not None]
        only_read = Qt.FocusPolicy.TabFocus if rows else Qt.FocusPolicy.NoFocus
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if wishes else only_read)
        self._walked = range(len(rows)) if self._stops is Stops.ROWS or not wishes else wishes
        known = [rows[one].wish for one in wishes]
        picked = self._stops is Stops.CHOSEN and self.chosen not in known
        if picked:
            self.chosen = rows[0].wish if rows else None
        wish = current if current in known else self.chosen
        if wish in known:
            self._go_to(wishes[known.index(wish)])
        elif current is None and row in self._walked:
            self._go_to(row)
        if picked:
            self.chosen_changed.emit()

    def choose(self, wish: object) -> None:
        """Choose the row with a wish, or no row for None, without a signal."""
        self.chosen = wish
        found = self._row_of(wish)
        self._go_to(found if found >= 0 else self.currentIndex().row())

    def show_all(self, *, shown: bool = True) -> None:
        """Show all rows, or only the first few."""
        self.all_shown = shown
        self.set_rows(self._every)

    def _more_row(self, number: int) -> Row:
        """The row that shows ``number`` more rows when it is activated."""
        _, column, height, words = self._few
        span, offered = len(self._columns) - column, say("Show All")
        if words is None:
            offered = say("Show {number} More", number=shown_count(number))
            cells = [FigureCell(offered, TextRole.CAPTION, second=True, span=span)]
        else:
            all_rows = FigureCell(offered, figure=True, accent=True, said=say("Show all rows"))
            cells = [FigureCell(words(number), second=True, span=span - 1), all_rows]
        return Row((*[FigureCell()] * column, *cells), height, wish=_MORE, opened=False)

    @property
    def current(self) -> Any:
        """The wish of the current row; None without a current row."""
        return self._wish_of(self.currentIndex().row())

    def set_lit(self, wish: object) -> None:
        """Make rows with a wish look as if under the mouse; None for no rows."""
        self.lit = wish
        self.viewport().update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumSizeHint().height())

    @override
    def minimumSizeHint(self) -> QSize:
        rows = 0 if self._scrolls else self.verticalHeader().length()
        return QSize(0, rows + self._header.line_height)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit_columns()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.currentIndex().row() not in self._walked:
            self._go_to(self._next_row(-1, 1))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, key = self.currentIndex().row(), event.key()
        steps = {
            Qt.Key.Key_Down: (row, 1),
            Qt.Key.Key_Up: (row, -1),
            Qt.Key.Key_Home: (-1, 1),
            Qt.Key.Key_End: (self.figures.rowCount(), -1),
        }
        if key in steps:
            self._pick(self._next_row(*steps[Qt.Key(key)]))
            self._reveal()
        elif key in self._acting_keys(row):
            self._activate(row)
        elif key == Qt.Key.Key_Space:
            self._pick(row)
        elif key == Qt.Key.Key_Escape and self._lets_go and self.chosen is not None:
            self.choose(None)
            self.chosen_changed.emit()
        elif self._scrolls:
            super().keyPressEvent(event)
            if self.currentIndex().row() != row:
                self._pick(self.currentIndex().row())
        else:
            event.ignore()

    def _acting_keys(self, row: int) -> Iterator[int]:
        """The keys that activate a row."""
        yield from (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not self.is_choice(row):
            yield Qt.Key.Key_Space
        opened = self.figures.rows[row].opened if row >= 0 else None
        if opened is not None:
            yield Qt.Key.Key_Left if opened else Qt.Key.Key_Right

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        self.set_hovered(-1 if self._wish_of(index.row()) is None else index.row())

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.indexAt(event.position().toPoint()).row()
        if self._wish_of(row) is not None and event.button() == Qt.MouseButton.LeftButton:
            self._pick(row)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row = self.indexAt(event.position().toPoint()).row()
        pressed = row == self.currentIndex().row() and not self.is_choice(row)
        if event.button() == Qt.MouseButton.LeftButton and pressed:
            self._activate(row)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)
        row = self.indexAt(event.position().toPoint()).row()
        if event.button() == Qt.MouseButton.LeftButton and self.is_choice(row):
            self._activate(row)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        row = self.indexAt(event.pos()).row()
        if event.reason() == QContextMenuEvent.Reason.Mouse and self._wish_of(row) is not None:
            self._pick(row)
        menu = self.menu_of(self.current)
        place = None if menu is None else place_of_menu(self, event, 0)
        if menu is not None and place is not None:
            menu.popup(place)
        else:
            event.ignore()

    def is_choice(self, row: int) -> bool:
        """Whether the row can be chosen."""
        can = self._chooses and self._wish_of(row) is not None
        return can and self.figures.rows[row].opened is None

    def is_chosen(self, row: int) -> bool:
        """Whether the row is the chosen one, which is marked also without the focus."""
        return self.is_choice(row) and self._wish_of(row) == self.chosen

    def is_lit(self, row: int) -> bool:
        """Whether the row looks as if it were under the mouse."""
        wish = self.figures.rows[row].wish
        return row == self.hovered_row or (wish is not None and wish == self.lit)

    def _wish_of(self, row: int) -> Any:
        rows = self.figures.rows
        return rows[row].wish if 0 <= row < len(rows) else None

    def _row_of(self, wish: object) -> int:
        """The number of the row with a wish; -1 without one."""
        rows = enumerate(self.figures.rows)
        return next((at for at, row in rows if row.wish == wish is not None), -1)

    def _next_row(self, row: int, by: int) -> int | None:
        """The next row at which the keys stop, after a row or before it; None without one."""
        rows = self._walked if by > 0 else reversed(self._walked)
        return next((one for one in rows if (one - row) * by > 0), None)

    def _pick(self, row: int | None) -> None:
        """Make a row current, and choose it if it can be chosen."""
        before = self.chosen
        if row is not None and self.is_choice(row):
            self.chosen = self._wish_of(row)
        self._go_to(row)
        if self.chosen != before:
            self.chosen_changed.emit()

    def _go_to(self, row: int | None) -> None:
        """Make a row current; select the chosen row, which assistive technology reads."""
        flags, model = QItemSelectionModel.SelectionFlag, self.selectionModel()
        if row is not None:
            model.setCurrentIndex(self.figures.index(row, 0), flags.NoUpdate)
        if self._chooses:
            chosen = self.figures.index(self._row_of(self.chosen), 0)
            model.select(chosen, flags.ClearAndSelect | flags.Rows)
        self.viewport().update()

    def _reveal(self) -> None:
        """Scroll the pane around the table to the current row."""
        pane: QWidget | None = self
        while pane is not None and not isinstance(pane, QScrollArea):
            pane = pane.parentWidget()
        content = pane.widget() if pane is not None else None
        if pane is not None and content is not None:
            row = self.visualRect(self.currentIndex())
            middle = self.viewport().mapTo(content, row.center())
            pane.ensureVisible(0, middle.y(), 0, row.height())

    def _activate(self, row: int) -> None:
        wish = self._wish_of(row)
        if wish is _MORE:
            self.show_all()
        elif wish is not None:
            self.row_activated.emit(wish)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._scrolls:
            super().wheelEvent(event)
        else:
            event.ignore()

    @override
    def make_fonts(self) -> None:
        self.cells.make_fonts()
        self._header.line_height = scale(self._head_height, self.cells.metrics[TextRole.BODY])

    @override
    def lay_out_columns(self) -> None:
        """Set the heights of the rows and the widths of the columns."""
        self._natural = self._natural_widths()
        body = self.cells.metrics[TextRole.BODY]
        self.clearSpans()
        for number, row in enumerate(self.figures.rows):
            height = scale(row.height, body)
            column = 0
            for cell in row.cells:
                height = max(height, self.cells.metrics[cell.role].height())
                if cell.span > 1:
                    self.setSpan(number, column, 1, cell.span)
                column += cell.span
            self.setRowHeight(number, height)
        self._fit_columns()
        self.updateGeometry()

    def _fit_columns(self) -> None:
        widths = fitted_widths(self._columns, self._natural, self.viewport().width(), self._ways)
        for number, width in enumerate(widths):
            self.setColumnHidden(number, width == 0)
            self.setColumnWidth(number, width)

    def _natural_widths(self) -> list[int]:
        """The width that each column needs: its least width, its head, its widest text."""
        name, body = self.cells.metrics[TextRole.NAME], self.cells.metrics[TextRole.BODY]
        widths = []
        widest = [max([0, *map(name.horizontalAdvance, one.texts)]) for one in self._columns]
        for number, head in enumerate(self.figures.heads):
            if not head.note:
                width = self.cells.metrics[head.role].horizontalAdvance(head.text)
                widest[number] = max(widest[number], width)
        for row in self.figures.rows:
            start = 0
            for cell in row.cells:
                for line in (cell, cell.below):
                    if line and cell.span == 1 and self._columns[start].fits:
                        width = self.cells.metrics[line.role].horizontalAdvance(line.text)
                        widest[start] = max(widest[start], width)
                start += cell.span
        for column, text in zip(self._columns, widest, strict=True):
            width = scale(column.width, body)
            fits = column.fits and text
            widths.append(max(width, text + scale(column.gap, name)) if fits else width)
        return widths


def fitted_widths(
    columns: Sequence[ColumnWidth],
    natural: Sequence[int],
    room: int,
    ways: Sequence[Collection[int]] = (),
) -> list[int]:
    """The width of each column; 0 for a hidden one.

    Args:
        columns: The columns, one of which stretches.
        natural: The width that each column needs.
        room: The width for all columns.
        ways: Sets of columns to hide in a narrow table: the first set that is enough is hidden,
            else the last. Names may be cut a little if the column that stretches is hidden.
    """
    stretch = words = -1
    for number, column in enumerate(columns):
        if column.stretch:
            stretch = number
        if column.elides or (words < 0 and column.texts):
            words = number
    words = stretch if words < 0 else words
    gone: Collection[int] = ()
    for gone in ((), *ways):
        needed = sum(natural) - sum(map(natural.__getitem__, gone))
        if stretch in gone:
            needed -= natural[words] - round(natural[words] * _LEAST_OF_NAMES)
        if needed <= room:
            break
    widths = [0 if number in gone else width for number, width in enumerate(natural)]
    left = room - sum(widths)
    least = 0 if columns[words].elides else 1 - widths[stretch]
    wide = stretch if left >= least and stretch not in gone else words
    widths[wide] = max(1, widths[wide] + left)
    return widths


class _Delegate(QStyledItemDelegate):
    """Paints the cells of a row, and behind them the row's tint and line."""

    def __init__(self, table: FigureTable) -> None:
        super().__init__(table)
        self._table = table

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        table, found = self._table, colours(self._table.palette())
        row = table.figures.rows[index.row()]
        cell = table.figures.cell(index.row(), index.column())
        self._paint_ground(painter, rect, index, row, found)
        if row.line_above:
            fill(painter, QRect(rect.left(), rect.top(), rect.width(), 1), found.line)
        if cell is None:
            return
        table.cells.paint(painter, rect, cell, found, at_top=row.at_top)
        for place, one in enumerate(row.cells[: index.column() + 1]):
            if one.below is not None and one.below.span > 1:  # each cell paints its part
                left = table.columnViewportPosition(place)
                room = QRect(left, rect.top(), table.viewport().width() - left, rect.height())
                painter.save()
                painter.setClipRect(rect)
                line = FigureCell(below=replace(one.below, span=1))
                table.cells.paint(painter, room, line, found)
                painter.restore()

    def _paint_ground(
        self, painter: QPainter, rect: QRect, index: Index, row: Row, found: Colours
    ) -> None:
        """Paint the tint of a tinted, chosen, current or hovered row, and the current strip."""
        table = self._table
        is_current = table.hasFocus() and index.row() == table.currentIndex().row()
        is_chosen = table.is_chosen(index.row())
        if is_current and (is_chosen or not table.is_choice(index.row())):
            fill(painter, rect, found.selection)
        elif row.tinted or is_chosen:
            fill(painter, rect, found.selection_inactive)
        elif is_current or table.is_lit(index.row()):
            fill(painter, rect, found.hover)
        if is_current and index.column() == 0:
            fill(painter, QRect(rect.left(), rect.top(), STRIP, rect.height()), found.accent)
