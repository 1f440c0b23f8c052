"""What a written number may stand for."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.scoring.report.recorded import Written


@pytest.mark.parametrize(
    ("number", "decimals"), [(0.8, 2), (1.0, 2), (0.123, 3), (1e-7, 7), (0.1 + 0.2, 17), (1e300, 2)]
)
def test_it_has_the_decimals_that_it_shows_but_two_at_least(number, decimals):
    assert Written(number).decimals == decimals


@pytest.mark.parametrize("number", [0.815, 0.82, 0.8249999999999999, 0.825])
def test_the_ends_can_have_been_rounded_up_or_down(number):
    assert Written(0.82).stands_for(number)
    assert not Written(0.82).stands_for(math.nextafter(0.815, 0))
    assert not Written(0.82).stands_for(math.nextafter(0.825, 1))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_stands_for_itself(number):
    assert Written(number).stands_for(number)


@given(st.floats(-10, 10), st.integers(2, 10))
def test_it_stands_for_what_was_rounded_to_it(number, decimals):
    assert Written(round(number, decimals)).stands_for(number)


@pytest.mark.parametrize("number", [1.7976931348623157e308, -1.7976931348623157e308, 5e-324, 0.0])
def test_the_ends_of_the_doubles_are_numbers_too(number):
    assert Written(number).stands_for(number)


@given(st.floats(-10, 10), st.floats(-10, 10))
def test_it_is_compared_by_the_shortest_names(number, other):
    written = Written(number)
    half = Fraction(1, 2 * 10**written.decimals)
    assert (other >= written.least) is (Fraction(repr(other)) >= Fraction(repr(number)) - half)
    assert (other <= written.most) is (Fraction(repr(other)) <= Fraction(repr(number)) + half)
