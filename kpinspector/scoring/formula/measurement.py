"""A measurement of a trace: its facts, its novelty, and where they come from; pure values."""

from dataclasses import dataclass, field, replace

from kpinspector.scoring.findings import Basis, Finding, Neighbour, Subject, neighbour_names
from kpinspector.scoring.formula.facts import Facts

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


@dataclass(frozen=True, slots=True)
class Novelty:
    """The second dimension and how it came about.

    Attributes:
        value: In 0..1.
        unclamped: The SDK's own value, above 1 where the best similarity is negative.
        remembered: The finding was stored already; nothing was embedded.
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
    own: Subject | None = field(default=None, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the neighbours, different from each other and from ``own``, the trace itself."""
        return neighbour_names(self.neighbours, self.own)

    @property
    def clamped(self) -> bool:
        """The SDK's own value lies outside 0..1."""
        return self.value != self.unclamped

    @property
    def assumed(self) -> bool:
        """Nothing was compared: no embedder could be loaded, or a recording left its texts out."""
        return self.basis in (Basis.NO_EMBEDDER, Basis.NOT_RECORDED)


@dataclass(frozen=True, slots=True)
class Measurement:
    """The facts and the novelty of one trace, which give its four dimensions."""

    facts: Facts
    novelty: Novelty


def novelty_of(similarity: float) -> float:
    """``1 - similarity``, clamped to 0..1."""
    return min(1.0, max(0.0, 1.0 - similarity))


def at_similarity(measurement: Measurement, similarity: float | None) -> Measurement:
    """The same trace, had its nearest entry been this similar; None for no entry at all."""
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
    """The same trace with another finding, such as today's."""
    then = measurement.novelty
    novelty = novelty_from(finding, then.reach, then.own, remembered=False)
    return replace(measurement, novelty=novelty)


def assumed_novelty(reach: Reach | None, basis: Basis = Basis.NO_EMBEDDER) -> Novelty:
    """Novelty where nothing could be compared: 0.5, as the SDK assumes."""
    nothing = Finding(basis, None, (), 0, 0)
    return replace(novelty_from(nothing, reach, remembered=False), found_at=None)


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
    """Novelty clamped, and as the SDK has it: ``1 - max similarity``, or 0.5 with no comparison."""
    if similarity is None:
        return NOVELTY_ASSUMED, NOVELTY_ASSUMED
    return novelty_of(similarity), 1.0 - similarity
