"""The score at other places in the order, against a memory that is really asked there."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.measurement import with_finding
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.neighbours import order_of, verdict_depends_on_order
from tests.answers import measurement, novelty
from tests.known import present
from tests.scoring.memory_samples import subject, vectors


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 12), st.integers(0, 1000), st.sampled_from(PROFILES), st.floats(0, 1))
def test_each_place_is_what_the_memory_says_there(before, seed, profile, threshold):
    *others, own = vectors(before + 1, seed)
    with Memory.fresh() as memory:
        for number, other in enumerate(others):
            memory.remember(subject(f"other {number}"), np.abs(other))
        placed = memory.remember(subject("own"), own)
        again = memory.remember(subject("again"), own)
    with Memory.fresh() as memory:
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
    assert not verdict_depends_on_order(found, assess(found, DEFAULT, first + 1e-9))
    assert verdict_depends_on_order(found, assess(found, DEFAULT, first - 1e-9))


def test_a_schema_that_fails_is_no_matter_of_order():
    found = measurement(novelty(0.55), schema_valid=False)
    first = present(order_of(found, DEFAULT, 0.75)).first.score
    assert not verdict_depends_on_order(found, assess(found, DEFAULT, first - 1e-9))


def test_an_assumed_novelty_has_no_place():
    found = measurement(novelty(None, Basis.NO_EMBEDDER))
    assert order_of(found, DEFAULT, 0.75) is None
    assert not verdict_depends_on_order(found, assess(found, DEFAULT, 0.5))


def test_a_clamped_novelty_keeps_the_sdks_score_at_its_place_only():
    found = measurement(replace(novelty(-0.1), value=1.0))
    order = present(order_of(found, DEFAULT, 0.75))
    assert order.placed.sdk_score is not None
    assert order.first.sdk_score is None and order.after.sdk_score is None
