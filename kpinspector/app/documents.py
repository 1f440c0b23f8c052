"""The store of all rows in the list, and of the open files from which they were read.

Rows that were added, changed and removed are collected, and told by one signal.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from kpinspector.app.document import Document, Rules
from kpinspector.app.reading import Key, Known, Opening, Reading, RowChange, Signature
from kpinspector.trace.find import FoundFile

_SOON_MS = 10  # so that the first group has more than one row
_APART_MS = 100  # faster than anyone reads; each group makes the window paint

Value = TypeVar("Value")


@dataclass(slots=True)
class OpenFile:
    """An open file and its rows.

    Attributes:
        found: The file, so that it can be read again; None for pasted text.
        root: The path that the user gave: the file itself, or a folder above it.
        act: The number of the act (open, reload, …) that listed the file last.
        left_out: The keys of rows that the user removed.
        on_request: Its recordings are remembered only when the user asks for it.
    """

    found: FoundFile | None
    root: str
    act: int
    rows: dict[Key, int] = field(default_factory=dict)
    left_out: set[Key] = field(default_factory=set)
    is_read: bool = False
    signature: Signature | None = None
    on_request: bool = False


@dataclass(frozen=True, slots=True)
class ListChange:
    """A change of the list.

    Attributes:
        added: New rows, at the end or where they were before they were removed.
        rules: The new rules for all rows; None where they stay.
        current: The current row, if it is among the changed ones.
    """

    added: tuple[Document, ...] = ()
    changed: tuple[Document, ...] = ()
    removed: tuple[int, ...] = ()
    rules: Rules | None = None
    current: Document | None = None


@dataclass(frozen=True, slots=True)
class Removed:
    """Rows that were removed from the list, with everything that is needed to put them back.

    Attributes:
        rows: The rows in their order, each with its file and key; None instead for pasted text.
        files: Their files by canonical path.
        reals: The canonical paths of all files that were open, in their order.
        roots: All paths that the user had opened, in their order.
        due: The numbers of the removed rows that were going to be scored.
        unread: The files that were still to be read when everything was closed.
    """

    rows: tuple[tuple[Document, tuple[str, Key] | None], ...] = ()
    files: Mapping[str, OpenFile] = field(default_factory=dict)
    reals: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    due: frozenset[int] = frozenset()
    unread: tuple[Opening, ...] = ()
    looked_up: tuple[str, ...] = ()


class DocumentStore(QObject):
    """The rows in the order of the list, the current row, and the open files.

    The numbers of rows that wait to be scored are kept in a set, so that no search is needed.
    """

    changed = Signal(object)
    """A `ListChange`."""
    current_changed = Signal(object)
    """The document of the row that is now current; None if there is none."""
    row_wanted = Signal(object)
    """The number of a row that the window should show."""
    rested = Signal()
    """It is time for the next group of changes; emitted even if there are none."""

    def __init__(self, rules: Rules, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rules = rules
        self._documents: dict[int, Document] = {}
        self._places: dict[int, tuple[str, Key]] = {}
        self.files: dict[str, OpenFile] = {}
        self._unscored: set[int] = set()
        self._current: int | None = None
        self._added: dict[int, None] = {}
        self._changed: dict[int, None] = {}
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_timeout)
        self._since_last = QElapsedTimer()

    # the rows

    def __getitem__(self, number: int) -> Document:
        return self._documents[number]

    def __contains__(self, number: int) -> bool:
        return number in self._documents

    def __len__(self) -> int:
        return len(self._documents)

    def get(self, number: int) -> Document | None:
        """The row with that number; None if there is none."""
        return self._documents.get(number)

    @property
    def documents(self) -> tuple[Document, ...]:
        """All rows, in the order of the list."""
        return tuple(self._documents.values())

    @property
    def current(self) -> Document | None:
        """The current row; None without one."""
        return None if self._current is None else self._documents.get(self._current)

    @property
    def unscored(self) -> list[int]:
        """The numbers of the rows that are not measured yet, in the order in which they came."""
        return sorted(self._unscored)

    @property
    def waiting(self) -> bool:
        """Whether any row is not measured yet."""
        return bool(self._unscored)

    @property
    def roots(self) -> frozenset[str]:
        """The paths that the user gave for the open files."""
        return frozenset(file.root for file in self.files.values())

    def file_of(self, number: int) -> str | None:
        """The canonical path of a row's file; None for text that was pasted."""
        place = self._places.get(number)
        return None if place is None else place[0]

    def known(self, real: str) -> Known:
        """The rows that a file has in the list before it is read again."""
        file = self.files.get(real)
        if file is None:
            return Known({}, frozenset())
        rows = {key: self._documents[number] for key, number in file.rows.items()}
        return Known(rows, frozenset(file.left_out), file.signature)

    @property
    def told(self) -> bool:
        """Whether every change has been emitted."""
        return not self._timer.isActive()

    # changing the rows

    def put(self, document: Document) -> None:
        """Append a row, or replace the one with the same number in place."""
        group = self._changed if document.number in self._documents else self._added
        self._set(document)
        group[document.number] = None
        self.wait()

    def put_scored(self, document: Document) -> bool:
        """Take a measured row; return False if the row is gone or was read again meanwhile."""
        now = self._documents.get(document.number)
        if now is None:
            return False
        if now.item is not document.item:  # read again, or the user stated its outcome
            one, other = now.run, document.run
            if one is None or other is None or one.imported.mapped is not other.imported.mapped:
                return False
            document = document.restated(one)
        if document.is_guest and not now.is_guest:
            return False  # it must be remembered now, so it is scored again
        document = document.scored_as(guest=now.as_guest).found(running=now.running)
        self.put(document)
        return True

    def take(self, reading: Reading) -> list[Document] | None:
        """Take the rows read from a file, except those that were removed meanwhile.

        Returns:
            All rows of the file; None where the file itself was closed meanwhile.
        """
        real = reading.opening.real
        file = self.files.get(real)
        if real and file is None:
            return None
        read = [
            row
            for row in reading.rows
            if row.change is RowChange.NEW or row.document.number in self._documents
        ]
        for row in read:
            document = row.document
            if row.change is RowChange.SAME:  # it may have become a guest, or is no longer one
                before = self[document.number]
                document = before.scored_as(guest=document.as_guest).found(running=document.running)
                if document is before:
                    continue
            self.put(document)
        numbers = {row.key: row.document.number for row in read}
        if file is not None:
            kept = set(numbers.values())
            self.take_off([one for one in file.rows.values() if one not in kept])
            file.rows, file.is_read, file.signature = numbers, True, reading.signature
            is_unread = any(row.document.unread is not None for row in read)
            file.on_request = is_unread or (file.on_request and reading.opening.as_guest)
            self._places.update((number, (real, key)) for key, number in numbers.items())
        return [self._documents[number] for number in numbers.values()]

    def rest(self, reals: Iterable[str]) -> list[int]:
        """Mark these files as no longer being written; return the rows that were running."""
        rows = [self[one] for real in reals for one in self.files[real].rows.values()]
        ended = sorted(row.number for row in rows if row.running)
        for number in ended:
            self.put(self[number].found(running=False))
        return ended

    def is_running(self, real: str) -> bool:
        """Whether a file is open and still being written."""
        file = self.files.get(real)
        return file is not None and any(self[one].running for one in file.rows.values())

    def is_unread(self, real: str) -> bool:
        """Whether a file is open that holds a recording which is not read yet."""
        file = self.files.get(real)
        return file is not None and any(self[one].unread for one in file.rows.values())

    def date(self, reals: Iterable[str]) -> None:
        """Show the time of the last change of unread recordings in these files."""
        for real in reals:
            signature = self.files[real].signature
            for row in [self[one] for one in self.files[real].rows.values()]:
                if row.unread is not None and signature is not None:
                    self.put(replace(row, item=replace(row.unread, modified=signature.modified)))

    def take_off(self, numbers: Iterable[int]) -> None:
        """Remove rows whose records are no longer in their files."""
        gone = tuple(number for number in numbers if number in self._documents)
        for number in gone:
            del self._documents[number]
            self._unscored.discard(number)
            place = self._places.pop(number, None)
            if place is not None and place[0] in self.files:
                self.files[place[0]].rows.pop(place[1], None)
        if gone:
            self._emit_changes(removed=gone)

    def remove(self, numbers: Iterable[int]) -> Removed:
        """Remove rows at the user's request; a reload will not bring them back."""
        there = [self._documents[one] for one in sorted(numbers) if one in self._documents]
        rows = tuple((row, self._places.get(row.number)) for row in there)
        places = [place for _, place in rows if place is not None]
        files = {real: self.files[real] for real in dict.fromkeys(real for real, _ in places)}
        removed = Removed(rows, files, tuple(self.files))
        self.take_off(row.number for row in there)
        for real, key in places:
            files[real].left_out.add(key)
        return removed

    def put_back(self, removed: Removed) -> list[Document]:
        """Put removed rows back in their places, except where another row has taken the place."""
        for real, file in removed.files.items():
            if real not in self.files:
                self.files[real] = replace(file, rows={})
        self.files = in_order(self.files, removed.reals)
        back = []
        for document, place in removed.rows:
            number = document.number
            if number in self:
                continue
            if place is not None:
                file, key = self.files[place[0]], place[1]
                file.left_out.discard(key)
                if file.rows.setdefault(key, number) != number:
                    continue
                self._places[number] = place
            back.append(self._set(document))
            self._added[number] = None
        self._documents = dict(sorted(self._documents.items()))
        self.flush()
        return back

    def judge(self, rules: Rules) -> None:
        """Judge all rows by other rules; nothing is measured again."""
        if rules != self.rules:
            self.flush()
            self.rules = rules
            for number, document in self._documents.items():
                self._documents[number] = document.with_rules(rules)
            change = ListChange(changed=self.documents, rules=rules, current=self.current)
            self.changed.emit(change)

    def choose(self, document: Document | None) -> None:
        """Make a row the current one; None for no current row."""
        number = None if document is None else document.number
        if number != self._current:
            self._current = number
            self.current_changed.emit(document)

    def want(self, number: int) -> None:
        """Ask the window to show a row, after emitting changes that may have added the row."""
        self.flush()
        self.row_wanted.emit(number)

    def _set(self, document: Document) -> Document:
        document = document.with_rules(self.rules)
        self._documents[document.number] = document
        (self._unscored.add if document.waits else self._unscored.discard)(document.number)
        return document

    # emitting changes

    def wait(self) -> None:
        """Emit the next group of changes soon, even if there are none."""
        if not self._timer.isActive():
            rest = _APART_MS - self._since_last.elapsed() if self._since_last.isValid() else 0
            self._timer.start(max(_SOON_MS, rest))

    def flush(self) -> None:
        """Emit now what was added and changed since the last group."""
        if self._added or self._changed:
            self._emit_changes()

    def close(self) -> None:
        """Emit nothing more."""
        self._timer.stop()

    def _emit_changes(self, removed: Sequence[int] = ()) -> None:
        """Emit what was added, changed and removed; a row that came and went is left out."""
        there, came = self._documents, self._added.keys()
        change = ListChange(
            tuple(there[one] for one in self._added if one in there),
            tuple(there[one] for one in self._changed if one in there and one not in came),
            tuple(one for one in removed if one not in came),
            current=self.current if self._current in self._changed else None,
        )
        self._added, self._changed = {}, {}
        if change.added or change.changed:
            self._since_last.start()
        if change != ListChange():
            self.changed.emit(change)

    def _on_timeout(self) -> None:
        self.flush()
        self.rested.emit()


def in_order(found: Mapping[str, Value], order: Sequence[str]) -> dict[str, Value]:
    """The values in this order, followed by those that it does not name."""
    first = [one for one in order if one in found]
    return {one: found[one] for one in (*first, *found)}
