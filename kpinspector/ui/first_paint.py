"""Tells when a window was painted first, to start slow work only then."""

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget
from typing_extensions import override

_AT_THE_LATEST_MS = 500


class FirstPaint(QObject):
    """Tells once that a window was painted for the first time, or will not be painted soon.

    A window that comes up minimised, or behind others, may not be painted for hours.
    """

    came = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._timer = QTimer(self, singleShot=True, interval=_AT_THE_LATEST_MS)
        self._timer.timeout.connect(self._on_timeout)
        self._timer.start()
        window.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._timer.start(0)  # this event is only about to be handled
        return False

    def _on_timeout(self) -> None:
        self._window.removeEventFilter(self)
        self.came.emit()
