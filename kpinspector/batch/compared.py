"""Compares the traces of a batch with each other and with the memory's other entries."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kpinspector.scoring.findings import Basis, Entry, Subject
from kpinspector.scoring.formula.measurement import Measurement, assumed_novelty, facts_of
from kpinspector.scoring.model.vectors import (
    Similarities,
    Vector,
    similarities_among,
    similarities_between,
    stacked,
)
from kpinspector.scoring.novelty.sequence import Measured, Place, reach_of, subject_of, vector_of
from kpinspector.trace.records import TraceRecord
from kpinspector.trace.schema import passes

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory
    from kpinspector.scoring.model.embedder import Embedder


@dataclass(frozen=True, slots=True)
class Candidate:
    """One trace of a batch.

    ``place``: its key and flags within the batch as it was given. ``subject``: None where the
    recording left the texts out, so that nothing can be compared. ``measurement``: its novelty is
    assumed, since the place in the plan decides novelty.
    """

    record: TraceRecord
    place: Place
    subject: Subject | None
    measurement: Measurement


@dataclass(frozen=True, slots=True)
class Embedded:
    """A candidate and its vector, shape (384,); zero where there is no text."""

    candidate: Candidate
    vector: Vector


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """n traces, and the m live entries of the memory that are not among them, oldest first.

    ``similarities``: cosines of the traces, shape (n, n), symmetric. ``to_remembered``: cosines of
    entries and traces, shape (m, n). ``max_elements``: the size of the cache: a trace is compared
    with so many of the newest vectors.
    """

    candidates: tuple[Candidate, ...]
    similarities: Similarities = field(repr=False)
    remembered: tuple[Entry, ...]
    to_remembered: Similarities = field(repr=False)
    max_elements: int

    @property
    def size(self) -> int:
        """The number of traces."""
        return len(self.candidates)


def embedded(record: TraceRecord, place: Place, embedder: "Embedder", memory: "Memory") -> Embedded:
    """A trace with its vector, from the memory or embedded now; nothing is stored.

    Raises:
        ModelError: the embedder cannot be used.
    """
    trace = record.trace
    facts = facts_of(trace, schema_valid=passes(record.issues))
    if not trace.text_known:
        novelty = assumed_novelty(None, Basis.NOT_RECORDED)
        nothing = np.zeros_like(stacked(()), shape=stacked(()).shape[1:])
        return Embedded(Candidate(record, place, None, Measurement(facts, novelty)), nothing)
    window = embedder.window(trace.text)
    subject = subject_of(record, place, window, embedder.model)
    vector = vector_of(subject, window, embedder, memory)
    novelty = assumed_novelty(reach_of(trace, window))
    return Embedded(Candidate(record, place, subject, Measurement(facts, novelty)), vector)


def embedded_again(measured: Measured, embedder: "Embedder", memory: "Memory") -> Embedded:
    """A measured trace with its vector; nothing is embedded if the memory has the vector.

    Raises:
        ModelError: the embedder cannot be used.
    """
    novelty = measured.measurement.novelty
    stored = None if novelty.own is None else memory.own_vector(novelty.own)
    if stored is None:
        return embedded(measured.record, measured.place, embedder, memory)
    stand_in = Measurement(measured.measurement.facts, assumed_novelty(novelty.reach))
    return Embedded(Candidate(measured.record, measured.place, novelty.own, stand_in), stored)


def compared(traces: Sequence[Embedded], model: str, memory: "Memory", max_elements: int) -> Batch:
    """Compare all pairs of traces, and each trace with the entries that are not in the batch."""
    subjects = [one.candidate.subject for one in traces]
    entries, rows = memory.live(model, [one for one in subjects if one is not None])
    vectors = stacked([one.vector for one in traces])
    return Batch(
        candidates=tuple(one.candidate for one in traces),
        similarities=similarities_among(vectors),
        remembered=entries,
        to_remembered=similarities_between(rows, vectors),
        max_elements=max_elements,
    )
