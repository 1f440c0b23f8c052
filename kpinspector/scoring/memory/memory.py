"""The memory: lasting findings, and the vectors that new traces are compared with."""

import logging
import re
import sqlite3
import time
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, Protocol, TypeVar

import numpy.typing as npt
from typing_extensions import override

from kpinspector.errors import MemoryUnusableError
from kpinspector.phrase import Phrase
from kpinspector.scoring.findings import MOST_NEIGHBOURS, Basis, Entry, Finding, Subject
from kpinspector.scoring.memory import file as memory_file
from kpinspector.scoring.memory import rows
from kpinspector.scoring.memory.file import BEGIN, FAILURES, Fault, FaultError, Remedy
from kpinspector.scoring.model.vectors import Vector, VectorCache, Vectors, as_vector, now_ms
from kpinspector.settings import Mode, Settings

LOCKED_FOR_S = 30.0
"""How long a lock of another program is waited for."""

_USUAL: Final = Settings()
_KEPT_AT_LEAST: Final = 1000
_TEXT_KEY: Final = re.compile(r"text:(?P<digest>[0-9a-f]{64})")
_VARIANT_KEY: Final = re.compile(r"(?P<id>.+)#(?P<digest>[0-9a-f]{8})", re.DOTALL)
_ATTEMPTS: Final = 5
_READ_AGAIN: Final = (Fault.DAMAGED, Fault.UNREADABLE)
_SAID_AFTER_S: Final = 1.0
_PAUSE_S: Final = 0.01
# faults that leave the file's contents fit to be copied
_OF_THE_FILE: Final = (Fault.FULL, Fault.UNREADABLE, Fault.READ_ONLY, Fault.LOCKED)
Result = TypeVar("Result")
Waits = Callable[[bool], None]
_State = tuple[sqlite3.Connection, str, int]

_log = logging.getLogger(__name__)


class Watch(Protocol):
    """Can stop the check of a file; a job's token is one."""

    def check(self) -> None:
        """Raise an exception to stop the check."""

    def stop_by(self, stop: Callable[[], None] | None) -> None:
        """Register the function that stops the running query from another thread; None for none."""


class Memory(AbstractContextManager["Memory"]):
    """The memory of traces scored before. One thread creates and uses it.

    Every method may raise ``MemoryUnusableError`` where not even a private memory can be used.
    Other faults of the file raise nothing. What seems damaged, or cannot be read, is read once
    more. A damaged file is then set aside and a new one begun. A file that cannot be used for any
    other reason is left alone: work goes on in a private copy, or in an empty memory where nothing
    can be copied. Each such step leaves a notice.

    ``mode``: the mode in force: a memory that cannot be written is used as a guest. ``notices``:
    what went wrong with the file, and how the memory goes on. ``lost``: the file, or part of it,
    could not be read, so that scores may differ.

    Args:
        mode: A guest has a private copy of the file, *fresh* an empty memory, gone when closed.
        path: The memory's file, created if it is to be written and missing; not used by *fresh*.
        settings: How many entries are compared with, and up to which age.
        clock: Milliseconds since the epoch.
        waits: Called with True, repeatedly, while another program keeps the file locked for more
            than a second, when it may raise to give up; called with False once that is over.
    """

    def __init__(
        self,
        mode: Mode,
        path: Path | None,
        settings: Settings = _USUAL,
        *,
        clock: Callable[[], int] = now_ms,
        waits: Waits | None = None,
    ) -> None:
        self.mode = mode
        self.notices: tuple[memory_file.MemoryNotice, ...] = ()
        self.lost = False
        self._path = None if mode is Mode.FRESH else path  # None for an empty private memory
        self._clock = clock
        self._waits = waits or (lambda _: None)
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        newest, ttl_ms = settings.max_elements, settings.ttl_ms
        self._kept = max(_KEPT_AT_LEAST, newest)
        self._empty_cache = partial(
            VectorCache, newest, ttl_ms=ttl_ms, clock=clock, kept=self._kept
        )
        self._cache = self._empty_cache()
        self._state: _State | None = None  # the rows in the cache; None: unknown
        self._followed: _State | None = None  # ``_state`` once the transaction is committed
        self._run(lambda _: None)  # opens the file

    @override
    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, or lose a private memory; nothing else may be called afterwards."""
        if self._connection is not None:
            self._connection.close()

    @property
    def size(self) -> int:
        """The number of entries, of all models."""
        return self._run(rows.counts)[0]

    @property
    def findings_count(self) -> int:
        """The number of findings, of all models."""
        return self._run(rows.counts)[1]

    def entries(self) -> tuple[Entry, ...]:
        """All entries, oldest first."""
        return self._run(rows.all_entries)

    def finding(self, subject: Subject) -> Finding | None:
        """The finding for this id, text and model, if there is one."""
        return self._run(lambda connection: rows.find(connection, subject))

    def remember(self, subject: Subject, vector: npt.ArrayLike, *, again: bool = False) -> Finding:
        """The finding for this subject; if there is none, compare its vector and remember both.

        A new text of a known id replaces the entry of that id, at the end of the order, and is
        compared with all live entries but that one. A variant is compared with that one too. With
        ``again`` a known subject is compared with today's live entries except its own, and its
        finding replaced; the order of entries stays.
        """
        row = as_vector(vector)

        def compare(connection: sqlite3.Connection) -> Finding:
            known = rows.find(connection, subject)
            if known is not None and not again:
                return known
            finding = self._search(connection, subject, row)
            rows.store_finding(connection, subject, finding)
            if known is None:
                now = finding.found_at
                key, replaced = rows.insert_entry(connection, subject, row, now, self._kept)
                self._cache.remove(replaced)
                self._cache.add(row, key, now)
            return finding

        return self._run(compare, atomic=True)

    def look(self, subject: Subject, vector: npt.ArrayLike) -> Finding:
        """Compare a vector with today's live entries except the subject's own; store nothing."""
        row = as_vector(vector)
        return self._run(lambda connection: self._search(connection, subject, row), atomic=True)

    def own_vector(self, subject: Subject) -> Vector | None:
        """The stored vector of exactly this id and text, which need not be embedded again."""
        return self._run(lambda connection: rows.own_vector(connection, subject))

    def vector_of(self, key: str, model: str) -> Vector | None:
        """The stored vector that a neighbour's key stands for today; None when it is gone."""
        return self._run(lambda connection: rows.vector_of(connection, key, model))

    def entry_of(self, key: str, model: str) -> Entry | None:
        """The entry that a neighbour's key stands for today; None when it is gone."""
        return self._run(lambda connection: rows.entry_of(connection, key, model))

    def live(self, model: str, without: Collection[Subject]) -> tuple[tuple[Entry, ...], Vectors]:
        """Today's live entries and their vectors, oldest first, had ``without`` been forgotten."""

        def read(connection: sqlite3.Connection) -> tuple[tuple[Entry, ...], Vectors]:
            cache = self._follow(connection, model)
            every = (replace(one, variant=False, model=model) for one in without)
            gone = {key for one in every for key in rows.own_entries(connection, one)}
            keys, vectors = cache.live(gone)
            return rows.entries_with(connection, keys), vectors

        return self._run(read, atomic=True)

    def forget(self, key: str) -> bool:
        """Delete all about an id, or else about a text's key; returns whether there was any."""

        def forget(connection: sqlite3.Connection) -> bool:
            if not rows.knows_trace(connection, key):
                if text := _TEXT_KEY.fullmatch(key):
                    return rows.forget(connection, None, text["digest"])
                if variant := _VARIANT_KEY.fullmatch(key):
                    return rows.forget(connection, variant["id"], variant["digest"])
            return key != "" and rows.forget(connection, key)

        self._state = None
        return self._run(forget, atomic=True)

    def clear(self) -> None:
        """Delete all entries and findings."""

        def clear(connection: sqlite3.Connection) -> None:
            connection.execute(BEGIN)
            with connection:
                connection.execute("DELETE FROM entries")
                connection.execute("DELETE FROM findings")
            memory_file.shrink(connection)

        self._state = None
        self._run(clear)

    def look_through(self, watch: Watch | None = None) -> None:
        """Have SQLite check the whole file, for damage that no query has met yet."""

        def look(connection: sqlite3.Connection) -> None:
            if watch is not None:
                watch.stop_by(connection.interrupt)
                watch.check()
            try:
                (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            except sqlite3.OperationalError:
                if watch is not None:
                    watch.check()
                raise
            if found != "ok":
                raise FaultError(Fault.DAMAGED, str(found))

        try:
            self._run(look)
        finally:
            if watch is not None:
                watch.stop_by(None)

    def _search(self, connection: sqlite3.Connection, subject: Subject, vector: Vector) -> Finding:
        now, cache = self._clock(), self._follow(connection, subject.model)
        own = rows.own_entries(connection, subject)
        nearest, compared_with = cache.search(vector, MOST_NEIGHBOURS, own)
        if compared_with == 0:
            return Finding(Basis.EMPTY_CACHE, None, (), 0, now)
        best, neighbours = nearest[0].similarity, rows.neighbours_of(connection, nearest)
        return Finding(Basis.MEASURED, best, neighbours, compared_with, now)

    def _follow(self, connection: sqlite3.Connection, model: str) -> VectorCache:
        """The cache, filled with the rows that the file has of a model in this transaction.

        No sequence number is used twice, so the numbers alone tell which rows are new or gone.
        """
        version = connection.execute("PRAGMA data_version").fetchone()[0]
        state, now = self._state, (connection, model, version)
        # whatever is done to the cache in a transaction that fails is thrown away with it
        self._state = None
        if state is None or state[:2] != now[:2]:
            self._cache = self._empty_cache()
        if state != now:
            if held := self._cache.keys:
                self._cache.remove(set(held).difference(rows.sequences_of(connection, model)))
            newest = self._cache.keys[-1] if self._cache.keys else 0
            self._cache.extend(*rows.vectors_after(connection, model, newest))
        self._followed = now
        return self._cache

    def _run(self, work: Callable[[sqlite3.Connection], Result], *, atomic: bool = False) -> Result:
        failure: Exception | None = None
        for attempt in range(_ATTEMPTS):
            try:
                return self._patiently(work, atomic=atomic)
            except sqlite3.ProgrammingError:
                raise
            except FAILURES as error:
                failure = error
                self._recover(error, first=attempt == 0)
        raise MemoryUnusableError(Phrase("The memory cannot be used."), str(failure)) from failure

    def _patiently(self, work: Callable[[sqlite3.Connection], Result], *, atomic: bool) -> Result:
        start, told = time.monotonic(), False
        try:
            while True:
                try:
                    connection = self._usable()
                    if not atomic:
                        return work(connection)
                    self._followed = self._state
                    connection.execute(BEGIN)
                    with connection:
                        found = work(connection)
                    self._state = self._followed
                    return found
                except FAILURES as error:
                    waited = time.monotonic() - start
                    locked = memory_file.fault_of(error) is Fault.LOCKED
                    if not locked or waited >= LOCKED_FOR_S:
                        raise
                if waited >= _SAID_AFTER_S:
                    told = True
                    self._waits(True)
                time.sleep(_PAUSE_S)  # SQLite does not wait for every kind of lock
        finally:
            if told:
                self._waits(False)

    def _usable(self) -> sqlite3.Connection:
        path = self._path
        if self._connection is None:
            if path is not None and self.mode is Mode.REMEMBER:
                memory_file.ensure_exists(path)
                self._identity = memory_file.identity(path)
                self._connection = memory_file.open_file(path)
            elif path is not None:
                self._connection = memory_file.copy_of_file(path)
            self._connection = self._connection or memory_file.open_private()
        elif self._is_replaced():
            raise FaultError(Fault.GONE, "another file stands there now, or none")
        return self._connection

    def _is_replaced(self) -> bool:
        if self._path is None or self.mode is not Mode.REMEMBER:
            return False
        return memory_file.identity(self._path) != self._identity

    def _recover(self, error: memory_file.Failure, *, first: bool) -> None:
        fault, path = memory_file.fault_of(error), self._path
        _log.info("memory %s: %s: %s", path, fault.name, error)
        self.close()
        self._connection = None
        if self._is_replaced():
            self.lost = True
            self._notice(Fault.GONE, Remedy.OTHER_FILE)
        elif path is None or fault not in _READ_AGAIN:
            self._go_private(fault)
        elif first:
            return  # the file is read once more
        elif fault is Fault.DAMAGED and self.mode is Mode.REMEMBER:
            try:
                aside = memory_file.set_aside(path, self._clock())
            except OSError as failure:
                _log.info("memory %s cannot be set aside: %s", path, failure)
                self._go_private(fault)
            else:
                self.lost = True
                self._notice(fault, Remedy.NEW_FILE, aside)
        else:
            self._go_private(Fault.FULL if memory_file.is_disk_full(path) else fault)

    def _go_private(self, fault: Fault) -> None:
        """Change to a private memory: a copy of the file, if the fault allows one."""
        path = self._path
        if path is not None and self.mode is Mode.REMEMBER and fault in _OF_THE_FILE:
            with suppress(*FAILURES):
                self._connection = memory_file.copy_of_file(path)
        has_rows = copied = self._connection is not None
        # a full disk may have no room for a memory that does not exist yet
        is_new = path is not None and memory_file.identity(path) is None
        self.lost = self.lost or not (copied or (fault is Fault.FULL and is_new))
        if self._connection is not None:
            with suppress(*FAILURES):  # the copy may be damaged, too
                has_rows = any(rows.counts(self._connection))
        self._notice(fault, Remedy.COPY if has_rows else Remedy.PRIVATE)
        self._path = path if copied else None
        self.mode = Mode.GUEST if self.mode is Mode.REMEMBER else self.mode

    def _notice(self, fault: Fault, remedy: Remedy, aside: Path | None = None) -> None:
        notice = memory_file.MemoryNotice(fault, self._path, remedy, aside)
        self.notices = (*self.notices, notice)
