"""JSON as JavaScript writes it."""

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.trace.javascript import parse, stringify


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([1.0, -0.0, 1e21, 1e-7, 0.1], "[1,0,1e+21,1e-7,0.1]"),
        ([1e400, nan, -inf, 2**53 + 1], "[null,null,null,9007199254740992]"),
        ({"b": 1, "10": 2, "9": 3, "01": 4}, '{"9":3,"10":2,"b":1,"01":4}'),
        ({"4294967295": 5, "4294967294": 6}, '{"4294967294":6,"4294967295":5}'),
        ('"\\\b\f\n\r\t', '"\\"\\\\\\b\\f\\n\\r\\t"'),
        ("\x00\x1f\x7f\u2028\xe9", '"\\u0000\\u001f\x7f\u2028\xe9"'),
        ("\ud800x\udfff", '"\\ud800x\\udfff"'),
        ([None, True, False, [], {}], "[null,true,false,[],{}]"),
    ],
)
def test_the_text_of_a_value(value, text):
    assert stringify(value) == text


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "{'a':1}", '"\n"', "", "1 2", "[1,]"])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(ValueError, match=r"\w"):
        parse(text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_a_value_is_read_back_from_its_text(value):
    assert parse(stringify(value)) == value
