"""Weights that make room for one another: the sum stays 1, none is negative."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES, Dimension, Weights, rebalanced

dimensions = st.sampled_from(Dimension)
shares = st.lists(st.integers(0, 100), min_size=3, max_size=3).map(sorted)
on_the_grid = shares.map(
    lambda cuts: Weights(*((b - a) / 100 for a, b in zip([0, *cuts], [*cuts, 100], strict=True)))
)
moves = st.lists(st.tuples(dimensions, st.floats(-0.5, 1.5)), max_size=8)


def figures(weights):
    return [Decimal(repr(weights.of(one))) for one in Dimension]


def moved(weights, steps):
    for step in steps:
        weights = rebalanced(weights, *step)
    return weights


@given(on_the_grid, moves, dimensions, st.floats(-0.5, 1.5))
def test_weights_always_add_up_to_one(start, before, dimension, value):
    after = rebalanced(moved(start, before), dimension, value)
    values = [after.of(one) for one in Dimension]
    assert sum(figures(after)) == 1
    assert abs(sum(values) - 1) <= 1e-12 and min(values) >= 0
    assert all(figure.as_tuple().exponent >= -4 for figure in figures(after))


@given(on_the_grid, moves, dimensions, st.integers(0, 100))
def test_a_value_is_taken_as_it_is(start, before, dimension, percent):
    after = rebalanced(moved(start, before), dimension, percent / 100)
    assert Decimal(repr(after.of(dimension))) == Decimal(percent) / 100


@given(on_the_grid, dimensions, st.integers(0, 100))
def test_those_that_make_room_keep_their_proportion(weights, dimension, percent):
    after = rebalanced(weights, dimension, percent / 100)
    others = [one for one in Dimension if one is not dimension]
    before = sum(weights.of(one) for one in others)
    left = 1 - after.of(dimension)
    for one in others:
        share = weights.of(one) / before if before > 0 else 1 / 3
        assert after.of(one) == pytest.approx(share * left, abs=0.01)


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
@pytest.mark.parametrize("dimension", Dimension)
def test_the_present_value_changes_nothing(profile, dimension):
    weights = profile.weights
    assert rebalanced(weights, dimension, weights.of(dimension)) == weights


def test_two_decimals_are_enough_until_one_needs_more():
    assert rebalanced(DEFAULT.weights, Dimension.NOVELTY, 0.5) == Weights(0.19, 0.5, 0.12, 0.19)
    assert rebalanced(DEFAULT.weights, Dimension.NOVELTY, 0.125) == Weights(
        0.337, 0.125, 0.202, 0.336
    )


def test_what_is_nothing_stays_nothing_unless_all_are():
    assert rebalanced(Weights(0, 0.5, 0.5, 0), Dimension.NOVELTY, 0.2) == Weights(0, 0.2, 0.8, 0)
    assert rebalanced(Weights(0, 1, 0, 0), Dimension.NOVELTY, 0.4) == Weights(0.2, 0.4, 0.2, 0.2)


def test_a_slider_beyond_its_end_stays_at_it():
    assert rebalanced(DEFAULT.weights, Dimension.NOVELTY, 7.0) == Weights(0, 1, 0, 0)
    assert rebalanced(DEFAULT.weights, Dimension.NOVELTY, -7.0).novelty == 0


@given(st.lists(st.floats(0, 1), min_size=4, max_size=4), dimensions, st.floats(0, 1))
def test_weights_from_elsewhere_add_up_as_well(values, dimension, value):
    after = rebalanced(Weights(*values), dimension, value)
    assert abs(sum(after.of(one) for one in Dimension) - 1) <= 1e-12
    assert min(after.of(one) for one in Dimension) >= 0
