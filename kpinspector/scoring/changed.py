"""A trace with the changes of a scenario: its steps, facts, values and score."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from typing_extensions import override

from kpinspector.scoring.assess import Assessment, Values, assess_values, score_of, values_of
from kpinspector.scoring.facts import Facts, facts_of
from kpinspector.scoring.measure import Measurement, Novelty, Reach
from kpinspector.scoring.profiles import Dimension, Profile
from kpinspector.scoring.scenario import AddedStep, Scenario, StepEdit
from kpinspector.trace.model import JsonObject, JsonValue, ReasoningTrace, Step, step_from_json
from kpinspector.trace.schema import find_issues, passes

_ANY_STEP = (step_from_json(0, {"step_id": 0, "type": "thought"}),)
_BLOCK = 256


@dataclass(frozen=True, slots=True)
class Changed:
    """What a score needs of a changed trace.

    Attributes:
        facts: Of the changed trace; they decide the overrides and the schema gate.
        values: The facts' dimensions and novelty, but for what was set by hand.
        unclamped: The SDK's own novelty; None where novelty was set by hand.
        novelty_held: The embedder would see another text, but novelty is as it was measured.
    """

    facts: Facts
    values: Values
    unclamped: float | None
    novelty_held: bool

    def assess(self, profile: Profile, threshold: float) -> Assessment:
        """The assessment, with every term."""
        return assess_values(self.values, self.facts, profile, threshold, unclamped=self.unclamped)

    def score_with(self, dimension: Dimension, value: float, profile: Profile) -> float:
        """The score with another value of one dimension."""
        values = replace(self.values, **{str(dimension): value})
        return score_of(values, self.facts, profile.weights)


def changed(trace: ReasoningTrace, measurement: Measurement, scenario: Scenario) -> Changed:
    """What the scenario makes of a trace and its measurement."""
    facts = _facts(trace, measurement.facts, scenario)
    novelty = scenario.measured_novelty or measurement.novelty
    values = values_of(facts, novelty.value)
    by_hand = {
        str(dimension): value
        for dimension in Dimension
        if (value := scenario.value_of(dimension)) is not None
    }
    fresh = scenario.measured_novelty is not None or scenario.novelty is not None
    return Changed(
        facts=facts,
        values=replace(values, **by_hand),
        unclamped=novelty.unclamped if scenario.novelty is None else None,
        novelty_held=not fresh and _changes_what_is_seen(trace, novelty, scenario),
    )


def edited_trace(trace: ReasoningTrace, scenario: Scenario) -> ReasoningTrace:
    """The trace with the scenario's steps, confidence and success; its steps are renumbered."""
    steps = tuple(
        step if step.index == index else replace(step, index=index)
        for index, step in enumerate(_steps(trace, scenario))
    )
    return replace(_with_ending(trace, scenario), steps=steps, raw=_raw(trace, scenario, steps))


def _changes_what_is_seen(trace: ReasoningTrace, novelty: Novelty, scenario: Scenario) -> bool:
    """Whether a step is left out whose content the embedder read."""
    return any(
        index < len(trace.steps)
        and _is_seen(index, novelty.reach)
        and bool(trace.steps[index].content.strip())
        for index in scenario.left_out
    )


def _is_seen(index: int, reach: Reach | None) -> bool:
    if reach is None or not reach.truncated:
        return True
    return reach.ends_at_step is not None and index <= reach.ends_at_step


def _facts(trace: ReasoningTrace, facts: Facts, scenario: Scenario) -> Facts:
    if not scenario.edited and scenario.confidence is None and scenario.success is None:
        return facts
    of_the_trace = Scenario(
        confidence=scenario.confidence,
        success=scenario.success,
        edits=scenario.edits,
        added=scenario.added,
    )
    return _counted(_Same(trace), of_the_trace, schema_valid=facts.schema_valid)


class _Same:
    """A trace as a key: the same one, not one that is equal."""

    __slots__ = ("trace",)

    def __init__(self, trace: ReasoningTrace) -> None:
        self.trace = trace

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.trace is self.trace

    @override
    def __hash__(self) -> int:
        return id(self.trace)


@lru_cache(maxsize=2)
def _counted(same: _Same, scenario: Scenario, *, schema_valid: bool) -> Facts:
    """The facts, kept while values and rules move and the steps stay."""
    trace = same.trace
    steps = tuple(_steps(trace, scenario))
    counted = replace(_with_ending(trace, scenario), steps=steps)
    valid = _is_valid(trace, scenario, steps, was_valid=schema_valid)
    return facts_of(counted, schema_valid=valid)


def _steps(trace: ReasoningTrace, scenario: Scenario) -> Iterator[Step]:
    """The steps that are left, under their own numbers, then those added."""
    edits = {edit.index: edit for edit in scenario.edits}
    for step in trace.steps:
        edit = edits.get(step.index)
        if edit is None:
            yield step
        elif not edit.left_out:
            yield _edited(step, edit)
    for index, added in enumerate(scenario.added, len(trace.steps)):
        yield _added(index, added)


def _edited(step: Step, edit: StepEdit) -> Step:
    raw = dict(step.raw)
    if edit.type is not None:
        raw["type"] = edit.type
    if edit.tool:
        tool = raw.get("tool")
        raw["tool"] = {**(tool if isinstance(tool, dict) else {}), "name": edit.tool}
    elif edit.tool is not None:
        raw.pop("tool", None)
    return step_from_json(step.index, raw)


def _added(index: int, added: AddedStep) -> Step:
    raw: dict[str, JsonValue] = {"step_id": index, "type": str(added.type)}
    if added.tool:
        raw["tool"] = {"name": added.tool}
    return step_from_json(index, raw)


def _with_ending(trace: ReasoningTrace, scenario: Scenario) -> ReasoningTrace:
    """The trace with the scenario's confidence and success."""
    metadata, outcome = trace.metadata, trace.outcome
    if scenario.success is not None:
        metadata = replace(metadata, success=scenario.success)
    if scenario.confidence is not None:
        outcome = replace(outcome, confidence=scenario.confidence)
    return replace(trace, metadata=metadata, outcome=outcome)


def _raw(trace: ReasoningTrace, scenario: Scenario, steps: Sequence[Step]) -> JsonObject:
    """The JSON object of the changed trace, with these steps."""
    raw = dict(trace.raw)
    raw["steps"] = [dict(step.raw) for step in steps]
    if scenario.success is not None:
        raw["metadata"] = _with_member(raw["metadata"], "success", scenario.success)
    if scenario.confidence is not None:
        raw["outcome"] = _with_member(raw["outcome"], "confidence", scenario.confidence)
    return raw


def _with_member(value: JsonValue, name: str, member: JsonValue) -> JsonValue:
    return {**value, name: member} if isinstance(value, dict) else value


def _is_valid(
    trace: ReasoningTrace, scenario: Scenario, steps: Sequence[Step], *, was_valid: bool
) -> bool:
    """The schema gate; what passed before and is as it was is not looked at again."""
    touched: list[Step] = []
    untouched: list[Step] = []
    for step in steps:
        as_it_was = step.index < len(trace.steps) and step is trace.steps[step.index]
        (untouched if as_it_was else touched).append(step)
    if not _passes(trace, scenario, touched or _ANY_STEP[: len(steps)]):
        return False
    if was_valid:
        return True
    if trace.steps and len(untouched) == len(trace.steps) and _passes(trace, Scenario(), _ANY_STEP):
        return False  # what is wrong is in a step, and all are as they were
    blocks = range(0, len(untouched), _BLOCK)
    return all(_passes(trace, scenario, untouched[first : first + _BLOCK]) for first in blocks)


def _passes(trace: ReasoningTrace, scenario: Scenario, steps: Sequence[Step]) -> bool:
    return passes(find_issues(_raw(trace, scenario, steps)))
