"""Watches small folders that are open, and opens the files that come into them."""

from collections.abc import Mapping

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer

from kpinspector.app.opener import Opener

REST_MS = 500  # editors create files for a moment while they save


class SmallFolders(QObject):
    """Part of the session: watches the folders that were listed."""

    def __init__(self, opener: Opener, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._opener = opener
        self._roots: dict[str, str] = {}
        self._changed: set[str] = set()
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._on_rested)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(self._on_changed)
        opener.folders_listed.connect(self.watch)

    def watch(self, folders: Mapping[str, str]) -> None:
        """Watch folders, each given with the opened path that it belongs to."""
        self._roots.update(folders)
        watched = set(self._watcher.directories())
        for folder in folders.keys() - watched:
            if self._watcher.addPath(folder):
                self._on_changed(folder)  # a file may have come since it was listed

    def close(self) -> None:
        """Stop watching."""
        self._rest.stop()
        self._roots.clear()

    def _on_changed(self, folder: str) -> None:
        if folder in self._roots:
            self._changed.add(folder)
            self._rest.start(REST_MS)

    def _on_rested(self) -> None:
        roots = {self._roots[folder] for folder in self._changed}
        self._changed.clear()
        self._opener.look_for_new(sorted(roots))
        closed = [one for one, root in self._roots.items() if root not in self._opener.paths]
        for folder in closed:
            del self._roots[folder]
            self._watcher.removePath(folder)
