"""The list of traces as a table model that keeps its own order and filter."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import pairwise
from operator import methodcaller
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from typing_extensions import override

from kpinspector.app.document import Document, State, short_stem
from kpinspector.ui.tables.figure_model import Head, Index, RowModel
from kpinspector.ui.traces.row_counts import RowCounts, Traits, traits_of
from kpinspector.ui.traces.trace_query import Query, parse_query
from kpinspector.ui.traces.trace_row import (
    NUMBER_COLUMNS,
    SILENT_COLUMNS,
    SortKey,
    TraceColumn,
    TraceRow,
    cell_text,
    heading,
    lasting_keys,
    make_row,
    needs_room,
    searched_text,
    sort_key,
    spoken_text,
    step_count,
    tooltip,
)
from kpinspector.words.figures import shown_count

PROBLEM_STATES = frozenset({State.NOT_SCORABLE, State.UNREADABLE})

_ALL_STATES = frozenset(State)
_ROOT = QModelIndex()
_USUAL_INTERVAL = "0.00\N{EN DASH}0.00"
_USUAL_MARGIN = "\N{MINUS SIGN}0.0000"
_MOST_RANGES = 64  # told one by one; more scattered rows are cheaper as one
_WORTH_A_LOOK = 16  # where fewer than one row in so many changed, each is looked for


class TraceRole(IntEnum):
    """What the model gives beside Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    DOCUMENT = Qt.ItemDataRole.UserRole + 2


class _Entry:
    """A document of the list, with what was made of it once.

    Attributes:
        traits: By what it is counted.
        kept: The filter keeps it.
        listed: It is among the rows that the views know.
        row: What is shown of it, once it was asked for.
    """

    traits: Traits
    kept: bool

    def __init__(self, document: Document) -> None:
        self.listed = False
        self._take(document)

    def _take(self, document: Document) -> None:
        self.document, self.name = document, document.name
        self.row: TraceRow | None = None
        self._searched: str | None = None
        self._keys: dict[TraceColumn, SortKey] = {}

    def put(self, document: Document) -> None:
        """Take another value; of the same item what score and rules do not change is kept."""
        if document.item is not self.document.item:
            self._take(document)
            return
        self.document, self.row = document, None
        if self._keys:
            self._keys = lasting_keys(self._keys)

    def is_found(self, query: Query) -> bool:
        """It is what a filter's text asks for."""
        if query.words and self._searched is None:
            self._searched = searched_text(self.document, self.name)
        return query.keeps(self.document, self._searched or "")

    def key(self, column: TraceColumn) -> SortKey:
        """By what a column sorts it."""
        key = self._keys.get(column)
        if key is None:
            key = self._keys[column] = sort_key(self.document, self.name, column)
        return key


class TraceModel(RowModel):
    """Documents in the order in which they came, or by a column; those that a filter keeps.

    With recordings that are not read the usual order is that of their files, the newest first.

    A row is put in its place over keys made once: Qt's own proxy asks a model in Python for two
    keys at every comparison, which takes a second for ten thousand rows.
    """

    changed = Signal()
    """The list or what is kept of it changed; the views know already which rows did."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(tuple(map(_head, TraceColumn)), parent)
        self._entries: dict[int, _Entry] = {}  # all, by number, which is how they came
        self._rows: list[_Entry] = []  # those that are shown, as they are shown
        self._files: defaultdict[str, Counter[str]] = defaultdict(Counter)  # paths of every name
        self._wide: set[int] = set()  # numbers of those whose figures may need more digits
        self._most_steps = 0
        self._query = Query()
        self._asks = False  # the query is active: asked for every row that changes
        self._states = _ALL_STATES
        self._column: TraceColumn | None = None
        self._descending = False
        self._newest_first = False  # what is not read was listed: until the user sorts
        self.counts = RowCounts()

    # what is listed

    @property
    def total(self) -> int:
        """How many rows there are, shown or not."""
        return len(self._entries)

    def document(self, number: int | None) -> Document | None:
        """The document with that number, shown or not."""
        entry = None if number is None else self._entries.get(number)
        return None if entry is None else entry.document

    def index_of(self, number: int | None) -> QModelIndex:
        """Where the name of the document with that number is shown."""
        try:
            row = self._rows.index(self._entries[-1 if number is None else number])
        except (KeyError, ValueError):  # not listed, or hidden
            return QModelIndex()
        return self.index(row, TraceColumn.TRACE)

    def add_documents(self, documents: Iterable[Document]) -> None:
        """Insert rows by their numbers: new ones come last, others where they were."""
        renamed: set[str] = set()
        last, in_order = next(reversed(self._entries), -1), True
        for document in documents:
            entry = self._entries[document.number] = _Entry(document)
            renamed |= self._count_file(entry, 1)
            self._most_steps = max(self._most_steps, step_count(document))
            self._look_at(entry)
            self.counts[entry.traits] += document.count
            self._newest_first |= document.unread is not None
            in_order, last = in_order and last < document.number, document.number
        if not in_order:
            self._entries = dict(sorted(self._entries.items()))
        self._show(self._wanted())
        self._tell_names(renamed)
        self.changed.emit()

    def update_documents(self, documents: Iterable[Document]) -> None:
        """Replace rows by their numbers; a number that is not listed is passed over."""
        changed: list[_Entry] = []
        renamed: set[str] = set()
        moved, column = False, self._order
        for document in documents:
            entry = self._entries.get(document.number)
            if entry is None:
                continue
            before = column is None or entry.key(column)
            renamed |= self._put(entry, document)
            moved |= entry.kept != entry.listed or before != (column is None or entry.key(column))
            changed.append(entry)
        if not changed:
            return
        if moved:
            self._show(self._wanted())
        self._tell_changed(changed)
        self._tell_names(renamed)
        self.changed.emit()

    def _put(self, entry: _Entry, document: Document) -> set[str]:
        """Give an entry another value; the names that have to be shown anew."""
        renamed: set[str] = set()
        before, traits = entry.document, entry.traits
        if document.item is before.item or _file_of(document) == _file_of(before):
            entry.put(document)
        else:
            renamed |= self._count_file(entry, -1)
            entry.put(document)
            renamed |= self._count_file(entry, 1)
        if document.item is not before.item:
            self._most_steps = max(self._most_steps, step_count(document))
        self._look_at(entry)
        if (entry.traits, document.count) != (traits, before.count):
            self.counts[traits] -= before.count
            self.counts[entry.traits] += document.count
        return renamed

    def remove(self, numbers: Iterable[int]) -> None:
        """Take rows off the list."""
        gone = [self._entries.pop(one) for one in set(numbers) if one in self._entries]
        renamed: set[str] = set()
        for entry in gone:
            entry.kept = False
            self.counts[entry.traits] -= entry.document.count
            self._wide.discard(entry.document.number)
            renamed |= self._count_file(entry, -1)
        self._newest_first = self._newest_first and bool(self._entries)
        if gone:
            self._show(self._wanted())
            self._tell_names(renamed)
            self.changed.emit()

    # what is shown of it

    @property
    def active(self) -> bool:
        """Some rows may be hidden."""
        return self._asks or self._states != _ALL_STATES

    @property
    def states(self) -> frozenset[State]:
        """The states of which rows are shown."""
        return self._states

    def documents(self) -> Iterator[Document]:
        """The documents that are shown."""
        return (entry.document for entry in self._rows)

    @property
    def query(self) -> Query:
        """What was understood of the filter's text."""
        return self._query

    def set_text(self, text: str) -> None:
        """Show what a filter's text asks for."""
        self._query = parse_query(text)
        self._asks = self._query.active
        self.counts.clear()
        for entry in self._entries.values():
            self._look_at(entry)
            self.counts[entry.traits] += entry.document.count
        self._reset(self._wanted())
        self.changed.emit()

    def set_states(self, states: frozenset[State] | None) -> None:
        """Show what is in one of these states; None shows all."""
        self._states = _ALL_STATES if states is None else states
        for entry in self._entries.values():
            entry.kept = self._keeps(entry.traits)
        self._reset(self._wanted())
        self.changed.emit()

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Order by a column; -1 is the usual order."""
        self._column = TraceColumn(column) if column >= 0 else None
        self._descending = order == Qt.SortOrder.DescendingOrder
        self._show(self._wanted())

    def _wanted(self) -> list[_Entry]:
        """The rows that are asked for, in the order that is asked for; equal ones as they came."""
        rows = [entry for entry in self._entries.values() if entry.kept]
        if self._order is not None:
            descending = self._descending or self._column is None
            rows.sort(key=methodcaller("key", self._order), reverse=descending)
        return rows

    @property
    def _order(self) -> TraceColumn | None:
        """By what rows are sorted; None leaves them as they came."""
        usual = TraceColumn.CHANGED if self._newest_first else None
        return usual if self._column is None else self._column

    def _keeps(self, traits: Traits) -> bool:
        return traits.found and traits.state in self._states

    def _show(self, wanted: list[_Entry]) -> None:
        """Show these rows; the views hear of what went, what moved and what came."""
        gone = tuple(ranges_of([row for row, one in enumerate(self._rows) if not one.kept]))
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
        self._move([entry for entry in wanted if entry.listed] if come else wanted)
        for first, last in come:
            self.beginInsertRows(_ROOT, first, last)
            for entry in wanted[first : last + 1]:
                entry.listed = True
            self._rows[first:first] = wanted[first : last + 1]
            self.endInsertRows()

    def _move(self, wanted: list[_Entry]) -> None:
        """Show the same rows in another order; what was selected stays so."""
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

    def _reset(self, wanted: list[_Entry]) -> None:
        if wanted != self._rows:
            self.beginResetModel()
            for entry in self._rows:
                entry.listed = False
            for entry in wanted:
                entry.listed = True
            self._rows = wanted
            self.endResetModel()

    def _tell_names(self, renamed: set[str]) -> None:
        """These names now need the suffix of their file, or no longer do."""
        if renamed:
            entries = [entry for entry in self._entries.values() if entry.name in renamed]
            for entry in entries:
                entry.row = None
            self._tell_changed(entries)

    def _tell_changed(self, entries: Collection[_Entry]) -> None:
        rows = self._places(entries)
        runs = tuple(ranges_of(rows))
        for first, last in runs if len(runs) <= _MOST_RANGES else ((rows[0], rows[-1]),):
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(TraceColumn) - 1))

    def _places(self, entries: Collection[_Entry]) -> list[int]:
        """Where those of the entries that are shown stand, from top to bottom."""
        shown = {entry for entry in entries if entry.listed}
        if self._order is None and len(shown) < len(self._rows) // _WORTH_A_LOOK:
            numbers = sorted(entry.document.number for entry in shown)
            return [bisect_left(self._rows, one, key=_number_of) for one in numbers]
        return [row for row, entry in enumerate(self._rows) if entry in shown]

    # what is counted

    def _look_at(self, entry: _Entry) -> None:
        """Find out by what an entry is counted, and whether the filter keeps it."""
        document = entry.document
        entry.traits = traits_of(document, found=not self._asks or entry.is_found(self._query))
        entry.kept = self._keeps(entry.traits)
        (self._wide.add if needs_room(document) else self._wide.discard)(document.number)

    def _count_file(self, entry: _Entry, by: int) -> set[str]:
        """Count the file of an entry; its name, if it is now shown in another way."""
        paths = self._files[entry.name]
        alone = len(paths) < 2  # noqa: PLR2004
        paths[entry.document.path] += by
        if not paths[entry.document.path]:
            del paths[entry.document.path]
        return set() if alone == (len(paths) < 2) else {entry.name}  # noqa: PLR2004

    def widest_figures(self) -> Mapping[TraceColumn, Collection[str]]:
        """For each column of numbers those that may be its widest; none changes with the rows."""
        wide = [self._row(self._entries[number]) for number in self._wide]
        return {
            TraceColumn.SCORE: {_USUAL_INTERVAL, *(row.score_text for row in wide)},
            TraceColumn.MARGIN: {_USUAL_MARGIN, *(row.margin_text for row in wide)},
            TraceColumn.STEPS: {shown_count(self._most_steps)},
        }

    # what is in a cell

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry, column = self._rows[index.row()], TraceColumn(index.column())
        found: Any = None
        match role:
            case TraceRole.ROW:
                found = self._row(entry)
            case TraceRole.DOCUMENT:
                found = entry.document
            case Qt.ItemDataRole.DisplayRole:
                found = cell_text(self._row(entry), column)
            case Qt.ItemDataRole.AccessibleTextRole:
                found = spoken_text(self._row(entry), column)
            case Qt.ItemDataRole.ToolTipRole:
                found = tooltip(entry.document, self._row(entry))
        return found

    def _row(self, entry: _Entry) -> TraceRow:
        if entry.row is None:
            entry.row = make_row(entry.document, self._shown_name(entry))
        return entry.row

    def _shown_name(self, entry: _Entry) -> str:
        """The stem, or the whole file name where another file is called the same."""
        if len(self._files[entry.name]) == 1:
            return entry.name
        path = PurePath(entry.document.path)
        stem = path.stem if entry.document.format is None else short_stem(entry.document.path)
        return entry.name.replace(stem, path.name, 1)


def _head(column: TraceColumn) -> Head:
    word = heading(column)
    text = "" if column in SILENT_COLUMNS else word
    return Head(word, text, figure=column in NUMBER_COLUMNS)


def _number_of(entry: _Entry) -> int:
    return entry.document.number


def _file_of(document: Document) -> tuple[str, str]:
    """By what rows are told apart where names are the same."""
    return document.name, document.path


def ranges_of(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of neighbours among sorted numbers, first and last."""
    if not rows:
        return
    breaks = [n for n, (one, other) in enumerate(pairwise(rows), 1) if other != one + 1]
    for start, end in pairwise((0, *breaks, len(rows))):
        yield rows[start], rows[end - 1]
