"""Weights that make room for one another: the sum stays 1, locks hold, none is negative."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES, Dimension, Weights, rebalanced

NONE = frozenset()

dimensions = st.sampled_from(Dimension)
locks = st.frozensets(dimensions)
shares = st.lists(st.integers(0, 100), min_size=3, max_size=3).map(sorted)
on_the_grid = shares.map(
    lambda cuts: Weights(*((b - a) / 100 for a, b in zip([0, *cuts], [*cuts, 100], strict=True)))
)
moves = st.lists(st.tuples(dimensions, st.floats(-0.5, 1.5), locks), max_size=8)


def figures(weights):
    return [Decimal(repr(weights.of(one))) for one in Dimension]


def moved(weights, steps):
    for step in steps:
        weights = rebalanced(weights, *step)
    return weights


@given(on_the_grid, moves, dimensions, st.floats(-0.5, 1.5), locks)
def test_weights_always_add_up_to_one(start, before, dimension, value, locked):
    weights = moved(start, before)
    after = rebalanced(weights, dimension, value, locked)
    values = [after.of(one) for one in Dimension]
    assert sum(figures(after)) == 1
    assert abs(sum(values) - 1) <= 1e-12 and min(values) >= 0
    assert all(figure.as_tuple().exponent >= -4 for figure in figures(after))
    assert all(after.of(one) == weights.of(one) for one in locked)


@given(on_the_grid, moves, dimensions, st.integers(0, 100), locks)
def test_a_value_is_taken_as_far_as_the_locks_leave_room(start, before, dimension, percent, locked):
    weights = moved(start, before)
    after = rebalanced(weights, dimension, percent / 100, locked)
    others = [one for one in Dimension if one != dimension]
    if dimension in locked or all(one in locked for one in others):
        assert after == weights
        return
    room = 1 - sum(Decimal(repr(weights.of(one))) for one in locked)
    assert Decimal(repr(after.of(dimension))) == min(Decimal(percent) / 100, room)


@given(on_the_grid, dimensions, st.integers(0, 100))
def test_those_that_make_room_keep_their_proportion(weights, dimension, percent):
    after = rebalanced(weights, dimension, percent / 100, NONE)
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
    assert rebalanced(weights, dimension, weights.of(dimension), NONE) == weights


def test_two_decimals_are_enough_until_one_needs_more():
    assert rebalanced(DEFAULT.weights, Dimension.NOVELTY, 0.5, NONE) == Weights(
        0.19, 0.5, 0.12, 0.19
    )
    assert rebalanced(DEFAULT.weights, Dimension.NOVELTY, 0.125, NONE) == Weights(
        0.337, 0.125, 0.202, 0.336
    )
    finer = Weights(0.125, 0.475, 0.15, 0.25)
    assert rebalanced(
        finer, Dimension.OUTCOME_CONFIDENCE, 0.3, frozenset({Dimension.COMPLEXITY})
    ) == Weights(0.125, 0.437, 0.138, 0.3)


def test_what_is_nothing_stays_nothing_unless_all_are():
    assert rebalanced(Weights(0, 0.5, 0.5, 0), Dimension.NOVELTY, 0.2, NONE) == Weights(
        0, 0.2, 0.8, 0
    )
    assert rebalanced(Weights(0, 1, 0, 0), Dimension.NOVELTY, 0.4, NONE) == Weights(
        0.2, 0.4, 0.2, 0.2
    )


def test_a_slider_beyond_its_end_stays_at_it():
    assert rebalanced(DEFAULT.weights, Dimension.NOVELTY, 7.0, NONE) == Weights(0, 1, 0, 0)
    assert rebalanced(
        DEFAULT.weights,
        Dimension.NOVELTY,
        -7.0,
        frozenset({Dimension.COMPLEXITY, Dimension.TOOL_DIVERSITY}),
    ) == Weights(0.25, 0, 0.15, 0.6)


@given(st.lists(st.floats(0, 1), min_size=4, max_size=4), dimensions, st.floats(0, 1), locks)
def test_weights_from_elsewhere_are_taken_as_they_are(values, dimension, value, locked):
    weights = Weights(*values)
    after = rebalanced(weights, dimension, value, locked)
    assert all(after.of(one) == weights.of(one) for one in locked)
    held = sum(weights.of(one) for one in locked)
    if after != weights and held <= 1:
        assert abs(sum(after.of(one) for one in Dimension) - 1) <= 1e-12
        assert min(after.of(one) for one in Dimension) >= 0
