"""The changes that would bring a rejected score to the threshold: exact, each one checked.

Nothing here repeats the formula of the score. A change makes other facts or another novelty, which
``assess`` judges, and bounds are found by bisection over the floating-point numbers themselves: the
bound reaches the threshold, and the next number back does not. This describes the formula; it is no
advice.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from kpinspector.scoring.formula.assess import measured_score, values_of
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.overrides import RECOVERIES_NEEDED
from kpinspector.scoring.formula.profiles import Dimension, Profile
from kpinspector.scoring.whatif.changes import (
    ADDED_TYPES,
    MOST_STEPS,
    Change,
    ChangeKind,
    Combination,
    Lever,
    Search,
    StepCounts,
    in_order,
)
from kpinspector.scoring.whatif.reach import least_confidence, most_similar
from kpinspector.scoring.whatif.scenario import AddedStep, Needed, Scenario, StepEdit, needed_of
from kpinspector.trace.model import ReasoningTrace, Step, StepType


@dataclass(frozen=True, slots=True)
class Counterfactuals:
    """The changes found for one trace, and the value that each dimension needs on its own.

    ``changes``: single ones that reach the threshold, at most one of each kind. ``combinations``:
    the smallest changes that reach it together, where no single one does. Both begin with what the
    author of a run can change.
    """

    needed: tuple[Needed, ...]
    changes: tuple[Change, ...]
    combinations: tuple[Combination, ...] = ()


def counterfactuals(
    trace: ReasoningTrace, measurement: Measurement, profile: Profile, threshold: float
) -> Counterfactuals:
    """The changes that would bring this trace's score to the threshold; empty if it reaches it.

    An added step has no content, so that novelty stays. A new tool is one more ``tool_call`` with a
    name that no other step has. Where a step is left out, the measured novelty is kept.
    """
    case = _Singles(trace, measurement, profile, threshold)
    if case.before.score_passes:
        return Counterfactuals((), ())
    values = values_of(measurement.facts, measurement.novelty.value)
    needed = needed_of(values, measurement.facts, profile, threshold)
    changes = in_order(case.changes(needed, measurement.novelty.max_similarity))
    return Counterfactuals(needed, changes, () if changes else tuple(case.combinations()))


class _Singles(Search):
    def changes(self, needed: Sequence[Needed], similarity: float | None) -> Iterator[Change]:
        """The single changes that reach the threshold."""
        farther = None if similarity is None else most_similar(self.facts, *self.rules)
        # from the second new tool on the score never falls
        tools = self.tools(StepCounts(), frozenset((Lever.TOOLS,)))
        ended = [*self._confidence(ChangeKind.CONFIDENCE)]
        if not self.facts.success:
            ended += self._found(ChangeKind.SUCCESS, 1)
        more = [*self._more(ChangeKind.RECOVERIES)]
        if StepType.OBSERVATION not in self.kinds:  # else one more counts like a thought
            more += self._more(ChangeKind.OBSERVATIONS)
        ways = {
            Dimension.OUTCOME_CONFIDENCE: ended or self._confidence(ChangeKind.OUTCOME),
            Dimension.NOVELTY: self._found(ChangeKind.SIMILARITY, farther),
            Dimension.COMPLEXITY: more or self._retyped(),
            Dimension.TOOL_DIVERSITY: chain(self._found(ChangeKind.TOOLS, tools), self._renames()),
        }
        values = {one.dimension: one.value for one in needed}
        for dimension, way in ways.items():
            found = tuple(way)
            yield from found
            value = values[dimension]
            # no change of the trace is known to give this value
            if value is not None and not found:
                scenario = Scenario().with_value(dimension, value)
                change = self.change(ChangeKind.VALUE, value, scenario)
                if change.after.score_passes:
                    yield replace(change, dimension=dimension)
        count = self.removals(StepCounts(), frozenset((Lever.REMOVALS,)))
        yield from self._found(ChangeKind.REMOVALS, count)
        yield from self._more(ChangeKind.THOUGHTS)

    def _confidence(self, kind: ChangeKind) -> Iterator[Change]:
        success = self.facts.success or kind is ChangeKind.OUTCOME
        least = least_confidence(replace(self.facts, success=success), self.held, *self.rules)
        if least is not None and self.facts.confidence < least:
            yield from self._found(kind, least)

    def _retyped(self) -> Iterator[Change]:
        """The fewest steps that reach the threshold, with one recovery or three and many types."""
        steps, (profile, threshold) = self.trace.steps, self.rules
        known = len({*StepType, *(one.kind or one.type_key for one in steps)})
        for number in range(len(steps), len(steps) + MOST_STEPS + 1):
            for recoveries in (1, RECOVERIES_NEEDED):
                types = min(known, number - recoveries + 1)
                facts = replace(
                    self.facts,
                    steps=number,
                    unique_types=types,
                    error_recoveries=recoveries,
                    single_thought=False,  # a recovery is no thought
                )
                if types > 0 and measured_score(facts, self.held, profile) >= threshold:
                    scenario = _scenario_to(number, types, recoveries, steps)
                    yield self.change(ChangeKind.TYPES, scenario.changes, scenario)
                    return

    def _more(self, kind: ChangeKind) -> Iterator[Change]:
        """More steps of one type without a tool; complexity reaches its maximum within 100."""
        profile, threshold = self.rules
        every = ((one, self.grown({ADDED_TYPES[kind]: one})) for one in range(1, MOST_STEPS + 1))
        reached = (
            one for one, facts in every if measured_score(facts, self.held, profile) >= threshold
        )
        return self._found(kind, next(reached, None))

    def _renames(self) -> Iterator[Change]:
        facts, (profile, threshold) = self.facts, self.rules

        def reaches(count: int) -> bool:
            more = replace(facts, unique_tools=facts.unique_tools + count)
            return measured_score(more, self.held, profile) >= threshold

        most = facts.tool_steps - facts.unique_tools
        if most > 0 and reaches(most):
            yield from self._found(
                ChangeKind.RENAMES, bisect_left(range(most), True, 1, key=reaches)
            )

    def _found(self, kind: ChangeKind, amount: float | None) -> Iterator[Change]:
        if amount is not None and (change := self.change(kind, amount)).after.score_passes:
            yield change


def _scenario_to(number: int, types: int, recoveries: int, steps: Sequence[Step]) -> Scenario:
    """Add the missing steps, then change types that several share, the most frequent first."""
    now: list[Hashable] = [one.kind or one.type_key for one in steps]
    counts = Counter(now)
    added, edits = [], []

    def wanted() -> StepType | None:
        """The type that one more step should have; None once all are there."""
        if counts[StepType.ERROR_RECOVERY] < recoveries:
            return StepType.ERROR_RECOVERY
        missing = (one for one in StepType if not counts[one])
        return next(missing, None) if len(+counts) < types else None

    for _ in range(number - len(steps)):
        more = wanted() or StepType.THOUGHT
        counts[more] += 1
        added.append(AddedStep(more))
    while (new := wanted()) is not None:
        enough = counts[StepType.ERROR_RECOVERY] > recoveries
        spare = (one for one in now if enough or one is not StepType.ERROR_RECOVERY)
        index = now.index(max(spare, key=counts.__getitem__))
        counts[now[index]] -= 1
        counts[new] += 1
        now[index] = new
        edits.append(StepEdit(index, type=new))
    return Scenario(edits=tuple(sorted(edits, key=lambda one: one.index)), added=tuple(added))
