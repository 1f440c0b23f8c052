"""Runs that may have ended in any way: what is possible, and what would decide it."""

from dataclasses import replace
from math import nextafter

from hypothesis import given
from hypothesis import strategies as st

from kpinspector.runs.provenance import without_derived
from kpinspector.scoring.formula.assess import (
    Verdict,
    assess,
    outcome_range,
    score_bounds,
    score_range,
)
from kpinspector.scoring.formula.measurement import facts_of
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES, Dimension
from kpinspector.scoring.whatif.reach import DecidingKind, deciding, outcome_needed
from kpinspector.scoring.whatif.scenario import Scenario, edited_facts, edited_trace
from tests import undecided
from tests.answers import measurement, novelty
from tests.cases import what_if
from tests.known import present

NEITHER = [(False, False), (False, True), (True, False)]
KNOWN = st.sampled_from(NEITHER)
THRESHOLDS = st.floats(0, 1) | st.sampled_from((0.0, 0.5, 0.75, 1.0))
MEASUREMENTS = st.builds(
    lambda similarity, known, **counted: measurement(
        novelty(similarity), confidence_known=known[0], success_known=known[1], **counted
    ),
    st.floats(-1, 1),
    KNOWN,
    steps=st.integers(1, 40),
    unique_types=st.integers(0, 5),
    error_recoveries=st.integers(0, 5),
    tool_steps=st.integers(0, 4),
    unique_tools=st.integers(0, 3),
    single_thought=st.booleans(),
    confidence=st.floats(0, 1),
    success=st.booleans(),
    schema_valid=st.sampled_from((True, True, True, False)),
)


def ended(one, confidence, success):
    """The measurement, had the run ended so; what is recorded stays."""
    facts = one.facts
    known = replace(
        facts,
        confidence=facts.confidence if facts.confidence_known else confidence,
        success=facts.success if facts.success_known else success,
        confidence_known=True,
        success_known=True,
    )
    return replace(one, facts=known)


@given(MEASUREMENTS, st.sampled_from(PROFILES), THRESHOLDS)
def test_the_ends_are_what_assess_says_of_the_worst_and_the_best(one, profile, threshold):
    possible = outcome_range(one, profile, threshold)
    worst, best = ended(one, 0.0, success=False), ended(one, 1.0, success=True)
    assert possible.low == assess(worst, profile, threshold)
    assert possible.high == assess(best, profile, threshold)
    bounds = score_bounds(one.facts, profile, one.novelty.value)
    assert bounds == (possible.low.score, possible.high.score)
    verdicts = {possible.low.verdict, possible.high.verdict}
    assert possible.verdict == (verdicts.pop() if len(verdicts) == 1 else Verdict.UNDECIDED)
    values = zip(possible.low.contributions, possible.high.contributions, strict=True)
    differs = [first.dimension for first, second in values if first.value != second.value]
    assert [*possible.open_dimensions] == differs
    assert set(differs) <= {Dimension.OUTCOME_CONFIDENCE}


@given(MEASUREMENTS, st.sampled_from(PROFILES), THRESHOLDS)
def test_while_novelty_is_unknown_too_the_range_holds_both(one, profile, threshold):
    wide = score_range(one.facts, profile, threshold)
    assert score_bounds(one.facts, profile) == (wide.low.score, wide.high.score)
    possible = outcome_range(one, profile, threshold)
    assert wide.low.score <= possible.low.score <= possible.high.score <= wide.high.score


@given(MEASUREMENTS, st.sampled_from(PROFILES), THRESHOLDS)
def test_a_bound_is_the_least_double_that_is_accepted(one, profile, threshold):
    bounds = outcome_needed(one, profile, threshold)
    recorded = one.facts.success_known
    assert [bound.success for bound in bounds] == (
        [one.facts.success] if recorded else [True, False]
    )
    for bound in bounds:

        def verdict(confidence, success=bound.success):
            return assess(ended(one, confidence, success), profile, threshold).verdict

        if bound.confidence is None:
            assert verdict(1.0) is Verdict.REJECTED
            continue
        assert verdict(bound.confidence) is Verdict.ACCEPTED
        if one.facts.confidence_known:
            assert bound.confidence == one.facts.confidence
        elif bound.confidence > 0.0:
            assert verdict(nextafter(bound.confidence, 0.0)) is Verdict.REJECTED


def run(failures=1, calls=2):
    record = undecided.record(failures, calls)
    return record, undecided.measured(record).measurement


def ways(failures=1, threshold=0.7):
    record, measured = run(failures, max(2, failures + 1))
    return deciding(record.trace, measured, record.imported.mapped.derived, DEFAULT, threshold)


def test_what_would_decide_it_is_a_success_with_the_bound_then_at_best_then_a_failure():
    found = ways()
    kinds = [(one.kind, one.scenario.success, one.scenario.confidence) for one in found]
    bound = present(kinds[0][2])
    assert kinds == [
        (DecidingKind.BOUND, True, bound),
        (DecidingKind.BEST, True, 1.0),
        (DecidingKind.BEST, False, 1.0),
        (DecidingKind.NOT_DERIVED, None, None),
    ]
    assert [one.after.low.verdict for one in found] == ["accepted", "accepted", *["rejected"] * 2]
    assert all(one.after.low == one.after.high for one in found[:3])


@given(st.integers(0, 4), st.floats(0, 1))
def test_each_way_is_what_its_scenario_comes_to(failures, threshold):
    record, measured = run(failures, failures + 1)
    derived = record.imported.mapped.derived
    assert len(derived) == failures
    for one in deciding(record.trace, measured, derived, DEFAULT, threshold):
        tried = what_if(record.trace, measured, one.scenario, DEFAULT, threshold)
        if one.kind is DecidingKind.NOT_DERIVED:
            assert tried.possible == one.after
            plain = facts_of(without_derived(record), schema_valid=True)
            assert edited_facts(record.trace, measured.facts, one.scenario) == plain
        else:
            assert tried.possible is None
            assert tried.then == one.after.low == one.after.high


@given(MEASUREMENTS, st.sampled_from(PROFILES), THRESHOLDS)
def test_a_what_if_begins_with_the_range_and_in_its_middle(one, profile, threshold):
    record = undecided.record()
    found = what_if(record.trace, one, Scenario(), profile, threshold)
    possible = present(found.possible)
    assert possible == outcome_range(one, profile, threshold)
    assert [present(other).low.profile for other in found.ranges] == [*PROFILES]
    assert possible.low.score <= found.then.score <= possible.high.score


def test_what_is_tried_of_a_run_stays_right_by_the_schema():
    record, measured = run()
    for scenario in (
        Scenario(confidence=0.9),
        Scenario(success=False),
        *(one.scenario for one in ways()),
    ):
        assert edited_facts(record.trace, measured.facts, scenario).schema_valid
        edited = edited_trace(record.trace, scenario)
        facts = edited_facts(record.trace, measured.facts, scenario)
        assert facts_of(edited, schema_valid=True) == facts
    assert "quality_score" not in str(edited_trace(record.trace, Scenario(success=True)).raw)
