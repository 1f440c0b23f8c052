"""Bisection over the floating point numbers themselves."""

import math

from hypothesis import given
from hypothesis import strategies as st

from kpinspector.scoring.formula.numbers import nearest_float


@given(
    st.floats(-1e300, 1e300),
    st.floats(-1e300, 1e300),
    st.floats(0, 1),
    st.floats() | st.integers(-200, 200),
)
def test_the_nearest_float_is_exact_wherever_it_is_looked_for_first(fails, holds, share, near):
    bound = fails + (holds - fails) * share if fails != holds else holds
    upward = holds > fails

    def reaches(value):
        return value >= bound if upward else value <= bound

    if fails == holds or reaches(fails) or not reaches(holds):
        return
    if isinstance(near, int):
        near = bound + near * math.ulp(bound)
    found = nearest_float(reaches, fails, holds, near)
    assert found == nearest_float(reaches, fails, holds)
    assert reaches(found) and not reaches(math.nextafter(found, fails))


def test_a_good_guess_takes_few_questions():
    asked = []

    def reaches(value):
        asked.append(value)
        return value >= 0.3

    assert nearest_float(reaches, 0.0, 1.0, near=0.1 + 0.2) == 0.3
    assert len(asked) < 8
