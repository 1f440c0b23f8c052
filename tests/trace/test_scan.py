import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import from_json

from kpinspector.trace.broken import END_OF_FILE, MAX_DEPTH, first_fault
from kpinspector.trace.place import Lines
from tests.strategies import damaged, json_values

A_VALUE = "a value"
CLOSING = "a closing quotation mark"
AFTER_T = '"," or "}" after the value of "t"'
FAULTS = [
    # text, offset of the fault, path, expected, found
    ("", 0, (), A_VALUE, END_OF_FILE),
    (" \n", 2, (), A_VALUE, END_OF_FILE),
    ("[1,]", 3, (1,), A_VALUE, '"]"'),
    ("[", 1, (0,), 'a value or "]"', END_OF_FILE),
    ("[1 2]", 3, (0,), '"," or "]"', "a number"),
    ("[1 02]", 3, (0,), '"," or "]"', "a number"),
    ("[1}", 2, (0,), '"," or "]"', '"}"'),
    ('{"a" 1}', 5, ("a",), '":" after the key "a"', "a number"),
    ('{"a":}', 5, ("a",), 'a value for "a"', '"}"'),
    ('{"a":1,}', 7, (), "a key in quotation marks", '"}"'),
    ("{a:1}", 1, (), 'a key in quotation marks or "}"', 'the word "a"'),
    ("{'a':1}", 1, (), 'a key in quotation marks or "}"', "an apostrophe"),
    ('{"a":1]', 6, ("a",), '"," or "}" after the value of "a"', '"]"'),
    ('{"a":"x" "b":2}', 9, ("a",), '"," or "}" after the value of "a"', "a quotation mark"),
    ('{"s":[{"t":1\n"u":1}]}', 13, ("s", 0, "t"), AFTER_T, "a quotation mark"),
    ("{} {}", 3, (), END_OF_FILE, '"{"'),
    ("1 x", 2, (), END_OF_FILE, 'the word "x"'),
    ("[NaN]", 1, (0,), 'a value or "]"', 'the word "NaN"'),
    ("[1,Infinity]", 3, (1,), A_VALUE, 'the word "Infinity"'),
    ("-Infinity", 0, (), "a number as JSON writes it", '"-Infinity"'),
    ("[tru]", 1, (0,), 'a value or "]"', 'the word "tru"'),
    ("[truee]", 1, (0,), 'a value or "]"', 'the word "truee"'),
    ("[01]", 1, (0,), "a number as JSON writes it", '"01"'),
    ("[1.]", 1, (0,), "a number as JSON writes it", '"1."'),
    ("[.5]", 1, (0,), "a number as JSON writes it", '".5"'),
    ("[+1]", 1, (0,), "a number as JSON writes it", '"+1"'),
    ("[1e]", 1, (0,), "a number as JSON writes it", '"1e"'),
    ("[0x10]", 1, (0,), "a number as JSON writes it", '"0x10"'),
    ("[0" + "1" * 400 + "]", 1, (0,), "a number as JSON writes it", '"0' + "1" * 58 + '…"'),
    ('["abc', 5, (0,), CLOSING, END_OF_FILE),
    ('{"abc', 5, (), CLOSING, END_OF_FILE),
    ('["abc\n"]', 5, (0,), CLOSING, "the end of the line"),
    ('["a\tb"]', 3, (0,), "a character that JSON allows in a text", "the control character U+0009"),
    ('["a\\x"]', 3, (0,), 'an escape that JSON knows, such as "\\n" or "\\u00e9"', '"\\x"'),
    ('["a\\u12"]', 3, (0,), 'an escape that JSON knows, such as "\\n" or "\\u00e9"', '"\\u12"'),
    ("[1,\x00]", 3, (1,), A_VALUE, "the control character U+0000"),
    ("[1,\xa0 2]", 3, (1,), A_VALUE, "the character U+00A0"),
    ("[1,\ufeff2]", 3, (1,), A_VALUE, "the character U+FEFF"),
    ("[1, // two\n2]", 4, (1,), A_VALUE, '"/"'),
    ('["a\udce9b"]', 3, (0,), "text in a valid encoding", "the byte 0xE9, which is not UTF-8 here"),
    ('["a\udced\udca0\udc80"]', 3, (0,), "text in a valid encoding", "half of a character"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "offset", "path", "expected", "found"), FAULTS)
def test_the_first_fault(text, offset, path, expected, found):
    fault = first_fault(text)
    assert fault is not None
    assert (fault.offset, fault.path) == (offset, path)
    assert (fault.expected, fault.found) == (expected, found)


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_depth_counts_all_containers(opening):
    closing = "]" if opening == "[" else "}"
    assert first_fault(opening * MAX_DEPTH + "1" + closing * MAX_DEPTH) is None
    fault = first_fault(opening * 100_000)
    assert fault is not None
    assert fault.offset == len(opening) * MAX_DEPTH
    assert "200 levels" in fault.expected


def test_words_are_bounded_and_printable():
    fault = first_fault('{"' + "k\\u001b" * 5000 + '" ' + "x" * 5000)
    assert fault is not None
    assert len(fault.expected) < 100 and fault.expected.isprintable()
    assert len(fault.found) < 100


def test_the_end_has_the_name_that_it_was_given():
    fault = first_fault('{"a":', "the end of the line")
    assert fault is not None and fault.found == "the end of the line"


@pytest.mark.parametrize(
    "text",
    [
        "1.7e308",
        "1" + "0" * 308,
        "0." + "0" * 5000 + "1",
        "1" + "0" * 400 + "e-400",
        "-0.0",
        "1E+5",
    ],
)
def test_numbers_that_a_double_holds_are_no_fault(text):
    assert first_fault(text) is None


@settings(deadline=None)
@given(json_values(), st.sampled_from((None, 1)), st.booleans())
def test_what_python_writes_is_no_fault(value, indent, ascii_only):
    assert first_fault(json.dumps(value, indent=indent, ensure_ascii=ascii_only)) is None


@settings(deadline=None, max_examples=400)
@given(st.data())
def test_it_agrees_with_the_fast_parser(data):
    """Where the two differ: lone surrogates."""
    text = json.dumps(data.draw(json_values()), ensure_ascii=False)
    raw = data.draw(damaged(text.encode()))
    fault = first_fault(raw.decode("utf-8", "surrogateescape"))
    try:
        from_json(raw, allow_inf_nan=False)
    except ValueError:
        assert fault is not None or b"\\ud8" in raw
    else:
        assert fault is None


@given(st.text(st.sampled_from("a\n\r😀")), st.integers(0, 20))
def test_lines_and_columns(text, offset):
    offset = min(offset, len(text))
    before = text[:offset].split("\n")
    assert Lines(text, 5).at(offset) == (4 + len(before), len(before[-1]) + 1)
