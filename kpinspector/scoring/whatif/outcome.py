"""From which outcome on a run is accepted whose recording does not say how it ended."""

from dataclasses import dataclass, replace

from kpinspector.scoring.formula.assess import (
    Verdict,
    measured_score,
    value_for,
    values_of,
    verdict_of,
)
from kpinspector.scoring.formula.doubles import nearest_float
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.overrides import rules_that_fire
from kpinspector.scoring.formula.profiles import Dimension, Profile


@dataclass(frozen=True, slots=True)
class Bound:
    """From which confidence on a run is accepted, had it succeeded or not.

    Attributes:
        confidence: The least double that is accepted; None where none is.
    """

    success: bool
    confidence: float | None


def outcome_needed(
    measurement: Measurement, profile: Profile, threshold: float
) -> tuple[Bound, ...]:
    """The bound for a success, then that for a failure, as far as either is possible."""
    facts = measurement.facts
    successes = (facts.success,) if facts.success_known else (True, False)
    return tuple(_bound(measurement, profile, threshold, success=one) for one in successes)


def _bound(measurement: Measurement, profile: Profile, threshold: float, *, success: bool) -> Bound:
    """Every answer is one of the formula itself; arithmetic only says where to begin."""
    known = replace(measurement.facts, success=success, confidence_known=True, success_known=True)

    def is_accepted(confidence: float) -> bool:
        then = replace(measurement, facts=replace(known, confidence=confidence))
        score = measured_score(then, profile)
        verdict = verdict_of(score, threshold, schema_passes=known.schema_valid)
        return verdict is Verdict.ACCEPTED

    if not measurement.facts.confidence_known:
        if not is_accepted(1.0):
            return Bound(success, None)
        if is_accepted(0.0):
            return Bound(success, 0.0)
        values, rules = values_of(known, measurement.novelty.value), rules_that_fire(known)
        near = value_for(threshold, Dimension.OUTCOME_CONFIDENCE, values, rules, profile.weights)
        return Bound(success, nearest_float(is_accepted, 0.0, 1.0, near / known.outcome_factor))
    accepted = is_accepted(known.confidence)
    return Bound(success, known.confidence if accepted else None)
