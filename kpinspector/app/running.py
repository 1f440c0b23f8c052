"""Tells when open recordings that may still be written to have come to rest."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from kpinspector.runs.follow import QUIET_S


class RunningFiles(QObject):
    """Part of the session: one timer, set for the first file that will come to rest."""

    rested = Signal(object)
    """The canonical paths of files that came to rest, in the order in which they were followed."""

    def __init__(self, now: Callable[[], float], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now = now
        self._ends: dict[str, float] = {}
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.look)

    def follow(self, real: str, end: float | None) -> None:
        """Follow a file until it comes to rest at ``end``; None stops following it."""
        if end is None:
            self._ends.pop(real, None)
        else:
            self._ends[real] = end
        self._wind()

    def forget(self, reals: Iterable[str]) -> None:
        """Stop following files that were closed."""
        for real in reals:
            self._ends.pop(real, None)
        self._wind()

    def look(self) -> None:
        """Report the files that have come to rest by now."""
        now = self._now()
        due = tuple(real for real, end in self._ends.items() if end <= now)
        for real in due:
            del self._ends[real]
        self._wind()
        if due:
            self.rested.emit(due)

    def close(self) -> None:
        """Report nothing from now on."""
        self._ends.clear()
        self._timer.stop()

    def _wind(self) -> None:
        if not self._ends:
            self._timer.stop()
            return
        first = min(self._ends.values()) - self._now()
        self._timer.start(max(0, round(min(first, QUIET_S) * 1000)) + 1)
