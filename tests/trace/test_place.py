import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.trace.broken import first_fault
from kpinspector.trace.place import Lines, offset_of, offsets_of
from tests.strategies import hostile_texts, json_values


def locate(text, path):
    return Lines(text).at(offset_of(text, path))


TEXT = """{
  "id": "x",
  "steps": [
    {"type": "thought"},
    {
      "type": "tool_call",
      "tool": {"name": 7}
    }
  ]
}"""


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        ("", 1, 1),
        ("id", 2, 9),
        ("steps", 3, 12),
        ("steps.0", 4, 5),
        ("steps.0.type", 4, 14),
        ("steps.1", 5, 5),
        ("steps.1.tool.name", 7, 24),
        (("steps", 1, "tool", "name"), 7, 24),
        ("steps.1.tool.server", 7, 15),
        ("steps.2.type", 3, 12),
        ("metadata.success", 1, 1),
        ("id.x", 2, 9),
    ],
)
def test_a_path_or_the_nearest_value_around_it(path, line, column):
    assert locate(TEXT, path) == (line, column)


def test_of_duplicate_keys_the_last_counts():
    text = '{"a": {"b": 1}, "a": {"c": 2}}'
    assert locate(text, "a.b") == (1, 22)
    assert locate(text, "a.c") == (1, 28)


def test_keys_are_compared_with_their_escapes_resolved():
    assert offset_of('{"\\u0061": 5}', "a") == 11
    assert offset_of('{"\\ud800": 5}', "\ufffd") == 11


def test_a_number_of_any_length_is_passed_over():
    text = f'{{"a": [{"7" * 5000}], "b": 5}}'
    assert offset_of(text, "b") == text.index("5}")


def test_a_start_inside_a_text():
    assert offset_of('junk, {"a": 1}', "a", 5) == 12


@pytest.mark.parametrize("text", ["", "{", '{"a"', '{"a": nope}', "[1, "])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 (its message is that of the decoder)
        locate(text, "a.b")


def paths_of(value, path=()):
    yield path
    members: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    for key, member in members:
        yield from paths_of(member, (*path, key))


@settings(deadline=None)
@given(json_values(), st.sampled_from((None, 0, 2)))
def test_each_path_leads_to_its_value(value, indent):
    text = " \n" + json.dumps(value, indent=indent)
    paths = list(paths_of(value))
    for path, offset in offsets_of(text, paths).items():
        inner = value
        for part in path:
            inner = inner[part]
        assert json.JSONDecoder().raw_decode(text, offset)[0] == inner


@settings(deadline=None)
@given(st.data())
def test_it_agrees_with_the_scanner(data):
    """A value replaced by nonsense: the scanner stops where `offset_of` found the value."""
    value = data.draw(json_values() | st.dictionaries(hostile_texts(6), json_values()))
    path = data.draw(st.sampled_from(list(paths_of(value))))
    text = json.dumps(value, indent=data.draw(st.sampled_from((None, 1))))
    offset = offset_of(text, path)
    fault = first_fault(text[:offset] + "?" + text[offset:])
    assert fault is not None
    assert (fault.offset, fault.path) == (offset, path)
