"""From a measurement to a score and a verdict: pure, and fast enough for every slider move."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from math import nan
from operator import add, attrgetter, mul

from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.overrides import (
    Override,
    Rule,
    apply_overrides,
    composite_for,
    final_score,
    rules_that_fire,
)
from kpinspector.scoring.formula.profiles import Dimension, Profile, Weights
from kpinspector.trace.javascript import OBJECT_MEMBERS

TOO_CLOSE_TO_CALL = 1e-4


_DIMENSIONS = tuple(Dimension)


class Verdict(StrEnum):
    """``accepted`` only when both gates pass; ``undecided`` where an unknown outcome decides."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Contribution:
    """One dimension in the sum: ``part`` is ``value * weight``."""

    dimension: Dimension
    value: float
    weight: float
    part: float

    @property
    def lost(self) -> float:
        """What the dimension would add at 1, minus what it adds."""
        return self.weight - self.part


@dataclass(frozen=True, slots=True)
class Assessment:
    """A score with every term of it.

    Attributes:
        contributions: In the order in which they are added up.
        composite: The weighted sum, before the overrides.
        overrides: All three, fired or not.
        score: The result of the last override.
        sdk_score: The SDK's own number, else None: where novelty was clamped, and NaN where the
            domain gives it no weights.
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
        return verdict_of(self.score, self.threshold, schema_passes=self.schema_passes)

    @property
    def too_close_to_call(self) -> bool:
        """The margin is so small that the SDK's own number may fall on the other side."""
        return is_too_close(self.score, self.threshold)


@dataclass(frozen=True, slots=True)
class ScoreRange:
    """The scores that are possible while novelty, or how a recorded run ended, is unknown."""

    low: Assessment
    high: Assessment

    @property
    def verdict(self) -> Verdict | None:
        """The verdict where every possible score gives the same one, else None."""
        return self.low.verdict if self.low.verdict is self.high.verdict else None

    @property
    def open_dimensions(self) -> tuple[Dimension, ...]:
        """The dimensions that the range comes from."""
        pairs = zip(self.low.contributions, self.high.contributions, strict=True)
        return tuple(
            one.dimension
            for one, other in pairs
            if one is not other and one.value != other.value  # NaN is unlike itself
        )


@dataclass(frozen=True, slots=True)
class Values:
    """The four dimensions as numbers, however they came about."""

    complexity: float
    novelty: float
    tool_diversity: float
    outcome_confidence: float

    def of(self, dimension: Dimension) -> float:
        """The value of one dimension."""
        value: float = getattr(self, dimension)
        return value


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
    """Assess with the worst and the best outcome that is possible."""
    low, high = (
        assess(replace(measurement, facts=end), profile, threshold)
        for end in measurement.facts.outcome_ends
    )
    return ScoreRange(low, high)


def measured_score(measurement: Measurement, profile: Profile) -> float:
    """The score that ``assess`` gives, without its terms; quick, for long lists."""
    (score,) = scores_under(measurement, (profile,))
    return score


def scores_under(measurement: Measurement, profiles: Iterable[Profile]) -> list[float]:
    """The scores that ``assess`` gives under these profiles, without their terms."""
    facts = measurement.facts
    values, rules = values_of(facts, measurement.novelty.value), rules_that_fire(facts)
    return [score_of(values, rules, profile.weights) for profile in profiles]


def score_bounds(facts: Facts, profile: Profile) -> tuple[float, float]:
    """The lowest and the highest score that ``score_range`` gives, without their terms."""
    low, high = (
        score_of(values_of(end, novelty), rules_that_fire(end), profile.weights)
        for end, novelty in zip(facts.outcome_ends, (0.0, 1.0), strict=True)
    )
    return low, high


def outcome_bounds(measurement: Measurement, profile: Profile) -> tuple[float, float]:
    """The lowest and the highest score that ``outcome_range`` gives, without their terms."""
    low, high = (
        measured_score(replace(measurement, facts=end), profile)
        for end in measurement.facts.outcome_ends
    )
    return low, high


def verdict_of(score: float, threshold: float, *, schema_passes: bool) -> Verdict:
    """Accepted only when the schema gate and the score gate pass; the score is not rounded."""
    return Verdict.ACCEPTED if schema_passes and score >= threshold else Verdict.REJECTED


def is_too_close(score: float, threshold: float) -> bool:
    """Whether the SDK's own number may fall on the other side of the threshold."""
    return abs(score - threshold) < TOO_CLOSE_TO_CALL


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
    composite = reduce(add, parts)
    overrides = apply_overrides(facts, composite)
    sdk_score = None
    if facts.task_domain in OBJECT_MEMBERS:
        sdk_score = final_score(rules_that_fire(facts), nan)
    elif unclamped not in (None, values.novelty):
        own = replace(values, novelty=unclamped)
        sdk_score = score_of(own, rules_that_fire(facts), profile.weights)
    return Assessment(
        profile=profile,
        threshold=threshold,
        contributions=tuple(map(Contribution, _DIMENSIONS, *fours, parts)),
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
    composite = (  # written out, as a list computes it for every row
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
