"""The state of the program that is kept for its next start, in one JSON file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal

from kpinspector.app.jobs import JobRunner
from kpinspector.app.values import NoticeBoard
from kpinspector.errors import WriteError
from kpinspector.files import STATE_FILE, make_folder, read_own, write_own
from kpinspector.settings import bounded, from_json, to_json, unkept

MOST_RECENT = 10

_LOCK_ENDING = ".lock"
_LOCKED_MS = 500  # another window writes within a few ms; then we write unlocked
_KEY = "state"
_REST_MS = 500  # changes that come together are written together


@dataclass(frozen=True, slots=True)
class RecentPath:
    """A file or folder that was opened before.

    Attributes:
        note: The result: a verdict with its score, or how many of its traces pass.
        is_missing: The path did not exist when last looked up; this is not saved.
    """

    path: str
    is_folder: bool = False
    note: str = ""
    is_missing: bool = unkept(default=False)


class RowPlace(NamedTuple):
    """The shown path of a row's file, and its record's number; 0 for a file that is one trace."""

    path: str
    record: int


@dataclass(frozen=True, slots=True)
class SavedState:
    """What is kept from one start to the next, beside the settings.

    Attributes:
        recent: The recent paths, latest first.
        open_paths: The files and folders that were open, by the paths that the user gave.
        current: The row that was current.
        geometry: The window's geometry, in base64.
        zoom: The size of text, in per cent.
        window_state: The sizes of the window's panes, in plain text.
        columns: The columns of its views, by name, in plain text.
        folders: By the kind of file dialog, the folder where it starts.
    """

    version: int = bounded(1, least=1, most=1)
    recent: tuple[RecentPath, ...] = bounded((), least=0, most=MOST_RECENT)
    open_paths: tuple[str, ...] = ()
    current: RowPlace | None = None
    geometry: str = ""
    zoom: int = bounded(100, least=50, most=300)
    window_state: str = ""
    columns: dict[str, str] = field(default_factory=dict)
    folders: dict[str, str] = field(default_factory=dict)


def load_state(folder: Path) -> SavedState:
    """The saved state; the default if the file is missing or broken."""
    return _read(folder) or SavedState()


def save_state(folder: Path, state: SavedState, base: SavedState | None = None) -> SavedState:
    """Save the state, without paths that JSON cannot hold.

    Windows that share a folder do not overwrite each other's changes: what changed here since
    ``base``, the state last read or written, is merged into what the file holds now.

    Returns:
        The merged state that the file holds now.

    Raises:
        WriteError: the folder cannot be written to, or something other than a file is there.
    """
    kept = replace(
        state,
        recent=tuple(one for one in state.recent if _is_text(one.path)),
        open_paths=tuple(path for path in state.open_paths if _is_text(path)),
        current=state.current if state.current and _is_text(state.current.path) else None,
        folders={what: path for what, path in state.folders.items() if _is_text(path)},
    )
    make_folder(folder)
    own = folder / (STATE_FILE + _LOCK_ENDING)
    lock = QLockFile(str(own))
    if lock.tryLock(_LOCKED_MS):
        own.chmod(0o600)
    try:
        theirs = None if base is None else _read(folder)
        if base is not None and theirs is not None:
            kept = merged(kept, theirs, base)
        write_own(folder / STATE_FILE, to_json(kept))
    finally:
        lock.unlock()
    return kept


def merged(ours: SavedState, theirs: SavedState, base: SavedState) -> SavedState:
    """The state in the file, another window's, with what changed in this window since ``base``."""
    changed = {
        one.name: value
        for one in fields(SavedState)
        if one.name != "recent" and (value := getattr(ours, one.name)) != getattr(base, one.name)
    }
    recent = merged_recent(ours.recent, theirs.recent, base.recent)
    return replace(theirs, recent=recent, **changed)


def merged_recent(
    ours: tuple[RecentPath, ...], theirs: tuple[RecentPath, ...], base: tuple[RecentPath, ...]
) -> tuple[RecentPath, ...]:
    """Our paths first, then theirs; paths that either side removed stay removed."""
    if [_as_kept(one) for one in ours] == [_as_kept(one) for one in base]:
        return theirs
    known, there = ({one.path for one in paths} for paths in (base, theirs))
    own = [one for one in ours if one.path in there or one.path not in known]
    seen = {one.path for one in ours} | known
    return (*own, *(one for one in theirs if one.path not in seen))[:MOST_RECENT]


def _as_kept(one: RecentPath) -> RecentPath:
    return replace(one, is_missing=False)


def _read(folder: Path) -> SavedState | None:
    try:
        return from_json(SavedState, read_own(folder / STATE_FILE))
    except (OSError, ValueError):
        return None


def _is_text(path: str) -> bool:
    """Whether a path has no lone surrogates, which stand for undecodable bytes."""
    return path.isascii() or not any("\ud800" <= char <= "\udfff" for char in path)


class History(QObject):
    """Part of the session: the state of the last session, and this session's recent paths.

    Attributes:
        wanted: The row that was current in the last session, until it is shown again.
    """

    recent_changed = Signal(object)

    def __init__(self, state: SavedState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.recent = state.recent
        self.wanted: RowPlace | None = None

    def keep(self, **changes: Any) -> None:
        """Keep these fields of the state for the next start."""
        self.state = replace(self.state, **changes)

    def add(self, paths: Sequence[RecentPath]) -> None:
        """Put these paths first among the recent ones, in their order; their notes stay."""
        notes = {one.path: one.note for one in self.recent}
        top = {one.path: replace(one, note=notes.get(one.path, "")) for one in paths[:MOST_RECENT]}
        rest = tuple(one for one in self.recent if one.path not in top)
        self._set((*top.values(), *rest)[:MOST_RECENT])

    def note(self, notes: Mapping[str, str]) -> None:
        """Note the results of these paths, by path."""
        found = (replace(one, note=notes.get(one.path, one.note)) for one in self.recent)
        self._set(tuple(found))

    def take_over(self, ours: SavedState, kept: SavedState) -> None:
        """Show other windows' recent paths: we wrote ``ours``, the merged file holds ``kept``."""
        missing = frozenset(one.path for one in self.recent if one.is_missing)
        self.mark_missing(missing, merged_recent(self.recent, kept.recent, ours.recent))

    def mark_missing(
        self, missing: frozenset[str], recent: Sequence[RecentPath] | None = None
    ) -> None:
        """Mark which of ``recent``, by default of the recent paths, are in ``missing``."""
        found = self.recent if recent is None else recent
        self._set(tuple(replace(one, is_missing=one.path in missing) for one in found))

    def clear(self) -> None:
        """Forget all recent paths."""
        self._set(())

    def _set(self, recent: tuple[RecentPath, ...]) -> None:
        if recent != self.recent:
            self.recent = recent
            self.recent_changed.emit(recent)


class StateKeeper(QObject):
    """Keeps the file up to date with the state, until the program ends."""

    def __init__(
        self,
        folder: Path,
        history: History,
        gather: Callable[[], SavedState],
        runner: JobRunner,
        board: NoticeBoard,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._folder, self._history, self._gather = folder, history, gather
        self._base = history.state
        self._runner, self._board = runner, board
        self._failed = self._writing = False
        self._timer = QTimer(self, singleShot=True, interval=_REST_MS)
        self._timer.timeout.connect(self._on_rested)

    def touch(self) -> None:
        """Write the state soon, in case it has changed."""
        if not self._timer.isActive():
            self._timer.start()

    def end(self) -> None:
        """Write the state at once, as the program ends.

        Raises:
            WriteError: the folder cannot be written to.
        """
        self._timer.stop()
        save_state(self._folder, self._gather(), self._base)

    def _on_rested(self) -> None:
        if self._writing:
            self._timer.start()
            return
        state = self._gather()
        if state != self._base:
            self._writing = True
            base = self._base
            self._runner.submit(
                lambda _token: save_state(self._folder, state, base),
                partial(self._on_written, state),
                self._on_failed,
            )

    def _on_written(self, ours: SavedState, kept: SavedState) -> None:
        self._writing = self._failed = False
        self._board.settled.emit(_KEY)
        self._base = kept
        self._history.take_over(ours, kept)

    def _on_failed(self, error: Exception) -> None:
        """Raise a notice once, as every further write would fail in the same way."""
        self._writing = False
        if not self._failed:
            self._failed = isinstance(error, WriteError)
            self._board.fail(error, _KEY)
