"""The list of traces as a table model that keeps its own order and filter."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from operator import attrgetter, methodcaller
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
    needs_room,
    places_in,
)
from kpinspector.words.say import in_words

if TYPE_CHECKING:
    from kpinspector.app.batches import BatchPicture

PROBLEM_STATES = frozenset({State.NOT_SCORABLE, State.UNREADABLE})
ROW_ROLE = Qt.ItemDataRole.UserRole + 1
"""What the views ask of the model: the `TraceRow`."""

_ALL_STATES = frozenset(State)
_ROOT = QModelIndex()
_NUMBER = attrgetter("document.number")
_MOST_RANGES = 64  # beyond this, telling the views of one large range is cheaper
_WORTH_A_LOOK = 16  # if fewer than one row in 16 changed, search for each instead of scanning


class TraceModel(RowModel):
    """The documents that a filter keeps, in the order in which they came or sorted by a column.

    Once unread recordings are listed, the usual order is by file, the newest first.

    Rows are sorted here, by keys computed once: Qt's own proxy would ask a model in Python for two
    keys at every comparison, which takes a second for ten thousand rows.
    """

    changed = Signal()
    """The list or what the filter keeps has changed; the views already know which rows did."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__([one.make_head() for one in COLUMNS], parent)
        self._every: dict[int, TraceRow] = {}  # by number, in the order they came
        self.rows: list[TraceRow] = []  # what the views show
        self._files: defaultdict[str, dict[str, int]] = defaultdict(dict)  # paths by name
        self._renamed: set[str] = set()
        self._wide: set[int] = set()  # documents whose figures may need more digits
        self.query = Query()
        self._asks = False  # whether the query is active, kept because every changed row asks
        self.states = _ALL_STATES
        self._column: TraceColumn | None = None
        self._descending = False
        self._newest_first = False  # unread recordings were listed: until the user sorts
        self.counts = RowCounts()
        self.knows_batch = False

    # what is listed

    @property
    def total(self) -> int:
        """How many documents there are, shown or not."""
        return len(self._every)

    def document(self, number: int | None) -> Document | None:
        """The document with this number, whether shown or not."""
        row = None if number is None else self._every.get(number)
        return None if row is None else row.document

    def index_of(self, number: int | None) -> QModelIndex:
        """The index of a document's name; invalid where its row is not shown."""
        try:
            place = self.rows.index(self._every[-1 if number is None else number])
        except (KeyError, ValueError):  # not listed, or hidden
            return QModelIndex()
        return self.index(place, TraceColumn.TRACE)

    def add_documents(self, documents: Iterable[Document]) -> None:
        """Add documents in the order of their numbers: new ones last, others where they were."""
        last, in_order = next(reversed(self._every), -1), True
        for document in documents:
            row = self._every[document.number] = TraceRow(document, document.name)
            self._count_file(row, 1)
            self._look_at(row)
            self._newest_first |= document.unread is not None
            in_order, last = in_order and last < document.number, document.number
        if not in_order:
            self._every = dict(sorted(self._every.items()))
        self._tell(())

    def update_documents(self, documents: Iterable[Document]) -> None:
        """Replace documents by number; numbers that are not listed are ignored."""
        listed = ((self._every.get(one.number), one) for one in documents)
        self._put((row, one, row.place) for row, one in listed if row)

    def remove(self, numbers: Iterable[int]) -> None:
        """Take rows off the list."""
        gone = [self._every.pop(one) for one in set(numbers) if one in self._every]
        for row in gone:
            row.kept = False
            self._uncount(row)
            self._wide.discard(row.document.number)
            self._count_file(row, -1)
        self._newest_first = self._newest_first and bool(self._every)
        if gone:
            self._tell(())

    def set_batch(self, picture: "BatchPicture | None") -> None:
        """Set the groups and the plan of all open traces; None while neither is known."""
        self.knows_batch = picture is not None
        found = {} if picture is None else places_in(picture)
        self._put(
            (one, one.document, replace(found.get(number, NOWHERE), in_clear=one.place.in_clear))
            for number, one in self._every.items()
        )

    def set_in_clear(self, counts: Mapping[int, int]) -> None:
        """Set how much of some documents would leave in clear, by number."""
        listed = ((self._every.get(number), count) for number, count in counts.items())
        self._put(
            (one, one.document, replace(one.place, in_clear=count)) for one, count in listed if one
        )

    def _put(self, values: Iterable[tuple[TraceRow, Document, BatchPlace]]) -> None:
        """Give rows other documents or places, and show them where these belong."""
        changed: list[TraceRow] = []
        moved = False
        for row, document, place in values:
            if document is row.document and place == row.place:
                continue
            before = self._standing(row)
            same_file = document.item is row.document.item
            if not same_file:
                self._count_file(row, -1)
            self._uncount(row)
            row.put(document, place)
            self._look_at(row)
            if not same_file:
                self._count_file(row, 1)
            moved |= before != self._standing(row)
            changed.append(row)
        if changed:
            self._tell(changed, moved=moved)

    # what is shown of it

    @property
    def active(self) -> bool:
        """Whether a filter may be hiding rows."""
        return self._asks or self.states != _ALL_STATES

    @property
    def shown(self) -> tuple[Document, ...]:
        """The documents that are shown, from top to bottom."""
        return tuple(one.document for one in self.rows)

    def rows_of(self, numbers: Collection[int]) -> list[int]:
        """The rows of those of these documents that are shown, from top to bottom."""
        return [place for place, one in enumerate(self.rows) if one.document.number in numbers]

    def set_text(self, text: str) -> None:
        """Filter by a text."""
        self.query = parse_query(text)
        self._asks = self.query.active
        self.counts.clear()
        for row in self._every.values():
            self._look_at(row)
        self._reset(self._wanted())
        self.changed.emit()

    def set_states(self, states: frozenset[State] | None) -> None:
        """Show only rows in these states; None shows all."""
        self.states = _ALL_STATES if states is None else states
        for row in self._every.values():
            row.kept = self._keeps(row.traits)
        self._reset(self._wanted())
        self.changed.emit()

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 restores the usual order."""
        self._column = TraceColumn(column) if column >= 0 else None
        self._descending = order == Qt.SortOrder.DescendingOrder
        self._show(self._wanted())

    @property
    def asks_in_clear(self) -> bool:
        """Whether order or filter depend on what leaves in clear."""
        return LEAKS in self.query.values or self._column is TraceColumn.IN_CLEAR

    def uncounted(self) -> tuple[Document, ...]:
        """The documents for which it is not known yet what leaves in clear."""
        every = self._every.values()
        return tuple(one.document for one in every if one.place.in_clear is None)

    def _wanted(self) -> list[TraceRow]:
        """All rows to show, in order: those that compare equal as they came, unknown ones last."""
        kept = [row for row in self._every.values() if row.kept]
        column = self._order
        if column is None:
            return kept
        known = [row for row in kept if row.key(column) is not None]
        descending = self._descending or self._column is None
        known.sort(key=methodcaller("key", column), reverse=descending)
        return known + [row for row in kept if row.key(column) is None]

    def _standing(self, row: TraceRow) -> tuple[object, ...]:
        """Everything that decides whether and where a row is shown."""
        return row.kept, None if self._order is None else row.key(self._order)

    @property
    def _order(self) -> TraceColumn | None:
        """The column rows are sorted by; None keeps the order in which they came."""
        usual = TraceColumn.CHANGED if self._newest_first else None
        return usual if self._column is None else self._column

    def _keeps(self, traits: Traits) -> bool:
        hidden = traits.file and not self.active
        return traits.found and traits.state in self.states and not hidden

    def _show(self, wanted: list[TraceRow]) -> None:
        """Show these rows, telling the views which were removed, moved and inserted."""
        stay = set(wanted)
        gone = tuple(ranges_of([place for place, one in enumerate(self.rows) if one not in stay]))
        come = tuple(ranges_of([place for place, one in enumerate(wanted) if not one.listed]))
        if len(gone) + len(come) > _MOST_RANGES:
            self._reset(wanted)
            return
        for first, last in reversed(gone):
            self.beginRemoveRows(_ROOT, first, last)
            for row in self.rows[first : last + 1]:
                row.listed = False
            del self.rows[first : last + 1]
            self.endRemoveRows()
        self._move([one for one in wanted if one.listed] if come else wanted)
        for first, last in come:
            self.beginInsertRows(_ROOT, first, last)
            for row in wanted[first : last + 1]:
                row.listed = True
            self.rows[first:first] = wanted[first : last + 1]
            self.endInsertRows()

    def _move(self, wanted: list[TraceRow]) -> None:
        """Show the same rows in another order, keeping the selection."""
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

    def _reset(self, wanted: list[TraceRow]) -> None:
        if wanted != self.rows:
            self.beginResetModel()
            for row in self.rows:
                row.listed = False
            for row in wanted:
                row.listed = True
            self.rows = wanted
            self.endResetModel()

    def _tell(self, changed: Iterable[TraceRow], *, moved: bool = True) -> None:
        """Tell the views what is shown now, perhaps other rows, and which are to be painted anew.

        Among these are rows whose names gained or lost their file's suffix.
        """
        if moved:
            self._show(self._wanted())
        self._tell_changed(changed)
        if self._renamed:
            every, renamed, self._renamed = self._every.values(), self._renamed, set()
            again = [one for one in every if _is_file(one) and one.document.name in renamed]
            for row in again:
                self._call(row)
            self._tell_changed(again)
        self.changed.emit()

    def _tell_changed(self, rows: Iterable[TraceRow]) -> None:
        shown = {one for one in rows if one.listed}
        if self._order is None and len(shown) < len(self.rows) // _WORTH_A_LOOK:
            numbers = sorted(one.document.number for one in shown)
            places = [bisect_left(self.rows, one, key=_NUMBER) for one in numbers]
        else:
            places = [n for n, one in enumerate(self.rows) if one in shown] if shown else []
        runs = tuple(ranges_of(places))
        for first, last in runs if len(runs) <= _MOST_RANGES else ((places[0], places[-1]),):
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(TraceColumn) - 1))

    # what is counted

    def _look_at(self, row: TraceRow) -> None:
        """Count a row, and find whether the filter keeps it."""
        document = row.document
        row.traits = traits_of(document, found=not self._asks or self.query.keeps(row))
        row.kept = self._keeps(row.traits)
        self.counts[row.traits] += document.count
        (self._wide.add if needs_room(document) else self._wide.discard)(document.number)

    def _uncount(self, row: TraceRow) -> None:
        self.counts[row.traits] -= row.document.count

    def _count_file(self, row: TraceRow, by: int) -> None:
        """Count a row's file up or down, and keep its name if that is now shown differently."""
        name, path = row.document.name, row.document.path
        if not _is_file(row):
            row.called = name
            return
        paths = self._files[name]
        before = len(paths)
        paths[path] = paths.get(path, 0) + by
        if not paths[path]:
            del paths[path]
        self._call(row)
        if min(before, len(paths)) < 2 <= max(before, len(paths)):  # noqa: PLR2004
            self._renamed.add(name)

    def _call(self, row: TraceRow) -> None:
        """Call a file's row by the stem; where others share it, by the whole name or its folder."""
        row.called = name = row.document.name
        if len(files := self._files[name]) > 1:
            path = PurePath(row.document.path)
            elsewhere = any(PurePath(one).parent != path.parent for one in files)
            whole = f"{path.parent.name}/{path.name}" if elsewhere else path.name
            row.called = name.replace(path.stem, whole, 1)

    def widest_figures(
        self, columns: Iterable[TraceColumn] = FIGURE_COLUMNS
    ) -> dict[TraceColumn, Collection[str]]:
        """The texts that may be the widest of each figure column; they rarely change."""
        found: dict[TraceColumn, Collection[str]] = {}
        every, wide = list(self._every.values()), [self._every[one] for one in self._wide]
        for one in FIGURE_COLUMNS.intersection(columns):
            rows = wide
            if COLUMNS[one].counted and every:
                counts = [int(row.key(one) or 0) for row in every]
                rows = [every[counts.index(max(counts))]]
            found[one] = {in_words(COLUMNS[one].figure), *[row.text(one) for row in rows]}
        return found

    # what is in a cell

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


def _is_file(row: TraceRow) -> bool:
    """Whether it is called by its file, as other rows may be."""
    return row.document.format is None
