"""What leaves the program: the report on rows, as a file and as text."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from kpinspector.app.answers import Basis, report_of
from kpinspector.app.document import Document
from kpinspector.app.jobs import Done, Token, Work
from kpinspector.scoring.report import report_json, write_report


class Exports(QObject):
    """Part of the session.

    Args:
        basis: What all rows are judged and compared by now.
        submit: Runs a job on the worker.
    """

    written = Signal(object)

    def __init__(
        self,
        basis: Callable[[], Basis],
        submit: Callable[[Work, Done], Token],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._basis = basis
        self._submit = submit

    def write_report(self, path: Path, documents: Sequence[Document]) -> None:
        """Write the report on these rows to a file; ``written`` gives its path."""
        make = partial(report_of, documents, self._basis())

        def write(_token: Token) -> Path:
            write_report(path, make())
            return path

        self._submit(write, self.written.emit)

    def report_text(self, document: Document) -> str:
        """The report on one row as JSON text."""
        return report_json(report_of([document], self._basis())).decode()
