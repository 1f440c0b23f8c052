"""What the sheets of the Batch page share: ground and header, tables of traces."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStackedLayout,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from kpinspector.ui.controls.base import ElidedLabel, Label, Part, in_column, in_row
from kpinspector.ui.controls.views import PANE_HEADER_HEIGHT, SCROLL_BAR_WIDTH, HeaderView
from kpinspector.ui.look.marks import STATE_SIZE, fill
from kpinspector.ui.look.painting import (
    CELL_PADDING,
    TextFont,
    centred,
    draw_figure,
    draw_name,
    draw_text,
)
from kpinspector.ui.look.theme import TextRole, font, row_height, scale, sized
from kpinspector.ui.parts.column_page import SheetScroll
from kpinspector.ui.tables.cell_painting import paint_cell_mark
from kpinspector.ui.tables.figure_model import (
    CellMark,
    FigureCell,
    FigureModel,
    FigureRole,
    Index,
    Row,
    word_head,
)
from kpinspector.ui.tables.row_table import RowTable, TableDelegate
from kpinspector.ui.traces.trace_row import TraceRow
from kpinspector.words.say import say_list

SIDE = 16
_GAP = 8
_HIGH_ROW, _LINE_GAP, _LINES_PADDING = 44, 2, 8
_LEAST_NAME = 120


class Sheet(QWidget):
    """A flat sheet: a title and a note in its header, and what is put in ``column`` below."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.note = ElidedLabel("", second=True)
        header = QWidget()
        sized(header, QWidget.setFixedHeight, PANE_HEADER_HEIGHT)
        margins, words = (SIDE, 0, SIDE, 0), Label(title, TextRole.PANE)
        self.header = in_row(words, (self.note, 1), on=header, margins=margins, spacing=_GAP)
        self.column = in_column(header, on=self)

    def stack(self, *pages: QWidget) -> QStackedLayout:
        """Put pages below the header, of which one is seen."""
        stacked = QStackedLayout()
        self.column.addLayout(stacked, 1)  # at first, or pages come up as windows
        for page in pages:
            stacked.addWidget(page)
        return stacked


def scrolled(*parts: Part, top: int = 0, spacing: int = 0) -> SheetScroll:
    """Parts below each other between the sides of a sheet; they scroll where it is too low."""
    content = QWidget()
    margins = (SIDE, top, SIDE - SCROLL_BAR_WIDTH, 0)
    in_column(*parts, None, on=content, margins=margins, spacing=spacing)
    return SheetScroll(content, steady=True)


def trace_cell(trace: TraceRow, below: str = "") -> FigureCell:
    """The state and the name of a trace, perhaps with words below them."""
    return FigureCell(
        trace.name,
        TextRole.NAME,
        mark=CellMark(trace.shape, assumed=trace.document.assumed),
        below=FigureCell(below) if below else None,
        said=say_list(filter(None, (trace.name, trace.state_words, below))),
        tooltip="\n".join(filter(None, (trace.name, below))),
    )


class _Choices(FigureModel):
    """Rows without a wish cannot be chosen."""

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and self.rows[index.row()].wish is None:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        return super().flags(index)


class SheetTable(RowTable):
    """Names, each with a mark and perhaps a line below, then figures; one row is chosen or none.

    Attributes:
        narrow: The last column is left out, as it is where the names had too little room.
    """

    def __init__(
        self, name: str, columns: Sequence[tuple[str, str]], *, gives_way: bool = False
    ) -> None:
        """Make an empty table.

        Args:
            name: Read by assistive technology.
            columns: The words of the heads, each with a text that its column has room for.
            gives_way: The last column gives way to the names.
        """
        super().__init__()
        (first, _), *others = columns
        heads = (word_head(first), *(word_head(one, figure=True) for one, _ in others))
        self.figures = _Choices(heads, self)
        self._widest = [widest for _, widest in columns]
        self._gives_way, self.narrow = gives_way, False
        self.setAccessibleName(name)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setModel(self.figures)
        self.setItemDelegate(_Delegate(self, 0))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalHeader(HeaderView(Qt.Orientation.Horizontal, self))
        self.lay_out_columns()

    @property
    def chosen(self) -> Any:
        """The wish of the chosen row; None without one."""
        found = self.selectionModel().selectedRows()
        return self.figures.rows[found[0].row()].wish if found else None

    def row_of(self, wish: object) -> int:
        """The row with a wish, else -1."""
        return next((at for at, row in enumerate(self.figures.rows) if row.wish == wish), -1)

    def set_rows(self, rows: list[Row]) -> None:
        """Show other rows; none is chosen then."""
        self.selectionModel().reset()
        self.figures.set_rows(rows)
        self.lay_out_columns()

    @override
    def lay_out_columns(self) -> None:
        fonts, rows, widths = self.delegate.fonts, self.figures.rows, []
        body, caption = fonts.body.metrics, fonts.caption.metrics
        for column, (head, widest) in enumerate(zip(self.figures.heads, self._widest, strict=True)):
            texts = {widest, *(row.cells[column].text for row in rows)} if column else ()
            texts_width = max(map(body.horizontalAdvance, texts), default=0)
            # one more: the metrics leave out a fraction, which eliding does not
            text = max(texts_width, caption.horizontalAdvance(head.text)) + 1
            widths.append(text + 2 * CELL_PADDING)
        last, room = len(widths) - 1, self.viewport().width()
        tight = room - sum(widths[1:]) < scale(_LEAST_NAME, body)
        if self._gives_way and (self.narrow or tight):
            widths[last] = 0
        widths[0] = max(1, room - sum(widths[1:]))
        for column, width in enumerate(widths):
            self.setColumnHidden(column, not width)
            self.setColumnWidth(column, width)
        lines = fonts.name.metrics.height() + caption.height() + _LINES_PADDING
        low, high = row_height(body), max(scale(_HIGH_ROW, body), lines)
        for number, row in enumerate(rows):
            self.setRowHeight(number, low if row.cells[0].below is None else high)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.lay_out_columns()


class _Delegate(TableDelegate):
    """The figures stand beside the names; a line below a name runs through all cells."""

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        found, side = self.paint_ground(painter, option, index), self.scaled(STATE_SIZE)
        row, cell = index.data(FigureRole.ROW), index.data(FigureRole.CELL)
        if row.line_above:
            top = QRect(0, option.rect.top(), self.table.viewport().width(), 1)
            fill(painter, top.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0) & option.rect, found.line)
        room = option.rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        left = CELL_PADDING + side + self.scaled(_GAP)
        if (below := row.cells[0].below) is not None:
            first, second = (one.metrics.height() for one in (self.fonts.name, self.fonts.caption))
            gap = self.scaled(_LINE_GAP)
            room.setTop(room.top() + (room.height() - first - gap - second) // 2)
            room.setHeight(first)
            width = self.table.viewport().width() - left - CELL_PADDING
            line = QRect(left, room.bottom() + 1 + gap, width, second)
            painter.save()
            painter.setClipRect(option.rect)
            draw_text(painter, line, below.text, self.fonts.caption, found.second)
            painter.restore()
        made = font(cell.role, self.table.font())
        style = TextFont(made, QFontMetrics(made))
        if cell.figure:
            draw_figure(painter, room, cell.text, style, found.text)
            return
        if cell.mark is not None:
            place = centred(room, CELL_PADDING, side)
            paint_cell_mark(painter, place, cell.mark, found, found.second)
        room.setLeft(left)
        draw_name(painter, room, cell.text, style, found.text)
