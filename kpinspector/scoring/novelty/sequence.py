"""Measures traces with an embedder and the memory: slow, so done once and assessed often.

The traces of one drop are measured in their order; the command line and the window share this.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from kpinspector.errors import ModelError
from kpinspector.scoring.findings import Basis, Subject, key_of
from kpinspector.scoring.formula.measurement import (
    Measurement,
    Novelty,
    Reach,
    assumed_novelty,
    facts_of,
    novelty_from,
)
from kpinspector.scoring.model.embedder import Ahead, Embedder, Window
from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.records import TextRecord, TraceRecord, UnscoredRecord
from kpinspector.trace.schema import passes

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory
    from kpinspector.scoring.model.vectors import Vector


class Flag(StrEnum):
    """A remark about a trace's place in its drop, for whoever reads its score."""

    DUPLICATE = "duplicate"
    SHARED_ID = "shared_id"
    NO_ID = "no_id"
    AS_GUEST = "as_guest"


@dataclass(frozen=True, slots=True)
class Place:
    """A trace's place in its drop; by its ``key`` it is remembered and reported.

    ``variant``: several texts of this drop share its id, so each counts as a trace of its own.
    """

    key: str
    variant: bool
    flags: tuple[Flag, ...]

    @property
    def as_guest(self) -> bool:
        """Whether the trace is compared with the memory, but not remembered."""
        return Flag.AS_GUEST in self.flags

    def for_guest(self) -> "Place":
        """The same place, for a trace that is not to be remembered."""
        return replace(self, flags=(*dict.fromkeys((*self.flags, Flag.AS_GUEST)),))


@dataclass(frozen=True, slots=True)
class Measured:
    """One trace of a drop, with everything its score needs."""

    record: TraceRecord
    place: Place
    measurement: Measurement


def places_of(traces: Sequence[ReasoningTrace], embedder: Embedder) -> tuple[Place, ...]:
    """Find duplicates and shared ids; only traces whose id occurs more than once are tokenised."""
    times = Counter(trace.id for trace in traces)
    digests = [
        None if trace.id is not None and times[trace.id] == 1 else digest_of(trace, embedder)
        for trace in traces
    ]
    texts: defaultdict[str | None, set[str | None]] = defaultdict(set)
    for trace, digest in zip(traces, digests, strict=True):
        texts[trace.id].add(digest)
    seen: set[tuple[str | None, str]] = set()
    places = []
    for trace, digest in zip(traces, digests, strict=True):
        variant = trace.id is not None and len(texts[trace.id]) > 1
        flags = {
            Flag.DUPLICATE: digest is not None and (trace.id, digest) in seen,
            Flag.SHARED_ID: variant,
            Flag.NO_ID: trace.id is None,
        }
        seen.add((trace.id, digest or ""))
        key = key_of(trace.id, digest or "", variant=variant)
        places.append(Place(key, variant, tuple(flag for flag, holds in flags.items() if holds)))
    return tuple(places)


def text_subject(trace: ReasoningTrace, window: Window, model: str) -> Subject:
    """The subject by which a text is found in the memory; it names no file."""
    return Subject(trace.id, window.digest, model, False, trace.objective, "")


def subject_of(record: TextRecord, place: Place, window: Window, model: str) -> Subject:
    """The subject by which the memory is asked about a trace; paths of files become absolute."""
    path = Path(record.source.path)
    is_file = os.path.lexists(path)
    named = record.trace.id, window.digest, model, place.variant, record.trace.objective
    return Subject(*named, str(path.absolute() if is_file else path), record.source.record)


def vector_of(subject: Subject, window: Window, embedder: Embedder, memory: "Memory") -> "Vector":
    """The vector of a text, from the memory or embedded now; nothing is stored."""
    stored = memory.own_vector(subject)
    return embedder.embed(window) if stored is None else stored


def measure_record(
    record: TraceRecord, place: Place, embedder: Embedder, memory: "Memory", *, again: bool = False
) -> Measured:
    """Count the facts of a trace and measure its novelty; ``again`` as in ``measure_novelty``."""
    facts = facts_of(record.trace, schema_valid=passes(record.issues))
    novelty = measure_novelty(record, place, embedder, memory, again=again)
    return Measured(record, place, Measurement(facts, novelty))


def measure_novelty(
    record: TextRecord, place: Place, embedder: Embedder, memory: "Memory", *, again: bool = False
) -> Novelty:
    """Recall the finding, or embed, compare and remember; a trace without a score will do, too.

    With ``again`` the finding is made anew against today's entries and replaces the old one.
    """
    trace = record.trace
    if not trace.text_known:
        return assumed_novelty(None, Basis.NOT_RECORDED)
    reach = None
    try:
        window = embedder.window(trace.text)
        reach = reach_of(trace, window)
        subject = subject_of(record, place, window, embedder.model)
        stored = None if again else memory.finding(subject)
        if stored is not None:
            return novelty_from(stored, reach, subject, remembered=True)
        if place.as_guest:
            finding = memory.look(subject, vector_of(subject, window, embedder, memory))
        else:
            finding = memory.remember(subject, embedder.embed(window), again=again)
    except ModelError:
        return assumed_novelty(reach)
    return novelty_from(finding, reach, subject, remembered=False)


def measure_edited(
    record: TraceRecord, edited: ReasoningTrace, place: Place, embedder: Embedder, memory: "Memory"
) -> Novelty:
    """The novelty that an edited trace would have today; nothing is remembered.

    Compared with today's entries but those of the trace that was edited, whatever its text is.
    """
    if not edited.text_known:
        return assumed_novelty(None, Basis.NOT_RECORDED)
    reach = None
    try:
        window = embedder.window(edited.text)
        reach = reach_of(edited, window)
        subject = subject_of(replace(record, trace=edited), place, window, embedder.model)
        own = text_subject(record.trace, embedder.window(record.trace.text), embedder.model)
        finding = memory.look(replace(own, variant=place.variant), embedder.embed(window))
    except ModelError:
        return assumed_novelty(reach)
    return novelty_from(finding, reach, subject, remembered=False)


def digest_of(trace: ReasoningTrace, embedder: Embedder) -> str | None:
    """The digest of what the model sees of a trace; None without a tokenizer."""
    try:
        return embedder.window(trace.text).digest
    except ModelError:
        return None


def reach_of(trace: ReasoningTrace, window: Window) -> Reach:
    """Find the step in which the window ends; None where that is in the objective."""
    step, behind = None, len(trace.objective)
    if window.truncated and window.end > behind:
        for one in trace.steps:
            behind += 1 + len(one.content)
            if window.end <= behind:
                step = one.index
                break
    return Reach(len(window.ids), window.truncated, step, window.digest)


def expect(records: Sequence[TextRecord], ahead: Ahead, memory: "Memory") -> None:
    """Begin to embed the traces that come next, except those with a remembered finding."""
    known = [one.trace for one in records[: ahead.depth] if one.trace.text_known]

    def is_known(place: int, window: Window) -> bool:
        return memory.finding(text_subject(known[place], window, ahead.model)) is not None

    ahead.expect([trace.text for trace in known], is_known)


def measure_batch(
    records: Sequence[TextRecord], embedder: Embedder, memory: "Memory"
) -> Iterator[Measured]:
    """Measure the traces of one drop: embedded in parallel, compared and stored in order.

    Yields the traces that have a score. The others are only remembered: the SDK keeps their
    vectors, too, and compares later traces with them.
    """
    with closing(embedder if isinstance(embedder, Ahead) else Ahead(embedder)) as ahead:
        places = places_of([record.trace for record in records], ahead)
        for number, (record, place) in enumerate(zip(records, places, strict=True)):
            expect(records[number : number + ahead.depth], ahead, memory)
            if isinstance(record, UnscoredRecord):
                measure_novelty(record, place, ahead, memory)
            else:
                yield measure_record(record, place, ahead, memory)
