"""The three rules that follow the weighted sum; each works on the result of the one before."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING

from kpinspector.phrase import Phrase, count_phrase

if TYPE_CHECKING:
    from kpinspector.scoring.formula.measurement import Facts

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
    """What one rule did; ``applied`` means that it fired, even if the score stayed the same."""

    rule: Rule
    applied: bool
    before: float
    after: float
    reason: str

    @property
    def change(self) -> float:
        """What the rule added to the score, below 0 for a loss; 0 where it did not fire."""
        return 0.0 if self.after == self.before else self.after - self.before  # inf - inf is NaN


def apply_overrides(facts: "Facts", composite: float) -> tuple[Override, ...]:
    """Apply all three rules in order; the last one's ``after`` is the score."""
    fired, reasons = firing_rules(facts), _reasons(facts)
    overrides: list[Override] = []
    score = composite
    for rule, reason in zip(_RULES, reasons, strict=True):
        applied = rule in fired
        after = final_score((rule,), score) if applied else score
        overrides.append(Override(rule, applied, score, after, reason))
        score = after
    return tuple(overrides)


def firing_rules(facts: "Facts") -> tuple[Rule, ...]:
    """The rules that fire, in their order."""
    fires = (
        facts.single_thought,
        facts.error_recoveries >= RECOVERIES_NEEDED and facts.success,
        facts.tool_steps > 0 and facts.unique_tools <= 1,
    )
    return tuple(compress(_RULES, fires))


def final_score(rules: Iterable[Rule], composite: float) -> float:
    """The score that these rules make of a weighted sum.

    NaN passes through, as in JavaScript: Python's min and max keep a NaN that comes first.
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
    """The weighted sum of which these rules make this score, unless one of them bounds it."""
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
    """The rules that fire before or after, but not both."""
    pairs = zip(before, after, strict=True)
    return tuple(one.rule for one, other in pairs if one.applied is not other.applied)


@lru_cache(maxsize=64)
def _reasons(facts: "Facts") -> tuple[Phrase, Phrase, Phrase]:
    if facts.single_thought:
        thought = Phrase("the only step is a thought")
    elif facts.steps == 1:
        thought = Phrase("the only step is no thought")
    else:
        thought = Phrase("{steps} steps", steps=facts.steps)
    calls = facts.tool_steps
    if not calls:
        tools = Phrase("no tools")
    elif facts.unique_tools > 1:
        tools = Phrase("{tools} different tools", tools=facts.unique_tools)
    else:
        tools = count_phrase("one tool in {number} call", "one tool in {number} calls", calls)
    found, needed = facts.error_recoveries, RECOVERIES_NEEDED
    bonus = count_phrase("{number} recovery and success", "{number} recoveries and success", found)
    if not found:
        bonus = Phrase("no recoveries, needs {needed}", needed=needed)
    elif found < needed:
        bonus = count_phrase(
            "{number} recovery, needs {needed}",
            "{number} recoveries, needs {needed}",
            found,
            needed=needed,
        )
    elif not facts.success:
        bonus = count_phrase(
            "{number} recovery, but no success", "{number} recoveries, but no success", found
        )
    return thought, bonus, tools
