"""Findings and entries as rows of the memory's file, checked when they are read.

Every function may raise ``sqlite3.DatabaseError``: a ``FaultError`` for a cell with a value that
this program never writes there.

SQLite notices damage to the structure of its pages, not to their contents. So every row carries a
seal, a checksum of its values; rows of earlier versions have none.
"""

import json
import math
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from kpinspector.scoring.findings import (
    SHOWN_LENGTH,
    Basis,
    Entry,
    EntryText,
    Finding,
    Neighbour,
    Subject,
    for_display,
    key_of,
    shown_key,
)
from kpinspector.scoring.memory.faults import Fault, FaultError
from kpinspector.scoring.model.vectors import DIMENSIONS, Match, Vector
from kpinspector.trace.javascript import WHITE_SPACE

_RECORD: Final = re.compile(r"#(?P<record>[0-9]{1,18})\Z")
_BLOB: Final = np.dtype("<f4")
_SELECT_ENTRIES: Final = (
    "SELECT trace_id, variant, digest, objective, source_path, added_at, sequence FROM entries"
)
_SELECT_SEALED: Final = (
    "SELECT sequence, added_at, vector, seal, model, trace_id, variant, digest, objective,"
    " source_path FROM entries"
)
_SELECT_FINDINGS: Final = (
    "SELECT trace_id, digest, model, seal, basis, max_similarity, neighbours, compared_with,"
    " found_at FROM findings"
)
_AT_ONCE: Final = 500
# what earlier versions cut at this length was not masked before; nothing else is that long
_CUT_BEFORE: Final = 300
_CUT: Final = re.compile(
    rf"(?:[=:][{WHITE_SPACE}]*['\"][^'\"]*|\S*[+(\d][-+.()\d{WHITE_SPACE}]*)?\S*…\Z"
)
"""What may be the beginning of a secret: a quoted value, the digits of a phone, the last word."""


def find(connection: sqlite3.Connection, subject: Subject) -> Finding | None:
    """The finding for this id, text and model, if there is one."""
    row = connection.execute(
        f"{_SELECT_FINDINGS} WHERE trace_id = ? AND digest = ? AND model = ?", _identity(subject)
    ).fetchone()
    if row is None:
        return None
    if row[:3] != _identity(subject):
        raise _damage("an index leads to the finding of another trace")
    _check_seal(row)
    return _finding(row[4:])


def store_finding(connection: sqlite3.Connection, subject: Subject, finding: Finding) -> None:
    """Insert the finding, or replace the one that is there."""
    neighbours = [
        [near.key, near.trace_id, near.objective, _place(near), near.similarity]
        for near in finding.neighbours
    ]
    row = (
        *_identity(subject),
        finding.basis.value,
        None if finding.max_similarity is None else finding.max_similarity + 0.0,  # no -0.0
        _json(neighbours),
        finding.compared_with,
        finding.found_at,
    )
    _store_finding(connection, row)


def _store_finding(connection: sqlite3.Connection, row: tuple[object, ...]) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO findings (trace_id, digest, model, basis, max_similarity,"
        " neighbours, compared_with, found_at, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*row, _seal(row)),
    )


def own_entries(connection: sqlite3.Connection, subject: Subject) -> tuple[int, ...]:
    """Sequence numbers of the subject's own entries: all with its id, or with its text."""
    rows = connection.execute(
        "SELECT sequence FROM entries WHERE trace_id = :trace_id AND model = :model"
        " AND (:text IS NULL OR digest = :text)",
        _own(subject),
    )
    return tuple(row[0] for row in rows)


def replaced_entries(connection: sqlite3.Connection, subject: Subject) -> tuple[int, ...]:
    """Sequence numbers of the entries that a new one replaces: its own, except variants."""
    rows = connection.execute(
        "SELECT sequence FROM entries WHERE trace_id = :trace_id AND model = :model"
        " AND (digest = :text OR :text IS NULL AND variant = 0)",
        _own(subject),
    )
    return tuple(row[0] for row in rows)


def insert_entry(
    connection: sqlite3.Connection, subject: Subject, vector: Vector, added_at: int
) -> int:
    """Append an entry; returns its sequence number, which is never used again."""
    trace_id, digest, model = _identity(subject)
    texts = (
        model,
        trace_id,
        int(subject.variant),
        digest,
        for_display(subject.objective, SHOWN_LENGTH),
        for_display(_place(subject)),
    )
    blob = vector.astype(_BLOB).tobytes()
    cursor = connection.execute(
        "INSERT INTO entries (model, trace_id, variant, digest, objective, source_path, added_at,"
        " vector, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*texts, added_at, blob, _seal((added_at, *texts), blob)),
    )
    return int(cursor.lastrowid or 0)


def delete_entries(connection: sqlite3.Connection, sequences: Iterable[int]) -> None:
    """Delete the entries with these sequence numbers."""
    connection.executemany(
        "DELETE FROM entries WHERE sequence = ?", ((number,) for number in sequences)
    )


def delete_oldest(connection: sqlite3.Connection, model: str, kept: int) -> None:
    """Delete all entries of a model except the newest ``kept``."""
    connection.execute(
        "DELETE FROM entries WHERE model = :model AND sequence <= (SELECT sequence FROM entries"
        " WHERE model = :model ORDER BY sequence DESC LIMIT 1 OFFSET :kept)",
        {"model": model, "kept": kept},
    )


def sequences_of(connection: sqlite3.Connection, model: str) -> tuple[int, ...]:
    """Sequence numbers of all entries of a model, oldest first."""
    rows = connection.execute(
        "SELECT sequence FROM entries NOT INDEXED WHERE model = ? ORDER BY sequence", (model,)
    )
    return tuple(row[0] for row in rows)


def vectors_after(
    connection: sqlite3.Connection, model: str, sequence: int
) -> tuple[npt.NDArray[np.float32], list[int], list[int]]:
    """Vectors of shape (n, 384), sequence numbers and times of entries newer than ``sequence``.

    Read from the table itself, since a damaged index would hide some.
    """
    rows = connection.execute(
        f"{_SELECT_SEALED} NOT INDEXED WHERE sequence > ? AND model = ? ORDER BY sequence",
        (sequence, model),
    ).fetchall()
    for number, added_at, *_ in rows:
        if not (isinstance(number, int) and number > sequence and isinstance(added_at, int)):
            raise _damage("an entry is out of order or has no time")
        sequence = number
    matrix = _matrix(rows)
    return matrix, [row[0] for row in rows], [row[1] for row in rows]


def own_vector(connection: sqlite3.Connection, subject: Subject) -> Vector | None:
    """The vector of the entry with exactly this id and text, if there is one."""
    rows = connection.execute(
        f"{_SELECT_SEALED} WHERE trace_id = ? AND digest = ? AND model = ?"
        " ORDER BY sequence DESC LIMIT 1",
        _identity(subject),
    ).fetchall()
    return _first_vector(rows)


def vector_of(connection: sqlite3.Connection, key: str, model: str) -> Vector | None:
    """The vector of the newest entry with a neighbour's key, if there is one."""
    entry = _newest_of(connection, key, model)
    if entry is None:
        return None
    statement = f"{_SELECT_SEALED} WHERE sequence = ?"
    return _first_vector(connection.execute(statement, (entry.sequence,)).fetchall())


def text_of(connection: sqlite3.Connection, key: str, model: str) -> EntryText | None:
    """The text of the newest entry with a neighbour's key, if there is one."""
    entry = _newest_of(connection, key, model)
    if entry is None:
        return None
    statement = "SELECT digest FROM entries WHERE sequence = ?"
    return EntryText(connection.execute(statement, (entry.sequence,)).fetchone()[0], entry.added_at)


def neighbours_of(
    connection: sqlite3.Connection, matches: Sequence[Match]
) -> tuple[Neighbour, ...]:
    """Describe the entries found by a search, with long ids cut."""
    neighbours = []
    for match in matches:
        row = connection.execute(f"{_SELECT_ENTRIES} WHERE sequence = ?", (match.key,)).fetchone()
        if row is None:
            raise _damage(f"entry {match.key} is listed but absent")
        entry = _entry(row)
        shown_id = entry.trace_id and shown_key(entry.trace_id)
        key = shown_key(entry.key)
        neighbours.append(
            Neighbour(
                key=key,
                trace_id=shown_id,
                objective=entry.objective,
                source_path=entry.source_path,
                similarity=match.similarity,
                record=entry.record,
            )
        )
    return tuple(neighbours)


def entries_with(connection: sqlite3.Connection, sequences: Sequence[int]) -> tuple[Entry, ...]:
    """The entries with these sequence numbers, in their order."""
    statement = f"{_SELECT_ENTRIES} WHERE sequence = ?"
    found = (connection.execute(statement, (number,)).fetchone() for number in sequences)
    return tuple(map(_entry, found))


def all_entries(connection: sqlite3.Connection) -> tuple[Entry, ...]:
    """All entries of all models, oldest first."""
    found = connection.execute(f"{_SELECT_ENTRIES} ORDER BY sequence").fetchall()
    return tuple(_entry(row) for row in found)


def count_entries(connection: sqlite3.Connection) -> int:
    """The number of entries of all models."""
    return int(connection.execute("SELECT count(*) FROM entries").fetchone()[0])


def count_findings(connection: sqlite3.Connection) -> int:
    """The number of findings of all models."""
    return int(connection.execute("SELECT count(*) FROM findings").fetchone()[0])


def read_all(connection: sqlite3.Connection) -> Iterator[None]:
    """Check every row against its seal, in slices; rows without a seal by their cells."""
    entries = connection.execute(f"{_SELECT_SEALED} ORDER BY sequence")
    while rows := entries.fetchmany(_AT_ONCE):
        _matrix(rows)
        for number, added_at, _, seal, _, *texts in rows:
            if seal is None:
                _entry((*texts, added_at, number))
        yield
    findings = connection.execute(_SELECT_FINDINGS)
    while rows := findings.fetchmany(_AT_ONCE):
        for row in rows:
            _check_seal(row)
            if row[3] is None:
                _finding(row[4:])
        yield


def knows_trace(connection: sqlite3.Connection, trace_id: str) -> bool:
    """Whether there is an entry or a finding of this id."""
    return any(
        connection.execute(statement, (trace_id,)).fetchone()
        for statement in (
            "SELECT 1 FROM entries WHERE trace_id = ?",
            "SELECT 1 FROM findings WHERE trace_id = ?",
        )
    )


def forget(connection: sqlite3.Connection, trace_id: str | None, digest: str = "") -> bool:
    """Delete the entries and findings of an id (None: without one) whose digests begin so.

    What others' findings say of their objectives and files goes as well. Returns whether there was
    anything of all this.
    """
    deleted = [
        connection.execute(statement, (trace_id or "", len(digest), digest)).rowcount
        for statement in (
            "DELETE FROM entries WHERE trace_id = ? AND substr(digest, 1, ?) = ?",
            "DELETE FROM findings WHERE trace_id = ? AND substr(digest, 1, ?) = ?",
        )
    ]
    shown = trace_id and shown_key(trace_id)
    keys = {shown_key(key_of(trace_id, digest, variant=variant)) for variant in (False, True)}
    named = _json(shown or f"text:{digest}")[1:-1]
    found = connection.execute(f"{_SELECT_FINDINGS} WHERE instr(neighbours, ?)", (named,))
    for row in found.fetchall():
        _check_seal(row)
        _finding(row[4:])
        before = json.loads(row[6])
        after = [
            [one[0], shown, "", "", one[4]]
            if one[1] == shown and (one[0] in keys or not digest)
            else one
            for one in before
        ]
        if after != before:
            _store_finding(connection, (*row[:3], *row[4:6], _json(after), *row[7:]))
            deleted.append(1)
    return any(deleted)


def forget_all(connection: sqlite3.Connection) -> None:
    """Delete everything; sequence numbers go on."""
    connection.execute("DELETE FROM entries")
    connection.execute("DELETE FROM findings")


def _identity(subject: Subject) -> tuple[str, str, str]:
    return subject.trace_id or "", subject.digest, subject.model


def _own(subject: Subject) -> dict[str, str | None]:
    trace_id, digest, model = _identity(subject)
    goes_by_id = subject.trace_id is not None and not subject.variant
    return {"trace_id": trace_id, "model": model, "text": None if goes_by_id else digest}


def _entry(row: tuple[object, ...]) -> Entry:
    match row:
        case (
            str(trace_id),
            0 | 1 as variant,
            str(digest),
            str(objective),
            str(place),
            int(added_at),
            int(sequence),
        ):
            shown_id = trace_id or None
            key = key_of(shown_id, digest, variant=bool(variant))
            path, record = _placed(place)
            return Entry(key, shown_id, _known(objective), path, added_at, sequence, record)
    raise _damage("an entry holds values of other types")


def _seal(row: tuple[object, ...], blob: bytes = b"") -> int:
    return zlib.crc32(blob, zlib.crc32(repr(row).encode()))


def _check_seal(row: tuple[object, ...]) -> None:
    """Compare a finding with its seal."""
    seal = row[3]
    if seal is not None and seal != _seal((*row[:3], *row[4:])):
        raise _damage("a finding was changed since it was written")


def _finding(row: tuple[object, ...]) -> Finding:
    match row:
        case ("empty_cache", None, str(neighbours), 0, int(found_at)) if neighbours == "[]":
            return Finding(Basis.EMPTY_CACHE, None, (), 0, found_at)
        case ("measured", float(best), str(neighbours), int(compared), int(found_at)):
            nearest = _neighbours(neighbours)
            if nearest and nearest[0].similarity == best and len(nearest) <= compared:
                return Finding(Basis.MEASURED, best, nearest, compared, found_at)
    raise _damage("a finding holds values that do not fit together")


def _neighbours(text: str) -> tuple[Neighbour, ...]:
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _damage("the neighbours of a finding are not JSON") from error
    if not isinstance(rows, list):
        raise _damage("the neighbours of a finding are not a list")
    return tuple(_neighbour(row) for row in rows)


def _neighbour(row: object) -> Neighbour:
    match row:
        case [
            str(key),
            str() | None as trace_id,
            str(objective),
            str(place),
            float(similarity),
        ] if math.fabs(similarity) <= 1.0:
            path, record = _placed(place)
            named = _known(key), trace_id and _known(trace_id), _known(objective)
            return Neighbour(*named, path, similarity, record)
    raise _damage("a neighbour of a finding holds values of other types")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _known(text: str) -> str:
    """A kept text, without the end that an earlier version may have cut a secret in."""
    return _CUT.sub("…", text) if len(text) == _CUT_BEFORE else text


def _place(of: Subject | Neighbour) -> str:
    """File and record as one text such as ``runs.jsonl#3``, as they share a column."""
    ends_alike = _RECORD.search(of.source_path) is not None
    if of.record is None and not ends_alike:
        return of.source_path
    return f"{of.source_path}#{of.record or 0}"


def _placed(place: str) -> tuple[str, int | None]:
    """File and record of such a text; without a number, or with 0, the file is one trace."""
    found = _RECORD.search(place)
    if found is None:
        return place, None
    return place[: found.start()], int(found["record"]) or None


def _newest_of(connection: sqlite3.Connection, key: str, model: str) -> Entry | None:
    """The newest entry with a key; keys are compared cut, as those of neighbours may be."""
    found = connection.execute(
        f"{_SELECT_ENTRIES} WHERE model = ? ORDER BY sequence DESC", (model,)
    )
    every = (entry for entry in map(_entry, found) if shown_key(entry.key) == key)
    return next(every, None)


def _first_vector(rows: Sequence[tuple[object, ...]]) -> Vector | None:
    if not rows:
        return None
    vector: Vector = _matrix(rows)[0]
    return vector


def _matrix(rows: Sequence[tuple[object, ...]]) -> npt.NDArray[np.float32]:
    """Vectors of shape (n, 384), from whole entries."""
    blobs = []
    for number, added_at, blob, seal, *texts in rows:
        if not (isinstance(blob, bytes) and len(blob) == DIMENSIONS * _BLOB.itemsize):
            raise _damage(f"the vector of entry {number} has another length")
        if seal is not None and seal != _seal((added_at, *texts), blob):
            raise _damage(f"entry {number} was changed since it was written")
        blobs.append(blob)
    matrix = np.frombuffer(b"".join(blobs), _BLOB).astype(np.float32)
    if not np.isfinite(matrix).all():
        raise _damage("a vector holds a number that is not finite")
    return matrix.reshape(-1, DIMENSIONS)


def _damage(detail: str) -> FaultError:
    return FaultError(Fault.DAMAGED, detail)
