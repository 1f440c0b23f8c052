"""The memory: lasting findings, and the vectors that new traces are compared with."""

import re
import sqlite3
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy.typing as npt

from kpinspector.scoring.findings import (
    MOST_NEIGHBOURS,
    Basis,
    Entry,
    EntryText,
    Finding,
    Neighbour,
    Subject,
    key_of,
)
from kpinspector.scoring.memory import rows
from kpinspector.scoring.memory.connection import MemoryConnection, Unwatched, Waits, Watch
from kpinspector.scoring.memory.faults import FAILURES, MemoryNotice
from kpinspector.scoring.memory.file import shrink, transaction
from kpinspector.scoring.model.vectors import (
    CacheSearch,
    Vector,
    VectorCache,
    Vectors,
    as_vector,
    now_ms,
)

__all__ = ["Basis", "Entry", "Finding", "Memory", "Neighbour", "Subject", "key_of"]

_KEPT_AT_LEAST: Final = 1000
_TEXT_KEY: Final = re.compile(r"text:(?P<digest>[0-9a-f]{64})")
_VARIANT_KEY: Final = re.compile(r"(?P<id>.+)#(?P<digest>[0-9a-f]{8})", re.DOTALL)


class Memory:
    """The memory of traces scored before. One thread creates and uses it.

    It is created by ``open`` (which remembers), or by ``guest`` or ``fresh`` (private, discarded
    when closed). Every method may raise ``MemoryUnusableError``. A damaged or read-only file raises
    nothing: it leaves a notice, and scoring goes on.
    """

    def __init__(
        self,
        connection: MemoryConnection,
        max_elements: int,
        ttl_ms: int | None,
        clock: Callable[[], int],
    ) -> None:
        self._connection = connection
        self._clock = clock
        self._kept = max(_KEPT_AT_LEAST, max_elements)
        self._matrix = _Matrix(
            lambda: VectorCache(max_elements, ttl_ms=ttl_ms, clock=clock, kept=self._kept)
        )

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        max_elements: int = 1000,
        ttl_ms: int | None = None,
        clock: Callable[[], int] = now_ms,
        waits: Waits | None = None,
    ) -> Self:
        """The memory in this file, which is created if it is missing.

        ``waits`` is told while another program keeps the file locked, as in ``MemoryConnection``.
        """
        connection = MemoryConnection(path, clock, waits)
        connection.run(lambda _: None)
        return cls(connection, max_elements, ttl_ms, clock)

    @classmethod
    def guest(
        cls,
        path: Path,
        *,
        max_elements: int = 1000,
        ttl_ms: int | None = None,
        clock: Callable[[], int] = now_ms,
        waits: Waits | None = None,
    ) -> Self:
        """A private copy of the memory in this file, which is not touched."""
        return cls(MemoryConnection.guest(path, clock, waits), max_elements, ttl_ms, clock)

    @classmethod
    def fresh(
        cls,
        *,
        max_elements: int = 1000,
        ttl_ms: int | None = None,
        clock: Callable[[], int] = now_ms,
    ) -> Self:
        """A private memory, empty at first."""
        return cls(MemoryConnection(None, clock), max_elements, ttl_ms, clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def notices(self) -> tuple[MemoryNotice, ...]:
        """What went wrong with the file, and how the memory goes on."""
        return self._connection.notices

    @property
    def remembers(self) -> bool:
        """False for a private memory, chosen or forced by a file that cannot be used."""
        return self._connection.remembers

    @property
    def lost(self) -> bool:
        """The file, or part of it, cannot be read, so that scores may differ."""
        return self._connection.lost

    @property
    def size(self) -> int:
        """The number of entries, of all models."""
        return self._connection.run(rows.count_entries)

    @property
    def findings_count(self) -> int:
        """The number of findings, of all models."""
        return self._connection.run(rows.count_findings)

    def entries(self) -> tuple[Entry, ...]:
        """All entries, oldest first."""
        return self._connection.run(rows.all_entries)

    def finding(self, subject: Subject) -> Finding | None:
        """The finding for this id, text and model, if there is one."""
        return self._connection.run(lambda connection: rows.find(connection, subject))

    def recall(self, subject: Subject) -> Finding | None:
        """The same, for a trace that others will be compared with; survives a damaged file."""

        def look(connection: sqlite3.Connection) -> tuple[Finding | None, Vector | None]:
            found, row = rows.find(connection, subject), None
            if found is not None:
                with suppress(*FAILURES):  # the finding is enough
                    row = rows.own_vector(connection, subject)
            return found, row

        finding, row = self._connection.run(look)
        if finding is not None:
            self._keep(subject, finding, row)
        return finding

    def remember(self, subject: Subject, vector: npt.ArrayLike) -> Finding:
        """The finding for this subject; if there is none, compare its vector and remember both.

        A new text of a known id replaces the entry of that id, at the end of the order, and is
        compared with all live entries but that one. A variant is compared with that one too.

        Raises:
            ValueError: the vector has another shape, or a number that is not finite.
        """
        row = as_vector(vector)
        return self._connection.run(
            lambda connection: self._compare(connection, subject, row, again=False)
        )

    def score_again(self, subject: Subject, vector: npt.ArrayLike) -> Finding:
        """Compare with today's live entries except its own, and replace the finding.

        The order of entries stays. A subject without a finding is remembered.

        Raises:
            ValueError: the vector has another shape, or a number that is not finite.
        """
        row = as_vector(vector)
        return self._connection.run(
            lambda connection: self._compare(connection, subject, row, again=True)
        )

    def look(self, subject: Subject, vector: npt.ArrayLike) -> Finding:
        """Compare with today's live entries except its own; nothing is stored.

        Raises:
            ValueError: the vector has another shape, or a number that is not finite.
        """
        row = as_vector(vector)

        def compare(connection: sqlite3.Connection) -> Finding:
            with transaction(connection):
                finding = self._search(connection, subject, row, self._clock())
            self._matrix.settle()
            return finding

        return self._connection.run(compare)

    def own_vector(self, subject: Subject) -> Vector | None:
        """The stored vector of exactly this id and text, which need not be embedded again."""
        return self._connection.run(lambda connection: rows.own_vector(connection, subject))

    def vector_of(self, key: str, model: str) -> Vector | None:
        """The stored vector that a neighbour's key stands for today; None when it is gone."""
        return self._connection.run(lambda connection: rows.vector_of(connection, key, model))

    def text_of(self, key: str, model: str) -> EntryText | None:
        """The text that a neighbour's key stands for today; None when it is gone."""
        return self._connection.run(lambda connection: rows.text_of(connection, key, model))

    def live(self, model: str, without: Collection[Subject]) -> tuple[tuple[Entry, ...], Vectors]:
        """Today's live entries and their vectors, oldest first, as if some had been forgotten.

        Args:
            model: The entries' own.
            without: All entries of their ids; of one without id those of its text.
        """

        def read(connection: sqlite3.Connection) -> tuple[tuple[Entry, ...], Vectors]:
            with transaction(connection):
                cache = self._matrix.follow(connection, model)
                every = (replace(one, variant=False, model=model) for one in without)
                gone = {key for one in every for key in rows.own_entries(connection, one)}
                keys, vectors = cache.live(gone)
                found = rows.entries_with(connection, keys)
            self._matrix.settle()
            return found, vectors

        return self._connection.run(read)

    def forget(self, what: Subject | str) -> bool:
        """Delete entries and findings; whether there were any.

        Args:
            what: A subject: everything of its id, but of a variant or without id only its text.
                A string: everything of this id if it is known, or else the text with this key.
        """
        self._matrix.expire()
        found = self._connection.run(lambda connection: _forget(connection, what))
        self._connection.keep(lambda connection: _forget(connection, what))
        return found

    def clear(self) -> None:
        """Delete all entries and findings."""
        self._matrix.expire()
        self._connection.run(_clear)
        self._connection.keep_nothing()

    def look_through(self, watch: Watch | None = None) -> None:
        """Look for damage that no query has met yet; a notice and ``lost`` tell of it."""
        self._connection.look_through(watch or Unwatched())

    def close(self) -> None:
        """Close the file; nothing else may be called afterwards."""
        self._connection.close()

    def _compare(
        self, connection: sqlite3.Connection, subject: Subject, vector: Vector, *, again: bool
    ) -> Finding:
        with transaction(connection):
            known = rows.find(connection, subject)
            if known is not None and not again:
                return known
            finding = self._search(connection, subject, vector, self._clock())
            row = vector if known is None else None
            replaced, sequence = _store(connection, subject, finding, row, self._kept)
            if sequence is not None:
                self._matrix.cache.remove(replaced)
                self._matrix.cache.add(vector, key=sequence, added_at=finding.found_at)
        self._matrix.settle()
        self._keep(subject, finding, row)
        return finding

    def _keep(self, subject: Subject, finding: Finding, row: Vector | None) -> None:
        """Repeat an act in a memory that begins anew; entries that exist already do not move."""

        def store(connection: sqlite3.Connection) -> None:
            with transaction(connection):
                new = rows.find(connection, subject) is None
                _store(connection, subject, finding, row if new else None, self._kept)

        self._connection.keep(store)

    def _search(
        self, connection: sqlite3.Connection, subject: Subject, vector: Vector, now: int
    ) -> Finding:
        cache = self._matrix.follow(connection, subject.model)
        own = rows.own_entries(connection, subject)
        return _found(connection, cache.search(vector, MOST_NEIGHBOURS, own), now)


class _Matrix:
    """The vectors of one model in the file, as a cache that follows the file.

    A sequence number is never used twice, so rows can be told from each other by it alone.

    Attributes:
        cache: As ``follow`` left it.
    """

    def __init__(self, empty_cache: Callable[[], VectorCache]) -> None:
        self._empty_cache = empty_cache
        self.cache = empty_cache()
        self._state: tuple[sqlite3.Connection, str, int] | None = None

    def follow(self, connection: sqlite3.Connection, model: str) -> VectorCache:
        """The cache with the file's rows in this transaction; ``settle`` it after the commit."""
        version = connection.execute("PRAGMA data_version").fetchone()[0]
        state, now = self._state, (connection, model, version)
        # whatever is done to the cache in a transaction that fails is thrown away with it
        self._state = None
        if state is None or state[:2] != now[:2]:
            self.cache = self._empty_cache()
            self._read_on(connection, model)
        elif state != now:
            held = self.cache.keys
            self.cache.remove(set(held).difference(rows.sequences_of(connection, model)))
            self._read_on(connection, model)
        self._pending = now
        return self.cache

    def settle(self) -> None:
        """The transaction was committed: the cache is what the file holds."""
        self._state = self._pending

    def expire(self) -> None:
        """Drop the cache, as the file is about to change in another way."""
        self._state = None

    def _read_on(self, connection: sqlite3.Connection, model: str) -> None:
        newest = self.cache.keys[-1] if self.cache.keys else 0
        vectors, keys, added_at = rows.vectors_after(connection, model, newest)
        self.cache.extend(vectors, keys, added_at)


def _found(connection: sqlite3.Connection, comparison: CacheSearch, now: int) -> Finding:
    if comparison.compared_with == 0:
        return Finding(Basis.EMPTY_CACHE, None, (), 0, now)
    return Finding(
        Basis.MEASURED,
        comparison.nearest[0].similarity,
        rows.neighbours_of(connection, comparison.nearest),
        comparison.compared_with,
        now,
    )


def _store(
    connection: sqlite3.Connection,
    subject: Subject,
    finding: Finding,
    row: Vector | None,
    kept: int,
) -> tuple[tuple[int, ...], int | None]:
    """Write a finding and, with a vector, an entry; returns which it replaces and its own."""
    rows.store_finding(connection, subject, finding)
    if row is None:
        return (), None
    replaced = rows.replaced_entries(connection, subject)
    rows.delete_entries(connection, replaced)
    sequence = rows.insert_entry(connection, subject, row, finding.found_at)
    rows.delete_oldest(connection, subject.model, kept)
    return replaced, sequence


def _forget(connection: sqlite3.Connection, what: Subject | str) -> bool:
    with transaction(connection):
        if isinstance(what, str):
            return _forget_named(connection, what)
        if what.trace_id is None or what.variant:
            return rows.forget(connection, what.trace_id, what.digest)
        return rows.forget(connection, what.trace_id)


def _forget_named(connection: sqlite3.Connection, name: str) -> bool:
    if not rows.knows_trace(connection, name):
        if text := _TEXT_KEY.fullmatch(name):
            return rows.forget(connection, None, text["digest"])
        if variant := _VARIANT_KEY.fullmatch(name):
            return rows.forget(connection, variant["id"], variant["digest"])
    return name != "" and rows.forget(connection, name)


def _clear(connection: sqlite3.Connection) -> None:
    with transaction(connection):
        rows.forget_all(connection)
    shrink(connection)
