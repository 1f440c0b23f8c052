"""The domain profiles: a table of weights."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from kpinspector.scoring.formula.measurement import Measurement

CUSTOM = "custom"
"""The name of a profile with custom weights."""
WEIGHT_DECIMALS = 2
"""The decimals of the profiles' own weights."""
_MOST_DECIMALS = 4


class Dimension(StrEnum):
    """The four dimensions, in the order in which the SDK adds them up."""

    COMPLEXITY = "complexity"
    NOVELTY = "novelty"
    TOOL_DIVERSITY = "tool_diversity"
    OUTCOME_CONFIDENCE = "outcome_confidence"


DIMENSION_LETTERS = {
    Dimension.COMPLEXITY: "C",
    Dimension.NOVELTY: "N",
    Dimension.TOOL_DIVERSITY: "D",
    Dimension.OUTCOME_CONFIDENCE: "O",
}


@dataclass(frozen=True, slots=True)
class Values:
    """One number for each dimension."""

    complexity: float
    novelty: float
    tool_diversity: float
    outcome_confidence: float

    def of(self, dimension: Dimension) -> float:
        """The number of one dimension."""
        value: float = getattr(self, dimension)
        return value


Weights: TypeAlias = Values
"""One weight for each dimension; those of a profile add up to 1."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A named set of weights."""

    name: str
    weights: Weights


DEFAULT = Profile("default", Weights(0.25, 0.35, 0.15, 0.25))

PROFILES = (
    DEFAULT,
    Profile("finance", Weights(0.20, 0.25, 0.10, 0.45)),
    Profile("code", Weights(0.20, 0.30, 0.30, 0.20)),
    Profile("medical", Weights(0.15, 0.20, 0.10, 0.55)),
    Profile("customer_service", Weights(0.20, 0.30, 0.20, 0.30)),
)

PROFILE_NAMED = {profile.name: profile for profile in PROFILES}


def named(value: float) -> Fraction:
    """The shortest decimal that stands for this double, as an exact fraction."""
    return Fraction(repr(value))


def profile_for(task_domain: str | None) -> Profile:
    """The profile of exactly that name, else ``default``, as in the SDK."""
    return PROFILE_NAMED.get(task_domain or "", DEFAULT)


@dataclass(frozen=True, slots=True)
class Terms:
    """Threshold and profile for judging traces; ``profile`` None: each trace by its own domain."""

    threshold: float
    profile: Profile | None = None

    def profile_of(self, measurement: "Measurement") -> Profile:
        """The profile that a trace is judged by."""
        return self.profile or profile_for(measurement.facts.task_domain)


def rebalanced(weights: Weights, dimension: Dimension, value: float) -> Weights:
    """Set one weight; the others share the rest as they did before, or evenly.

    Weights have two decimals, or as many as the value has, at most four, so that the figures shown
    add up to 1.
    """
    others = {one: named(weights.of(one)) for one in Dimension if one is not dimension}
    chosen = round(named(min(1.0, max(0.0, value))), _MOST_DECIMALS)
    grids = range(WEIGHT_DECIMALS, _MOST_DECIMALS)
    decimals = (one for one in grids if (chosen * 10**one).denominator == 1)
    unit = Fraction(1, 10 ** next(decimals, _MOST_DECIMALS))
    parts = {dimension: chosen, **_shares(others, 1 - chosen, unit)}
    return Weights(**{str(one): float(parts[one]) for one in Dimension})


def _shares(
    parts: Mapping[Dimension, Fraction], total: Fraction, unit: Fraction
) -> dict[Dimension, Fraction]:
    """Parts in the same proportion that add up to the total; all but one are whole units."""
    before = sum(parts.values())
    exact = {
        one: total * part / before if before else total / len(parts) for one, part in parts.items()
    }
    shares = {one: part // unit * unit for one, part in exact.items()}
    missing = total - sum(shares.values())
    for one in sorted(exact, key=lambda one: shares[one] - exact[one]):
        more = min(missing, unit)
        shares[one] += more
        missing -= more
    return shares
