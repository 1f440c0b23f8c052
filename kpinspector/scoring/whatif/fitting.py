"""A scenario that was tried on a trace, tried on what the trace has become."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from kpinspector.scoring.whatif.edited import edited_trace
from kpinspector.scoring.whatif.scenario import Draft, Loss, NamedScenario, Scenario, StepEdit
from kpinspector.trace.model import ReasoningTrace, Step


def content_of(trace: ReasoningTrace) -> str:
    """A digest of the whole trace; the order of members does not count."""
    return _digest(json.dumps(trace.raw, sort_keys=True))


def draft_of(scenario: Scenario, trace: ReasoningTrace) -> Draft:
    """What is kept of a scenario of this trace."""
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
    """The scenario as far as it goes on this trace, and what of it does not.

    An edit follows its step. A step that was changed itself keeps its edit where the trace has as
    many steps as it had. All else holds for any text, but novelty only for the one it was measured
    of.
    """
    edits, lost = _placed(draft, trace.steps)
    scenario = replace(draft.scenario, edits=edits)
    if scenario.measured_novelty is None or draft.text == _digest(
        edited_trace(trace, scenario).text
    ):
        return scenario, Loss(lost)
    return replace(scenario, measured_novelty=None), Loss(lost, novelty=True)


def with_draft(named: NamedScenario, trace: ReasoningTrace) -> NamedScenario:
    """A saved scenario that can be fitted to what this trace becomes."""
    if named.draft is not None:
        return named
    return replace(named, draft=draft_of(named.scenario, trace))


def refitted(named: NamedScenario, trace: ReasoningTrace) -> NamedScenario:
    """A saved scenario on what its trace has become, always as it was saved."""
    if named.draft is None:
        return named
    scenario, loss = fitted(named.draft, trace)
    return replace(named, scenario=scenario, loss=loss)


def _placed(
    draft: Draft, steps: Sequence[Step]
) -> tuple[tuple[StepEdit, ...], tuple[StepEdit, ...]]:
    """The edits under the numbers that their steps have now, and those without a step."""
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
    """Place edits where their steps stand now; gives those whose steps are nowhere."""
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
    """Of all but the step's number, which changes with every step that comes before it."""
    value = step.value
    if isinstance(value, dict):
        value = {name: member for name, member in value.items() if name != "step_id"}
    return _digest(json.dumps(value, sort_keys=True))


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
