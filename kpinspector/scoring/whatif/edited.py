"""Applies a scenario to its trace, and fits one to a trace that was edited."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256

from kpinspector.scoring.formula.facts import Facts, facts_of
from kpinspector.scoring.whatif.scenario import (
    AddedStep,
    Draft,
    Loss,
    Scenario,
    StepEdit,
)
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
    """The trace with the changes made; its steps are renumbered."""
    found = _steps(_Same(id(trace), trace), scenario.edits, scenario.added)
    in_order = sorted(found.every, key=lambda step: step.index)
    steps = tuple(
        step if step.index == index else replace(step, index=index)
        for index, step in enumerate(in_order)
    )
    metadata, outcome = trace.metadata, trace.outcome
    if scenario.tries_outcome:
        metadata = replace(metadata, success_known=True)
        outcome = replace(outcome, confidence_known=True)
    if scenario.success is not None:
        metadata = replace(metadata, success=scenario.success)
    if scenario.confidence is not None:
        outcome = replace(outcome, confidence=scenario.confidence)
    raw = _raw(trace.raw, scenario, steps)
    return replace(trace, steps=steps, metadata=metadata, outcome=outcome, raw=raw)


def edited_facts(trace: ReasoningTrace, facts: Facts, scenario: Scenario) -> Facts:
    """The facts of the changed trace, from those of the trace.

    Where a recording does not say how it ended, trying a confidence also tries the success that
    stands in beside it, and the other way round.
    """
    in_the_file = Scenario(
        confidence=scenario.confidence,
        success=scenario.success,
        edits=scenario.edits,
        added=scenario.added,
    )
    if in_the_file.is_empty:
        if scenario.tries_outcome and not facts.outcome_known:
            return replace(facts, confidence_known=True, success_known=True)
        return facts
    same = _Same(id(trace), trace)
    counted = _recount(same, scenario.edits, scenario.added) if scenario.edited else facts
    return replace(
        counted,
        confidence=facts.confidence if scenario.confidence is None else scenario.confidence,
        success=facts.success if scenario.success is None else scenario.success,
        confidence_known=facts.confidence_known or scenario.tries_outcome,
        success_known=facts.success_known or scenario.tries_outcome,
        schema_valid=_is_valid(same, in_the_file, was_valid=facts.schema_valid),
    )


def assumed_in(recorded: Facts, scenario: Scenario) -> tuple[str, ...]:
    """The parts of the outcome neither recorded nor tried, for which a middle value stands in."""
    confidence = scenario.confidence is None and scenario.outcome_confidence is None
    open_ends = {
        "confidence": confidence and not recorded.confidence_known,
        "success": scenario.success is None and not recorded.success_known,
    }
    return tuple(name for name, is_open in open_ends.items() if is_open)


@dataclass(frozen=True, slots=True)
class _Same:
    """A trace as a key, compared by identity."""

    identity: int
    trace: ReasoningTrace = field(compare=False)


@dataclass(frozen=True, slots=True)
class _Steps:
    """The steps after the edits, by their numbers in the file: unchanged, changed and new ones."""

    untouched: tuple[Step, ...]
    edited: tuple[Step, ...]
    added: tuple[Step, ...]

    @property
    def every(self) -> tuple[Step, ...]:
        """All of them; counts do not depend on their order."""
        return self.untouched + self.edited + self.added


# cached, as moving values and rules leaves the steps as they are


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
    """Whether the schema gate passes; unchanged parts that passed before are not checked again."""
    trace = same.trace
    steps = _steps(same, scenario.edits, scenario.added)
    # added steps satisfy the schema
    any_step = _ANY_STEP if steps.untouched or steps.added else ()
    if not _passes(trace, scenario, steps.edited or any_step):
        return False
    if was_valid:
        return True
    if trace.steps and steps.untouched == trace.steps and _passes(trace, Scenario(), _ANY_STEP):
        return False  # the fault is in a step, and none has changed
    blocks = range(0, len(steps.untouched), _BLOCK)
    return all(
        _passes(trace, scenario, steps.untouched[first : first + _BLOCK]) for first in blocks
    )


def _passes(trace: ReasoningTrace, scenario: Scenario, steps: Sequence[Step]) -> bool:
    return passes(find_issues(_raw(trace.whole or trace.raw, scenario, steps)))


def _raw(of: JsonObject, scenario: Scenario, steps: Sequence[Step]) -> JsonObject:
    """The JSON object of the changed trace, with these steps."""
    raw = dict(of)
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


def draft_of(scenario: Scenario, trace: ReasoningTrace) -> Draft:
    """The draft that is kept of a scenario of this trace."""
    edits = [edit for edit in scenario.edits if edit.index in range(len(trace.steps))]
    scenario = replace(scenario, edits=tuple(edits))
    measured = scenario.measured_novelty is not None
    return Draft(
        scenario,
        steps=len(trace.steps),
        edited=tuple(_step_digest(trace.steps[edit.index]) for edit in edits),
        text=_digest(edited_trace(trace, scenario).text) if measured else "",
    )


def fitted(draft: Draft, trace: ReasoningTrace) -> tuple[Scenario, Loss]:
    """The part of a draft that fits this trace, and the part that does not.

    An edit follows its step to another place. The edit of a step that has itself changed is kept if
    the trace has as many steps as before. A measured novelty is kept for the same text only.
    """
    edits, lost = _placed(draft, trace.steps)
    scenario = replace(draft.scenario, edits=edits)
    if scenario.measured_novelty is None or draft.text == _digest(
        edited_trace(trace, scenario).text
    ):
        return scenario, Loss(lost)
    return replace(scenario, measured_novelty=None), Loss(lost, novelty=True)


def _placed(
    draft: Draft, steps: Sequence[Step]
) -> tuple[tuple[StepEdit, ...], tuple[StepEdit, ...]]:
    """The edits with the present indices of their steps, and those whose steps are gone."""
    placed: dict[int, StepEdit] = {}
    astray = []
    for edit, digest in zip(draft.scenario.edits, draft.edited, strict=True):
        if edit.index < len(steps) and _step_digest(steps[edit.index]) == digest:
            placed[edit.index] = edit
        else:
            astray.append((edit, digest))
    left = _moved(astray, steps, placed) if astray else []
    lost = []
    for edit in left:
        if len(steps) == draft.steps and edit.index not in placed:
            placed[edit.index] = edit
        else:
            lost.append(edit)
    return tuple(placed[index] for index in sorted(placed)), tuple(lost)


def _moved(
    astray: Sequence[tuple[StepEdit, str]], steps: Sequence[Step], placed: dict[int, StepEdit]
) -> list[StepEdit]:
    """Move edits to where their steps are now; returns those whose steps are gone."""
    places = defaultdict(list)
    for step in steps:
        if step.index not in placed:
            places[_step_digest(step)].append(step.index)
    left = []
    for edit, digest in astray:
        if places[digest]:
            index = min(places[digest], key=lambda place: abs(place - edit.index))
            places[digest].remove(index)
            placed[index] = replace(edit, index=index)
        else:
            left.append(edit)
    return left


def _step_digest(step: Step) -> str:
    """A digest of everything but the step's number, which depends on the steps before it."""
    value = step.value
    if isinstance(value, dict):
        value = {name: member for name, member in value.items() if name != "step_id"}
    return _digest(json.dumps(value, sort_keys=True))


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
