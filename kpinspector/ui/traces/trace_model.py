"""The model of the list of traces, which sorts and filters its rows itself."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from typing_extensions import override

from kpinspector.app.document import Document, State
from kpinspector.ui.tables import ranges_of
from kpinspector.ui.tables.figure_model import Index, RowModel
from kpinspector.ui.traces import RowCounts, Traits, traits_of
from kpinspector.ui.traces.trace_query import LEAKS, Query, parse_query
from kpinspector.ui.traces.trace_row import (
    COLUMNS,
    FIGURE_COLUMNS,
    NOWHERE,
    BatchPlace,
    TraceColumn,
    TraceRow,
    places_in,
)
from kpinspector.words.say import in_words

if TYPE_CHECKING:
    from kpinspector.app.batches import BatchPicture

PROBLEM_STATES = frozenset({State.NOT_SCORABLE, State.UNREADABLE})
ROW_ROLE = Qt.ItemDataRole.UserRole + 1
"""The role for which the model returns the `TraceRow`."""

_ALL_STATES = frozenset(State)
_ROOT = QModelIndex()
_MOST_RANGES = 64  # for more, one change of the whole range is cheaper for the views


class TraceModel(RowModel):
    """The documents that the filter keeps, as they came or sorted by a column.

    Once unread recordings are in the list, its usual order is by date, the newest first.

    Rows are sorted here, by keys computed once: Qt's own proxy would ask a model in Python for two
    keys at every comparison, which takes a second for ten thousand rows.
    """

    changed = Signal()
    """The list or what the filter keeps has changed; the views already know which rows did."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__([one.make_head() for one in COLUMNS], parent)
        self._every: dict[int, TraceRow] = {}  # by number, in the order in which they came
        self.rows: list[TraceRow] = []  # those that the filter keeps, in the views' order
        self.query = Query()
        self.states = _ALL_STATES
        self._column: TraceColumn | None = None
        self._descending = False
        self._newest_first = False  # unread recordings are listed; it counts until the user sorts
        self.counts = RowCounts()
        self.knows_batch = False

    # the documents

    @property
    def total(self) -> int:
        """The number of documents, whether the filter keeps them or not."""
        return len(self._every)

    def document(self, number: int | None) -> Document | None:
        """The document with this number, whether the filter keeps it or not; None without one."""
        row = None if number is None else self._every.get(number)
        return None if row is None else row.document

    def index_of(self, number: int | None) -> QModelIndex:
        """The index of a document's name, by number; invalid if its row is hidden."""
        try:
            place = self.rows.index(self._every[-1 if number is None else number])
        except (KeyError, ValueError):  # not listed, or hidden
            return QModelIndex()
        return self.index(place, TraceColumn.TRACE)

    def add_documents(self, documents: Iterable[Document]) -> None:
        """Add documents in the order of their numbers: new ones last, others where they were."""
        rows = {one.number: TraceRow(one, one.name) for one in documents}
        for row in rows.values():
            self._count_row(row)
            self._newest_first |= row.document.unread is not None
        self._every = dict(sorted((self._every | rows).items()))
        self._update_views((), {row.document.name for row in rows.values()})

    def update_documents(self, documents: Iterable[Document]) -> None:
        """Replace documents by their numbers; numbers that are not in the list are ignored."""
        listed = ((self._every.get(one.number), one) for one in documents)
        self._put((row, one, row.place) for row, one in listed if row)

    def remove(self, numbers: Iterable[int]) -> None:
        """Remove rows from the list."""
        gone = [self._every.pop(one) for one in set(numbers) if one in self._every]
        for row in gone:
            self.counts[row.traits] -= row.document.count
        self._newest_first = self._newest_first and bool(self._every)
        if gone:
            self._update_views((), {row.document.name for row in gone})

    def set_batch(self, picture: "BatchPicture | None") -> None:
        """Set the groups and the plan of all traces; None while neither is known."""
        self.knows_batch = picture is not None
        found = {} if picture is None else places_in(picture)
        self._put(
            (one, one.document, replace(found.get(number, NOWHERE), in_clear=one.place.in_clear))
            for number, one in self._every.items()
        )

    def set_in_clear(self, counts: Mapping[int, int]) -> None:
        """Set for these documents, by number, how many texts would leave in clear."""
        listed = ((self._every.get(number), count) for number, count in counts.items())
        self._put(
            (one, one.document, replace(one.place, in_clear=count)) for one, count in listed if one
        )

    def _put(self, values: Iterable[tuple[TraceRow, Document, BatchPlace]]) -> None:
        """Give rows newer documents or places, and move the rows where they belong now."""
        changed: list[TraceRow] = []
        names: set[str] = set()
        moved = False
        for row, document, place in values:
            if document is row.document and place == row.place:
                continue
            if document.item is not row.document.item:
                names |= {row.document.name, document.name}
            self.counts[row.traits] -= row.document.count
            before = self._standing(row)
            row.put(document, place)
            self._count_row(row)
            moved |= before != self._standing(row)
            changed.append(row)
        if changed:
            self._update_views(changed, names, moved=moved)

    # filter and order

    @property
    def active(self) -> bool:
        """Whether a filter is set."""
        return self.query.active or self.states != _ALL_STATES

    @property
    def shown(self) -> tuple[Document, ...]:
        """The documents that the filter keeps, from top to bottom."""
        return tuple(one.document for one in self.rows)

    def set_text(self, text: str) -> None:
        """Set the filter's text."""
        self.query = parse_query(text)
        self.counts.clear()
        for row in self._every.values():
            self._count_row(row)
        self._show()
        self.changed.emit()

    def set_states(self, states: frozenset[State] | None) -> None:
        """Keep only rows in these states; None keeps all."""
        self.states = _ALL_STATES if states is None else states
        for row in self._every.values():
            row.kept = self._keeps(row.traits)
        self._show()
        self.changed.emit()

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 restores the usual order."""
        self._column = TraceColumn(column) if column >= 0 else None
        self._descending = order == Qt.SortOrder.DescendingOrder
        self._show()

    @property
    def asks_in_clear(self) -> bool:
        """Whether the order or the filter needs to know what leaves in clear."""
        return LEAKS in self.query.values or self._column is TraceColumn.IN_CLEAR

    def uncounted(self) -> tuple[Document, ...]:
        """The documents of which it is not known yet what leaves in clear."""
        every = self._every.values()
        return tuple(one.document for one in every if one.place.in_clear is None)

    def _rows_to_show(self) -> list[TraceRow]:
        """The rows that the filter keeps, in order: equal ones as they came, unknown ones last."""
        kept = [row for row in self._every.values() if row.kept]
        column = self._order
        if column is None:
            return kept
        keys: dict[TraceRow, Any] = {row: row.key(column) for row in kept}
        known = [row for row in kept if keys[row] is not None]
        known.sort(key=keys.__getitem__, reverse=self._descending or self._column is None)
        return known + [row for row in kept if keys[row] is None]

    def _standing(self, row: TraceRow) -> tuple[object, ...]:
        """Everything that decides whether and where a row is shown, to be compared."""
        return row.kept, None if self._order is None else row.key(self._order)

    @property
    def _order(self) -> TraceColumn | None:
        """The column that rows are sorted by; None for the order in which they came."""
        usual = TraceColumn.CHANGED if self._newest_first else None
        return usual if self._column is None else self._column

    def _keeps(self, traits: Traits) -> bool:
        hidden = traits.file and not self.active
        return traits.found and traits.state in self.states and not hidden

    def _show(self) -> None:
        """Show the wanted rows in order; all that are shown before and after stay selected.

        For that, rows go from the end of the list, and come at its end, before all are sorted.
        """
        wanted = self._rows_to_show()
        if wanted == self.rows:
            return
        here, stay = set(self.rows), set(wanted)
        kept = [one for one in wanted if one in here]
        come = [one for one in wanted if one not in here]
        if gone := [one for one in self.rows if one not in stay]:
            self._move(kept + gone)
            self.beginRemoveRows(_ROOT, len(kept), len(self.rows) - 1)
            self.rows = kept
            self.endRemoveRows()
        if come:
            self.beginInsertRows(_ROOT, len(kept), len(wanted) - 1)
            self.rows = self.rows + come
            self.endInsertRows()
        self._move(wanted)

    def _move(self, wanted: list[TraceRow]) -> None:
        """Put the same rows in another order, keeping the selection."""
        if wanted == self.rows:
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        rows = [(self.rows[index.row()], index.column()) for index in before]
        self.rows = wanted
        places = {row: place for place, row in enumerate(wanted)} if before else {}
        after = [self.index(places[row], column) for row, column in rows]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def _update_views(
        self, changed: Iterable[TraceRow], names: Collection[str], *, moved: bool = True
    ) -> None:
        """Tell the views which rows to paint again; ``moved``: rows may come, go or move.

        Rows with these names that get a longer or shorter name are painted again as well.
        """
        again = {*changed, *self._rename_alike(names)}
        if moved:
            self._show()
        places = [place for place, one in enumerate(self.rows) if one in again] if again else []
        runs = tuple(ranges_of(places))
        for first, last in runs if len(runs) <= _MOST_RANGES else ((places[0], places[-1]),):
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(TraceColumn) - 1))
        self.changed.emit()

    def _count_row(self, row: TraceRow) -> None:
        """Count a row, and note whether the filter keeps it."""
        found = not self.query.active or self.query.keeps(row)
        row.traits = traits_of(row.document, found=found)
        row.kept = self._keeps(row.traits)
        self.counts[row.traits] += row.document.count

    def _rename_alike(self, names: Collection[str]) -> Iterator[TraceRow]:
        """Add suffix or folder to the names of files called the same; yield rows that change.

        Recordings are left as they are.
        """
        alike: defaultdict[str, list[TraceRow]] = defaultdict(list)
        for row in self._every.values() if names else ():
            if row.document.name in names:
                alike[row.document.name].append(row)
        for name, rows in alike.items():
            files = {one: PurePath(one.document.path) for one in rows if not one.document.format}
            paths = {*files.values()}
            elsewhere = len({path.parent for path in paths}) > 1
            for row in rows:
                called, path = name, files.get(row)
                if path is not None and len(paths) > 1:
                    whole = f"{path.parent.name}/{path.name}" if elsewhere else path.name
                    called = name.replace(path.stem, whole, 1)
                if called != row.called:
                    row.called = called
                    yield row

    def widest_figures(
        self, columns: Iterable[TraceColumn] = FIGURE_COLUMNS
    ) -> dict[TraceColumn, Collection[str]]:
        """For figure columns the texts of which one is the widest; they change rarely."""
        found: dict[TraceColumn, Collection[str]] = {}
        every = list(self._every.values())
        for one in FIGURE_COLUMNS.intersection(columns):
            rows = [row for row in every if row.is_wide]
            if COLUMNS[one].counted and every:
                counts = [int(row.key(one) or 0) for row in every]
                rows = [every[counts.index(max(counts))]]
            found[one] = {in_words(COLUMNS[one].figure), *[row.text(one) for row in rows]}
        return found

    # the cells

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], TraceColumn(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.text(column)
            case Qt.ItemDataRole.AccessibleTextRole:
                return row.spoken(column)
            case Qt.ItemDataRole.ToolTipRole:
                return row.tooltip()
        return row if role == ROW_ROLE else None
