"""Measures the traces of one drop in their order; the command line and the window share this."""

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from kpinspector.scoring.findings import key_of
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.model.embedder import Embedder, Window
from kpinspector.scoring.novelty.ahead_embedder import Ahead
from kpinspector.scoring.novelty.measure import (
    Origin,
    digest_of,
    measure,
    measure_novelty,
    measure_unremembered,
    subject_of,
)
from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.read import TextRecord, TraceRecord, UnscoredRecord
from kpinspector.trace.schema import passes

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory


class Flag(StrEnum):
    """A remark about a trace's place in its drop, for whoever reads its score."""

    DUPLICATE = "duplicate"
    SHARED_ID = "shared_id"
    NO_ID = "no_id"
    AS_GUEST = "as_guest"


@dataclass(frozen=True, slots=True)
class Place:
    """A trace's place in its drop.

    Attributes:
        key: The name under which it is remembered and reported.
        variant: Several texts of this drop share its id, so each counts as a trace of its own.
        flags: Remarks, in the order of ``Flag``.
    """

    key: str
    variant: bool
    flags: tuple[Flag, ...]

    @property
    def as_guest(self) -> bool:
        """The trace is compared with the memory but not remembered."""
        return Flag.AS_GUEST in self.flags

    def for_guest(self) -> "Place":
        """The same place, for a trace that is not to be remembered."""
        return self if self.as_guest else replace(self, flags=(*self.flags, Flag.AS_GUEST))


@dataclass(frozen=True, slots=True)
class Measured:
    """One trace of a drop, with everything its score needs.

    Attributes:
        took_ms: How long measuring and remembering it took, in milliseconds.
    """

    record: TraceRecord
    place: Place
    measurement: Measurement
    took_ms: float = 0.0


def places_of(traces: Sequence[ReasoningTrace], embedder: Embedder) -> tuple[Place, ...]:
    """Find duplicates and shared ids; only traces whose id occurs more than once are tokenised."""
    by_id: defaultdict[str | None, list[int]] = defaultdict(list)
    for number, trace in enumerate(traces):
        by_id[trace.id].append(number)
    places: dict[int, Place] = {}
    for trace_id, numbers in by_id.items():
        if trace_id is not None and len(numbers) == 1:
            places[numbers[0]] = Place(trace_id, variant=False, flags=())
        else:
            digests = [digest_of(traces[number], embedder) for number in numbers]
            places.update(zip(numbers, _shared(trace_id, digests), strict=True))
    return tuple(places[number] for number in range(len(traces)))


def _shared(trace_id: str | None, digests: Sequence[str | None]) -> Iterator[Place]:
    """The places of traces with the same id, or of those without one."""
    variant = trace_id is not None and len(set(digests)) > 1
    seen: set[str | None] = set()
    for digest in digests:
        flags = (
            (Flag.DUPLICATE, digest in seen and digest is not None),
            (Flag.SHARED_ID, variant),
            (Flag.NO_ID, trace_id is None),
        )
        seen.add(digest)
        yield Place(
            key=key_of(trace_id, digest or "", variant=variant),
            variant=variant,
            flags=tuple(flag for flag, holds in flags if holds),
        )


def origin_of(record: TextRecord, place: Place) -> Origin:
    """What the memory keeps of a record beside its vector; not every source is a file."""
    path = Path(record.source.path)
    is_file = os.path.lexists(path)
    return Origin(
        path=str(path.absolute() if is_file else path),
        variant=place.variant,
        record=record.source.record,
    )


def measure_record(
    record: TraceRecord,
    place: Place,
    ahead: Ahead,
    memory: "Memory",
    *,
    again: bool = False,
) -> Measured:
    """Measure one trace at its place; ``again`` as in ``measure``."""
    ahead.take_beforehand_ms()
    start = perf_counter()
    how = measure_unremembered if place.as_guest else measure
    measurement = how(
        record.trace,
        origin_of(record, place),
        ahead,
        memory,
        schema_valid=passes(record.issues),
        again=again,
    )
    took_ms = (perf_counter() - start) * 1000
    return Measured(record, place, measurement, took_ms + ahead.take_beforehand_ms())


def remember_record(
    record: UnscoredRecord, place: Place, embedder: Embedder, memory: "Memory"
) -> None:
    """Remember the vector of a trace that has no score, as the SDK does; later ones meet it."""
    measure_novelty(record.trace, origin_of(record, place), embedder, memory)


def expect(records: Sequence[TextRecord], ahead: Ahead, memory: "Memory") -> None:
    """Begin to embed the traces that come next, except those with a remembered finding."""
    known = [one for one in records[: ahead.depth] if one.trace.text_known]

    def is_known(place: int, window: Window) -> bool:
        subject = subject_of(known[place].trace, Origin(""), ahead.model, window)
        return memory.finding(subject) is not None

    ahead.expect([record.trace.text for record in known], is_known)


def measure_batch(
    records: Sequence[TextRecord], embedder: Embedder, memory: "Memory"
) -> Iterator[Measured]:
    """Measure the traces of one drop: embedded in parallel, compared and stored in order.

    Yields the traces that have a score; the others are only remembered.
    """
    with closing(embedder if isinstance(embedder, Ahead) else Ahead(embedder)) as ahead:
        places = places_of([record.trace for record in records], ahead)
        for number, (record, place) in enumerate(zip(records, places, strict=True)):
            expect(records[number : number + ahead.depth], ahead, memory)
            if isinstance(record, UnscoredRecord):
                remember_record(record, place, ahead, memory)
            else:
                yield measure_record(record, place, ahead, memory)
