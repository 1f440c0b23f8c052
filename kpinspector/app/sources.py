"""Reads text of the open files: that of a step, and the lines around a problem."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from kpinspector.app.document import Document
from kpinspector.app.jobs import Done, Token, Work
from kpinspector.runs.provenance import RunPlace, read_source
from kpinspector.trace.find import FoundFile
from kpinspector.trace.records import Problem
from kpinspector.trace.step_source import SourceReader, StepPlace, StepSource, read_excerpt


class Sources(QObject):
    """Part of the session: lets the worker read text."""

    source_read = Signal(object, object)
    """A `StepPlace` or `RunPlace` and its `StepSource`; only the last request is answered."""
    excerpt_read = Signal(object, object)
    """A row's number and the lines around its problem."""

    def __init__(
        self, submit: Callable[[Work, Done], Token], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._submit = submit
        self._reader = SourceReader()  # only jobs use it
        self._token = Token()

    def read(self, place: StepPlace | RunPlace) -> None:
        """Read the text of a step; an earlier request is dropped."""
        self._token.cancel()
        self._token = self._submit(
            lambda _token: self._read(place), partial(self.source_read.emit, place)
        )

    def _read(self, place: StepPlace | RunPlace) -> StepSource:
        return read_source(place) if isinstance(place, RunPlace) else self._reader.read(place)

    def read_excerpt(self, document: Document) -> None:
        """Read the lines around the problem of a row, where it has a line."""
        item = document.item
        if isinstance(item, Problem) and item.line is not None:
            found, line = FoundFile(Path(item.path), item.path, named=True), item.line
            self._submit(
                lambda _token: read_excerpt(found, line),
                partial(self.excerpt_read.emit, document.number),
            )
