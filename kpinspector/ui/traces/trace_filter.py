"""What is kept of the list, and in what order: over keys made once, never over shown text."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractProxyModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
)
from typing_extensions import override

from kpinspector.app.document import Document, State
from kpinspector.ui.traces.census import NO_SHARE, Census, Share, share_of
from kpinspector.ui.traces.trace_model import TraceModel, ranges_of
from kpinspector.ui.traces.trace_query import Query, parse_query
from kpinspector.ui.traces.trace_row import TraceColumn

Index = QModelIndex | QPersistentModelIndex

_MOST_RUNS = 64  # more scattered rows come and go cheaper as one reset
_UNSORTED = -1
_HIDDEN = -1


class TraceFilter(QAbstractProxyModel):
    """Sorts by the keys of a column; filters by a query and by state.

    Qt's own proxy asks a model in Python for two keys at every comparison, which takes a second
    for ten thousand rows; sorting a list of numbers takes milliseconds.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[int] = []  # of the source, in the order in which they are shown
        self._places: list[int] = []  # of each row of the source
        self._found: list[bool] = []  # each row of the source is what the query asks for
        self.census = Census()  # of what the query finds; of scores only those that are shown
        self._query = Query()
        self._states: frozenset[State] | None = None
        self._column = _UNSORTED
        self._order = Qt.SortOrder.AscendingOrder
        self._resetting = False
        self._sorter = QTimer(self, singleShot=True, interval=0)
        self._sorter.timeout.connect(self._sort_rows)

    # what is asked for

    def set_text(self, text: str) -> Query:
        """Keep what a filter's text asks for; gives what was understood."""
        self._query = parse_query(text)
        self._look_again()
        return self._query

    def set_states(self, states: frozenset[State] | None) -> None:
        """Keep what is in one of these states; None keeps all."""
        self._states = states
        self._count_again()
        self._show(self._kept_rows())

    @property
    def active(self) -> bool:
        """Some rows may be hidden."""
        return self._query.active or self._states is not None

    def documents(self) -> Iterator[Document]:
        """The documents that are shown."""
        entry = self._source.entry
        return (entry(row).document for row in self._rows)

    # the model

    @override
    def setSourceModel(self, sourceModel: QAbstractItemModel) -> None:
        super().setSourceModel(sourceModel)
        self._source: TraceModel = sourceModel  # type: ignore[assignment]
        sourceModel.modelAboutToBeReset.connect(self.beginResetModel)
        sourceModel.modelReset.connect(self._on_reset)
        sourceModel.rowsInserted.connect(self._on_inserted)
        sourceModel.rowsAboutToBeRemoved.connect(self._on_about_to_be_removed)
        sourceModel.rowsRemoved.connect(self._on_removed)
        sourceModel.dataChanged.connect(self._on_changed)
        self._on_reset(reset=False)

    @override
    def mapToSource(self, proxyIndex: Index) -> QModelIndex:
        if not proxyIndex.isValid() or proxyIndex.row() >= len(self._rows):
            return QModelIndex()
        return self._source.createIndex(self._rows[proxyIndex.row()], proxyIndex.column())

    @override
    def mapFromSource(self, sourceIndex: Index) -> QModelIndex:
        row = sourceIndex.row()
        place = self._places[row] if 0 <= row < len(self._places) else _HIDDEN
        return QModelIndex() if place == _HIDDEN else self.index(place, sourceIndex.column())

    @override
    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        inside = 0 <= row < len(self._rows) and 0 <= column < len(TraceColumn)
        return self.createIndex(row, column) if inside and not parent.isValid() else QModelIndex()

    @override
    def parent(self, child: Index) -> QModelIndex:  # type: ignore[override]
        return QModelIndex()

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(TraceColumn)

    @override
    def data(self, proxyIndex: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not proxyIndex.isValid():
            return None
        row, column = self._rows[proxyIndex.row()], TraceColumn(proxyIndex.column())
        return self._source.value(row, column, role)

    @override
    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        return self._source.headerData(section, orientation, role)

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._column, self._order = column, order
        self._sort_rows()

    def _sort_rows(self) -> None:
        """Bring the shown rows into order; what was selected stays so."""
        self._sorter.stop()
        rows = self._in_order(sorted(self._rows))
        if rows == self._rows:
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        sources = [(self._rows[index.row()], index.column()) for index in before]
        self._set_rows(rows)
        after = [self.index(self._places[row], column) for row, column in sources]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def _in_order(self, rows: list[int]) -> list[int]:
        """Rows that stand as they came, in the order that is asked for; equal ones keep theirs."""
        if self._column == _UNSORTED:
            return rows
        keys = self._source.sort_keys(TraceColumn(self._column))
        descending = self._order == Qt.SortOrder.DescendingOrder
        return sorted(rows, key=keys.__getitem__, reverse=descending)

    # what is kept

    def _finds(self, row: int) -> bool:
        entry = self._source.entry(row)
        searched = entry.searched() if self._query.words else ""
        return self._query.keeps(entry.document, searched)

    def _find(self, rows: Iterable[int]) -> list[bool]:
        return [self._finds(row) for row in rows] if self._query.active else [True for _ in rows]

    def _keeps(self, row: int) -> bool:
        return self._found[row] and self._keeps_state(self._source.entry(row).state)

    def shown_count(self) -> int:
        """How many records the rows that are shown stand for."""
        found = self.census.states.items()
        return sum(number for state, number in found if self._keeps_state(state))

    def _keeps_state(self, state: State) -> bool:
        return self._states is None or state in self._states

    def _shares(self, rows: Iterable[int]) -> list[Share]:
        """What rows add to the counts."""
        return [self._share(row) if self._found[row] else NO_SHARE for row in rows]

    def _share(self, row: int) -> Share:
        entry = self._source.entry(row)
        return share_of(entry.document, entry.state, shown=self._keeps_state(entry.state))

    def _count_again(self) -> None:
        self.census.reset(self._shares(range(len(self._found))))

    def _kept_rows(self) -> list[int]:
        return self._in_order([row for row in range(len(self._found)) if self._keeps(row)])

    def _look_again(self) -> None:
        self._found = self._find(range(len(self._found)))
        self._count_again()
        self._show(self._kept_rows())

    def _show(self, rows: list[int]) -> None:
        if rows != self._rows:
            self.beginResetModel()
            self._set_rows(rows)
            self.endResetModel()

    def _set_rows(self, rows: list[int]) -> None:
        self._rows = rows
        self._number()

    def _number(self) -> None:
        self._places = [_HIDDEN] * len(self._found)
        for place, row in enumerate(self._rows):
            self._places[row] = place

    # what the source says

    def _on_reset(self, *, reset: bool = True) -> None:
        self._found = self._find(range(self._source.rowCount()))
        self._count_again()
        self._set_rows(self._kept_rows())
        if reset:
            self.endResetModel()

    def _on_inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        new = last - first + 1
        self._rows = [row if row < first else row + new for row in self._rows]
        self._found[first:first] = self._find(range(first, last + 1))
        self.census.insert(first, self._shares(range(first, last + 1)))
        self._number()
        self._insert([row for row in range(first, last + 1) if self._keeps(row)])

    def _insert(self, rows: list[int]) -> None:
        """Show more rows, those of the source that are neighbours; sorted soon, all together."""
        if not rows:
            return
        at = len(self._rows) if self._column != _UNSORTED else bisect_left(self._rows, rows[0])
        self.beginInsertRows(QModelIndex(), at, at + len(rows) - 1)
        self._rows[at:at] = rows
        self._number()
        self.endInsertRows()
        self._sort_soon()

    def _on_about_to_be_removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        """Rows go while the source still has them, so that all others can be asked for."""
        places = sorted(place for place in self._places[first : last + 1] if place != _HIDDEN)
        runs = tuple(ranges_of(places))
        self._resetting = len(runs) > _MOST_RUNS
        if self._resetting:
            self.beginResetModel()
            gone = set(places)
            self._set_rows([row for place, row in enumerate(self._rows) if place not in gone])
        else:
            self._remove(runs)

    def _remove(self, runs: Sequence[tuple[int, int]]) -> None:
        for first, last in reversed(runs):
            self.beginRemoveRows(QModelIndex(), first, last)
            del self._rows[first : last + 1]
            self._number()
            self.endRemoveRows()

    def _on_removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        gone = last - first + 1
        self._rows = [row if row < first else row - gone for row in self._rows]
        del self._found[first : last + 1]
        self.census.remove(first, last)
        self._number()
        if self._resetting:
            self._resetting = False
            self.endResetModel()

    def _on_changed(self, top: QModelIndex, bottom: QModelIndex) -> None:
        first, last = top.row(), bottom.row()
        changed = range(first, last + 1)
        self._found[first : last + 1] = self._find(changed)
        self.census.replace(first, self._shares(changed))
        kept = [row for row in changed if self._keeps(row)]
        shown = [row for row in changed if self._places[row] != _HIDDEN]
        if kept != shown:
            self._come_and_go(set(shown) - set(kept), sorted(set(kept) - set(shown)))
        self._tell_changed(sorted(self._places[r] for r in kept if self._places[r] != _HIDDEN))
        self._sort_soon()

    def _come_and_go(self, gone: set[int], come: list[int]) -> None:
        leaving = tuple(ranges_of(sorted(self._places[row] for row in gone)))
        coming = tuple(ranges_of(come))
        if len(leaving) + len(coming) > _MOST_RUNS:
            self._show(self._kept_rows())
            return
        self._remove(leaving)
        for first, last in coming:
            self._insert(list(range(first, last + 1)))

    def _tell_changed(self, places: Sequence[int]) -> None:
        runs = tuple(ranges_of(places))
        for first, last in runs if len(runs) <= _MOST_RUNS else ((places[0], places[-1]),):
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(TraceColumn) - 1))

    def _sort_soon(self) -> None:
        if self._column != _UNSORTED and not self._sorter.isActive():
            self._sorter.start()
