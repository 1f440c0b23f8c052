"""What is remembered as rows: searched and sorted in slices, so that no number of them freezes."""

import heapq
import sys
from collections.abc import Callable, Generator, Sequence
from enum import IntEnum
from itertools import islice
from time import perf_counter

from PySide6.QtCore import (
    QAbstractTableModel,
    QDateTime,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
)

from kpinspector.scoring.memory.findings import Entry
from kpinspector.trace.records import at_record
from kpinspector.ui.look.plain_text import one_line, plain_tooltip, shown_text

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

Index = QModelIndex | QPersistentModelIndex

_ROOT = QModelIndex()
_SLICE = 2000
_TICK_SECONDS = 0.008
_TOOLTIP = 2000
_DATE = "yyyy-MM-dd HH:mm"

Rows = Generator[None, None, list[Entry]]


class MemoryColumn(IntEnum):
    """The columns from left to right."""

    OBJECTIVE = 0
    ADDED = 1
    SOURCE = 2
    KEY = 3


class MemoryModel(QAbstractTableModel):
    """Entries that match a text, in an order. Every change of the rows is one reset."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: Sequence[Entry] = ()
        self._rows: list[Entry] = []
        self._needle = ""
        self._column = MemoryColumn.ADDED
        self._descending = True
        self._work: Rows | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_tick)
        self._heads = {
            MemoryColumn.OBJECTIVE: self.tr("Objective"),
            MemoryColumn.ADDED: self.tr("Added"),
            MemoryColumn.SOURCE: self.tr("Source"),
            MemoryColumn.KEY: self.tr("Id"),
        }

    @property
    def total(self) -> int:
        """The number of entries, shown or not."""
        return len(self._entries)

    @property
    def searching(self) -> bool:
        """Rows may be missing because they do not match."""
        return bool(self._needle)

    @property
    def busy(self) -> bool:
        """The rows are not yet those that were asked for."""
        return self._work is not None

    def entry(self, row: int) -> Entry:
        """What stands in a row."""
        return self._rows[row]

    def entries(self, first: int, last: int) -> list[Entry]:
        """What stands in the rows from ``first`` to ``last``."""
        return self._rows[first : last + 1]

    def rows_of(self, sequences: set[int]) -> list[int]:
        """Where the entries with these sequence numbers stand, from top to bottom."""
        return [row for row, entry in enumerate(self._rows) if entry.sequence in sequences]

    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Show other entries."""
        self._entries = entries
        self._arrange()

    def set_search(self, text: str) -> None:
        """Keep what has this text in its objective, source or id."""
        needle = text.strip().casefold()
        if needle != self._needle:
            self._needle = needle
            self._arrange()

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Put the rows into the order of a column; -1 is the order in which they were added."""
        self._column = MemoryColumn(column) if column >= 0 else MemoryColumn.ADDED
        self._descending = order == Qt.SortOrder.DescendingOrder
        self._arrange()

    def _arrange(self) -> None:
        key = _SORT_KEYS[self._column]
        self._work = _arranged(self._entries, self._needle, key, descending=self._descending)
        self._timer.start()
        self._on_tick()

    def _on_tick(self) -> None:
        """Go on for a moment; a small memory needs no more than that."""
        until = perf_counter() + _TICK_SECONDS
        try:
            while self._work is not None and perf_counter() < until:
                next(self._work)
        except StopIteration as end:
            self._work = None
            self._timer.stop()
            self.beginResetModel()
            self._rows = end.value
            self.endResetModel()

    @override
    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(MemoryColumn)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        entry, column = self._rows[index.row()], MemoryColumn(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _shown(entry, column)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip(_whole(entry, column))
        return None

    @override
    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        across = orientation == Qt.Orientation.Horizontal
        if not across or role != Qt.ItemDataRole.DisplayRole or section >= len(MemoryColumn):
            return None
        return self._heads[MemoryColumn(section)]


def shown_date(milliseconds: int) -> str:
    """A moment to the minute, in the time of this place."""
    return QDateTime.fromMSecsSinceEpoch(milliseconds).toString(_DATE)


def _shown(entry: Entry, column: MemoryColumn) -> str:
    match column:
        case MemoryColumn.OBJECTIVE:
            return one_line(entry.objective) or "\u2013"
        case MemoryColumn.ADDED:
            return shown_date(entry.added_at)
        case MemoryColumn.SOURCE:
            return one_line(_name_of(_place(entry))) or "\u2013"
        case MemoryColumn.KEY:
            return one_line(entry.key, 100)


def _whole(entry: Entry, column: MemoryColumn) -> str:
    match column:
        case MemoryColumn.OBJECTIVE:
            return shown_text(entry.objective, _TOOLTIP)
        case MemoryColumn.ADDED:
            return shown_date(entry.added_at)
        case MemoryColumn.SOURCE:
            return shown_text(_place(entry), _TOOLTIP)
        case MemoryColumn.KEY:
            return shown_text(entry.key, _TOOLTIP)


def _place(entry: Entry) -> str:
    return at_record(entry.source_path, entry.record)


def _name_of(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


_SORT_KEYS: dict[MemoryColumn, Callable[[Entry], tuple[str | int, int]]] = {
    MemoryColumn.OBJECTIVE: lambda entry: (entry.objective.casefold(), entry.sequence),
    MemoryColumn.ADDED: lambda entry: (entry.added_at, entry.sequence),
    MemoryColumn.SOURCE: lambda entry: (_name_of(entry.source_path).casefold(), entry.sequence),
    MemoryColumn.KEY: lambda entry: (entry.key.casefold(), entry.sequence),
}


def _matches(entry: Entry, needle: str) -> bool:
    return (
        needle in entry.objective.casefold()
        or needle in entry.key.casefold()
        or needle in entry.source_path.casefold()
    )


def _arranged(
    entries: Sequence[Entry],
    needle: str,
    key: Callable[[Entry], tuple[str | int, int]],
    *,
    descending: bool,
) -> Rows:
    """The entries that match, in order; gives way after each slice."""
    runs: list[list[Entry]] = []
    for start in range(0, len(entries), _SLICE):
        part: Sequence[Entry] = entries[start : start + _SLICE]
        if needle:
            part = [entry for entry in part if _matches(entry, needle)]
        runs.append(sorted(part, key=key, reverse=descending))
        yield
    merged = heapq.merge(*runs, key=key, reverse=descending)
    rows: list[Entry] = []
    while part := list(islice(merged, _SLICE)):
        rows += part
        yield
    return rows
