"""Changes that reach only together: no fewer do, each is the smallest beside the others."""

import itertools
from dataclasses import replace
from math import inf, nextafter
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kpinspector.scoring.formula.assess import assess, assess_values, values_of
from kpinspector.scoring.formula.measurement import facts_of
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES
from kpinspector.scoring.whatif.changes import ChangeKind, Search, spare_steps, steps_needed
from kpinspector.scoring.whatif.counterfactuals import counterfactuals
from kpinspector.scoring.whatif.scenario import edited_trace
from kpinspector.trace.model import StepType, step_from_json
from tests.cases import build, cases, steps, what_if

MEDICAL = PROFILES[3]
FEW = st.tuples(
    st.lists(steps, min_size=1, max_size=5), st.floats(0, 1), st.booleans(),
    st.none() | st.floats(-1, 1), st.sampled_from(PROFILES), st.floats(0.2, 1),
)  # fmt: skip


def combined(*case):
    return tuple(Search(*case).combinations())


def grown(case, tools, recoveries, types, removals):
    """The steps with so many more or fewer, or None where there are none to spare or to add."""
    trace = build(case)[0]
    kinds = {step.kind for step in trace.steps} | ({StepType.TOOL_CALL} if tools else set())
    missing = [one for one in StepType if one not in kinds and one != StepType.ERROR_RECOVERY]
    spare = [step.index for step in spare_steps(trace, succeeds=trace.metadata.success)]
    if types > len(missing) or removals > len(spare):
        return None
    added: list[Any] = [
        *({"type": "tool_call", "tool": {"name": f"fresh {n}"}} for n in range(tools)),
        *({"type": "error_recovery"} for _ in range(recoveries)),
        *({"type": str(one)} for one in missing[:types]),
    ]
    left = [step for step in trace.steps if step.index not in spare[:removals]]
    return (*left, *(step_from_json(0, one) for one in added))


def reaches(case, amounts):
    """Whether these amounts of levers reach, by the real assessment of a trace with those steps."""
    trace, measurement, profile, threshold = build(case)
    names = ("tools", "recoveries", "types", "removals")
    every = grown(case, *(amounts.get(name, 0) for name in names))
    if every is None:
        return False
    facts = facts_of(replace(trace, steps=every), schema_valid=True)
    facts = replace(
        facts,
        success=facts.success or "outcome" in amounts,
        confidence=max(facts.confidence, amounts.get("outcome", 0.0)),
    )
    held = measurement.novelty.value
    novelty = max(held, 1.0 - amounts["similarity"]) if "similarity" in amounts else held
    return assess_values(values_of(facts, novelty), facts, profile, threshold).score_passes


GRID = {
    "outcome": (0.0, 0.5, 1.0),
    "similarity": (0.5, 0.0),
    "tools": (1, 2, 3, 5),
    "recoveries": (1, 2, 3, 5),
    "types": (1, 2, 3),
    "removals": (1, 2, 3),
}


def fewest_levers(case, most):
    """How many levers of the grid it takes, ``most`` at most; None where more are needed."""
    for number in range(most + 1):
        for levers in itertools.combinations(GRID, number):
            for amounts in itertools.product(*(GRID[one] for one in levers)):
                if reaches(case, dict(zip(levers, amounts, strict=True))):
                    return number
    return None


@settings(deadline=None, max_examples=60)
@given(FEW)
@example(([{"type": "thought"}] * 3, 0.9, False, 0.9, DEFAULT, 0.6))
@example(([{"type": "thought"}] * 3, 0.3, True, 0.9, DEFAULT, 0.75))
@example(([{"type": "error_recovery"}] * 5, 0.9, False, 0.9, DEFAULT, 0.8))
def test_no_fewer_levers_of_a_grid_reach(case):
    found = combined(*build(case))
    fewest = fewest_levers(case, 2)
    if found:
        (number,) = {len(one.changes) for one in found}
        assert number in (2, 3) and fewest in (None, number)
    else:  # a lever alone reaches, none has to, or three are not enough
        singles = counterfactuals(*build(case)).changes
        passes = assess(*build(case)[1:]).score_passes
        assert fewest is None or passes or any(one.after.score_passes for one in singles)


NAMES = {
    ChangeKind.SIMILARITY: "similarity",
    ChangeKind.TOOLS: "tools",
    ChangeKind.RECOVERIES: "recoveries",
    ChangeKind.NEW_TYPES: "types",
}
SHORT = [
    {"type": "thought", "tool": {"name": "a"}},
    *[{"type": "thought", "tool": {"name": "b"}}] * 2,
    {"type": "tool_call"},
    {"type": "observation", "tool": {"name": "b"}},
]
BEST = {"outcome": (1.0,), "similarity": (0.0,)}


@settings(deadline=None, max_examples=60)
@given(FEW)
@example(([{"type": "thought"}], 0.9, True, 0.9, PROFILES[2], 0.6))
@example(([{"type": "thought"}], 0.9, True, 0.9, DEFAULT, 0.7))
@example(([{"type": "tool_call", "tool": {"name": "a"}}], 0.9, False, 0.9, PROFILES[2], 0.6))
@example((SHORT, 0.6, True, 0.1, DEFAULT, 0.94))
def test_no_other_number_of_the_same_steps_is_less(case):
    for one in combined(*build(case)):
        kinds = [change.kind for change in one.changes]
        if ChangeKind.REMOVALS in kinds:
            continue
        names = [NAMES.get(kind, "outcome") for kind in kinds]
        steps = len(one.scenario.added) + len(one.scenario.edits)
        counts = range(1, min(steps, 8))
        for amounts in itertools.product(*(BEST.get(name, counts) for name in names)):
            chosen = dict(zip(names, amounts, strict=True))
            if sum(chosen.get(name, 0) for name in ("tools", "recoveries", "types")) < steps:
                assert not reaches(case, chosen)


def less(change, scenario):
    """The scenario with a hair less of one of its changes."""
    match change.kind:
        case ChangeKind.OUTCOME | ChangeKind.CONFIDENCE:
            return replace(scenario, confidence=nextafter(change.amount, -inf))
        case ChangeKind.SUCCESS:
            return replace(scenario, success=None)
        case ChangeKind.SIMILARITY:
            return replace(scenario, novelty=min(1.0, 1.0 - nextafter(change.amount, 2)))
        case ChangeKind.REMOVALS:
            first = change.scenario.edits[0]
            return replace(scenario, edits=tuple(one for one in scenario.edits if one != first))
    added = list(scenario.added)
    added.remove(change.scenario.added[-1])
    return replace(scenario, added=tuple(added))


@settings(deadline=None)
@given(cases)
@example(([{"type": "thought"}] * 3, 0.9, False, 0.9, DEFAULT, 0.6))
@example(([{"type": "thought"}] * 3, 0.3, True, 0.9, DEFAULT, 0.75))
def test_each_reaches_and_with_a_hair_less_of_anything_it_does_not(case):
    trace, measurement, profile, threshold = build(case)
    found = combined(trace, measurement, profile, threshold)
    assert len(found) <= 3
    for one in found:
        tried = what_if(trace, measurement, one.scenario, profile, threshold)
        assert tried.then == one.after and one.after.score_passes
        assert tried.flips == one.flips and one.before == tried.now.score
        assert not any(change.after.score_passes for change in one.changes)
        for change in one.changes:
            smaller = less(change, one.scenario)
            after = what_if(trace, measurement, smaller, profile, threshold).then
            assert not after.score_passes


@settings(deadline=None, max_examples=60)
@given(FEW)
@example(([{"type": "thought"}] * 3, 0.9, True, 0.9, DEFAULT, 0.8))
def test_the_steps_that_are_needed_are_enough_at_its_best_and_no_fewer_are(case):
    best = (case[0], 1.0, True, 0.0, *case[4:])
    if reaches(best, {}):
        return
    found = steps_needed(*build(case))
    own = max((len(used(one)) for one in found), default=3)
    for one in found:
        assert reaches(best, used(one))
        for name, count in used(one).items():
            assert not reaches(best, used(one) | {name: count - 1})
    grid = {name: GRID[name] for name in ("tools", "recoveries", "types")}
    for number in range(1, own):
        for levers in itertools.combinations(grid, number):
            for amounts in itertools.product(*(grid[name] for name in levers)):
                assert not reaches(best, dict(zip(levers, amounts, strict=True)))


def used(counts):
    names = ("tools", "recoveries", "types", "removals")
    return {name: getattr(counts, name) for name in names if getattr(counts, name)}


def test_steps_that_are_left_out_are_named():
    kinds = ["error_recovery", "observation", *["thought"] * 14]
    calls = [{"type": "tool_call", "tool": {"name": name}} for name in "ab"]
    case = ([*calls, *({"type": kind} for kind in kinds)], 0.8, False, 0.5, PROFILES[2], 0.8)
    trace = build(case)[0]
    last = combined(*build(case))[-1]
    assert [one.kind for one in last.changes] == [ChangeKind.REMOVALS, ChangeKind.OUTCOME]
    assert last.scenario.left_out == {*range(6, 18)}
    assert len(edited_trace(trace, last.scenario).steps) == 6


def test_the_bonus_that_a_success_earns_is_not_left_out():
    recoveries = [{"type": "error_recovery"}] * 8
    calls = [{"type": "tool_call", "tool": {"name": name}} for name in "ab"]
    case = ([*recoveries, *calls], 0.4, False, 0.5, PROFILES[2], 0.88)
    for one in combined(*build(case)):
        if one.scenario.success and one.scenario.left_out:
            bonus = one.after.overrides[1]
            assert bonus.rule is Rule.RECOVERY_BONUS and bonus.applied


def test_nothing_is_combined_where_nothing_has_to_be_or_one_change_is_enough():
    easy = ([{"type": "thought"}] * 3, 0.9, True, 0.5, DEFAULT, 0.1)
    single = ([{"type": "thought"}] * 3, 0.9, True, 0.5, DEFAULT, 0.55)
    hopeless = ([{"type": "thought"}], 0.9, True, 0.5, DEFAULT, 1.5)
    for case in (easy, single, hopeless):
        assert combined(*build(case)) == ()
    assert steps_needed(*build(hopeless)) == ()


@pytest.mark.parametrize("number", [40, 4000])
def test_a_long_run_takes_no_longer_for_each_step(number):
    """Asked of few numbers of steps, not of each: a run of 4,000 steps would take minutes."""
    run = [{"type": "thought"}] * number
    found = combined(*build((run, 0.2, False, 0.99, DEFAULT, 0.9)))
    assert all(one.after.score_passes for one in found)
