"""Turns one file into rows, on the worker; records that had a row before keep it."""

import json
import os
import stat
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from operator import is_
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from kpinspector.app.document import Document, Item, Rules, record_number
from kpinspector.app.jobs import Token
from kpinspector.runs.follow import goes_on, is_recent
from kpinspector.runs.read import RunRecord, RunWithoutStep
from kpinspector.runs.recording import UnreadRun, unread_run
from kpinspector.scoring.formula.measurement import facts_of
from kpinspector.scoring.report.written import FoundReport, read_report
from kpinspector.trace.find import FoundFile
from kpinspector.trace.records import FileContents, Problem, Skipped, TraceRecord, more_problems
from kpinspector.trace.schema import passes

Key: TypeAlias = tuple[int, int]
"""A row's key within its file: its record's number, and its rank among rows of that number."""

WHOLE_FILE: Final[Key] = (0, 0)
"""The key of a record that is the whole file."""

_dumps = partial(json.dumps, ensure_ascii=False)

BEHIND: Final[Key] = (-1, 0)
"""The key of the row that counts further problems; it stands after all records."""

Found: TypeAlias = FoundFile | FileContents | Problem | Skipped


class Signature(NamedTuple):
    """Numbers of which at least one differs once the file has changed."""

    modified: int
    size: int
    inode: int


Changed: TypeAlias = tuple[tuple[str, Signature | None], ...]
"""The paths of files that changed, each with its new signature; None where the file is gone."""


def signature_of(path: str | Path) -> Signature | None:
    """The signature of a file; None where there is no file."""
    try:
        found = os.stat(path)  # noqa: PTH116 (also takes a str, and there are many)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return Signature(found.st_mtime_ns, found.st_size, found.st_ino)


def changed_files(known: Mapping[str, Signature | None], token: Token) -> Changed:
    """The files that differ from their known signatures."""
    changed = []
    for path, before in known.items():
        token.check()
        if (now := signature_of(path)) != before:
            changed.append((path, now))
    return tuple(changed)


@dataclass(frozen=True, slots=True)
class Opening:
    """A file or text to open.

    Attributes:
        item: The file, contents that were read already, or the problem to show instead.
        real: The canonical path; empty for text.
        root: The path that the user gave, a file or a folder; empty for text.
        as_guest: Its traces are compared with the memory, but not remembered.
        brief: A recording that was not read before is only recognised; other files are read, and
            its traces are no guests.
    """

    item: Found
    real: str = ""
    root: str = ""
    as_guest: bool = False
    brief: bool = False


class RowChange(StrEnum):
    """How a row differs from the row before the file was read again.

    OTHER stands for changes that are no edit: an unread recording that is now read, an unchanged
    trace on another line, a run that goes on.
    """

    NEW = "new"
    SAME = "same"
    EDITED = "edited"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class RowRead:
    """A row as it was read, and how it differs from the row before."""

    key: Key
    document: Document
    change: RowChange


@dataclass(frozen=True, slots=True)
class Reading:
    """The rows of one file, in file order, as they were read.

    Attributes:
        signature: The signature of the file before it was read; None if there is no file.
    """

    opening: Opening
    signature: Signature | None
    rows: tuple[RowRead, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """The rows that a file has before it is read again.

    Attributes:
        left_out: The keys of rows that the user removed from the list.
        signature: The signature of the file when it was last read.
    """

    rows: Mapping[Key, Document]
    left_out: Collection[Key]
    signature: Signature | None = None

    @property
    def unread(self) -> Document | None:
        """The row of the file's recording if that is not read yet, else None."""
        found = self.rows.get(WHOLE_FILE)
        return found if found is not None and isinstance(found.item, UnreadRun) else None


def read_opening(
    opening: Opening,
    known: Known,
    numbers: Iterator[int],
    token: Token,
    read: Callable[[FoundFile], FileContents],
    now: float,
) -> Reading:
    """Read a file into rows; a record that had a row keeps it, others get a row with a new number.

    ``now`` is in seconds since the epoch.
    """
    found = opening.item
    signature = signature_of(found.path) if isinstance(found, FoundFile) else None
    modified = signature.modified if signature is not None else None
    if opening.brief and (known.unread is not None or not known.rows):
        row = _recognised(opening, known, numbers, signature)
        if row is not None:
            return Reading(opening, signature, (row,))
        opening = replace(opening, as_guest=False)
    placed = list(_placed(_contents(opening, read), token))
    rows, recent = [], is_recent(modified, now)
    made = partial(Document, rules=Rules(), as_guest=opening.as_guest, modified=modified)
    for (key, item), old in zip(placed, _rows_before(known, placed), strict=True):
        token.check()
        if key in known.left_out:
            continue
        running = recent and goes_on(item)
        if old is None:
            new = made(next(numbers), item, running=running)
            rows.append(RowRead(key, new.prepared(), RowChange.NEW))
        else:
            now_is = old.scored_as(guest=opening.as_guest).found(running=running)
            rows.append(_reread(key, now_is, item, modified, grows=running or old.running))
    return Reading(opening, signature, tuple(rows))


def _recognised(
    opening: Opening, known: Known, numbers: Iterator[int], signature: Signature | None
) -> RowRead | None:
    """The row of a recording that is only recognised; None for any other file."""
    old, found = known.unread, opening.item
    if not isinstance(found, FoundFile):
        return None
    if old is not None and signature == known.signature:
        return RowRead(WHOLE_FILE, old, RowChange.SAME)
    item = unread_run(found)
    if item is None:
        return None
    if old is not None:
        return RowRead(WHOLE_FILE, replace(old, item=item), RowChange.EDITED)
    new = Document(next(numbers), item, Rules(), as_guest=True)
    return RowRead(WHOLE_FILE, new, RowChange.NEW)


def _contents(opening: Opening, read: Callable[[FoundFile], FileContents]) -> FileContents:
    match opening.item:
        case FileContents() as contents:
            return contents
        case Problem() as problem:
            return FileContents(problems=(problem,))
        case Skipped() as skipped:
            return FileContents(skipped=(skipped,))
        case found:
            return read(found)


def _placed(contents: FileContents, token: Token) -> Iterator[tuple[Key, Item]]:
    """All items of a file in its order, each with its key."""
    reports = (read_report(report, token.check) for report in contents.reports)
    problems = (*contents.problems, *contents.unlisted)
    items: list[Item] = [*contents.traces, *problems, *contents.skipped, *reports]
    items.sort(key=record_number)
    before, same = -1, 0
    for item in items:
        record = record_number(item)
        same = same + 1 if record == before else 0
        before = record
        yield (record, same), item
    counted = contents.more_problems - len(contents.unlisted)
    if counted:
        last = contents.problems[-1]
        yield BEHIND, more_problems(last.path, last.kind, counted)


def _rows_before(known: Known, placed: Sequence[tuple[Key, Item]]) -> Iterator[Document | None]:
    """The row that each item had before, found by its key, for runs by their id; None if new.

    The key of a run may change: alone in its file it has no number, beside others it has one. The
    first item takes over the row of the unread recording.
    """
    unread, rows = known.unread, known.rows
    ids = Counter(_run_id(row.item) for row in rows.values())
    now = Counter(_run_id(item) for _, item in placed)
    runs = {
        run: row
        for row in rows.values()
        if (run := _run_id(row.item)) and ids[run] == 1 and now[run] == 1
    }
    for key, item in placed:
        row = runs.get(_run_id(item), rows.get(key))
        if row is not None and _run_id(row.item) in runs and _run_id(item) not in runs:
            row = None  # this row belongs to a run that stands elsewhere in the file now
        yield unread or row
        unread = None


def _run_id(item: Item) -> str:
    """The id of a run; "" for any other item."""
    match item:
        case RunRecord():
            return item.imported.mapped.id
        case RunWithoutStep():
            return item.id or ""
    return ""


def _reread(key: Key, old: Document, item: Item, modified: int | None, *, grows: bool) -> RowRead:
    before, run = old.record, old.run
    if isinstance(item, TraceRecord) and before is not None and _is_same(before, item):
        same = run is None or not isinstance(item, RunRecord) or run.imported == item.imported
        if same and before.source == item.source:
            return RowRead(key, old, RowChange.SAME)
        measured = replace(old.measured, record=item) if old.measured else None
        moved = replace(old, item=item, measured=measured, modified=modified)
        return RowRead(key, moved.prepared(), RowChange.OTHER)
    if isinstance(item, FoundReport) and item == old.item:
        return RowRead(key, old, RowChange.SAME)
    # while a run grows, its last steps may still change
    if (
        isinstance(item, RunRecord)
        and run is not None
        and _run_id(run) == _run_id(item)
        and (grows or _is_longer(run, item))
    ):
        grown = replace(_grown(old, run, item), modified=modified)
        return RowRead(key, grown.prepared(), RowChange.OTHER)
    earlier = old.measured.measurement if old.measured else old.earlier
    edited = replace(old, item=item, modified=modified, measured=None, earlier=earlier, kept=False)
    is_first = isinstance(old.item, UnreadRun | RunWithoutStep)
    change = RowChange.OTHER if is_first else RowChange.EDITED
    return RowRead(key, edited.prepared(), change)


def _is_longer(before: RunRecord, now: RunRecord) -> bool:
    """Whether a run is the former one with steps added, or the same."""
    one, other = before.trace, now.trace
    return one.objective == other.objective and one.steps == other.steps[: len(one.steps)]


def _grown(row: Document, before: RunRecord, now: RunRecord) -> Document:
    """The row of a run that has grown.

    The model reads only its window of text: if that was full before, novelty stays.
    """
    measured = row.measured
    reach = None if measured is None else measured.measurement.novelty.reach
    if measured is not None and reach is not None and reach.truncated and _is_longer(before, now):
        facts = facts_of(now.trace, schema_valid=passes(now.issues))
        measurement = replace(measured.measurement, facts=facts)
        measured = replace(measured, record=now, measurement=measurement)
    else:
        measured = None
    return replace(row, item=now, measured=measured, earlier=None)


def _is_same(one: TraceRecord, other: TraceRecord) -> bool:
    """Whether two traces are the same JSON; ``==`` takes 1 for true and ignores the keys' order."""
    first, second = one.trace.raw, other.trace.raw
    if len(one.trace.steps) == len(other.trace.steps) and all(
        map(is_, one.trace.steps, other.trace.steps)
    ):  # a followed run has the same step objects again, so they need no comparison
        first, second = {**first, "steps": []}, {**second, "steps": []}
    return first == second and _dumps(first) == _dumps(second)
