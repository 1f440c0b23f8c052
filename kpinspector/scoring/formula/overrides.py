"""The three rules that follow the weighted sum, each on the result of the one before."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from kpinspector.scoring.formula.doubles import Number
from kpinspector.scoring.formula.facts import Facts

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


@dataclass(frozen=True, slots=True)
class _Effect:
    """When a rule fires, what it makes of a score, and why it does or does not."""

    fires: Callable[[Facts], bool]
    changed: Callable[[float], float]
    reason: Callable[[Facts], str]


def apply_overrides(facts: Facts, composite: float) -> tuple[Override, ...]:
    """Apply all three rules in order; the last one's ``after`` is the score."""
    overrides: list[Override] = []
    score = composite
    for rule, effect in _EFFECTS.items():
        applied = effect.fires(facts)
        after = effect.changed(score) if applied else score
        overrides.append(Override(rule, applied, score, after, effect.reason(facts)))
        score = after
    return tuple(overrides)


def rules_that_fire(facts: Facts) -> tuple[Rule, ...]:
    """The rules that fire, in their order."""
    return tuple(rule for rule, effect in _EFFECTS.items() if effect.fires(facts))


def final_score(rules: Iterable[Rule], composite: float) -> float:
    """What these rules leave, without a word about it."""
    for rule in rules:
        composite = _EFFECTS[rule].changed(composite)
    return composite


def flipped_rules(before: Iterable[Override], after: Iterable[Override]) -> tuple[Rule, ...]:
    """The rules that fire in one of the two only."""
    pairs = zip(before, after, strict=True)
    return tuple(one.rule for one, other in pairs if one.applied is not other.applied)


def _is_single_thought(facts: Facts) -> bool:
    return facts.single_thought


def _single_thought_reason(facts: Facts) -> str:
    if facts.single_thought:
        return "the only step is a thought"
    return "the only step is no thought" if facts.steps == 1 else f"{facts.steps} steps"


def _earns_bonus(facts: Facts) -> bool:
    return facts.error_recoveries >= RECOVERIES_NEEDED and facts.success


def _bonus_reason(facts: Facts) -> str:
    found = count(facts.error_recoveries, "recovery", "recoveries", none="no recoveries")
    if _earns_bonus(facts):
        return f"{found} and success"
    if facts.error_recoveries >= RECOVERIES_NEEDED:
        return f"{found}, but no success"
    return f"{found}, needs {RECOVERIES_NEEDED}"


def _is_monotonous(facts: Facts) -> bool:
    return facts.tool_steps > 0 and facts.unique_tools <= 1


def _monotony_reason(facts: Facts) -> str:
    if _is_monotonous(facts):
        return f"one tool in {count(facts.tool_steps, 'call', 'calls')}"
    return "no tools" if facts.tool_steps == 0 else f"{facts.unique_tools} different tools"


def count(number: int, one: str, many: str, *, none: str | None = None) -> str:
    """A number with its noun: ``1 step``, ``3 steps``, or ``none`` for zero."""
    if number == 0 and none is not None:
        return none
    return f"{number:,} {one if number == 1 else many}"


# as in JavaScript, NaN passes through min and max: Python's give the first unless it loses
_EFFECTS = {
    Rule.SINGLE_THOUGHT: _Effect(
        _is_single_thought, lambda _score: SINGLE_THOUGHT_SCORE, _single_thought_reason
    ),
    Rule.RECOVERY_BONUS: _Effect(
        _earns_bonus, lambda score: min(score + RECOVERY_BONUS, 1.0), _bonus_reason
    ),
    Rule.TOOL_MONOTONY: _Effect(
        _is_monotonous, lambda score: max(score - MONOTONY_PENALTY, 0.0), _monotony_reason
    ),
}
