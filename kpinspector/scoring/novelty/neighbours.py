"""How each of the nearest entries affects a score, and how today's nearest entries differ."""

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kpinspector.errors import ModelError, TraceLostError
from kpinspector.phrase import Phrase
from kpinspector.runs.read import read_file
from kpinspector.scoring.findings import (
    Finding,
    Neighbour,
    Subject,
    key_of,
    neighbour_name,
    shown_key,
)
from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.measurement import Measurement, Novelty, at_similarity
from kpinspector.scoring.formula.profiles import Profile
from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.measure import Origin, digest_of, measure_unremembered
from kpinspector.scoring.novelty.sequence import Measured, Place
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import TraceRecord
from kpinspector.trace.schema import passes

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory


NEAR_DUPLICATE: Final = 0.8
"""Two that are at least so similar are linked."""

_SAME = 1e-6  # two builds of the runtime differ by less in the similarity of the same two texts


class TextState(StrEnum):
    """Whether a file still holds the text that was compared, as far as the window reaches."""

    SAME = "same"
    CHANGED = "changed"
    REMEMBERED_ANEW = "remembered_anew"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class NeighbourTrace:
    """A neighbour's trace, scored with its own finding or else against today's entries."""

    neighbour: Neighbour
    measured: Measured
    state: TextState


def read_neighbour(
    neighbour: Neighbour, found_at: int | None, embedder: Embedder, memory: "Memory"
) -> NeighbourTrace:
    """Read the file that a neighbour came from; nothing is remembered.

    Args:
        neighbour: The entry, as the finding of the other trace names it.
        found_at: When the two were compared, in milliseconds since the epoch.
        embedder: Its tokenizer recognises the text.
        memory: Knows which text is remembered under the neighbour's key.

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
    """The text that the neighbour's file is expected to hold.

    Attributes:
        digest: Its digest or the beginning of it; "" where it is unknown.
        by_key: The neighbour's key names this text alone.
        added_at: When its entry was added, in milliseconds since the epoch.
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
        entry = memory.entry_of(key, embedder.model)
    except ModelError:
        entry = None
    if entry is None:
        return _Expected("", by_key=False)
    return _Expected(entry.digest, by_key=False, added_at=entry.added_at)


def _find(neighbour: Neighbour, expected: _Expected, embedder: Embedder) -> tuple[TraceRecord, str]:
    """The record with the remembered text, or the only one that can be meant; and its digest."""
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
        raise TraceLostError(
            Phrase("{name} is no longer in its file, {path}.", name=name, path=path)
        )
    return found


def _records(name: str, path: str) -> Sequence[TraceRecord]:
    if not Path(path).is_absolute():
        raise TraceLostError(
            Phrase("{name} did not come from a file, and its text is not remembered.", name=name)
        )
    if not os.path.lexists(path):
        raise TraceLostError(
            Phrase("{name} cannot be compared: its file is gone, {path}.", name=name, path=path)
        )
    contents = read_file(FoundFile(Path(path), path, named=True))
    if not contents.traces and contents.problems:
        message = Phrase(
            "{name} cannot be compared: {path} could not be read: {reason}.",
            name=name,
            path=path,
            reason=contents.problems[0].message,
        )
        raise TraceLostError(message)
    return contents.traces


def _state(expected: _Expected, digest: str, found_at: int | None) -> TextState:
    if not (expected.digest and digest):
        return TextState.UNKNOWN
    if not expected.fits(digest):
        return TextState.CHANGED
    if expected.added_at is not None and found_at is not None and expected.added_at > found_at:
        return TextState.REMEMBERED_ANEW
    return TextState.SAME


@dataclass(frozen=True, slots=True)
class Without:
    """The score as it would be without some of the entries.

    Attributes:
        novelty: In 0..1.
        exact: False where all that is known of the other entries is that none is more similar than
            the last of the nearest; novelty and score are lower bounds then.
    """

    assessment: Assessment
    novelty: float
    exact: bool


@dataclass(frozen=True, slots=True)
class Influence:
    """One of the nearest entries and its effect on the score.

    Attributes:
        sets_novelty: It is the most similar entry; of equally similar ones, the oldest.
        changes: The score would be different without it.
    """

    neighbour: Neighbour
    sets_novelty: bool
    without: Without
    changes: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """One of today's nearest entries, and how the stored finding has it.

    Attributes:
        before: Its similarity in the stored finding; None where it is not among the nearest there.
        is_news: It is similar enough to have been among the nearest, so it is newer than the
            finding, or its text has changed.
    """

    neighbour: Neighbour
    before: float | None
    is_news: bool

    @property
    def changed(self) -> bool:
        """The stored finding has it with another similarity."""
        return self.before is not None and abs(self.before - self.neighbour.similarity) > _SAME


@dataclass(frozen=True, slots=True)
class Comparison:
    """Today's nearest entries, compared with those of the stored finding.

    Attributes:
        nearest: Today's nearest entries, most similar first.
        gone: Entries of the finding that would be among today's nearest if they still existed.
        crowded_out: Entries of the finding that nearer ones have displaced.
        own: The trace whose neighbours they are.
    """

    nearest: tuple[Standing, ...]
    gone: tuple[Neighbour, ...]
    crowded_out: tuple[Neighbour, ...]
    own: Subject | None = None


def influences(
    measurement: Measurement, profile: Profile, threshold: float
) -> tuple[Influence, ...]:
    """The nearest entries of a finding, most similar first, each with the score without it."""
    placed = assess(measurement, profile, threshold)
    found = []
    for rank, neighbour in enumerate(measurement.novelty.neighbours):
        left_out = without(measurement, {rank}, profile, threshold)
        changes = left_out.assessment.score != placed.score
        found.append(Influence(neighbour, rank == 0, left_out, changes))
    return tuple(found)


def without(
    measurement: Measurement, ranks: Collection[int], profile: Profile, threshold: float
) -> Without:
    """The score without the nearest entries of these ranks, counted from 0.

    The most similar entry that remains decides; with none left, novelty is that of an empty cache.
    """
    similarity, exact = _best_without(measurement.novelty, ranks)
    changed = at_similarity(measurement, similarity)
    assessment = assess(changed, profile, threshold)
    return Without(assessment, changed.novelty.value, exact)


def _best_without(novelty: Novelty, ranks: Collection[int]) -> tuple[float | None, bool]:
    """The greatest remaining similarity, and whether it is exact or an upper bound."""
    nearest = novelty.neighbours
    left = [near.similarity for rank, near in enumerate(nearest) if rank not in ranks]
    if left:
        return left[0], True
    if novelty.compared_with > len(nearest):
        return (nearest[-1].similarity if nearest else novelty.max_similarity), False
    return None, True


def compare_findings(stored: Novelty, today: Finding) -> Comparison:
    """What has changed among the nearest entries; an entry is identified by its key."""
    before = {near.key: near.similarity for near in stored.neighbours}
    nearest = tuple(
        Standing(
            near,
            before.get(near.key),
            near.key not in before and _belongs(near, stored.neighbours, stored.compared_with),
        )
        for near in today.neighbours
    )
    now = {near.key for near in today.neighbours}
    missing = [near for near in stored.neighbours if near.key not in now]
    gone = [near for near in missing if _belongs(near, today.neighbours, today.compared_with)]
    crowded_out = tuple(near for near in missing if near not in gone)
    return Comparison(nearest, tuple(gone), crowded_out, stored.own)


def _belongs(near: Neighbour, nearest: tuple[Neighbour, ...], compared_with: int) -> bool:
    """Whether an entry is certainly similar enough to be among the nearest of a comparison."""
    if compared_with <= len(nearest):
        return True
    return bool(nearest) and near.similarity > nearest[-1].similarity + _SAME
