"""Settings of the interpreter that let the window come first."""

import gc
import sys

from PySide6.QtCore import QObject, QTimer, Slot

from kpinspector.app.progress import Progress

SWITCH_SECONDS = 0.0001

_EVERY_MS = 2000
_OLDER_EVERY = 5
_YOUNGEST, _OLDEST = 0, 2


class Interpreter(QObject):
    """Settings of the interpreter for as long as it lives, until ``stop``.

    The worker yields after a tenth of a millisecond, not five, as painting the list once takes
    hundreds of turns.

    Python's own timing would stop every thread to walk through all steps of all open traces, for
    50 ms and more, whenever a long one is read; and it could end a QObject on the worker's thread.
    So this thread looks for unreachable cycles, and what was read and scored is passed over: traces
    and their scores hold no cycles and go when nobody needs them.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rounds = 0
        self._reading = self._scoring = False
        self._was_enabled, self._interval = gc.isenabled(), sys.getswitchinterval()
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()
        gc.disable()
        sys.setswitchinterval(SWITCH_SECONDS)

    def stop(self) -> None:
        """Restore the previous settings."""
        self._timer.stop()
        gc.unfreeze()
        if self._was_enabled:
            gc.enable()
        sys.setswitchinterval(self._interval)

    @Slot(object)
    def follow(self, progress: Progress) -> None:
        """Collect nothing while files are read, and only young objects while traces are scored.

        What came of it is passed over from then on.
        """
        reading = progress.read < progress.to_read
        scoring = progress.scored < progress.to_score
        if (self._reading and not reading) or (self._scoring and not scoring):
            gc.freeze()
        self._reading, self._scoring = reading, scoring

    @Slot()
    def collect(self) -> None:
        """Collect young objects, and now and then all that are not frozen."""
        if self._reading:
            return
        self._rounds += 1
        older = not self._scoring and self._rounds % _OLDER_EVERY == 0
        gc.collect(_OLDEST if older else _YOUNGEST)
