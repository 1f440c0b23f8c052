from dataclasses import replace
from math import nextafter

from hypothesis import given

from kpinspector.batch.limits import Terms, limit_of
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.measurement import at_similarity
from tests.cases import build, cases


def passes_at(measurement, similarity, terms):
    judged = assess(
        at_similarity(measurement, similarity), terms.profile_of(measurement), terms.threshold
    )
    return judged.score_passes


@given(cases)
def test_at_the_limit_a_trace_passes_and_a_hair_beyond_it_does_not(case):
    _trace, measurement, profile, threshold = case = build(case)
    terms = Terms(threshold, profile)
    limit = limit_of(measurement, terms)
    assert limit.alone is passes_at(measurement, None, terms)
    assert (limit.best >= threshold) is passes_at(measurement, -1.0, terms)
    if limit.most_similar is None:
        assert not passes_at(measurement, -1.0, terms)
        return
    assert passes_at(measurement, limit.most_similar, terms)
    assert 0.0 <= limit.most_similar <= 1.0
    if limit.most_similar < 1.0:
        assert not passes_at(measurement, nextafter(limit.most_similar, 2.0), terms)


@given(cases)
def test_a_threshold_that_is_just_met_is_met(case):
    _trace, measurement, profile, _threshold = build(case)
    met = assess(at_similarity(measurement, 0.25), profile, 0.0).score
    limit = limit_of(measurement, Terms(met, profile))
    assert limit.most_similar is not None and limit.most_similar >= 0.25
    beyond = limit_of(measurement, Terms(nextafter(met, 2.0), profile))
    assert beyond.most_similar is None or beyond.most_similar < 0.25 or met == 0.1


@given(cases)
def test_the_schema_does_not_move_the_limit(case):
    _trace, measurement, profile, threshold = build(case)
    refused = replace(measurement, facts=replace(measurement.facts, schema_valid=False))
    terms = Terms(threshold, profile)
    assert limit_of(measurement, terms) == limit_of(refused, terms)


@given(cases)
def test_without_a_profile_the_own_one_judges(case):
    _trace, measurement, _profile, threshold = build(case)
    own = Terms(threshold).profile_of(measurement)
    assert limit_of(measurement, Terms(threshold)) == limit_of(measurement, Terms(threshold, own))
