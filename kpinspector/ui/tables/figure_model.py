"""Rows under heads, and those of a small table: figures, drawings and what is read of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from typing_extensions import override

from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.ui.controls.base import Picture
from kpinspector.ui.look.marks import BADGE_SIZE, STATE_SIZE, BarKind
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.theme import TextRole
from kpinspector.words.figures import shown_whole
from kpinspector.words.sentences import head_tip

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Words = str | Callable[[], str]


class FigureRole(IntEnum):
    """What the delegate asks of the model."""

    CELL = Qt.ItemDataRole.UserRole
    ROW = Qt.ItemDataRole.UserRole + 1


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
        head = self.heads[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return head.text
            case Qt.ItemDataRole.AccessibleTextRole:
                return head.said
            case Qt.ItemDataRole.ToolTipRole:
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
        if not index.isValid():
            return None
        if role == FigureRole.ROW:
            return self.rows[index.row()]
        cell = self.cell(index.row(), index.column())
        return cell if role == FigureRole.CELL or cell is None else _said_of(cell, role)


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


def _said_of(cell: FigureCell, role: int) -> str | None:
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return cell.text
        case Qt.ItemDataRole.AccessibleTextRole:
            return _words(cell.said) or cell.text
        case Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(_words(cell.tooltip))
    return None


def _words(words: Words) -> str:
    return words if isinstance(words, str) else words()
