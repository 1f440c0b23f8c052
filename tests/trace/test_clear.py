"""Texts that are masked: the beginning as the whole, and once as often as you like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.trace.clear import masked_beginning, masked_in

PARTS = st.sampled_from(
    ("so ", "ann@example.org ", "Bearer " + "INVENTED" * 3 + " ", "pwd: ", "token=abcdef ", "\n")
)
KEY = "sk-ant-api03-" + "INVENTED" * 4


@given(st.lists(PARTS, max_size=9).map("".join))
def test_what_is_masked_stays_as_it_is(text):
    assert masked_in(masked_in(text)) == masked_in(text)


def test_dots_beside_a_secret_do_not_hide_it():
    assert masked_in("token=••••Invented-Pass-42") == "token=••••••••"
    assert masked_in("token=Invented-Pass••••") == "token=Inve••••"


def test_the_space_before_a_token_stays():
    assert masked_in("Bearer " + "INVENTED" * 3) == "Bearer INVE••••"


@pytest.mark.parametrize("cut", range(1, len(KEY) + 1))
def test_of_a_secret_that_is_cut_in_half_no_more_is_shown(cut):
    text = f"so {KEY} and " + "on " * 9000
    assert masked_beginning(text, 3 + cut) == (
        "so sk-a••••…" if cut < len(KEY) + 1 else "so sk-a•••• …"
    )


def test_what_stands_behind_the_beginning_is_not_shown():
    text = f"{'x ' * 50}ann@example.org {'y ' * 9000}"
    assert masked_beginning(text, 100) == "x " * 50 + "…"
    assert masked_beginning(text, 101) == "x " * 50 + "ann••••…"
    assert masked_beginning("ann@example.org", len("ann@example.org")) == "ann••••"


def test_a_long_text_is_read_no_further_than_it_must_be():
    text = "ann@example.org " * 700_000
    assert masked_beginning(text, 20) == "ann•••• ann••••…"
