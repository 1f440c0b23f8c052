"""The changes of a what-if, what they make of a trace, and the score with them.

The file stays as it is. Pure, and quick enough for every move of a slider: a scenario gives other
facts and values, which ``assess`` judges.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from hashlib import sha256
from typing import NamedTuple, Self

from kpinspector.scoring.formula.assess import (
    Assessment,
    ScoreRange,
    assess_values,
    measured_score,
    nearest_float,
    score_of,
    value_for,
    values_of,
)
from kpinspector.scoring.formula.measurement import Facts, Measurement, Novelty, facts_of
from kpinspector.scoring.formula.overrides import Rule, composite_for, firing_rules, flipped_rules
from kpinspector.scoring.formula.profiles import PROFILES, Dimension, Profile, Values
from kpinspector.trace.javascript import JsonObject, JsonValue
from kpinspector.trace.model import ReasoningTrace, Step, StepType, step_from_json
from kpinspector.trace.schema import find_issues, passes


@dataclass(frozen=True, slots=True)
class StepEdit:
    """What is changed in one step of the file; a tool of "" takes the tool away."""

    index: int
    left_out: bool = False
    type: str | None = None
    tool: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is changed."""
        return not self.left_out and self.type is None and self.tool is None


@dataclass(frozen=True, slots=True)
class AddedStep:
    """A step without content at the end."""

    type: StepType
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """All changes of one what-if; without arguments there are none.

    Attributes:
        complexity: Set by hand; replaces the value from the other changes, as the next three do.
        edits: In the order of the steps, at most one for each step.
        measured_novelty: Novelty measured again, on the text with these edits.
        profile: A named profile, or one called ``CUSTOM`` with other weights.
    """

    complexity: float | None = None
    novelty: float | None = None
    tool_diversity: float | None = None
    outcome_confidence: float | None = None
    confidence: float | None = None
    success: bool | None = None
    edits: tuple[StepEdit, ...] = ()
    added: tuple[AddedStep, ...] = ()
    measured_novelty: Novelty | None = None
    profile: Profile | None = None
    threshold: float | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is changed."""
        return self == _EMPTY

    @property
    def changes(self) -> int:
        """The number of changes; a step counts once, however much of it is changed."""
        single = (self.confidence, self.success, self.profile, self.threshold)
        unchanged = single.count(None)
        return len(single) - unchanged + sum(map(len, (self.by_hand, self.edits, self.added)))

    @property
    def by_hand(self) -> dict[str, float]:
        """The values set by hand, by the names of their dimensions."""
        values = {str(one): getattr(self, one) for one in Dimension}
        return {name: value for name, value in values.items() if value is not None}

    @property
    def tries_outcome(self) -> bool:
        """Whether it sets success, confidence or the value of outcome confidence."""
        return not (self.confidence is self.success is self.outcome_confidence is None)

    @property
    def left_out(self) -> frozenset[int]:
        """Indices of the steps that are left out; no other change affects the text."""
        return frozenset(edit.index for edit in self.edits if edit.left_out)

    @property
    def edited(self) -> tuple[int, ...]:
        """Indices of the steps that are changed or left out."""
        return tuple(edit.index for edit in self.edits)

    def edit_of(self, index: int) -> StepEdit:
        """The edit of the step with that index; an empty edit if it has none."""
        found = (edit for edit in self.edits if edit.index == index)
        return next(found, StepEdit(index))

    def with_edit(self, edit: StepEdit) -> Self:
        """The scenario with this edit of its step; an empty edit undoes the step's edit."""
        edits = {one.index: one for one in (*self.edits, edit)}
        kept = tuple(edits[index] for index in sorted(edits) if not edits[index].is_empty)
        changed = replace(self, edits=kept)
        same = changed.left_out == self.left_out
        return changed if same else replace(changed, measured_novelty=None)  # another text's

    def value_of(self, dimension: Dimension) -> float | None:
        """The value of the dimension set by hand, or None."""
        value: float | None = getattr(self, dimension)
        return value

    def with_value(self, dimension: Dimension, value: float | None) -> Self:
        """The scenario with this value of a dimension set by hand; None undoes that."""
        return replace(self, **{str(dimension): value})  # type: ignore[arg-type]


_EMPTY = Scenario()


@dataclass(frozen=True, slots=True)
class Draft:
    """A scenario, with what is needed to find its steps again in an edited trace.

    ``edited``: digests of the steps that it edits; ``text``: that of the text on which novelty was
    measured again, or "".
    """

    scenario: Scenario
    steps: int = 0
    edited: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Loss:
    """What of a draft does not fit: edits of steps that are gone; novelty of another text."""

    edits: tuple[StepEdit, ...] = ()
    novelty: bool = False

    def __bool__(self) -> bool:
        return bool(self.edits) or self.novelty


NO_LOSS = Loss()

_ANY_STEP = (step_from_json(0, {"step_id": 0, "type": "thought"}),)
_KEPT = 4


def edited_trace(trace: ReasoningTrace, scenario: Scenario) -> ReasoningTrace:
    """The trace with the changes made; its steps are renumbered."""
    found = _edited_steps(_Same(id(trace), trace), scenario.edits, scenario.added)
    every = (*found.untouched, *found.edited, *found.added)
    in_order = sorted(every, key=lambda step: step.index)
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
    known = facts
    if scenario.tries_outcome and not facts.outcome_known:
        known = replace(facts, confidence_known=True, success_known=True)
    confidence, success = scenario.confidence, scenario.success
    edits, added = scenario.edits, scenario.added
    file = Scenario(confidence=confidence, success=success, edits=edits, added=added)
    if file.is_empty:
        return known
    same = _Same(id(trace), trace)
    counted = _edited_steps(same, edits, added).facts if edits or added else known
    return replace(
        counted,
        confidence=facts.confidence if confidence is None else confidence,
        success=facts.success if success is None else success,
        confidence_known=known.confidence_known,
        success_known=known.success_known,
        schema_valid=_is_valid(same, file, was_valid=facts.schema_valid),
    )


def assumed_in(recorded: Facts, scenario: Scenario) -> tuple[str, ...]:
    """The parts of the outcome neither recorded nor tried, for which a middle value stands in."""
    known = {
        "confidence": recorded.confidence_known
        or not (scenario.confidence is scenario.outcome_confidence is None),
        "success": recorded.success_known or scenario.success is not None,
    }
    return tuple(name for name, is_known in known.items() if not is_known)


@dataclass(frozen=True, slots=True)
class _Same:
    identity: int
    trace: ReasoningTrace = field(compare=False)


class _Steps(NamedTuple):
    """The steps after the edits, by their numbers in the file: unchanged, changed and new ones.

    ``facts``: what is counted in them; counts do not depend on their order.
    """

    untouched: tuple[Step, ...]
    edited: tuple[Step, ...]
    added: tuple[Step, ...]
    facts: Facts


# cached, as moving values and rules leaves the steps as they are


@lru_cache(maxsize=_KEPT)
def _edited_steps(same: _Same, edits: tuple[StepEdit, ...], added: tuple[AddedStep, ...]) -> _Steps:
    steps = same.trace.steps
    by_index = {edit.index: edit for edit in edits if edit.index in range(len(steps))}
    untouched = tuple(step for step in steps if step.index not in by_index)
    edited = tuple(
        _edited(steps[index], edit) for index, edit in by_index.items() if not edit.left_out
    )
    new: list[Step] = []
    for index, one in enumerate(added, len(steps)):
        tool: dict[str, JsonValue] = {"tool": {"name": one.tool}} if one.tool else {}
        new.append(step_from_json(index, {"step_id": index, "type": str(one.type), **tool}))
    every = (*untouched, *edited, *new)
    facts = facts_of(replace(same.trace, steps=every), schema_valid=False)
    return _Steps(untouched, edited, tuple(new), facts)


@lru_cache(maxsize=_KEPT)
def _is_valid(same: _Same, scenario: Scenario, *, was_valid: bool) -> bool:
    """Whether the schema gate passes; unchanged parts that passed before are not checked again."""
    steps, raw = _edited_steps(same, scenario.edits, scenario.added), same.trace.whole

    def holds(scenario: Scenario, some: Sequence[Step]) -> bool:
        return passes(find_issues(_raw(raw or same.trace.raw, scenario, some)))

    # added steps satisfy the schema
    any_step = _ANY_STEP if steps.untouched or steps.added else ()
    if not holds(scenario, steps.edited or any_step):
        return False
    if was_valid or not steps.untouched:
        return True
    if same.trace.steps and steps.untouched == same.trace.steps and holds(Scenario(), _ANY_STEP):
        return False  # the fault is in a step, and none has changed
    return holds(scenario, steps.untouched)


def _raw(of: JsonObject, scenario: Scenario, steps: Sequence[Step]) -> JsonObject:
    raw = {**of, "steps": [step.value for step in steps]}
    for part, name, member in (
        ("metadata", "success", scenario.success),
        ("outcome", "confidence", scenario.confidence),
    ):
        whole = raw[part]
        if member is not None and isinstance(whole, dict):
            raw[part] = {**whole, name: member}
    return raw


def _edited(step: Step, edit: StepEdit) -> Step:
    raw = dict(step.raw)
    if edit.type is not None:
        raw["type"] = str(edit.type)  # a type of ours is no text as it stands
    if edit.tool:
        tool = raw.get("tool")
        raw["tool"] = {**(tool if isinstance(tool, dict) else {}), "name": edit.tool}
    elif edit.tool is not None:
        raw.pop("tool", None)
    return step_from_json(step.index, raw)


def draft_of(scenario: Scenario, trace: ReasoningTrace) -> Draft:
    """The draft of a scenario, by which it can be fitted to an edited version of the trace."""
    edits = tuple(edit for edit in scenario.edits if edit.index in range(len(trace.steps)))
    scenario = replace(scenario, edits=edits)
    digests = tuple(_step_digest(trace.steps[edit.index]) for edit in edits)
    text = _digest(edited_trace(trace, scenario).text) if scenario.measured_novelty else ""
    return Draft(scenario, len(trace.steps), digests, text)


def fitted(draft: Draft, trace: ReasoningTrace) -> tuple[Scenario, Loss]:
    """The part of a draft that fits this trace, and the part that does not.

    An edit follows its step to another place. The edit of a step that has itself changed is kept if
    the trace has as many steps as before. A measured novelty is kept for the same text only.
    """
    edits, lost = _placed(draft, trace.steps)
    scenario = replace(draft.scenario, edits=edits)
    if scenario.measured_novelty and draft.text != _digest(edited_trace(trace, scenario).text):
        return replace(scenario, measured_novelty=None), Loss(lost, novelty=True)
    return scenario, Loss(lost)


def _placed(
    draft: Draft, steps: Sequence[Step]
) -> tuple[tuple[StepEdit, ...], tuple[StepEdit, ...]]:
    placed: dict[int, StepEdit] = {}
    astray, left, lost = [], [], []
    for edit, digest in zip(draft.scenario.edits, draft.edited, strict=True):
        if edit.index < len(steps) and _step_digest(steps[edit.index]) == digest:
            placed[edit.index] = edit
        else:
            astray.append((edit, digest))
    others = [one for one in steps if one.index not in placed] if astray else []
    places = [(one.index, _step_digest(one)) for one in others]
    for edit, digest in astray:
        alike = [index for index, one in places if one == digest and index not in placed]
        if alike:
            index = min(alike, key=lambda place: abs(place - edit.index))
            placed[index] = replace(edit, index=index)
        else:
            left.append(edit)
    for edit in left:
        if len(steps) == draft.steps and edit.index not in placed:
            placed[edit.index] = edit
        else:
            lost.append(edit)
    return tuple(placed[index] for index in sorted(placed)), tuple(lost)


def _step_digest(step: Step) -> str:
    """A digest of everything but the step's number, which depends on the steps before it."""
    value = step.value
    if isinstance(value, dict):
        value = {name: member for name, member in value.items() if name != "step_id"}
    return _digest(json.dumps(value, sort_keys=True))


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def flips(
    judged: Iterable[tuple[Measurement, tuple[float, float]]],
    now: float,
    then: float,
    profiles: Sequence[Profile] = (),
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The number of verdicts that would change, and of those that would be undecided.

    By the threshold ``then`` alone, and with each profile applied to all traces as well.
    ``judged``: measurements that are decided, with their lowest and highest possible scores.
    """
    numbers, still_open = [0] * (1 + len(profiles)), [0] * (1 + len(profiles))
    for measurement, own in judged:
        facts = measurement.facts
        if not facts.schema_valid:
            continue  # the schema gate rejects it, whatever its score
        passes = own[0] >= now
        ends = facts.outcome_ends[:1] if facts.outcome_known else facts.outcome_ends
        value = measurement.novelty.value
        scores = [[measured_score(end, value, one) for one in profiles] for end in ends]
        for place, (low, high) in enumerate((own, *zip(scores[0], scores[-1], strict=True))):
            still_open[place] += (low >= then) is not (high >= then)
            numbers[place] += (low >= then) is (high >= then) is not passes
    return tuple(numbers), tuple(still_open)


@dataclass(frozen=True, slots=True)
class Needed:
    """The smallest value of one dimension with which the score passes, the others held; or None.

    A trace that passes has such a value as well: the one below which it would fail.
    """

    dimension: Dimension
    now: float
    value: float | None


def needed_of(
    values: Values, facts: Facts, profile: Profile, threshold: float
) -> tuple[Needed, ...]:
    """The least value of each dimension that passes, with the others held and the same rules."""
    rules, weights = firing_rules(facts), profile.weights

    def reaches(dimension: Dimension, value: float) -> bool:
        return score_of(replace(values, **{dimension: value}), rules, weights) >= threshold

    found = []
    for one in Dimension:
        now, near = values.of(one), value_for(threshold, one, values, rules, weights)
        least = nearest_float(partial(reaches, one), min(0.0, now), max(1.0, now), near)
        found.append(Needed(one, now, least))
    return tuple(found)


def novelty_needed(possible: ScoreRange) -> float:
    """The novelty at and above which the best outcome passes, where novelty decides that.

    The threshold without the overrides and the other parts, divided by the weight of novelty; to
    12 decimals. It is not above 0 where that outcome passes whatever novelty is.
    """
    best = possible.high
    rules = [one.rule for one in best.overrides if one.applied]
    target = composite_for(rules, best.threshold)
    rest = sum(term.part for term in best.contributions if term.dimension is not Dimension.NOVELTY)
    # without the noise of the division, which would add a unit when rounded up
    return round((target - rest) / best.profile.weights.novelty, 12)


@dataclass(frozen=True, slots=True)
class Changed:
    """The terms that the score of a changed trace needs.

    ``unclamped``: the SDK's own novelty; None where it was set by hand. ``novelty_held``: the model
    would see another text, but the measured novelty is kept.
    """

    facts: Facts
    values: Values
    unclamped: float | None
    novelty_held: bool

    def assess(self, profile: Profile, threshold: float) -> Assessment:
        """The assessment, with every term."""
        return assess_values(self.values, self.facts, profile, threshold, unclamped=self.unclamped)

    def range(self, profile: Profile, threshold: float) -> ScoreRange | None:
        """The possible scores where the outcome is neither recorded nor tried; None otherwise."""
        if self.facts.outcome_known:
            return None
        low, high = (
            assess_values(values, end, profile, threshold, unclamped=self.unclamped)
            for end in self.facts.outcome_ends
            for values in (replace(self.values, outcome_confidence=end.outcome_confidence),)
        )
        return ScoreRange(low, high)


def changed(trace: ReasoningTrace, measurement: Measurement, scenario: Scenario) -> Changed:
    """The changed terms that a scenario makes of a trace and its measurement."""
    facts = edited_facts(trace, measurement.facts, scenario)
    novelty = scenario.measured_novelty or measurement.novelty
    reach, seen, gone = novelty.reach, trace.steps, scenario.left_out
    if reach is not None and reach.truncated:
        seen = seen[: 0 if reach.ends_at_step is None else reach.ends_at_step + 1]
    fresh = scenario.measured_novelty is not None or scenario.novelty is not None
    return Changed(
        facts=facts,
        values=replace(values_of(facts, novelty.value), **scenario.by_hand),
        unclamped=novelty.unclamped if scenario.novelty is None else None,
        novelty_held=bool(gone)
        and not fresh
        and any(one.index in gone and one.content.strip() for one in seen),
    )


@dataclass(frozen=True)
class WhatIf(Changed):
    """A score with and without a scenario; the rest is computed when it is first needed."""

    now: Assessment
    then: Assessment

    @cached_property
    def flips(self) -> tuple[Rule, ...]:
        """Rules that fire with the scenario or without it, but not both."""
        return flipped_rules(self.now.overrides, self.then.overrides)

    @cached_property
    def profiles(self) -> tuple[Assessment, ...]:
        """The changed trace under each of the named profiles."""
        then = self.then
        return tuple(
            then if one == then.profile else self.assess(one, then.threshold) for one in PROFILES
        )

    @cached_property
    def possible(self) -> ScoreRange | None:
        """The possible scores with the scenario, where the outcome is unknown."""
        return self.range(self.then.profile, self.then.threshold)

    @cached_property
    def ranges(self) -> tuple[ScoreRange | None, ...]:
        """``possible`` for each of ``profiles``."""
        return tuple(self.range(one.profile, one.threshold) for one in self.profiles)

    @cached_property
    def needed(self) -> tuple[Needed, ...]:
        """The value that each dimension needs on its own, with the scenario's other values."""
        return needed_of(self.values, self.facts, self.then.profile, self.then.threshold)


def what_if(
    now: Assessment, trace: ReasoningTrace, measurement: Measurement, scenario: Scenario
) -> WhatIf:
    """Judge a trace with a scenario, which may set another profile and threshold than ``now``."""
    case = changed(trace, measurement, scenario)
    then = case.assess(*rules_under(scenario, now.profile, now.threshold))
    return WhatIf(case.facts, case.values, case.unclamped, case.novelty_held, now, then)


def rules_under(scenario: Scenario, profile: Profile, threshold: float) -> tuple[Profile, float]:
    """The profile and threshold of a scenario; the given ones where it sets none."""
    return (
        scenario.profile or profile,
        threshold if scenario.threshold is None else scenario.threshold,
    )
