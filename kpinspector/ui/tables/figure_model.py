"""Rows under heads, and those of a small table: what their cells say, and how they are painted."""

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
    """A bar in the middle of a cell, up to ``end`` of 0..1.

    Attributes:
        dimension: Whose colour it has; None for a neutral one.
        height, width: In px at 100 %; without a width it takes the whole cell.
        track: Whether the rest of the range is painted.
    """

    end: float
    dimension: Dimension | None = None
    kind: BarKind = BarKind.SOLID
    height: int = 8
    width: int = 0
    track: bool = True


@dataclass(frozen=True, slots=True)
class FigureCell:
    """One cell.

    Attributes:
        text: Drawn, and said where ``said`` is empty.
        role: Of the type.
        second: In the paler text colour.
        accent: In the accent, as what can be chosen.
        figure: Right aligned and never cut; other text gives way.
        mark: Drawn instead of the text, or before a figure.
        bar: Drawn below the text.
        pill: A word on a tint behind the text.
        lead: Words at the left of a figure.
        below: A second line; with a span it runs on to the right edge.
        left: What is left free before mark or bar, in px at 100 %.
        picture: Drawn instead of all these; the text is still said.
        said: What assistive technology reads; what gives it, where that takes long.
        tooltip: Plain text, or what gives it.
        span: Columns that the cell takes.
        elided_at: Names give way in their middle, as those of one file end differently.
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
    """The cell with the badge of a dimension; an empty one without."""
    if dimension is None:
        return FigureCell()
    return FigureCell(DIMENSION_LETTERS[dimension], mark=CellMark(dimension, size))


def note(text: str, *, span: int = 1) -> FigureCell:
    """The cell with small words that may be cut, whole in their tooltip."""
    return FigureCell(text, TextRole.CAPTION, second=True, tooltip=text, span=span)


def figure(
    text: str, value: float | None = None, role: TextRole = TextRole.BODY, *, second: bool = False
) -> FigureCell:
    """The cell with a figure, its whole double in its tooltip."""
    whole = "" if value is None else shown_whole(value)
    return FigureCell(text, role, second=second, figure=True, tooltip=whole)


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    Attributes:
        cells: From left to right.
        height: In px at 100 %.
        line_above: A line divides it from the row before.
        tinted: It is the one that is spoken of.
        at_top: Its text stands at the upper edge.
        wish: What the table asks for when the row is activated; None for one that is only read.
        opened: It is a fold, which brings other rows and is never chosen; whether they are there.
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
    """A column's head: ``said`` names the column, ``text`` is drawn, ``tip`` explains it.

    A title or note reaches over the columns beside it; no column grows to fit it.
    """

    said: str
    text: str = ""
    role: TextRole = TextRole.CAPTION
    second: bool = True
    figure: bool = True
    note: bool = False
    tip: str = ""


def word_head(word: str, *, figure: bool = False) -> Head:
    """The head that draws the word it is called by."""
    return Head(word, word, figure=figure)


def heading(said: str, title: str, tip: str = "") -> Head:
    """The head of a first column that bears the title of the whole table."""
    return Head(said, title, TextRole.HEADING, second=False, figure=False, note=True, tip=tip)


def heads_of(title: str, *said: str, notes: str = "", tip: str = "") -> tuple[Head, ...]:
    """The heads of a table with a title, none of them drawn but a note at the right."""
    first, *others, last = said
    return heading(first, title, tip), *map(Head, others), Head(last, notes, note=True)


class RowModel(QAbstractTableModel):
    """Rows under heads, only for reading; a model of its own says what is in the cells.

    Attributes:
        cut: The columns whose heads are not seen whole; these stand in their tool tips.
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
        """As Qt gives it, without asking for both counts each time."""
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
                while drawn and not self.heads[drawn].text:  # a title may reach as far as this
                    drawn -= 1
                if self.heads[drawn].note and not self.heads[drawn].figure:
                    section, head = drawn, self.heads[drawn]
                tip = head.tip or head_tip(head.said) or head_tip(head.text)
                return plain_tooltip(f"{head.text}\n{tip}".strip()) if section in self.cut else tip
            case Qt.ItemDataRole.TextAlignmentRole if head.figure:
                return _RIGHT
        return None


class FigureModel(RowModel):
    """Rows of cells, replaced as a whole."""

    def __init__(self, heads: Sequence[Head], parent: QObject | None = None) -> None:
        super().__init__(heads, parent)
        self.rows: tuple[Row, ...] = ()
        self._shapes: tuple[tuple[object, ...], ...] = ()

    def set_rows(self, rows: Sequence[Row]) -> bool:
        """Replace all rows; whether anything but the words in some cells is another."""
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
        """Replace what the heads say; there are as many as before."""
        self.heads = tuple(heads)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.heads) - 1)

    def cell(self, row: int, column: int) -> FigureCell | None:
        """The cell that starts in a column; None where another one reaches over it."""
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
    """What decides where everything in a row stands, and how wide the columns are.

    Figures of one length have one width; what reaches over other columns widens none.
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
    """Paints in the fonts of all roles, made once for a font of the application."""

    def __init__(self) -> None:
        self.fonts: dict[TextRole, QFont] = {}
        self.metrics: dict[TextRole, QFontMetrics] = {}

    def make_fonts(self) -> None:
        """The application has another font."""
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
        """Paint a cell of one or two lines, perhaps at its upper edge."""
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
        """Write a figure, before it a mark, and words in what is left."""
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
        """Write the text, and behind it a word on the tint of novelty."""
        padding, gap = self._px(_PILL_PADDING), self._px(_GAP)
        words = self.metrics[TextRole.CAPTION].horizontalAdvance(cell.pill)
        width = words + 2 * padding
        taken = self._write(painter, rect.adjusted(0, 0, -width - gap, 0), cell, found.text)
        box = QRect(rect.left() + taken + gap, rect.top(), width, rect.height())
        paint_box(painter, box, found.tinted(found.novelty), radius=MARK_RADIUS)
        word = FigureCell(cell.pill, TextRole.CAPTION)
        self._write(painter, box.adjusted(padding, 0, 0, 0), word, found.text)

    def _write(self, painter: QPainter, room: QRect, cell: FigureCell, ink: QColor) -> int:
        """Write as much of the text as there is room for; gives its width."""
        metrics = self.metrics[cell.role]
        shown = metrics.elidedText(cell.text, cell.elided_at, room.width())
        painter.setFont(self.fonts[cell.role])
        painter.setPen(ink)
        painter.drawText(room, LEFT, shown)
        return min(room.width(), metrics.horizontalAdvance(shown))


def paint_cell_mark(
    painter: QPainter, box: QRect, mark: CellMark, found: Colours, ink: QColor
) -> None:
    """Paint the mark of a cell; an icon in ``ink``."""
    match mark.what:
        case Dimension():
            paint_badge(painter, box, mark.what, found)
        case IconName():
            paint_icon(painter, box, mark.what, ink)
        case _:
            paint_state(painter, box, mark.what, found, assumed=mark.assumed)


class FigureHeader(QHeaderView):
    """The heads on one line; a title reaches over the columns beside it."""

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
        # the width is the table's; the stock hint would ask the model for every head
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
                # what stands before a note is read first
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
        """Where the room of a head at the left ends; a note gives way to it."""
        for number in others:
            head, left = self._figures.heads[number], self.sectionViewportPosition(number)
            if not head.note:
                if head.figure:
                    left += self.sectionSize(number)
                    left -= self._cells.metrics[head.role].horizontalAdvance(head.text)
                return left - COLUMN_GAP
        return self.width()
