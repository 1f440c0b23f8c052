"""The list of traces as a table model that keeps its own order and filter."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import pairwise
from operator import attrgetter, methodcaller
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from typing_extensions import override

from kpinspector.app.document import Document, State
from kpinspector.ui.tables.figure_model import Head, Index, RowModel
from kpinspector.ui.traces.row_counts import RowCounts, Traits, traits_of
from kpinspector.ui.traces.trace_query import LEAKS, Query, parse_query
from kpinspector.ui.traces.trace_row import (
    ALONE,
    DIMENSION_COLUMNS,
    LASTING_COLUMNS,
    LEFT_OUT,
    NOWHERE,
    NUMBER_COLUMNS,
    BatchPlace,
    SortKey,
    TraceColumn,
    TraceRow,
    group_word,
    head_text,
    heading,
    needs_room,
    place_word,
    places_in,
    searched_text,
    sort_key,
    step_count,
)
from kpinspector.words.figures import shown_count

if TYPE_CHECKING:
    from kpinspector.app.batches import BatchPicture

PROBLEM_STATES = frozenset({State.NOT_SCORABLE, State.UNREADABLE})

_ALL_STATES = frozenset(State)
_ROOT = QModelIndex()
_USUAL_FIGURES = {
    TraceColumn.SCORE: "0.00\N{EN DASH}0.00",
    TraceColumn.MARGIN: "\N{MINUS SIGN}0.0000",
    **dict.fromkeys(DIMENSION_COLUMNS, "0.000"),
}
_NUMBER = attrgetter("document.number")
_MOST_RANGES = 64  # beyond this, telling the views of one large range is cheaper
_WORTH_A_LOOK = 16  # if fewer than one row in 16 changed, search for each instead of scanning


class TraceRole(IntEnum):
    """Data roles beside Qt's own."""

    ROW = Qt.ItemDataRole.UserRole + 1
    DOCUMENT = Qt.ItemDataRole.UserRole + 2


class ListEntry:
    """A document of the list, with what was made of it once.

    Attributes:
        traits: What it is counted by.
        kept: Whether the filter keeps it.
        listed: Whether it is among the rows that the views know.
        row: What is shown of it, once it was asked for.
        place: Where it stands among all open traces.
        is_file: Whether it is called by its file, as other rows may be.
    """

    traits: Traits
    kept: bool

    def __init__(self, document: Document) -> None:
        self.document, self.place = document, NOWHERE
        self.is_file = document.format is None
        self.listed = False
        self.row: TraceRow | None = None
        self._searched: str | None = None
        self._keys: dict[TraceColumn, SortKey] = {}

    def put(self, document: Document) -> None:
        """Take another value; of the same item, what score and rules do not change is kept."""
        if document.item is not self.document.item:
            self._searched, self._keys = None, {}
            self.is_file = document.format is None
            self.place = replace(self.place, in_clear=None)
        self.document, self.row = document, None
        self._keep_lasting()

    def put_at(self, place: BatchPlace) -> None:
        """Take another place among all open traces."""
        self.place = place
        self._keep_lasting()

    def _keep_lasting(self) -> None:
        if self._keys:
            lasting = self._keys.keys() & LASTING_COLUMNS
            self._keys = {column: self._keys[column] for column in lasting}

    def is_found(self, query: Query) -> bool:
        """Whether it is what the filter's text asks for."""
        if query.words and self._searched is None:
            self._searched = searched_text(self.document)
        return query.keeps(self.document, self._searched or "", self.place)

    def key(self, column: TraceColumn) -> SortKey:
        """What a column sorts it by."""
        if column not in self._keys:
            self._keys[column] = sort_key(self.document, column, self.place)
        return self._keys[column]


class TraceModel(RowModel):
    """The documents that a filter keeps, in the order in which they came or sorted by a column.

    Once unread recordings are listed, the usual order is by file, the newest first.

    Rows are sorted here, by keys computed once: Qt's own proxy would ask a model in Python for two
    keys at every comparison, which takes a second for ten thousand rows.
    """

    changed = Signal()
    """The list or what the filter keeps has changed; the views already know which rows did."""

    def __init__(self, parent: QObject | None = None) -> None:
        heads = (
            Head(heading(one), head_text(one), figure=one in NUMBER_COLUMNS) for one in TraceColumn
        )
        super().__init__(tuple(heads), parent)
        self._entries: dict[int, ListEntry] = {}  # all, by number, in the order they came
        self._rows: list[ListEntry] = []  # what the views show
        self._files: defaultdict[str, Counter[str]] = defaultdict(Counter)  # paths by name
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
        return len(self._entries)

    def document(self, number: int | None) -> Document | None:
        """The document with this number, whether shown or not."""
        entry = None if number is None else self._entries.get(number)
        return None if entry is None else entry.document

    def index_of(self, number: int | None) -> QModelIndex:
        """The index of a document's name; invalid where its row is not shown."""
        try:
            row = self._rows.index(self._entries[-1 if number is None else number])
        except (KeyError, ValueError):  # not listed, or hidden
            return QModelIndex()
        return self.index(row, TraceColumn.TRACE)

    def add_documents(self, documents: Iterable[Document]) -> None:
        """Add documents in the order of their numbers: new ones last, others where they were."""
        renamed: set[str] = set()
        last, in_order = next(reversed(self._entries), -1), True
        for document in documents:
            entry = self._entries[document.number] = ListEntry(document)
            renamed |= self._count_file(entry, 1)
            self._look_at(entry)
            self._newest_first |= document.unread is not None
            in_order, last = in_order and last < document.number, document.number
        if not in_order:
            self._entries = dict(sorted(self._entries.items()))
        self._tell((), renamed)

    def update_documents(self, documents: Iterable[Document]) -> None:
        """Replace documents by number; numbers that are not listed are ignored."""
        changed: list[ListEntry] = []
        renamed: set[str] = set()
        moved = False
        for document in documents:
            entry = self._entries.get(document.number)
            if entry is None:
                continue
            before = self._standing(entry)
            same_file = document.item is entry.document.item
            if not same_file:
                renamed |= self._count_file(entry, -1)
            self._uncount(entry)
            entry.put(document)
            self._look_at(entry)
            if not same_file:
                renamed |= self._count_file(entry, 1)
            moved |= before != self._standing(entry)
            changed.append(entry)
        if changed:
            self._tell(changed, renamed, moved=moved)

    def remove(self, numbers: Iterable[int]) -> None:
        """Take rows off the list."""
        gone = [self._entries.pop(one) for one in set(numbers) if one in self._entries]
        renamed: set[str] = set()
        for entry in gone:
            entry.kept = False
            self._uncount(entry)
            self._wide.discard(entry.document.number)
            renamed |= self._count_file(entry, -1)
        self._newest_first = self._newest_first and bool(self._entries)
        if gone:
            self._tell((), renamed)

    # what is shown of it

    @property
    def active(self) -> bool:
        """Whether a filter may be hiding rows."""
        return self._asks or self.states != _ALL_STATES

    @property
    def shown(self) -> tuple[Document, ...]:
        """The documents that are shown, from top to bottom."""
        return tuple(one.document for one in self._rows)

    def rows_of(self, numbers: Collection[int]) -> list[int]:
        """The rows of those of these documents that are shown, from top to bottom."""
        return [row for row, one in enumerate(self._rows) if one.document.number in numbers]

    def set_text(self, text: str) -> None:
        """Filter by a text."""
        self.query = parse_query(text)
        self._asks = self.query.active
        self.counts.clear()
        for entry in self._entries.values():
            self._look_at(entry)
        self._reset(self._wanted())
        self.changed.emit()

    def set_states(self, states: frozenset[State] | None) -> None:
        """Show only rows in these states; None shows all."""
        self.states = _ALL_STATES if states is None else states
        for entry in self._entries.values():
            entry.kept = self._keeps(entry.traits)
        self._reset(self._wanted())
        self.changed.emit()

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 restores the usual order."""
        self._column = TraceColumn(column) if column >= 0 else None
        self._descending = order == Qt.SortOrder.DescendingOrder
        self._show(self._wanted())

    def set_batch(self, picture: "BatchPicture | None") -> None:
        """Set the groups and the plan of all open traces; None while neither is known."""
        self.knows_batch = picture is not None
        found = {} if picture is None else places_in(picture)
        self._put_at(
            (one, replace(found.get(number, NOWHERE), in_clear=one.place.in_clear))
            for number, one in self._entries.items()
        )

    @property
    def asks_in_clear(self) -> bool:
        """Whether order or filter depend on what leaves in clear."""
        return LEAKS in self.query.values or self._column is TraceColumn.IN_CLEAR

    def uncounted(self) -> tuple[Document, ...]:
        """The documents for which it is not known yet what leaves in clear."""
        every = self._entries.values()
        return tuple(one.document for one in every if one.place.in_clear is None)

    def set_in_clear(self, counts: Mapping[int, int]) -> None:
        """Set how much of some documents would leave in clear, by number."""
        listed = ((self._entries.get(number), count) for number, count in counts.items())
        self._put_at((one, replace(one.place, in_clear=count)) for one, count in listed if one)

    def _put_at(self, places: Iterable[tuple[ListEntry, BatchPlace]]) -> None:
        changed = []
        for entry, place in places:
            if place != entry.place:
                self._uncount(entry)
                entry.put_at(place)
                self._look_at(entry)
                changed.append(entry)
        if changed:
            self._tell(changed, ())

    def _wanted(self) -> list[ListEntry]:
        """All rows to show, in order; rows that compare equal stay in the order they came."""
        kept = [entry for entry in self._entries.values() if entry.kept]
        return kept if self._order is None else self._sorted(kept, self._order)

    def _sorted(self, entries: Iterable[ListEntry], column: TraceColumn) -> list[ListEntry]:
        """Sort by a column; entries without a value come last in either direction."""
        known: list[ListEntry] = []
        unknown: list[ListEntry] = []
        for entry in entries:
            (unknown if entry.key(column) is None else known).append(entry)
        descending = self._descending or self._column is None
        known.sort(key=methodcaller("key", column), reverse=descending)
        return known + unknown

    def _standing(self, entry: ListEntry) -> tuple[object, ...]:
        """Everything that decides whether and where an entry is shown."""
        return entry.kept, None if self._order is None else entry.key(self._order)

    @property
    def _order(self) -> TraceColumn | None:
        """The column rows are sorted by; None keeps the order in which they came."""
        usual = TraceColumn.CHANGED if self._newest_first else None
        return usual if self._column is None else self._column

    def _keeps(self, traits: Traits) -> bool:
        hidden = traits.file and not self.active
        return traits.found and traits.state in self.states and not hidden

    def _show(self, wanted: list[ListEntry]) -> None:
        """Show these rows, telling the views which were removed, moved and inserted."""
        stay = set(wanted)
        gone = tuple(ranges_of([row for row, one in enumerate(self._rows) if one not in stay]))
        come = tuple(ranges_of([row for row, one in enumerate(wanted) if not one.listed]))
        if len(gone) + len(come) > _MOST_RANGES:
            self._reset(wanted)
            return
        for first, last in reversed(gone):
            self.beginRemoveRows(_ROOT, first, last)
            for entry in self._rows[first : last + 1]:
                entry.listed = False
            del self._rows[first : last + 1]
            self.endRemoveRows()
        self._move([one for one in wanted if one.listed] if come else wanted)
        for first, last in come:
            self.beginInsertRows(_ROOT, first, last)
            for entry in wanted[first : last + 1]:
                entry.listed = True
            self._rows[first:first] = wanted[first : last + 1]
            self.endInsertRows()

    def _move(self, wanted: list[ListEntry]) -> None:
        """Show the same rows in another order, keeping the selection."""
        if wanted == self._rows:
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        entries = [(self._rows[index.row()], index.column()) for index in before]
        self._rows = wanted
        rows = {entry: row for row, entry in enumerate(wanted)} if before else {}
        after = [self.index(rows[entry], column) for entry, column in entries]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def _reset(self, wanted: list[ListEntry]) -> None:
        if wanted != self._rows:
            self.beginResetModel()
            for entry in self._rows:
                entry.listed = False
            for entry in wanted:
                entry.listed = True
            self._rows = wanted
            self.endResetModel()

    def _tell(
        self, changed: Iterable[ListEntry], renamed: Collection[str], *, moved: bool = True
    ) -> None:
        """Tell the views what is shown now, and which rows are to be painted anew.

        Args:
            changed: Have another document or place.
            renamed: Names that gained or lost their file's suffix.
            moved: Rows may have come, gone or moved.
        """
        if moved:
            self._show(self._wanted())
        self._tell_changed(changed)
        if renamed:
            every = self._entries.values()
            again = [one for one in every if one.is_file and one.document.name in renamed]
            for entry in again:
                entry.row = None
            self._tell_changed(again)
        self.changed.emit()

    def _tell_changed(self, entries: Iterable[ListEntry]) -> None:
        shown = {one for one in entries if one.listed}
        if self._order is None and len(shown) < len(self._rows) // _WORTH_A_LOOK:
            numbers = sorted(one.document.number for one in shown)
            rows = [bisect_left(self._rows, one, key=_NUMBER) for one in numbers]
        else:
            rows = [row for row, one in enumerate(self._rows) if one in shown] if shown else []
        runs = tuple(ranges_of(rows))
        for first, last in runs if len(runs) <= _MOST_RANGES else ((rows[0], rows[-1]),):
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(TraceColumn) - 1))

    # what is counted

    def _look_at(self, entry: ListEntry) -> None:
        """Count an entry, and find whether the filter keeps it."""
        document = entry.document
        entry.traits = traits_of(document, found=not self._asks or entry.is_found(self.query))
        entry.kept = self._keeps(entry.traits)
        self.counts[entry.traits] += document.count
        (self._wide.add if needs_room(document) else self._wide.discard)(document.number)

    def _uncount(self, entry: ListEntry) -> None:
        self.counts[entry.traits] -= entry.document.count

    def _count_file(self, entry: ListEntry, by: int) -> set[str]:
        """Count an entry's file up or down; returns its name if that is now shown differently."""
        if not entry.is_file:
            return set()
        name, path = entry.document.name, entry.document.path
        paths = self._files[name]
        alone = len(paths) < 2  # noqa: PLR2004
        paths[path] += by
        if not paths[path]:
            del paths[path]
        return set() if alone == (len(paths) < 2) else {name}  # noqa: PLR2004

    def widest_figures(
        self, columns: Iterable[TraceColumn] = NUMBER_COLUMNS
    ) -> dict[TraceColumn, Collection[str]]:
        """The texts that may be the widest of each figure column; they rarely change."""
        return {one: self._widest(one) for one in columns if one in NUMBER_COLUMNS}

    def _widest(self, column: TraceColumn) -> Collection[str]:
        every = self._entries.values()
        match column:
            case TraceColumn.GROUP:
                most = max((one.place.group or ALONE for one in every), default=ALONE)
                return {group_word(ALONE), shown_count(most)}
            case TraceColumn.PLACE:
                most = max((one.place.place or LEFT_OUT for one in every), default=LEFT_OUT)
                return {place_word(LEFT_OUT), shown_count(most)}
            case TraceColumn.IN_CLEAR:
                return {shown_count(max((one.place.in_clear or 0 for one in every), default=0))}
            case TraceColumn.STEPS:
                most = max((step_count(one.document) for one in every), default=0)
                return {shown_count(max(0, most))}
        wide = (self._entries[number] for number in self._wide)
        return {_USUAL_FIGURES[column], *(self._row(one).text(column) for one in wide)}

    # what is in a cell

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry, column = self._rows[index.row()], TraceColumn(index.column())
        row = self._row(entry)
        found: Any = None
        match role:
            case TraceRole.ROW:
                found = row
            case TraceRole.DOCUMENT:
                found = entry.document
            case Qt.ItemDataRole.DisplayRole:
                found = row.text(column, entry.place)
            case Qt.ItemDataRole.AccessibleTextRole:
                found = row.spoken(column) or row.text(column, entry.place)
            case Qt.ItemDataRole.ToolTipRole:
                found = row.tooltip()
        return found

    def _row(self, entry: ListEntry) -> TraceRow:
        """What is shown: under the stem, or the full file name if another has the same stem."""
        if entry.row is None:
            name, path = entry.document.name, PurePath(entry.document.path)
            if entry.is_file and len(self._files[name]) > 1:
                name = name.replace(path.stem, path.name, 1)
            entry.row = TraceRow(entry.document, name)
        return entry.row


def ranges_of(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The runs of consecutive numbers in a sorted sequence, as first and last."""
    if not rows:
        return
    breaks = [n for n, (one, other) in enumerate(pairwise(rows), 1) if other != one + 1]
    for start, end in pairwise((0, *breaks, len(rows))):
        yield rows[start], rows[end - 1]
