"""Characters on which two tokenizers differ, and where offsets lie after Chinese was set apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.scoring.model.characters import alike, has_sigma, offset_before, set_apart

texts = st.text(st.sampled_from("ab\u4e00\u4e01豈.\u0301é𠮷"), max_size=30)


@pytest.mark.parametrize("text", ["", "plain words", "\x00\x7f", "café", "𠮷野家", "\ufeff"])
def test_what_both_take_alike_is_left_as_it_is(text):
    assert alike(text) == text


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        (0x0897, 0x0301),  # a mark of a newer Unicode
        (0x08E2, 0x0301),
        (0x08E3, 0x08E3),  # behind the range
        (0x2E5D, 0x2E2A),
        (0xD800, 0x200B),
        (0xDFFF, 0x200B),
        (0xFFFD, 0x200B),
        (0x10FFFD, 0x200B),
        (0x10FFFE, 0x10FFFE),
        (0x1734, 0x10380),
    ],
)
def test_where_they_differ_another_character_stands_in_its_place(code, meant):
    assert alike(f"é{chr(code)}x") == f"é{chr(meant)}x"


@pytest.mark.parametrize(
    ("text", "final"),
    [
        ("οδοΣ", True),
        ("aΣ", True),
        ("aΣ\u0301", True),
        ("İΣ", True),
        ("aΣb", False),
        ("aΣ\ud800b", False),  # what is dropped stands between no two letters
        ("aΣ\u1c89", False),  # a letter of a newer Unicode
        ("aΣ\U0001e030b", False),
        ("Σ", False),
        ("\u0295Σ", False),
        ("Σa", False),
    ],
)
def test_a_capital_sigma_is_as_small_as_its_neighbours_ask(text, final):
    small = alike(text)
    assert has_sigma(text) and not has_sigma(small)
    assert len(small) == len(text)
    assert ("\u03c2" in small, "\u03c3" in small) == (final, not final)


def test_chinese_stands_apart_and_nothing_else_does():
    assert set_apart("a中文b") == "a 中  文 b"
    assert set_apart("㐀豈") == " 㐀  豈 "
    assert set_apart("𠮷ひア、한") == "𠮷ひア、한"
    assert set_apart("plain") == "plain"


@given(texts)
def test_every_character_is_found_again_behind_and_before(text):
    spaced = set_apart(text)
    place = 0
    for index, character in enumerate(text):
        place = spaced.index(character, place)
        assert offset_before(spaced, place) == index
        assert offset_before(spaced, place + 1) == index + 1
        place += 1
