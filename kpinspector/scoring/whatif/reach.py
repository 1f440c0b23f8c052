"""What a trace can reach at a threshold with the steps that it has.

Cheap enough for every row of a long list: it needs the facts and the novelty alone. Other steps are
left to ``combinations``.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from kpinspector.scoring.formula.assess import score_of, values_of
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.overrides import rules_that_fire
from kpinspector.scoring.formula.profiles import Profile
from kpinspector.scoring.whatif.bounds import (
    best_outcome,
    ending_needed,
    least_confidence,
    most_similar,
)


class ReachKind(StrEnum):
    """What it takes for a trace to pass; the first kind that applies.

    ``accepted`` means both gates; all others are about the score gate alone.
    """

    ACCEPTED = "accepted"
    SCHEMA = "schema"  # the score would pass, the registry refuses the file
    NOVELTY = "novelty"
    OUTCOME = "outcome"  # success, or more confidence
    BOTH = "both"  # a better outcome and more novelty
    STRUCTURE = "structure"  # other steps, if anything
    UNDECIDED = "undecided"  # it depends on an outcome that is not recorded


@dataclass(frozen=True, slots=True)
class TraceReach:
    """What a trace can reach; each bound is the last double that passes.

    Attributes:
        kind: What it takes to pass.
        if_new: The score with novelty 1.
        at_best: The score with novelty 1, success, and confidence 1 or the trace's own if greater.
        similarity: The greatest similarity with which it passes, where novelty has to change; with
            the better outcome, where that has to change too.
        confidence: The least confidence of a success with which it passes, where the outcome has to
            change; where the trace's own is no less, success alone is enough.
    """

    kind: ReachKind
    if_new: float
    at_best: float
    similarity: float | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class ReachRange:
    """What a trace can reach with the worst and with the best possible outcome.

    Both are the same where the outcome is known.
    """

    low: TraceReach
    high: TraceReach

    @property
    def kind(self) -> ReachKind:
        """The kind with the best outcome; ``undecided`` where only some outcomes are accepted."""
        accepted = [one.kind is ReachKind.ACCEPTED for one in (self.low, self.high)]
        return ReachKind.UNDECIDED if any(accepted) and not all(accepted) else self.high.kind


def trace_reach(measurement: Measurement, profile: Profile, threshold: float) -> ReachRange:
    """What a trace can reach, from its measurement."""
    worst, best = measurement.facts.outcome_ends
    low = reach_with(worst, measurement, profile, threshold)
    return ReachRange(
        low, low if best is worst else reach_with(best, measurement, profile, threshold)
    )


def reach_with(
    facts: Facts, measurement: Measurement, profile: Profile, threshold: float
) -> TraceReach:
    """What a trace with these facts and the measured novelty can reach."""
    value, best = measurement.novelty.value, best_outcome(facts)
    now, if_new = (_score(facts, one, profile) for one in (value, 1.0))
    at_best = _score(best, 1.0, profile)
    if now >= threshold:
        kind = ReachKind.ACCEPTED if facts.schema_valid else ReachKind.SCHEMA
        return TraceReach(kind, if_new, at_best)
    if if_new >= threshold:
        similarity = most_similar(facts, profile, threshold)
        return TraceReach(ReachKind.NOVELTY, if_new, at_best, similarity)
    succeeded = replace(facts, success=True)
    least = least_confidence(succeeded, value, profile, threshold, best.confidence)
    if least is not None:
        return TraceReach(ReachKind.OUTCOME, if_new, at_best, confidence=least)
    needed = ending_needed(facts, profile, threshold)
    if needed is None:
        return TraceReach(ReachKind.STRUCTURE, if_new, at_best)
    return TraceReach(ReachKind.BOTH, if_new, at_best, needed.similarity, needed.confidence)


def _score(facts: Facts, novelty: float, profile: Profile) -> float:
    return score_of(values_of(facts, novelty), rules_that_fire(facts), profile.weights)
