import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.ui.look.plain_text import flat_text, plain_tooltip
from tests.strategies import hostile_texts


@pytest.mark.parametrize(
    ("text", "spans", "flat", "marked"),
    [
        ("a  b\n\tc", [(3, 4)], "a b c", ["b"]),
        ("a\u202eb", [(2, 3)], "ab", ["b"]),
        ("a\u202eb", [(1, 2)], "ab", []),
        ("a  b", [(2, 3)], "a  b", [" "]),
        ("\x00x", [(0, 1)], "\u2400x", ["\u2400"]),
        ("\U0001f600 x", [(2, 3)], "\U0001f600 x", ["x"]),
        ("", [], "", []),
    ],
)
def test_a_text_in_one_line_keeps_what_is_marked(text, spans, flat, marked):
    shown, moved = flat_text(text, spans)
    assert shown == flat
    assert [shown[start:end] for start, end in moved] == marked


@given(hostile_texts(), st.data())
def test_nothing_ends_a_line_and_spans_stay_apart(text, data):
    ends = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = list(zip(ends[::2], ends[1::2], strict=False))
    shown, moved = flat_text(text, spans)
    assert len(shown.splitlines()) <= 1
    assert not any("\u202a" <= one <= "\u202e" or "\u2066" <= one <= "\u2069" for one in shown)
    places = [place for span in moved for place in span]
    assert places == sorted(places) and all(start < end <= len(shown) for start, end in moved)


def test_a_tooltip_shows_any_text_as_it_stands_and_can_be_read_out():
    assert plain_tooltip("") == ""
    assert plain_tooltip("Reload (F5)") == "Reload (F5)"
    for text, shown in (
        ("<b>bold</b>", "<qt>&lt;b&gt;bold&lt;/b&gt;</qt>"),
        ("&lt;b>", "<qt>&amp;lt;b&gt;</qt>"),
        ("one\ntwo", "<qt>one<br>two</qt>"),
    ):
        assert plain_tooltip(text) == shown
    assert plain_tooltip("word " * 40).startswith("<qt>")  # else it would be one long line
