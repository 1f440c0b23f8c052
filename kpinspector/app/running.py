"""Which open files may still be written to, and when each of them has rested for long enough."""

from collections.abc import Callable, Iterable
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from kpinspector.app.watch import Signature

QUIET_S: Final = 30.0
"""A recording that nobody wrote to for so long, and that does not say more, is over."""

_NS: Final = 1_000_000_000


def quiet_at(signature: Signature) -> float:
    """When a file has rested for long enough if nobody writes to it, in seconds of the epoch."""
    return signature.modified / _NS + QUIET_S


def is_recent(signature: Signature | None, now: float) -> bool:
    """Whether a file was written to a moment ago; clocks of other machines may go before ours."""
    return signature is not None and abs(now - signature.modified / _NS) < QUIET_S


class RunningFiles(QObject):
    """Part of the session: one timer for the first of the files that will have rested.

    Args:
        now: The seconds of the epoch.
    """

    rested = Signal(object)
    """Canonical paths, in the order in which they were followed."""

    def __init__(self, now: Callable[[], float], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now = now
        self._ends: dict[str, float] = {}
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.look)

    def follow(self, real: str, end: float | None) -> None:
        """Tell when a file will have rested; None lets go of it."""
        if end is None:
            self._ends.pop(real, None)
        else:
            self._ends[real] = end
        self._wind()

    @Slot(object)
    def forget(self, reals: Iterable[str]) -> None:
        """These files are not open any more."""
        for real in reals:
            self._ends.pop(real, None)
        self._wind()

    @Slot()
    def look(self) -> None:
        """Tell which files have rested by now."""
        now = self._now()
        due = tuple(real for real, end in self._ends.items() if end <= now)
        for real in due:
            del self._ends[real]
        self._wind()
        if due:
            self.rested.emit(due)

    def close(self) -> None:
        """Tell nothing any more."""
        self._ends.clear()
        self._timer.stop()

    def _wind(self) -> None:
        if not self._ends:
            self._timer.stop()
            return
        first = min(self._ends.values()) - self._now()
        self._timer.start(max(0, round(min(first, QUIET_S) * 1000)) + 1)
