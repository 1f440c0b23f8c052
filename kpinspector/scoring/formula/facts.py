"""The terms of the score that a trace gives by itself, before anything is embedded."""

from dataclasses import dataclass, replace
from functools import cached_property

from kpinspector.trace.model import ReasoningTrace, StepType

KNOWN_STEP_TYPES = 4
RECOVERY_SHARE = 0.3
STEPS_IN_FULL = 20
FAILURE_FACTOR = 0.3


@dataclass(frozen=True)
class Facts:
    """Counts and values of one trace; three dimensions follow from them without an embedding.

    Attributes:
        steps: float of steps.
        unique_types: Different step types; an unknown or absent one counts as one more.
        error_recoveries: Steps of type ``error_recovery``.
        tool_steps: Steps with a tool, whatever their type.
        unique_tools: Different tool names among them.
        single_thought: There is exactly one step and it is a thought.
        confidence: As the SDK reads it: perhaps outside 0..1, even infinite or NaN where a
            rule sets the score.
        success: ``metadata.success`` by JavaScript's truth.
        task_domain: The text by which the SDK looks it up, or None when none is named.
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
        """Nothing of the outcome is a stand-in."""
        return self.confidence_known and self.success_known

    @cached_property
    def outcome_ends(self) -> tuple["Facts", "Facts"]:
        """With the worst and with the best outcome that a recording leaves open.

        No score falls with confidence or success, so every possible one lies between theirs.
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
