"""The three rules that follow the weighted sum, each on the result of the one before."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from kpinspector.scoring.facts import Facts

SINGLE_THOUGHT_SCORE = 0.1
RECOVERY_BONUS = 0.1
RECOVERIES_NEEDED = 3
MONOTONY_PENALTY = 0.1


class Rule(StrEnum):
    """The rules, in the order in which they are applied."""

    SINGLE_THOUGHT = "single_thought"
    RECOVERY_BONUS = "recovery_bonus"
    TOOL_MONOTONY = "tool_monotony"


@dataclass(frozen=True, slots=True)
class Override:
    """What one rule did: ``applied`` says that it fired, even where the score stayed the same."""

    rule: Rule
    applied: bool
    before: float
    after: float
    reason: str


def apply_overrides(facts: Facts, composite: float) -> tuple[Override, ...]:
    """Apply all three rules in order; the last one's ``after`` is the score."""
    overrides: list[Override] = []
    score = composite
    for rule, decide in _RULES:
        applied, changed, reason = decide(facts, score)
        after = changed if applied else score
        overrides.append(Override(rule, applied, score, after, reason))
        score = after
    return tuple(overrides)


def _single_thought(facts: Facts, _score: float) -> tuple[bool, float, str]:
    if facts.single_thought:
        return True, SINGLE_THOUGHT_SCORE, "the only step is a thought"
    reason = "the only step is no thought" if facts.steps == 1 else f"{facts.steps} steps"
    return False, SINGLE_THOUGHT_SCORE, reason


def _recovery_bonus(facts: Facts, score: float) -> tuple[bool, float, str]:
    fires = facts.error_recoveries >= RECOVERIES_NEEDED and facts.success
    found = count(facts.error_recoveries, "recovery", "recoveries", none="no recoveries")
    if fires:
        reason = f"{found} and success"
    elif facts.error_recoveries >= RECOVERIES_NEEDED:
        reason = f"{found}, but no success"
    else:
        reason = f"{found}, needs {RECOVERIES_NEEDED}"
    return fires, min(1.0, score + RECOVERY_BONUS), reason


def _tool_monotony(facts: Facts, score: float) -> tuple[bool, float, str]:
    fires = facts.tool_steps > 0 and facts.unique_tools <= 1
    if fires:
        reason = f"one tool in {count(facts.tool_steps, 'call', 'calls')}"
    elif facts.tool_steps == 0:
        reason = "no tools"
    else:
        reason = f"{facts.unique_tools} different tools"
    return fires, max(0.0, score - MONOTONY_PENALTY), reason


def count(number: int, one: str, many: str, *, none: str | None = None) -> str:
    """A number with its noun: ``1 step``, ``3 steps``, or ``none`` for zero."""
    if number == 0 and none is not None:
        return none
    return f"{number:,} {one if number == 1 else many}"


_RULES: tuple[tuple[Rule, Callable[[Facts, float], tuple[bool, float, str]]], ...] = (
    (Rule.SINGLE_THOUGHT, _single_thought),
    (Rule.RECOVERY_BONUS, _recovery_bonus),
    (Rule.TOOL_MONOTONY, _tool_monotony),
)
