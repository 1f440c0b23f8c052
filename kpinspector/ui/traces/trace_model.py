"""The list of traces as a table model."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    Qt,
    Signal,
)
from typing_extensions import override

from kpinspector.app.document import Document, State
from kpinspector.ui.tables.figure_model import Head, Index, RowModel
from kpinspector.ui.traces.trace_row import (
    NUMBER_COLUMNS,
    SILENT_COLUMNS,
    ListEntry,
    SortKey,
    TraceColumn,
    TraceRow,
    cell_text,
    heading,
    make_row,
    needs_room,
    spoken_text,
    step_count,
    tooltip,
)
from kpinspector.words.figures import shown_count

PROBLEM_STATES = frozenset({State.NOT_SCORABLE, State.UNREADABLE})

_USUAL_INTERVAL = "0.00\N{EN DASH}0.00"
_USUAL_MARGIN = "\N{MINUS SIGN}0.0000"
_MOST_RANGES = 64  # removed one by one; more scattered rows are cheaper as one reset


class TraceRole(IntEnum):
    """What the model gives beside Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    DOCUMENT = Qt.ItemDataRole.UserRole + 2


class TraceModel(RowModel):
    """Documents in the order in which they came."""

    counts_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(tuple(map(_head, TraceColumn)), parent)
        self._rows: list[ListEntry] = []
        self._row_of: dict[int, int] = {}
        self._paths: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._counts: Counter[State] = Counter()
        self._wide: set[int] = set()  # numbers of those whose figures may need more digits
        self._most_steps = 0
        self._leaving: frozenset[int] = frozenset()

    def set_documents(self, documents: Iterable[Document]) -> None:
        """Show these and no others; the same ones in the same order are replaced in place."""
        entries = [_entry(document) for document in documents]
        if entries and [e.document.number for e in entries] == list(self._row_of):
            self._fill(entries)
            self._emit_changed(0, len(entries) - 1)
        else:
            self.beginResetModel()
            self._fill(entries)
            self.endResetModel()
        self.counts_changed.emit()

    def add_documents(self, documents: Iterable[Document]) -> None:
        """Insert rows by their numbers: new ones come last, others where they were."""
        entries = [_entry(document) for document in documents]
        if not entries:
            return
        numbers = list(self._row_of)
        by_place: dict[int, list[ListEntry]] = defaultdict(list)
        for entry in entries:
            by_place[bisect_left(numbers, entry.document.number)].append(entry)
        if len(by_place) > _MOST_RANGES:
            whole = sorted((*self._rows, *entries), key=lambda one: one.document.number)
            self.set_documents([one.document for one in whole])
            return
        colliding: set[str] = set()
        for first in sorted(by_place, reverse=True):
            colliding |= self._insert(first, by_place[first])
        self._rename(colliding)
        self.counts_changed.emit()

    def _insert(self, first: int, entries: list[ListEntry]) -> set[str]:
        """Insert neighbours; the names that may have to be shown anew."""
        self.beginInsertRows(QModelIndex(), first, first + len(entries) - 1)
        colliding = {entry.name for entry in entries if self._register(entry)}
        self._rows[first:first] = entries
        self._number_from(first)
        if first + len(entries) < len(self._rows):
            self._row_of = dict(sorted(self._row_of.items()))
        self.endInsertRows()
        return colliding

    def update_documents(self, documents: Iterable[Document]) -> None:
        """Replace rows by number; their views hear of it in as few signals as pay.

        A number that is not listed is passed over.
        """
        rows: list[int] = []
        renamed: set[str] = set()
        for document in documents:
            row = self._row_of.get(document.number)
            if row is not None:
                renamed |= self._replace(row, document)
                rows.append(row)
        if not rows:
            return
        ranges = tuple(ranges_of(sorted(set(rows))))
        for first, last in ranges if len(ranges) <= _MOST_RANGES else ((min(rows), max(rows)),):
            self._emit_changed(first, last)
        self._rename(renamed)
        self.counts_changed.emit()

    def _replace(self, row: int, document: Document) -> set[str]:
        """Put a document in its row; the names that may have to be shown anew."""
        old = self._rows[row]
        if old.document.item is document.item:
            self._count(old, -1)
            old.put(document)
            self._count(old, 1)
            return set()
        new = self._rows[row] = _entry(document)
        if (old.name, old.document.path) == (new.name, document.path):
            self._count(old, -1)
            self._count(new, 1)
            return set()
        self._unregister(old)
        self._register(new)
        return {old.name, new.name}

    def remove(self, numbers: Iterable[int]) -> None:
        """Take rows off the list."""
        gone = {self._row_of[number] for number in numbers if number in self._row_of}
        if not gone:
            return
        self._leaving = frozenset(self._rows[row].document.number for row in gone)
        ranges = tuple(ranges_of(sorted(gone)))
        if len(ranges) > _MOST_RANGES:
            self.set_documents([e.document for e in self._rows if self.keeps(e.document.number)])
        else:
            self._remove_ranges(ranges)
            self.counts_changed.emit()
        self._leaving = frozenset()

    def _remove_ranges(self, ranges: Sequence[tuple[int, int]]) -> None:
        singled: set[str] = set()
        for first, last in reversed(ranges):
            self.beginRemoveRows(QModelIndex(), first, last)
            singled |= {e.name for e in self._rows[first : last + 1] if self._unregister(e)}
            for entry in self._rows[first : last + 1]:
                del self._row_of[entry.document.number]
            del self._rows[first : last + 1]
            self._number_from(first)
            self.endRemoveRows()
        self._rename(singled)

    def document(self, number: int) -> Document | None:
        """The document with that number."""
        row = self._row_of.get(number)
        return None if row is None else self._rows[row].document

    def keeps(self, number: int | None) -> bool:
        """The document with that number is listed and not just being removed."""
        return number in self._row_of and number not in self._leaving

    def row_of(self, number: int) -> int | None:
        """Where the document with that number stands."""
        return self._row_of.get(number)

    def count(self, states: Iterable[State]) -> int:
        """How many documents are in one of these states."""
        return sum(map(self._counts.__getitem__, states))

    def widest_figures(self) -> Mapping[TraceColumn, Collection[str]]:
        """For each column of numbers those that may be its widest; none changes with the rows."""
        wide = [self._row(self._rows[self._row_of[number]]) for number in self._wide]
        return {
            TraceColumn.SCORE: {_USUAL_INTERVAL, *(row.score_text for row in wide)},
            TraceColumn.MARGIN: {_USUAL_MARGIN, *(row.margin_text for row in wide)},
            TraceColumn.STEPS: {shown_count(self._most_steps)},
        }

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        return self.value(index.row(), TraceColumn(index.column()), role)

    def value(self, place: int, column: TraceColumn, role: int) -> Any:
        """What a cell gives for a role; without an index, for those who ask for many."""
        entry = self._rows[place]
        match role:
            case TraceRole.ROW:
                return self._row(entry)
            case TraceRole.DOCUMENT:
                return entry.document
            case Qt.ItemDataRole.DisplayRole:
                return cell_text(self._row(entry), column)
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken_text(self._row(entry), column)
            case Qt.ItemDataRole.ToolTipRole:
                return tooltip(entry.document, self._row(entry))
        return None

    def entry(self, place: int) -> ListEntry:
        """The row at a place."""
        return self._rows[place]

    def sort_keys(self, column: TraceColumn) -> list[SortKey]:
        """By what a column sorts every row; each key is made once."""
        return [entry.key(column) for entry in self._rows]

    def _row(self, entry: ListEntry) -> TraceRow:
        if entry.row is None:
            entry.row = make_row(entry.document, self._shown_name(entry))
        return entry.row

    def _shown_name(self, entry: ListEntry) -> str:
        """The stem, or the whole file name where another file has the same stem."""
        if len(self._paths[entry.name]) == 1:
            return entry.name
        path = PurePath(entry.document.path)
        return entry.name.replace(path.stem, path.name, 1)

    def _fill(self, entries: list[ListEntry]) -> None:
        self._rows = entries
        self._row_of = {entry.document.number: row for row, entry in enumerate(entries)}
        self._paths.clear()
        self._counts.clear()
        self._wide.clear()
        self._most_steps = 0
        for entry in entries:
            self._register(entry)

    def _number_from(self, first: int) -> None:
        for row in range(first, len(self._rows)):
            self._row_of[self._rows[row].document.number] = row

    def _count(self, entry: ListEntry, by: int) -> None:
        self._counts[entry.state] += by * entry.document.count
        if needs_room(entry.document):
            (self._wide.add if by > 0 else self._wide.discard)(entry.document.number)

    def _register(self, entry: ListEntry) -> bool:
        """Count a row; True when it is the second file of its stem."""
        self._count(entry, 1)
        self._most_steps = max(self._most_steps, step_count(entry.document))
        paths = self._paths[entry.name]
        paths[entry.document.path] += 1
        return len(paths) == 2 and paths[entry.document.path] == 1  # noqa: PLR2004

    def _unregister(self, entry: ListEntry) -> bool:
        """Discount a row; True when one file of its stem is left."""
        self._count(entry, -1)
        paths = self._paths[entry.name]
        paths[entry.document.path] -= 1
        if paths[entry.document.path]:
            return False
        del paths[entry.document.path]
        return len(paths) == 1

    def _rename(self, names: set[str]) -> None:
        """Show these names anew, as they now need or no longer need the suffix."""
        if not names:
            return
        for row, entry in enumerate(self._rows):
            if entry.name in names:
                entry.row = None
                self._emit_changed(row, row)

    def _emit_changed(self, first: int, last: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(TraceColumn) - 1))


def _head(column: TraceColumn) -> Head:
    word = heading(column)
    text = "" if column in SILENT_COLUMNS else word
    return Head(word, text, figure=column in NUMBER_COLUMNS)


def _entry(document: Document) -> ListEntry:
    return ListEntry(document, document.name, document.state)


def ranges_of(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of neighbours among sorted numbers, first and last."""
    if not rows:
        return
    breaks = [n for n, (one, other) in enumerate(pairwise(rows), 1) if other != one + 1]
    for start, end in pairwise((0, *breaks, len(rows))):
        yield rows[start], rows[end - 1]
