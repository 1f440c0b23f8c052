"""The value that one dimension needs, the others held: for scores that pass and that fail."""

import math
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.scoring.formula.assess import assess_values
from kpinspector.scoring.formula.profiles import PROFILES, Dimension, Profile, Weights
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.scoring.whatif.whatif import needed_values, what_if
from tests.cases import build
from tests.known import present
from tests.scoring.test_whatif import measured, scenarios, similarities, traces


@settings(deadline=None)
@given(traces, similarities, scenarios, st.sampled_from(PROFILES), st.floats(0, 1))
def test_the_smallest_value_that_reaches(trace, similarity, scenario, profile, threshold):
    case = (trace, measured(trace, similarity), scenario, profile, threshold)
    found = what_if(*case)
    for dimension, needed in zip(Dimension, needed_values(*case), strict=True):

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
    needed = needed_values(trace, measurement, Scenario(), profile, threshold)
    assert all(0 <= present(one.value) < one.now for one in needed if one.now > 0)


def test_a_dimension_without_weight_needs_nothing_or_cannot_help():
    weights = Profile("custom", Weights(0.0, 1.0, 0.0, 0.0))
    trace, measurement, profile, _ = build(([], 0.9, True, 0.2, PROFILES[0], 0.3))
    scenario = Scenario(profile=weights)
    easy = needed_values(trace, measurement, scenario, profile, 0.5)
    hard = needed_values(trace, measurement, scenario, profile, 0.9)
    assert [one.value for one in easy] == [0.0, 0.5, 0.0, 0.0]
    assert [one.value for one in hard] == [None, 0.9, None, None]
