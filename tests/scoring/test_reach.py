"""What a trace can reach: every bound is the last double that passes, no grid point says more."""

import itertools
import math
from dataclasses import replace
from math import inf, isnan, nan, nextafter

from hypothesis import example, given, settings
from hypothesis import strategies as st

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import (
    Verdict,
    assess,
    assess_values,
    nearest_float,
    outcome_range,
    values_of,
)
from kpinspector.scoring.formula.measurement import novelty_of
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES, Dimension, Profile, Weights
from kpinspector.scoring.whatif.reach import ReachKind, most_similar, trace_reach
from kpinspector.scoring.whatif.scenario import Scenario
from tests.answers import MEDICAL, measurement, novelty
from tests.cases import build, what_if
from tests.known import present
from tests.scoring.test_whatif import measured, scenarios, similarities, traces

MEASUREMENTS = st.builds(
    lambda similarity, **counted: measurement(novelty(similarity, Basis.MEASURED), **counted),
    st.none() | st.floats(-1, 1), steps=st.integers(0, 40), unique_types=st.integers(0, 5),
    error_recoveries=st.integers(0, 5), tool_steps=st.integers(0, 4),
    unique_tools=st.integers(0, 3), single_thought=st.booleans(),
    confidence=st.floats(0, 1) | st.floats(-3, 3) | st.just(nan), success=st.booleans(),
    schema_valid=st.sampled_from((True, True, True, False)),
)  # fmt: skip
WEIGHTS = st.builds(Weights, *[st.floats(0, 1) | st.sampled_from((0.0, 0.25))] * 4)
RULES = st.sampled_from(PROFILES) | WEIGHTS.map(lambda one: Profile("own", one))
THRESHOLDS = st.floats(0, 1) | st.sampled_from((0.0, 0.1, 0.5, 0.75, 1.0))
GRID = [n / 20 for n in range(21)]


class Case:
    """A measurement under rules, and what it would be with another outcome and novelty."""

    def __init__(self, one, profile, threshold):
        self.facts, self.novelty = one.facts, one.novelty.value
        self._rules = profile, threshold

    def score(self, novelty_value=None, **changes):
        facts = replace(self.facts, **changes)
        value = self.novelty if novelty_value is None else novelty_value
        return assess_values(values_of(facts, value), facts, *self._rules).score

    def passes(self, novelty_value=None, **changes):
        return self.score(novelty_value, **changes) >= self._rules[1]

    @property
    def outcomes(self):
        """All that a better outcome may be, in steps."""
        own = max(1.0, self.facts.confidence)
        successes = {True, self.facts.success}
        return itertools.product((*GRID, self.facts.confidence, own), successes)


@given(MEASUREMENTS, RULES, THRESHOLDS)
@example(measurement(success=False), MEDICAL, 0.75)
@example(measurement(novelty(0.9), success=False, confidence=0.2), DEFAULT, 0.75)
@example(measurement(novelty(0.9), success=False, confidence=2.5), MEDICAL, 1.0)
def test_no_value_on_a_grid_contradicts_the_kind(one, profile, threshold):
    case = Case(one, profile, threshold)
    found = trace_reach(one, profile, threshold)
    assert found.low is found.high and found.kind is found.low.kind
    accepted = assess(one, profile, threshold)
    assert (found.kind is ReachKind.ACCEPTED) is (accepted.verdict is Verdict.ACCEPTED)
    if accepted.score_passes:
        assert found.kind in {ReachKind.ACCEPTED, ReachKind.SCHEMA}
        return
    by_novelty = case.passes(1.0)
    assert (found.kind is ReachKind.NOVELTY) is by_novelty
    if by_novelty:
        return
    assert not any(map(case.passes, GRID))
    endings = [{"confidence": one, "success": yes} for one, yes in case.outcomes]
    if any(case.passes(**ending) for ending in endings):
        assert found.kind is ReachKind.OUTCOME
    elif any(case.passes(1.0, **ending) for ending in endings):
        assert found.kind is ReachKind.BOTH
    else:
        assert found.kind is ReachKind.STRUCTURE


@given(MEASUREMENTS, RULES, THRESHOLDS)
@example(measurement(novelty(0.9), success=False, confidence=0.9), DEFAULT, 0.75)
@example(measurement(novelty(0.9), confidence=0.2), DEFAULT, 0.75)
def test_at_a_bound_it_passes_and_a_hair_beyond_it_does_not(one, profile, threshold):
    case = Case(one, profile, threshold)
    found = trace_reach(one, profile, threshold).low
    own, least, most = one.facts.confidence, found.confidence, found.similarity
    asked = {ReachKind.NOVELTY: (False, True), ReachKind.OUTCOME: (True, False)}
    asked[ReachKind.BOTH] = (True, True)
    bounds = (least is not None, most is not None)
    assert bounds == asked.get(found.kind, (False, False))
    if most is not None and least is None:
        assert case.passes(novelty_of(most)) and not case.passes(novelty_of(nextafter(most, 2)))
    if least is None:
        return
    held = None if most is None else novelty_of(most)
    assert case.passes(held, success=True, confidence=least)
    if least > min(0.0, own):
        assert not case.passes(held, success=True, confidence=nextafter(least, -inf))
    if most is not None:
        ended = own if least <= own else max(1.0, own)
        assert case.passes(held, success=True, confidence=ended)
        assert not case.passes(novelty_of(nextafter(most, 2)), success=True, confidence=ended)


@given(MEASUREMENTS, RULES)
def test_a_threshold_that_is_exactly_a_score_is_reached(one, profile):
    case = Case(one, profile, 0.0)
    best = {"success": True, "confidence": max(1.0, one.facts.confidence)}
    for novelty_value, changes in ((1.0, {}), (None, best), (1.0, best)):
        threshold = case.score(novelty_value, **changes)
        found = trace_reach(one, profile, threshold).low
        wanted = {ReachKind.ACCEPTED, ReachKind.SCHEMA}
        wanted |= {ReachKind.NOVELTY} if novelty_value else set()
        wanted |= {ReachKind.NOVELTY, ReachKind.OUTCOME} if changes else set()
        wanted |= {ReachKind.BOTH} if novelty_value and changes else set()
        assert found.kind in wanted or isnan(threshold)


@given(MEASUREMENTS, RULES, THRESHOLDS)
def test_the_greatest_similarity_is_that_of_a_trace_that_passes_too(one, profile, threshold):
    """A plan asks it of every trace: up to there, whatever came before, it is accepted."""
    case, most = Case(one, profile, threshold), most_similar(one.facts, profile, threshold)
    passing = [similarity for similarity in (-1.0, *GRID) if case.passes(novelty_of(similarity))]
    if most is None:
        assert not passing
        return
    assert case.passes(novelty_of(most)) and all(similarity <= most for similarity in passing)
    assert most == 1.0 or not case.passes(novelty_of(nextafter(most, 2)))


OPEN = {"confidence_known": False, "success_known": False}
UNKNOWN = st.sampled_from([(False, False), (False, True), (True, False)])


@given(MEASUREMENTS, UNKNOWN, st.sampled_from(PROFILES), THRESHOLDS)
@example(measurement(novelty(0.9)), (False, False), DEFAULT, 0.4)
def test_a_run_without_an_outcome_has_the_reach_of_both_ends(one, known, profile, threshold):
    facts = replace(one.facts, confidence_known=known[0], success_known=known[1])
    worst, best = facts.outcome_ends
    found = trace_reach(replace(one, facts=facts), profile, threshold)
    ends = [trace_reach(replace(one, facts=end), profile, threshold) for end in (worst, best)]
    assert str((found.low, found.high)) == str(tuple(end.low for end in ends))
    verdict = outcome_range(replace(one, facts=facts), profile, threshold).verdict
    assert (found.kind is ReachKind.UNDECIDED) is (verdict is Verdict.UNDECIDED)
    assert verdict is Verdict.UNDECIDED or found.kind is ends[1].kind


@settings(deadline=None)
@given(traces, similarities, scenarios, st.sampled_from(PROFILES), st.floats(0, 1))
def test_the_smallest_value_that_reaches(trace, similarity, scenario, profile, threshold):
    case = (trace, measured(trace, similarity), scenario, profile, threshold)
    found = what_if(*case)
    for dimension, needed in zip(Dimension, found.needed, strict=True):

        def reaches(value, dimension=dimension):
            values = replace(found.values, **{dimension: value})
            return assess_values(
                values, found.facts, found.then.profile, found.then.threshold
            ).score_passes

        assert needed.dimension is dimension and needed.now == found.values.of(dimension)
        lowest, highest = min(0.0, needed.now), max(1.0, needed.now)
        grid = [lowest + (highest - lowest) * n / 50 for n in range(51)]
        if needed.value is None:
            assert not any(map(reaches, grid)) and not found.then.score_passes
        else:
            assert reaches(needed.value) and lowest <= needed.value <= highest
            assert all(reaches(value) for value in grid if value >= needed.value)
            if needed.value > lowest:
                assert not reaches(math.nextafter(needed.value, lowest))


def test_a_passing_score_says_how_far_each_may_fall():
    case = build(([{"type": "thought"}] * 3, 0.9, True, 0.2, PROFILES[0], 0.3))
    trace, measurement, profile, threshold = case
    needed = what_if(trace, measurement, Scenario(), profile, threshold).needed
    assert all(0 <= present(one.value) < one.now for one in needed if one.now > 0)


def test_a_dimension_without_weight_needs_nothing_or_cannot_help():
    weights = Profile("custom", Weights(0.0, 1.0, 0.0, 0.0))
    trace, measurement, profile, _ = build(([], 0.9, True, 0.2, PROFILES[0], 0.3))
    scenario = Scenario(profile=weights)
    easy = what_if(trace, measurement, scenario, profile, 0.5).needed
    hard = what_if(trace, measurement, scenario, profile, 0.9).needed
    assert [one.value for one in easy] == [0.0, 0.5, 0.0, 0.0]
    assert [one.value for one in hard] == [None, 0.9, None, None]


@given(
    st.floats(-1e300, 1e300),
    st.floats(-1e300, 1e300),
    st.floats(0, 1),
    st.floats() | st.integers(-200, 200),
)
@example(-0.6, -0.3, 1.0, nan)
def test_the_nearest_float_is_exact_wherever_it_is_looked_for_first(fails, holds, share, near):
    bound = fails + (holds - fails) * share if fails != holds else holds
    upward = holds > fails

    def reaches(value):
        return value >= bound if upward else value <= bound

    if isinstance(near, int):
        near = bound + near * math.ulp(bound)
    found = nearest_float(reaches, fails, holds, near)
    assert found == nearest_float(reaches, fails, holds)
    if reaches(fails):
        assert found == fails
    elif not reaches(holds):
        assert found is None
    else:
        assert reaches(present(found)) and not reaches(math.nextafter(present(found), fails))


def test_a_bound_of_zero_has_no_sign():
    assert str(nearest_float(lambda value: value <= 0, 1.0, 0.0)) == "0.0"


def test_a_good_guess_takes_few_questions():
    asked = []

    def reaches(value):
        asked.append(value)
        return value >= 0.3

    assert nearest_float(reaches, 0.0, 1.0, near=0.1 + 0.2) == 0.3
    assert len(asked) < 10
