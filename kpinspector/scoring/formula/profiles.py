"""The domain profiles: a table of weights."""

from dataclasses import dataclass
from enum import StrEnum


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
class Weights:
    """One weight for each dimension; those of the profiles add up to 1."""

    complexity: float
    novelty: float
    tool_diversity: float
    outcome_confidence: float

    def of(self, dimension: Dimension) -> float:
        """The weight of one dimension."""
        weight: float = getattr(self, dimension)
        return weight


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

_BY_NAME = {profile.name: profile for profile in PROFILES}


def profile_named(name: str | None) -> Profile | None:
    """The profile of exactly that name, if there is one."""
    return None if name is None else _BY_NAME.get(name)


def profile_for(task_domain: str | None) -> Profile:
    """The profile of exactly that name; anything else takes ``default``, as in the SDK."""
    return profile_named(task_domain) or DEFAULT
