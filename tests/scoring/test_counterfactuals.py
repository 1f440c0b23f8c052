"""Every change shown reaches the threshold, its neighbour does not, and none is missed."""

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kpinspector.scoring.formula.assess import Verdict, assess, assess_values, values_of
from kpinspector.scoring.formula.measurement import Measurement, facts_of
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES, Dimension, Profile, Weights
from kpinspector.scoring.whatif.changes import ChangeKind, spare_steps
from kpinspector.scoring.whatif.counterfactuals import counterfactuals
from kpinspector.trace.javascript import JsonValue
from kpinspector.trace.model import StepType, step_from_json, trace_from_json
from tests.cases import build, cases, novelty, steps
from tests.fakes import make_raw

MEDICAL = PROFILES[3]
TOOL = {"tool": {"name": "grep"}}
CALL = {"type": "tool_call"} | TOOL
RECOVERY = {"type": "error_recovery"}


def score(facts, novelty_value, profile, threshold):
    return assess_values(values_of(facts, novelty_value), facts, profile, threshold)


@settings(deadline=None)
@given(cases)
def test_what_is_shown_reaches_and_the_next_smaller_change_does_not(case):
    trace, measurement, profile, threshold = build(case)
    facts, value = measurement.facts, measurement.novelty.value
    found = counterfactuals(trace, measurement, profile, threshold)
    if assess(measurement, profile, threshold).score_passes:
        assert not found.changes and not found.needed
        return
    for change in found.changes:
        assert change.after.score_passes and change.after.score > change.before
        if change.kind is ChangeKind.CONFIDENCE:
            less = replace(facts, confidence=math.nextafter(change.amount, facts.confidence))
            assert not score(less, value, profile, threshold).score_passes
        if change.kind is ChangeKind.SIMILARITY:
            less = math.nextafter(change.amount, 2)
            assert not score(facts, min(1, 1 - less), profile, threshold).score_passes


@pytest.mark.slow
@settings(deadline=None)
@given(cases)
def test_the_smallest_number_of_steps_is_found(case):
    trace, measurement, profile, threshold = build(case)
    if assess(measurement, profile, threshold).score_passes:
        return
    shown = {
        change.kind: change
        for change in counterfactuals(trace, measurement, profile, threshold).changes
        if change.after.score_passes
    }
    observes = any(step.kind is StepType.OBSERVATION for step in trace.steps)
    kinds: tuple[tuple[ChangeKind, Callable[[int], JsonValue]], ...] = (
        (ChangeKind.RECOVERIES, lambda _: {"type": "error_recovery"}),
        (ChangeKind.OBSERVATIONS, lambda _: {"type": "observation"}),
        (ChangeKind.THOUGHTS, lambda _: {"type": "thought"}),
        (ChangeKind.TOOLS, lambda n: {"type": "tool_call", "tool": {"name": f"fresh {n}"}}),
    )
    for kind, step_of in kinds:
        reached = None
        if kind is ChangeKind.OBSERVATIONS and observes:
            assert kind not in shown
            continue
        for count in range(1, 113):
            added = [step_from_json(0, step_of(n)) for n in range(count)]
            facts = facts_of(replace(trace, steps=(*trace.steps, *added)), schema_valid=True)
            if score(facts, measurement.novelty.value, profile, threshold).score_passes:
                reached = count
                break
        assert (shown[kind].amount if kind in shown else None) == reached


FEW = st.tuples(
    st.lists(steps, max_size=4), st.one_of(st.floats(0, 1), st.floats(-2, 3)), st.booleans(),
    st.one_of(st.none(), st.floats(-1, 1)), st.sampled_from(PROFILES), st.floats(0, 1),
)  # fmt: skip


def types_within_reach(trace):
    """Steps of any types that the schema knows or the trace has, up to three more."""
    own = {step.raw["type"] for step in trace.steps}
    types = sorted({*StepType, *own})
    for more in range(4):
        every = [*trace.steps, *(step_from_json(0, {"type": "thought"}) for _ in range(more))]
        for chosen in combinations_with_replacement(types, len(every)):
            yield [
                step_from_json(0, one.raw | {"type": new})
                for one, new in zip(every, chosen, strict=True)
            ]


def tools_within_reach(trace):
    """New tools in any of the steps, and up to 40 calls more."""
    for more in range(41):
        every = [*trace.steps, *(step_from_json(0, {"type": "tool_call"}) for _ in range(more))]
        for count in range(len(every) + 1):
            yield [
                step_from_json(0, one.raw | {"tool": {"name": f"fresh {n}"}} if n < count
                               else one.raw)
                for n, one in enumerate(reversed(every))
            ]  # fmt: skip


def is_within_reach(dimension, case):
    """Whether some value that the dimension can have reaches the threshold, by trying them."""
    trace, measurement, profile, threshold = build(case)
    facts, value = measurement.facts, measurement.novelty.value

    def passes(facts, value=value):
        return score(facts, value, profile, threshold).score_passes

    def passes_with(ways):
        found = (facts_of(replace(trace, steps=tuple(one)), schema_valid=True) for one in ways)
        return any(map(passes, found))

    grid = [n / 100 for n in range(101)]
    match dimension:
        case Dimension.NOVELTY:
            return any(passes(facts, one) for one in grid)
        case Dimension.OUTCOME_CONFIDENCE:
            return any(
                passes(replace(facts, confidence=one, success=success or facts.success))
                for one in (*grid, facts.confidence)
                for success in (False, True)
            )
        case Dimension.TOOL_DIVERSITY:
            return passes_with(tools_within_reach(trace))
        case Dimension.COMPLEXITY:
            ways = types_within_reach(trace)
            if not trace.steps:  # a lone thought is a change of its own, for what its rule gives
                ways = (one for one in ways if [step.kind for step in one] != [StepType.THOUGHT])
            return passes_with(ways)


@settings(deadline=None, max_examples=150)
@given(FEW, st.sampled_from(Dimension))
@example(([{"type": "thought"}], 0.9334, False, 0.2, MEDICAL, 0.6), Dimension.OUTCOME_CONFIDENCE)
@example(([{"type": "thought"} | TOOL], 0.9, True, 0.5, PROFILES[2], 0.69), Dimension.COMPLEXITY)
@example(([], -1.0, True, None, PROFILES[1], 0.0), Dimension.COMPLEXITY)
def test_a_dimension_is_reached_by_a_change_or_not_within_reach(case, dimension):
    found = counterfactuals(*build(case))
    if assess(*build(case)[1:]).score_passes:
        assert not found.needed and not found.changes
        return
    reached = {one.dimension for one in found.changes if one.after.score_passes}
    needed = next(one for one in found.needed if one.dimension is dimension)
    assert needed.value is None or dimension in reached
    if dimension not in reached:
        assert not is_within_reach(dimension, case)


def shown(case, kind):
    """What is found of one kind; None where nothing is, or the score passes as it is."""
    trace, measurement, profile, threshold = build(case)
    if assess(measurement, profile, threshold).score_passes:
        return None
    changes = counterfactuals(trace, measurement, profile, threshold).changes
    return next((one for one in changes if one.kind is kind and one.after.score_passes), None)


def passes_with(case, steps_left):
    trace, measurement, profile, threshold = build(case)
    facts = facts_of(replace(trace, steps=tuple(steps_left)), schema_valid=True)
    return score(facts, measurement.novelty.value, profile, threshold).score_passes


long_runs = st.tuples(
    st.lists(steps, min_size=1, max_size=4),
    st.lists(st.tuples(steps, st.integers(1, 60)), max_size=3),
).map(lambda parts: parts[0] + [step for step, times in parts[1] for _ in range(times)])


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(st.one_of(cases, cases.flatmap(lambda case: long_runs.map(lambda run: (run, *case[1:])))))
def test_the_fewest_steps_to_leave_out_are_found(case):
    trace = build(case)[0]
    change = shown(case, ChangeKind.REMOVALS)
    spare = [step.index for step in spare_steps(trace, succeeds=trace.metadata.success)]
    fewest = next(
        (
            count
            for count in range(1, len(spare) + 1)
            if passes_with(case, [one for one in trace.steps if one.index not in spare[:count]])
        ),
        None,
    )
    if passes_with(case, trace.steps):
        fewest = None
    assert (change.amount if change else None) == fewest
    assert change is None or change.novelty_held


def brought(facts):
    enough = facts.error_recoveries >= 3 and facts.success
    return facts.unique_types, facts.unique_tools, bool(facts.error_recoveries), enough


@settings(deadline=None)
@given(cases)
def test_a_spare_step_brings_nothing(case):
    trace = build(case)[0]
    spare = {step.index for step in spare_steps(trace, succeeds=trace.metadata.success)}
    every, rest = (
        facts_of(replace(trace, steps=tuple(kept)), schema_valid=True)
        for kept in (trace.steps, [one for one in trace.steps if one.index not in spare])
    )
    assert brought(every) == brought(rest)
    left = [step for step in trace.steps if step.index not in spare]
    for step in left:
        fewer = tuple(one for one in left if one is not step)
        less = facts_of(replace(trace, steps=fewer), schema_valid=True)
        assert brought(less) != brought(rest)


few_steps = cases.map(lambda case: (case[0][:7], *case[1:]))


@settings(deadline=None)
@given(few_steps)
def test_the_fewest_tools_to_take_the_place_of_others_are_found(case):
    trace = build(case)[0]
    change = shown(case, ChangeKind.RENAMES)
    with_tool = [step.index for step in trace.steps if step.tool_key is not None]

    def renamed(chosen):
        for step in trace.steps:
            if step.index in chosen:
                raw = step.raw | {"tool": {"name": f"fresh {step.index}"}}
                yield step_from_json(step.index, raw)
            else:
                yield step

    fewest = next(
        (
            count
            for count in range(1, len(with_tool) + 1)
            if any(passes_with(case, renamed(one)) for one in combinations(with_tool, count))
        ),
        None,
    )
    if passes_with(case, trace.steps):
        fewest = None
    assert (change.amount if change else None) == fewest
    assert change is None or not change.novelty_held


def test_a_second_tool_in_place_of_one_ends_monotony():
    calls = [{"type": "tool_call", "tool": {"name": "grep"}}] * 3
    change = shown((calls, 0.9, True, 0.5, DEFAULT, 0.55), ChangeKind.RENAMES)
    assert change.amount == 1 and change.flips == (Rule.TOOL_MONOTONY,)


def test_a_step_made_a_recovery_among_recoveries_brings_no_type():
    change = shown(([CALL, RECOVERY, RECOVERY], 0.3, True, 0.7, PROFILES[2], 0.5), ChangeKind.TYPES)
    values = {one.dimension: one.value for one in change.after.contributions}
    assert values[Dimension.COMPLEXITY] == 1 / 4 * 0.5 + 0.3 + 3 / 20 * 0.2


def test_a_change_that_mends_the_schema_is_judged_so():
    raw = make_raw(steps=[{"step_id": 0, "type": "thought"}] * 5)
    raw["metadata"]["success"] = None
    trace = trace_from_json(raw)
    measurement = Measurement(facts_of(trace, schema_valid=False), novelty(0.4))
    changes = counterfactuals(trace, measurement, PROFILES[3], 0.5).changes
    verdicts = {
        change.kind: change.after.verdict for change in changes if change.after.score_passes
    }
    assert verdicts[ChangeKind.SUCCESS] is Verdict.ACCEPTED
    assert verdicts[ChangeKind.TOOLS] is Verdict.REJECTED


def test_a_single_thought_cannot_be_helped_by_any_value_alone():
    case = ([{"type": "thought"}], 1.0, True, 0.0, DEFAULT, 0.5)
    found = counterfactuals(*build(case))
    assert [needed.value for needed in found.needed] == [None] * 4
    recovery = next(one for one in found.changes if one.kind is ChangeKind.RECOVERIES)
    assert Rule.SINGLE_THOUGHT in recovery.flips
    assert shown((*case[:-1], 0.4), ChangeKind.THOUGHTS).amount == 1


def test_what_a_run_can_do_comes_first():
    step_list = [{"type": "thought"}, *({"type": "tool_call", "tool": {"name": "a"}},) * 2]
    case = (step_list, 0.6, True, 0.5, PROFILES[0])
    threshold = assess(*build((*case, 0.75))[1:]).score + 0.02
    kinds = [one.kind.value for one in counterfactuals(*build((*case, threshold))).changes]
    assert kinds == [
        *("recoveries", "observations", "thoughts"),
        *("tools", "renames", "confidence", "similarity"),
    ]


def test_an_assumed_novelty_has_no_neighbour_to_be_farther_from():
    found = counterfactuals(*build(([{"type": "thought"}] * 3, 0.9, True, None, DEFAULT, 0.6)))
    assert ChangeKind.SIMILARITY not in {change.kind for change in found.changes}


def test_one_more_observation_is_a_change_only_where_there_is_none():
    for run in ([{"type": "thought"}] * 3, [{"type": "thought"}, {"type": "observation"}]):
        case = (run, 0.9, True, 0.5, DEFAULT)
        now = assess(*build((*case, 0.0))[1:]).score
        found = shown((*case, now + 0.004), ChangeKind.OBSERVATIONS)
        assert (found is None) is ({"type": "observation"} in run)
        assert shown((*case, now + 0.004), ChangeKind.THOUGHTS).amount == 2


CALLS = [{"type": "tool_call", "tool": {"name": name}} for name in "abcde"]
THOUGHT = {"type": "thought"}


@pytest.mark.parametrize(
    "run",
    [[*CALLS, RECOVERY, {"type": "observation"}, *[THOUGHT] * 40], [*CALLS[:2], *[THOUGHT] * 5]],
)
def test_the_fewest_steps_are_found_where_complexity_stops_to_be_full(run):
    """Fewer steps raise the score until complexity falls below 1, then lower it, then raise it.

    In the short run complexity is never full, and one step fewer is enough.
    """
    for weights in (Weights(0.6, 0.2, 0.05, 0.15), Weights(0.3, 0.3, 0.3, 0.1)):
        profile = Profile("own", weights)
        trace = build((run, 0.9, True, 0.5, profile, 0.0))[0]
        spare = [step.index for step in spare_steps(trace, succeeds=trace.metadata.success)]
        scores = []
        for count in range(len(spare) + 1):
            left = [one for one in trace.steps if one.index not in spare[:count]]
            facts = facts_of(replace(trace, steps=tuple(left)), schema_valid=True)
            scores.append(score(facts, 0.5, profile, 0.0).score)
        assert max(scores) > scores[0]
        for count, reached in enumerate(scores):
            if reached > max(scores[:count], default=math.inf):
                case = (run, 0.9, True, 0.5, profile, reached)
                assert shown(case, ChangeKind.REMOVALS).amount == count
        over = (run, 0.9, True, 0.5, profile, math.nextafter(max(scores), 2))
        assert shown(over, ChangeKind.REMOVALS) is None
