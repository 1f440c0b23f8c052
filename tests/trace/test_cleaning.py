"""Cleaning as the SDK does it: every golden exactly, and where each redaction stood."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.trace.cleaning import clean
from kpinspector.trace.clear import masked_in
from tests.known import golden_lines
from tests.trace.samples import takes_linear_time


def rebuilt(text, cleaned):
    at, pieces = 0, []
    for one in cleaned.redactions:
        assert at <= one.start < one.end
        pieces += text[at : one.start], one.replacement
        at = one.end
    return "".join([*pieces, text[at:]])


def test_the_goldens_and_how_their_redactions_lead_to_them():
    cases, answers = golden_lines("clean_cases.jsonl"), golden_lines("clean_expected.jsonl")
    for case, expected in zip(cases, answers, strict=True):
        cleaned = clean(case["text"], case.get("level"))
        counts = [{"type": kind, "count": count} for kind, count in cleaned.counts]
        assert (cleaned.text, counts) == (expected["cleaned"], expected["redactions"]), case
        assert rebuilt(case["text"], cleaned) == cleaned.text


PIECES = st.sampled_from(
    (
        *("bob@example.org", "bob@", "@", "/home/ann/", "C:\\Users\\ann\\x", "redis://", "://"),
        *("xMySQL://u:p@h ", "password=", "token: ", "'", '"', "Bearer ", "sk-" + "a" * 20),
        *("kp_" + "0" * 16, "555-123-4567", "+4915112345678", "10.0.0.1", "]", "[REDACTED"),
        *(" ", "\u2028", "\xe9", "\U0001f600", "x", "1"),
    )
)


@given(st.lists(PIECES, max_size=12), st.sampled_from(["private", "aggregated", None]))
def test_redactions_of_redactions_still_lead_to_the_cleaned_text(pieces, level):
    text = "".join(pieces)
    cleaned = clean(text, level)
    assert rebuilt(text, cleaned) == cleaned.text


def test_a_path_that_takes_in_a_redacted_address_counts_both():
    text = "see /home/ann/bob@example.org]"
    cleaned = clean(text)
    assert cleaned.text == "see [REDACTED:filepath]]]"
    assert [(str(kind), count) for kind, count in cleaned.counts] == [("email", 1), ("filepath", 1)]
    (one,) = cleaned.redactions
    assert text[one.start : one.end] == "/home/ann/bob@example.org"


@pytest.mark.parametrize(
    ("first", "second"),
    [("ann@example.org", "sk-" + "INVENTED0" * 3), ("kp_" + "0a1b2c3d" * 2, "+493012345678")],
)
def test_two_without_anything_between_stay_two(first, second):
    found = clean(first + second).redactions
    assert [(one.start, one.end) for one in found] == [
        (0, len(first)),
        (len(first), len(first + second)),
    ]
    assert len(masked_in(first + second).split("\u2022" * 4)) == 3


LONG = (
    *("a", "a@", "password=", "Bearer ", "1", "(", "password '", ".", "a.", "/home/", "kp_", "sk-"),
    *("password = ", " ", "redis://", "://", "redis:", "+1", "1.1", "'", "xoxb-", "\U0001f600"),
    "A:\\Users\\",
)
"""What a pattern might begin to match again and again."""


@pytest.mark.parametrize("piece", LONG, ids=ascii)
def test_the_time_is_linear_in_the_text(piece):
    assert takes_linear_time(clean, piece)


@pytest.mark.parametrize("start", ["password", "password=", "Bearer ", "a@", "/home/x/"])
@pytest.mark.parametrize("piece", ["a", " ", "="])
def test_the_time_is_linear_behind_a_beginning(start, piece):
    assert takes_linear_time(clean, piece, start)
