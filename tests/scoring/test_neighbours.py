"""The score without each of the nearest entries, against a cache that really lacks them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.scoring.findings import Basis, Finding, Neighbour
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.measurement import with_finding
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.vectors import VectorCache
from kpinspector.scoring.novelty.neighbours import (
    compare_findings,
    influences,
    order_of,
    other_if_first,
    without,
)
from kpinspector.settings import Mode
from tests.answers import measurement, novelty
from tests.known import present
from tests.nearest import measured, near, today
from tests.scoring.memory_samples import subject, vectors

# few directions, so that equal similarities are common
directions = st.lists(st.integers(-2, 2), min_size=3, max_size=3)


def found_in(cache, query, gone=()):
    """A finding as the memory makes it."""
    found, compared_with = cache.search(query, 10, gone)
    nearest = tuple(
        Neighbour(str(match.key), str(match.key), "", f"{match.key}.json", match.similarity)
        for match in found
    )
    best = nearest[0].similarity if nearest else None
    basis = Basis.MEASURED if nearest else Basis.EMPTY_CACHE
    return Finding(basis, best, nearest, compared_with, 0)


def cache_of(rows):
    cache = VectorCache(dimensions=3)
    for key, row in enumerate(rows):
        cache.add(row, key, 0)
    return cache


@given(st.lists(directions, max_size=14), directions, st.sets(st.integers(0, 9)))
def test_the_score_without_some_is_the_one_of_a_cache_without_them(rows, query, ranks):
    cache = cache_of(rows)
    found = with_finding(measurement(), found_in(cache, query))
    gone = [int(one.key) for rank, one in enumerate(found.novelty.neighbours) if rank in ranks]
    truth = with_finding(measurement(), found_in(cache, query, gone))
    left_out = without(found, ranks, DEFAULT, 0.75)
    wanted = assess(truth, DEFAULT, 0.75)
    if left_out.exact:
        assert left_out.assessment == wanted
        assert left_out.novelty == truth.novelty.value
    else:
        assert len(rows) > 10 == len(gone)
        assert left_out.novelty <= truth.novelty.value
        assert left_out.assessment.score <= wanted.score


@given(st.lists(directions, max_size=14), directions)
def test_every_neighbour_has_its_score_and_only_the_nearest_can_change_it(rows, query):
    cache = cache_of(rows)
    found = with_finding(measurement(), found_in(cache, query))
    placed = assess(found, DEFAULT, 0.75)
    each = influences(found, DEFAULT, 0.75)
    assert [one.neighbour for one in each] == list(found.novelty.neighbours)
    for rank, one in enumerate(each):
        truth = with_finding(measurement(), found_in(cache, query, [int(one.neighbour.key)]))
        assert one.without.exact
        assert one.without.assessment == assess(truth, DEFAULT, 0.75)
        assert one.sets_novelty is (rank == 0)
        assert one.changes is (one.without.assessment.score != placed.score)
        assert rank == 0 or not one.changes


def test_where_more_were_compared_than_are_known_the_rest_is_a_bound():
    found = measured(near("a", 0.9), near("b", 0.7), compared_with=40)
    rest = without(found, {0, 1}, DEFAULT, 0.75)
    assert not rest.exact
    assert rest.novelty == pytest.approx(0.3)
    assert without(found, {0}, DEFAULT, 0.75).exact


def test_today_is_told_from_then():
    stored = measured(near("a", 0.9), near("b", 0.6), near("c", 0.4)).novelty
    found = compare_findings(stored, today(near("d", 0.8), near("b", 0.6), near("c", 0.5)))
    new, same, other = found.nearest
    assert new.is_news and new.before is None and not new.changed
    assert not same.is_news and not same.changed
    assert other.changed and other.before == 0.4
    assert [one.key for one in found.gone] == ["a"]


def test_what_others_are_nearer_than_is_not_gone():
    stored = measured(near("a", 0.9), near("b", 0.3), compared_with=2).novelty
    found = compare_findings(stored, today(near("a", 0.9), near("d", 0.5), compared_with=3))
    assert found.gone == ()
    both = compare_findings(stored, today(near("a", 0.9), near("d", 0.5), compared_with=2))
    assert [one.key for one in both.gone] == ["b"]


def test_what_may_only_have_moved_up_is_no_news():
    stored = measured(near("a", 0.9), near("b", 0.6), compared_with=5).novelty
    found = compare_findings(
        stored, today(near("c", 0.7), near("b", 0.6), near("d", 0.5), compared_with=5)
    )
    assert [one.is_news for one in found.nearest] == [True, False, False]


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 12), st.integers(0, 1000), st.sampled_from(PROFILES), st.floats(0, 1))
def test_each_place_is_what_the_memory_says_there(before, seed, profile, threshold):
    *others, own = vectors(before + 1, seed)
    with Memory(Mode.FRESH, None) as memory:
        for number, other in enumerate(others):
            memory.remember(subject(f"other {number}"), np.abs(other))
        placed = memory.remember(subject("own"), own)
        again = memory.remember(subject("again"), own)
    with Memory(Mode.FRESH, None) as memory:
        alone = memory.remember(subject("own"), own)
    found = present(order_of(with_finding(measurement(), placed), profile, threshold))
    assert found.place == before + 1
    assert found.placed == assess(with_finding(measurement(), placed), profile, threshold)
    assert found.first == assess(with_finding(measurement(), alone), profile, threshold)
    after = assess(with_finding(measurement(), again), profile, threshold)
    # the cosine of a vector with itself may miss 1 by its last digit
    assert found.after.score == pytest.approx(after.score, abs=1e-15)
    assert found.after.score <= found.placed.score


def test_the_verdict_depends_on_order_where_the_first_place_has_the_other():
    found = measurement(novelty(0.55))
    first = present(order_of(found, DEFAULT, 0.75)).first.score
    assert other_if_first(found, assess(found, DEFAULT, first + 1e-9)) is None
    assert other_if_first(found, assess(found, DEFAULT, first - 1e-9))


def test_a_schema_that_fails_is_no_matter_of_order():
    found = measurement(novelty(0.55), schema_valid=False)
    first = present(order_of(found, DEFAULT, 0.75)).first.score
    assert other_if_first(found, assess(found, DEFAULT, first - 1e-9)) is None


def test_an_assumed_novelty_has_no_place():
    found = measurement(novelty(None, Basis.NO_EMBEDDER))
    assert order_of(found, DEFAULT, 0.75) is None
    assert other_if_first(found, assess(found, DEFAULT, 0.5)) is None
