"""Findings and entries as rows of the memory's file, checked when they are read.

Every function may raise ``sqlite3.DatabaseError``: a ``FaultError`` for a cell with a value that
this program never writes there.
"""

import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kpinspector.scoring.findings import (
    SHOWN_LENGTH,
    Basis,
    Entry,
    Finding,
    Neighbour,
    Subject,
    for_display,
    key_of,
    shown_key,
)
from kpinspector.scoring.memory.file import Fault, FaultError
from kpinspector.scoring.model.vectors import DIMENSIONS, Match, Vector
from kpinspector.trace.javascript import WHITE_SPACE

_RECORD: Final = re.compile(r"#(?P<record>[0-9]{1,18})\Z")
_BLOB: Final = np.dtype("<f4")
_SELECT_ENTRIES: Final = (
    "SELECT trace_id, variant, digest, objective, source_path, added_at, sequence FROM entries"
)
_SELECT_FINDINGS: Final = (
    "SELECT trace_id, digest, model, basis, max_similarity, neighbours, compared_with, found_at"
    " FROM findings"
)
_STORE: Final = (
    "INSERT OR REPLACE INTO findings (trace_id, digest, model, basis, max_similarity,"
    " neighbours, compared_with, found_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_json: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
# earlier versions cut texts to this length before masking them; no other text is that long
_CUT_BEFORE: Final = 300
_CUT: Final = re.compile(
    rf"(?:[=:][{WHITE_SPACE}]*['\"][^'\"]*|\S*[+(\d][-+.()\d{WHITE_SPACE}]*)?\S*…\Z"
)
"""Where a cut may have halved a secret: in a quoted value, a phone number, the last word."""

Row = tuple[Any, ...]


def find(connection: sqlite3.Connection, subject: Subject) -> Finding | None:
    """The finding for this id, text and model, if there is one."""
    row = connection.execute(
        f"{_SELECT_FINDINGS} WHERE trace_id = ? AND digest = ? AND model = ?", _identity(subject)
    ).fetchone()
    if row and row[:3] != _identity(subject):
        raise _damage("an index leads to the finding of another trace")
    return row and _finding(row)


def store_finding(connection: sqlite3.Connection, subject: Subject, finding: Finding) -> None:
    """Insert the finding, or replace the one that is there."""
    neighbours = [
        [near.key, near.trace_id, near.objective, _place(near), near.similarity]
        for near in finding.neighbours
    ]
    best = None if finding.max_similarity is None else finding.max_similarity + 0.0  # no -0.0
    told = finding.basis.value, best, _json(neighbours), finding.compared_with, finding.found_at
    connection.execute(_STORE, (*_identity(subject), *told))


def own_entries(
    connection: sqlite3.Connection, subject: Subject, *, variants: bool = True
) -> tuple[int, ...]:
    """Sequence numbers of the entries with the subject's id; of a variant, those with its text too.

    Without ``variants`` only the entries that a new entry of the subject replaces.
    """
    trace_id, digest, model = _identity(subject)
    text = digest if subject.trace_id is None or subject.variant else None
    rows = connection.execute(
        "SELECT sequence FROM entries WHERE trace_id = :trace_id AND model = :model"
        " AND (digest = :text OR :text IS NULL AND (:variants OR variant = 0))",
        {"trace_id": trace_id, "model": model, "text": text, "variants": variants},
    )
    return tuple(row[0] for row in rows)


def insert_entry(
    connection: sqlite3.Connection, subject: Subject, vector: Vector, added_at: int, kept: int
) -> tuple[int, tuple[int, ...]]:
    """Append an entry; delete the entries that it replaces and the oldest beyond ``kept``.

    Returns its sequence number, which is never used again, and those of the replaced entries.
    """
    replaced = own_entries(connection, subject, variants=False)
    connection.executemany(
        "DELETE FROM entries WHERE sequence = ?", ((number,) for number in replaced)
    )
    trace_id, digest, model = _identity(subject)
    objective = for_display(subject.objective, SHOWN_LENGTH)
    cursor = connection.execute(
        "INSERT INTO entries (model, trace_id, variant, digest, objective, source_path, added_at,"
        " vector) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(model, trace_id, int(subject.variant), digest, objective),
            *(for_display(_place(subject)), added_at, vector.astype(_BLOB).tobytes()),
        ),
    )
    connection.execute(
        "DELETE FROM entries WHERE model = :model AND sequence <= (SELECT sequence FROM entries"
        " WHERE model = :model ORDER BY sequence DESC LIMIT 1 OFFSET :kept)",
        {"model": model, "kept": kept},
    )
    return int(cursor.lastrowid or 0), replaced


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
        "SELECT vector, sequence, added_at FROM entries NOT INDEXED"
        " WHERE sequence > ? AND model = ? ORDER BY sequence",
        (sequence, model),
    ).fetchall()
    for _, number, added_at in rows:
        if not (isinstance(number, int) and number > sequence and isinstance(added_at, int)):
            raise _damage("an entry is out of order or has no time")
        sequence = number
    return _matrix(rows), [row[1] for row in rows], [row[2] for row in rows]


def own_vector(connection: sqlite3.Connection, subject: Subject) -> Vector | None:
    """The vector of the newest entry with exactly this id and text, if there is one."""
    rows = connection.execute(
        "SELECT vector FROM entries WHERE trace_id = ? AND digest = ? AND model = ?"
        " ORDER BY sequence DESC LIMIT 1",
        _identity(subject),
    )
    return next(iter(_matrix(rows.fetchall())), None)


def vector_of(connection: sqlite3.Connection, key: str, model: str) -> Vector | None:
    """The vector of the newest entry with a neighbour's key, if there is one."""
    entry = entry_of(connection, key, model)
    number = entry and entry.sequence
    rows = connection.execute("SELECT vector FROM entries WHERE sequence = ?", (number,))
    return next(iter(_matrix(rows.fetchall())), None)


def entry_of(connection: sqlite3.Connection, key: str, model: str) -> Entry | None:
    """The newest entry with a key, if there is one; keys are cut before they are compared."""
    found = connection.execute(
        f"{_SELECT_ENTRIES} WHERE model = ? ORDER BY sequence DESC", (model,)
    )
    every = (entry for entry in map(_entry, found) if shown_key(entry.key) == key)
    return next(every, None)


def neighbours_of(
    connection: sqlite3.Connection, matches: Sequence[Match]
) -> tuple[Neighbour, ...]:
    """Describe the entries found by a search, with long ids cut."""
    found = []
    for match in matches:
        (one,) = entries_with(connection, [match.key])
        names = shown_key(one.key), one.trace_id and shown_key(one.trace_id), one.objective
        found.append(Neighbour(*names, one.source_path, match.similarity, one.record))
    return tuple(found)


def entries_with(connection: sqlite3.Connection, sequences: Sequence[int]) -> tuple[Entry, ...]:
    """The entries with these sequence numbers, in their order."""
    statement = f"{_SELECT_ENTRIES} WHERE sequence = ?"
    found = (connection.execute(statement, (number,)).fetchone() for number in sequences)
    return tuple(map(_entry, found))


def all_entries(connection: sqlite3.Connection) -> tuple[Entry, ...]:
    """All entries of all models, oldest first."""
    found = connection.execute(f"{_SELECT_ENTRIES} ORDER BY sequence").fetchall()
    return tuple(_entry(row) for row in found)


def counts(connection: sqlite3.Connection) -> tuple[int, int]:
    """The numbers of entries and of findings, of all models."""
    tables = "(SELECT count(*) FROM entries), (SELECT count(*) FROM findings)"
    entries, findings = connection.execute(f"SELECT {tables}").fetchone()
    return int(entries), int(findings)


def knows_trace(connection: sqlite3.Connection, trace_id: str) -> bool:
    """Whether there is an entry or a finding of this id."""
    statement = (
        "SELECT 1 FROM entries WHERE trace_id = :id UNION ALL"
        " SELECT 1 FROM findings WHERE trace_id = :id"
    )
    return connection.execute(statement, {"id": trace_id}).fetchone() is not None


def forget(connection: sqlite3.Connection, trace_id: str | None, digest: str = "") -> bool:
    """Delete entries and findings of an id (None: of no id) whose digests begin with ``digest``.

    Findings of other traces lose the objectives and paths of the deleted ones. Returns whether
    anything was deleted.
    """
    which = (trace_id or "", len(digest), digest)
    deleted = [
        connection.execute(statement, which).rowcount
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
        _finding(row)  # raises for a damaged row
        before = json.loads(row[5])
        after = [
            [one[0], shown, "", "", one[4]]
            if one[1] == shown and (one[0] in keys or not digest)
            else one
            for one in before
        ]
        if after != before:
            connection.execute(_STORE, (*row[:5], _json(after), *row[6:]))
            deleted.append(1)
    return any(deleted)


def _identity(subject: Subject) -> tuple[str, str, str]:
    return subject.trace_id or "", subject.digest, subject.model


def _entry(row: Row | None) -> Entry:
    match row:
        case (str(), 0 | 1, str(digest), str(objective), str(place), int(added_at), int(sequence)):
            trace_id, (path, record) = row[0] or None, _split_place(place)
            key = key_of(trace_id, digest, variant=bool(row[1]))
            named = key, trace_id, _known(objective), path
            return Entry(*named, added_at, sequence, record, digest)
    raise _damage("an entry is listed but absent, or holds values of other types")


def _finding(row: Row) -> Finding:
    match row[3:]:
        case ("empty_cache", None, "[]", 0, int(found_at)):
            return Finding(Basis.EMPTY_CACHE, None, (), 0, found_at)
        case ("measured", float(best), str(neighbours), int(compared), int(found_at)):
            nearest = tuple(_neighbours(neighbours))
            if nearest and nearest[0].similarity == best and len(nearest) <= compared:
                return Finding(Basis.MEASURED, best, nearest, compared, found_at)
    raise _damage("a finding holds values that do not fit together")


def _neighbours(text: str) -> Iterator[Neighbour]:
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _damage("the neighbours of a finding are not JSON") from error
    for row in rows if isinstance(rows, list) else [rows]:
        match row:
            case [str(key), str() | None as named, str(objective), str(place), float(near)] if (
                abs(near) <= 1.0
            ):
                path, record = _split_place(place)
                known = _known(key), named and _known(named), _known(objective)
                yield Neighbour(*known, path, near, record)
            case _:
                raise _damage("a neighbour of a finding holds values of other types")


def _known(text: str) -> str:
    """A stored text, without an end in which an earlier version may have cut a secret."""
    return _CUT.sub("…", text) if len(text) == _CUT_BEFORE else text


def _place(of: Subject | Neighbour) -> str:
    """File and record as one text such as ``runs.jsonl#3``, as they share a column."""
    ends_alike = _RECORD.search(of.source_path) is not None
    if of.record is None and not ends_alike:
        return of.source_path
    return f"{of.source_path}#{of.record or 0}"


def _split_place(place: str) -> tuple[str, int | None]:
    found = _RECORD.search(place)
    if found is None:
        return place, None
    return place[: found.start()], int(found["record"]) or None


def _matrix(rows: Sequence[Row]) -> npt.NDArray[np.float32]:
    blobs = [row[0] for row in rows]
    if any(not isinstance(b, bytes) or len(b) != DIMENSIONS * _BLOB.itemsize for b in blobs):
        raise _damage("a vector has another length")
    matrix = np.frombuffer(b"".join(blobs), _BLOB).astype(np.float32)
    if not np.isfinite(matrix).all():
        raise _damage("a vector holds a number that is not finite")
    return matrix.reshape(-1, DIMENSIONS)


def _damage(detail: str) -> FaultError:
    return FaultError(Fault.DAMAGED, detail)
