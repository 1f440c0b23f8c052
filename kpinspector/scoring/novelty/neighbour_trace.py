"""The trace behind a neighbour: what its file holds now, and whether that is what was compared."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from kpinspector.errors import ModelError, TraceLostError
from kpinspector.scoring.memory.findings import Neighbour, key_of, neighbour_name, shown_key
from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.measure import Origin, digest_of, measure_unremembered
from kpinspector.scoring.novelty.sequence import Measured, Place
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import TraceRecord, read_file
from kpinspector.trace.schema import passes

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory


class TextState(StrEnum):
    """Whether a file holds the text that a trace was compared with, as far as novelty reads."""

    SAME = "same"
    CHANGED = "changed"
    REMEMBERED_ANEW = "remembered_anew"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class NeighbourTrace:
    """A neighbour's trace, scored by its own finding or else by today's entries."""

    neighbour: Neighbour
    measured: Measured
    state: TextState


def read_neighbour(
    neighbour: Neighbour, found_at: int | None, embedder: Embedder, memory: "Memory"
) -> NeighbourTrace:
    """Read the file that a neighbour came from; nothing is remembered.

    Args:
        neighbour: Of the trace that it is to be compared with.
        found_at: When the two were compared, in milliseconds since the epoch.
        embedder: Used to know the text again.
        memory: Asked which text is remembered.

    Raises:
        TraceLostError: there is no such file, it cannot be read, or the trace is not in it.
    """
    expected = _expected(neighbour, embedder, memory)
    record, digest = _find(neighbour, expected, embedder)
    variant = expected.by_key and neighbour.trace_id is not None
    measurement = measure_unremembered(
        record.trace,
        Origin(neighbour.source_path, variant, neighbour.record),
        embedder,
        memory,
        schema_valid=passes(record.issues),
    )
    place = Place(key_of(record.trace.id, digest, variant=variant), variant, flags=())
    state = _state(expected, digest, found_at)
    return NeighbourTrace(neighbour, Measured(record, place, measurement), state)


@dataclass(frozen=True, slots=True)
class _Expected:
    """The text that is remembered.

    Attributes:
        digest: Its digest, or how that begins; "" where nothing is known of it.
        by_key: The neighbour's key tells, which stands for this text alone.
        added_at: When its entry came, in milliseconds since the epoch.
    """

    digest: str
    by_key: bool
    added_at: int | None = None

    def fits(self, digest: str) -> bool:
        return bool(self.digest and digest) and digest.startswith(self.digest)


def _expected(neighbour: Neighbour, embedder: Embedder, memory: "Memory") -> _Expected:
    trace_id, key = neighbour.trace_id, neighbour.key
    if trace_id is None:
        return _Expected(key.removeprefix("text:"), by_key=True)
    if key != trace_id:
        return _Expected(key.removeprefix(f"{trace_id}#"), by_key=True)
    try:
        entry = memory.text_of(key, embedder.model)
    except ModelError:
        entry = None
    if entry is None:
        return _Expected("", by_key=False)
    return _Expected(entry.digest, by_key=False, added_at=entry.added_at)


def _find(neighbour: Neighbour, expected: _Expected, embedder: Embedder) -> tuple[TraceRecord, str]:
    """The record with the remembered text, or else the one that can only be meant; its digest."""
    name, path = neighbour_name(neighbour), neighbour.source_path
    own = [
        (record, digest_of(record.trace, embedder) or "")
        for record in _records(name, path)
        if (record.trace.id and shown_key(record.trace.id)) == neighbour.trace_id
    ]
    found = next((one for one in own if expected.fits(one[1])), None)
    if found is None and len(own) == 1:
        found = own[0]
    if found is None:
        raise TraceLostError(f"{name} is no longer in its file, {path}.")
    return found


def _records(name: str, path: str) -> Sequence[TraceRecord]:
    if not Path(path).is_absolute():
        raise TraceLostError(f"{name} did not come from a file, and its text is not remembered.")
    if not os.path.lexists(path):
        raise TraceLostError(f"{name} cannot be compared: its file is gone, {path}.")
    contents = read_file(FoundFile(Path(path), path, named=True))
    if not contents.traces and contents.problems:
        reason = contents.problems[0].message
        raise TraceLostError(f"{name} cannot be compared: {path} could not be read: {reason}.")
    return contents.traces


def _state(expected: _Expected, digest: str, found_at: int | None) -> TextState:
    if not (expected.digest and digest):
        return TextState.UNKNOWN
    if not expected.fits(digest):
        return TextState.CHANGED
    if expected.added_at is not None and found_at is not None and expected.added_at > found_at:
        return TextState.REMEMBERED_ANEW
    return TextState.SAME
