"""The value that one dimension needs, the others held: for scores that pass and that fail."""

import math
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.scoring.formula.assess import assess_values, values_of
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.numbers import nearest_float
from kpinspector.scoring.formula.profiles import PROFILES, Dimension, Profile, Weights
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.scoring.whatif.whatif import needed_of, what_if
from tests.cases import build
from tests.known import present
from tests.scoring.test_whatif import measured, scenarios, similarities, traces


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


counts = st.integers(0, 40)
confidences = st.floats() | st.floats(0, 1) | st.sampled_from([0.0, 1e308, -1e308, 5e-324])
weights = st.builds(Weights, *[st.floats(0, 1) | st.sampled_from([0.0, 1e-300, 0.25])] * 4)
facts = st.builds(
    Facts,
    counts,
    counts,
    counts,
    counts,
    counts,
    *[st.booleans(), confidences, st.booleans()],
    st.none(),
    st.booleans(),
)


@settings(deadline=None, max_examples=400)
@given(facts, st.floats(0, 1), weights, st.floats(0, 1) | st.floats(-2, 2))
def test_a_short_way_to_what_is_needed_finds_what_the_long_way_finds(
    facts, novelty, weights, threshold
):
    values, profile = values_of(facts, novelty), Profile("custom", weights)
    for needed in needed_of(values, facts, profile, threshold):

        def reaches(value, dimension=needed.dimension):
            tried = replace(values, **{dimension: value})
            return assess_values(tried, facts, profile, threshold).score_passes

        now = values.of(needed.dimension)
        low, high = min(0.0, now), max(1.0, now)
        if reaches(low):
            assert needed.value == low
        elif not reaches(high):
            assert needed.value is None
        else:
            assert needed.value == nearest_float(reaches, low, high)


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
