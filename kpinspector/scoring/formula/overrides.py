"""The three rules that follow the weighted sum, each on the result of the one before."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import compress

from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.numbers import Number

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
    before: Number
    after: Number
    reason: str

    @property
    def change(self) -> float:
        """What it added; 0 where it did not fire."""
        return 0.0 if self.after == self.before else self.after - self.before  # infinite or not


def apply_overrides(facts: Facts, composite: float) -> tuple[Override, ...]:
    """Apply all three rules in order; the last one's ``after`` is the score."""
    fired, reasons = rules_that_fire(facts), _reasons(facts)
    overrides: list[Override] = []
    score = composite
    for rule, reason in zip(_RULES, reasons, strict=True):
        applied = rule in fired
        after = final_score((rule,), score) if applied else score
        overrides.append(Override(rule, applied, score, after, reason))
        score = after
    return tuple(overrides)


def rules_that_fire(facts: Facts) -> tuple[Rule, ...]:
    """The rules that fire, in their order."""
    fires = (
        facts.single_thought,
        facts.error_recoveries >= RECOVERIES_NEEDED and facts.success,
        facts.tool_steps > 0 and facts.unique_tools <= 1,
    )
    return tuple(compress(_RULES, fires))


def final_score(rules: Iterable[Rule], composite: float) -> float:
    """What these rules leave of a weighted sum.

    As in JavaScript, NaN passes through min and max: Python's give the first unless it loses.
    """
    score = composite
    for rule in rules:
        if rule is Rule.SINGLE_THOUGHT:
            score = SINGLE_THOUGHT_SCORE
        elif rule is Rule.RECOVERY_BONUS:
            score = min(score + RECOVERY_BONUS, 1.0)
        else:
            score = max(score - MONOTONY_PENALTY, 0.0)
    return score


def composite_for(rules: Sequence[Rule], score: float) -> float:
    """The weighted sum of which these rules leave this score, where one does."""
    for rule in reversed(rules):
        score -= _ADDED[rule]
    return score


_RULES = tuple(Rule)
_ADDED = {
    Rule.SINGLE_THOUGHT: 0.0,
    Rule.RECOVERY_BONUS: RECOVERY_BONUS,
    Rule.TOOL_MONOTONY: -MONOTONY_PENALTY,
}


def flipped_rules(before: Iterable[Override], after: Iterable[Override]) -> tuple[Rule, ...]:
    """The rules that fire in one of the two only."""
    pairs = zip(before, after, strict=True)
    return tuple(one.rule for one, other in pairs if one.applied is not other.applied)


@lru_cache(maxsize=64)
def _reasons(facts: Facts) -> tuple[str, str, str]:
    """Why each rule fires or does not."""
    thought = "the only step is no thought" if facts.steps == 1 else f"{facts.steps} steps"
    if facts.single_thought:
        thought = "the only step is a thought"
    bonus = _count(facts.error_recoveries, "recovery", "recoveries", none="no recoveries")
    if facts.error_recoveries < RECOVERIES_NEEDED:
        bonus += f", needs {RECOVERIES_NEEDED}"
    else:
        bonus += " and success" if facts.success else ", but no success"
    monotony = f"{facts.unique_tools} different tools"
    if facts.tool_steps == 0:
        monotony = "no tools"
    elif facts.unique_tools <= 1:
        monotony = f"one tool in {_count(facts.tool_steps, 'call', 'calls')}"
    return thought, bonus, monotony


def _count(number: int, one: str, many: str, *, none: str | None = None) -> str:
    """A number with its noun: ``1 step``, ``3 steps``, or ``none`` for zero."""
    if number == 0 and none is not None:
        return none
    return f"{number:,} {one if number == 1 else many}"
