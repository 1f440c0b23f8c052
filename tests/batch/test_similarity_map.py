"""The levels of the map: one a pair, or the mean of several."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.batch.groups import map_levels


def similarities(count, seed):
    found = np.random.default_rng(seed).uniform(-0.2, 1.0, (count, count))
    return (found + found.T) / 2


def rows(made):
    return np.frombuffer(made.levels, np.uint8).reshape(made.side, made.side)


@given(st.integers(1, 12), st.integers(0, 99), st.data())
def test_each_pair_has_its_level_in_the_order_of_the_map(count, seed, data):
    similar, order = similarities(count, seed), data.draw(st.permutations(range(count)))
    made = rows(map_levels(similar, order, count))
    for row, one in enumerate(order):
        for column, other in enumerate(order):
            assert made[row, column] == round(255 * max(0.0, similar[one, other]))


@given(st.integers(2, 40), st.integers(1, 39), st.integers(0, 99))
def test_where_there_are_more_each_level_is_the_mean_of_all_that_it_stands_for(count, most, seed):
    similar, order = similarities(count, seed), tuple(reversed(range(count)))
    made = map_levels(similar, order, min(count, most))
    assert made.side == min(count, most)
    ordered = similar[::-1, ::-1]
    edges = [place * count // made.side for place in range(made.side + 1)]
    for row, column in ((0, 0), (made.side - 1, 0), (made.side // 2, made.side - 1)):
        part = ordered[edges[row] : edges[row + 1], edges[column] : edges[column + 1]]
        assert rows(made)[row, column] == pytest.approx(255 * max(0.0, part.mean()), abs=0.51)


def test_no_traces_have_no_levels():
    assert map_levels(np.zeros((0, 0)), (), 10).levels == b""
