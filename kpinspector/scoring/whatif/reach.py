"""What a trace can reach at a threshold, and what would decide a run whose end is unknown.

Bounds are the last double of a value with which a trace passes, or the smallest number of steps.
What a trace can reach with the steps that it has is cheap enough for every row of a long list: it
needs the facts and the novelty alone. Other steps are left to ``changes``.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum

from kpinspector.scoring.formula import assess
from kpinspector.scoring.formula.measurement import Facts, Measurement, novelty_of
from kpinspector.scoring.formula.overrides import firing_rules
from kpinspector.scoring.formula.profiles import Dimension, Profile
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit, edited_facts
from kpinspector.trace.model import ReasoningTrace, StepType


def most_similar(facts: Facts, profile: Profile, threshold: float) -> float | None:
    """The greatest similarity to the nearest entry at which a trace passes; None if at none.

    It passes at every smaller similarity too; 1 means that it passes whatever it is compared with.
    """
    rules, weights = firing_rules(facts), profile.weights
    own = assess.values_of(facts, 0.0)

    def reaches(similarity: float) -> bool:
        values = replace(own, novelty=novelty_of(similarity))
        return assess.score_of(values, rules, weights) >= threshold

    near = 1.0 - assess.value_for(threshold, Dimension.NOVELTY, own, rules, weights)
    return assess.nearest_float(reaches, 1.0, 0.0, near)


def least_confidence(
    facts: Facts, novelty: float, profile: Profile, threshold: float, most: float = 1.0
) -> float | None:
    """The least confidence up to ``most`` with which a trace passes; None if with none.

    The search begins at 0, or at the trace's own confidence if that is negative. Success stays as
    the facts have it. The trace passes with every greater confidence too.
    """
    least = min(0.0, facts.confidence)
    rules, weights, factor = firing_rules(facts), profile.weights, facts.outcome_factor
    own = assess.values_of(facts, novelty)

    def reaches(confidence: float) -> bool:
        values = replace(own, outcome_confidence=confidence * factor)
        return assess.score_of(values, rules, weights) >= threshold

    near = assess.value_for(threshold, Dimension.OUTCOME_CONFIDENCE, own, rules, weights) / factor
    return assess.nearest_float(reaches, least, most, near)


def best_outcome(facts: Facts) -> Facts:
    """The facts with success and confidence 1; a confidence above 1 stays."""
    return replace(facts, success=True, confidence=max(1.0, facts.confidence))


def ending_needed(facts: Facts, profile: Profile, threshold: float) -> tuple[float, float] | None:
    """The least confidence of a success and the greatest similarity that pass; None where none do.

    The trace keeps its own confidence where success alone is enough; otherwise the best outcome is
    taken, which allows the greatest similarity.
    """
    own = replace(facts, success=True)
    similarity = None if facts.success else most_similar(own, profile, threshold)
    if similarity is None:
        similarity = most_similar(best_outcome(facts), profile, threshold)
    if similarity is None:
        return None
    most = max(1.0, facts.confidence)
    confidence = least_confidence(own, novelty_of(similarity), profile, threshold, most)
    return None if confidence is None else (confidence, similarity)


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
    """What a trace can reach with the worst and the best outcome; equal where it is known."""

    low: TraceReach
    high: TraceReach

    @property
    def kind(self) -> ReachKind:
        """The kind with the best outcome; ``undecided`` where only some outcomes are accepted."""
        accepted = [one.kind is ReachKind.ACCEPTED for one in (self.low, self.high)]
        return ReachKind.UNDECIDED if any(accepted) and not all(accepted) else self.high.kind


def trace_reach(measurement: Measurement, profile: Profile, threshold: float) -> ReachRange:
    """What a trace can reach, from its measurement."""
    ends = dict.fromkeys(measurement.facts.outcome_ends)  # one entry if the outcome is known
    found = [reach_with(end, measurement, profile, threshold) for end in ends]
    return ReachRange(found[0], found[-1])


def reach_with(
    facts: Facts, measurement: Measurement, profile: Profile, threshold: float
) -> TraceReach:
    """What a trace with these facts and the measured novelty can reach."""
    value, best = measurement.novelty.value, best_outcome(facts)
    now, if_new = (assess.measured_score(facts, one, profile) for one in (value, 1.0))
    at_best = assess.measured_score(best, 1.0, profile)
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
    confidence, similarity = ending_needed(facts, profile, threshold) or (None, None)
    kind = ReachKind.STRUCTURE if confidence is None else ReachKind.BOTH
    return TraceReach(kind, if_new, at_best, similarity, confidence)


@dataclass(frozen=True, slots=True)
class Bound:
    """The least confidence with which a run is accepted, as a success or a failure; or None."""

    success: bool
    confidence: float | None


def outcome_needed(
    measurement: Measurement, profile: Profile, threshold: float
) -> tuple[Bound, ...]:
    """The bounds of the outcomes that are possible, a success first."""
    facts, novelty = measurement.facts, measurement.novelty.value
    bounds = []
    for success in (facts.success,) if facts.success_known else (True, False):
        known, least = replace(facts, success=success), None
        if known.schema_valid and not facts.confidence_known:
            least = least_confidence(known, novelty, profile, threshold)
        elif known.schema_valid and assess.measured_score(known, novelty, profile) >= threshold:
            least = known.confidence
        bounds.append(Bound(success, least))
    return tuple(bounds)


class DecidingKind(StrEnum):
    """What is assumed of a run: an outcome, or that its derived recoveries are no recoveries."""

    BOUND = "bound"
    BEST = "best"
    NOT_DERIVED = "not derived"


@dataclass(frozen=True, slots=True)
class Deciding:
    """Something that decides a run, or narrows what is possible to the scores ``after`` it."""

    kind: DecidingKind
    scenario: Scenario
    after: assess.ScoreRange


def deciding(
    trace: ReasoningTrace,
    measurement: Measurement,
    derived: Collection[int],
    profile: Profile,
    threshold: float,
) -> tuple[Deciding, ...]:
    """The ways in which a run may have ended, a success first; last, without ``derived`` steps."""
    facts = measurement.facts
    best = facts.confidence if facts.confidence_known else 1.0
    found: list[tuple[DecidingKind, Scenario]] = []
    for bound in outcome_needed(measurement, profile, threshold):
        success, least = bound.success, bound.confidence
        if not facts.confidence_known and least is not None and least < 1:
            found.append((DecidingKind.BOUND, Scenario(confidence=least, success=success)))
        found.append((DecidingKind.BEST, Scenario(confidence=best, success=success)))
    if derived:
        calls = {index for index in derived if trace.steps[index].tool_key is not None}
        edits = (
            StepEdit(index, type=str(StepType.TOOL_CALL if index in calls else StepType.THOUGHT))
            for index in sorted(derived)
        )
        found.append((DecidingKind.NOT_DERIVED, Scenario(edits=tuple(edits))))
    return tuple(
        Deciding(kind, scenario, assess.outcome_range(then, profile, threshold))
        for kind, scenario in found
        for then in (replace(measurement, facts=edited_facts(trace, facts, scenario)),)
    )
