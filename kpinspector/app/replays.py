"""Computes reports of the list again, on the worker, when the user wants it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Slot

from kpinspector.app.document import Document
from kpinspector.app.documents import DocumentStore
from kpinspector.app.engine import Engine
from kpinspector.app.jobs import Done, Token, Work
from kpinspector.scoring.report.read import FoundReport
from kpinspector.scoring.report.replay import Replay


class Replays(QObject):
    """Part of the session.

    Args:
        engine: Used by jobs only.
        store: Takes the row with its replay; its traces are measured again where the report is
            about them.
        submit: Runs a job on the worker.
    """

    def __init__(
        self,
        engine: Engine,
        store: DocumentStore,
        submit: Callable[[Work, Done], Token],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._store = store
        self._submit = submit

    @Slot(object)
    def run(self, number: int) -> None:
        """Compute the report of a row again; the row then shows the result."""
        document = self._store[number]
        if isinstance(document.item, FoundReport):
            report = document.item
            traces = [one.record for one in self._store.documents if one.record is not None]
            self._go_on(document, self._engine.replay(report, traces))

    def _go_on(self, document: Document, parts: Iterator[Replay | None]) -> None:
        """Submit a job for each trace, so that other jobs do not wait for a whole report."""
        self._submit(lambda _token: next(parts), partial(self._on_part, document, parts))

    def _on_part(
        self, document: Document, parts: Iterator[Replay | None], result: Replay | None
    ) -> None:
        now = self._store.get(document.number)
        if now is None or now.item is not document.item:
            return
        if result is None:
            self._go_on(document, parts)
        else:
            self._store.put(replace(now, replay=result))
