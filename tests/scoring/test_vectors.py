import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.scoring.model.vectors import VectorCache, similarities_among, similarities_between
from tests.scoring.memory_samples import Clock


class SdkCache:
    """The SDK's cache, transcribed line by line."""

    def __init__(self, max_elements, ttl_ms, clock):
        self.entries = []
        self.max_elements = max_elements
        self.ttl_ms = ttl_ms
        self.clock = clock

    @property
    def size(self):
        self.evict_expired()
        return len(self.entries)

    def add(self, vector):
        self.entries.append((np.float32(vector).tolist(), self.clock()))
        if len(self.entries) > self.max_elements:
            self.entries.pop(0)

    def evict_expired(self):
        if self.ttl_ms is None:
            return
        cutoff = self.clock() - self.ttl_ms
        self.entries = [entry for entry in self.entries if entry[1] > cutoff]

    def max_cosine_similarity(self, query):
        self.evict_expired()
        if not self.entries:
            return 0
        query = np.float32(query).tolist()
        best = -1
        for vector, _ in self.entries:
            similarity = cosine(query, vector)
            best = max(best, similarity)
        return best


def cosine(a, b):
    dot = norm_a = norm_b = 0.0
    for x, y in zip(a, b, strict=True):
        dot += x * y
        norm_a += x * x
        norm_b += y * y
    denominator = math.sqrt(norm_a) * math.sqrt(norm_b)
    return 0 if denominator == 0 else dot / denominator


def best(cache, vector):
    """The best similarity to a live row; 0.0 when there is none."""
    return next((match.similarity for match in cache.search(vector, 1)[0]), 0.0)


def size(cache):
    return cache.search([1] * cache.dimensions, 1)[1]


def unit(rng, dimensions):
    vector = [rng.gauss(0, 1) for _ in range(dimensions)]
    norm = math.hypot(*vector)
    return [x / norm for x in vector]


@pytest.mark.parametrize(
    ("dimensions", "max_elements", "ttl_ms", "adds"),
    [(2, 3, None, 3000), (3, 40, 25, 3000), (8, 60, None, 2500), (8, 50, 40, 2500)],
)
def test_thousands_of_adds_answer_as_the_sdk_does(dimensions, max_elements, ttl_ms, adds):
    rng, clock = random.Random(dimensions), Clock(1000)
    cache = VectorCache(max_elements, dimensions, ttl_ms, clock)
    sdk = SdkCache(max_elements, ttl_ms, clock)
    negative = 0
    for _ in range(adds):
        clock.now += rng.choice([0, 0, 1, 1, 2, 60])
        vector = unit(rng, dimensions)
        expected = sdk.max_cosine_similarity(vector)
        negative += expected < 0
        assert best(cache, vector) == pytest.approx(expected, abs=1e-12)
        sdk.add(vector)
        cache.add(vector, 0, clock.now)
        assert size(cache) == sdk.size
    assert negative > 10 or dimensions > 3


finite = st.floats(-(2.0**120), 2.0**120, width=32)


@given(
    rows=st.lists(st.tuples(finite, finite, finite), max_size=12),
    query=st.tuples(finite, finite, finite),
)
def test_vectors_of_any_length_answer_as_the_sdk_does(rows, query):
    cache, sdk = VectorCache(5, 3), SdkCache(5, None, Clock())
    for row in rows:
        cache.add(row, 0, 0)
        sdk.add(row)
    expected = sdk.max_cosine_similarity(query)
    assert best(cache, query) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("vector", [[1.0, 0.0], [1.0] * 4, [[1.0, 0.0, 0.0]], 1.0])
def test_a_wrong_dimension_raises(vector):
    cache = VectorCache(10, 3)
    with pytest.raises(ValueError, match="Expected 3 dimensions, got "):
        cache.add(vector, 0, 0)
    with pytest.raises(ValueError, match="Expected 3 dimensions, got "):
        cache.search(vector, 1)[0]
    assert size(cache) == 0


def test_nearest_is_best_first_and_of_equal_ones_older_first():
    cache = VectorCache(1000)
    rng = random.Random(7)
    near, far = unit(rng, 384), unit(rng, 384)
    for key in range(900):
        cache.add(near if key % 3 == 0 else far, key, 0)
    assert [match.key for match in cache.search(near, 10)[0]] == list(range(0, 30, 3))
    found = cache.search(far, 700)[0]
    assert [match.key for match in found[:600]] == [key for key in range(900) if key % 3]
    assert len({match.similarity for match in found[:600]}) == 1
    assert cache.search(near, 0)[0] == ()


def test_the_nearest_of_rows_that_single_precision_cannot_tell_apart():
    generator = np.random.default_rng(5)
    base = np.float32(generator.normal(size=384))
    cache = VectorCache()
    rows = [np.float32(base + generator.normal(size=384) * 1e-4) for _ in range(400)]
    for key, row in enumerate(rows):
        cache.add(row, key, 0)
    doubles = np.array(rows, dtype=np.float64)
    lengths = np.sqrt((doubles * doubles).sum(axis=1))
    for _ in range(30):
        query = np.float32(base + generator.normal(size=384) * 1e-4)
        exact = (doubles * np.float64(query)).sum(axis=1) / lengths
        assert [match.key for match in cache.search(query, 1)[0]] == [int(exact.argmax())]


@given(st.data())
def test_live_rows_with_any_clock(data):
    """Expired rows are left out first, then all but the newest; kept rows may live again."""
    max_elements = data.draw(st.integers(0, 4))
    kept = data.draw(st.integers(max_elements, 7))
    ttl_ms = data.draw(st.none() | st.integers(1, 20))
    clock = Clock(0)
    cache = VectorCache(max_elements, 2, ttl_ms, clock, kept=kept)
    rows: list[tuple[int, int]] = []
    for key in range(data.draw(st.integers(0, 15))):
        clock.now = data.draw(st.integers(0, 40))
        cache.add([1, key], key, clock.now)
        rows = [*rows, (key, clock.now)][-kept:] if kept else []
        if rows and data.draw(st.booleans()):
            gone = data.draw(st.sampled_from(rows))
            rows.remove(gone)
            cache.remove({gone[0], -1})
        clock.now = data.draw(st.integers(0, 40))
        alive = [key for key, at in rows if ttl_ms is None or at > clock.now - ttl_ms]
        live = alive[-max_elements:] if max_elements else []
        assert cache.keys == tuple(key for key, _ in rows)
        assert size(cache) == len(live)
        assert sorted(match.key for match in cache.search([1, 1], 99)[0]) == live


@given(rows=st.lists(st.tuples(finite, finite, finite), max_size=8))
def test_all_pairs_are_as_the_cache_finds_them_one_by_one(rows):
    vectors = np.array(rows, np.float32).reshape(-1, 3)
    among, between = similarities_among(vectors), similarities_between(vectors[::-1], vectors)
    for place, vector in enumerate(vectors):
        cache = VectorCache(max_elements=1, dimensions=3)
        for other, row in enumerate(vectors):
            cache.add(row, 0, 0)
            expected = best(cache, vector)
            assert among[other, place] == among[place, other] == expected
            assert between[len(vectors) - 1 - other, place] == expected
