"""Verdicts that other rules would turn, counted over a list."""

from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.profiles import PROFILES, Profile, Weights
from kpinspector.scoring.whatif.whatif import flips
from tests.scoring.test_whatif import measured, similarities, traces

OWN = Profile("custom", Weights(0.0, 0.9, 0.1, 0.0))
lists = st.lists(st.tuples(traces, similarities, st.sampled_from(PROFILES)), max_size=12)


@settings(deadline=None)
@given(lists, st.floats(0, 1), st.floats(0, 1))
def test_flips_are_those_of_a_full_assessment(runs, now, then):
    profiles = (*PROFILES, OWN)
    judged, expected = [], [0] * (1 + len(profiles))
    for trace, similarity, own in runs:
        measurement = measured(trace, similarity)
        before = assess(measurement, own, now)
        judged.append((measurement, before.score))
        for place, profile in enumerate((own, *profiles)):
            expected[place] += assess(measurement, profile, then).verdict is not before.verdict
    assert flips(judged, now, then, profiles) == tuple(expected)
    assert flips(iter(judged), now, now) == (0,)
