"""Changes that reach the threshold only together: as few as possible, each as small as possible.

A lever is one kind of change: of the outcome, of the similarity to the nearest trace, of the tools,
the recoveries or the step types, or fewer steps. The search works on facts alone, which is quick;
each combination that it finds is then assessed as a scenario of the trace.
"""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Self, TypeAlias

from kpinspector.scoring.formula.assess import Assessment, Values, score_of
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.overrides import (
    RECOVERIES_NEEDED,
    SINGLE_THOUGHT_SCORE,
    Rule,
    flipped_rules,
    rules_that_fire,
)
from kpinspector.scoring.formula.profiles import Profile
from kpinspector.scoring.whatif.changes import (
    MOST_STEPS,
    Change,
    ChangeKind,
    Search,
    new_tools,
    new_types,
    scenario_for,
    spare_steps,
)
from kpinspector.scoring.whatif.reach import (
    Ending,
    best_outcome,
    ending_needed,
    fewest_removals,
    least_confidence,
    most_similar,
    passes,
    smallest_count,
)
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit
from kpinspector.trace.model import ReasoningTrace, Step, StepType

MOST_LEVERS = 3
MOST_SHOWN = 3


class Lever(StrEnum):
    """What can be changed, in the order in which it is named."""

    OUTCOME = "outcome"
    SIMILARITY = "similarity"
    TOOLS = "tools"
    RECOVERIES = "recoveries"
    TYPES = "types"
    REMOVALS = "removals"


Levers: TypeAlias = frozenset[Lever]
_Amount: TypeAlias = tuple[ChangeKind, float]

_NO_STEPS = frozenset((Lever.OUTCOME, Lever.SIMILARITY))
_MORE_STEPS = (Lever.TOOLS, Lever.RECOVERIES, Lever.TYPES)
_OF_STEPS = (*_MORE_STEPS, Lever.REMOVALS)
_ADDING = frozenset(_MORE_STEPS)
_DIVERSIFYING = frozenset((Lever.TOOLS, Lever.REMOVALS))


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

    @property
    def total(self) -> int:
        """How many steps are added or left out."""
        return self.added + self.removals


@dataclass(frozen=True, slots=True)
class Combination:
    """Several changes and the score after all of them.

    Attributes:
        changes: One for each lever, each the smallest while the others stay; the score in each is
            that of this change alone.
        scenario: The scenario that makes all of them to the trace.
        before: The score without any of them.
        after: The assessment of the changed trace.
        flips: Rules that fire before the changes or after them, but not both.
    """

    changes: tuple[Change, ...]
    scenario: Scenario
    before: float
    after: Assessment
    flips: tuple[Rule, ...]

    @property
    def steps(self) -> int:
        """How many steps are added or left out."""
        return len(self.scenario.added) + len(self.scenario.edits)


def combinations(
    trace: ReasoningTrace, measurement: Measurement, profile: Profile, threshold: float
) -> tuple[Combination, ...]:
    """The smallest combinations of as few levers as reach the threshold, ``MOST_SHOWN`` at most.

    Two levers where two are enough, otherwise three. Empty where three are not enough, where the
    score passes already, and where a single lever is enough.
    """
    return _Search(trace, measurement, profile, threshold).combinations()


def steps_needed(
    trace: ReasoningTrace, measurement: Measurement, profile: Profile, threshold: float
) -> tuple[StepCounts, ...]:
    """Alternatives of steps to add or leave out, for a trace that fails even at its best.

    Each is enough on its own; ``MOST_SHOWN`` at most. They take one lever where one is enough, and
    are empty where three are not. Steps are left out only where adding steps is not enough.
    """
    return _Search(trace, measurement, profile, threshold).steps_needed()


class _Search(Search):
    """The search for changes that reach it only together."""

    @cached_property
    def _spares(self) -> dict[bool, "_Spare"]:
        """By whether the run succeeds."""
        return {succeeds: _Spare.of(self._trace, succeeds=succeeds) for succeeds in (False, True)}

    def combinations(self) -> tuple[Combination, ...]:
        if self.before.score_passes:
            return ()
        usable = [lever for lever in Lever if self._moves(lever)]
        for number in range(1, MOST_LEVERS + 1):
            found = [*self._combined(map(frozenset, itertools.combinations(usable, number)))]
            if found:
                return tuple(sorted(found, key=_size)[:MOST_SHOWN]) if number > 1 else ()
        return ()

    def steps_needed(self) -> tuple[StepCounts, ...]:
        numbers = range(1, MOST_LEVERS + 1)
        for levers, number in itertools.product((_MORE_STEPS, _OF_STEPS), numbers):
            every = itertools.combinations(levers, number)
            sought = (self._fewest(_NO_STEPS | frozenset(one)) for one in every)
            found = [counts for counts in sought if counts is not None]
            if found:
                return tuple(sorted(found, key=lambda one: one.total)[:MOST_SHOWN])
        return ()

    def _moves(self, lever: Lever) -> bool:
        """Whether the lever can change anything for this trace."""
        match lever:
            case Lever.OUTCOME:
                return not self._facts.success or self._facts.confidence < 1.0
            case Lever.SIMILARITY:
                return self._measurement.novelty.value < 1.0
        return True

    def _combined(self, every: Iterable[Levers]) -> Iterator[Combination]:
        for levers in every:
            counts = self._fewest(levers)
            if counts is not None:
                found = self._combination(counts, levers)
                if found.after.score_passes:
                    yield found

    def _fewest(self, levers: Levers) -> StepCounts | None:
        """The fewest steps with which these levers can reach the threshold; None if none do."""
        fewest: StepCounts | None = None
        for counts in self._beside(levers) if self._may_reach(levers) else ():
            if fewest is not None and counts.added >= fewest.added:
                continue
            tools = self._tools(counts, levers)
            if tools is not None and (fewest is None or counts.added + tools < fewest.added):
                fewest = replace(counts, tools=tools)
        if fewest is None:
            return None
        return replace(fewest, removals=self._removals(fewest, levers) or 0)

    def _may_reach(self, levers: Levers) -> bool:
        """Whether the score would pass with everything these levers move at its best."""
        facts, (profile, threshold) = self._facts, self._rules
        if levers & _ADDING:
            facts = replace(facts, single_thought=False)
        if Lever.TOOLS in levers:
            facts = replace(facts, tool_steps=0)  # no monotony
        if Lever.RECOVERIES in levers:
            facts = replace(facts, error_recoveries=facts.error_recoveries + RECOVERIES_NEEDED)
        if Lever.OUTCOME in levers:
            facts = best_outcome(facts)
        values = Values(
            complexity=1.0 if levers & _ADDING else self._facts.complexity,
            novelty=self._novelty(levers),
            tool_diversity=1.0 if levers & _DIVERSIFYING else self._facts.tool_diversity,
            outcome_confidence=facts.outcome_confidence,
        )
        best = score_of(values, rules_that_fire(facts), profile.weights)
        return max(best, SINGLE_THOUGHT_SCORE) >= threshold

    def _beside(self, levers: Levers) -> Iterator[StepCounts]:
        """Numbers of recoveries and new types to try, up to where more of them add nothing."""
        every = len(new_types(self._kinds, with_tools=Lever.TOOLS in levers))
        types = range(1, every + 1) if Lever.TYPES in levers else (0,)
        for recoveries in self._recoveries(levers):
            yield from (StepCounts(recoveries=recoveries, types=one) for one in types)

    def _recoveries(self, levers: Levers) -> Iterator[int]:
        """Numbers to try; beyond the bonus recoveries only add steps, until complexity is full."""
        if Lever.RECOVERIES not in levers:
            yield 0
            return
        for count in range(1, MOST_STEPS + 1):
            yield count
            facts = self._with(StepCounts(recoveries=count), levers)
            in_vain = facts.complexity >= 1.0 or Lever.REMOVALS in levers
            if in_vain and facts.error_recoveries >= RECOVERIES_NEEDED:
                return

    def _tools(self, beside: StepCounts, levers: Levers) -> int | None:
        """The fewest new tools that reach beside these; beyond the first none lowers the score."""

        def reaches(count: int) -> bool:
            return self._removals(replace(beside, tools=count), levers) is not None

        if Lever.TOOLS not in levers:
            return 0 if reaches(0) else None
        if reaches(1):
            return 1
        most = self._facts.steps + beside.added + MOST_STEPS  # both at their maximum
        return smallest_count(reaches, 1, most) if reaches(most) else None

    def _removals(self, counts: StepCounts, levers: Levers) -> int | None:
        """The fewest steps to leave out beside these; None where no number is enough."""

        def left(count: int) -> Facts:
            return self._with(replace(counts, removals=count), levers)

        def reaches(count: int) -> bool:
            return passes(left(count), self._novelty(levers), *self._rules)

        if Lever.REMOVALS not in levers:
            return 0 if reaches(0) else None
        facts = left(0)
        spare = len(self._spares[facts.success].steps)
        most = min(spare, facts.steps - max(1, 3 * facts.unique_tools))
        return fewest_removals(reaches, lambda count: left(count).complexity >= 1.0, most)

    def _novelty(self, levers: Levers) -> float:
        return 1.0 if Lever.SIMILARITY in levers else self._measurement.novelty.value

    def _with(self, counts: StepCounts, levers: Levers) -> Facts:
        """The facts with these steps, and the best outcome where the outcome is a lever."""
        if Lever.OUTCOME not in levers:
            return self._stepped(counts, succeeds=self._facts.success)
        return best_outcome(self._stepped(counts, succeeds=True))

    def _stepped(self, counts: StepCounts, *, succeeds: bool) -> Facts:
        facts, added = self._facts, self._new_kinds(counts)
        recovered = 0
        if counts.removals:
            recovered = self._spares[succeeds].recoveries[counts.removals - 1]
        steps = facts.steps + counts.added - counts.removals
        return replace(
            facts,
            steps=steps,
            unique_types=facts.unique_types + len(added - self._kinds),
            error_recoveries=facts.error_recoveries + counts.recoveries - recovered,
            tool_steps=facts.tool_steps + counts.tools,
            unique_tools=facts.unique_tools + counts.tools,
            single_thought=steps == 1 and self._kinds | added == {StepType.THOUGHT},
        )

    def _new_kinds(self, counts: StepCounts) -> frozenset[StepType]:
        """The step types of the steps that are added."""
        types = self._types(counts)
        tools = (StepType.TOOL_CALL,) if counts.tools else ()
        recoveries = (StepType.ERROR_RECOVERY,) if counts.recoveries else ()
        return frozenset((*types, *tools, *recoveries))

    def _types(self, counts: StepCounts) -> tuple[StepType, ...]:
        if not counts.types:
            return ()
        return new_types(self._kinds, with_tools=counts.tools > 0)[: counts.types]

    def _combination(self, counts: StepCounts, levers: Levers) -> Combination:
        """The combination with these steps, its bounds as wide as possible, assessed."""
        scenarios = dict(self._endings(counts, levers)) | dict(self._of_steps(counts, levers))
        changes = tuple(
            self._change(kind, amount, scenario) for (kind, amount), scenario in scenarios.items()
        )
        scenario = _together(scenarios.values())
        before, after = self.before, self._judge(scenario)
        flips = flipped_rules(before.overrides, after.overrides)
        return Combination(changes, scenario, before.score, after, flips)

    def _endings(self, counts: StepCounts, levers: Levers) -> Iterator[tuple[_Amount, Scenario]]:
        """The changes of outcome and similarity beside so many steps."""
        facts, own = self._facts, self._facts.confidence
        needed = self._ending(counts, levers)
        if needed.confidence is not None:
            kind, amount = ChangeKind.SUCCESS, 1.0
            if needed.confidence > own:
                kind = ChangeKind.CONFIDENCE if facts.success else ChangeKind.OUTCOME
                amount = needed.confidence
            yield (kind, amount), scenario_for(kind, amount, self._trace)
        if needed.similarity is not None:
            kind, amount = ChangeKind.SIMILARITY, needed.similarity
            yield (kind, amount), scenario_for(kind, amount, self._trace)

    def _ending(self, counts: StepCounts, levers: Levers) -> Ending:
        succeeds = self._facts.success or Lever.OUTCOME in levers
        facts = self._stepped(counts, succeeds=succeeds)
        if levers >= _NO_STEPS:
            return ending_needed(facts, *self._rules) or Ending()
        if Lever.SIMILARITY in levers:
            return Ending(similarity=most_similar(facts, *self._rules))
        if Lever.OUTCOME in levers:
            ended, most = replace(facts, success=True), max(1.0, facts.confidence)
            held = self._novelty(levers)
            return Ending(confidence=least_confidence(ended, held, *self._rules, most))
        return Ending()

    def _of_steps(self, counts: StepCounts, levers: Levers) -> Iterator[tuple[_Amount, Scenario]]:
        """The steps that are added, and those that are left out."""
        every: dict[ChangeKind, list[AddedStep]] = {
            ChangeKind.TOOLS: [
                AddedStep(StepType.TOOL_CALL, name) for name in new_tools(self._trace, counts.tools)
            ],
            ChangeKind.RECOVERIES: [AddedStep(StepType.ERROR_RECOVERY)] * counts.recoveries,
            ChangeKind.NEW_TYPES: [*map(AddedStep, self._types(counts))],
        }
        for kind, added in every.items():
            if added:
                yield (kind, len(added)), Scenario(added=tuple(added))
        if counts.removals:
            succeeds = self._facts.success or Lever.OUTCOME in levers
            steps = self._spares[succeeds].steps[: counts.removals]
            edits = (StepEdit(one, left_out=True) for one in sorted(step.index for step in steps))
            yield (ChangeKind.REMOVALS, counts.removals), Scenario(edits=tuple(edits))


@dataclass(frozen=True, slots=True)
class _Spare:
    """The steps that can be left out, and how many recoveries are among the first n of them."""

    steps: tuple[Step, ...]
    recoveries: tuple[int, ...]

    @classmethod
    def of(cls, trace: ReasoningTrace, *, succeeds: bool) -> Self:
        steps = spare_steps(trace, succeeds=succeeds)
        recovers = (step.kind is StepType.ERROR_RECOVERY for step in steps)
        return cls(steps, tuple(itertools.accumulate(map(int, recovers))))


def _together(scenarios: Iterable[Scenario]) -> Scenario:
    """All changes in one scenario; no two of them touch the same thing."""
    whole = Scenario()
    for one in scenarios:
        whole = replace(
            whole,
            novelty=one.novelty if whole.novelty is None else whole.novelty,
            confidence=one.confidence if whole.confidence is None else whole.confidence,
            success=one.success if whole.success is None else whole.success,
            edits=whole.edits + one.edits,
            added=whole.added + one.added,
        )
    return whole


def _size(found: Combination) -> tuple[int, float]:
    """The sort key: the number of steps, then the confidence and the novelty that are needed."""
    amounts = {change.kind: change.amount for change in found.changes}
    confidence = amounts.get(ChangeKind.OUTCOME, amounts.get(ChangeKind.CONFIDENCE, 0.0))
    return found.steps, confidence - amounts.get(ChangeKind.SIMILARITY, 1.0)
