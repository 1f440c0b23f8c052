"""Values as JSON that any parser reads."""

import json
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from kpinspector.trace.bytes import encoded
from kpinspector.trace.javascript import JsonValue

leaves = st.none() | st.booleans() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    leaves | st.sampled_from(["Infinity", '"-Infinity', "\\", inf, -inf]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


def refuse(name):
    raise AssertionError(name)


def test_an_infinity_is_the_number_that_it_is_read_from():
    value: JsonValue = {"Infinity": [inf, -inf, "Infinity", 'a "-Infinity" \\']}
    written = '{"Infinity": [1e999, -1e999, "Infinity", "a \\"-Infinity\\" \\\\"]}'
    assert encoded(value) == written


@given(values, st.sampled_from([None, 2]))
def test_what_is_written_is_read_as_it_was(value, indent):
    written = encoded(value, indent=indent)
    assert json.loads(written, parse_constant=refuse) == value
