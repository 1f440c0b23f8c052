"""The nearest entries of a trace: how its score depends on them, and what is asked on request.

Functions that take a memory and an embedder store nothing. They may raise ``ModelError``, where the
embedder cannot be used.
"""

import os
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
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
    neighbour_names,
    shown_key,
)
from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.measurement import Measurement, Novelty, at_similarity
from kpinspector.scoring.formula.profiles import Profile
from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty import sequence
from kpinspector.trace.find import FoundFile
from kpinspector.trace.model import ReasoningTrace, Step
from kpinspector.trace.records import TraceRecord

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory
    from kpinspector.scoring.model.vectors import Vector

_SAME = 1e-6  # two builds of the runtime differ by less in the similarity of the same two texts
_ITSELF = 1.0  # the cosine of a vector with itself; an embedding is never the zero vector
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Without:
    """The score as it would be without some of the entries.

    Not ``exact`` where all that is known of the other entries is that none is more similar than the
    last of the nearest; novelty and score are lower bounds then.
    """

    assessment: Assessment
    novelty: float
    exact: bool


@dataclass(frozen=True, slots=True)
class Influence:
    """One of the nearest entries and its effect on the score; the most similar sets novelty."""

    neighbour: Neighbour
    sets_novelty: bool
    without: Without
    changes: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """One of today's nearest entries, compared with the stored finding.

    ``before``: its similarity in that finding, or None if absent. ``is_news``: it is absent there
    though similar enough to be among the nearest: it is newer, or its text has changed.
    """

    neighbour: Neighbour
    before: float | None
    is_news: bool

    @property
    def changed(self) -> bool:
        """Whether the stored finding gives another similarity for this entry."""
        return self.before is not None and abs(self.before - self.neighbour.similarity) > _SAME


@dataclass(frozen=True, slots=True)
class Comparison:
    """Today's nearest entries, most similar first, compared with those of the stored finding.

    ``gone``: entries of the stored finding that would still be among the nearest, had they not been
    deleted. ``own``: the trace whose neighbours they are.
    """

    nearest: tuple[Standing, ...]
    gone: tuple[Neighbour, ...]
    own: Subject | None = None


def influences(
    measurement: Measurement, profile: Profile, threshold: float
) -> tuple[Influence, ...]:
    """The nearest entries, most similar first, each with the score without it."""
    score = assess(measurement, profile, threshold).score
    found = []
    for rank, neighbour in enumerate(measurement.novelty.neighbours):
        left_out = without(measurement, {rank}, profile, threshold)
        changes = left_out.assessment.score != score
        found.append(Influence(neighbour, rank == 0, left_out, changes))
    return tuple(found)


def without(
    measurement: Measurement, ranks: Collection[int], profile: Profile, threshold: float
) -> Without:
    """The score without the nearest entries of these ranks, counted from 0.

    The most similar entry that remains decides; with none left, novelty is that of an empty cache.
    """
    novelty, nearest = measurement.novelty, measurement.novelty.neighbours
    left = [near.similarity for rank, near in enumerate(nearest) if rank not in ranks]
    exact = bool(left) or novelty.compared_with <= len(nearest)
    similarity = left[0] if left else None
    if not exact:
        similarity = nearest[-1].similarity if nearest else novelty.max_similarity
    changed = at_similarity(measurement, similarity)
    return Without(assess(changed, profile, threshold), changed.novelty.value, exact)


def compare_findings(stored: Novelty, today: Finding) -> Comparison:
    """Compare the stored nearest entries with today's; an entry is identified by its key."""
    before = {near.key: near.similarity for near in stored.neighbours}
    nearest = tuple(
        Standing(near, before.get(near.key), near.key not in before and _belongs(near, stored))
        for near in today.neighbours
    )
    now = {near.key for near in today.neighbours}
    missing = (near for near in stored.neighbours if near.key not in now)
    gone = tuple(near for near in missing if _belongs(near, today))
    return Comparison(nearest, gone, stored.own)


def _belongs(near: Neighbour, found: Novelty | Finding) -> bool:
    """Whether an entry is certainly similar enough to be among the nearest of a comparison."""
    nearest = found.neighbours
    return found.compared_with <= len(nearest) or (
        bool(nearest) and near.similarity > nearest[-1].similarity + _SAME
    )


@dataclass(frozen=True, slots=True)
class Order:
    """The scores of one trace before all others, at its actual place (from 1), and after itself."""

    first: Assessment
    placed: Assessment
    after: Assessment
    place: int


def order_of(measurement: Measurement, profile: Profile, threshold: float) -> Order | None:
    """The scores at the three places; None where novelty is assumed, since no order changes it."""
    if measurement.novelty.assumed:
        return None
    similar = (at_similarity(measurement, one) for one in (None, _ITSELF))
    first, after = (assess(one, profile, threshold) for one in similar)
    placed = assess(measurement, profile, threshold)
    return Order(first, placed, after, place=measurement.novelty.compared_with + 1)


def other_if_first(measurement: Measurement, placed: Assessment) -> Assessment | None:
    """The score with the trace first in the order, if that gives the other verdict; else None."""
    first = assess(at_similarity(measurement, None), placed.profile, placed.threshold)
    depends = not measurement.novelty.assumed and first.verdict is not placed.verdict
    return first if depends else None


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
    measured: sequence.Measured
    state: TextState


def read_neighbour(
    neighbour: Neighbour, found_at: int | None, embedder: Embedder, memory: "Memory"
) -> NeighbourTrace:
    """Read the file that a neighbour came from; nothing is remembered.

    ``found_at``: when the two were compared, in milliseconds since the epoch.

    Raises:
        TraceLostError: there is no such file, it cannot be read, or the trace is not in it.
    """
    # the digest of the compared text, or its beginning, is part of the key; else it is taken from
    # the entry; "" where it is unknown
    trace_id, key, added_at = neighbour.trace_id, neighbour.key, None
    expected = key.removeprefix("text:" if trace_id is None else f"{trace_id}#")
    if key == trace_id:
        entry = None
        with suppress(ModelError):
            entry = memory.entry_of(key, embedder.model)
        expected, added_at = (entry.digest, entry.added_at) if entry else ("", None)
    record, digest = _find(neighbour, expected, embedder)
    variant = trace_id not in (None, key)
    place = sequence.Place(key_of(record.trace.id, digest, variant=variant), variant, flags=())
    measured = replace(
        sequence.measure_record(record, place.for_guest(), embedder, memory), place=place
    )
    if not (expected and digest):
        state = TextState.UNKNOWN
    elif not digest.startswith(expected):
        state = TextState.CHANGED
    elif added_at is not None and found_at is not None and added_at > found_at:
        state = TextState.REMEMBERED_ANEW
    else:
        state = TextState.SAME
    return NeighbourTrace(neighbour, measured, state)


def _find(neighbour: Neighbour, expected: str, embedder: Embedder) -> tuple[TraceRecord, str]:
    """The record with the remembered text, or else the only one with the id; and its digest."""
    (name,), path = neighbour_names((neighbour,)), neighbour.source_path
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
        raise TraceLostError(
            Phrase(
                "{name} cannot be compared: {path} could not be read: {reason}.",
                name=name,
                path=path,
                reason=contents.problems[0].message,
            )
        )
    own = [
        (record, sequence.digest_of(record.trace, embedder) or "")
        for record in contents.traces
        if (record.trace.id and shown_key(record.trace.id)) == neighbour.trace_id
    ]
    same = [one for one in own if expected and one[1].startswith(expected)]
    if not same and len(own) != 1:
        raise TraceLostError(
            Phrase("{name} is no longer in its file, {path}.", name=name, path=path)
        )
    return (same or own)[0]


def similarity_of(
    left: ReasoningTrace, right: ReasoningTrace, embedder: Embedder, memory: "Memory"
) -> float | None:
    """The cosine similarity of two traces, -1 to 1; None where a recording left the texts out."""
    from kpinspector.scoring.model import vectors  # noqa: PLC0415 - with numpy, on first use

    if not (left.text_known and right.text_known):
        return None
    both = []
    for trace in (left, right):
        window = embedder.window(trace.text)
        subject = sequence.text_subject(trace, window, embedder.model)
        both.append(sequence.vector_of(subject, window, embedder, memory))
    return vectors.cosine(*both)


@dataclass(frozen=True, slots=True)
class StepFall:
    """The similarity without one step; ``fall``: how much lower that is, negative if higher."""

    step: int
    similarity: float
    fall: float


@dataclass(frozen=True, slots=True)
class StepRanking:
    """The cosine similarity of two traces, and the falls of steps so far, largest first.

    ``total``: the number of steps to measure, those within the model's window.
    """

    similarity: float
    falls: tuple[StepFall, ...]
    total: int

    @property
    def complete(self) -> bool:
        """Whether every step has been measured."""
        return len(self.falls) == self.total


def rank_steps(trace: ReasoningTrace, embedder: Embedder, other: "Vector") -> Iterator[StepRanking]:
    """Leave out each step within the model's window in turn, and compare with another vector.

    Leaving out a step draws later text into the window, so each shortened text is embedded anew.
    Yields the ranking so far, first without any step and then after each one; the caller may stop
    at any time. There are at most as many steps as the window has tokens.
    """
    from kpinspector.scoring.model import vectors  # noqa: PLC0415 - with numpy, on first use

    window = embedder.window(trace.text)
    nothing, steps, start = embedder.window("").ids, list[Step](), len(trace.objective)
    for step in trace.steps:
        if start >= window.end:
            break
        if embedder.window(step.content).ids != nothing:
            steps.append(step)
        start += 1 + len(step.content)
    whole = vectors.cosine(other, embedder.embed(window))
    falls: list[StepFall] = []
    known = {window.digest: whole}
    yield StepRanking(whole, (), len(steps))
    for step in steps:
        left = tuple(one for one in trace.steps if one is not step)
        without = embedder.window(replace(trace, steps=left).text)
        if without.digest not in known:
            known[without.digest] = vectors.cosine(other, embedder.embed(without))
        similarity = known[without.digest]
        falls.append(StepFall(step.index, similarity, whole - similarity))
        falls.sort(key=lambda one: (-one.fall, one.step))
        yield StepRanking(whole, tuple(falls), len(steps))


@dataclass(frozen=True, slots=True)
class Alike:
    """What makes a trace like its nearest neighbour; ``words`` is None without the latter's text.

    ``words``: different words within the model's window, ``shared_words`` of them in the neighbour
    as well; ``same_prompt``: with how many of the same ``tokens`` both objectives begin.
    """

    ranking: StepRanking
    words: int | None = None
    shared_words: int = 0
    tokens: int = 0
    same_prompt: int = 0


@dataclass(frozen=True, slots=True)
class Further:
    """What was looked up: today's nearest entries, and what makes the trace like the nearest."""

    today: Finding | None = None
    alike: Alike | None = None


def look_today(measured: sequence.Measured, embedder: Embedder, memory: "Memory") -> Finding:
    """Today's nearest entries of a trace; nothing is remembered."""
    record = measured.record
    window = embedder.window(record.trace.text)
    subject = sequence.subject_of(record, measured.place, window, embedder.model)
    return memory.look(subject, sequence.vector_of(subject, window, embedder, memory))


def look_alike(
    measured: sequence.Measured, other: TraceRecord | None, embedder: Embedder, memory: "Memory"
) -> Iterator[Alike]:
    """What makes a trace like its nearest neighbour, as far as it is known.

    Yields as ``rank_steps`` does, and nothing where the neighbour is not remembered any more.
    ``other``: the neighbour, where its text can be read now.
    """
    nearest = next(iter(measured.measurement.novelty.neighbours), None)
    vector = None if nearest is None else memory.vector_of(nearest.key, embedder.model)
    if vector is None:
        return
    trace = measured.record.trace
    beside = {} if other is None else _beside((trace, other.trace), embedder)
    for ranking in rank_steps(trace, embedder, vector):
        yield Alike(ranking, **beside)


def _beside(both: tuple[ReasoningTrace, ReasoningTrace], embedder: Embedder) -> dict[str, int]:
    windows = [embedder.window(one.text) for one in both]
    words, theirs = (
        frozenset(_WORD.findall(one.text[: window.end].casefold()))
        for one, window in zip(both, windows, strict=True)
    )
    ids = [window.ids for window in windows]
    ids += [embedder.window(one.objective).ids for one in both]
    places = enumerate(zip(*ids, strict=False))
    same = next((n for n, found in places if len({*found}) > 1), min(map(len, ids)))
    return {
        "words": len(words),
        "shared_words": len(words & theirs),
        "tokens": len(windows[0].ids),
        "same_prompt": same if same > 1 else 0,  # the first token opens every window
    }
