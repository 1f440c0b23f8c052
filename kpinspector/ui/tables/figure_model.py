"""The cells, rows and heads of tables, their models, and the painting of cells and heads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QApplication, QHeaderView, QWidget
from typing_extensions import override

from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.ui.controls.base import Picture, paint_box
from kpinspector.ui.look.marks import (
    BADGE_SIZE,
    MARK_RADIUS,
    STATE_SIZE,
    BarKind,
    BarMark,
    IconName,
    paint_badge,
    paint_bar,
    paint_icon,
    paint_state,
)
from kpinspector.ui.look.painting import LEFT, RIGHT, band, centred
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.theme import Colours, TextRole, colours, font, scale
from kpinspector.words.figures import shown_whole
from kpinspector.words.sentences import head_tip

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
HEAD_HEIGHT = 26
COLUMN_GAP = 10
_LINE = Qt.TextFlag.TextSingleLine | Qt.AlignmentFlag.AlignVCenter
_GAP = 8
_MARK_GAP = 4
_PILL_PADDING = 6
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Words = str | Callable[[], str]


@dataclass(frozen=True, slots=True)
class CellMark:
    """A small picture: the badge of a dimension, an icon, else the shape of a state."""

    what: StrEnum
    size: int = STATE_SIZE
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class CellBar:
    """A bar in the middle of a cell, from 0 to ``end``, of a width that stands for 1.

    Attributes:
        dimension: The dimension that gives its colour; None for a neutral bar.
        height, width: In px at 100 %; with width 0 it is as wide as the cell.
        track: Whether the rest of the width is painted.
    """

    end: float
    dimension: Dimension | None = None
    kind: BarKind = BarKind.SOLID
    height: int = 8
    width: int = 0
    track: bool = True


@dataclass(frozen=True, slots=True)
class FigureCell:
    """A cell of a table.

    Attributes:
        text: Painted, and read by assistive technology if ``said`` is empty.
        role: The text's role of type.
        second: Whether the text has the paler colour.
        accent: Whether the text has the accent's colour, for what can be chosen.
        figure: Whether the text is right-aligned and never cut; other text is elided.
        mark: Painted in place of the text, or before a figure.
        bar: Painted below the text.
        pill: A word that is painted on a tint after the text.
        lead: Words that are painted at the left of a figure.
        below: A second line; with a span it extends to the right edge of the table.
        left: The space before mark or bar, in px at 100 %.
        picture: Painted in place of all these; the text is still read out.
        said: What assistive technology reads, or a function that makes it.
        tooltip: Plain text, or a function that makes it.
        span: The number of columns that the cell takes.
        elided_at: Where the text is cut: names in the middle, as their ends tell them apart.
    """

    text: str = ""
    role: TextRole = TextRole.BODY
    second: bool = False
    accent: bool = False
    figure: bool = False
    mark: CellMark | None = None
    bar: CellBar | None = None
    pill: str = ""
    lead: str = ""
    below: "FigureCell | None" = None
    left: int = 0
    picture: Picture | None = None
    said: Words = ""
    tooltip: Words = ""
    span: int = 1
    elided_at: Qt.TextElideMode = Qt.TextElideMode.ElideRight


def badge(dimension: Dimension | None, size: int = BADGE_SIZE) -> FigureCell:
    """A cell with the badge of a dimension; an empty cell for None."""
    if dimension is None:
        return FigureCell()
    return FigureCell(DIMENSION_LETTERS[dimension], mark=CellMark(dimension, size))


def note(text: str, *, span: int = 1) -> FigureCell:
    """A cell with small text that may be cut; the tooltip has all of it."""
    return FigureCell(text, TextRole.CAPTION, second=True, tooltip=text, span=span)


def figure(
    text: str, value: float | None = None, role: TextRole = TextRole.BODY, *, second: bool = False
) -> FigureCell:
    """A cell with a figure; the tooltip has the unrounded value."""
    whole = "" if value is None else shown_whole(value)
    return FigureCell(text, role, second=second, figure=True, tooltip=whole)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    Attributes:
        cells: The cells from left to right.
        height: The height in px at 100 %.
        line_above: Whether a line divides it from the row above.
        tinted: Whether it has a tint, as the row that the pane is about.
        at_top: Whether its text stands at the upper edge.
        wish: What the table emits when the row is activated; None for a row that is only read.
        opened: For a row that unfolds others, whether these are shown; None for other rows.
    """

    cells: tuple[FigureCell, ...]
    height: int = 21
    line_above: bool = False
    tinted: bool = False
    at_top: bool = False
    wish: object = None
    opened: bool | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """A column's head: ``said`` is its name, ``text`` is painted, ``tip`` explains it.

    With ``note``, the text extends over other columns; no column is widened for it.
    """

    said: str
    text: str = ""
    role: TextRole = TextRole.CAPTION
    second: bool = True
    figure: bool = True
    note: bool = False
    tip: str = ""


def word_head(word: str, *, figure: bool = False) -> Head:
    """A head that shows its own name."""
    return Head(word, word, figure=figure)


def heading(said: str, title: str, tip: str = "") -> Head:
    """The head of a first column, with the title of the whole table."""
    return Head(said, title, TextRole.HEADING, second=False, figure=False, note=True, tip=tip)


def heads_of(title: str, *said: str, notes: str = "", tip: str = "") -> tuple[Head, ...]:
    """The heads of a table with a title: only the title and a note at the right are painted."""
    first, *others, last = said
    return heading(first, title, tip), *map(Head, others), Head(last, notes, note=True)


class RowModel(QAbstractTableModel):
    """A read-only model of rows under heads; subclasses say what is in the cells.

    Attributes:
        cut: The columns whose heads are cut; their tooltips show the whole text.
    """

    def __init__(self, heads: Sequence[Head], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cut: set[int] = set()
        self.heads = tuple(heads)
        self.rows: Sequence[Any] = ()

    @override
    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    @override
    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.heads)

    @override
    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        """As Qt does, but without asking for both counts each time."""
        inside = 0 <= row < len(self.rows) and 0 <= column < len(self.heads)
        return self.createIndex(row, column) if inside and not parent.isValid() else QModelIndex()

    @override
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation != Qt.Orientation.Horizontal or section >= len(self.heads):
            return None
        head, drawn = self.heads[section], section
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return head.text
            case Qt.ItemDataRole.AccessibleTextRole:
                return head.said
            case Qt.ItemDataRole.ToolTipRole:
                while drawn and not self.heads[drawn].text:  # titles may extend over this
                    drawn -= 1
                if self.heads[drawn].note and not self.heads[drawn].figure:
                    section, head = drawn, self.heads[drawn]
                tip = head.tip or head_tip(head.said) or head_tip(head.text)
                return plain_tooltip(f"{head.text}\n{tip}".strip()) if section in self.cut else tip
            case Qt.ItemDataRole.TextAlignmentRole if head.figure:
                return _RIGHT
        return None


class FigureModel(RowModel):
    """A model of `Row` values, which are replaced all at once."""

    def __init__(self, heads: Sequence[Head], parent: QObject | None = None) -> None:
        super().__init__(heads, parent)
        self.rows: tuple[Row, ...] = ()
        self._shapes: tuple[tuple[object, ...], ...] = ()

    def set_rows(self, rows: Sequence[Row]) -> bool:
        """Replace all rows; return False if only words in some cells have changed."""
        before, after = self.rows, tuple(rows)
        shapes = tuple(map(_shape, after))
        if shapes != self._shapes:
            self.beginResetModel()
            self.rows, self._shapes = after, shapes
            self.endResetModel()
            return True
        self.rows = after
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            column = 0
            for one, other in zip(old.cells, new.cells, strict=True):
                if one != other:
                    place = self.createIndex(number, column)
                    self.dataChanged.emit(place, place)
                column += other.span
        return False

    def set_heads(self, heads: Sequence[Head]) -> None:
        """Replace the heads; their number stays the same."""
        self.heads = tuple(heads)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.heads) - 1)

    def cell(self, row: int, column: int) -> FigureCell | None:
        """The cell that begins in a column; None if another cell extends over the column."""
        start = 0
        for cell in self.rows[row].cells:
            if start == column:
                return cell
            start += cell.span
        return None

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        cell = self.cell(index.row(), index.column()) if index.isValid() else None
        match role:
            case Qt.ItemDataRole.DisplayRole if cell is not None:
                return cell.text
            case Qt.ItemDataRole.AccessibleTextRole if cell is not None:
                return _words(cell.said) or cell.text
            case Qt.ItemDataRole.ToolTipRole if cell is not None:
                return plain_tooltip(_words(cell.tooltip))
        return None


def _shape(row: Row) -> tuple[object, ...]:
    """All that decides where things stand in a row, and how wide the columns are.

    Figures of one length are equally wide; a cell that spans columns widens none.
    """
    shape: list[object] = [row.height, row.line_above, row.tinted, row.at_top]
    for cell in row.cells:
        width = len(cell.text) if cell.figure else cell.text
        below = cell.below.text if cell.below else ""
        shape += (cell.span, cell.role, None if cell.span > 1 else (width, below))
    return tuple(shape)


def _words(words: Words) -> str:
    return words if isinstance(words, str) else words()


class CellPainter:
    """Paints cells, with fonts for all roles that are kept until the application's font changes."""

    def __init__(self) -> None:
        self.fonts: dict[TextRole, QFont] = {}
        self.metrics: dict[TextRole, QFontMetrics] = {}

    def make_fonts(self) -> None:
        """Make the fonts again, as the application's font has changed."""
        self.fonts = {role: font(role, QApplication.font()) for role in TextRole}
        self.metrics = {role: QFontMetrics(made) for role, made in self.fonts.items()}

    def paint(
        self,
        painter: QPainter,
        rect: QRect,
        cell: FigureCell,
        found: Colours,
        *,
        at_top: bool = False,
    ) -> None:
        """Paint a cell of one or two lines; ``at_top``: at the upper edge of the row."""
        if cell.picture is not None:
            painter.save()
            painter.setFont(self.fonts[cell.role])
            cell.picture(painter, rect, found)
            painter.restore()
            return
        if at_top:
            height = self.metrics[cell.role].height()
            rect = QRect(rect.topLeft(), QSize(rect.width(), height))
        if cell.below is None:
            self._paint_line(painter, rect, cell, found)
            return
        first, second = (self.metrics[role].height() for role in (TextRole.NAME, TextRole.CAPTION))
        gap = self._px(_GAP) if cell.below.text and not cell.figure else 0
        room = rect.adjusted(0, 0, -gap, 0)
        upper = QRect(room.left(), 0, room.width(), first)
        upper.moveTop(rect.top() + (rect.height() - first - second) // 2)
        lower = QRect(room.left(), upper.top() + first, room.width(), second)
        self._paint_line(painter, upper, cell, found)
        if cell.below.span == 1:
            self._paint_line(painter, lower, cell.below, found)

    def _px(self, px: float) -> int:
        return scale(px, self.metrics[TextRole.BODY])

    def _paint_line(self, painter: QPainter, rect: QRect, cell: FigureCell, found: Colours) -> None:
        ink = found.accent if cell.accent else found.text
        ink = found.second if cell.second else ink
        rect = rect.adjusted(self._px(cell.left), 0, 0, 0)
        if cell.bar is not None:
            bar, place = cell.bar, band(rect, self._px(cell.bar.height))
            place.setWidth(self._px(bar.width) or place.width())
            colour = found.neutral if bar.dimension is None else found.dimension(bar.dimension)
            track = found.track if bar.track else None
            paint_bar(painter, place, BarMark(colour, bar.end, kind=bar.kind, track=track), found)
        if cell.figure:
            self._paint_figure(painter, rect, cell, found, ink)
        elif cell.mark is not None:
            side = min(self._px(cell.mark.size), rect.height(), rect.width())
            paint_cell_mark(painter, centred(rect, rect.left(), side), cell.mark, found, ink)
        elif cell.pill:
            self._paint_pill(painter, rect, cell, found)
        else:
            self._write(painter, rect, cell, ink)

    def _paint_figure(
        self, painter: QPainter, rect: QRect, cell: FigureCell, found: Colours, ink: QColor
    ) -> None:
        """Paint a figure at the right, a mark before it, and words in the space that is left."""
        painter.setFont(self.fonts[cell.role])
        painter.setPen(ink)
        painter.drawText(rect, RIGHT, cell.text)
        left = rect.right() + 1 - self.metrics[cell.role].horizontalAdvance(cell.text)
        if cell.mark is not None:
            side = self._px(cell.mark.size)
            left -= self._px(_MARK_GAP) + side
            paint_cell_mark(painter, centred(rect, left, side), cell.mark, found, ink)
        if cell.lead:
            room = QRect(rect.left(), rect.top(), left - rect.left(), rect.height())
            self._write(painter, room, replace(cell, text=cell.lead), found.second)

    def _paint_pill(self, painter: QPainter, rect: QRect, cell: FigureCell, found: Colours) -> None:
        """Write the text, then a word on the tint of novelty."""
        padding, gap = self._px(_PILL_PADDING), self._px(_GAP)
        words = self.metrics[TextRole.CAPTION].horizontalAdvance(cell.pill)
        width = words + 2 * padding
        taken = self._write(painter, rect.adjusted(0, 0, -width - gap, 0), cell, found.text)
        box = QRect(rect.left() + taken + gap, rect.top(), width, rect.height())
        paint_box(painter, box, found.tinted(found.novelty), radius=MARK_RADIUS)
        word = FigureCell(cell.pill, TextRole.CAPTION)
        self._write(painter, box.adjusted(padding, 0, 0, 0), word, found.text)

    def _write(self, painter: QPainter, room: QRect, cell: FigureCell, ink: QColor) -> int:
        """Write a text, elided where it does not fit; return its width."""
        metrics = self.metrics[cell.role]
        shown = metrics.elidedText(cell.text, cell.elided_at, room.width())
        painter.setFont(self.fonts[cell.role])
        painter.setPen(ink)
        painter.drawText(room, LEFT, shown)
        return min(room.width(), metrics.horizontalAdvance(shown))


def paint_cell_mark(
    painter: QPainter, box: QRect, mark: CellMark, found: Colours, ink: QColor
) -> None:
    """Paint the mark of a cell; an icon is painted in ``ink``."""
    match mark.what:
        case Dimension():
            paint_badge(painter, box, mark.what, found)
        case IconName():
            paint_icon(painter, box, mark.what, ink)
        case _:
            paint_state(painter, box, mark.what, found, assumed=mark.assumed)


class FigureHeader(QHeaderView):
    """The heads in one line; a title extends over the columns beside it."""

    def __init__(self, figures: FigureModel, cells: CellPainter, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._figures = figures
        self._cells = cells
        self.line_height = HEAD_HEIGHT
        self.setMinimumSectionSize(0)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(False)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Base)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @override
    def sizeHint(self) -> QSize:
        # the width is the table's; Qt's own hint would ask the model for every head
        return QSize(0, self.line_height)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found = QPainter(self.viewport()), colours(self.palette())
        heads = self._figures.heads
        drawn = [
            number
            for number, head in enumerate(heads)
            if head.text and (head.note or not self.isSectionHidden(number))
        ]
        titled = 0
        self._figures.cut.clear()
        for place, number in enumerate(drawn):
            head, metrics = heads[number], self._cells.metrics[heads[number].role]
            left = self.sectionViewportPosition(number)
            if head.figure:
                hidden = self.isSectionHidden(number)
                right = self.width() if hidden else left + self.sectionSize(number)
                # a note may not cover the text before it
                left = titled + COLUMN_GAP if head.note and titled else 0
                side, titled = Qt.AlignmentFlag.AlignRight, right
            else:
                right = self._end_before(drawn[place + 1 :])
                side, titled = (
                    Qt.AlignmentFlag.AlignLeft,
                    left + metrics.horizontalAdvance(head.text),
                )
            room = QRect(left, 0, right - left, self.height())
            is_name = head.figure and head.role is TextRole.HEADING
            mode = Qt.TextElideMode.ElideMiddle if is_name else Qt.TextElideMode.ElideRight
            shown = metrics.elidedText(head.text, mode, room.width())
            if shown != head.text:
                self._figures.cut.add(number)
            painter.setFont(self._cells.fonts[head.role])
            painter.setPen(found.second if head.second else found.text)
            painter.drawText(room, side | _LINE, shown)

    def _end_before(self, others: Sequence[int]) -> int:
        """The right end of the space for a left-aligned head; notes are cut for it."""
        for number in others:
            head, left = self._figures.heads[number], self.sectionViewportPosition(number)
            if not head.note:
                if head.figure:
                    left += self.sectionSize(number)
                    left -= self._cells.metrics[head.role].horizontalAdvance(head.text)
                return left - COLUMN_GAP
        return self.width()
