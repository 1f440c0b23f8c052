"""A trace with the steps, the confidence and the success of a scenario: itself, and its facts."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from kpinspector.scoring.formula.facts import Facts, facts_of
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit
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
    found = _steps(_Same(id(trace), trace), scenario.edits, scenario.added)
    in_order = sorted(found.every, key=lambda step: step.index)
    steps = tuple(
        step if step.index == index else replace(step, index=index)
        for index, step in enumerate(in_order)
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
    counted = _recount(same, scenario.edits, scenario.added) if scenario.edited else facts
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
class _Steps:
    """The steps after edits, under their numbers in the file: as there, other than there, new."""

    untouched: tuple[Step, ...]
    edited: tuple[Step, ...]
    added: tuple[Step, ...]

    @property
    def every(self) -> tuple[Step, ...]:
        """All of them; for what counts their order is of no account."""
        return self.untouched + self.edited + self.added


# what follows is kept while values and rules are moved and the steps stay


@lru_cache(maxsize=_KEPT)
def _steps(same: _Same, edits: tuple[StepEdit, ...], added: tuple[AddedStep, ...]) -> _Steps:
    steps = same.trace.steps
    by_index = {edit.index: edit for edit in edits if edit.index in range(len(steps))}
    return _Steps(
        untouched=tuple(step for step in steps if step.index not in by_index),
        edited=tuple(
            _edited(steps[index], edit) for index, edit in by_index.items() if not edit.left_out
        ),
        added=tuple(_added(index, one) for index, one in enumerate(added, len(steps))),
    )


@lru_cache(maxsize=_KEPT)
def _recount(same: _Same, edits: tuple[StepEdit, ...], added: tuple[AddedStep, ...]) -> Facts:
    steps = _steps(same, edits, added).every
    return facts_of(replace(same.trace, steps=steps), schema_valid=False)


@lru_cache(maxsize=_KEPT)
def _is_valid(same: _Same, scenario: Scenario, *, was_valid: bool) -> bool:
    """The schema gate; what passed before and is as it was is not looked at again."""
    trace = same.trace
    steps = _steps(same, scenario.edits, scenario.added)
    # an added step is what the schema wants
    any_step = _ANY_STEP if steps.untouched or steps.added else ()
    if not _passes(trace, scenario, steps.edited or any_step):
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
    raw["steps"] = [step.value for step in steps]
    if scenario.success is not None:
        raw["metadata"] = _with_member(raw["metadata"], "success", scenario.success)
    if scenario.confidence is not None:
        raw["outcome"] = _with_member(raw["outcome"], "confidence", scenario.confidence)
    return raw


def _with_member(value: JsonValue, name: str, member: JsonValue) -> JsonValue:
    return {**value, name: member} if isinstance(value, dict) else value


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
