"""The rows of the list and the files that they were read from: one store, changed by it alone.

Who shows the rows hears of what came, changed and went in groups.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

from kpinspector.app.document import Document, Rules
from kpinspector.app.reading import Key, Known, Opening, Reading, RowChange, RowRead
from kpinspector.app.watch import Signature
from kpinspector.runs.read import RunRecord
from kpinspector.trace.find import FoundFile

_SOON_MS = 10  # what comes meanwhile goes with the first group
_APART_MS = 100  # nobody reads faster, and every group costs the window some painting

Value = TypeVar("Value")


@dataclass(slots=True)
class OpenFile:
    """A file that is open; only the store changes it.

    Attributes:
        found: To read it again by; None for what is no file.
        root: The path that the user gave: the file itself, or a folder above it.
        act: The number of the act that opened it last.
        rows: Numbers by their place in the file.
        left_out: What the user took off the list.
        is_read: It was read at least once.
        signature: As it was when it was read last.
        on_request: Of its recordings nothing is remembered before the user asks for that.
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
    """What has changed in the list.

    Attributes:
        added: New rows, behind all others or where they stood before they were removed.
        changed: Rows with another value.
        removed: Numbers of rows that are gone.
        rules: By what all rows are judged from now on; None where that is as it was.
        current: The current row, where it is one of the changed; None where it is as it was.
    """

    added: tuple[Document, ...] = ()
    changed: tuple[Document, ...] = ()
    removed: tuple[int, ...] = ()
    rules: Rules | None = None
    current: Document | None = None


@dataclass(frozen=True, slots=True)
class Removed:
    """Rows that were taken off the list, with all it takes to put them back.

    Attributes:
        rows: In their order, each with its file and its place there, where it had a file.
        files: Those of the rows, by canonical path.
        signatures: Of these files when the rows went.
        reals: All files that were open, in their order.
        roots: All paths that were open, in their order.
        due: Numbers of those that were going to be scored.
        unread: What was still to be read, where all was closed.
        looked_up: The paths that were still being looked up.
    """

    rows: tuple[tuple[Document, tuple[str, Key] | None], ...] = ()
    files: Mapping[str, OpenFile] = field(default_factory=dict)
    signatures: Mapping[str, Signature | None] = field(default_factory=dict)
    reals: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    due: frozenset[int] = frozenset()
    unread: tuple[Opening, ...] = ()
    looked_up: tuple[str, ...] = ()


class DocumentStore(QObject):
    """Documents in the order in which they came, which one is current, and the open files.

    What waits is kept, never looked for.

    Args:
        rules: By what all rows are judged until other ones are chosen.
    """

    changed = Signal(object)
    """A `ListChange`."""
    current_changed = Signal(object)
    """The document that is current now; None for none."""
    row_wanted = Signal(object)
    """The number of a row that is to be shown."""
    rested = Signal()
    """Enough time has passed for another group, even for an empty one."""

    def __init__(self, rules: Rules, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rules = rules
        self._documents: dict[int, Document] = {}
        self._places: dict[int, tuple[str, Key]] = {}
        self._files: dict[str, OpenFile] = {}
        self._unscored: set[int] = set()
        self._current: int | None = None
        self._added: dict[int, None] = {}
        self._changed: dict[int, None] = {}
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_timeout)
        self._since_last = QElapsedTimer()

    # what is there

    def __getitem__(self, number: int) -> Document:
        return self._documents[number]

    def __contains__(self, number: int) -> bool:
        return number in self._documents

    def __len__(self) -> int:
        return len(self._documents)

    def get(self, number: int) -> Document | None:
        """The row of that number, if it is there."""
        return self._documents.get(number)

    @property
    def documents(self) -> tuple[Document, ...]:
        """All rows."""
        return tuple(self._documents.values())

    @property
    def current(self) -> Document | None:
        """The current row as it is now."""
        return None if self._current is None else self._documents.get(self._current)

    @property
    def rules(self) -> Rules:
        """The profile and the threshold that all rows are judged by."""
        return self._rules

    @property
    def unscored(self) -> list[int]:
        """Numbers of what was not measured yet, in the order in which it came."""
        return sorted(self._unscored)

    @property
    def waiting(self) -> bool:
        """Something was not measured yet."""
        return bool(self._unscored)

    @property
    def files(self) -> Mapping[str, OpenFile]:
        """The open files by canonical path, in the order in which they were opened."""
        return self._files

    @property
    def roots(self) -> frozenset[str]:
        """The paths under which files are open."""
        return frozenset(file.root for file in self._files.values())

    def file_of(self, number: int) -> str | None:
        """The canonical path of a row's file; text that was pasted has none."""
        place = self._places.get(number)
        return None if place is None else place[0]

    def known(self, real: str) -> Known:
        """What is on the list of a file that is about to be read."""
        file = self._files.get(real)
        if file is None:
            return Known({}, frozenset())
        rows = {key: self._documents[number] for key, number in file.rows.items()}
        return Known(rows, frozenset(file.left_out), file.signature)

    @property
    def told(self) -> bool:
        """Whoever shows the rows knows of all of them."""
        return not self._timer.isActive()

    # rows come, change and go

    def put(self, document: Document) -> None:
        """Append a row, or replace the one with that number in its place."""
        group = self._changed if document.number in self._documents else self._added
        self._set(document)
        group[document.number] = None
        self.wait()

    def put_scored(self, document: Document) -> bool:
        """Show a measurement, unless the row is gone or was read anew meanwhile."""
        now = self._documents.get(document.number)
        if now is None:
            return False
        if now.item is not document.item:  # read anew, or something was stated of it
            if now.run is None or not _same_run(now.run, document.run):
                return False
            document = document.restated(now.run)
        if document.is_guest and not now.is_guest:
            return False  # it is scored once more, and remembered
        document = document.scored_as(guest=now.as_guest).found(running=now.running)
        if now.scenarios is not document.scenarios:  # saved while it was scored
            document = replace(document, scenarios=now.scenarios)
        self.put(document)
        return True

    def take(self, reading: Reading) -> list[Document] | None:
        """Take over what was read of a file, but for rows that went meanwhile.

        Returns:
            All rows of the file; None where the file itself was let go of meanwhile.
        """
        real = reading.opening.real
        file = self._files.get(real)
        if real and file is None:
            return None
        read = [
            row
            for row in reading.rows
            if row.change is RowChange.NEW or row.document.number in self._documents
        ]
        for row in read:
            self._take(row)
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
        """Nobody writes to these files any more: the numbers of the rows that were running."""
        rows = [self[one] for real in reals for one in self._files[real].rows.values()]
        ended = sorted(row.number for row in rows if row.running)
        for number in ended:
            self.put(self[number].found(running=False))
        return ended

    def is_running(self, real: str) -> bool:
        """Whether a file is open that is still being written to."""
        file = self._files.get(real)
        return file is not None and any(self[one].running for one in file.rows.values())

    def _take(self, row: RowRead) -> None:
        """Take over a row; one that is as it was may have become a guest, or be none any more."""
        document = row.document
        if row.change is not RowChange.SAME:
            self.put(document)
            return
        before = self[document.number]
        now = before.scored_as(guest=document.as_guest).found(running=document.running)
        if now is not before:
            self.put(now)

    def take_off(self, numbers: Iterable[int]) -> None:
        """Rows are not there any more."""
        gone = tuple(number for number in numbers if number in self._documents)
        for number in gone:
            del self._documents[number]
            self._unscored.discard(number)
            place = self._places.pop(number, None)
            if place is not None and place[0] in self._files:
                self._files[place[0]].rows.pop(place[1], None)
        if gone:
            self._tell(removed=gone)

    def remove(self, numbers: Iterable[int]) -> Removed:
        """Take rows off the list because the user wants it so: a reload leaves them out."""
        there = [row for one in sorted(numbers) if (row := self._documents.get(one)) is not None]
        rows = tuple((row, self._places.get(row.number)) for row in there)
        places = [place for _, place in rows if place is not None]
        files = {real: self._files[real] for real in dict.fromkeys(real for real, _ in places)}
        signatures = {real: file.signature for real, file in files.items()}
        removed = Removed(rows, files, signatures, tuple(self._files))
        self.take_off(row.number for row in there)
        for real, key in places:
            files[real].left_out.add(key)
        return removed

    def put_back(self, removed: Removed) -> list[Document]:
        """Rows that were removed stand where they stood, where no other one stands for them now."""
        for real, file in removed.files.items():
            if real not in self._files:
                self._files[real] = replace(file, rows={})
        self._files = in_order(self._files, removed.reals)
        back = []
        for document, place in removed.rows:
            if document.number not in self._documents and self._put_in_file(document, place):
                back.append(self._set(document))
                self._added[document.number] = None
        self._documents = dict(sorted(self._documents.items()))
        self.flush()
        return back

    def _put_in_file(self, document: Document, place: tuple[str, Key] | None) -> bool:
        """Say that a row stands there in its file; False where another one does."""
        if place is not None:
            file, key = self._files[place[0]], place[1]
            file.left_out.discard(key)
            if key in file.rows:
                return False
            file.rows[key], self._places[document.number] = document.number, place
        return True

    def judge(self, rules: Rules) -> None:
        """Judge all rows by another profile or threshold; nothing is measured again."""
        if rules != self._rules:
            self.flush()
            self._rules = rules
            for number, document in self._documents.items():
                self._documents[number] = document.with_rules(rules)
            change = ListChange(changed=self.documents, rules=rules, current=self.current)
            self.changed.emit(change)

    def choose(self, document: Document | None) -> None:
        """Make a row the current one; None leaves none."""
        number = None if document is None else document.number
        if number != self._current:
            self._current = number
            self.current_changed.emit(document)

    def want(self, number: int) -> None:
        """Have a row shown, once who shows the rows knows of it."""
        self.flush()
        self.row_wanted.emit(number)

    def _set(self, document: Document) -> Document:
        document = document.with_rules(self._rules)
        self._documents[document.number] = document
        (self._unscored.add if document.waits else self._unscored.discard)(document.number)
        return document

    # files are opened and let go of

    def open_file(self, real: str, file: OpenFile) -> None:
        """A file is open that was not."""
        self._files[real] = file

    def open_again(self, real: str, act: int, found: FoundFile | None) -> None:
        """A file that is open was opened once more, by another act."""
        self._files[real].act, self._files[real].found = act, found

    def leave_nothing_out(self, reals: Iterable[str]) -> None:
        """What the user took off the list of these files comes back when they are read."""
        for real in reals:
            if real in self._files:
                self._files[real].left_out.clear()

    def let_go(self, reals: Iterable[str]) -> None:
        """These files are not open any more."""
        for real in reals:
            del self._files[real]

    # who shows the rows is told

    def wait(self) -> None:
        """Let the next group go soon, even an empty one."""
        if not self._timer.isActive():
            rest = _APART_MS - self._since_last.elapsed() if self._since_last.isValid() else 0
            self._timer.start(max(_SOON_MS, rest))

    def flush(self) -> None:
        """Hand over the rows that came and changed since the last group."""
        if self._added or self._changed:
            self._tell()

    def close(self) -> None:
        """Tell nothing any more."""
        self._timer.stop()

    def _tell(self, removed: Sequence[int] = ()) -> None:
        """Say what came, changed and went; of what came and went in between nothing is said."""
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

    @Slot()
    def _on_timeout(self) -> None:
        self.flush()
        self.rested.emit()


def _same_run(one: RunRecord, other: RunRecord | None) -> bool:
    """Only what is stated of it may differ: its steps were not read anew."""
    return other is not None and one.imported.mapped is other.imported.mapped


def in_order(found: Mapping[str, Value], order: Sequence[str]) -> dict[str, Value]:
    """What was there first as it stood; what came later follows."""
    first = [one for one in order if one in found]
    return {one: found[one] for one in (*first, *found)}
