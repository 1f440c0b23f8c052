"""Recordings of large folders: read when they are chosen, remembered only on request."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from kpinspector.app import notices
from kpinspector.app.document import Document
from kpinspector.app.engine import Core
from kpinspector.app.pipeline import Drop, Pipeline
from kpinspector.app.reading import Opening
from kpinspector.settings import Mode

REST_MS = 100  # keys repeat faster, so that rows merely passed are not read


class UnreadRows(QObject):
    """Part of the session: reads the current row, and others on request.

    Rows read this way are scored as guests; those to be remembered, like any other trace.
    """

    def __init__(self, core: Core, pipeline: Pipeline, parent: QObject | None = None) -> None:
        super().__init__(parent)
        _, self._engine, self._store, self._board = core
        self._pipeline = pipeline
        self._told: set[str] = set()
        self._wish: Drop | None = None
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._on_rested)
        self._store.current_changed.connect(self._on_current_changed)
        pipeline.ended.connect(self._on_ended)

    def read(self, numbers: Iterable[int]) -> None:
        """Read the unread ones of these rows, and score them as guests in path order."""
        rows = (self._store.get(number) for number in numbers)
        unread = [row.number for row in rows if row is not None and row.unread is not None]
        self._open(unread, as_guest=True)

    def remember(self, numbers: Iterable[int]) -> None:
        """Score these rows in path order, so that they are remembered."""
        asked = [number for number in numbers if self.is_on_request(number)]
        self._open(asked, as_guest=False)

    def is_on_request(self, number: int) -> bool:
        """Whether a row is remembered only on request, and can be."""
        if not self._remembers:
            return False
        row = self._store.get(number)
        file = self._store.files.get(self._store.file_of(number) or "")
        return row is not None and row.as_guest and file is not None and file.on_request

    @property
    def _remembers(self) -> bool:
        return self._engine.mode is Mode.REMEMBER

    def say_nothing_of(self, roots: Iterable[str]) -> None:
        """Raise no notice on these folders: the user knows them."""
        self._told.update(roots)

    def forget_closed(self) -> None:
        """What was said of a folder goes with it, and is said again should it come back."""
        for root in self._told - self._store.roots:
            self._told.discard(root)
            self._board.settled.emit(notices.on_request_key(root))

    def _open(self, numbers: Sequence[int], *, as_guest: bool, first: bool = False) -> Drop | None:
        """Read the files of these rows completely."""
        reals = {self._store.file_of(number) for number in numbers}
        openings = [
            Opening(file.found, real, file.root, as_guest=as_guest)
            for real, file in self._store.files.items()
            if real in reals and file.found is not None
        ]
        roots = list(dict.fromkeys(one.root for one in openings))
        openings.sort(key=lambda one: (roots.index(one.root), Path(one.real).as_posix()))
        if not openings:
            return None
        return self._pipeline.open(openings, only_changed=True, first=first)

    def _on_current_changed(self, document: Document | None) -> None:
        if document is not None and document.unread is not None:
            self._rest.start()
        else:
            self._rest.stop()

    def _on_rested(self) -> None:
        """Read the current row; an earlier request that has not begun is withdrawn."""
        current = self._store.current
        if current is None or current.unread is None:
            return
        if self._wish is not None:
            self._pipeline.withdraw(self._wish)
        fresh = self._engine.mode is Mode.FRESH  # there each drop begins with an empty memory
        self._wish = self._open((current.number,), as_guest=True, first=not fresh)

    def _on_ended(self, drop: Drop) -> None:
        """Explain once for each large folder how its recordings are treated."""
        if drop is self._wish:
            self._wish = None
        roots = drop.roots - self._told
        files = self._store.files.values() if roots else ()
        counts = Counter(file.root for file in files if file.on_request and file.root in roots)
        for root, count in counts.items():
            self._told.add(root)
            self._board.raised.emit(notices.read_on_request(root, count, remembers=self._remembers))
