"""A trace, an embedder and the memory give a measurement: slow, done once, assessed often."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, NoReturn

from pydantic import BeforeValidator, Field
from pydantic.json_schema import SkipJsonSchema

from kpinspector.errors import ModelError
from kpinspector.scoring.formula.facts import Facts, facts_of
from kpinspector.scoring.memory.findings import (
    Basis,
    Finding,
    Neighbour,
    Subject,
    neighbour_names,
)
from kpinspector.scoring.model.embedder import Embedder, Window
from kpinspector.trace.model import ReasoningTrace

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory
    from kpinspector.scoring.model.vectors import Vector

NOVELTY_ASSUMED = 0.5


@dataclass(frozen=True, slots=True)
class Reach:
    """How far into the trace the embedding window reaches.

    Attributes:
        tokens: Tokens given to the model, at most 512.
        truncated: There is more text than the window holds.
        ends_at_step: Index of the step in which a truncated window ends; None when it is not
            truncated, or ends inside the objective.
        digest: 64 hex digits: the sha256 of the token ids.
    """

    tokens: int
    truncated: bool
    ends_at_step: int | None
    digest: str = ""


def _refuse(_: object) -> NoReturn:
    raise ValueError("own is not written down")


# a report and a saved what-if hold the novelty of a scenario, and say elsewhere whose it is
_Unwritten = Annotated[
    SkipJsonSchema[Subject | None], Field(exclude=True), BeforeValidator(_refuse)
]


@dataclass(frozen=True, slots=True)
class Novelty:
    """The second dimension and how it came about.

    Attributes:
        value: In 0..1.
        unclamped: The SDK's own value, above 1 where the best similarity is negative.
        remembered: A finding answered; nothing was embedded.
        max_similarity: None with an empty cache or without an embedder.
        neighbours: The nearest entries, best first.
        found_at: When the finding was made, ms since the epoch; None without one.
        reach: None when there is no tokenizer.
    """

    value: float
    unclamped: float
    basis: Basis
    remembered: bool
    max_similarity: float | None
    neighbours: tuple[Neighbour, ...]
    compared_with: int
    found_at: int | None
    reach: Reach | None
    own: _Unwritten = field(default=None, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """What the neighbours are called, each unlike the others and ``own``, the trace itself."""
        return neighbour_names(self.neighbours, self.own)

    @property
    def clamped(self) -> bool:
        """The SDK's own value lies outside 0..1."""
        return self.value != self.unclamped

    @property
    def assumed(self) -> bool:
        """Nothing was compared because no embedder could be loaded."""
        return self.basis is Basis.NO_EMBEDDER


@dataclass(frozen=True, slots=True)
class Measurement:
    """The four dimensions of one trace and how each came to be."""

    facts: Facts
    novelty: Novelty


@dataclass(frozen=True, slots=True)
class Origin:
    """What is remembered of a trace beside its vector; names as in ``Subject``."""

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
    """Recall the finding, or embed, compare and remember: all of a trace that has no score."""

    def find(subject: Subject, window: Window) -> tuple[Finding, bool]:
        stored = None if again else memory.recall(subject)
        if stored is not None:
            return stored, True
        compare = memory.score_again if again else memory.remember
        return compare(subject, embedder.embed(window)), False

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
) -> Measurement:
    """Count the facts; recall the finding, or compare with today's entries and keep nothing."""

    def find(subject: Subject, _: Window) -> tuple[Finding, bool]:
        stored = memory.finding(subject)
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
    """Novelty by what ``find`` gives for the window; assumed where the model cannot be used."""
    reach = None
    try:
        window = embedder.window(trace.text)
        reach = reach_of(trace, window)
        subject = subject_of(trace, origin, embedder.model, window)
        finding, remembered = find(subject, window)
    except ModelError:
        return _assumed(reach)
    return novelty_from(finding, reach, subject, remembered=remembered)


def subject_of(trace: ReasoningTrace, origin: Origin, model: str, window: Window) -> Subject:
    """What the memory is asked about a trace."""
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


def novelty_of(similarity: float) -> float:
    """``1 - similarity``, kept in 0..1."""
    return min(1.0, max(0.0, 1.0 - similarity))


def at_similarity(measurement: Measurement, similarity: float | None) -> Measurement:
    """The same trace had its nearest entry been this similar; None: had there been no entry."""
    value, unclamped = _novelty_at(similarity)
    novelty = replace(
        measurement.novelty,
        value=value,
        unclamped=unclamped,
        basis=Basis.EMPTY_CACHE if similarity is None else Basis.MEASURED,
        max_similarity=similarity,
    )
    return replace(measurement, novelty=novelty)


def with_finding(measurement: Measurement, finding: Finding) -> Measurement:
    """The same trace by another finding, such as today's."""
    then = measurement.novelty
    novelty = novelty_from(finding, then.reach, then.own, remembered=False)
    return replace(measurement, novelty=novelty)


def _assumed(reach: Reach | None) -> Novelty:
    return Novelty(
        value=NOVELTY_ASSUMED,
        unclamped=NOVELTY_ASSUMED,
        basis=Basis.NO_EMBEDDER,
        remembered=False,
        max_similarity=None,
        neighbours=(),
        compared_with=0,
        found_at=None,
        reach=reach,
    )


def novelty_from(
    finding: Finding, reach: Reach | None, own: Subject | None = None, *, remembered: bool
) -> Novelty:
    """Novelty as a finding gives it."""
    value, unclamped = _novelty_at(finding.max_similarity)
    return Novelty(
        value=value,
        unclamped=unclamped,
        basis=finding.basis,
        remembered=remembered,
        max_similarity=finding.max_similarity,
        neighbours=finding.neighbours,
        compared_with=finding.compared_with,
        found_at=finding.found_at,
        reach=reach,
        own=own,
    )


def _novelty_at(similarity: float | None) -> tuple[float, float]:
    """Novelty and the SDK's own: ``1 - max similarity``, or 0.5 where nothing was compared."""
    if similarity is None:
        return NOVELTY_ASSUMED, NOVELTY_ASSUMED
    return novelty_of(similarity), 1.0 - similarity
