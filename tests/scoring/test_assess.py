"""Weights, overrides, gates: the closed form, term by term."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import (
    Verdict,
    assess,
    measured_score,
    score_bounds,
    score_range,
)
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.measurement import Measurement, Novelty
from kpinspector.scoring.formula.overrides import Rule, apply_overrides
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES, profile_for

FACTS = Facts(
    steps=5,
    unique_types=3,
    error_recoveries=0,
    tool_steps=2,
    unique_tools=2,
    single_thought=False,
    confidence=0.95,
    success=True,
    task_domain="code-review",
    schema_valid=True,
)


def novelty(value, unclamped=None):
    return Novelty(
        value=value,
        unclamped=value if unclamped is None else unclamped,
        basis=Basis.MEASURED,
        remembered=False,
        max_similarity=1 - value,
        neighbours=(),
        compared_with=1,
        found_at=0,
        reach=None,
    )


def assessed(value=0.5, facts=FACTS, profile=DEFAULT, threshold=0.75):
    return assess(Measurement(facts, novelty(value)), profile, threshold)


def test_the_example_of_the_report():
    one = assessed()
    assert [term.part for term in one.contributions] == [0.10625, 0.175, 0.15, 0.2375]
    assert one.composite == one.score == 0.66875
    assert one.margin == -0.08125000000000004
    assert one.verdict is Verdict.REJECTED


def test_the_sum_is_made_in_the_sdks_order():
    facts = replace(FACTS, confidence=0.1)
    one = assessed(0.3, facts)
    c, n, d, o = (facts.complexity, 0.3, facts.tool_diversity, facts.outcome_confidence)
    assert one.composite == c * 0.25 + n * 0.35 + d * 0.15 + o * 0.25


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_weights_add_up_to_one(profile):
    weights = profile.weights
    total = weights.complexity + weights.novelty
    assert math.isclose(total + weights.tool_diversity + weights.outcome_confidence, 1)
    assert profile_for(profile.name) is profile


@pytest.mark.parametrize("domain", ["Code", "code ", "constructor", "__proto__", "", None])
def test_any_other_domain_takes_default(domain):
    assert profile_for(domain) is DEFAULT


def test_single_thought_replaces_the_score():
    facts = replace(FACTS, steps=1, single_thought=True, tool_steps=0, unique_tools=0)
    one = assessed(1.0, facts)
    assert one.score == 0.1 and one.overrides[0].applied
    assert [override.rule for override in one.overrides] == list(Rule)


@pytest.mark.parametrize(
    ("recoveries", "success", "fires"), [(2, True, False), (3, True, True), (3, False, False)]
)
def test_recovery_bonus_needs_more_than_two_and_success(recoveries, success, fires):
    facts = replace(FACTS, error_recoveries=recoveries, success=success)
    one = assessed(0.5, facts)
    assert one.overrides[1].applied is fires
    assert one.score == (min(1, one.composite + 0.1) if fires else one.composite)


def test_recovery_bonus_stops_at_one():
    facts = replace(
        FACTS, error_recoveries=3, unique_types=4, steps=20, unique_tools=20, confidence=1
    )
    assert assessed(1.0, facts).score == 1.0


def test_tool_monotony_stops_at_zero_and_needs_a_tool():
    facts = replace(FACTS, unique_tools=1, confidence=-5)
    assert assessed(0.0, facts).score == 0.0
    assert not assessed(0.5, replace(FACTS, tool_steps=0, unique_tools=0)).overrides[2].applied


def test_single_thought_with_a_tool_is_also_monotonous():
    facts = replace(FACTS, steps=1, single_thought=True, tool_steps=1, unique_tools=1)
    assert assessed(0.5, facts).score == 0.0


def test_the_threshold_exactly_and_one_unit_in_the_last_place_below():
    score = assessed(0.7).score
    assert assessed(0.7, threshold=score).verdict is Verdict.ACCEPTED
    above = assessed(0.7, threshold=math.nextafter(score, 2))
    assert above.verdict is Verdict.REJECTED
    assert above.too_close_to_call and above.margin < 0


def test_a_failed_schema_rejects_a_high_score():
    one = assessed(1.0, replace(FACTS, schema_valid=False, confidence=1), threshold=0.5)
    assert one.score_passes and not one.schema_passes and one.verdict is Verdict.REJECTED


def test_clamped_novelty_keeps_the_sdks_number_beside_it():
    one = assess(Measurement(FACTS, novelty(1.0, 1.25)), DEFAULT, 0.75)
    assert one.sdk_score == pytest.approx(one.score + 0.25 * 0.35)
    assert assessed(1.0).sdk_score is None


@pytest.mark.parametrize("unclamped", [0.5, 1.25])
def test_a_domain_that_every_object_has_gives_the_sdk_no_number(unclamped):
    measured = Measurement(FACTS, novelty(min(1.0, unclamped), unclamped))
    named = replace(measured, facts=replace(FACTS, task_domain="constructor"))
    one = assess(named, DEFAULT, 0.75)
    assert one.score == assess(measured, DEFAULT, 0.75).score
    assert one.sdk_score is not None and math.isnan(one.sdk_score)
    alone = replace(named.facts, steps=1, single_thought=True, tool_steps=0, unique_tools=0)
    assert assess(replace(named, facts=alone), DEFAULT, 0.75).sdk_score == 0.1


values = st.floats(0, 1)
any_facts = st.builds(
    Facts,
    steps=st.integers(0, 60),
    unique_types=st.integers(0, 4),
    error_recoveries=st.integers(0, 5),
    tool_steps=st.integers(0, 9),
    unique_tools=st.integers(0, 9),
    single_thought=st.booleans(),
    confidence=values,
    success=st.booleans(),
    task_domain=st.none(),
    schema_valid=st.booleans(),
)


@given(any_facts, values, st.sampled_from(PROFILES), values)
def test_every_term_adds_up(facts, value, profile, threshold):
    one = assessed(value, facts, profile, threshold)
    assert one.composite == pytest.approx(sum(term.part for term in one.contributions))
    assert 0 <= one.score <= 1
    before = one.composite
    for override in one.overrides:
        assert override.before == before
        assert override.applied or override.after == override.before
        before = override.after
    assert one.score == before
    assert (one.verdict is Verdict.ACCEPTED) == (one.schema_passes and one.score >= threshold)


@given(any_facts, values, st.sampled_from(PROFILES), values)
def test_the_range_holds_every_score(facts, value, profile, threshold):
    possible = score_range(facts, profile, threshold)
    one = assessed(value, facts, profile, threshold)
    assert possible.low.score <= one.score <= possible.high.score
    if possible.verdict is not None:
        assert possible.verdict is one.verdict


@given(any_facts, values, st.sampled_from(PROFILES))
def test_a_score_without_its_terms_is_the_score_with_them(facts, value, profile):
    measurement = Measurement(facts, novelty(value))
    assert measured_score(measurement, profile) == assess(measurement, profile, 0.75).score
    possible = score_range(facts, profile, 0.75)
    assert score_bounds(facts, profile) == (possible.low.score, possible.high.score)


def test_overrides_give_their_reasons():
    assert [one.reason for one in apply_overrides(FACTS, 0.5)] == [
        "5 steps",
        "no recoveries, needs 3",
        "2 different tools",
    ]
