from math import nextafter

from hypothesis import given

from kpinspector.batch.plan import limit_of
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.measurement import at_similarity
from kpinspector.scoring.formula.profiles import Terms
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
    first = assess(at_similarity(measurement, None), profile, 0.0).score
    assert limit_of(measurement, Terms(first, profile)).alone
    assert (limit.best >= threshold) is passes_at(measurement, -1.0, terms)
    if limit.most_similar is None:
        assert not passes_at(measurement, -1.0, terms)
        return
    assert passes_at(measurement, limit.most_similar, terms)
    assert 0.0 <= limit.most_similar <= 1.0
    if limit.most_similar < 1.0:
        assert not passes_at(measurement, nextafter(limit.most_similar, 2.0), terms)
