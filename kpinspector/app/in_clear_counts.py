"""How much of each row would leave in clear by contribute; looked for while nothing else is to do.

Nothing is counted until somebody asks for it.
"""

from collections.abc import Iterable
from functools import partial
from time import monotonic

from PySide6.QtCore import QObject, Signal, Slot

from kpinspector.app.document import Document, Item
from kpinspector.app.jobs import JobRunner, Priority, Token
from kpinspector.app.sharing import record_of
from kpinspector.sharing.answer import ways_of

_LONGEST = 0.05  # seconds, after which others may have the worker


class InClearCounts(QObject):
    """Part of the session: counts for the rows that are asked for, a few in each idle job."""

    found = Signal(object)
    """What each of some rows has in clear, by their numbers; the rows are as they were."""

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._waiting: dict[int, Document] = {}
        self._runs = False

    @Slot(object)
    def look_for(self, documents: Iterable[Document]) -> None:
        """Count for these rows, and no more for others that wait."""
        self._waiting = {one.number: one for one in documents if record_of(one) is not None}
        self._go_on()

    def _go_on(self) -> None:
        if self._waiting and not self._runs:
            self._runs = True
            work = partial(_counted, tuple(self._waiting.values()))
            self._runner.submit(work, self._on_counted, self._on_failed, Priority.IDLE)

    def _on_counted(self, counted: dict[int, tuple[Item, int]]) -> None:
        self._runs = False
        told = {}
        for number, (item, count) in counted.items():
            waiting = self._waiting.get(number)
            if waiting is not None and waiting.item is item:
                told[number] = count
                del self._waiting[number]
        self.found.emit(told)
        self._go_on()

    def _on_failed(self, _error: Exception) -> None:
        self._runs = False  # a bug, which was told; what waits is not counted again and again
        self._waiting.clear()


def _counted(documents: Iterable[Document], token: Token) -> dict[int, tuple[Item, int]]:
    """The counts of as many of these as there is time for, at least of one."""
    until = monotonic() + _LONGEST
    counts: dict[int, tuple[Item, int]] = {}
    for one in documents:
        token.check()
        record = record_of(one)
        if record is not None:
            ways = ways_of(record, None, one.rules.threshold, None)
            counts[one.number] = one.item, len(ways.contributed.in_clear)
        if monotonic() > until:
            break
    return counts
