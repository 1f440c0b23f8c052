"""Rows come, change and go; who shows them hears of it in groups."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

from kpinspector.app.document import Document, Rules
from kpinspector.app.rows import Key, Rows

_SOON_MS = 10  # what comes meanwhile goes with the first group
_APART_MS = 100  # nobody reads faster, and every group costs the window some painting


class Groups(QObject):
    """Part of the session: the only one that changes its rows."""

    added = Signal(object)
    changed = Signal(object)
    removed = Signal(object)
    due = Signal()

    def __init__(self, rows: Rows, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = rows
        self._added: dict[int, None] = {}
        self._changed: dict[int, None] = {}
        self.timer = QTimer(self, singleShot=True)
        self.timer.timeout.connect(self._on_timeout)
        self._since_last = QElapsedTimer()

    def put(self, document: Document) -> None:
        """Append a row, or replace the one with that number in its place."""
        group = self._changed if document.number in self._rows else self._added
        self._rows.put(document)
        group[document.number] = None
        self.wait()

    def put_scored(self, document: Document, rules: Rules) -> bool:
        """Show a measurement, unless the row is gone or was read anew meanwhile."""
        now = self._rows.get(document.number)
        if now is None or now.item is not document.item:
            return False
        if now.scenarios is not document.scenarios:  # saved while it was scored
            document = replace(document, scenarios=now.scenarios)
        self.put(document.with_rules(rules))
        return True

    def put_back(self, document: Document, place: tuple[str, Key] | None) -> bool:
        """A row that was taken off the list comes back; False where another stands for it now."""
        if not self._rows.put_back(document, place):
            return False
        self._added[document.number] = None
        return True

    def take_off(self, numbers: Sequence[int]) -> list[tuple[str, Key]]:
        """Take rows off the list; the files and places of those that had one."""
        gone = [number for number in numbers if number in self._rows]
        if not gone:
            return []
        self.flush()
        places = [self._rows.pop(number) for number in gone]
        self.removed.emit(tuple(gone))
        return [place for place in places if place is not None]

    def judge(self, rules: Rules) -> None:
        """Put other rules in all rows."""
        self.flush()
        self._rows.judge(rules)

    def wait(self) -> None:
        """Let the next group go soon, even an empty one."""
        if not self.timer.isActive():
            rest = _APART_MS - self._since_last.elapsed() if self._since_last.isValid() else 0
            self.timer.start(max(_SOON_MS, rest))

    def flush(self) -> None:
        """Hand over the rows that came and changed since the last group."""
        added = tuple(self._rows[one] for one in self._added)
        changed = tuple(self._rows[one] for one in self._changed if one not in self._added)
        self._added.clear()
        self._changed.clear()
        if added or changed:
            self._since_last.start()
        if added:
            self.added.emit(added)
        if changed:
            self.changed.emit(changed)

    @Slot()
    def _on_timeout(self) -> None:
        self.flush()
        self.due.emit()
