"""Bisection over the floating point numbers themselves."""

import math

from hypothesis import given
from hypothesis import strategies as st

from kpinspector.scoring.formula.doubles import nearest_float


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300), st.floats(0, 1))
def test_the_nearest_float_is_exact(fails, holds, share):
    bound = fails + (holds - fails) * share if fails != holds else holds
    upward = holds > fails

    def reaches(value):
        return value >= bound if upward else value <= bound

    if fails == holds or reaches(fails) or not reaches(holds):
        return
    found = nearest_float(reaches, fails, holds)
    assert reaches(found) and not reaches(math.nextafter(found, fails))
