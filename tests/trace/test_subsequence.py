import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.trace.subsequence import common_places

FEW = st.lists(st.integers(0, 4), max_size=30)
MANY = st.lists(st.integers(0, 40), max_size=60)


def longest(left, right):
    """The length of a longest common subsequence, cell by cell."""
    row = [0] * (len(right) + 1)
    for one in left:
        before, row = row, [0]
        for place, other in enumerate(right):
            row.append(before[place] + 1 if one == other else max(before[place + 1], row[-1]))
    return row[-1]


@given(st.one_of(st.tuples(FEW, FEW), st.tuples(MANY, MANY)))
def test_it_is_common_in_order_and_as_long_as_can_be(pair):
    left, right = pair
    places = common_places(left, right)
    assert all(left[one] == right[other] for one, other in places)
    for before, after in pairwise(places):
        assert before[0] < after[0] and before[1] < after[1]
    assert len(places) == longest(left, right)


@given(MANY)
def test_all_of_equal_sequences_is_common(things):
    assert common_places(things, things) == [(place, place) for place in range(len(things))]


@pytest.mark.parametrize("kinds", [1, 2, 5000])
def test_many_things_take_little_time(kinds):
    left = [(place * 7919) % 10_007 % kinds for place in range(10_000)]
    right = [(place * 104_729) % 10_009 % kinds for place in range(10_000)]
    start = time.perf_counter()
    common_places(left, right)
    assert time.perf_counter() - start < 5  # the table of all cells takes a minute


def test_the_work_can_be_ended():
    class EndedError(Exception):
        pass

    def end():
        raise EndedError

    with pytest.raises(EndedError):
        common_places("ab" * 200, "ba" * 200, end)
