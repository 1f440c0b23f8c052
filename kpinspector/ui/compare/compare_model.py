"""Two traces side by side as a list: a row for each pair of steps. Read-only."""

import sys
from collections import Counter
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from kpinspector.trace.align import Alignment, Likeness
from kpinspector.ui.compare.compare_row import CompareRow, make_row, spoken_row
from kpinspector.ui.look.plain_text import plain_tooltip

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

Index = QModelIndex | QPersistentModelIndex

_ROOT = QModelIndex()
_ROWS_KEPT = 256  # more than a screen has


class CompareRole(IntEnum):
    """What the model gives beside Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    PAIR = Qt.ItemDataRole.UserRole + 2


class CompareModel(QAbstractListModel):
    """The pairs of an alignment, or those of one likeness; words are found when they are shown.

    Attributes:
        names: What the two sides are called.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._alignment = Alignment(())
        self.names = ("", "")
        self._shown: tuple[int, ...] = ()
        self._only: Likeness | None = None
        self._counts: Counter[Likeness] = Counter()
        self._differences: tuple[int, ...] = ()
        self._rows: dict[int, CompareRow] = {}

    def set_alignment(self, alignment: Alignment, names: tuple[str, str]) -> None:
        """Show two traces; the same ones stay as they are."""
        self.names = names
        if alignment is self._alignment:
            return
        self.beginResetModel()
        self._alignment = alignment
        self._counts = Counter(pair.likeness for pair in alignment.pairs)
        self._rows.clear()
        self._filter()
        self.endResetModel()

    def set_only(self, only: Likeness | None) -> None:
        """Show the pairs of one likeness; None shows all."""
        if only is not self._only:
            self.beginResetModel()
            self._only = only
            self._filter()
            self.endResetModel()

    def _filter(self) -> None:
        pairs = self._alignment.pairs
        self._shown = tuple(
            number
            for number, pair in enumerate(pairs)
            if self._only is None or pair.likeness is self._only
        )
        self._differences = tuple(
            row
            for row, number in enumerate(self._shown)
            if pairs[number].likeness is not Likeness.SAME
        )

    @property
    def count(self) -> int:
        """How many pairs there are, shown or not."""
        return len(self._alignment.pairs)

    @property
    def differences(self) -> tuple[int, ...]:
        """The rows that are shown and are not the same on both sides."""
        return self._differences

    def count_of(self, likeness: Likeness) -> int:
        """How many pairs there are of a likeness, shown or not."""
        return self._counts[likeness]

    def number_at(self, row: int) -> int:
        """Which pair a row shows."""
        return self._shown[row]

    def row_of(self, number: int) -> int | None:
        """The row that shows a pair, if one does."""
        return self._shown.index(number) if number in self._shown else None

    @override
    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._shown)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        number = self._shown[index.row()]
        value: Any = None
        match role:
            case CompareRole.PAIR:
                value = self._alignment.pairs[number]
            case CompareRole.ROW:
                value = self._row(number)
            case Qt.ItemDataRole.DisplayRole:
                value = _text(self._row(number))
            case Qt.ItemDataRole.AccessibleTextRole:
                value = spoken_row(self._row(number), self.names, self)
            case Qt.ItemDataRole.ToolTipRole:
                value = plain_tooltip(_whole(self._row(number), self.names))
        return value

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        item = Qt.ItemFlag
        return item.ItemIsEnabled | item.ItemIsSelectable | item.ItemNeverHasChildren

    def _row(self, number: int) -> CompareRow:
        """A row is asked for by every part that paints or reads it."""
        if number not in self._rows:
            if len(self._rows) >= _ROWS_KEPT:
                self._rows.clear()
            self._rows[number] = make_row(self._alignment.pairs[number], self)
        return self._rows[number]


def _text(row: CompareRow) -> str:
    cell = row.left or row.right
    return cell.text if cell is not None else ""


def _whole(row: CompareRow, names: tuple[str, str]) -> str:
    """What is shown of both sides, with the words that two lines have no room for."""
    if row.likeness is Likeness.SAME and row.left is not None:
        return row.left.text
    sides = zip(names, (row.left, row.right), strict=True)
    return "\n".join(f"{name}: {cell.text}" for name, cell in sides if cell is not None)
