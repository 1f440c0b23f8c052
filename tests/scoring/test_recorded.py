"""Whatever is said to give the recorded score gives it, and nothing that gives it is missed."""

import math
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kpinspector.scoring.formula.assess import assess, assess_values, values_of
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES
from kpinspector.scoring.report.recorded import Cause, OtherNovelty, recorded
from tests.cases import build, cases

THOUGHT, RECOVERY = {"type": "thought"}, {"type": "error_recovery"}
CALL = {"type": "tool_call", "tool": {"name": "a"}}
RECOVERIES = [RECOVERY] * 3


def found_for(case, score):
    trace, measurement, profile, _ = build(case)
    metadata = replace(trace.metadata, quality_score=score)
    return recorded(replace(trace, metadata=metadata), measurement, profile)


def score_at(case, novelty):
    facts, profile = build(case)[1].facts, case[4]
    return assess_values(values_of(facts, novelty), facts, profile, 0.0).score


def stands_for(found, score):
    """Whether a score, rounded up or down, can have been written as the recorded number."""
    half = Decimal(5).scaleb(-found.decimals - 1)
    return abs(Decimal(repr(score)) - Decimal(repr(found.score))) <= half


def by_hand(facts, weights, novelty, without=()):
    """The formula once more, with rules left out."""
    score = (
        facts.complexity * weights.complexity
        + novelty * weights.novelty
        + facts.tool_diversity * weights.tool_diversity
        + facts.outcome_confidence * weights.outcome_confidence
    )
    if facts.single_thought and Rule.SINGLE_THOUGHT not in without:
        score = 0.1
    if facts.error_recoveries > 2 and facts.success and Rule.RECOVERY_BONUS not in without:
        score = min(1, score + 0.1)
    if facts.tool_steps and facts.unique_tools <= 1 and Rule.TOOL_MONOTONY not in without:
        score = max(0, score - 0.1)
    return score


@settings(deadline=None)
@given(cases, st.floats(0, 1), st.sampled_from([2, 3, 4, 6, 17]))
def test_the_solved_novelty_gives_the_recorded_score(case, novelty, decimals):
    score = round(score_at(case, novelty), decimals)
    assume(score != 0)
    found = found_for(case, score)
    assert found.novelty.low <= novelty <= found.novelty.high
    for end in (found.novelty.low, found.novelty.high):
        assert stands_for(found, score_at(case, end))
    below = math.nextafter(found.novelty.low, -1)
    above = math.nextafter(found.novelty.high, 2)
    assert below < 0 or not stands_for(found, score_at(case, below))
    assert above > 1 or not stands_for(found, score_at(case, above))


@settings(deadline=None)
@given(cases, st.data())
def test_no_cause_is_missed_and_none_is_wrong(case, data):
    _, measurement, profile, _ = build(case)
    facts, held = measurement.facts, measurement.novelty
    fired = [one.rule for one in assess(measurement, profile, 0).overrides if one.applied]
    every = {}
    for other in (None, *(one for one in PROFILES if one is not profile)):
        for novelty, value in (
            (None, held.value),
            (OtherNovelty.EMPTY_CACHE, 0.5),
            (OtherNovelty.UNCLAMPED, held.unclamped),
        ):
            for without in {(), *((rule,) for rule in fired), tuple(fired)}:
                weights = (other or profile).weights
                every[Cause(other, novelty, without)] = by_hand(facts, weights, value, without)
    score = data.draw(st.sampled_from([round(one, 3) for one in every.values()]))
    assume(score != 0)
    found = found_for(case, score)
    assert found.recomputed == every[Cause()]
    assert found.agrees is stands_for(found, every[Cause()])
    if found.agrees:
        assert not found.causes
        return
    right = {cause for cause, other in every.items() if stands_for(found, other)}
    assert set(found.causes) <= right
    # where nothing is clamped, or 0.5 all the same, the other novelty is no cause
    smallest = min((cause.size for cause in right), default=3)
    told = {cause for cause in right if cause.size == smallest and smallest <= 2}
    if not held.clamped:
        told = {one for one in told if one.novelty is not OtherNovelty.UNCLAMPED}
    if held.value == 0.5:
        told = {one for one in told if one.novelty is not OtherNovelty.EMPTY_CACHE}
    assert set(found.causes) == told


@pytest.mark.parametrize("score", [None, 0, 0.0, -0.0])
def test_nothing_is_said_where_nothing_is_recorded(score):
    assert found_for(([THOUGHT, CALL], 0.9, True, 0.4, DEFAULT, 0.75), score) is None


@pytest.mark.parametrize(
    ("score", "decimals"), [(0.8, 2), (1, 2), (1.0, 2), (0.123, 3), (1e-7, 7), (0.1 + 0.2, 17)]
)
def test_a_number_is_compared_at_the_decimals_that_it_shows(score, decimals):
    assert found_for(([THOUGHT, CALL], 0.9, True, 0.4, DEFAULT, 0.75), score).decimals == decimals


def test_a_clamped_sum_leaves_a_range_of_novelty():
    steps = [*RECOVERIES, CALL, {"type": "tool_call", "tool": {"name": "b"}}, THOUGHT]
    case = (steps, 1.0, True, 0.1, PROFILES[2], 0.75)
    found = found_for(case, 1)
    assert found.agrees and found.novelty.high == 1.0 and score_at(case, found.novelty.low) < 1
