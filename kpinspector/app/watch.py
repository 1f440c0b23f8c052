"""Follows open files and folders: files that change, folders that grow, recordings that rest."""

import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TypeAlias

from PySide6.QtCore import QElapsedTimer, QFileSystemWatcher, QObject, Qt, QTimer

from kpinspector.app import notices
from kpinspector.app.engine import Core
from kpinspector.app.jobs import Priority, Token
from kpinspector.app.opener import Act, Opener
from kpinspector.app.reading import Changed, Signature, changed_files
from kpinspector.runs.follow import QUIET_S, quiet_at

MOST_WATCHED = 2000
EVERY_MS = 5000
FOLDER_REST_MS = 500  # editors create files for a moment while they save
_REST_MS = 200  # an editor writes in several steps
_LONGEST_REST_MS = 2000  # a file that never rests is read now and then
_PAUSE = 100  # the pause after a look at large folders is so many times as long as the look

_Seen: TypeAlias = tuple[Changed, Mapping[str, int], float]


class Watcher(QObject):
    """Part of the session: finds what has changed on disk, and has it read again.

    The system watches files and small folders; timers serve for the rest. An atomic save replaces
    the watched file by another, which its folder reports. Large folders are looked at from time to
    time: they hold more files than a system can watch, and a watched folder does not report that a
    file in it grew. The store keeps each file's signature, by which a change is recognised.
    """

    def __init__(self, core: Core, opener: Opener, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, engine, self._store, self._board = core
        self._ask, self._opener, self._now = core.ask, opener, engine.now
        self._watched: dict[str, str] = {}  # the watched files, each with its folder
        self._gone: dict[str, None] = {}
        self._roots: dict[str, str] = {}  # the small folders, each with the opened path above it
        self._times: Mapping[str, int] = {}  # when each of the large folders was last changed
        self._ends: dict[str, float] = {}  # when a running recording counts as ended
        self._to_look_at: set[str] = set()
        self._grown: set[str] = set()
        self._limited = self._looking = False
        self._waited = QElapsedTimer()
        self._rest, self._folder_rest, self._pause, self._end_timer = (
            QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer) for _ in range(4)
        )
        self._rest.timeout.connect(self._on_rested)
        self._folder_rest.timeout.connect(self._on_folders_rested)
        self._pause.timeout.connect(self._on_pause_over)
        self._end_timer.timeout.connect(self.look_for_ends)
        self._end_timer.setObjectName("first end")
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(lambda path: self._look_soon((path,)))
        self._watcher.directoryChanged.connect(self._on_folder_changed)
        opener.folders_listed.connect(self._watch_folders)
        opener.closed.connect(self._unwatch)

    def is_watched(self, path: str) -> bool:
        """Whether the system reports changes of this file."""
        return path in self._watched

    def watch(self, path: str) -> None:
        """Watch an open file that was just read; a running recording also until it rests."""
        signature, folder = self._store.files[path].signature, str(Path(path).parent)
        self._ends.pop(path, None)
        if signature is not None and self._store.is_running(path):
            self._ends[path] = quiet_at(signature.modified)
        self._set_end_timer()
        if self._store.is_unread(path):
            if not (self._pause.isActive() or self._looking):
                self._pause.start(EVERY_MS)
        elif path in self._watched:
            self._show_gone((), () if signature is None else (path,))
        elif len(self._watched) >= MOST_WATCHED or not self._add_folder(folder):
            if not self._limited and Path(folder).is_dir():
                self._limited = True
                self._board.raised.emit(notices.not_watched(MOST_WATCHED))
        else:
            self._watched[path] = folder
            if signature is not None:
                self._watcher.addPath(path)
            self._look_soon((path,))  # it may have changed after its signature was taken

    def close(self) -> None:
        """Watch nothing from now on."""
        for timer in (self._rest, self._folder_rest, self._pause, self._end_timer):
            timer.stop()
        self._watched.clear()
        self._roots.clear()
        self._ends.clear()

    def _watch_folders(self, folders: Mapping[str, str]) -> None:
        """Watch small folders, each given with the opened path above it."""
        new = folders.keys() - (self._roots.keys() & {*self._watcher.directories()})
        self._roots.update(folders)
        for folder in new:
            if self._add_folder(folder):
                self._on_folder_changed(folder)  # a file may have come since the folder was listed

    def _unwatch(self, paths: Iterable[str]) -> None:
        """Stop watching these files, which were closed."""
        for path in paths:
            self._ends.pop(path, None)
            if self._watched.pop(path, None) is not None:
                self._watcher.removePath(path)
        self._set_end_timer()
        self._unwatch_unused_folders()
        self._show_gone((), tuple(paths))

    def _add_folder(self, folder: str) -> bool:
        return folder in self._watcher.directories() or self._watcher.addPath(folder)

    def _unwatch_unused_folders(self) -> None:
        """Stop watching folders that are not open themselves and hold no watched file."""
        for folder in {*self._watcher.directories()} - {*self._watched.values(), *self._roots}:
            self._watcher.removePath(folder)

    # files and small folders

    def _look_soon(self, paths: Iterable[str]) -> None:
        """Look at these files soon, once they have come to rest."""
        if not self._to_look_at:
            self._waited.start()
        self._to_look_at.update(paths)
        if not self._rest.isActive() or self._waited.elapsed() < _LONGEST_REST_MS:
            self._rest.start(_REST_MS)

    def _on_folder_changed(self, folder: str) -> None:
        self._look_soon([path for path, inside in self._watched.items() if inside == folder])
        if folder in self._roots:
            self._grown.add(folder)
            self._folder_rest.start(FOLDER_REST_MS)

    def _on_rested(self) -> None:
        doubtful = [path for path in self._watched if path in self._to_look_at]
        self._to_look_at.clear()
        self._look(doubtful, ended=False)

    def _show_gone(self, gone: Iterable[str], back: Collection[str]) -> None:
        """Say which open files are gone if there are others now; withdraw that if none is."""
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
        opened = self._opener.paths
        self._roots = {one: root for one, root in self._roots.items() if root in opened}
        self._unwatch_unused_folders()

    # running recordings

    def look_for_ends(self) -> None:
        """Look at files whose recordings should have ended: some may have grown unnoticed."""
        now = self._now()
        due = [path for path, end in self._ends.items() if end <= now]
        for path in due:
            del self._ends[path]
        self._set_end_timer()
        self._look(due, ended=True)

    def _set_end_timer(self) -> None:
        """Set the timer for the recording that is the first to be taken as ended."""
        self._end_timer.stop()
        if self._ends:
            first = min(self._ends.values()) - self._now()
            self._end_timer.start(max(0, round(min(first, QUIET_S) * 1000)) + 1)

    # large folders, and what is gone

    def _on_pause_over(self) -> None:
        self._watch_folders(self._roots)  # a folder that was gone is no longer watched
        for path in self._gone:
            self._add_folder(self._watched[path])
        files: dict[str, Signature | None] = dict.fromkeys(self._gone)
        folders: dict[str, str] = {}
        for real, file in self._store.files.items():
            if file.on_request:
                folder = os.path.dirname(real if file.found is None else str(file.found.path))  # noqa: PTH120 (there are many)
                while folder not in folders:  # up to the folder that the user opened
                    folders[folder] = file.root
                    if folder != file.root:
                        folder = os.path.dirname(folder)  # noqa: PTH120
                if self._store.is_unread(real):
                    files[real] = file.signature
        if folders or files:
            self._looking = True
            work, done = partial(look_at, files, folders), partial(self._on_looked, (), folders)
            self._runner.submit(work, done, self._board.fail, Priority.IDLE)

    # looking at files of any kind

    def _look(self, paths: Iterable[str], *, ended: bool) -> None:
        """Look at files that may have changed; with ``ended``, unchanged ones count as ended."""
        files = self._store.files
        known = {path: files[path].signature for path in paths if path in files}
        if known:
            done = partial(self._on_looked, tuple(known) if ended else (), {})
            self._ask(partial(look_at, known, {}), done)

    def _on_looked(self, ended: Collection[str], folders: Mapping[str, str], found: _Seen) -> None:
        """Have changed files read again; score runs that have ended like any other trace.

        Unread recordings only show their new time; those that are gone are closed.
        """
        changed, times, took_s = found
        files = self._store.files
        moved = [path for path, now in changed if now is not None]
        # a file that was read meanwhile has its new signature already
        news = {
            path: now for path, now in changed if path in files and files[path].signature != now
        }
        unread = [path for path in news if self._store.is_unread(path)]
        there = [path for path, now in news.items() if now is not None and path not in unread]
        for path, now in news.items():
            files[path].signature = now
            if now is not None and path in self._ends:
                self._ends[path] = quiet_at(now.modified)
        self._opener.end([path for path in ended if path in files and path not in moved])
        if watched := [path for path in moved if path in self._watched]:
            self._watcher.removePaths(watched)  # another file may have taken its place
            self._watcher.addPaths(watched)
            self._look_soon(watched)
        self._opener.reread(there)
        self._show_gone((path for path in self._watched if news.get(path, path) is None), there)
        self._store.date(unread)
        self._opener.let_go([path for path in unread if news[path] is None])
        if folders:
            roots = {folders[path] for path, at in times.items() if self._times.get(path) != at}
            self._times = times
            self._opener.open(sorted(roots), Act.GROW)
        self._looking = False
        if folders or self._gone:
            self._pause.start(max(EVERY_MS, round(_PAUSE * took_s * 1000)))


def look_at(files: Mapping[str, Signature | None], folders: Collection[str], token: Token) -> _Seen:
    """Which files changed, when each folder was changed, and how many seconds the look took."""
    start, times = monotonic(), dict.fromkeys(folders, 0)
    changed = changed_files(files, token)
    for path in folders:
        with suppress(OSError):
            times[path] = os.stat(path).st_mtime_ns  # noqa: PTH116 (there are many)
    return changed, times, monotonic() - start
