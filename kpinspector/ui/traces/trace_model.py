"""The list of traces as a table model that keeps its own order and filter."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import pairwise
from operator import methodcaller
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from typing_extensions import override

from kpinspector.app.document import Document, State
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


class TraceRole(IntEnum):
    """What the model gives beside Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    DOCUMENT = Qt.ItemDataRole.UserRole + 2


class _Entry:
    """A document of the list, with what was made of it once.

    Attributes:
        traits: By what it is counted.
        kept: The filter keeps it.
        row: What is shown of it, once it was asked for.
    """

    traits: Traits
    kept: bool

    def __init__(self, document: Document) -> None:
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
        self._states = _ALL_STATES
        self._column: TraceColumn | None = None
        self._descending = False
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
        for document in documents:
            entry = self._entries[document.number] = _Entry(document)
            renamed |= self._count_file(entry, 1)
            self._count(entry)
        self._entries = dict(sorted(self._entries.items()))
        self._follow((), renamed)

    def update_documents(self, documents: Iterable[Document]) -> None:
        """Replace rows by their numbers; a number that is not listed is passed over."""
        changed: list[_Entry] = []
        renamed: set[str] = set()
        for document in documents:
            entry = self._entries.get(document.number)
            if entry is not None:
                renamed |= self._put(entry, document)
                changed.append(entry)
        if changed:
            self._follow(changed, renamed)

    def _put(self, entry: _Entry, document: Document) -> set[str]:
        """Give an entry another value; the names that have to be shown anew."""
        self._discount(entry)
        renamed: set[str] = set()
        before = entry.document
        if document.item is before.item or _file_of(document) == _file_of(before):
            entry.put(document)
        else:
            renamed |= self._count_file(entry, -1)
            entry.put(document)
            renamed |= self._count_file(entry, 1)
        self._count(entry)
        return renamed

    def remove(self, numbers: Iterable[int]) -> None:
        """Take rows off the list."""
        gone = [self._entries.pop(one) for one in set(numbers) if one in self._entries]
        renamed: set[str] = set()
        for entry in gone:
            self._discount(entry)
            renamed |= self._count_file(entry, -1)
        if gone:
            self._follow((), renamed)

    # what is shown of it

    @property
    def active(self) -> bool:
        """Some rows may be hidden."""
        return self._query.active or self._states != _ALL_STATES

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
        self.counts.clear()
        for entry in self._entries.values():
            self._count(entry)
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
        """Order by a column; -1 is the order in which the rows came."""
        self._column = TraceColumn(column) if column >= 0 else None
        self._descending = order == Qt.SortOrder.DescendingOrder
        self._show(self._wanted())

    def _wanted(self) -> list[_Entry]:
        """The rows that are asked for, in the order that is asked for; equal ones as they came."""
        rows = [entry for entry in self._entries.values() if entry.kept]
        if self._column is not None:
            rows.sort(key=methodcaller("key", self._column), reverse=self._descending)
        return rows

    def _keeps(self, traits: Traits) -> bool:
        return traits.found and traits.state in self._states

    def _follow(self, changed: Sequence[_Entry], renamed: set[str]) -> None:
        """Show what is asked for of the list as it is now."""
        if renamed:  # they now need the suffix of their file, or no longer do
            others = [entry for entry in self._entries.values() if entry.name in renamed]
            for entry in others:
                entry.row = None
            changed = [*changed, *others]
        self._show(self._wanted())
        if changed:
            new = set(changed)
            self._tell_changed([row for row, entry in enumerate(self._rows) if entry in new])
        self.changed.emit()

    def _show(self, wanted: list[_Entry]) -> None:
        """Show these rows; the views hear of what went, what came and what moved."""
        if wanted == self._rows:
            return
        before, after = set(self._rows), set(wanted)
        come = [entry for entry in wanted if entry not in before]
        gone = [row for row, entry in enumerate(self._rows) if entry not in after]
        runs = tuple(ranges_of(gone))
        if len(runs) > _MOST_RANGES:
            self._reset(wanted)
            return
        for first, last in reversed(runs):
            self.beginRemoveRows(_ROOT, first, last)
            del self._rows[first : last + 1]
            self.endRemoveRows()
        if come:
            self.beginInsertRows(_ROOT, len(self._rows), len(self._rows) + len(come) - 1)
            self._rows += come
            self.endInsertRows()
        if wanted != self._rows:
            self._move(wanted)

    def _move(self, wanted: list[_Entry]) -> None:
        """Show the same rows in another order; what was selected stays so."""
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
            self._rows = wanted
            self.endResetModel()

    def _tell_changed(self, rows: Sequence[int]) -> None:
        runs = tuple(ranges_of(rows))
        for first, last in runs if len(runs) <= _MOST_RANGES else ((rows[0], rows[-1]),):
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(TraceColumn) - 1))

    # what is counted

    def _count(self, entry: _Entry) -> None:
        document = entry.document
        found = not self._query.active or entry.is_found(self._query)
        entry.traits = traits_of(document, found=found)
        entry.kept = self._keeps(entry.traits)
        self.counts[entry.traits] += document.count
        self._most_steps = max(self._most_steps, step_count(document))
        if needs_room(document):
            self._wide.add(document.number)

    def _discount(self, entry: _Entry) -> None:
        self.counts[entry.traits] -= entry.document.count
        self._wide.discard(entry.document.number)

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
        """The stem, or the whole file name where another file has the same stem."""
        if len(self._files[entry.name]) == 1:
            return entry.name
        path = PurePath(entry.document.path)
        return entry.name.replace(path.stem, path.name, 1)


def _head(column: TraceColumn) -> Head:
    word = heading(column)
    text = "" if column in SILENT_COLUMNS else word
    return Head(word, text, figure=column in NUMBER_COLUMNS)


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
