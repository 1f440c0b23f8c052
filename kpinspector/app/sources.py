"""The text of the step that is looked at, read on the worker; only the last wish is answered."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from kpinspector.app.jobs import Done, Token, Work
from kpinspector.trace.step_source import SourceReader, StepPlace


class Sources(QObject):
    """``source_read`` gives a `StepPlace` and its `StepSource`."""

    source_read = Signal(object, object)

    def __init__(
        self, submit: Callable[[Work, Done], Token], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._submit = submit
        self._reader = SourceReader()  # only jobs use it
        self._token = Token()

    @Slot(object)
    def read(self, place: StepPlace) -> None:
        """Read the text of a step; an older wish is dropped."""
        self._token.cancel()
        self._token = self._submit(
            lambda _token: self._reader.read(place), partial(self.source_read.emit, place)
        )
