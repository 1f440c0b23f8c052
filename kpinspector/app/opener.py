"""Opens paths: lists their files, lists them again on reload, opens no file twice, closes files.

Recordings of large folders are only listed: they are read when the user chooses them, and
remembered on request.
"""

import itertools
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from kpinspector.app import notices
from kpinspector.app.document import Document
from kpinspector.app.documents import OpenFile, Removed, in_order
from kpinspector.app.engine import Core
from kpinspector.app.jobs import Token
from kpinspector.app.pipeline import Drop, Pipeline
from kpinspector.app.reading import Opening
from kpinspector.app.state import History, RecentPath
from kpinspector.files import is_there
from kpinspector.settings import Mode
from kpinspector.trace.find import FoundFile, RealPaths, list_files

MOST_READ: Final = 200
"""In a folder with more files than this, recordings are only listed, not read."""

_MOST_WATCHED: Final = 500
"""At most so many folders are watched within an opened folder."""

REST_MS: Final = 100  # keys repeat faster, so that rows merely passed are not read


@dataclass(frozen=True, slots=True)
class Listing:
    """The files that some paths stand for.

    Attributes:
        watched: The small folders that were given, and those within, each with the path given.
    """

    openings: tuple[Opening, ...]
    missing: frozenset[str]
    folders: frozenset[str]
    watched: Mapping[str, str]


def list_openings(paths: Sequence[str], token: Token) -> Listing:
    """List the files under these paths; ``token.done`` counts the names that were seen."""
    given, roots, real_of = frozenset(paths), dict[str, str](), RealPaths().of

    def check() -> None:
        token.check()
        token.done += 1

    def root_of(path: str) -> str:
        """The given path that is the file itself or a folder above it."""
        if path in given:
            return path
        folder = os.path.dirname(path)  # noqa: PTH120 (there are many)
        if folder not in roots:
            above = (folder, *(str(parent) for parent in Path(folder).parents))
            roots[folder] = next((one for one in above if one in given), path)
        return roots[folder]

    openings = []
    for item in list_files(paths, check):
        path = str(item.path)
        records = item.records if isinstance(item, FoundFile) else None
        place = path if records is None else f"{path}#{min(records)}"
        openings.append(Opening(item, real_of(path), root_of(place)))
    folders = frozenset(path for path in paths if Path(path).is_dir())
    counts = Counter(one.root for one in openings)
    large = {path for path in folders if counts[path] > MOST_READ}
    return Listing(
        tuple(_recognised_only(one) if one.root in large else one for one in openings),
        missing_paths(paths, token),
        folders,
        {inside: path for path in folders - large for inside in _folders_in(path, token)},
    )


def _folders_in(path: str, token: Token) -> Iterator[str]:
    """A folder and the folders within in which files are looked for: none hidden, no links."""
    for count, (folder, inside, _) in enumerate(os.walk(path), 1):
        token.check()
        yield folder
        inside[:] = [name for name in inside if not name.startswith(".")]
        if count == _MOST_WATCHED:
            return


def _recognised_only(opening: Opening) -> Opening:
    """The opening, marked so that a recording is only recognised unless the user named the file."""
    named = not isinstance(opening.item, FoundFile) or opening.item.named
    return opening if named else replace(opening, as_guest=True, brief=True)


def missing_paths(paths: Sequence[str], token: Token) -> frozenset[str]:
    """The paths that do not exist."""

    def is_missing(path: str) -> bool:
        token.check()
        return not is_there(path)

    return frozenset(filter(is_missing, paths))


class Act(StrEnum):
    """Why paths are looked up.

    OPEN shows the first row, VISIT does not; a SAMPLE is no recent path. RESTORE opens what was
    open the last time. RELOAD looks up all open paths again; files that are gone leave the list.
    GROW looks for new files in open folders.
    """

    OPEN = "open"
    VISIT = "visit"
    SAMPLE = "sample"
    RELOAD = "reload"
    RESTORE = "restore"
    GROW = "grow"


@dataclass(slots=True, eq=False)
class _LookUp:
    """Paths whose files are being listed on the worker.

    Attributes:
        added: The paths that were not open before.
    """

    act: Act
    number: int
    paths: tuple[str, ...]
    added: tuple[str, ...]
    token: Token = field(default_factory=Token)


class Opener(QObject):
    """Part of the session: looks up paths on the worker and hands the files to the pipeline."""

    closed = Signal(object)
    """The canonical paths of files that were just closed."""
    folders_listed = Signal(object)
    """The small folders that were looked through, each with the path that was given."""
    progress_changed = Signal()

    def __init__(
        self, core: Core, pipeline: Pipeline, history: History, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner, self._engine, self._store, self._board = core
        self._pipeline, self._history = pipeline, history
        self._numbers = itertools.count()
        self._lookups: list[_LookUp] = []
        self._roots: dict[str, None] = {}
        self._let_go: set[str] = set()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files and folders that the user opened, by the paths that were given."""
        return tuple(self._roots)

    @property
    def listed(self) -> int | None:
        """The number of names seen while listing for the user; None while nothing is listed."""
        asked = [one.token.done for one in self._lookups if one.act is not Act.GROW]
        return sum(asked) if asked else None

    @property
    def looked_up(self) -> tuple[str, ...]:
        """The paths whose files are being listed, except for a reload or a watched folder."""
        found = (one for one in self._lookups if one.act not in (Act.RELOAD, Act.GROW))
        return tuple(dict.fromkeys(path for one in found for path in one.paths))

    def open(self, paths: Sequence[str], act: Act = Act.OPEN) -> None:
        """Read files and folders and score their traces; what is open already is read again.

        The window is asked to show the first row of what the user opens.
        """
        if act is Act.OPEN:
            paths = [str(Path(path).absolute()) for path in paths]
        if act is Act.GROW:
            paths = [path for path in paths if path in self._roots]
        if not paths:
            return
        added = tuple(path for path in dict.fromkeys(paths) if path not in self._roots)
        lookup = _LookUp(act, next(self._numbers), tuple(paths), added)
        self._roots.update(dict.fromkeys(added))
        self._lookups.append(lookup)
        lookup.token = self._runner.submit(
            partial(list_openings, lookup.paths),
            partial(self._on_listed, lookup),
            partial(self._on_failed, lookup),
        )
        self.progress_changed.emit()

    def let_go(self, reals: Sequence[str]) -> None:
        """Close files that no longer exist, and remove their rows."""
        files = [self._store.files[real] for real in reals]
        self._forget(reals)
        self._store.take_off(number for file in files for number in file.rows.values())

    def reread(self, reals: Collection[str]) -> None:
        """Read these files again; in *fresh* mode, with all files that the same act opened.

        Scores there depend on all of them; a running guest is read alone, as no trace meets it.
        """
        files, fresh = self._store.files, self._engine.mode is Mode.FRESH
        alone = [one for one in reals if not fresh or self._store.is_running(one)]
        others = {*reals} - {*alone}
        acts = {files[one].act for one in others if not files[one].on_request}
        whole = [
            one
            for one, file in files.items()
            if one in others or (file.act in acts and not file.on_request)
        ]
        for again, only_changed in ((alone, True), (whole, False)):
            openings = [
                Opening(file.found, one, file.root, as_guest=file.on_request, brief=file.on_request)
                for one in again
                if (file := files[one]).found is not None
            ]
            if openings:
                self._pipeline.open(openings, only_changed=only_changed)

    def end(self, reals: Collection[str]) -> None:
        """Score runs that have ended like any other; in *fresh* mode their files are read again."""
        ended = self._store.rest(reals)
        if self._engine.mode is Mode.FRESH:
            self.reread([real for real in reals if self._store.files[real].signature is not None])
        elif traces := [number for number in ended if self._store[number].text is not None]:
            self._pipeline.score(traces)

    def stop(self) -> int | None:
        """Stop listing; return the number of names seen, or None if nothing was being listed."""
        seen = self.listed
        for one in self._lookups:
            one.token.cancel()
            if one.act in (Act.OPEN, Act.VISIT, Act.SAMPLE):
                for path in one.added:
                    self._roots.pop(path, None)
        self._lookups.clear()
        self.progress_changed.emit()
        return seen

    def leave_out(self, removed: Removed) -> None:
        """Close files whose rows were all removed, so that a reload does not bring them back."""
        left = [real for real, file in removed.files.items() if not file.rows]
        self._forget(left)
        self._let_go.update(left)
        asked = {path for one in self._lookups for path in one.paths}
        used = self._store.roots | asked
        self._roots = {path: None for path in self._roots if path in used}
        if not self._roots:
            self._let_go.clear()

    def leave_all(self) -> None:
        """Close all files, whether read or not."""
        self.stop()
        self._forget(tuple(self._store.files))
        self._roots.clear()
        self._let_go.clear()

    def open_again(self, removed: Removed) -> None:
        """Reopen the paths of files whose rows are about to be put back, in the former order."""
        for real, file in removed.files.items():
            self._let_go.discard(real)
            if real not in self._store.files:
                self._roots.setdefault(file.root)
        self._roots = in_order(self._roots, removed.roots)

    def _on_failed(self, lookup: _LookUp, error: Exception) -> None:
        self._lookups.remove(lookup)
        self._board.fail(error)
        self.progress_changed.emit()

    def _on_listed(self, lookup: _LookUp, listing: Listing) -> None:
        self._lookups.remove(lookup)
        wanted = self._to_read(lookup, listing)
        openings = tuple(self._registered(opening, lookup, listing) for opening in wanted)
        used = self._store.roots
        for path in lookup.added:
            if path not in used and path not in listing.folders:
                self._roots.pop(path, None)  # the file is open under another path, or missing
        if openings or lookup.act is not Act.GROW:
            self._pipeline.open(openings, shows=lookup.act in (Act.OPEN, Act.SAMPLE))
        self.folders_listed.emit(listing.watched)
        self.progress_changed.emit()

    def _to_read(self, lookup: _LookUp, listing: Listing) -> list[Opening]:
        """The files to read among those listed; raises notices about the others."""
        openings, files = list(listing.openings), self._store.files
        match lookup.act:
            case Act.RELOAD:
                openings = [found for found in openings if found.real not in self._let_go]
                there = {found.real for found in openings}
                again = (real for real, file in files.items() if file.root in lookup.paths)
                self.let_go([real for real in again if real not in there])
            case Act.GROW:
                known = files.keys() | self._let_go
                return [
                    found
                    for found in openings
                    if found.real not in known
                    and isinstance(found.item, FoundFile)
                    and found.root in self._roots
                ]
            case Act.RESTORE:
                openings = [found for found in openings if found.root not in listing.missing]
                if listing.missing:
                    self._board.raised.emit(notices.missing(listing.missing))
            case Act.OPEN | Act.VISIT | Act.SAMPLE:
                self._welcome(openings)
        if lookup.act in (Act.OPEN, Act.VISIT):
            exist = [path for path in dict.fromkeys(lookup.paths) if path not in listing.missing]
            self._history.add([RecentPath(path, path in listing.folders) for path in exist])
        return openings

    def _registered(self, opening: Opening, lookup: _LookUp, listing: Listing) -> Opening:
        """Register an open file; a file that is open already keeps the path that is shown."""
        real, item = opening.real, opening.item
        file = self._store.files.get(real)
        if file is None:
            found = item if isinstance(item, FoundFile) else None
            if found is None and opening.root in listing.missing:  # it is read as soon as it exists
                found = FoundFile(Path(opening.root), opening.root, named=True)
            self._store.files[real] = OpenFile(found, opening.root, lookup.number)
            return opening
        file.act = lookup.number
        if isinstance(item, FoundFile):
            before = file.found or item
            both = before.records is not None and item.records is not None
            records = (before.records or frozenset()) | (item.records or frozenset())
            file.found = item = FoundFile(
                item.path,
                before.shown,
                named=item.named or before.named,
                records=records if both else None,
            )
        named = isinstance(item, FoundFile) and item.named
        brief = (file.on_request and not named) or (opening.brief and not file.is_read)
        return replace(opening, item=item, root=file.root, as_guest=brief, brief=brief)

    def _welcome(self, openings: Sequence[Opening]) -> None:
        """Let removed rows of opened files come back; say so if all files were open already."""
        reals = [one.real for one in openings]
        files = [self._store.files.get(real) for real in reals]
        self._let_go.difference_update(reals)
        for file in filter(None, files):
            file.left_out.clear()
        known = [file for file in files if file is not None and file.is_read]
        if not known or len(known) < len(files):
            return
        path = openings[0].root or openings[0].real
        self._board.raised.emit(notices.open_already(path, len(known)))

    def _forget(self, reals: Sequence[str]) -> None:
        for real in reals:
            del self._store.files[real]
        self.closed.emit(tuple(reals))


class UnreadRows(QObject):
    """Part of the session: reads recordings that are only listed: the current one, others if asked.

    Rows read this way are scored as guests; those to be remembered, like any other trace.

    Attributes:
        told: The large folders about which a notice was raised already.
    """

    def __init__(self, core: Core, pipeline: Pipeline, parent: QObject | None = None) -> None:
        super().__init__(parent)
        _, self._engine, self._store, self._board = core
        self._pipeline = pipeline
        self.told: set[str] = set()
        self._wish: Drop | None = None
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._on_rested)
        self._store.current_changed.connect(self._on_current_changed)
        pipeline.ended.connect(self._on_ended)

    def read(self, numbers: Iterable[int]) -> None:
        """Read those of these rows that are unread, and score them as guests in path order."""
        rows = (self._store.get(number) for number in numbers)
        unread = [row.number for row in rows if row is not None and row.unread is not None]
        self._open(unread, as_guest=True)

    def remember(self, numbers: Iterable[int]) -> None:
        """Score these rows in path order, so that they are remembered."""
        asked = [number for number in numbers if self.is_on_request(number)]
        self._open(asked, as_guest=False)

    def is_on_request(self, number: int) -> bool:
        """Whether a row is remembered only on request, in a mode that remembers."""
        if not self._remembers:
            return False
        row = self._store.get(number)
        file = self._store.files.get(self._store.file_of(number) or "")
        return row is not None and row.as_guest and file is not None and file.on_request

    @property
    def _remembers(self) -> bool:
        return self._engine.mode is Mode.REMEMBER

    def forget_closed(self) -> None:
        """Withdraw notices about large folders that were closed; reopened ones get new notices."""
        for root in self.told - self._store.roots:
            self.told.discard(root)
            self._board.settled.emit(notices.on_request_key(root))

    def _open(self, numbers: Sequence[int], *, as_guest: bool, first: bool = False) -> Drop | None:
        """Read the files of these rows completely; return their drop, or None without a file."""
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
        """Read the current row; withdraw an earlier request that has not begun."""
        current = self._store.current
        if current is None or current.unread is None:
            return
        if self._wish is not None:
            self._pipeline.withdraw(self._wish)
        fresh = self._engine.mode is Mode.FRESH  # there each drop begins with an empty memory
        self._wish = self._open((current.number,), as_guest=True, first=not fresh)

    def _on_ended(self, drop: Drop) -> None:
        """Raise one notice for each new large folder on how its recordings are treated."""
        if drop is self._wish:
            self._wish = None
        roots = drop.roots - self.told
        files = self._store.files.values() if roots else ()
        counts = Counter(file.root for file in files if file.on_request and file.root in roots)
        for root, count in counts.items():
            self.told.add(root)
            self._board.raised.emit(notices.read_on_request(root, count, remembers=self._remembers))
