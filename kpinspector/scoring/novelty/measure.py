"""Measures a trace with an embedder and the memory: slow, so done once and assessed often."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kpinspector.errors import ModelError
from kpinspector.scoring.findings import Basis, Finding, Subject
from kpinspector.scoring.formula.facts import facts_of
from kpinspector.scoring.formula.measurement import (
    Measurement,
    Novelty,
    Reach,
    assumed_novelty,
    novelty_from,
)
from kpinspector.scoring.model.embedder import Embedder, Window
from kpinspector.trace.model import ReasoningTrace

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory
    from kpinspector.scoring.model.vectors import Vector


@dataclass(frozen=True, slots=True)
class Origin:
    """What the memory keeps of a trace beside its vector; the names are those of ``Subject``."""

    path: str
    variant: bool = False
    record: int | None = None


def measure(
    trace: ReasoningTrace,
    origin: Origin,
    embedder: Embedder,
    memory: "Memory",
    *,
    schema_valid: bool,
    again: bool = False,
) -> Measurement:
    """Count the facts; recall the finding, or embed, compare and remember.

    With ``again`` the finding is made anew against today's entries and replaces the old one.
    """
    facts = facts_of(trace, schema_valid=schema_valid)
    return Measurement(facts, measure_novelty(trace, origin, embedder, memory, again=again))


def measure_novelty(
    trace: ReasoningTrace,
    origin: Origin,
    embedder: Embedder,
    memory: "Memory",
    *,
    again: bool = False,
) -> Novelty:
    """Recall the finding, or embed, compare and remember; enough for a trace that has no score."""

    def find(subject: Subject, window: Window) -> tuple[Finding, bool]:
        stored = None if again else memory.finding(subject)
        if stored is not None:
            return stored, True
        return memory.remember(subject, embedder.embed(window), again=again), False

    return _novelty(trace, origin, embedder, find)


def look(
    trace: ReasoningTrace,
    origin: Origin,
    embedder: Embedder,
    memory: "Memory",
    vector: "Vector | None" = None,
) -> Finding:
    """Compare with today's entries but the trace's own; nothing is remembered.

    Args:
        trace: What is compared.
        origin: As in ``measure``.
        embedder: Not asked to embed where the text is remembered, or a vector is given.
        memory: Its entries.
        vector: Compared in place of the trace's own embedding.

    Raises:
        ModelError: the embedder cannot be used.
    """
    window = embedder.window(trace.text)
    subject = subject_of(trace, origin, embedder.model, window)
    if vector is None:
        vector = memory.own_vector(subject)
    return memory.look(subject, embedder.embed(window) if vector is None else vector)


def measure_edited(
    trace: ReasoningTrace,
    edited: ReasoningTrace,
    origin: Origin,
    embedder: Embedder,
    memory: "Memory",
) -> Novelty:
    """The novelty that an edited trace would have today; nothing is remembered.

    Compared with today's entries but those of the trace that was edited, whatever its text is.
    """

    def find(_: Subject, window: Window) -> tuple[Finding, bool]:
        return look(trace, origin, embedder, memory, embedder.embed(window)), False

    return _novelty(edited, origin, embedder, find)


def measure_unremembered(
    trace: ReasoningTrace,
    origin: Origin,
    embedder: Embedder,
    memory: "Memory",
    *,
    schema_valid: bool,
    again: bool = False,
) -> Measurement:
    """Count the facts; recall the finding, or compare with today's entries and keep nothing.

    With ``again`` the finding is made anew, and what is remembered stays as it is.
    """

    def find(subject: Subject, _: Window) -> tuple[Finding, bool]:
        stored = None if again else memory.finding(subject)
        if stored is not None:
            return stored, True
        return look(trace, origin, embedder, memory), False

    facts = facts_of(trace, schema_valid=schema_valid)
    return Measurement(facts, _novelty(trace, origin, embedder, find))


def _novelty(
    trace: ReasoningTrace,
    origin: Origin,
    embedder: Embedder,
    find: Callable[[Subject, Window], tuple[Finding, bool]],
) -> Novelty:
    """Novelty by what ``find`` gives for the window.

    Assumed where the model cannot be used, or where there is no text to compare.
    """
    if not trace.text_known:
        return assumed_novelty(None, Basis.NOT_RECORDED)
    reach = None
    try:
        window = embedder.window(trace.text)
        reach = reach_of(trace, window)
        subject = subject_of(trace, origin, embedder.model, window)
        finding, remembered = find(subject, window)
    except ModelError:
        return assumed_novelty(reach)
    return novelty_from(finding, reach, subject, remembered=remembered)


def subject_of(trace: ReasoningTrace, origin: Origin, model: str, window: Window) -> Subject:
    """The subject by which the memory is asked about a trace."""
    return Subject(
        trace_id=trace.id,
        digest=window.digest,
        model=model,
        variant=origin.variant,
        objective=trace.objective,
        source_path=origin.path,
        record=origin.record,
    )


def digest_of(trace: ReasoningTrace, embedder: Embedder) -> str | None:
    """The digest of what the model sees of a trace; None without a tokenizer."""
    try:
        return embedder.window(trace.text).digest
    except ModelError:
        return None


def reach_of(trace: ReasoningTrace, window: Window) -> Reach:
    """Find the step in which the window ends."""
    return Reach(
        tokens=len(window.ids),
        truncated=window.truncated,
        ends_at_step=_step_at(trace, window.end) if window.truncated else None,
        digest=window.digest,
    )


def _step_at(trace: ReasoningTrace, end: int) -> int | None:
    """The step that holds the character before ``end`` of the trace's text."""
    start = len(trace.objective)
    if end <= start:
        return None
    for step in trace.steps:
        start += 1 + len(step.content)
        if end <= start:
            return step.index
    raise AssertionError("the window ends inside the text")
