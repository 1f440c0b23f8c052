"""What would bring a rejected score to the threshold: exact, and each one checked.

Nothing here knows the formula of a score. A change makes other facts or another novelty, the real
``assess`` judges them, and bounds are found by bisection over the floating point numbers
themselves: the bound reaches the threshold, its neighbour on the way back does not. This is what
the formula does, not advice.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from kpinspector.scoring.assess import Assessment, Values, assess_values, values_of
from kpinspector.scoring.doubles import nearest_float
from kpinspector.scoring.facts import Facts, facts_of
from kpinspector.scoring.measure import Measurement, novelty_of
from kpinspector.scoring.overrides import Rule
from kpinspector.scoring.profiles import Dimension, Profile
from kpinspector.trace.model import ReasoningTrace, Step, StepType, step_from_json
from kpinspector.trace.tree import step_marks

_MOST_STEPS = 100  # so many make complexity full whatever else there is
_PADDING_SHOWN = 2


class ChangeKind(StrEnum):
    """What is changed in the trace, the file or its surroundings."""

    CONFIDENCE = "confidence"
    SUCCESS = "success"
    SIMILARITY = "similarity"
    TOOLS = "tools"
    RECOVERIES = "recoveries"
    THOUGHTS = "thoughts"
    REMOVALS = "removals"


@dataclass(frozen=True, slots=True)
class Change:
    """One change and the score after it.

    Attributes:
        dimension: The dimension it works on, or None where it works on several.
        amount: The bound (confidence, similarity) or the number of steps.
        before: The score without it.
        after: What the real assessment says of the changed trace.
        flips: Rules that fire now and did not before, or the other way round.
    """

    kind: ChangeKind
    dimension: Dimension | None
    amount: float
    before: float
    after: Assessment
    flips: tuple[Rule, ...]

    @property
    def reaches(self) -> bool:
        """The score reaches the threshold."""
        return self.after.score_passes

    @property
    def novelty_held(self) -> bool:
        """The text changes, but novelty is kept as it was measured."""
        return self.kind is ChangeKind.REMOVALS


@dataclass(frozen=True, slots=True)
class Needed:
    """One dimension alone: the smallest value that reaches the threshold, or None."""

    dimension: Dimension
    now: float
    value: float | None


@dataclass(frozen=True, slots=True)
class Counterfactuals:
    """All answers for one trace.

    Attributes:
        needed: For each dimension alone.
        changes: The single changes that reach the threshold, smallest score first, then those that
            make it worse.
        without_losses: The score with the two largest losses removed.
    """

    needed: tuple[Needed, ...]
    changes: tuple[Change, ...]
    without_losses: Assessment


def counterfactuals(
    trace: ReasoningTrace, measurement: Measurement, profile: Profile, threshold: float
) -> Counterfactuals:
    """What would bring this trace's score to the threshold; empty for one that reaches it.

    An added step has no content, so novelty stays; a new tool is one more ``tool_call`` with a name
    that no other step has; a step that is left out keeps novelty as it was measured.
    """
    case = _Case(trace, measurement, profile, threshold)
    if case.before.score_passes:
        return Counterfactuals((), (), case.before)
    return Counterfactuals(
        needed=tuple(case.needed(dimension) for dimension in Dimension),
        changes=tuple(case.changes()),
        without_losses=case.without_losses(),
    )


class _Case:
    """One rejected trace and the questions asked of it."""

    def __init__(
        self, trace: ReasoningTrace, measurement: Measurement, profile: Profile, threshold: float
    ) -> None:
        self._trace = trace
        self._facts = measurement.facts
        self._novelty = measurement.novelty
        self._profile = profile
        self._threshold = threshold
        self._values = values_of(self._facts, self._novelty.value)
        self.before = self._assess(self._values)

    def needed(self, dimension: Dimension) -> Needed:
        """The smallest value of one dimension, the others held."""

        def reaches(value: float) -> bool:
            return self._assess(replace(self._values, **{dimension: value})).score_passes

        now = self._values.of(dimension)
        value = nearest_float(reaches, now, 1.0) if now < 1.0 and reaches(1.0) else None
        return Needed(dimension, now, value)

    def without_losses(self) -> Assessment:
        """The score with the two largest losses removed."""
        largest = sorted(self.before.contributions, key=lambda term: -term.lost)[:2]
        best = {str(term.dimension): max(1.0, term.value) for term in largest}
        return self._assess(replace(self._values, **best))

    def changes(self) -> Iterator[Change]:
        """The single changes that reach the threshold, and padding that makes it worse."""
        yield from self._confidence()
        yield from self._success()
        yield from self._similarity()
        yield from self._steps(ChangeKind.RECOVERIES, StepType.ERROR_RECOVERY)
        yield from self._tools()
        yield from self._removals()
        yield from self._steps(ChangeKind.THOUGHTS, StepType.THOUGHT)

    def _confidence(self) -> Iterator[Change]:
        def with_confidence(value: float) -> Facts:
            return replace(self._facts, confidence=value)

        def reaches(value: float) -> bool:
            return self._judge(with_confidence(value)).score_passes

        now = self._facts.confidence
        if now < 1.0 and reaches(1.0):
            bound = nearest_float(reaches, now, 1.0)
            yield self._change(ChangeKind.CONFIDENCE, bound, with_confidence(bound))

    def _success(self) -> Iterator[Change]:
        if not self._facts.success:
            change = self._change(ChangeKind.SUCCESS, 1, replace(self._facts, success=True))
            if change.reaches:
                yield change

    def _similarity(self) -> Iterator[Change]:
        """The nearest neighbour farther away; below 0 novelty is 1 all the same."""

        def judge(similarity: float) -> Assessment:
            return self._assess(replace(self._values, novelty=novelty_of(similarity)))

        now = self._novelty.max_similarity
        if now is not None and now > 0 and judge(0.0).score_passes:
            bound = nearest_float(lambda one: judge(one).score_passes, now, 0.0)
            after = judge(bound)
            flips = _flips(self.before, after)
            yield Change(
                ChangeKind.SIMILARITY, Dimension.NOVELTY, bound, self.before.score, after, flips
            )

    def _steps(self, kind: ChangeKind, step_type: StepType) -> Iterator[Change]:
        """More steps of one type without a tool; complexity is full after 100 at the latest."""
        added = step_from_json(len(self._trace.steps), {"type": str(step_type)})
        one_more = self._facts_of((*self._trace.steps, added))
        recovers = step_type is StepType.ERROR_RECOVERY

        def after(count: int) -> Facts:
            recoveries = one_more.error_recoveries + (count - 1 if recovers else 0)
            return replace(
                one_more,
                steps=one_more.steps + count - 1,
                error_recoveries=recoveries,
                single_thought=one_more.single_thought and count == 1,
            )

        for count in range(1, _MOST_STEPS + 1):
            if self._judge(after(count)).score_passes:
                yield self._change(kind, count, after(count))
                return
        if kind is ChangeKind.THOUGHTS:
            yield self._change(kind, _PADDING_SHOWN, after(_PADDING_SHOWN))

    def _tools(self) -> Iterator[Change]:
        """More calls of new tools: from the second on the score never falls."""
        known = {step.tool_key for step in self._trace.steps}
        names = (f"another tool {number}" for number in itertools.count())
        call = next(one for one in map(_tool_call, names) if one.tool_key not in known)
        one_more = self._facts_of((*self._trace.steps, call))

        def after(count: int) -> Facts:
            return replace(
                one_more,
                steps=one_more.steps + count - 1,
                tool_steps=one_more.tool_steps + count - 1,
                unique_tools=one_more.unique_tools + count - 1,
            )

        def reaches(count: int) -> bool:
            return self._judge(after(count)).score_passes

        most = self._facts.steps + _MOST_STEPS  # diversity and complexity are full by then
        if reaches(1):
            yield self._change(ChangeKind.TOOLS, 1, after(1))
        elif reaches(most):
            count = smallest_count(reaches, 1, most)
            yield self._change(ChangeKind.TOOLS, count, after(count))

    def _removals(self) -> Iterator[Change]:
        """Fewer steps that bring neither a type, nor a tool, nor a recovery."""
        facts, spare = self._facts, _spare_steps(self._trace)
        with_tool = [0, *itertools.accumulate(step.tool_key is not None for step in spare)]
        full = facts.steps - 3 * facts.unique_tools  # diversity is full by then
        most = min(len(spare), full)

        def after(count: int) -> Facts:
            return replace(
                facts,
                steps=facts.steps - count,
                tool_steps=facts.tool_steps - with_tool[count],
                single_thought=facts.steps - count == 1 and is_thought,
            )

        is_thought = self._trace.steps[:1] != () and self._trace.steps[0].kind is StepType.THOUGHT

        def reaches(count: int) -> bool:
            return self._judge(after(count)).score_passes

        if most > 0 and reaches(most):
            count = smallest_count(reaches, 0, most)
            yield self._change(ChangeKind.REMOVALS, count, after(count))

    def _facts_of(self, steps: tuple[Step, ...]) -> Facts:
        changed = replace(self._trace, steps=steps)
        return facts_of(changed, schema_valid=self._facts.schema_valid)

    def _judge(self, facts: Facts) -> Assessment:
        return assess_values(
            values_of(facts, self._novelty.value), facts, self._profile, self._threshold
        )

    def _assess(self, values: Values) -> Assessment:
        return assess_values(values, self._facts, self._profile, self._threshold)

    def _change(self, kind: ChangeKind, amount: float, facts: Facts) -> Change:
        return self._judged(kind, amount, self._judge(facts))

    def _judged(self, kind: ChangeKind, amount: float, after: Assessment) -> Change:
        flips = _flips(self.before, after)
        return Change(kind, _DIMENSIONS[kind], amount, self.before.score, after, flips)


def smallest_count(reaches: Callable[[int], bool], fails: int, holds: int) -> int:
    """The smallest count above ``fails`` that reaches; from some count on all do."""
    while holds - fails > 1:
        middle = (fails + holds) // 2
        if reaches(middle):
            holds = middle
        else:
            fails = middle
    return holds


def _tool_call(name: str) -> Step:
    return step_from_json(0, {"type": str(StepType.TOOL_CALL), "tool": {"name": name}})


def _spare_steps(trace: ReasoningTrace) -> tuple[Step, ...]:
    """The steps whose type and tool an earlier one brings, and that recover nothing."""
    marked = zip(trace.steps, step_marks(trace.steps), strict=True)
    return tuple(step for step, marks in marked if not marks)


def _flips(before: Assessment, after: Assessment) -> tuple[Rule, ...]:
    pairs = zip(before.overrides, after.overrides, strict=True)
    return tuple(one.rule for one, other in pairs if one.applied is not other.applied)


_DIMENSIONS = {
    ChangeKind.CONFIDENCE: Dimension.OUTCOME_CONFIDENCE,
    ChangeKind.SUCCESS: Dimension.OUTCOME_CONFIDENCE,
    ChangeKind.SIMILARITY: Dimension.NOVELTY,
    ChangeKind.TOOLS: Dimension.TOOL_DIVERSITY,
    ChangeKind.RECOVERIES: Dimension.COMPLEXITY,
    ChangeKind.THOUGHTS: None,
    ChangeKind.REMOVALS: None,
}
