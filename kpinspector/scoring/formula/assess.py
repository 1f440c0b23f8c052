"""From a measurement to a score and a verdict: pure, and fast enough for every slider move."""

import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from math import isfinite, nan
from operator import add, attrgetter, mul, sub
from typing import TypeAlias

from kpinspector.scoring.formula.measurement import Facts, Measurement
from kpinspector.scoring.formula.overrides import (
    Override,
    Rule,
    apply_overrides,
    composite_for,
    final_score,
    firing_rules,
)
from kpinspector.scoring.formula.profiles import Dimension, Profile, Values, Weights
from kpinspector.trace.javascript import OBJECT_MEMBERS
from kpinspector.trace.model import Mark, Step, StepType, step_marks
from kpinspector.trace.records import Problem, ProblemKind

TOO_CLOSE_TO_CALL = 1e-4

_DIMENSIONS = tuple(Dimension)
_SIGN, _MAGNITUDE = 1 << 63, (1 << 63) - 1


class Verdict(StrEnum):
    """``accepted`` only when both gates pass; ``undecided`` where an unknown outcome decides."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Contribution:
    """One dimension in the sum: ``part`` is ``value * weight``, ``lost`` is ``weight - part``."""

    dimension: Dimension
    value: float
    weight: float
    part: float
    lost: float


@dataclass(frozen=True, slots=True)
class Assessment:
    """A score with every term of it; ``composite`` is the sum before the three ``overrides``.

    ``sdk_score``: the SDK's own number where it differs: novelty was clamped, or the number is NaN
    as the SDK finds no weights for the domain; otherwise None.
    """

    profile: Profile
    threshold: float
    contributions: tuple[Contribution, ...]
    composite: float
    overrides: tuple[Override, ...]
    score: float
    sdk_score: float | None
    schema_passes: bool

    @property
    def margin(self) -> float:
        """Score minus threshold."""
        return self.score - self.threshold

    @property
    def score_passes(self) -> bool:
        """The score gate, compared unrounded."""
        return self.score >= self.threshold

    @property
    def verdict(self) -> Verdict:
        """Accepted only when the schema gate and the score gate pass."""
        passes = self.schema_passes and self.score_passes
        return Verdict.ACCEPTED if passes else Verdict.REJECTED

    @property
    def too_close_to_call(self) -> bool:
        """Whether the SDK's own number may be on the other side, as the margin is so small."""
        return abs(self.score - self.threshold) < TOO_CLOSE_TO_CALL


@dataclass(frozen=True, slots=True)
class ScoreRange:
    """The scores that are possible while novelty, or how a recorded run ended, is unknown."""

    low: Assessment
    high: Assessment

    @property
    def verdict(self) -> Verdict:
        """The verdict of every possible score; undecided where the two ends differ in it."""
        return low if (low := self.low.verdict) is self.high.verdict else Verdict.UNDECIDED

    @property
    def open_dimensions(self) -> tuple[Dimension, ...]:
        """The dimensions whose unknown value makes the two ends differ."""
        ends = zip(self.low.contributions, self.high.contributions, strict=True)
        return tuple([a.dimension for a, b in ends if a is not b and a.value != b.value])


def values_of(facts: Facts, novelty: float) -> Values:
    """The dimensions of a trace with these facts and this novelty."""
    return Values(facts.complexity, novelty, facts.tool_diversity, facts.outcome_confidence)


def assess(measurement: Measurement, profile: Profile, threshold: float) -> Assessment:
    """Weigh the four dimensions, apply the overrides, compare with the threshold."""
    facts, novelty = measurement.facts, measurement.novelty
    values = values_of(facts, novelty.value)
    return assess_values(values, facts, profile, threshold, unclamped=novelty.unclamped)


def score_range(facts: Facts, profile: Profile, threshold: float) -> ScoreRange:
    """Assess with novelty 0 and 1; no weight is negative, so every score lies between."""
    low, high = (
        assess_values(values_of(end, novelty), end, profile, threshold)
        for end, novelty in zip(facts.outcome_ends, (0.0, 1.0), strict=True)
    )
    return ScoreRange(low, high)


def outcome_range(measurement: Measurement, profile: Profile, threshold: float) -> ScoreRange:
    """Assess with the worst and the best possible outcome; both are one where it is known."""
    facts = measurement.facts
    ends = facts.outcome_ends[:1] if facts.outcome_known else facts.outcome_ends
    found = [assess(replace(measurement, facts=end), profile, threshold) for end in ends]
    return ScoreRange(found[0], found[-1])


def measured_score(facts: Facts, novelty: float, profile: Profile) -> float:
    """The score that ``assess`` gives, without its terms; quick, for long lists."""
    return score_of(values_of(facts, novelty), firing_rules(facts), profile.weights)


def score_bounds(
    facts: Facts, profile: Profile, novelty: float | None = None
) -> tuple[float, float]:
    """The lowest and the highest score that ``score_range`` gives, without their terms.

    With a ``novelty`` they are the ends of ``outcome_range``.
    """
    novelties = (0.0, 1.0) if novelty is None else (novelty, novelty)
    ends = zip(facts.outcome_ends, novelties, strict=True)
    low, high = (measured_score(end, one, profile) for end, one in ends)
    return low, high


def assess_values(
    values: Values,
    facts: Facts,
    profile: Profile,
    threshold: float,
    *,
    unclamped: float | None = None,
) -> Assessment:
    """Assess any four values; the facts decide the overrides and the schema gate.

    ``unclamped`` is the SDK's own novelty, where there is one.
    """
    fours = _four(values), _four(profile.weights)
    parts = tuple(map(mul, *fours))
    lost = map(sub, fours[1], parts)
    composite = reduce(add, parts)
    overrides = apply_overrides(facts, composite)
    sdk_score = None
    if facts.task_domain in OBJECT_MEMBERS:
        sdk_score = final_score(firing_rules(facts), nan)
    elif unclamped not in (None, values.novelty):
        own = replace(values, novelty=unclamped)
        sdk_score = score_of(own, firing_rules(facts), profile.weights)
    return Assessment(
        profile=profile,
        threshold=threshold,
        contributions=tuple(map(Contribution, _DIMENSIONS, *fours, parts, lost)),
        composite=composite,
        overrides=overrides,
        score=overrides[-1].after,
        sdk_score=sdk_score,
        schema_passes=facts.schema_valid,
    )


def score_of(values: Values, rules: Sequence[Rule], weights: Weights) -> float:
    """The score alone where these rules fire; quick enough for very many scores.

    Summed in the SDK's order; ``sum`` would round otherwise.
    """
    composite = (  # no loop, as a list computes this for every row
        values.complexity * weights.complexity
        + values.novelty * weights.novelty
        + values.tool_diversity * weights.tool_diversity
        + values.outcome_confidence * weights.outcome_confidence
    )
    return final_score(rules, composite) if rules else composite


_four = attrgetter(*map(str, _DIMENSIONS))


def value_for(
    score: float, dimension: Dimension, values: Values, rules: Sequence[Rule], weights: Weights
) -> float:
    """Roughly the value of one dimension that gives this score, the others held; NaN for none.

    Rounding may leave it slightly off, and a rule may bound the score: callers assess it again.
    """
    others = reduce(add, map(mul, _four(replace(values, **{dimension: 0.0})), _four(weights)))
    weight = weights.of(dimension)
    return (composite_for(rules, score) - others) / weight if weight else nan


def nearest_float(
    reaches: Callable[[float], bool], first: float, last: float, near: float = nan
) -> float | None:
    """The double nearest to ``first`` that ``reaches``; None where not even ``last`` does.

    For the next double back towards ``first``, ``reaches`` is False. Bisects the ordered
    representations of the doubles with some 64 calls. With a guess ``near`` it begins there and
    goes in growing steps until two of them enclose the answer: a few calls if the guess is good.
    """
    if reaches(first):
        return first
    if not reaches(last):
        return None
    low, high = _ordinal(first), _ordinal(last)
    back = 1 if high < low else -1
    place, step, way = (low + high) // 2, 0, 0
    if isfinite(near):
        place = min(max(_ordinal(near), min(low, high) + 1), max(low, high) - 1)
        step = 4
    while abs(high - low) > 1:
        reached = reaches(_float_at(place))
        low, high = (low, place) if reached else (place, high)
        leads = back if reached else -back
        place += leads * step
        if way == -leads or not min(low, high) < place < max(low, high):
            place, step = (low + high) // 2, 0
        way, step = leads, step * 4
    return _float_at(high)


def _ordinal(number: float) -> int:
    """A whole number for each double, in the same order; 0.0 and -0.0 get neighbouring ones."""
    (bits,) = struct.unpack("<q", struct.pack("<d", number))
    ordinal: int = bits if bits >= 0 else -(bits & _MAGNITUDE) - 1
    return ordinal


def _float_at(ordinal: int) -> float:
    bits = ordinal if ordinal >= 0 else (-ordinal - 1) | _SIGN
    number: float = struct.unpack("<d", struct.pack("<Q", bits))[0]
    return number


MARK_DIMENSIONS = {
    Mark.NEW_TYPE: Dimension.COMPLEXITY,
    Mark.RECOVERY: Dimension.COMPLEXITY,
    Mark.FIRST_TOOL: Dimension.TOOL_DIVERSITY,
}


class GateState(StrEnum):
    """The state of a trace at a gate."""

    PASSED = "passed"
    FAILED = "failed"
    WAITS = "waits"  # for novelty
    UNDECIDED = "undecided"
    UNREADABLE = "unreadable"
    SKIPPED = "skipped"
    NOT_REACHED = "not_reached"


class Gate(StrEnum):
    """What a trace has to pass, in this order."""

    READABLE = "readable"
    SCHEMA = "schema"
    SCORE = "score"


Cause: TypeAlias = Gate | Rule | Dimension


def gates_of(low: Assessment, high: Assessment, *, of_run: bool = False) -> dict[Gate, GateState]:
    """The state of each gate, from the assessments of the lowest and the highest score."""
    schema, score = (
        GateState.PASSED if passes else GateState.FAILED
        for passes in (low.schema_passes, low.score_passes)
    )
    if of_run and low.schema_passes:
        schema = GateState.UNDECIDED  # the schema requires an outcome, too
    if low.score_passes != high.score_passes:
        score = GateState.UNDECIDED if of_run else GateState.WAITS
    return {Gate.READABLE: GateState.PASSED, Gate.SCHEMA: schema, Gate.SCORE: score}


def gates_of_unscored(problem: Problem | None) -> dict[Gate, GateState]:
    """The state of each gate for a problem; for a skipped unit where ``problem`` is None."""
    gates = dict.fromkeys(Gate, GateState.NOT_REACHED)
    if problem is None:
        return gates | {Gate.READABLE: GateState.SKIPPED}
    if problem.kind is ProblemKind.UNREADABLE:
        return gates | {Gate.READABLE: GateState.UNREADABLE}
    return gates | {Gate.READABLE: GateState.PASSED, Gate.SCHEMA: GateState.FAILED}


def losses_of(assessment: Assessment) -> dict[Dimension | Rule, float]:
    """How much of the score each dimension loses, and how much each rule that lowered it took."""
    lost: dict[Dimension | Rule, float] = {
        term.dimension: term.lost for term in assessment.contributions
    }
    return lost | {one.rule: -one.change for one in assessment.overrides if one.change < 0}


def main_cause(assessment: Assessment) -> Cause:
    """The main cause of a verdict: a gate, a rule or a dimension.

    The schema comes first, then a rule that decided alone, or that takes more from a rejected score
    than any dimension loses; then the dimension that loses most.
    """
    single_thought, _, monotony = assessment.overrides
    if not assessment.schema_passes:
        return Gate.SCHEMA
    if single_thought.applied:
        return Rule.SINGLE_THOUGHT
    most = max(assessment.contributions, key=lambda term: term.lost)
    if monotony.applied and not assessment.score_passes:
        decided = monotony.before >= assessment.threshold
        if decided or -monotony.change > most.lost:
            return Rule.TOOL_MONOTONY
    return most.dimension


@dataclass(frozen=True, slots=True)
class Counted:
    """A step that adds to a dimension; ``marks`` say what it adds, in the order of ``Mark``."""

    step: Step
    marks: tuple[Mark, ...]


def counted_steps(dimension: Dimension, steps: Iterable[Step]) -> tuple[Counted, ...]:
    """The steps without which complexity or tool diversity would have another value."""
    steps, own = tuple(steps), [mark for mark in Mark if MARK_DIMENSIONS[mark] is dimension]
    found = (
        Counted(step, tuple(mark for mark in own if mark in marks))
        for step, marks in zip(steps, step_marks(steps), strict=True)
    )
    return tuple(one for one in found if one.marks)


def steps_behind(rule: Rule, steps: Iterable[Step]) -> tuple[Step, ...]:
    """The steps that an override looks at: the only one, the recoveries, those with a tool."""
    steps = tuple(steps)
    match rule:
        case Rule.SINGLE_THOUGHT:
            return steps if len(steps) == 1 else ()
        case Rule.RECOVERY_BONUS:
            return tuple(step for step in steps if step.kind is StepType.ERROR_RECOVERY)
        case Rule.TOOL_MONOTONY:
            return tuple(step for step in steps if step.tool_key is not None)
