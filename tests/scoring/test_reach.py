"""What a trace can reach: every bound is the last double that passes, no grid point says more."""

import itertools
from collections import Counter
from dataclasses import replace
from math import inf, isnan, nan, nextafter

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from kpinspector.runs.read import read_file
from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import (
    Verdict,
    assess,
    assess_values,
    outcome_range,
    values_of,
)
from kpinspector.scoring.formula.gates import main_cause
from kpinspector.scoring.formula.measurement import novelty_of
from kpinspector.scoring.formula.profiles import (
    DEFAULT,
    PROFILES,
    Dimension,
    Profile,
    Weights,
    profile_for,
)
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.scoring.whatif.reach import ReachKind, least_confidence, most_similar, trace_reach
from kpinspector.trace.find import FoundFile
from tests.answers import MEDICAL, measurement, novelty
from tests.known import present

MEASUREMENTS = st.builds(
    lambda similarity, **counted: measurement(novelty(similarity, Basis.MEASURED), **counted),
    st.none() | st.floats(-1, 1),
    steps=st.integers(0, 40),
    unique_types=st.integers(0, 5),
    error_recoveries=st.integers(0, 5),
    tool_steps=st.integers(0, 4),
    unique_tools=st.integers(0, 3),
    single_thought=st.booleans(),
    confidence=st.floats(0, 1) | st.floats(-3, 3) | st.just(nan),
    success=st.booleans(),
    schema_valid=st.sampled_from((True, True, True, False)),
)
WEIGHTS = st.builds(Weights, *[st.floats(0, 1) | st.sampled_from((0.0, 0.25))] * 4)
RULES = st.sampled_from(PROFILES) | WEIGHTS.map(lambda one: Profile("own", one))
THRESHOLDS = st.floats(0, 1) | st.sampled_from((0.0, 0.1, 0.5, 0.75, 1.0))
GRID = [n / 20 for n in range(21)]


class Case:
    """A measurement under rules, and what it would be with another outcome and novelty."""

    def __init__(self, one, profile, threshold):
        self.facts, self.novelty = one.facts, one.novelty.value
        self._rules = profile, threshold

    def score(self, novelty_value=None, **changes):
        facts = replace(self.facts, **changes)
        value = self.novelty if novelty_value is None else novelty_value
        return assess_values(values_of(facts, value), facts, *self._rules).score

    def passes(self, novelty_value=None, **changes):
        return self.score(novelty_value, **changes) >= self._rules[1]

    @property
    def outcomes(self):
        """All that a better outcome may be, in steps."""
        own = max(1.0, self.facts.confidence)
        successes = {True, self.facts.success}
        return itertools.product((*GRID, self.facts.confidence, own), successes)


@given(MEASUREMENTS, RULES, THRESHOLDS)
@example(measurement(success=False), MEDICAL, 0.75)
@example(measurement(novelty(0.9), success=False, confidence=0.2), DEFAULT, 0.75)
@example(measurement(novelty(0.9), success=False, confidence=2.5), MEDICAL, 1.0)
def test_no_value_on_a_grid_contradicts_the_kind(one, profile, threshold):
    case = Case(one, profile, threshold)
    found = trace_reach(one, profile, threshold)
    assert found.low is found.high and found.kind is found.low.kind
    accepted = assess(one, profile, threshold)
    assert (found.kind is ReachKind.ACCEPTED) is (accepted.verdict is Verdict.ACCEPTED)
    if accepted.score_passes:
        assert found.kind in {ReachKind.ACCEPTED, ReachKind.SCHEMA}
        return
    by_novelty = case.passes(1.0)
    assert (found.kind is ReachKind.NOVELTY) is by_novelty
    if by_novelty:
        return
    assert not any(map(case.passes, GRID))
    endings = [{"confidence": one, "success": yes} for one, yes in case.outcomes]
    if any(case.passes(**ending) for ending in endings):
        assert found.kind is ReachKind.OUTCOME
    elif any(case.passes(1.0, **ending) for ending in endings):
        assert found.kind is ReachKind.BOTH
    else:
        assert found.kind is ReachKind.STRUCTURE


@given(MEASUREMENTS, RULES, THRESHOLDS)
@example(measurement(novelty(0.9), success=False, confidence=0.9), DEFAULT, 0.75)
@example(measurement(novelty(0.9), confidence=0.2), DEFAULT, 0.75)
def test_at_a_bound_it_passes_and_a_hair_beyond_it_does_not(one, profile, threshold):
    case = Case(one, profile, threshold)
    found = trace_reach(one, profile, threshold).low
    own, least, most = one.facts.confidence, found.confidence, found.similarity
    asked = {ReachKind.NOVELTY: (False, True), ReachKind.OUTCOME: (True, False)}
    asked[ReachKind.BOTH] = (True, True)
    bounds = (least is not None, most is not None)
    assert bounds == asked.get(found.kind, (False, False))
    if most is not None and least is None:
        assert case.passes(novelty_of(most)) and not case.passes(novelty_of(nextafter(most, 2)))
    if least is None:
        return
    held = None if most is None else novelty_of(most)
    assert case.passes(held, success=True, confidence=least)
    if least > min(0.0, own):
        assert not case.passes(held, success=True, confidence=nextafter(least, -inf))
    if most is not None:
        ended = own if least <= own else max(1.0, own)
        assert case.passes(held, success=True, confidence=ended)
        assert not case.passes(novelty_of(nextafter(most, 2)), success=True, confidence=ended)


@given(MEASUREMENTS, RULES)
def test_a_threshold_that_is_exactly_a_score_is_reached(one, profile):
    case = Case(one, profile, 0.0)
    best = {"success": True, "confidence": max(1.0, one.facts.confidence)}
    for novelty_value, changes in ((1.0, {}), (None, best), (1.0, best)):
        threshold = case.score(novelty_value, **changes)
        found = trace_reach(one, profile, threshold).low
        wanted = {ReachKind.ACCEPTED, ReachKind.SCHEMA}
        wanted |= {ReachKind.NOVELTY} if novelty_value else set()
        wanted |= {ReachKind.NOVELTY, ReachKind.OUTCOME} if changes else set()
        wanted |= {ReachKind.BOTH} if novelty_value and changes else set()
        assert found.kind in wanted or isnan(threshold)


@given(MEASUREMENTS, RULES, THRESHOLDS)
def test_the_scores_at_novelty_1_and_at_best_are_those_of_the_assessment(one, profile, threshold):
    assume(one.facts.confidence == one.facts.confidence)
    case, found = Case(one, profile, threshold), trace_reach(one, profile, threshold).low
    own = max(1.0, one.facts.confidence)
    assert str(found.if_new) == str(case.score(1.0))
    assert str(found.at_best) == str(case.score(1.0, success=True, confidence=own))


@given(MEASUREMENTS, RULES, THRESHOLDS)
def test_the_greatest_similarity_is_that_of_a_trace_that_passes_too(one, profile, threshold):
    """A plan asks it of every trace: up to there, whatever came before, it is accepted."""
    case, most = Case(one, profile, threshold), most_similar(one.facts, profile, threshold)
    passing = [similarity for similarity in (-1.0, *GRID) if case.passes(novelty_of(similarity))]
    if most is None:
        assert not passing
        return
    assert case.passes(novelty_of(most)) and all(similarity <= most for similarity in passing)
    assert most == 1.0 or not case.passes(novelty_of(nextafter(most, 2)))


@given(MEASUREMENTS, RULES, THRESHOLDS)
def test_no_confidence_on_a_grid_is_less_than_the_least(one, profile, threshold):
    case = Case(one, profile, threshold)
    least = least_confidence(one.facts, case.novelty, profile, threshold)
    passing = [value for value in GRID if case.passes(confidence=value)]
    assert (least is None) is (not passing)
    assert not passing or present(least) <= passing[0]


OPEN = {"confidence_known": False, "success_known": False}
UNKNOWN = st.sampled_from([(False, False), (False, True), (True, False)])


@given(MEASUREMENTS, UNKNOWN, st.sampled_from(PROFILES), THRESHOLDS)
def test_a_run_without_an_outcome_has_the_reach_of_both_ends(one, known, profile, threshold):
    facts = replace(one.facts, confidence_known=known[0], success_known=known[1])
    worst, best = facts.outcome_ends
    found = trace_reach(replace(one, facts=facts), profile, threshold)
    ends = [trace_reach(replace(one, facts=end), profile, threshold) for end in (worst, best)]
    assert str((found.low, found.high)) == str(tuple(end.low for end in ends))
    verdict = outcome_range(replace(one, facts=facts), profile, threshold).verdict
    assert (found.kind is ReachKind.UNDECIDED) is (verdict is None)
    assert verdict is None or found.kind is ends[1].kind


@pytest.mark.parametrize(
    ("changes", "similarity", "threshold", "kind"),
    [
        ({}, 0.1, 0.75, ReachKind.ACCEPTED),
        ({"schema_valid": False}, 0.1, 0.75, ReachKind.SCHEMA),
        ({"schema_valid": False}, 0.55, 0.75, ReachKind.NOVELTY),
        ({}, 0.55, 0.75, ReachKind.NOVELTY),
        ({"success": False}, 0.1, 0.75, ReachKind.OUTCOME),
        ({"confidence": 0.3}, 0.1, 0.75, ReachKind.OUTCOME),
        ({"success": False}, 0.9, 0.75, ReachKind.BOTH),
        ({"unique_types": 1}, 0.9, 0.9, ReachKind.STRUCTURE),
        ({"single_thought": True}, 0.1, 0.75, ReachKind.STRUCTURE),
        (OPEN, 0.1, 0.75, ReachKind.UNDECIDED),
        (OPEN, 0.9, 0.1, ReachKind.ACCEPTED),
        ({**OPEN, "schema_valid": False}, 0.1, 0.75, ReachKind.SCHEMA),
        (OPEN, 0.9, 0.8, ReachKind.NOVELTY),
        ({**OPEN, "success_known": True, "success": False}, 0.1, 0.75, ReachKind.OUTCOME),
        ({**OPEN, "success_known": True, "success": False}, 0.9, 0.75, ReachKind.BOTH),
        ({**OPEN, "unique_types": 1}, 0.9, 0.9, ReachKind.STRUCTURE),
    ],
)
def test_the_kinds(changes, similarity, threshold, kind):
    one = measurement(novelty(similarity), **changes)
    assert trace_reach(one, MEDICAL, threshold).kind is kind


def test_real_runs_reach_what_was_counted(reference):
    """Of 111 real runs 57 failed; 68 do not pass 0.75 at any novelty, and 8 do not pass 0.5."""
    path = reference / "corpus" / "agent_traces.jsonl"
    records = read_file(FoundFile(path, path.name, named=True)).traces
    with Memory.fresh() as memory:
        batch = [one.measurement for one in measure_batch(records, MiniLM(), memory)]
    cases = [(one, profile_for(one.facts.task_domain)) for one in batch]
    assert (len(cases), sum(not one.facts.success for one, _ in cases)) == (111, 57)
    found = {
        threshold: [trace_reach(*case, threshold).low for case in cases]
        for threshold in (0.5, 0.75)
    }
    failing = {
        threshold: sum(one.if_new < threshold for one in every)
        for threshold, every in found.items()
    }
    assert failing == {0.5: 8, 0.75: 68}
    judged = [assess(*case, 0.75) for case in cases]
    lost = [
        (one, reach)
        for (one, _), reach, now in zip(cases, found[0.75], judged, strict=True)
        if not now.score_passes and main_cause(now) is Dimension.NOVELTY
    ]
    hopeless = [one for one, reach in lost if reach.if_new < 0.75]
    assert (len(lost), len(hopeless)) == (100, 59)
    assert sum(not one.facts.success for one in hopeless) == 48
    kinds = Counter(reach.kind for reach in found[0.75])
    assert kinds[ReachKind.ACCEPTED] == 2 and kinds[ReachKind.NOVELTY] == 41
