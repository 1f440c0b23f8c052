"""A trace with the steps, the confidence and the success of a scenario: itself, and its facts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from kpinspector.scoring.facts import Facts, facts_of
from kpinspector.scoring.scenario import AddedStep, Scenario, StepEdit
from kpinspector.trace.model import (
    JsonObject,
    JsonValue,
    ReasoningTrace,
    Step,
    step_from_json,
)
from kpinspector.trace.schema import find_issues, passes

_ANY_STEP = (step_from_json(0, {"step_id": 0, "type": "thought"}),)
_BLOCK = 256
_KEPT = 4


def edited_trace(trace: ReasoningTrace, scenario: Scenario) -> ReasoningTrace:
    """The trace as a file would have it after the changes; its steps are renumbered."""
    steps = tuple(
        step if step.index == index else replace(step, index=index)
        for index, step in enumerate(_steps(trace, scenario.edits, scenario.added))
    )
    metadata, outcome = trace.metadata, trace.outcome
    if scenario.success is not None:
        metadata = replace(metadata, success=scenario.success)
    if scenario.confidence is not None:
        outcome = replace(outcome, confidence=scenario.confidence)
    raw = _raw(trace, scenario, steps)
    return replace(trace, steps=steps, metadata=metadata, outcome=outcome, raw=raw)


def edited_facts(trace: ReasoningTrace, facts: Facts, scenario: Scenario) -> Facts:
    """The facts of the changed trace, from those of the trace."""
    in_the_file = Scenario(
        confidence=scenario.confidence,
        success=scenario.success,
        edits=scenario.edits,
        added=scenario.added,
    )
    if in_the_file.is_empty:
        return facts
    same = _Same(id(trace), trace)
    counted = _recount(same, scenario.edits, scenario.added).facts if scenario.edited else facts
    return replace(
        counted,
        confidence=facts.confidence if scenario.confidence is None else scenario.confidence,
        success=facts.success if scenario.success is None else scenario.success,
        schema_valid=_is_valid(same, in_the_file, was_valid=facts.schema_valid),
    )


@dataclass(frozen=True, slots=True)
class _Same:
    """A trace as a key: the same one, not one that is equal."""

    identity: int
    trace: ReasoningTrace = field(compare=False)


@dataclass(frozen=True, slots=True)
class _Recount:
    """The facts of edited steps, and which of them are new or other, and which as they were."""

    facts: Facts
    touched: tuple[Step, ...]
    untouched: tuple[Step, ...]


# kept while values and rules are moved and the steps stay


@lru_cache(maxsize=_KEPT)
def _recount(same: _Same, edits: tuple[StepEdit, ...], added: tuple[AddedStep, ...]) -> _Recount:
    steps = same.trace.steps
    edited = tuple(_steps(same.trace, edits, added))
    untouched = tuple(one for one in edited if one.index < len(steps) and one is steps[one.index])
    kept = {one.index for one in untouched}
    return _Recount(
        facts=facts_of(replace(same.trace, steps=edited), schema_valid=False),
        touched=tuple(one for one in edited if one.index not in kept),
        untouched=untouched,
    )


@lru_cache(maxsize=_KEPT)
def _is_valid(same: _Same, scenario: Scenario, *, was_valid: bool) -> bool:
    """The schema gate; what passed before and is as it was is not looked at again."""
    trace = same.trace
    steps = _recount(same, scenario.edits, scenario.added)
    any_step = _ANY_STEP if steps.untouched else ()
    if not _passes(trace, scenario, steps.touched or any_step):
        return False
    if was_valid:
        return True
    if trace.steps and steps.untouched == trace.steps and _passes(trace, Scenario(), _ANY_STEP):
        return False  # what is wrong is in a step, and all are as they were
    blocks = range(0, len(steps.untouched), _BLOCK)
    return all(
        _passes(trace, scenario, steps.untouched[first : first + _BLOCK]) for first in blocks
    )


def _passes(trace: ReasoningTrace, scenario: Scenario, steps: Sequence[Step]) -> bool:
    return passes(find_issues(_raw(trace, scenario, steps)))


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


def _steps(
    trace: ReasoningTrace, edits: tuple[StepEdit, ...], added: tuple[AddedStep, ...]
) -> Iterator[Step]:
    """The steps that are left, under their own numbers, then those added."""
    by_index = {edit.index: edit for edit in edits}
    for step in trace.steps:
        edit = by_index.get(step.index)
        if edit is None:
            yield step
        elif not edit.left_out:
            yield _edited(step, edit)
    for index, one in enumerate(added, len(trace.steps)):
        yield _added(index, one)


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
