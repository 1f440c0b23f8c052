"""What would decide a run whose recording does not say how it ended.

That is the least confidence with which it is accepted, and the score for each possible outcome.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from kpinspector.scoring.formula.assess import ScoreRange, outcome_range
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.profiles import Profile
from kpinspector.scoring.whatif.bounds import least_confidence, passes
from kpinspector.scoring.whatif.edited import edited_facts
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from kpinspector.trace.model import ReasoningTrace, StepType


@dataclass(frozen=True, slots=True)
class Bound:
    """The least confidence with which a run is accepted, as a success or as a failure.

    Attributes:
        confidence: The least double that is accepted; None where none is.
    """

    success: bool
    confidence: float | None


def outcome_needed(
    measurement: Measurement, profile: Profile, threshold: float
) -> tuple[Bound, ...]:
    """The bounds of the outcomes that are possible, a success first."""
    facts = measurement.facts
    successes = (facts.success,) if facts.success_known else (True, False)
    return tuple(_bound(measurement, profile, threshold, success=one) for one in successes)


class DecidingKind(StrEnum):
    """What is assumed of a run: an outcome, or that its derived recoveries are no recoveries."""

    BOUND = "bound"
    BEST = "best"
    NOT_DERIVED = "not derived"


@dataclass(frozen=True, slots=True)
class Deciding:
    """Something that decides a run, or narrows what is possible.

    Attributes:
        kind: The least confidence that is accepted, the best outcome, or no derived recoveries.
        scenario: The scenario that assumes it.
        after: The possible scores under it; both ends are the same where it decides.
    """

    kind: DecidingKind
    scenario: Scenario
    after: ScoreRange


def deciding(
    trace: ReasoningTrace,
    measurement: Measurement,
    derived: Collection[int],
    profile: Profile,
    threshold: float,
) -> tuple[Deciding, ...]:
    """The ways in which a run may have ended, a success first, then without derived recoveries.

    Args:
        trace: The trace of the run.
        measurement: Its measurement; the outcome is unknown.
        derived: Indices of the steps that are recoveries by the rules, not by the recording.
        profile: The profile that it is judged by.
        threshold: The score that it has to reach.
    """
    found: list[tuple[DecidingKind, Scenario, Measurement]] = []
    for bound in outcome_needed(measurement, profile, threshold):
        for kind, confidence in _confidences(measurement, bound):
            scenario = Scenario(confidence=confidence, success=bound.success)
            found.append((kind, scenario, _ended(measurement, confidence, success=bound.success)))
    if derived:
        scenario = not_derived(trace, derived)
        facts = edited_facts(trace, measurement.facts, scenario)
        found.append((DecidingKind.NOT_DERIVED, scenario, replace(measurement, facts=facts)))
    return tuple(
        Deciding(kind, scenario, outcome_range(then, profile, threshold))
        for kind, scenario, then in found
    )


def not_derived(trace: ReasoningTrace, derived: Collection[int]) -> Scenario:
    """The scenario in which these steps are no recoveries."""
    kinds = {
        index: StepType.THOUGHT if trace.steps[index].tool_key is None else StepType.TOOL_CALL
        for index in sorted(derived)
    }
    return Scenario(edits=tuple(StepEdit(index, type=str(kind)) for index, kind in kinds.items()))


def _confidences(measurement: Measurement, bound: Bound) -> Iterator[tuple[DecidingKind, float]]:
    """The least confidence that is accepted, if there is one, and the best one."""
    facts = measurement.facts
    if not facts.confidence_known and bound.confidence is not None and bound.confidence < 1:
        yield DecidingKind.BOUND, bound.confidence
    yield DecidingKind.BEST, 1.0 if not facts.confidence_known else facts.confidence


def _ended(measurement: Measurement, confidence: float, *, success: bool) -> Measurement:
    """The measurement of the run with this outcome."""
    facts = replace(
        measurement.facts,
        confidence=confidence,
        success=success,
        confidence_known=True,
        success_known=True,
    )
    return replace(measurement, facts=facts)


def _bound(measurement: Measurement, profile: Profile, threshold: float, *, success: bool) -> Bound:
    known = _ended(measurement, measurement.facts.confidence, success=success).facts
    if not known.schema_valid:
        return Bound(success, None)
    novelty = measurement.novelty.value
    if not measurement.facts.confidence_known:
        return Bound(success, least_confidence(known, novelty, profile, threshold))
    accepted = passes(known, novelty, profile, threshold)
    return Bound(success, known.confidence if accepted else None)
