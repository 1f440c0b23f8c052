"""A measurement of a trace: its facts, its novelty, and where they come from; pure values."""

from dataclasses import dataclass, field, replace
from functools import cached_property

from kpinspector.scoring.findings import Basis, Finding, Neighbour, Subject, neighbour_names
from kpinspector.trace.model import ReasoningTrace, StepType

KNOWN_STEP_TYPES = 4
RECOVERY_SHARE = 0.3
STEPS_IN_FULL = 20
FAILURE_FACTOR = 0.3

NOVELTY_ASSUMED = 0.5


@dataclass(frozen=True)
class Facts:
    """Counts and values of one trace; three dimensions follow from them without an embedding.

    Attributes:
        unique_types: Different step types; an unknown or absent one counts as one more.
        tool_steps: Steps with a tool, whatever their type.
        single_thought: There is exactly one step and it is a thought.
        confidence: As the SDK reads it: perhaps outside 0..1, even infinite or NaN where a
            rule sets the score.
        success: ``metadata.success`` by JavaScript's truth.
        task_domain: The text by which the SDK looks up a profile; None when there is none.
        schema_valid: The registry would take the trace (the schema gate).
        confidence_known: False where a recording does not say it; ``confidence`` stands in.
        success_known: False where a recording does not say it; ``success`` stands in.
    """

    steps: int
    unique_types: int
    error_recoveries: int
    tool_steps: int
    unique_tools: int
    single_thought: bool
    confidence: float
    success: bool
    task_domain: str | None
    schema_valid: bool
    confidence_known: bool = True
    success_known: bool = True

    @cached_property
    def outcome_known(self) -> bool:
        """Whether both confidence and success are known."""
        return self.confidence_known and self.success_known

    @cached_property
    def outcome_ends(self) -> tuple["Facts", "Facts"]:
        """The facts with the worst and with the best outcome that a recording leaves open.

        More confidence or success lowers no score: all possible scores lie between theirs.
        """
        if self.outcome_known:
            return self, self
        worst, best = (
            replace(
                self,
                confidence=self.confidence if self.confidence_known else end,
                success=self.success if self.success_known else bool(end),
                confidence_known=True,
                success_known=True,
            )
            for end in (0.0, 1.0)
        )
        return worst, best

    @cached_property
    def complexity(self) -> float:
        """``min(1, (unique types / 4) * 0.5 + (0.3 if any recovery) + (steps / 20) * 0.2)``.

        The term of the step count has no cap of its own: 40 steps give 0.4.
        """
        types = (self.unique_types / KNOWN_STEP_TYPES) * 0.5
        recovery = RECOVERY_SHARE if self.error_recoveries else 0.0
        return min(1.0, types + recovery + (self.steps / STEPS_IN_FULL) * 0.2)

    @cached_property
    def tool_diversity(self) -> float:
        """``min(1, (unique tools / max(1, steps)) * 3)``."""
        return min(1.0, (self.unique_tools / max(1, self.steps)) * 3)

    @property
    def outcome_factor(self) -> float:
        """1 for a success, 0.3 for a failure."""
        return 1.0 if self.success else FAILURE_FACTOR

    @cached_property
    def outcome_confidence(self) -> float:
        """``confidence * outcome_factor``."""
        return self.confidence * self.outcome_factor


def facts_of(trace: ReasoningTrace, *, schema_valid: bool) -> Facts:
    """Count what the formula needs; one pass over the steps."""
    tools = [step.tool_key for step in trace.steps if step.tool_key is not None]
    kinds = [step.kind for step in trace.steps]
    return Facts(
        steps=len(kinds),
        unique_types=len({step.type_key for step in trace.steps}),
        error_recoveries=kinds.count(StepType.ERROR_RECOVERY),
        tool_steps=len(tools),
        unique_tools=len(set(tools)),
        single_thought=kinds == [StepType.THOUGHT],
        confidence=trace.outcome.confidence,
        success=trace.metadata.success,
        task_domain=trace.metadata.task_domain,
        schema_valid=schema_valid,
        confidence_known=trace.outcome.confidence_known,
        success_known=trace.metadata.success_known,
    )


@dataclass(frozen=True, slots=True)
class Reach:
    """How far into the trace the embedding window reaches.

    Attributes:
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
        unclamped: The SDK's own value, above 1 where the best similarity is negative.
        remembered: The finding was stored already; nothing was embedded.
        max_similarity: None with an empty cache or without an embedder.
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
        """Whether the SDK's own value lies outside 0..1."""
        return self.value != self.unclamped

    @property
    def assumed(self) -> bool:
        """Whether nothing was compared: without an embedder, or without texts in the recording."""
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
    """The measurement as if the nearest entry were this similar; None: as if there were none."""
    then = measurement.novelty
    basis = Basis.EMPTY_CACHE if similarity is None else Basis.MEASURED
    finding = Finding(basis, similarity, then.neighbours, then.compared_with, then.found_at or 0)
    novelty = novelty_from(finding, then.reach, then.own, remembered=then.remembered)
    return replace(measurement, novelty=novelty)


def with_finding(measurement: Measurement, finding: Finding) -> Measurement:
    """The measurement with the novelty of another finding, such as today's."""
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
    """Novelty as a finding gives it: ``1 - max similarity``, or 0.5 with no comparison."""
    similarity = finding.max_similarity
    return Novelty(
        value=NOVELTY_ASSUMED if similarity is None else novelty_of(similarity),
        unclamped=NOVELTY_ASSUMED if similarity is None else 1.0 - similarity,
        basis=finding.basis,
        remembered=remembered,
        max_similarity=similarity,
        neighbours=finding.neighbours,
        compared_with=finding.compared_with,
        found_at=finding.found_at,
        reach=reach,
        own=own,
    )
