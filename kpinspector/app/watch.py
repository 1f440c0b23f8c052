"""Watches the open files, and tells which changed on disk after a short rest."""

import os
import stat
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QElapsedTimer, QFileSystemWatcher, QObject, QTimer, Signal

from kpinspector.app import notices
from kpinspector.app.jobs import Done, Token, Work
from kpinspector.app.progress import NoticeBoard

MOST_WATCHED = 2000
_REST_MS = 200  # an editor writes in several steps
_LONGEST_REST_MS = 2000  # a file that never rests is read now and then


class Signature(NamedTuple):
    """Numbers that differ once a file has changed; none has a meaning of its own."""

    modified: int
    size: int
    inode: int


def signature_of(path: str | Path) -> Signature | None:
    """The signature of a file; None where there is no file."""
    try:
        found = os.stat(path)  # noqa: PTH116 (also takes a str, and there are many)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return Signature(found.st_mtime_ns, found.st_size, found.st_ino)


def changed_files(
    known: Mapping[str, Signature | None], token: Token
) -> tuple[tuple[str, Signature | None], ...]:
    """The files that differ from their known signatures, with their new ones."""
    changed = []
    for path, before in known.items():
        token.check()
        now = signature_of(path)
        if now != before:
            changed.append((path, now))
    return tuple(changed)


class Watcher(QObject):
    """Part of the session: watches files by their canonical paths, and the folders they are in.

    An atomic save puts another file in the place of the watched one, which its folder reports.
    """

    changed = Signal(object)

    def __init__(
        self,
        submit: Callable[[Work, Done], Token],
        board: NoticeBoard,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._submit = submit
        self._board = board
        self._known: dict[str, Signature | None] = {}
        self._gone: dict[str, None] = {}
        self._folders: defaultdict[str, set[str]] = defaultdict(set)
        self._doubtful: set[str] = set()
        self._limited = False
        self._waited = QElapsedTimer()
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._on_rested)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._on_file_changed)
        self._watcher.directoryChanged.connect(self._on_folder_changed)

    def is_watched(self, path: str) -> bool:
        """Whether a change of this file is noticed by itself."""
        return path in self._known

    def watch(self, path: str, signature: Signature | None) -> None:
        """Watch a file, and tell once it differs from its signature."""
        if path in self._known:
            self._known[path] = signature
            self._tell_gone((), () if signature is None else (path,))
            return
        if len(self._known) >= MOST_WATCHED:
            self._limit()
            return
        folder = str(Path(path).parent)
        if folder not in self._folders and not self._watcher.addPath(folder):
            if Path(folder).is_dir():
                self._limit()
            return
        self._folders[folder].add(path)
        self._known[path] = signature
        if signature is not None:
            self._watcher.addPath(path)
        self._doubt((path,))  # it may have changed between its signature and now

    def unwatch(self, paths: Iterable[str]) -> None:
        """Stop watching these files."""
        known = [path for path in paths if path in self._known]
        for path in known:
            del self._known[path]
            self._watcher.removePath(path)
            folder = str(Path(path).parent)
            self._folders[folder].discard(path)
            if not self._folders[folder]:
                del self._folders[folder]
                self._watcher.removePath(folder)
        self._tell_gone((), known)

    def close(self) -> None:
        """Stop watching."""
        self._rest.stop()
        self._known.clear()

    def _limit(self) -> None:
        """Tell once that not everything can be watched."""
        if not self._limited:
            self._limited = True
            self._board.raised.emit(notices.not_watched(MOST_WATCHED))

    def _doubt(self, paths: Iterable[str]) -> None:
        """Look at these files after a rest."""
        if not self._doubtful:
            self._waited.start()
        self._doubtful.update(paths)
        if not self._rest.isActive() or self._waited.elapsed() < _LONGEST_REST_MS:
            self._rest.start()

    def _on_file_changed(self, path: str) -> None:
        if path in self._known:
            self._doubt((path,))

    def _on_folder_changed(self, folder: str) -> None:
        if folder in self._folders:
            self._doubt(self._folders[folder])

    def _on_rested(self) -> None:
        known = {path: self._known[path] for path in self._doubtful if path in self._known}
        self._doubtful.clear()
        if known:
            self._submit(lambda token: changed_files(known, token), self._on_looked)

    def _on_looked(self, changed: tuple[tuple[str, Signature | None], ...]) -> None:
        news = [(path, now) for path, now in changed if path in self._known]
        self._known.update(news)
        there = [path for path, now in news if now is not None]
        gone = [path for path, now in news if now is None]
        if there:
            self._watcher.removePaths(there)  # another file may be in its place
            self._watcher.addPaths(there)
            self._doubt(there)
            self.changed.emit(tuple(there))
        self._tell_gone(gone, there)

    def _tell_gone(self, gone: Iterable[str], back: Collection[str]) -> None:
        """Tell which open files are gone, once more if others are; take it back if none is."""
        now = {path: None for path in (*self._gone, *gone) if path not in back}
        if now != self._gone:
            self._gone = now
            if now:
                self._board.raised.emit(notices.vanished(tuple(now)))
            else:
                self._board.settled.emit(notices.GONE)
