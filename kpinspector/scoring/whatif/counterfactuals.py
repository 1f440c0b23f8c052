"""The changes that would bring a rejected score to the threshold: exact, each one checked.

Nothing here repeats the formula of the score. A change makes other facts or another novelty, which
``assess`` judges, and bounds are found by bisection over the floating-point numbers themselves: the
bound reaches the threshold, and the next number back does not. This describes the formula; it is no
advice.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from kpinspector.scoring.formula.assess import values_of
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.overrides import RECOVERIES_NEEDED
from kpinspector.scoring.formula.profiles import Dimension, Profile
from kpinspector.scoring.whatif.changes import (
    ADDED_TYPES,
    MOST_STEPS,
    Change,
    ChangeKind,
    Search,
    scenario_for,
    steps_for,
)
from kpinspector.scoring.whatif.combinations import Combination, combinations
from kpinspector.scoring.whatif.reach import (
    fewest_removals,
    least_confidence,
    most_similar,
    passes,
    smallest_count,
)
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit
from kpinspector.scoring.whatif.whatif import Needed, needed_of
from kpinspector.trace.model import ReasoningTrace, Step, StepType

_PADDING_SHOWN = 2


@dataclass(frozen=True, slots=True)
class TypeGoal:
    """A goal for the steps: their number, and the least number of types and of recoveries."""

    steps: int
    types: int
    recoveries: int


def goal_of(steps: Sequence[Step], more: int, recoveries: int) -> TypeGoal | None:
    """The goal with as many types as possible; None with too few steps.

    Args:
        steps: The steps of the trace; each may change to any type that the schema knows.
        more: The number of steps to add.
        recoveries: The least number of recoveries, 1 or more.
    """
    every = len(steps) + more
    if recoveries > every:
        return None
    types = len({*StepType, *map(_type_of, steps)})
    return TypeGoal(every, min(types, every - recoveries + 1), recoveries)


def scenario_to(goal: TypeGoal, steps: Sequence[Step]) -> Scenario:
    """Add the missing steps, then change the type of steps that share theirs with others."""
    types = [_type_of(step) for step in steps]
    counts = Counter(types)
    added, edits = [], []
    for _ in range(goal.steps - len(steps)):
        more = _wanted(goal, counts) or StepType.THOUGHT
        counts[more] += 1
        added.append(AddedStep(more))
    while (new := _wanted(goal, counts)) is not None:
        index = types.index(_spare(goal, counts, types))
        counts[types[index]] -= 1
        counts[new] += 1
        types[index] = new
        edits.append(StepEdit(index, type=new))
    return Scenario(edits=tuple(sorted(edits, key=lambda one: one.index)), added=tuple(added))


def _type_of(step: Step) -> Hashable:
    return step.kind or step.type_key


def _wanted(goal: TypeGoal, counts: Counter[Hashable]) -> StepType | None:
    """The type that one more step should have; None once the goal is reached."""
    if counts[StepType.ERROR_RECOVERY] < goal.recoveries:
        return StepType.ERROR_RECOVERY
    if len(+counts) < goal.types:
        return next((one for one in StepType if not counts[one]), None)
    return None


def _spare(goal: TypeGoal, counts: Counter[Hashable], types: Sequence[Hashable]) -> Hashable:
    """The most frequent type among the steps that may change theirs."""
    enough = counts[StepType.ERROR_RECOVERY] > goal.recoveries
    spare = (one for one in types if enough or one is not StepType.ERROR_RECOVERY)
    return max(spare, key=lambda one: counts[one])


@dataclass(frozen=True, slots=True)
class Counterfactuals:
    """The changes found for one trace.

    Attributes:
        needed: The value that each dimension needs on its own, with the same rules.
        changes: The single changes that reach the threshold, at most one of each kind; last, two
            more thoughts where no number of thoughts reaches it.
        combinations: The smallest changes that reach it together, where no single change does.
    """

    needed: tuple[Needed, ...]
    changes: tuple[Change, ...]
    combinations: tuple[Combination, ...] = ()

    def alone(self, dimension: Dimension) -> Change | None:
        """The first change of this dimension alone that reaches the threshold, if any."""
        found = (one for one in self.changes if one.dimension is dimension and one.reaches)
        return next(found, None)

    @property
    def reached(self) -> bool:
        """A single change reaches the threshold."""
        return any(change.reaches for change in self.changes)


def counterfactuals(
    trace: ReasoningTrace, measurement: Measurement, profile: Profile, threshold: float
) -> Counterfactuals:
    """The changes that would bring this trace's score to the threshold; empty if it reaches it.

    An added step has no content, so that novelty stays. A new tool is one more ``tool_call`` with a
    name that no other step has. Where a step is left out, the measured novelty is kept.
    """
    case = _Case(trace, measurement, profile, threshold)
    if case.before.score_passes:
        return Counterfactuals((), ())
    found = Counterfactuals(case.needed, tuple(case.changes()))
    if found.reached:
        return found
    together = combinations(trace, measurement, profile, threshold)
    return replace(found, combinations=together)


class _Case(Search):
    """The search for single changes."""

    @cached_property
    def needed(self) -> tuple[Needed, ...]:
        """The value that each dimension needs on its own."""
        values = values_of(self._facts, self._measurement.novelty.value)
        return needed_of(values, self._facts, *self._rules)

    def changes(self) -> Iterator[Change]:
        """The single changes that reach the threshold, and two thoughts where padding does not."""
        ways: dict[Dimension, Callable[[], Iterator[Change]]] = {
            Dimension.OUTCOME_CONFIDENCE: self._outcome,
            Dimension.NOVELTY: self._similarity,
            Dimension.COMPLEXITY: self._complexity,
            Dimension.TOOL_DIVERSITY: lambda: chain(self._tools(), self._renames()),
        }
        needed = {one.dimension: one for one in self.needed}
        for dimension, way in ways.items():
            yield from tuple(way()) or self._by_hand(needed[dimension])
        yield from self._removals()
        yield from self._more(ChangeKind.THOUGHTS)

    def _by_hand(self, needed: Needed) -> Iterator[Change]:
        """The value that a dimension needs, where no change of the trace is known to give it."""
        if needed.value is not None:
            scenario = Scenario().with_value(needed.dimension, needed.value)
            change = self._change(ChangeKind.VALUE, needed.value, scenario)
            if change.reaches:
                yield replace(change, dimension=needed.dimension)

    def _outcome(self) -> Iterator[Change]:
        """Confidence or success alone; both together where neither alone is enough."""
        single = [*self._confidence(ChangeKind.CONFIDENCE)]
        if not self._facts.success:
            single += self._found(ChangeKind.SUCCESS, 1)
            single = single or [*self._confidence(ChangeKind.OUTCOME)]
        yield from single

    def _confidence(self, kind: ChangeKind) -> Iterator[Change]:
        success = self._facts.success or kind is ChangeKind.OUTCOME
        then = replace(self._facts, success=success)
        least = least_confidence(then, self._measurement.novelty.value, *self._rules)
        if least is not None and self._facts.confidence < least:
            yield from self._found(kind, least)

    def _complexity(self) -> Iterator[Change]:
        """More steps of one type; where no number of them is enough, steps of other types."""
        single = [*self._more(ChangeKind.RECOVERIES)]
        if StepType.OBSERVATION not in self._kinds:  # else it counts as a thought does
            single += self._more(ChangeKind.OBSERVATIONS)
        yield from single or self._types()

    def _types(self) -> Iterator[Change]:
        steps = self._trace.steps
        for more in range(MOST_STEPS + 1):
            for recoveries in (1, RECOVERIES_NEEDED):
                goal = goal_of(steps, more, recoveries)
                if goal is None:
                    continue
                facts = replace(
                    self._facts,
                    steps=goal.steps,
                    unique_types=goal.types,
                    error_recoveries=goal.recoveries,
                    single_thought=False,  # a recovery is no thought
                )
                if self._reaches(facts):
                    scenario = scenario_to(goal, steps)
                    yield self._change(ChangeKind.TYPES, scenario.changes, scenario)
                    return

    def _similarity(self) -> Iterator[Change]:
        """A smaller similarity to the nearest neighbour."""
        if self._measurement.novelty.max_similarity is not None:
            most = most_similar(self._facts, *self._rules)
            if most is not None:
                yield from self._found(ChangeKind.SIMILARITY, most)

    def _more(self, kind: ChangeKind) -> Iterator[Change]:
        """More steps of one type without a tool; complexity reaches its maximum within 100."""
        counts = range(1, MOST_STEPS + 1)
        count = next((one for one in counts if self._reaches(self._grown(kind, one))), None)
        if count is not None:
            yield from self._found(kind, count)
        elif kind is ChangeKind.THOUGHTS:
            yield self._known(kind, _PADDING_SHOWN)

    def _tools(self) -> Iterator[Change]:
        """More calls of new tools: from the second on the score never falls."""

        def reaches(count: int) -> bool:
            return self._reaches(self._grown(ChangeKind.TOOLS, count))

        most = self._facts.steps + MOST_STEPS  # both are at their maximum by then
        if reaches(1):
            yield from self._found(ChangeKind.TOOLS, 1)
        elif reaches(most):
            yield from self._found(ChangeKind.TOOLS, smallest_count(reaches, 1, most))

    def _grown(self, kind: ChangeKind, count: int) -> Facts:
        """The facts with ``count`` more steps of the type that the change adds."""
        facts, added = self._facts, ADDED_TYPES[kind]
        recoveries = count if added is StepType.ERROR_RECOVERY else 0
        tools = count if kind is ChangeKind.TOOLS else 0
        return replace(
            facts,
            steps=facts.steps + count,
            unique_types=facts.unique_types + (added not in self._kinds),
            error_recoveries=facts.error_recoveries + recoveries,
            tool_steps=facts.tool_steps + tools,
            unique_tools=facts.unique_tools + tools,
            single_thought=facts.steps + count == 1 and added is StepType.THOUGHT,
        )

    def _renames(self) -> Iterator[Change]:
        """New tools in place of repeated ones; each adds one distinct tool."""
        facts = self._facts

        def reaches(count: int) -> bool:
            return self._reaches(replace(facts, unique_tools=facts.unique_tools + count))

        most = facts.tool_steps - facts.unique_tools
        if most > 0 and reaches(most):
            yield from self._fewest(ChangeKind.RENAMES, smallest_count(reaches, 0, most))

    def _removals(self) -> Iterator[Change]:
        """Fewer of the steps that can be spared."""
        facts = self._facts
        only_thoughts = self._kinds == {StepType.THOUGHT}

        def after(count: int) -> Facts:
            left = facts.steps - count
            return replace(facts, steps=left, single_thought=left == 1 and only_thoughts)

        count = fewest_removals(
            lambda count: self._reaches(after(count)),
            lambda count: after(count).complexity >= 1.0,
            facts.steps - max(1, 3 * facts.unique_tools),
        )
        if count is not None:
            yield from self._fewest(ChangeKind.REMOVALS, count)

    def _fewest(self, kind: ChangeKind, count: int) -> Iterator[Change]:
        """The change of ``count`` steps of the file, if there are that many to change."""
        if count <= len(steps_for(kind, self._trace)):
            yield from self._found(kind, count)

    def _reaches(self, facts: Facts) -> bool:
        return passes(facts, self._measurement.novelty.value, *self._rules)

    def _found(self, kind: ChangeKind, amount: float) -> Iterator[Change]:
        """The change, if the assessment of its scenario reaches the threshold."""
        change = self._known(kind, amount)
        if change.reaches:
            yield change

    def _known(self, kind: ChangeKind, amount: float) -> Change:
        return self._change(kind, amount, scenario_for(kind, amount, self._trace))
