"""The list of traces as a table model, and its sorting and filtering."""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from kpinspector.app.document import Document, State
from kpinspector.scoring.assess import Verdict
from kpinspector.scoring.figures import shown_interval
from kpinspector.ui.controls import plain_tooltip
from kpinspector.ui.plain_text import one_line
from kpinspector.ui.trace_row import (
    TraceRow,
    make_row,
    name_key,
    number_key,
    searched_text,
    state_word,
    too_close,
)

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

Index = QModelIndex | QPersistentModelIndex

PROBLEM_STATES = frozenset({State.NOT_SCORABLE, State.UNREADABLE})

_MOST_RANGES = 64  # removed one by one; more scattered rows are cheaper as one reset
_TOOLTIP_LENGTH = 1000
_STATE_ORDER = {state: number for number, state in enumerate(State)}


class TraceColumn(IntEnum):
    """The columns of the list."""

    STATE = 0
    SCORE = 1
    BAR = 2
    TRACE = 3


class TraceRole(IntEnum):
    """What the model gives beside Qt's own roles."""

    SORT = Qt.ItemDataRole.UserRole + 1
    ROW = Qt.ItemDataRole.UserRole + 2
    DOCUMENT = Qt.ItemDataRole.UserRole + 3
    SEARCH = Qt.ItemDataRole.UserRole + 4


@dataclass(slots=True)
class _Entry:
    document: Document
    name: str
    state: State
    row: TraceRow | None = None
    search: str | None = None


class TraceModel(QAbstractTableModel):
    """Documents in the order in which they came."""

    counts_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: list[_Entry] = []
        self._rows: dict[int, int] = {}
        self._paths: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._counts: Counter[State] = Counter()
        self._leaving: frozenset[int] = frozenset()

    def set_documents(self, documents: Iterable[Document]) -> None:
        """Show these and no others; the same ones in the same order are replaced in place."""
        entries = [_entry(document) for document in documents]
        if entries and [e.document.number for e in entries] == list(self._rows):
            self._fill(entries)
            self._emit_changed(0, len(entries) - 1)
        else:
            self.beginResetModel()
            self._fill(entries)
            self.endResetModel()
        self.counts_changed.emit()

    def add_documents(self, documents: Iterable[Document]) -> None:
        """Append rows."""
        entries = [_entry(document) for document in documents]
        if not entries:
            return
        first = len(self._entries)
        self.beginInsertRows(QModelIndex(), first, first + len(entries) - 1)
        colliding = {entry.name for entry in entries if self._register(entry)}
        self._entries += entries
        self._number_from(first)
        self.endInsertRows()
        self._rename(colliding)
        self.counts_changed.emit()

    def update_document(self, document: Document) -> None:
        """Replace the row with that number; a number that is not listed is passed over."""
        self.update_documents((document,))

    def update_documents(self, documents: Iterable[Document]) -> None:
        """Replace several rows; their views hear of it in as few signals as pay."""
        rows: list[int] = []
        renamed: set[str] = set()
        for document in documents:
            row = self._rows.get(document.number)
            if row is not None:
                renamed |= self._replace(row, document)
                rows.append(row)
        if not rows:
            return
        ranges = tuple(_ranges(sorted(set(rows))))
        for first, last in ranges if len(ranges) <= _MOST_RANGES else ((min(rows), max(rows)),):
            self._emit_changed(first, last)
        self._rename(renamed)
        self.counts_changed.emit()

    def _replace(self, row: int, document: Document) -> set[str]:
        """Put a document in its row; the names that may have to be shown anew."""
        old, new = self._entries[row], _entry(document)
        if old.document.item is document.item:
            new.search = old.search
        self._entries[row] = new
        if (old.name, old.document.path) == (new.name, document.path):
            self._counts[old.state] -= 1
            self._counts[new.state] += 1
            return set()
        self._unregister(old)
        self._register(new)
        return {old.name, new.name}

    def remove(self, numbers: Iterable[int]) -> None:
        """Take rows off the list."""
        gone = {self._rows[number] for number in numbers if number in self._rows}
        if not gone:
            return
        self._leaving = frozenset(self._entries[row].document.number for row in gone)
        ranges = tuple(_ranges(sorted(gone)))
        if len(ranges) > _MOST_RANGES:
            self.set_documents([e.document for e in self._entries if self.keeps(e.document.number)])
        else:
            self._remove_ranges(ranges)
            self.counts_changed.emit()
        self._leaving = frozenset()

    def _remove_ranges(self, ranges: Sequence[tuple[int, int]]) -> None:
        singled: set[str] = set()
        for first, last in reversed(ranges):
            self.beginRemoveRows(QModelIndex(), first, last)
            singled |= {e.name for e in self._entries[first : last + 1] if self._unregister(e)}
            for entry in self._entries[first : last + 1]:
                del self._rows[entry.document.number]
            del self._entries[first : last + 1]
            self._number_from(first)
            self.endRemoveRows()
        self._rename(singled)

    def document(self, number: int) -> Document | None:
        """The document with that number."""
        row = self._rows.get(number)
        return None if row is None else self._entries[row].document

    def keeps(self, number: int | None) -> bool:
        """The document with that number is listed and not just being removed."""
        return number in self._rows and number not in self._leaving

    def row_of(self, number: int) -> int | None:
        """Where the document with that number stands."""
        return self._rows.get(number)

    def count(self, states: Iterable[State]) -> int:
        """How many documents are in one of these states."""
        return sum(self._counts[state] for state in states)

    def scores(self) -> Iterator[tuple[float, bool]]:
        """Every known score, and whether it is accepted."""
        for entry in self._entries:
            assessment = entry.document.assessment
            if assessment is not None:
                yield assessment.score, assessment.verdict is Verdict.ACCEPTED

    def widest_score(self) -> str:
        """A score that needs more digits than others, or an interval like any."""
        close = (e for e in self._entries if too_close(e.document))
        widest = max((self._row(e).score_text for e in close), key=len, default="")
        return max(widest, shown_interval(0.0, 1.0 - 1e-9), key=len)

    def threshold(self) -> float | None:
        """The threshold by which the list is judged; None while it is empty."""
        return self._entries[0].document.rules.threshold if self._entries else None

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._entries)

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(TraceColumn)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry, column = self._entries[index.row()], TraceColumn(index.column())
        match role:
            case TraceRole.ROW:
                return self._row(entry)
            case TraceRole.SORT:
                return self._sort_key(entry, column)
            case TraceRole.SEARCH:
                return self._search(entry)
            case TraceRole.DOCUMENT:
                return entry.document
        return self._in_words(entry, column, role)

    def _in_words(self, entry: _Entry, column: TraceColumn, role: int) -> str | None:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(entry, column)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._accessible(entry, column)
            case Qt.ItemDataRole.ToolTipRole:
                return self._tooltip(entry)
        return None

    @override
    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = TraceColumn(section)
        silent = column in {TraceColumn.STATE, TraceColumn.BAR}
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return "" if silent else self._heading(column)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._heading(column)
            case Qt.ItemDataRole.TextAlignmentRole if column is TraceColumn.SCORE:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def _heading(self, column: TraceColumn) -> str:
        match column:
            case TraceColumn.STATE:
                return self.tr("State")
            case TraceColumn.SCORE:
                return self.tr("Score")
            case TraceColumn.BAR:
                return self.tr("Score as a bar")
            case TraceColumn.TRACE:
                return self.tr("Trace")

    def _text(self, entry: _Entry, column: TraceColumn) -> str:
        row = self._row(entry)
        match column:
            case TraceColumn.STATE:
                return self._state_words(row)
            case TraceColumn.TRACE:
                return row.name
            case _:
                return row.score_text

    def _accessible(self, entry: _Entry, column: TraceColumn) -> str:
        if column is not TraceColumn.TRACE:
            return self._text(entry, column)
        row = self._row(entry)
        parts = [row.name, self._state_words(row)]
        if row.score is not None or row.interval is not None:
            parts.append(row.score_text)
        return ", ".join((*parts, *self._remarks(row), row.about))

    def _tooltip(self, entry: _Entry) -> str:
        row, record = self._row(entry), entry.document.record
        about = row.about if record is None else record.trace.objective
        words = ", ".join((self._state_words(row), *self._remarks(row)))
        lines = (entry.document.path, words, about)
        return plain_tooltip("\n".join(one_line(line, _TOOLTIP_LENGTH) for line in lines))

    def _remarks(self, row: TraceRow) -> Iterator[str]:
        if row.too_close:
            yield self.tr("too close to call, the SDK may differ")
        if row.order_matters:
            yield self.tr("scored first, it would have the other verdict")

    def _state_words(self, row: TraceRow) -> str:
        words = state_word(self, row.state)
        return self.tr("{0}, assumed").format(words) if row.assumed else words

    def _sort_key(self, entry: _Entry, column: TraceColumn) -> int | float | str:
        match column:
            case TraceColumn.STATE:
                return _STATE_ORDER[entry.state]
            case TraceColumn.TRACE:
                return name_key(entry.name)
            case _:
                return number_key(entry.document)

    def _search(self, entry: _Entry) -> str:
        if entry.search is None:
            entry.search = searched_text(entry.document)
        return entry.search

    def _row(self, entry: _Entry) -> TraceRow:
        if entry.row is None:
            entry.row = make_row(entry.document, self._shown_name(entry), self)
        return entry.row

    def _shown_name(self, entry: _Entry) -> str:
        """The stem, or the whole file name where another file has the same stem."""
        if len(self._paths[entry.name]) == 1:
            return entry.name
        path = PurePath(entry.document.path)
        return entry.name.replace(path.stem, path.name, 1)

    def _fill(self, entries: list[_Entry]) -> None:
        self._entries = entries
        self._rows = {entry.document.number: row for row, entry in enumerate(entries)}
        self._paths.clear()
        self._counts.clear()
        for entry in entries:
            self._register(entry)

    def _number_from(self, first: int) -> None:
        for row in range(first, len(self._entries)):
            self._rows[self._entries[row].document.number] = row

    def _register(self, entry: _Entry) -> bool:
        """Count a row; True when it is the second file of its stem."""
        self._counts[entry.state] += 1
        paths = self._paths[entry.name]
        paths[entry.document.path] += 1
        return len(paths) == 2 and paths[entry.document.path] == 1  # noqa: PLR2004

    def _unregister(self, entry: _Entry) -> bool:
        """Discount a row; True when one file of its stem is left."""
        self._counts[entry.state] -= 1
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
        for row, entry in enumerate(self._entries):
            if entry.name in names:
                entry.row = None
                self._emit_changed(row, row)

    def _emit_changed(self, first: int, last: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(TraceColumn) - 1))


def _entry(document: Document) -> _Entry:
    return _Entry(document, document.name, document.state)


def _ranges(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of neighbouring rows, first and last."""
    breaks = [n for n, (one, other) in enumerate(pairwise(rows), 1) if other != one + 1]
    for start, end in pairwise((0, *breaks, len(rows))):
        yield rows[start], rows[end - 1]
