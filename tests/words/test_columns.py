"""Tables of text: as wide as they may be, whatever script names are written in."""

from hypothesis import given
from hypothesis import strategies as st

from kpinspector.trace.printable import on_one_line
from kpinspector.words.writers.columns import (
    aligned,
    cut,
    display_width,
    fitted,
    fitting_cut,
    labelled,
    wrapped,
    wrapped_list,
)
from tests.strategies import hostile_texts

names = hostile_texts().map(on_one_line) | st.text("ab 漢字かな\u0301é", max_size=60)


def test_wide_characters_count_double_and_accents_not_at_all():
    assert [display_width(one) for one in ("abc", "漢字", "e\u0301", "", "ｶﾅ")] == [3, 4, 1, 0, 2]


def test_a_sign_of_several_characters_is_as_wide_as_it_is_drawn():
    rows = [("\N{HEAVY BLACK HEART}\N{VARIATION SELECTOR-16}", "1.5"), ("a sign", "22.25")]
    assert list(aligned(rows, {1})) == [f"{rows[0][0]}        1.5", "a sign  22.25"]
    family = "\N{ZERO WIDTH JOINER}".join("\N{MAN}\N{WOMAN}\N{GIRL}")
    assert cut(family * 3, 5) == f"{family * 2}…"


def test_a_cut_text_keeps_its_beginning_or_its_end():
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdef", 4) == "abc…"
    assert cut("abcdef", 4, keep_end=True) == "…def"
    assert cut("漢字漢字", 6) == "漢字…"
    assert cut("漢字漢字", 5, keep_end=True) == "…漢字"


def test_text_is_wrapped_between_words_and_a_long_word_stands_alone():
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("one two three", 8) == ["one two", "three"]
    assert wrapped("to /a/long/path it goes", 6) == ["to", "/a/long/path", "it", "goes"]
    assert wrapped("abcdefgh", 4) == wrapped("abcdefgh ", 4) == ["abcdefgh"]
    assert wrapped("漢字かな交じ", 5) == ["漢字", "かな", "交じ"]
    assert wrapped("/漢字/かな", 5) == ["/漢字/かな"]
    assert wrapped("", 4) == [""]


def alone(line):
    """Whether a line is a single word."""
    return len(line.split()) == 1


@given(names, st.integers(8, 60))
def test_no_line_is_wider_than_asked_for_and_nothing_is_lost(text, width):
    assert display_width(cut(text, width)) <= width
    lines = wrapped(text, width)
    assert all(display_width(line) <= width or alone(line) for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_parts_of_a_list_stay_whole():
    parts = ("C 0.5", "N 0.25", "D 1.0")
    assert wrapped_list(parts, 14) == ["C 0.5, N 0.25,", "D 1.0"]
    assert wrapped_list(parts, 13) == ["C 0.5,", "N 0.25,", "D 1.0"]
    assert wrapped_list(["one two three"], 8) == ["one two", "three"]
    assert wrapped_list([], 8) == []


def test_a_text_that_has_no_room_beside_its_label_stands_below():
    rows = [("id", "kp:trace:0123456789"), ("about", "some words here")]
    assert list(labelled(rows, 26)) == ["id     kp:trace:0123456789", "about  some words here"]
    assert list(labelled(rows, 20)) == [
        "id",
        "  kp:trace:0123456789",
        "about  some words",
        "       here",
    ]
    assert list(labelled([], 20)) == []


TABLE = [
    ("name", "first", "second", "about", "id"),
    ("one", "1.5", "22.25", "some words that say more", "kp:trace:0123456789"),
    ("two", "", "3", "", ""),
]


def test_the_last_columns_stand_below_where_they_have_no_room():
    assert list(fitted(TABLE, None, {1, 2})) == list(aligned(TABLE, {1, 2}))
    assert list(fitted(TABLE, 55, {1, 2})) == [
        "name  first  second  about          id",
        "one     1.5   22.25  some words     kp:trace:0123456789",
        "                     that say more",
        "two               3",
    ]
    assert list(fitted(TABLE, 36, {1, 2})) == [
        "name  first  second  about",
        "one     1.5   22.25  some words that",
        "                     say more",
        "    id  kp:trace:0123456789",
        "two               3",
    ]
    assert list(fitted(TABLE, 18, {1, 2})) == [
        "name  first",
        "one     1.5",
        "    second 22.25",
        "    about",
        "      some words",
        "      that say",
        "      more",
        "    id",
        "      kp:trace:0123456789",
        "two",
        "    second 3",
    ]


@given(st.lists(st.tuples(names, st.floats(), names), min_size=1, max_size=5), st.integers(30, 90))
def test_figures_are_whole_at_any_width(rows, width):
    cells = [("name", "figure", "text"), *((one, repr(number), two) for one, number, two in rows)]
    lines = list(fitted(cells, width, {1}))
    assert all(display_width(line) <= width or alone(line) for line in lines)
    for _one, number, _two in rows:
        assert any(repr(number) in line for line in lines)
    table = fitting_cut(cells, width, 2)
    assert [row[:2] for row in table] == [row[:2] for row in cells]


def test_columns_stand_below_each_other_in_any_script():
    lines = list(aligned([("漢字", "1"), ("abcdef", "22"), ("e\u0301", "3")], {1}))
    assert lines == ["漢字     1", "abcdef  22", "e\u0301        3"]
