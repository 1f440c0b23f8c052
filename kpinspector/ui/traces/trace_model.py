"""The list of traces as a table model that keeps its own order and filter."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import pairwise
from operator import methodcaller
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from typing_extensions import override

from kpinspector.app.document import Document, State, short_stem
from kpinspector.ui.tables.figure_model import Head, Index, RowModel
from kpinspector.ui.traces.further_columns import (
    FURTHER_COLUMNS,
    further_text,
    group_word,
    place_word,
)
from kpinspector.ui.traces.list_rows import Entry, Grouping, Heading
from kpinspector.ui.traces.row_counts import RowCounts, Traits, traits_of
from kpinspector.ui.traces.row_values import ALONE, LEFT_OUT, NOWHERE, places_in
from kpinspector.ui.traces.trace_query import Query, parse_query
from kpinspector.ui.traces.trace_row import (
    DIMENSION_COLUMNS,
    NUMBER_COLUMNS,
    TraceColumn,
    TraceRow,
    cell_text,
    head_text,
    heading,
    make_row,
    needs_room,
    spoken_text,
    step_count,
    tooltip,
)
from kpinspector.words.figures import shown_count

if TYPE_CHECKING:
    from kpinspector.app.batches import BatchPicture

PROBLEM_STATES = frozenset({State.NOT_SCORABLE, State.UNREADABLE})

_ALL_STATES = frozenset(State)
_ROOT = QModelIndex()
_USUAL_FIGURES = {
    TraceColumn.SCORE: ("0.00\N{EN DASH}0.00",),
    TraceColumn.MARGIN: ("\N{MINUS SIGN}0.0000",),
    **dict.fromkeys(DIMENSION_COLUMNS, ("0.000",)),
}
_MOST_RANGES = 64  # told one by one; more scattered rows are cheaper as one
_WORTH_A_LOOK = 16  # where fewer than one row in so many changed, each is looked for


class TraceRole(IntEnum):
    """What the model gives beside Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    DOCUMENT = Qt.ItemDataRole.UserRole + 2
    HEADING = Qt.ItemDataRole.UserRole + 3


class TraceModel(RowModel):
    """Documents in the order in which they came, or by a column; those that a filter keeps.

    With recordings that are not read the usual order is that of their files, the newest first.
    Grouped, the list has a row for each heading, which is no document and cannot be selected.

    A row is put in its place over keys made once: Qt's own proxy asks a model in Python for two
    keys at every comparison, which takes a second for ten thousand rows.
    """

    changed = Signal()
    """The list or what is kept of it changed; the views know already which rows did."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(tuple(map(_head, TraceColumn)), parent)
        self._entries: dict[int, Entry] = {}  # all, by number, which is how they came
        self._rows: list[Entry | Heading] = []  # what is shown, as it is shown
        self._grouping = Grouping.NONE
        self._headings: dict[int, Heading] = {}  # of this grouping, by section
        self._files: defaultdict[str, Counter[str]] = defaultdict(Counter)  # paths of every name
        self._wide: set[int] = set()  # numbers of those whose figures may need more digits
        self._most_steps = 0
        self._most_groups, self._most_places = ALONE, LEFT_OUT
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
            entry = self._entries[document.number] = Entry(document)
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
        changed: list[Entry] = []
        renamed: set[str] = set()
        moved = False
        for document in documents:
            entry = self._entries.get(document.number)
            if entry is None:
                continue
            before = self._standing(entry)
            renamed |= self._put(entry, document)
            moved |= before != self._standing(entry)
            changed.append(entry)
        if not changed:
            return
        if moved:
            self._show(self._wanted())
        self._tell_changed(changed)
        self._tell_names(renamed)
        self.changed.emit()

    def _put(self, entry: Entry, document: Document) -> set[str]:
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

    def rows_of(self, numbers: Collection[int]) -> list[int]:
        """Where those of these documents stand that are shown, from top to bottom."""
        return [
            row
            for row, one in enumerate(self._rows)
            if isinstance(one, Entry) and one.document.number in numbers
        ]

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

    @property
    def grouping(self) -> Grouping:
        """What the rows are put together by."""
        return self._grouping

    def set_grouping(self, grouping: Grouping) -> None:
        """Put rows together under headings; each section is sorted by itself."""
        if grouping is not self._grouping:
            self._grouping, self._headings = grouping, {}
            self._reset(self._wanted())

    def fold(self, heading: Heading, *, folded: bool) -> None:
        """Hide the rows under a heading, or show them again."""
        if folded is not heading.folded:
            heading.folded = folded
            self._show(self._wanted())

    def heading_row(self, row: int) -> int:
        """The row of the heading that a row stands under, or its own if it is one; else -1."""
        above = range(row, -1, -1)
        return next((one for one in above if isinstance(self._rows[one], Heading)), -1)

    def heading_of(self, number: int) -> Heading | None:
        """The heading that a document stands under, where the filter keeps it."""
        entry = self._entries.get(number)
        if entry is None or not entry.kept or self._grouping is Grouping.NONE:
            return None
        return self._headings[entry.section(self._grouping)]

    def set_batch(self, picture: "BatchPicture | None") -> None:
        """Take over the groups and the plan of all open traces; None while nothing is known."""
        places = {} if picture is None else places_in(picture)
        changed = []
        for entry in self._entries.values():
            place = places.get(entry.document.number, NOWHERE)
            if place != entry.place:
                self.counts[entry.traits] -= entry.document.count
                entry.put_at(place)
                self._look_at(entry)
                self.counts[entry.traits] += entry.document.count
                changed.append(entry)
        if changed:
            self._most_groups = max(one.place.group or ALONE for one in self._entries.values())
            self._most_places = max(one.place.place or LEFT_OUT for one in self._entries.values())
            self._show(self._wanted())
            self._tell_changed(changed)
            self.changed.emit()

    def _wanted(self) -> list[Entry | Heading]:
        """The rows that are asked for, in the order that is asked for; equal ones as they came."""
        kept = [entry for entry in self._entries.values() if entry.kept]
        rows = kept if self._order is None else self._sorted(kept, self._order)
        return [*rows] if self._grouping is Grouping.NONE else [*self._in_sections(rows)]

    def _sorted(self, entries: Iterable[Entry], column: TraceColumn) -> list[Entry]:
        """By a column, in either direction; what it does not know of comes last."""
        known: list[Entry] = []
        unknown: list[Entry] = []
        for entry in entries:
            (unknown if entry.key(column) is None else known).append(entry)
        descending = self._descending or self._column is None
        known.sort(key=methodcaller("key", column), reverse=descending)
        return known + unknown

    def _in_sections(self, entries: Iterable[Entry]) -> Iterator[Entry | Heading]:
        """Every section below its heading, or the heading alone."""
        sections: defaultdict[int, list[Entry]] = defaultdict(list)
        for entry in entries:
            sections[entry.section(self._grouping)].append(entry)
        for section, members in sorted(sections.items()):
            if section not in self._headings:
                self._headings[section] = Heading(self._grouping, section)
            heading = self._headings[section]
            heading.count = len(members)
            yield heading
            if not heading.folded:
                yield from members

    def _standing(self, entry: Entry) -> tuple[object, ...]:
        """What decides whether and where an entry is shown."""
        key = None if self._order is None else entry.key(self._order)
        grouped = self._grouping is not Grouping.NONE
        return entry.kept, key, entry.section(self._grouping) if grouped else None

    @property
    def _order(self) -> TraceColumn | None:
        """By what rows are sorted; None leaves them as they came."""
        usual = TraceColumn.CHANGED if self._newest_first else None
        return usual if self._column is None else self._column

    def _keeps(self, traits: Traits) -> bool:
        return traits.found and traits.state in self._states

    def _show(self, wanted: list[Entry | Heading]) -> None:
        """Show these rows; the views hear of what went, what moved and what came."""
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
        if self._headings:
            self._tell_changed(self._headings.values())

    def _move(self, wanted: list[Entry | Heading]) -> None:
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

    def _reset(self, wanted: list[Entry | Heading]) -> None:
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

    def _tell_changed(self, entries: Iterable[Entry | Heading]) -> None:
        rows = self._places(entries)
        runs = tuple(ranges_of(rows))
        for first, last in runs if len(runs) <= _MOST_RANGES else ((rows[0], rows[-1]),):
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(TraceColumn) - 1))

    def _places(self, entries: Iterable[Entry | Heading]) -> list[int]:
        """Where those of the entries that are shown stand, from top to bottom."""
        shown = {one for one in entries if one.listed}
        in_order = self._order is None and self._grouping is Grouping.NONE
        if in_order and len(shown) < len(self._rows) // _WORTH_A_LOOK:
            numbers = sorted(map(_number_of, shown))
            return [bisect_left(self._rows, one, key=_number_of) for one in numbers]
        return [row for row, one in enumerate(self._rows) if one in shown]

    # what is counted

    def _look_at(self, entry: Entry) -> None:
        """Find out by what an entry is counted, and whether the filter keeps it."""
        document = entry.document
        entry.traits = traits_of(document, found=not self._asks or entry.is_found(self._query))
        entry.kept = self._keeps(entry.traits)
        (self._wide.add if needs_room(document) else self._wide.discard)(document.number)

    def _count_file(self, entry: Entry, by: int) -> set[str]:
        """Count the file of an entry; its name, if it is now shown in another way."""
        paths = self._files[entry.name]
        alone = len(paths) < 2  # noqa: PLR2004
        paths[entry.document.path] += by
        if not paths[entry.document.path]:
            del paths[entry.document.path]
        return set() if alone == (len(paths) < 2) else {entry.name}  # noqa: PLR2004

    def widest_figures(
        self, columns: Iterable[TraceColumn] = NUMBER_COLUMNS
    ) -> dict[TraceColumn, Collection[str]]:
        """For each of these that has numbers, what may be its widest; rarely another."""
        wide = [self._entries[number] for number in self._wide]
        usual = {
            **_USUAL_FIGURES,
            TraceColumn.GROUP: (group_word(ALONE), shown_count(self._most_groups)),
            TraceColumn.PLACE: (place_word(LEFT_OUT), shown_count(self._most_places)),
            TraceColumn.STEPS: (shown_count(self._most_steps),),
        }
        return {
            column: {
                *usual[column],
                *(self._text(one, column) for one in wide if column in _USUAL_FIGURES),
            }
            for column in columns
            if column in NUMBER_COLUMNS
        }

    # what is in a cell

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry, column = self._rows[index.row()], TraceColumn(index.column())
        if isinstance(entry, Heading):
            return _heading_data(entry, column, role)
        found: Any = None
        match role:
            case TraceRole.ROW:
                found = self._row(entry)
            case TraceRole.DOCUMENT:
                found = entry.document
            case Qt.ItemDataRole.DisplayRole:
                found = self._text(entry, column)
            case Qt.ItemDataRole.AccessibleTextRole:
                spoken = column is TraceColumn.TRACE
                found = spoken_text(self._row(entry)) if spoken else self._text(entry, column)
            case Qt.ItemDataRole.ToolTipRole:
                found = tooltip(entry.document, self._row(entry))
        return found

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        """Headings are gone to and folded, and never selected."""
        flags = super().flags(index)
        heading = index.isValid() and isinstance(self._rows[index.row()], Heading)
        return flags & ~Qt.ItemFlag.ItemIsSelectable if heading else flags

    def _text(self, entry: Entry, column: TraceColumn) -> str:
        if column in FURTHER_COLUMNS:
            return further_text(entry.document, entry.place, column)
        return cell_text(self._row(entry), column)

    def _row(self, entry: Entry) -> TraceRow:
        if entry.row is None:
            entry.row = make_row(entry.document, self._shown_name(entry))
        return entry.row

    def _shown_name(self, entry: Entry) -> str:
        """The stem, or the whole file name where another file is called the same."""
        if len(self._files[entry.name]) == 1:
            return entry.name
        path = PurePath(entry.document.path)
        stem = path.stem if entry.document.format is None else short_stem(entry.document.path)
        return entry.name.replace(stem, path.name, 1)


def _head(column: TraceColumn) -> Head:
    return Head(heading(column), head_text(column), figure=column in NUMBER_COLUMNS)


def _heading_data(heading: Heading, column: TraceColumn, role: int) -> object:
    """What a heading says, in the column of the names."""
    if role == TraceRole.HEADING:
        return heading
    if column is TraceColumn.TRACE and role == Qt.ItemDataRole.DisplayRole:
        return heading.words
    spoken = column is TraceColumn.TRACE and role == Qt.ItemDataRole.AccessibleTextRole
    return heading.spoken if spoken else None


def _number_of(one: Entry | Heading) -> int:
    return one.document.number if isinstance(one, Entry) else -1


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
