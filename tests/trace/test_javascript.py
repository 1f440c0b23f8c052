"""JavaScript's coercions, by the rules of ECMAScript."""

from math import copysign, inf, isnan, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.trace.javascript import (
    ABSENT,
    NoPrimitiveError,
    as_number,
    as_text,
    number_text,
    read_integer,
    set_key,
)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.5, "1.5"),
        (-120.0, "-120"),
        (1e20, "100000000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (1.2345678901234568e22, "1.2345678901234568e+22"),
        (0.000001, "0.000001"),
        (0.00000123, "0.00000123"),
        (1e-7, "1e-7"),
        (-1.5e-9, "-1.5e-9"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (inf, "Infinity"),
        (-inf, "-Infinity"),
        (nan, "NaN"),
    ],
)
def test_a_number_is_printed_as_javascript_prints_it(number, text):
    assert number_text(number) == text


@given(st.floats(allow_nan=False))
def test_what_is_printed_names_the_number(number):
    assert as_number(number_text(number)) == number


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (None, 0),
        (False, 0),
        (True, 1),
        ("", 0),
        (" \t\n\ufeff\u2029\u3000", 0),
        ("\xa00.6", 0.6),
        (".5", 0.5),
        ("5.", 5),
        ("+1e3", 1000),
        ("-1E-1", -0.1),
        ("1e400", inf),
        ("0x10", 16),
        ("0O17", 15),
        ("0b101", 5),
        ("0x" + "f" * 300, inf),
        ("Infinity", inf),
        ("+Infinity", inf),
        ("-Infinity", -inf),
        ([], 0),
        ([None], 0),
        ([0.5], 0.5),
        (["0x10"], 16),
        ([[["7"]]], 7),
        (10**400, inf),
        (-(10**400), -inf),
    ],
)
def test_what_is_a_number(value, number):
    assert as_number(value) == number


@pytest.mark.parametrize(
    "value",
    [
        ABSENT, {}, [1, 2], [True], "x", "1_000", "1n", "inf", "nan", "infinity", "-0x10", "0x",
        "0x1.8", "1e", ".", "+", "1 2", "\u0661", "\uff11", "\u200b1", "\x851", "\x1c1",
    ],
)  # fmt: skip
def test_what_is_no_number(value):
    assert isnan(as_number(value))


@pytest.mark.parametrize("value", [{"toString": 1}, [{"toString": None}], [[{"toString": []}]]])
@pytest.mark.parametrize("rule", [as_number, as_text])
def test_an_object_whose_text_is_hidden_has_neither(rule, value):
    with pytest.raises(NoPrimitiveError):
        rule(value)


def test_what_is_not_there_has_a_text():
    assert as_text(ABSENT) == "undefined"
    assert set_key(ABSENT) != set_key(None) != set_key("undefined")


def test_a_set_knows_no_sign_of_zero():
    assert set_key(-0.0) == set_key(0) == set_key(0.0)
    assert set_key(1) != set_key(True)
    assert set_key(2**53 + 1) == set_key(2.0**53)
    one, other, empty = [], [], {}
    assert len({set_key(one), set_key(other), set_key(empty), set_key(one)}) == 3


@pytest.mark.parametrize(
    ("digits", "number"),
    [
        ("7", 7),
        ("9007199254740992", 2**53),
        ("9007199254740993", 2.0**53),
        ("-9007199254740993", -(2.0**53)),
        ("9" * 400, inf),
        ("-" + "9" * 5000, -inf),
        ("1" + "0" * 40, 1e40),
    ],
)
def test_a_long_integer_is_a_double(digits, number):
    found = read_integer(digits)
    assert found == number and copysign(1, found) == copysign(1, number)
    assert isinstance(found, int) == isinstance(number, int)
