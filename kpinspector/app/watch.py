"""Follows what is open on disk: files that change, folders that grow, recordings that rest."""

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic

from PySide6.QtCore import QElapsedTimer, QFileSystemWatcher, QObject, Qt, QTimer, Signal

from kpinspector.app import notices
from kpinspector.app.engine import Core
from kpinspector.app.jobs import Priority, Token
from kpinspector.app.opener import Act, Opener
from kpinspector.app.reading import Changed, Signature, changed_files
from kpinspector.runs.follow import QUIET_S

MOST_WATCHED = 2000
EVERY_MS = 5000
FOLDER_REST_MS = 500  # editors create files for a moment while they save
_REST_MS = 200  # an editor writes in several steps
_LONGEST_REST_MS = 2000  # a file that never rests is read now and then
_PAUSE = 100  # times as long as a look at large folders took is the pause after it


class Watcher(QObject):
    """Part of the session: the system tells of files and small folders, timers of the others.

    An atomic save puts another file in the place of the watched one, which its folder reports.
    Large folders are looked at from time to time: there are more files in them than a system can
    watch, and a watched folder does not report that a file in it grew.
    """

    changed = Signal(object)
    """The canonical paths of files with other content."""
    rested = Signal(object, object)
    """The canonical paths of recordings that came to rest, and which of these are gone."""

    def __init__(self, core: Core, opener: Opener, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, engine, self._store, self._board = core
        self._ask, self._opener, self._now = core.ask, opener, engine.now
        self._known: dict[str, Signature | None] = {}
        self._gone: dict[str, None] = {}
        self._folders: defaultdict[str, set[str]] = defaultdict(set)  # of watched files
        self._roots: dict[str, str] = {}  # small folders, each with the opened path it is in
        self._times: Mapping[str, int] = {}  # when each of the large folders changed
        self._ends: dict[str, float] = {}  # when running recordings rest unless they change
        self._doubtful: set[str] = set()
        self._grown: set[str] = set()
        self._limited = self._looking = False
        self._waited = QElapsedTimer()
        self._rest, self._folder_rest, self._pause, self._first_end = (
            QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer) for _ in range(4)
        )
        self._rest.timeout.connect(self._on_rested)
        self._folder_rest.timeout.connect(self._on_folders_rested)
        self._pause.timeout.connect(self._on_pause_over)
        self._first_end.timeout.connect(self.look_for_ends)
        self._first_end.setObjectName("first end")
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(lambda path: self._doubt((path,)))
        self._watcher.directoryChanged.connect(self._on_folder_changed)
        opener.folders_listed.connect(self.watch_folders)
        opener.closed.connect(self.unwatch)

    def is_watched(self, path: str) -> bool:
        """Whether a change of this file is noticed by itself."""
        return path in self._known

    def watch(self, path: str, signature: Signature | None) -> None:
        """Watch a file, and tell once it differs from its signature; one not read is looked at."""
        folder = str(Path(path).parent)
        if self._is_unread(path):
            if not (self._pause.isActive() or self._looking):
                self._pause.start(EVERY_MS)
        elif path in self._known:
            self._known[path] = signature
            self._tell_gone((), () if signature is None else (path,))
        elif len(self._known) >= MOST_WATCHED or not self._add_folder(folder):
            if not self._limited and Path(folder).is_dir():
                self._limited = True
                self._board.raised.emit(notices.not_watched(MOST_WATCHED))
        else:
            self._folders[folder].add(path)
            self._known[path] = signature
            if signature is not None:
                self._watcher.addPath(path)
            self._doubt((path,))  # it may have changed between its signature and now

    def watch_folders(self, folders: Mapping[str, str]) -> None:
        """Watch small folders, each given with the opened path that it belongs to."""
        new = folders.keys() - self._roots.keys()
        self._roots.update(folders)
        for folder in new:
            if self._add_folder(folder):
                self._on_folder_changed(folder)  # a file may have come since it was listed

    def follow(self, path: str, end: float | None) -> None:
        """Follow a recording until it comes to rest at ``end``; None stops following it."""
        self._ends.pop(path, None)
        if end is not None:
            self._ends[path] = end
        self._wind()

    def unwatch(self, paths: Iterable[str]) -> None:
        """Stop watching and following these files."""
        for path in paths:
            self._ends.pop(path, None)
        self._wind()
        known = [path for path in paths if path in self._known]
        for path in known:
            del self._known[path]
            self._watcher.removePath(path)
            folder = str(Path(path).parent)
            self._folders[folder].discard(path)
            if not self._folders[folder]:
                del self._folders[folder]
                self._remove_folder(folder)
        self._tell_gone((), known)

    def close(self) -> None:
        """Tell nothing from now on."""
        for timer in (self._rest, self._folder_rest, self._pause, self._first_end):
            timer.stop()
        self._known.clear()
        self._roots.clear()
        self._ends.clear()

    def _add_folder(self, folder: str) -> bool:
        return folder in self._watcher.directories() or self._watcher.addPath(folder)

    def _remove_folder(self, folder: str) -> None:
        if folder not in self._folders and folder not in self._roots:
            self._watcher.removePath(folder)

    # files and small folders

    def _doubt(self, paths: Iterable[str]) -> None:
        """Look at these files after a rest."""
        if not self._doubtful:
            self._waited.start()
        self._doubtful.update(paths)
        if not self._rest.isActive() or self._waited.elapsed() < _LONGEST_REST_MS:
            self._rest.start(_REST_MS)

    def _on_folder_changed(self, folder: str) -> None:
        if folder in self._folders:
            self._doubt(self._folders[folder])
        if folder in self._roots:
            self._grown.add(folder)
            self._folder_rest.start(FOLDER_REST_MS)

    def _on_rested(self) -> None:
        known = {path: self._known[path] for path in self._doubtful if path in self._known}
        self._doubtful.clear()
        if known:
            self._ask(partial(changed_files, known), self._on_looked)

    def _on_looked(self, changed: Changed) -> None:
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

    def _on_folders_rested(self) -> None:
        roots = {self._roots[folder] for folder in self._grown}
        self._grown.clear()
        self._opener.open(sorted(roots), Act.GROW)
        for folder in [one for one, root in self._roots.items() if root not in self._opener.paths]:
            del self._roots[folder]
            self._remove_folder(folder)

    # running recordings

    def look_for_ends(self) -> None:
        """Look at the files that should have come to rest: some may have grown unseen."""
        files, now = self._store.files, self._now()
        due = [path for path, end in self._ends.items() if end <= now]
        for path in due:
            del self._ends[path]
        self._wind()
        known = {path: files[path].signature for path in due if path in files}
        if known:
            self._ask(partial(changed_files, known), partial(self._on_ends_looked_at, known))

    def _wind(self) -> None:
        """Set the timer for the first recording that will come to rest."""
        self._first_end.stop()
        if self._ends:
            first = min(self._ends.values()) - self._now()
            self._first_end.start(max(0, round(min(first, QUIET_S) * 1000)) + 1)

    def _on_ends_looked_at(self, known: Iterable[str], changed: Changed) -> None:
        grown = tuple(path for path, now in changed if now is not None)
        gone = {path for path, now in changed if now is None}
        rested = tuple(one for one in known if one not in grown and one in self._store.files)
        self.rested.emit(rested, gone)
        if grown:
            self.changed.emit(grown)

    # large folders

    def _is_unread(self, path: str) -> bool:
        numbers = self._store.files[path].rows.values()
        return any(self._store[number].unread is not None for number in numbers)

    def _on_pause_over(self) -> None:
        files: dict[str, Signature | None] = {}
        folders: dict[str, str] = {}
        for real, file in self._store.files.items():
            if file.on_request:
                folder = os.path.dirname(real if file.found is None else str(file.found.path))  # noqa: PTH120 (there are many)
                while folder not in folders:  # up to the one that was opened
                    folders[folder] = file.root
                    if folder != file.root:
                        folder = os.path.dirname(folder)  # noqa: PTH120
                if self._is_unread(real):
                    files[real] = file.signature
        if folders:
            self._looking = True
            done = partial(self._on_large_looked_at, folders)
            work = partial(look_at_large, files, folders)
            self._runner.submit(work, done, self._on_large_failed, Priority.IDLE)

    def _on_large_failed(self, _error: Exception) -> None:
        self._looking = False

    def _on_large_looked_at(
        self, roots: Mapping[str, str], found: tuple[Changed, Mapping[str, int], float]
    ) -> None:
        """Show when unread recordings last changed; let go which are gone, find which came."""
        self._looking = False
        changed, times, took_s = found
        unread = [one for one in changed if one[0] in self._store.files and self._is_unread(one[0])]
        for real, now in unread:
            if now is not None:
                file = self._store.files[real]
                file.signature = now
                for document in [self._store[number] for number in file.rows.values()]:
                    if document.unread is not None:
                        item = replace(document.unread, modified=now.modified)
                        self._store.put(replace(document, item=item))
        self._opener.let_go([real for real, now in unread if now is None])
        grown = {roots[path] for path, at in times.items() if self._times.get(path) != at}
        self._times = times
        self._opener.open(sorted(grown), Act.GROW)
        self._pause.start(max(EVERY_MS, round(_PAUSE * took_s * 1000)))


def look_at_large(
    files: Mapping[str, Signature | None], folders: Collection[str], token: Token
) -> tuple[Changed, Mapping[str, int], float]:
    """Which files changed, when each folder did, and for how many seconds it was looked."""
    start, times = monotonic(), dict.fromkeys(folders, 0)
    changed = changed_files(files, token)
    for path in folders:
        with suppress(OSError):
            times[path] = os.stat(path).st_mtime_ns  # noqa: PTH116 (there are many)
    return changed, times, monotonic() - start
