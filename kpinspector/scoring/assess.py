"""From a measurement to a score and a verdict: pure, and fast enough for every slider move."""

from dataclasses import dataclass, replace
from enum import StrEnum

from kpinspector.scoring.facts import Facts
from kpinspector.scoring.measure import Measurement
from kpinspector.scoring.overrides import Override, apply_overrides
from kpinspector.scoring.profiles import Dimension, Profile

TOO_CLOSE_TO_CALL = 1e-4


class Verdict(StrEnum):
    """``accepted`` only when both gates pass."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Contribution:
    """One dimension in the sum: ``part`` is ``value * weight``."""

    dimension: Dimension
    value: float
    weight: float
    part: float

    @property
    def lost(self) -> float:
        """What the dimension would add at 1, less what it adds."""
        return self.weight - self.part


@dataclass(frozen=True, slots=True)
class Assessment:
    """A score with every term of it.

    Attributes:
        contributions: In the order in which they are added up.
        composite: The weighted sum, before the overrides.
        overrides: All three, fired or not.
        score: What the last override left.
        sdk_score: The SDK's own number where novelty was clamped, else None.
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
        """Score less threshold."""
        return self.score - self.threshold

    @property
    def score_passes(self) -> bool:
        """The score gate, compared unrounded."""
        return self.score >= self.threshold

    @property
    def verdict(self) -> Verdict:
        """Accepted only when the schema gate and the score gate pass."""
        accepted = self.schema_passes and self.score_passes
        return Verdict.ACCEPTED if accepted else Verdict.REJECTED

    @property
    def too_close_to_call(self) -> bool:
        """The margin is so small that the SDK's own number may fall on the other side."""
        return abs(self.margin) < TOO_CLOSE_TO_CALL


@dataclass(frozen=True, slots=True)
class ScoreRange:
    """The scores that are possible while novelty is unknown."""

    low: Assessment
    high: Assessment

    @property
    def verdict(self) -> Verdict | None:
        """The verdict where every possible score gives the same one, else None."""
        return self.low.verdict if self.low.verdict is self.high.verdict else None


def assess(measurement: Measurement, profile: Profile, threshold: float) -> Assessment:
    """Weigh the four dimensions, apply the overrides, compare with the threshold."""
    novelty = measurement.novelty
    assessment = _assess(measurement.facts, novelty.value, profile, threshold)
    if not novelty.clamped:
        return assessment
    as_sdk = _assess(measurement.facts, novelty.unclamped, profile, threshold)
    return replace(assessment, sdk_score=as_sdk.score)


def score_range(facts: Facts, profile: Profile, threshold: float) -> ScoreRange:
    """Assess with novelty 0 and 1; no weight is negative, so every score lies between."""
    return ScoreRange(
        _assess(facts, 0.0, profile, threshold), _assess(facts, 1.0, profile, threshold)
    )


def _assess(facts: Facts, novelty: float, profile: Profile, threshold: float) -> Assessment:
    contributions = _contributions(facts, novelty, profile)
    complexity, novel, diversity, outcome = (term.part for term in contributions)
    composite = complexity + novel + diversity + outcome
    overrides = apply_overrides(facts, composite)
    return Assessment(
        profile=profile,
        threshold=threshold,
        contributions=contributions,
        composite=composite,
        overrides=overrides,
        score=overrides[-1].after,
        sdk_score=None,
        schema_passes=facts.schema_valid,
    )


def _contributions(facts: Facts, novelty: float, profile: Profile) -> tuple[Contribution, ...]:
    weights = profile.weights
    return tuple(
        Contribution(dimension, value, weight, value * weight)
        for dimension, value, weight in (
            (Dimension.COMPLEXITY, facts.complexity, weights.complexity),
            (Dimension.NOVELTY, novelty, weights.novelty),
            (Dimension.TOOL_DIVERSITY, facts.tool_diversity, weights.tool_diversity),
            (Dimension.OUTCOME_CONFIDENCE, facts.outcome_confidence, weights.outcome_confidence),
        )
    )
