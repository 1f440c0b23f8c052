"""Tables of text: as wide as they may be, whatever script names are written in."""

from hypothesis import given
from hypothesis import strategies as st

from kpinspector.words.columns import (
    aligned,
    cut,
    display_width,
    fitting_cut,
    fitting_wrapped,
    wrapped,
)
from kpinspector.words.printable import on_one_line
from tests.strategies import hostile_texts

names = hostile_texts().map(on_one_line) | st.text("ab 漢字かな\u0301é", max_size=60)


def test_wide_characters_count_double_and_accents_not_at_all():
    assert [display_width(one) for one in ("abc", "漢字", "e\u0301", "", "ｶﾅ")] == [3, 4, 1, 0, 2]


def test_a_cut_text_keeps_its_beginning_or_its_end():
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdef", 4) == "abc…"
    assert cut("abcdef", 4, keep_end=True) == "…def"
    assert cut("漢字漢字", 6) == "漢字…"
    assert cut("漢字漢字", 5, keep_end=True) == "…漢字"


def test_text_is_wrapped_between_words_where_that_can_be():
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("one two three", 8) == ["one two", "three"]
    assert wrapped("abcdefgh ij", 4) == ["abcd", "efgh", "ij"]
    assert wrapped("", 4) == [""]


@given(names, st.integers(8, 60))
def test_no_line_is_wider_than_asked_for_and_nothing_is_lost(text, width):
    assert display_width(cut(text, width)) <= width
    lines = wrapped(text, width)
    assert max(map(display_width, lines)) <= width
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(st.lists(st.tuples(names, st.floats(), names), min_size=1, max_size=5), st.integers(50, 90))
def test_names_give_way_and_numbers_never_do(rows, width):
    cells = [(one, repr(number), two) for one, number, two in rows]
    for fitted in (fitting_cut(cells, width, {0, 2}, {2}), fitting_wrapped(cells, width, {0, 2})):
        lines = list(aligned(fitted, {1}))
        assert max(map(display_width, lines)) <= width
        shown = [row[1] for row in fitted if row[1]]
        assert shown == [repr(number) for _one, number, _two in rows]
    assert fitting_cut(cells, None, {0, 2}, ()) == cells


def test_columns_stand_below_each_other_in_any_script():
    lines = list(aligned([("漢字", "1"), ("abcdef", "22"), ("e\u0301", "3")], {1}))
    assert lines == ["漢字     1", "abcdef  22", "e\u0301        3"]
