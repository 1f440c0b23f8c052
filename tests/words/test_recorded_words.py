"""The words for a recorded quality score."""

from dataclasses import replace

import pytest

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES
from kpinspector.scoring.report.recorded import Cause
from kpinspector.words.terms import recorded_words
from tests.cases import build
from tests.scoring.test_recorded import CALL, RECOVERIES, THOUGHT, found_for, score_at


def words(case, score):
    return recorded_words(found_for(case, score))


STEPS = [THOUGHT, CALL, {"type": "tool_call", "tool": {"name": "b"}}]
PLAIN = (STEPS, 0.87, True, 0.4, DEFAULT, 0.75)


def test_the_same_score_is_said_to_be_the_same():
    score = score_at(PLAIN, 0.6)
    assert words(PLAIN, score) == ("Recorded quality score 0.6475: the same as recomputed.",)
    said = "Recorded quality score 0.65: the same as recomputed, to 2 decimals."
    assert words(PLAIN, round(score, 2)) == (said,)


def test_the_difference_is_that_of_the_shown_figures():
    assert words(PLAIN, 0.7475)[0] == (
        "Recorded quality score 0.7475: 0.1000 above the recomputed one."
    )
    assert words(PLAIN, 0.5)[0] == "Recorded quality score 0.5: 0.1475 below the recomputed one."


def test_the_causes_are_named():
    assert words(PLAIN, score_at(PLAIN, 0.5))[1] == "An empty cache gives this number."
    assert words(PLAIN, round(score_at(PLAIN, 0.3117), 4))[1] in (
        "Novelty 0.3116\N{EN DASH}0.3118 gives this number.",
        "Novelty 0.3117\N{EN DASH}0.3118 gives this number.",
    )
    finance = (*PLAIN[:4], PROFILES[1], 0.75)
    second = words(PLAIN, round(score_at(finance, 0.6), 6))[1]
    assert second.startswith("Profile finance or novelty 0.")
    medical = (*PLAIN[:4], PROFILES[3], 0.75)
    second = words(PLAIN, round(score_at(medical, 0.5), 6))[1]
    assert second.startswith("Profile medical with an empty cache or novelty 0.")
    assert words(PLAIN, 0.99)[1] == (
        "No novelty in 0 to 1 gives this number, nor does another profile or a rule left out."
    )


def test_the_rules_that_were_left_out_are_named():
    case = ([*RECOVERIES, CALL], 0.9, True, 0.4, DEFAULT, 0.75)
    both = assess(*build(case)[1:])
    assert [one.applied for one in both.overrides] == [False, True, True]
    _, second = words(case, round(both.composite - 0.1, 6))
    assert second.startswith("The score without recovery bonus or novelty ")
    single = ([THOUGHT | {"tool": {"name": "a"}}], 0.9, True, 0.4, DEFAULT, 0.75)
    composite = assess(*build(single)[1:]).composite
    assert words(single, round(composite, 6))[1] == (
        "The score without single thought and tool monotony gives this number;"
        " no novelty in 0 to 1 does."
    )


def test_what_the_sdk_does_not_clamp_is_told():
    case = (*PLAIN[:3], -0.25, DEFAULT, 0.75)
    assert words(case, round(score_at(case, 1.25), 6))[1] == (
        "The SDK's novelty above 1 gives this number; no novelty in 0 to 1 does."
    )


def test_a_difference_as_small_as_that_of_two_builds_explains_itself():
    first, *more = words(PLAIN, score_at(PLAIN, 0.6) + 2e-5)
    assert first.endswith(": 0.00002 above the recomputed one, too close to tell it from the"
                          " SDK's own number.")  # fmt: skip
    assert not more
    case = (*PLAIN[:3], None, DEFAULT, 0.75)
    assert build(case)[1].novelty.basis is Basis.EMPTY_CACHE
    _, second = words(case, score_at(case, 0.5) + 2e-5)
    assert second == "Novelty 0.5001 gives this number."
    _, second = words(case, score_at(case, 0.5) + 2e-6)
    assert second == "Novelty 0.50001 gives this number."


def test_many_ways_are_counted():
    many = replace(found_for(PLAIN, 0.7), causes=(Cause(PROFILES[1]),) * 5)
    assert recorded_words(many)[1].startswith(
        "Profile finance, profile finance, profile finance, one of 2 more ways or novelty"
    )


@pytest.mark.parametrize("score", [1e300, -1e300, 5e-324, -3, 85])
def test_odd_numbers_have_words_too(score):
    assert all(said.endswith(".") and len(said) < 200 for said in words(PLAIN, score))
