"""Opens paths: lists their files, finds them again, opens none twice, and closes them."""

import itertools
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, Signal

from kpinspector.app import notices
from kpinspector.app.documents import DocumentStore, OpenFile, Removed, in_order
from kpinspector.app.jobs import JobRunner, Token
from kpinspector.app.pipeline import Pipeline
from kpinspector.app.progress import NoticeBoard
from kpinspector.app.reading import Opening
from kpinspector.app.state import RecentPath
from kpinspector.files import is_there
from kpinspector.trace.find import FoundFile, RealPaths, list_files

MOST_READ: Final = 200
"""Files of a folder; of the recordings in a larger one only those are read that are asked for."""

_MOST_WATCHED: Final = 500
"""Folders of one that was opened."""

_REPORT_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class Listing:
    """The files that paths stand for.

    Attributes:
        openings: What to read, in that order.
        missing: The paths that do not exist.
        folders: The paths that are folders.
        watched: The small folders among those and within them, each with the path that was given.
    """

    openings: tuple[Opening, ...]
    missing: frozenset[str]
    folders: frozenset[str]
    watched: Mapping[str, str]


def list_openings(paths: Sequence[str], token: Token) -> Listing:
    """Look through files and folders; the token reports the number of names seen."""
    counter, places = _Counter(token), _Places(paths)
    openings = []
    for item in list_files(paths, counter.check):
        path = str(item.path)
        real = places.real(path)
        records = item.records if isinstance(item, FoundFile) else None
        given = path if records is None else f"{path}#{min(records)}"
        openings.append(Opening(item, real, places.root(given)))
    folders = frozenset(path for path in paths if Path(path).is_dir())
    counts = Counter(one.root for one in openings)
    large = {path for path in folders if counts[path] > MOST_READ}
    return Listing(
        tuple(_briefly(one) if one.root in large else one for one in openings),
        frozenset(path for path in paths if not is_there(path)),
        folders,
        {inside: path for path in folders - large for inside in _folders_in(path, token)},
    )


def _folders_in(path: str, token: Token) -> Iterator[str]:
    """A folder and the folders in it, as files are found in them: without hidden ones and links."""
    for count, (folder, inside, _) in enumerate(os.walk(path), 1):
        token.check()
        yield folder
        inside[:] = [name for name in inside if not name.startswith(".")]
        if count == _MOST_WATCHED:
            return


def _briefly(opening: Opening) -> Opening:
    """The opening, of which only the beginning is read unless the user named the file itself."""
    found = opening.item
    if not isinstance(found, FoundFile) or found.named:
        return opening
    return replace(opening, as_guest=True, brief=True)


def missing_paths(paths: Sequence[str], token: Token) -> frozenset[str]:
    """The paths that do not exist."""
    missing = set()
    for path in paths:
        token.check()
        if not is_there(path):
            missing.add(path)
    return frozenset(missing)


class _Counter:
    """Counts the names that a listing has seen."""

    def __init__(self, token: Token) -> None:
        self._token = token
        self._count = 0
        self._said = monotonic()

    def check(self) -> None:
        """Called for every name."""
        self._token.check()
        self._count += 1
        now = monotonic()
        if now - self._said > _REPORT_S:
            self._said = now
            self._token.report(self._count)


class _Places:
    """Canonical paths, and the given path of each file; a folder is resolved only once."""

    def __init__(self, given: Sequence[str]) -> None:
        self._given = frozenset(given)
        self._roots: dict[str, str] = {}
        self.real = RealPaths().of

    def root(self, path: str) -> str:
        """The given path that is the file itself or a folder above it."""
        if path in self._given:
            return path
        folder = os.path.dirname(path)  # noqa: PTH120 (there are many)
        if folder not in self._roots:
            above = (folder, *(str(parent) for parent in Path(folder).parents))
            self._roots[folder] = next((one for one in above if one in self._given), path)
        return self._roots[folder]


class _Kind(StrEnum):
    OPEN = "open"
    VISIT = "visit"
    SAMPLE = "sample"
    RELOAD = "reload"
    RESTORE = "restore"
    GROW = "grow"


_NEW = (_Kind.OPEN, _Kind.VISIT, _Kind.SAMPLE)
_SHOWN = (_Kind.OPEN, _Kind.SAMPLE)
_AGAIN = (_Kind.RELOAD, _Kind.GROW)


@dataclass(slots=True, eq=False)
class _Act:
    """Paths that are being looked up.

    Attributes:
        added: The paths that were not open before.
        seen: The number of names seen so far.
    """

    kind: _Kind
    number: int
    paths: tuple[str, ...]
    added: tuple[str, ...]
    token: Token | None = None
    seen: int = 0


class Opener(QObject):
    """Part of the session: looks up paths on the worker and hands the files to the pipeline."""

    opened = Signal(object)
    """Recent paths: what the user has opened."""
    closed = Signal(object)
    """Canonical paths of files that are not open any more."""
    folders_listed = Signal(object)
    """Small folders that were looked through, each with the path that was given."""
    progress_changed = Signal()

    def __init__(
        self,
        runner: JobRunner,
        pipeline: Pipeline,
        store: DocumentStore,
        board: NoticeBoard,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._pipeline = pipeline
        self._store = store
        self._board = board
        self._numbers = itertools.count()
        self._acts: list[_Act] = []
        self._roots: dict[str, None] = {}
        self._let_go: set[str] = set()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files and folders that are open, by the paths that opened them."""
        return tuple(self._roots)

    @property
    def listing(self) -> bool:
        """Whether paths are being looked up at the user's request."""
        return any(act.kind is not _Kind.GROW for act in self._acts)

    @property
    def listed(self) -> int:
        """The number of names seen while looking up."""
        return sum(act.seen for act in self._acts if act.kind is not _Kind.GROW)

    @property
    def looked_up(self) -> tuple[str, ...]:
        """The paths that are being looked up, except those that are open already."""
        asked = (path for act in self._acts for path in act.paths if act.kind not in _AGAIN)
        return tuple(dict.fromkeys(asked))

    def open(self, paths: Sequence[str]) -> None:
        """Open files and folders, and show the first row; files that are open are read again."""
        self._list(_Kind.OPEN, paths)

    def open_samples(self, paths: Sequence[str]) -> None:
        """Open files as ``open`` does, but not among the recent paths."""
        self._list(_Kind.SAMPLE, paths)

    def visit(self, *paths: str) -> None:
        """Open files as ``open`` does, without choosing the row to be shown."""
        self._list(_Kind.VISIT, paths)

    def restore(self, paths: Sequence[str]) -> None:
        """Open what was open the last time; one notice names what is missing."""
        self._list(_Kind.RESTORE, paths)

    def reload(self) -> None:
        """Look up all open paths again; files that are gone leave the list."""
        self._list(_Kind.RELOAD, self.paths)

    def look_for_new(self, paths: Sequence[str]) -> None:
        """Look for new files in folders that are open."""
        self._list(_Kind.GROW, [path for path in paths if path in self._roots])

    def let_go(self, reals: Sequence[str]) -> None:
        """Close files that no longer exist, and remove their rows."""
        files = [self._store.files[real] for real in reals]
        self._forget(reals)
        self._store.take_off(number for file in files for number in file.rows.values())

    def reread(self, reals: Iterable[str], *, whole: bool) -> None:
        """Read these files again; with ``whole``, everything opened together with them."""
        files = {one: file for one in reals if (file := self._store.files.get(one)) is not None}
        if whole:
            acts = {file.act for file in files.values() if not file.on_request}
            files = {
                real: file
                for real, file in self._store.files.items()
                if real in files or (file.act in acts and not file.on_request)
            }
        openings = [
            Opening(file.found, real, file.root, as_guest=file.on_request, brief=file.on_request)
            for real, file in files.items()
            if file.found is not None
        ]
        if openings:
            self._pipeline.open(openings, only_changed=not whole)

    def stop(self) -> int | None:
        """Stop looking up; returns the number of names seen, or None if nothing was looked up."""
        seen = self.listed if self.listing else None
        for act in self._acts:
            if act.token is not None:
                act.token.cancel()
            if act.kind in _NEW:
                for path in act.added:
                    self._roots.pop(path, None)
        self._acts.clear()
        self.progress_changed.emit()
        return seen

    def leave_out(self, removed: Removed) -> None:
        """Close files whose rows were all removed, so that a reload does not bring them back."""
        left = [real for real, file in removed.files.items() if not file.rows]
        self._forget(left)
        self._let_go.update(left)
        asked = {path for act in self._acts for path in act.paths}
        used = self._store.roots | asked
        self._roots = {path: None for path in self._roots if path in used}
        if not self._roots:
            self._let_go.clear()

    def leave_all(self) -> None:
        """Close everything, read or not."""
        self.stop()
        self._forget(tuple(self._store.files))
        self._roots.clear()
        self._let_go.clear()

    def open_again(self, removed: Removed) -> None:
        """Reopen the paths of files whose rows are about to be put back, in their order."""
        for real, file in removed.files.items():
            self._let_go.discard(real)
            if real not in self._store.files:
                self._roots.setdefault(file.root)
        self._roots = in_order(self._roots, removed.roots)

    def _list(self, kind: _Kind, paths: Sequence[str]) -> None:
        if not paths:
            return
        added = tuple(path for path in dict.fromkeys(paths) if path not in self._roots)
        act = _Act(kind, next(self._numbers), tuple(paths), added)
        self._roots.update(dict.fromkeys(added))
        self._acts.append(act)
        act.token = self._runner.submit(
            partial(list_openings, act.paths),
            partial(self._on_listed, act),
            partial(self._on_failed, act),
            reported=partial(self._on_seen, act),
        )
        self.progress_changed.emit()

    def _on_seen(self, act: _Act, seen: int) -> None:
        act.seen = seen
        self.progress_changed.emit()

    def _on_failed(self, act: _Act, error: Exception) -> None:
        self._acts.remove(act)
        self._board.fail(error)
        self.progress_changed.emit()

    def _on_listed(self, act: _Act, listing: Listing) -> None:
        self._acts.remove(act)
        wanted = self._wanted(act, listing)
        openings = tuple(self._registered(one, act, listing) for one in wanted)
        used = self._store.roots
        for path in act.added:
            if path not in used and path not in listing.folders:
                self._roots.pop(path, None)  # open under another path, or missing
        if openings or act.kind is not _Kind.GROW:
            self._pipeline.open(openings, shows=act.kind in _SHOWN)
        self.folders_listed.emit(listing.watched)
        self.progress_changed.emit()

    def _wanted(self, act: _Act, listing: Listing) -> tuple[Opening, ...]:
        """The files to read among those that were found; tells the user about the others."""
        openings = listing.openings
        match act.kind:
            case _Kind.RELOAD:
                openings = tuple(one for one in openings if one.real not in self._let_go)
                self._drop_vanished(act, openings)
            case _Kind.GROW:
                known = self._store.files.keys() | self._let_go
                new = (one for one in openings if one.real not in known)
                files = (one for one in new if isinstance(one.item, FoundFile))
                openings = tuple(one for one in files if one.root in self._roots)
            case _Kind.RESTORE:
                openings = tuple(one for one in openings if one.root not in listing.missing)
                if listing.missing:
                    self._board.raised.emit(notices.missing(listing.missing))
            case _Kind.OPEN | _Kind.VISIT:
                self._welcome(openings)
                self.opened.emit(
                    tuple(
                        RecentPath(path=path, is_folder=path in listing.folders)
                        for path in dict.fromkeys(act.paths)
                        if path not in listing.missing
                    )
                )
            case _Kind.SAMPLE:
                self._welcome(openings)
        return openings

    def _registered(self, opening: Opening, act: _Act, listing: Listing) -> Opening:
        """Register an open file; one that is open already keeps the path it is shown by."""
        real, item = opening.real, opening.item
        file = self._store.files.get(real)
        if file is None:
            found = _found_of(opening, listing)
            self._store.open_file(real, OpenFile(found, opening.root, act.number))
            return opening
        found = file.found
        if isinstance(item, FoundFile):
            before = found or item
            named = item.named or before.named
            records = _records(before, item)
            found = item = FoundFile(item.path, before.shown, named=named, records=records)
        self._store.open_again(real, act.number, found)
        guest = file.on_request and not (isinstance(item, FoundFile) and item.named)
        brief = guest or (opening.brief and not file.is_read)
        return replace(opening, item=item, root=file.root, as_guest=brief, brief=brief)

    def _welcome(self, openings: Sequence[Opening]) -> None:
        """Bring back removed rows of what the user opens; say so if all of it is open already."""
        reals = [one.real for one in openings]
        files = [self._store.files.get(real) for real in reals]
        self._let_go.difference_update(reals)
        self._store.leave_nothing_out(reals)
        known = [file for file in files if file is not None and file.is_read]
        if not known or len(known) < len(files):
            return
        path = openings[0].root or openings[0].real
        self._board.raised.emit(notices.open_already(path, len(known)))

    def _drop_vanished(self, act: _Act, openings: Sequence[Opening]) -> None:
        found = {one.real for one in openings}
        gone = [
            real
            for real, file in self._store.files.items()
            if real not in found and file.root in act.paths
        ]
        self.let_go(gone)

    def _forget(self, reals: Sequence[str]) -> None:
        self._store.let_go(reals)
        self.closed.emit(tuple(reals))


def _records(before: FoundFile, item: FoundFile) -> frozenset[int] | None:
    """The open records of a file, including those opened now."""
    if before.records is None or item.records is None:
        return None
    return before.records | item.records


def _found_of(opening: Opening, listing: Listing) -> FoundFile | None:
    """The file to read again, even one that does not exist yet."""
    if isinstance(opening.item, FoundFile):
        return opening.item
    if opening.root in listing.missing:
        return FoundFile(Path(opening.root), opening.root, named=True)
    return None
