"""Changes of a rejected trace with their scores, and those that pass only together.

A lever is one kind of change: of the outcome, of the similarity to the nearest trace, of the tools,
the recoveries or the step types, or fewer steps. As few as possible are combined, each as small as
possible. The search works on facts alone, which is quick; what it finds is then assessed as a
scenario of the trace.
"""

import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from kpinspector.scoring.formula.assess import Assessment, assess, measured_score, score_of
from kpinspector.scoring.formula.measurement import Facts, Measurement, novelty_of
from kpinspector.scoring.formula.overrides import (
    RECOVERIES_NEEDED,
    SINGLE_THOUGHT_SCORE,
    Rule,
    firing_rules,
    flipped_rules,
)
from kpinspector.scoring.formula.profiles import Dimension, Profile, Values
from kpinspector.scoring.whatif import reach
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit, changed
from kpinspector.trace.model import Mark, ReasoningTrace, Step, StepType, step_marks

MOST_STEPS = 100
"""With so many steps complexity is 1, whatever the steps are."""
_MOST_LEVERS = 3
_MOST_SHOWN = 3


class ChangeKind(StrEnum):
    """The kinds of change, of a trace or of what it is compared with."""

    CONFIDENCE = "confidence"
    SUCCESS = "success"
    OUTCOME = "outcome"
    SIMILARITY = "similarity"
    TOOLS = "tools"
    RENAMES = "renames"
    RECOVERIES = "recoveries"
    OBSERVATIONS = "observations"
    TYPES = "types"
    NEW_TYPES = "new_types"
    VALUE = "value"
    THOUGHTS = "thoughts"
    REMOVALS = "removals"


_DIMENSIONS = {
    ChangeKind.CONFIDENCE: Dimension.OUTCOME_CONFIDENCE,
    ChangeKind.SUCCESS: Dimension.OUTCOME_CONFIDENCE,
    ChangeKind.OUTCOME: Dimension.OUTCOME_CONFIDENCE,
    ChangeKind.SIMILARITY: Dimension.NOVELTY,
    ChangeKind.TOOLS: Dimension.TOOL_DIVERSITY,
    ChangeKind.RENAMES: Dimension.TOOL_DIVERSITY,
    ChangeKind.RECOVERIES: Dimension.COMPLEXITY,
    ChangeKind.OBSERVATIONS: Dimension.COMPLEXITY,
    ChangeKind.TYPES: Dimension.COMPLEXITY,
    ChangeKind.NEW_TYPES: Dimension.COMPLEXITY,
}
ADDED_TYPES = {
    ChangeKind.TOOLS: StepType.TOOL_CALL,
    ChangeKind.RECOVERIES: StepType.ERROR_RECOVERY,
    ChangeKind.OBSERVATIONS: StepType.OBSERVATION,
    ChangeKind.THOUGHTS: StepType.THOUGHT,
}


class Lever(StrEnum):
    """The kinds of change that can be combined, in the order in which answers name them."""

    OUTCOME = "outcome"
    SIMILARITY = "similarity"
    TOOLS = "tools"
    RECOVERIES = "recoveries"
    TYPES = "types"
    REMOVALS = "removals"


# what the author of a run can change comes first; None: steps that change several dimensions
_ORDER = (
    Dimension.COMPLEXITY,
    None,
    Dimension.TOOL_DIVERSITY,
    Dimension.OUTCOME_CONFIDENCE,
    Dimension.NOVELTY,
)

Levers: TypeAlias = frozenset[Lever]

_NO_STEPS = frozenset((Lever.OUTCOME, Lever.SIMILARITY))
_MORE_STEPS = (Lever.TOOLS, Lever.RECOVERIES, Lever.TYPES)
_OF_STEPS = (*_MORE_STEPS, Lever.REMOVALS)
_DIVERSIFYING = frozenset((Lever.TOOLS, Lever.REMOVALS))


@dataclass(frozen=True, slots=True)
class Change:
    """One change and the score before and after it.

    ``dimension``: the one that changes, or None where several do. ``amount``: the bound
    (confidence, similarity, value) or the number of steps. ``flips``: rules that fire before or
    after the change, but not both.
    """

    kind: ChangeKind
    dimension: Dimension | None
    amount: float
    scenario: Scenario
    before: float
    after: Assessment
    flips: tuple[Rule, ...]

    @property
    def novelty_held(self) -> bool:
        """Whether the text changes while the measured novelty is kept."""
        return self.kind is ChangeKind.REMOVALS


def in_order(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Changes of the steps, of the tools, of the outcome, then of the similarity."""
    return tuple(sorted(changes, key=lambda one: _ORDER.index(one.dimension)))


@dataclass(frozen=True, slots=True)
class Combination:
    """Several changes and the score before and after all of them.

    ``changes`` has one for each lever, the smallest while the others stay; its score is that of
    this change alone.
    """

    changes: tuple[Change, ...]
    scenario: Scenario
    before: float
    after: Assessment
    flips: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class StepCounts:
    """Numbers of steps to add (new tools, recoveries, other new types) and to leave out."""

    tools: int = 0
    recoveries: int = 0
    types: int = 0
    removals: int = 0

    @property
    def added(self) -> int:
        """How many steps are added."""
        return self.tools + self.recoveries + self.types


def steps_needed(
    trace: ReasoningTrace, measurement: Measurement, profile: Profile, threshold: float
) -> tuple[StepCounts, ...]:
    """Alternatives of steps to add or leave out, for a trace that fails even at its best.

    Each is enough on its own; three at most. They use as few levers as possible; there are none
    where three levers are not enough. Steps are left out only where adding steps is not enough.
    """
    search = Search(trace, measurement, profile, threshold)
    for levers, number in itertools.product((_MORE_STEPS, _OF_STEPS), range(1, _MOST_LEVERS + 1)):
        every = itertools.combinations(levers, number)
        sought = (search.fewest(_NO_STEPS | frozenset(one)) for one in every)
        found = [counts for counts in sought if counts is not None]
        if found:
            return tuple(sorted(found, key=lambda one: one.added + one.removals)[:_MOST_SHOWN])
    return ()


class Search:
    """The search for changes of one trace; ``held`` is its measured novelty."""

    def __init__(
        self, trace: ReasoningTrace, measurement: Measurement, profile: Profile, threshold: float
    ) -> None:
        self.trace = trace
        self.facts = measurement.facts
        self.held = measurement.novelty.value
        self.rules = profile, threshold
        self.kinds = frozenset(step.kind for step in trace.steps)
        self.before = assess(measurement, *self.rules)
        self._measurement = measurement

    @cached_property
    def _spares(self) -> dict[bool, tuple[tuple[Step, ...], tuple[int, ...]]]:
        """By success: the steps to leave out, and how many of the first n are recoveries."""
        spares = {}
        for succeeds in (False, True):
            steps = spare_steps(self.trace, succeeds=succeeds)
            recovers = (step.kind is StepType.ERROR_RECOVERY for step in steps)
            spares[succeeds] = steps, (0, *itertools.accumulate(map(int, recovers)))
        return spares

    def change(self, kind: ChangeKind, amount: float, scenario: Scenario | None = None) -> Change:
        """A change, assessed; by default with the scenario that makes it."""
        scenario = scenario or scenario_for(kind, amount, self.trace)
        return Change(kind, _DIMENSIONS.get(kind), amount, *self._tried(scenario))

    def combinations(self) -> Iterator[Combination]:
        """The smallest combinations of as few levers as reach the threshold, three at most.

        Two levers where two are enough, otherwise three. Empty where three are not enough, where
        the score passes already, and where a single lever is enough.
        """
        if self.before.score_passes:
            return
        best = self.facts.success and not self.facts.confidence < 1.0
        # levers that can no longer change anything for this trace
        useless = {Lever.OUTCOME: best, Lever.SIMILARITY: not self.held < 1.0}
        usable = [lever for lever in Lever if not useless.get(lever)]
        for number in range(1, _MOST_LEVERS + 1):
            levers = [*map(frozenset, itertools.combinations(usable, number))]
            sought = ((self.fewest(one), one) for one in levers)
            combined = [self._combination(counts, one) for counts, one in sought if counts]
            found = [one for one in combined if one.after.score_passes]
            if found:
                yield from sorted(found, key=_size)[:_MOST_SHOWN] if number > 1 else ()
                return

    def fewest(self, levers: Levers) -> StepCounts | None:
        """The fewest steps with which these levers can reach the threshold; None if none do."""
        fewest: StepCounts | None = None
        for counts in self._counts_to_try(levers) if self._may_reach(levers) else ():
            if fewest is not None and counts.added >= fewest.added:
                continue
            tools = self.tools(counts, levers)
            if tools is not None and (fewest is None or counts.added + tools < fewest.added):
                fewest = replace(counts, tools=tools)
        return fewest and replace(fewest, removals=self.removals(fewest, levers) or 0)

    def tools(self, beside: StepCounts, levers: Levers) -> int | None:
        """The fewest new tools that, with the other steps, reach the threshold; None if none do."""

        def reaches(count: int) -> bool:
            return self.removals(replace(beside, tools=count), levers) is not None

        if Lever.TOOLS not in levers:
            return 0 if reaches(0) else None
        if reaches(1):
            return 1
        most = self.facts.steps + beside.added + MOST_STEPS  # nothing rises any more
        # no tool beyond the first lowers the score: find the first number that reaches
        return bisect_left(range(most), True, 2, key=reaches) if reaches(most) else None

    def removals(self, counts: StepCounts, levers: Levers) -> int | None:
        """The fewest steps to leave out, with these others; None where no number is enough.

        While complexity is at its maximum, the score rises with every step left out, until
        diversity is at its maximum too, or no further step can be spared. Between the two the score
        is convex in the number of steps, a sum of multiples of ``1 / steps`` and of ``steps``:
        where it fails at one end, it passes at the other end or nowhere.
        """

        def left(count: int) -> Facts:
            succeeds = self.facts.success or Lever.OUTCOME in levers
            facts = self._stepped(replace(counts, removals=count), succeeds=succeeds)
            return reach.best_outcome(facts) if Lever.OUTCOME in levers else facts

        def reaches(count: int) -> bool:
            return measured_score(left(count), novelty, profile) >= threshold

        profile, threshold = self.rules
        novelty = 1.0 if Lever.SIMILARITY in levers else self.held
        if Lever.REMOVALS not in levers:
            return 0 if reaches(0) else None
        facts = left(0)
        spare = len(self._spares[facts.success][0])
        most = min(spare, facts.steps - max(1, 3 * facts.unique_tools))
        # the last number at which complexity is full; -1 if it is at none
        full = bisect_left(range(most + 1), True, key=lambda count: left(count).complexity < 1) - 1
        for fails, holds in ((0, min(full, most)), (max(full, 0), most)):
            if fails < holds and reaches(holds):
                return bisect_left(range(holds), True, fails + 1, key=reaches)
        return None

    def grown(
        self, added: Mapping[StepType, int], tools: int = 0, removed: int = 0, recovered: int = 0
    ) -> Facts:
        """The facts with steps added and removed, of which ``recovered`` were recoveries."""
        facts = self.facts
        steps = facts.steps + sum(added.values()) - removed
        recoveries = added.get(StepType.ERROR_RECOVERY, 0) - recovered
        return replace(
            facts,
            steps=steps,
            unique_types=facts.unique_types + len(added.keys() - self.kinds),
            error_recoveries=facts.error_recoveries + recoveries,
            tool_steps=facts.tool_steps + tools,
            unique_tools=facts.unique_tools + tools,
            single_thought=steps == 1 and self.kinds | added.keys() == {StepType.THOUGHT},
        )

    def _tried(self, scenario: Scenario) -> tuple[Scenario, float, Assessment, tuple[Rule, ...]]:
        after = changed(self.trace, self._measurement, scenario).assess(*self.rules)
        flips = flipped_rules(self.before.overrides, after.overrides)
        return scenario, self.before.score, after, flips

    def _may_reach(self, levers: Levers) -> bool:
        facts, (profile, threshold) = self.facts, self.rules
        adds = not levers.isdisjoint(_MORE_STEPS)
        if adds:
            facts = replace(facts, single_thought=False)
        if Lever.TOOLS in levers:
            facts = replace(facts, tool_steps=0)  # no monotony
        if Lever.RECOVERIES in levers:
            facts = replace(facts, error_recoveries=facts.error_recoveries + RECOVERIES_NEEDED)
        if Lever.OUTCOME in levers:
            facts = reach.best_outcome(facts)
        values = Values(
            complexity=1.0 if adds else self.facts.complexity,
            novelty=1.0 if Lever.SIMILARITY in levers else self.held,
            tool_diversity=1.0 if levers & _DIVERSIFYING else self.facts.tool_diversity,
            outcome_confidence=facts.outcome_confidence,
        )
        best = score_of(values, firing_rules(facts), profile.weights)
        return max(best, SINGLE_THOUGHT_SCORE) >= threshold

    def _counts_to_try(self, levers: Levers) -> Iterator[StepCounts]:
        """Numbers of recoveries and new types to try, up to where more of them add nothing.

        Beyond the bonus recoveries only add steps, until complexity is full.
        """
        every = len(self._new_types(with_tools=Lever.TOOLS in levers))
        types = range(1, every + 1) if Lever.TYPES in levers else (0,)
        for recoveries in range(1, MOST_STEPS + 1) if Lever.RECOVERIES in levers else (0,):
            yield from (StepCounts(recoveries=recoveries, types=one) for one in types)
            facts = self._stepped(StepCounts(recoveries=recoveries), succeeds=True)
            in_vain = facts.complexity >= 1.0 or Lever.REMOVALS in levers
            if in_vain and facts.error_recoveries >= RECOVERIES_NEEDED:
                return

    def _new_types(self, *, with_tools: bool) -> tuple[StepType, ...]:
        brought = {StepType.ERROR_RECOVERY, *((StepType.TOOL_CALL,) if with_tools else ())}
        return tuple(one for one in StepType if one not in brought and one not in self.kinds)

    def _types(self, counts: StepCounts) -> tuple[StepType, ...]:
        return self._new_types(with_tools=counts.tools > 0)[: counts.types] if counts.types else ()

    def _stepped(self, counts: StepCounts, *, succeeds: bool) -> Facts:
        added = dict.fromkeys(self._types(counts), 1)
        if counts.tools:
            added[StepType.TOOL_CALL] = counts.tools
        if counts.recoveries:
            added[StepType.ERROR_RECOVERY] = counts.recoveries
        recovered = self._spares[succeeds][1][counts.removals] if counts.removals else 0
        return self.grown(added, counts.tools, counts.removals, recovered)

    def _combination(self, counts: StepCounts, levers: Levers) -> Combination:
        changes = in_order((*self._endings(counts, levers), *self._of_steps(counts, levers)))
        every = [one.scenario for one in changes]  # no two of them touch the same thing
        scenario = Scenario(
            novelty=next((one.novelty for one in every if one.novelty is not None), None),
            confidence=next((one.confidence for one in every if one.confidence is not None), None),
            success=True if any(one.success for one in every) else None,
            edits=tuple(itertools.chain.from_iterable(one.edits for one in every)),
            added=tuple(itertools.chain.from_iterable(one.added for one in every)),
        )
        return Combination(changes, *self._tried(scenario))

    def _endings(self, counts: StepCounts, levers: Levers) -> Iterator[Change]:
        facts = self._stepped(counts, succeeds=self.facts.success or Lever.OUTCOME in levers)
        own, confidence, similarity = facts.confidence, None, None
        if levers >= _NO_STEPS:
            confidence, similarity = reach.ending_needed(facts, *self.rules) or (None, None)
        elif Lever.SIMILARITY in levers:
            similarity = reach.most_similar(facts, *self.rules)
        elif Lever.OUTCOME in levers:
            ended = replace(facts, success=True)
            confidence = reach.least_confidence(ended, self.held, *self.rules, max(1.0, own))
        if confidence is not None:
            kind = ChangeKind.CONFIDENCE if self.facts.success else ChangeKind.OUTCOME
            enough = (ChangeKind.SUCCESS, 1.0) if confidence <= own else (kind, confidence)
            yield self.change(*enough)
        if similarity is not None:
            yield self.change(ChangeKind.SIMILARITY, similarity)

    def _of_steps(self, counts: StepCounts, levers: Levers) -> Iterator[Change]:
        if counts.tools:
            yield self.change(ChangeKind.TOOLS, counts.tools)
        if counts.recoveries:
            yield self.change(ChangeKind.RECOVERIES, counts.recoveries)
        if types := self._types(counts):
            scenario = Scenario(added=tuple(map(AddedStep, types)))
            yield self.change(ChangeKind.NEW_TYPES, len(types), scenario)
        if counts.removals:
            succeeds = self.facts.success or Lever.OUTCOME in levers
            steps = self._spares[succeeds][0][: counts.removals]
            yield self.change(ChangeKind.REMOVALS, counts.removals, _left_out(steps))


def scenario_for(kind: ChangeKind, amount: float, trace: ReasoningTrace) -> Scenario:
    """The scenario that makes a change; ``amount`` as in ``Change``."""
    values = {
        ChangeKind.CONFIDENCE: Scenario(confidence=amount),
        ChangeKind.SUCCESS: Scenario(success=True),
        ChangeKind.OUTCOME: Scenario(success=True, confidence=amount),
        ChangeKind.SIMILARITY: Scenario(novelty=novelty_of(amount)),
    }
    number = int(amount)
    match kind:
        case kind if kind in values:
            return values[kind]
        case ChangeKind.RENAMES:
            repeated = [  # steps whose tool an earlier step has used
                step.index
                for step, marks in zip(trace.steps, step_marks(trace.steps), strict=True)
                if step.tool_key is not None and Mark.FIRST_TOOL not in marks
            ]
            renamed = zip(repeated[:number], new_tools(trace, number), strict=False)
            return Scenario(edits=tuple(StepEdit(step, tool=name) for step, name in renamed))
        case ChangeKind.REMOVALS:
            return _left_out(spare_steps(trace, succeeds=trace.metadata.success)[:number])
        case ChangeKind.TOOLS:
            names = new_tools(trace, number)
            return Scenario(added=tuple(AddedStep(StepType.TOOL_CALL, name) for name in names))
    return Scenario(added=(AddedStep(ADDED_TYPES[kind]),) * number)


def _left_out(steps: Iterable[Step]) -> Scenario:
    indices = sorted(step.index for step in steps)
    return Scenario(edits=tuple(StepEdit(index, left_out=True) for index in indices))


def new_tools(trace: ReasoningTrace, number: int) -> tuple[str, ...]:
    """Tool names, ``number`` of them, that no step of the trace uses."""
    known = {step.tool_name for step in trace.steps}
    names = (f"another tool {one}" for one in itertools.count(1))
    return tuple(itertools.islice((name for name in names if name not in known), number))


def spare_steps(trace: ReasoningTrace, *, succeeds: bool) -> tuple[Step, ...]:
    """Steps that can be left out together at no loss of types, tools or recoveries, last first.

    One recovery is kept for complexity, or as many as the bonus needs where the trace earns it: it
    has them and ``succeeds``.
    """
    types = Counter(step.type_key for step in trace.steps)
    tools = Counter(step.tool_key for step in trace.steps)
    kinds = Counter(step.kind for step in trace.steps)
    earns_bonus = succeeds and kinds[StepType.ERROR_RECOVERY] >= RECOVERIES_NEEDED
    recoveries = RECOVERIES_NEEDED if earns_bonus else 1
    spare = []
    for step in reversed(trace.steps):
        brings_type = types[step.type_key] == 1
        brings_tool = step.tool_key is not None and tools[step.tool_key] == 1
        recovers = step.kind is StepType.ERROR_RECOVERY and kinds[step.kind] <= recoveries
        if not (brings_type or brings_tool or recovers):
            spare.append(step)
            types[step.type_key] -= 1
            tools[step.tool_key] -= 1
            kinds[step.kind] -= 1
    return tuple(spare)


def _size(found: Combination) -> tuple[int, float]:
    """The sort key: the number of steps, then the confidence and the novelty that are needed."""
    amounts = {change.kind: change.amount for change in found.changes}
    confidence = amounts.get(ChangeKind.OUTCOME, amounts.get(ChangeKind.CONFIDENCE, 0.0))
    steps = len(found.scenario.added) + len(found.scenario.edits)
    return steps, confidence - amounts.get(ChangeKind.SIMILARITY, 1.0)
