"""Looks at large folders from time to time, for files that grew, came or went.

Their files are not watched one by one: there are more of them than a system can watch, and a
watched folder does not report that a file in it grew.
"""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic

from PySide6.QtCore import QObject, QTimer

from kpinspector.app.documents import DocumentStore
from kpinspector.app.jobs import JobRunner, Priority, Token
from kpinspector.app.opener import Opener
from kpinspector.app.watch import Signature, changed_files

EVERY_MS = 5000
_REST = 100  # times as long as a look took is the pause after it


@dataclass(frozen=True, slots=True)
class Look:
    """What a look found.

    Attributes:
        files: The files that changed, with their new signatures.
        folders: When each folder last changed, which is when a file came into it or went.
        took_ms: How long the look took.
    """

    files: tuple[tuple[str, Signature | None], ...]
    folders: Mapping[str, int]
    took_ms: float


def look(files: Mapping[str, Signature | None], folders: Collection[str], token: Token) -> Look:
    """Compare files with their known signatures, and ask folders when they last changed."""
    start = monotonic()
    changed = changed_files(files, token)
    now = {path: _changed_at(path) for path in folders}
    return Look(changed, now, (monotonic() - start) * 1000)


def _changed_at(folder: str) -> int:
    try:
        return os.stat(folder).st_mtime_ns  # noqa: PTH116 (there are many)
    except OSError:
        return 0


class LargeFolders(QObject):
    """Part of the session: keeps rows that are not read up to date with their files."""

    def __init__(
        self, runner: JobRunner, store: DocumentStore, opener: Opener, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._store = store
        self._opener = opener
        self._folders: Mapping[str, int] = {}
        self._looking = False
        self._timer = QTimer(self, singleShot=True, interval=EVERY_MS)
        self._timer.timeout.connect(self._on_due)

    def look_soon(self) -> None:
        """Begin to look, as there are rows that are not read."""
        if not (self._timer.isActive() or self._looking):
            self._timer.start(EVERY_MS)

    def close(self) -> None:
        """Stop looking."""
        self._timer.stop()

    def _on_due(self) -> None:
        files: dict[str, Signature | None] = {}
        folders: dict[str, str] = {}
        for real, file in self._store.files.items():
            if file.on_request:
                path = real if file.found is None else str(file.found.path)
                _note_folders(folders, file.root, path)
                if self._is_unread(real):
                    files[real] = file.signature
        if folders:
            self._looking = True
            self._runner.submit(
                partial(look, files, folders),
                partial(self._on_looked, folders),
                self._on_failed,
                Priority.IDLE,
            )

    def _is_unread(self, real: str) -> bool:
        numbers = self._store.files[real].rows.values()
        return any(self._store[number].unread is not None for number in numbers)

    def _on_failed(self, _error: Exception) -> None:
        self._looking = False

    def _on_looked(self, roots: Mapping[str, str], found: Look) -> None:
        self._looking = False
        there = [one for one in found.files if one[0] in self._store.files]
        for real, now in there:
            if now is not None and self._is_unread(real):
                file = self._store.files[real]
                file.signature = now
                for number in file.rows.values():
                    document = self._store[number]
                    if document.unread is not None:
                        item = replace(document.unread, modified=now.modified)
                        self._store.put(replace(document, item=item))
        self._opener.let_go([real for real, now in there if now is None and self._is_unread(real)])
        grown = {roots[path] for path, at in found.folders.items() if self._folders.get(path) != at}
        self._folders = found.folders
        self._opener.look_for_new(sorted(grown))
        self._timer.start(max(EVERY_MS, round(_REST * found.took_ms)))


def _note_folders(folders: dict[str, str], root: str, path: str) -> None:
    """Add the folders above a file to those known, up to the one that was opened."""
    folder = os.path.dirname(path)  # noqa: PTH120 (there are many)
    while folder not in folders:
        folders[folder] = root
        if folder == root:
            return
        folder = os.path.dirname(folder)  # noqa: PTH120 (there are many)
