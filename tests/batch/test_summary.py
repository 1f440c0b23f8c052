import statistics
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.batch.summary import LEVERS, judge, summarise
from kpinspector.scoring.formula.assess import Gate, Verdict, assess, main_cause
from kpinspector.scoring.formula.profiles import Dimension, Terms
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.scoring.whatif.changes import ChangeKind, scenario_for
from kpinspector.scoring.whatif.reach import ReachKind, trace_reach
from kpinspector.settings import Mode
from tests.batch.made import record
from tests.cases import what_if
from tests.fakes import FakeEmbedder


def measured(*records):
    with Memory(Mode.FRESH, None) as memory:
        return [*measure_batch(records, FakeEmbedder(), memory)]


_facts = st.tuples(st.floats(0, 1), st.integers(0, 4), st.booleans())


@given(st.lists(_facts, max_size=12), st.floats(0.2, 0.9))
def test_every_count_is_that_of_the_answers_one_by_one(facts, threshold):
    terms = Terms(threshold)
    given_ = measured(
        *(
            record(number, confidence, tools=tools, success=success)
            for number, (confidence, tools, success) in enumerate(facts, 1)
        )
    )
    judged = [
        (one, assess(one.measurement, terms.profile_of(one.measurement), threshold))
        for one in given_
    ]
    rejected = [pair for pair in judged if pair[1].verdict is Verdict.REJECTED]
    summary = summarise(given_, terms)
    assert summary.total == len(given_)
    assert summary.verdicts == Counter(found.verdict for _, found in judged)
    assert summary.causes == Counter(main_cause(found) for _, found in rejected)
    assert summary.reach == Counter(
        trace_reach(one.measurement, found.profile, threshold).kind for one, found in judged
    )
    assert summary.rules == Counter(
        override.rule for _, found in judged for override in found.overrides if override.applied
    )
    assert {(one.kind, one.amount) for one in summary.levers} == {*LEVERS}
    helped = [one.passing for one in summary.levers]
    assert helped == sorted(helped, reverse=True)
    for lever in summary.levers:
        passing = sum(
            what_if(
                one.record.trace,
                one.measurement,
                scenario_for(lever.kind, lever.amount, one.record.trace),
                found.profile,
                threshold,
            ).then.verdict
            is Verdict.ACCEPTED
            for one, found in rejected
        )
        assert lever.passing == passing


def test_values_of_the_accepted_against_those_of_the_rejected():
    given_ = measured(*(record(number, number / 10) for number in range(1, 11)))
    summary = summarise(given_, Terms(0.6))
    values = {"accepted": [], "rejected": []}
    for one in given_:
        judged = assess(one.measurement, Terms(0.6).profile_of(one.measurement), 0.6)
        values[judged.verdict].append(one.measurement.facts.outcome_confidence)
    accepted, rejected = values.values()
    assert accepted and rejected
    (outcome,) = (one for one in summary.spreads if one.dimension is Dimension.OUTCOME_CONFIDENCE)
    assert outcome.accepted is not None and outcome.rejected is not None
    assert outcome.accepted.median == pytest.approx(statistics.median(accepted))
    assert (outcome.rejected.least, outcome.rejected.greatest) == (min(rejected), max(rejected))
    assert outcome.difference == outcome.accepted.median - outcome.rejected.median


def test_where_all_are_of_one_verdict_there_is_nothing_to_compare():
    summary = summarise(measured(record(1)), Terms(0.0))
    assert all(one.rejected is None and one.difference is None for one in summary.spreads)
    assert all(one.passing == 0 for one in summary.levers)


def test_what_the_schema_refuses_passes_with_no_change():
    summary = summarise(measured(record(1, 3.0)), Terms(0.9))
    assert summary.causes == {Gate.SCHEMA: 1}
    assert all(one.passing == 0 for one in summary.levers)


def test_other_terms_judge_what_was_tried_already_as_if_for_the_first_time():
    low, high = measured(record(1, 0.2, tools=1), record(2, 0.9, tools=3))
    for one in (low, high):
        first = judge(one, Terms(0.1))
        assert judge(one, Terms(0.9), first) == judge(one, Terms(0.9))
        after = judge(one, Terms(0.6), judge(one, Terms(0.9)))
        assert after.passing == judge(one, Terms(0.6)).passing
        assert after.tried is judge(one, Terms(0.3), after).tried


def test_a_run_whose_end_is_not_known_is_undecided_and_no_change_decides_it():
    (one,) = measured(record(1))
    facts = replace(one.measurement.facts, confidence_known=False, success_known=False)
    unknown = replace(one, measurement=replace(one.measurement, facts=facts))
    summary = summarise([unknown], Terms(0.5))
    assert summary.verdicts == {Verdict.UNDECIDED: 1}
    assert summary.reach == {ReachKind.UNDECIDED: 1}
    assert not summary.causes
    sure = summarise([unknown], Terms(0.999))
    assert sure.verdicts == {Verdict.REJECTED: 1}
    assert sure.reach == {ReachKind.STRUCTURE: 1}
    assert all(lever.passing == 0 for lever in sure.levers if lever.kind != ChangeKind.OUTCOME)
