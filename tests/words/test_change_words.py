"""The words for what would change a score."""

import pytest
from hypothesis import example, given

from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES, Dimension
from kpinspector.scoring.whatif.counterfactuals import counterfactuals
from kpinspector.words.changes import change_words
from kpinspector.words.figures import SCORE_DECIMALS
from tests.cases import build, cases

MEDICAL = PROFILES[3]
RECOVERED = "error_recovery:b"


def words(steps, confidence=0.9, success=True, similarity=0.5, profile=DEFAULT, threshold=0.75):
    case = build((steps, confidence, success, similarity, profile, threshold))
    found = counterfactuals(*case)
    return found, [change_words(change, case[1]) for change in found.changes]


def calls(*names):
    return [{"type": "tool_call", "tool": {"name": name}} for name in names]


def test_bounds_are_rounded_to_the_side_on_which_they_hold():
    steps = [{"type": "thought"}, *calls("a", "b"), {"type": "observation"}] * 3
    found, said = words(steps, 0.9, True, 0.55, MEDICAL, 0.7477)
    by_kind = {change.kind: one for change, one in zip(found.changes, said, strict=True)}
    confidence = float(by_kind["confidence"].change.removeprefix("Confidence at least "))
    assert confidence >= found.changes[0].amount
    assert by_kind["confidence"].beside == "now 0.9"
    similarity = float(by_kind["similarity"].change.removeprefix("Similarity at most "))
    assert similarity <= next(one.amount for one in found.changes if one.kind == "similarity")
    assert by_kind["similarity"].beside == "now 0.5500"


@given(cases)
@example(([{"type": "thought"}, *calls("a", "b")], 0.2, True, 0.1, DEFAULT, 0.75))
def test_a_score_that_just_reaches_has_no_more_decimals_than_others(case):
    trace, measurement, profile, threshold = build((*case[:5], round(case[5], 2)))
    for change in counterfactuals(trace, measurement, profile, threshold).changes:
        shown = change_words(change, measurement).score
        assert (float(shown) >= threshold) is change.reaches
        assert not change.reaches or len(shown.partition(".")[2]) == SCORE_DECIMALS


def test_a_rule_that_flips_is_named():
    _found, said = words(calls("a", "a", "a", "a"), 0.9, True, 0.1, DEFAULT, 0.7)
    assert any("tool monotony no longer fires" in one.beside for one in said)


@pytest.mark.parametrize(
    ("number", "phrase"), [(1, "One more recovery step"), (2, "Two more recovery steps")]
)
def test_numbers_of_steps_are_words(number, phrase):
    recoveries = [{"type": "error_recovery"}] * (3 - number)
    steps = [{"type": "thought"}, *calls("a", "b", "c"), *recoveries]
    score = assess(*build((steps, 0.5, True, 0.4, DEFAULT, 0.75))[1:]).score
    _found, said = words(steps, 0.5, True, 0.4, DEFAULT, score + 0.1)
    assert phrase in [one.change for one in said]


def test_where_nothing_helps_padding_is_told():
    found, said = words([{"type": "thought"}] * 30, 0.1, True, 0.99)
    assert not any(change.reaches for change in found.changes)
    assert [one.change for one in said] == ["Two more thoughts"]


@pytest.mark.parametrize(
    ("names", "phrase"),
    [
        ("aaaa", "A second tool in place of one"),
        ("aaaabbbbbb", "A third tool in place of one"),
        ("abcdef" + "f" * 30, "Another tool in place of one"),
    ],
)
def test_a_tool_in_place_of_one_says_which_it_is(names, phrase):
    case = (calls(*names), 0.5, True, 0.5, DEFAULT)
    before = assess(*build((*case, 0.75))[1:]).score
    _found, said = words(*case, before + 0.005)
    (one,) = [one for one in said if "in place of" in one.change]
    assert one.change == phrase and one.beside.startswith("now ")


def test_several_tools_in_place_of_repeats_are_counted():
    case = (calls(*"ab", *"c" * 28), 0.5, True, 0.5, DEFAULT)
    before = assess(*build((*case, 0.75))[1:]).score
    _found, said = words(*case, before + 0.04)
    assert "Three new tools in place of repeats" in [one.change for one in said]


def test_success_and_confidence_together_are_one_change():
    found, said = words([{"type": "thought"}, *calls("a")] * 6, 0.3, False, 0.4, MEDICAL, 0.6)
    both = next(one for one in said if one.change.startswith("Success, and confidence at least 0."))
    assert both.beside == "now 0.3"
    assert found.alone(Dimension.OUTCOME_CONFIDENCE) is not None


def test_a_dimension_that_no_change_of_the_trace_raises_enough_is_a_value():
    _found, said = words([{"type": "thought"}] * 3, 0.9, True, None, DEFAULT, 0.55)
    novelty = next(one for one in said if one.change.startswith("Novelty at least 0."))
    assert novelty.beside == "now 0.500"


@pytest.mark.parametrize(
    ("steps", "rules", "phrase"),
    [
        (f"thought:b thought:c {RECOVERED} thought {RECOVERED} thought:b observation:a observation",
         (0.56, True, 0.32, DEFAULT, 0.84), "Two steps of other types"),
        ("observation:a", (0.28, False, 0.29, DEFAULT, 0.48), "Two steps of other types"),
        ("error_recovery:a tool_call:a tool_call:b", (0.54, True, 0.0, PROFILES[1], 0.82),
         "Three steps added or of other types"),
    ],
)  # fmt: skip
def test_steps_of_other_types_are_counted(steps, rules, phrase):
    pairs = (one.partition(":") for one in steps.split())
    made = [{"type": kind} | ({"tool": {"name": tool}} if tool else {}) for kind, _, tool in pairs]
    _found, said = words(made, *rules)
    assert phrase in [one.change for one in said]
