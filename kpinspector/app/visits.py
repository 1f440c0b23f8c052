"""Going to a remembered trace: to its row, or to its file where that is not open."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from kpinspector.app import notices
from kpinspector.app.document import Document
from kpinspector.app.documents import DocumentStore
from kpinspector.app.jobs import Done, Token, Work
from kpinspector.app.opener import Opener
from kpinspector.app.progress import NoticeBoard
from kpinspector.app.reading import Reading
from kpinspector.scoring.findings import SHOWN_LENGTH, Neighbour, for_display, shown_key


class Visits(QObject):
    """Part of the session: has the row shown; a notice says where none is."""

    def __init__(
        self,
        opener: Opener,
        store: DocumentStore,
        board: NoticeBoard,
        submit: Callable[[Work, Done], Token],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._opener = opener
        self._store = store
        self._board = board
        self._submit = submit
        self._wanted: Neighbour | None = None

    def go_to(self, neighbour: Neighbour) -> None:
        """Show the trace that a neighbour stands for, if it is still where it was."""
        self._wanted = None
        row = row_of(neighbour, self._store.documents)
        if row is not None:
            self._store.want(row.number)
            return
        path = neighbour.source_path
        if any(one.path == path for one in self._store.documents):
            self._board.raised.emit(notices.not_in_file(neighbour))
            return
        self._submit(lambda _token: _is_file(path), partial(self._on_looked_up, neighbour))

    def _on_looked_up(self, neighbour: Neighbour, is_there: bool) -> None:  # noqa: FBT001
        if not is_there:
            self._board.raised.emit(notices.file_gone(neighbour))
            return
        self._wanted = neighbour
        self._opener.visit(neighbour.source_path)

    @Slot(object)
    def on_read(self, reading: Reading) -> None:
        """Look for the wanted trace among the rows of a file that was just read."""
        wanted = self._wanted
        if wanted is None or reading.opening.root != wanted.source_path:
            return
        self._wanted = None
        documents = [row.document for row in reading.rows]
        row = row_of(wanted, documents) or next(iter(documents), None)
        if row is not None:
            self._store.want(row.number)
        if row_of(wanted, documents) is None:
            self._board.raised.emit(notices.not_in_file(wanted))


def row_of(neighbour: Neighbour, documents: Iterable[Document]) -> Document | None:
    """The row of the trace that a neighbour stands for; one of the same file before others."""
    found = [one for one in documents if _is_of(neighbour, one)]
    found.sort(key=lambda one: one.path != neighbour.source_path)
    return next(iter(found), None)


def _is_of(neighbour: Neighbour, document: Document) -> bool:
    """By the key where it is known, else by the id, else by file and objective."""
    if document.record is None:
        return False
    if document.measured is not None:
        return neighbour.key == shown_key(document.measured.place.key)
    trace = document.record.trace
    if neighbour.trace_id is not None and neighbour.trace_id == neighbour.key:
        return trace.id is not None and neighbour.trace_id == shown_key(trace.id)
    same_file = document.path == neighbour.source_path
    return same_file and neighbour.objective == for_display(trace.objective, SHOWN_LENGTH)


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except ValueError:  # a name that no file can have
        return False
