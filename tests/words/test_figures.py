"""Shown figures: they compare and add up as the numbers behind them do."""

from decimal import Context, Decimal
from math import inf, nextafter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kpinspector.words.figures import (
    decimals_for,
    plain,
    shown_at_least,
    shown_at_most,
    shown_count,
    shown_difference,
    shown_interval,
    shown_margin,
    shown_number,
    shown_pair,
    shown_parts,
    shown_score,
    shown_short,
    shown_value,
)

EXACT = Context(prec=1500)
finite = st.floats(allow_nan=False, allow_infinity=False)
unit = st.floats(0, 1)
usual = st.one_of(
    unit,
    st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.75, 0.8, 1.0]),
    st.integers(0, 10**5).map(lambda number: number / 10**5),
)
moderate = st.one_of(usual, st.floats(-(10**5), 10**5))
any_number = st.one_of(usual, finite)


def number(figure: str) -> Decimal:
    return Decimal(plain(figure))


def total(figures: tuple[str, ...]) -> Decimal:
    result = Decimal(0)
    for figure in figures:
        result = EXACT.add(result, number(figure))
    return result


def sign(one: Decimal | float, other: Decimal | float) -> int:
    return (one > other) - (one < other)


@given(any_number, any_number)
def test_shown_score_compares_with_shown_threshold_as_the_doubles_do(score, threshold):
    shown, needed = shown_pair(score, threshold)
    assert sign(number(shown), number(needed)) == sign(score, threshold)
    assert shown_score(score, threshold) == shown


@given(any_number, any_number)
def test_the_shown_margin_is_of_the_size_of_the_real_one(score, threshold):
    real = abs(EXACT.subtract(Decimal(repr(score)), Decimal(repr(threshold))))
    assert real / 2 <= number(shown_margin(score, threshold)) <= real * 2


@given(usual, st.integers(-20, 20))
def test_neighbouring_doubles_read_as_different(threshold, ulps):
    score = threshold
    for _ in range(abs(ulps)):
        score = nextafter(score, inf if ulps > 0 else -inf)
    shown, needed = shown_pair(score, threshold)
    assert sign(number(shown), number(needed)) == sign(score, threshold)
    assert len(shown.lstrip("0.\N{MINUS SIGN}")) <= 23


@given(st.lists(any_number, min_size=1, max_size=6), st.integers(4, 17))
def test_parts_add_up_to_the_shown_total(parts, decimals):
    whole = sum(parts)
    assume(abs(whole) < inf)
    assert total(shown_parts(parts, whole, decimals)) == number(shown_number(whole, decimals))


@given(st.lists(unit, min_size=4, max_size=4), st.integers(4, 9))
def test_each_part_is_within_one_unit_of_the_real_one(parts, decimals):
    for part, shown in zip(parts, shown_parts(parts, sum(parts), decimals), strict=True):
        assert abs(number(shown) - Decimal(part)) < Decimal(10) ** -decimals
        assert len(shown) == decimals + 2


@given(any_number, any_number, any_number)
def test_interval_holds_the_range_and_reads_right_beside_the_threshold(one, other, threshold):
    low, high = sorted((one, other))
    for asked in (None, threshold):
        ends = shown_interval(low, high, asked).split("\N{EN DASH}")
        bottom, top = number(ends[0]), number(ends[-1])
        assert bottom <= Decimal(repr(low)) and top >= Decimal(repr(high))
        if asked is not None:
            needed = Decimal(repr(asked))
            assert (bottom >= needed) == (low >= asked)
            assert (top >= needed) == (high >= asked)


@given(any_number)
def test_no_figure_is_long_or_a_negative_zero(value):
    for shown in (shown_number(value), shown_value(value), shown_short(value)):
        assert len(shown) <= 13
        assert "-" not in shown
        assert not (shown.startswith("\N{MINUS SIGN}") and number(shown) == 0)


@given(moderate)
def test_four_decimals_are_those_of_the_usual_formatting(value):
    assert number(shown_number(value)) == Decimal(f"{value:.4f}")


@given(unit, unit)
def test_bounds_are_rounded_to_the_safe_side(one, other):
    assert number(shown_at_least(one)) >= Decimal(repr(one))
    assert number(shown_at_most(one)) <= Decimal(repr(one))


@given(moderate, moderate, moderate)
def test_differences_are_those_of_the_figures(one, two, three):
    figures = [shown_number(value) for value in (one, two, three)]
    steps = (
        shown_difference(figures[1], figures[0], signed=True),
        shown_difference(figures[2], figures[1], signed=True),
    )
    assert total((figures[0], *steps)) == number(figures[2])


def test_the_worked_example_adds_up():
    parts = (0.495 * 0.15, 0.45 * 0.2, 0.5 * 0.1, 0.97 * 0.55)
    whole = parts[0] + parts[1] + parts[2] + parts[3]
    assert shown_parts(parts, whole) == ("0.0742", "0.0900", "0.0500", "0.5335")
    assert shown_pair(whole, 0.75) == ("0.7477", "0.7500")
    assert shown_margin(whole, 0.75) == "0.0023"


@pytest.mark.parametrize(
    ("score", "threshold", "expected"),
    [
        (0.75, 0.75, ("0.7500", "0.7500")),
        (0.74999, 0.75, ("0.74999", "0.75000")),
        (0.7477499999999999, 0.74775, ("0.7477499999999999", "0.7477500000000000")),
        (0.750001, 0.75, ("0.750001", "0.750000")),
        (0.1 + 0.2, 0.3, ("0.30000000000000004", "0.30000000000000000")),
        (0.75, 0.7500001, ("0.7500000", "0.7500001")),
        (-0.00001, 0.0, ("\N{MINUS SIGN}0.00001", "0.00000")),
        (1e-30, 0.0, ("1e\N{MINUS SIGN}30", "0.0")),
        (5.5e299, 0.75, ("5.5000e299", "0.7500")),
        (float("nan"), 0.75, ("NaN", "0.7500")),
    ],
)
def test_shown_pair(score, threshold, expected):
    assert shown_pair(score, threshold) == expected


def test_a_difference_too_small_for_decimals_is_not_zero():
    assert shown_margin(1e-30, 0.0) == "1e\N{MINUS SIGN}30"
    assert shown_margin(0.0, 1.5e-139) == "1.5e\N{MINUS SIGN}139"


def test_decimals_of_an_answer():
    assert decimals_for(0.7, 0.75) == 4
    assert decimals_for(0.74996, 0.75) == 5
    assert decimals_for(1e-30, 0.0) is None
    assert decimals_for(0.74988, 0.75) == 4
    # at four decimals they would read as more than twice as far apart
    assert decimals_for(0.749949, 0.749991) == 5


@pytest.mark.parametrize(
    ("low", "high", "threshold", "expected"),
    [
        (0.65775, 0.85775, 0.75, "0.65\N{EN DASH}0.86"),
        (0.55, 0.7477, 0.75, "0.550\N{EN DASH}0.748"),
        (0.7501, 0.95, 0.75, "0.75\N{EN DASH}0.95"),
        (0.75, 0.95, 0.75, "0.75\N{EN DASH}0.95"),
        (0.0, 0.2, None, "0\N{EN DASH}0.20"),
        (0.1, 0.1, 0.75, "0.10"),
        (-0.25, -0.05, 0.75, "\N{MINUS SIGN}0.25\N{EN DASH}\N{MINUS SIGN}0.05"),
        (1e300, 1.5e300, 0.75, "1.00e300\N{EN DASH}1.50e300"),
    ],
)
def test_shown_interval(low, high, threshold, expected):
    assert shown_interval(low, high, threshold) == expected


def test_from_a_million_on_figures_have_an_exponent():
    assert shown_number(999_999.0) == "999999.0000"
    assert shown_number(1e6) == "1.0000e6"
    assert shown_number(-1e6) == "\N{MINUS SIGN}1.0000e6"


def test_small_ones():
    assert shown_short(0.97) == "0.97"
    assert shown_short(1.0) == "1"
    assert shown_short(-1200.0) == "\N{MINUS SIGN}1200"
    assert shown_count(1234567) == "1,234,567"
    assert shown_value(0.4949999) == "0.495"
    assert shown_parts((), 0.0) == ()
    assert plain("\N{MINUS SIGN}0.1\N{EN DASH}0.2") == "-0.1-0.2"
