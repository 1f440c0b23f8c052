import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.batch.compared import compared, embedded
from kpinspector.batch.conflicts import Solved, solve
from kpinspector.batch.plan import (
    Obstacle,
    Wishes,
    begin_plan,
    limit_of,
    make_plan,
    ordered_lines,
    plan_of,
)
from kpinspector.errors import KpError
from kpinspector.scoring.formula.profiles import Terms
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.sequence import measure_batch, places_of
from kpinspector.settings import Mode
from tests.batch.made import Made, at_angle, batches, record, score_at, vector

EASY = Terms(0.3)


def planned(made, terms, **wishes):
    """The plan, solved in this process."""
    draft = begin_plan(made.batch, terms, **wishes)
    return plan_of(draft if draft.proven else draft.with_solved(solve(draft.conflicts)))


def order_of(plan):
    return [one.candidate for one in plan.chosen]


def reasons(plan):
    return {one.candidate: one.why for one in plan.left_out}


@given(batches())
def test_no_order_of_any_traces_is_accepted_that_is_longer(case):
    made, terms = case
    plan = planned(made, terms)
    assert plan.proven
    assert len(plan.chosen) == made.most_accepted(terms)
    assert made.scored(order_of(plan), terms) == [one.assessment for one in plan.chosen]
    left = [one.candidate for one in plan.left_out]
    assert sorted([*order_of(plan), *left]) == list(range(len(made.records)))


@given(batches(), st.data())
def test_what_is_to_be_kept_is_in_and_what_is_to_be_left_out_is_not(case, data):
    made, terms = case
    every = range(len(made.records))
    keep = data.draw(st.sets(st.sampled_from(every), max_size=2))
    leave_out = data.draw(st.sets(st.sampled_from(every), max_size=2)) - keep
    wishes = Wishes(frozenset(keep), frozenset(leave_out))
    most = made.most_accepted(terms, among={*every} - leave_out, kept=keep)
    if most is None:
        with pytest.raises(KpError, match="to be kept"):
            planned(made, terms, wishes=wishes)
        return
    order = order_of(planned(made, terms, wishes=wishes))
    assert len(order) == most
    assert keep <= {*order} and leave_out.isdisjoint(order)
    assert all(one.verdict == "accepted" for one in made.scored(order, terms))


@given(batches(), st.data())
def test_each_that_is_left_out_would_break_what_is_said(case, data):
    made, terms = case
    plan = planned(made, terms)
    order = order_of(plan)
    for left in plan.left_out:
        one = left.candidate
        if left.why is Obstacle.SIMILAR:
            assert left.nearest is not None and left.bound is not None
            assert left.nearest.candidate in order
            assert left.nearest.similarity > left.bound
            own, other = (
                limit_of(made.batch.candidates[each].measurement, terms).most_similar or 0.0
                for each in (one, left.nearest.candidate)
            )
            # behind the one that comes before all its own limit alone counts
            behind = left.nearest.similarity <= max(own, other)
            assert left.bound == (own if behind else max(own, other))
        for place in range(len(order) + 1) if left.why is Obstacle.REMEMBERED else ():
            longer = [*order[:place], one, *order[place:]]
            assert made.scored(longer, terms)[place].verdict == "rejected"
        if left.why is Obstacle.OUT_OF_REACH:
            assert left.best == score_at(made.records[one], -1.0) < terms.threshold


@settings(max_examples=25)
@given(batches(), st.integers(1, 4))
def test_scores_are_those_at_a_place_where_old_vectors_are_dropped(case, most):
    made, terms = case
    made = Made(made.traces, made.remembered, max_elements=most)
    plan = planned(made, terms)
    assert made.scored(order_of(plan), terms) == [one.assessment for one in plan.chosen]
    assert plan.conservative is (len(made.batch.remembered) + plan.at_most > most)
    if not plan.conservative:
        assert len(plan.chosen) == made.most_accepted(terms)


def test_the_first_trace_of_an_empty_memory_has_half_novelty():
    strong, weak = ((1.0,), vector(1)), ((0.2,), vector(0, 1))
    limit = score_at(record(1, 0.2), 0.0)
    assert score_at(record(1, 0.2), None) < limit < score_at(record(1, 1.0), None)
    assert order_of(planned(Made([weak, strong]), Terms(limit))) == [1, 0]
    alone = planned(Made([weak]), Terms(limit))
    assert reasons(alone) == {0: Obstacle.NO_FIRST}
    axes = [vector(0, 0, 1), vector(0, 1), vector(0, 0, 0, 1)]
    remembered = planned(Made([weak, strong], axes), Terms(limit))
    assert reasons(remembered) == {0: Obstacle.REMEMBERED}
    assert [one.nearest.entry for one in remembered.left_out] == [1]
    far = planned(Made([weak, strong], [vector(0, 0, 1)]), Terms(limit))
    assert len(far.chosen) == 2


@pytest.mark.parametrize("remembered", [[], [vector(0, 0, 1)]])
def test_exactly_as_similar_as_it_may_be_is_accepted(remembered):
    made = Made([((0.9,), at_angle(0)), ((0.9,), at_angle(90))], remembered)
    terms = Terms(score_at(made.records[0], 0.5))
    limit = limit_of(made.batch.candidates[0].measurement, terms).most_similar
    batch = dataclasses.replace(
        made.batch,
        similarities=np.full((2, 2), limit),
        to_remembered=np.full((len(remembered), 2), limit),
    )
    assert len(make_plan(begin_plan(batch, terms)).chosen) == 2


def test_what_is_gone_cannot_be_written():
    with pytest.raises(KpError, match=r"made.jsonl could not be read again: No such file[\w ]+$"):
        ordered_lines([record(1)])


def test_what_the_schema_refuses_is_never_in():
    made = Made([((0.9,), at_angle(0)), ((3.0,), at_angle(90))])
    assert reasons(planned(made, EASY)) == {1: Obstacle.SCHEMA}
    with pytest.raises(KpError, match="made 2 is to be kept, but the schema refuses it"):
        begin_plan(made.batch, EASY, Wishes(keep=frozenset({1})))


def test_what_has_no_content_cannot_be_kept():
    batch = Made([((0.9,), at_angle(0))]).batch
    empty = dataclasses.replace(batch.candidates[0], subject=None)
    with pytest.raises(KpError, match="made 1 is to be kept, but its content was not recorded"):
        begin_plan(
            dataclasses.replace(batch, candidates=(empty,)), EASY, Wishes(keep=frozenset({0}))
        )


def test_what_cannot_go_together_is_named():
    same = ((0.9,), at_angle(0))
    made = Made([same, same])
    with pytest.raises(KpError, match="made 1 and made 2 are to be kept"):
        begin_plan(made.batch, Terms(0.5), Wishes(keep=frozenset({0, 1})))


def test_the_same_trace_twice_is_in_once():
    records = [record(1), record(1), record(2, trace_id="kp:trace:1")]
    made = Made([((0.9,), at_angle(0)), ((0.9,), at_angle(90))])
    with made.memory() as memory:
        places = places_of([one.trace for one in records], made.embedder)
        found = [embedded(*one, made.embedder, memory) for one in zip(records, places, strict=True)]
        batch = compared(found, made.embedder.model, memory, 1000)
    plan = make_plan(begin_plan(batch, Terms(0.0)))
    assert sorted(order_of(plan)) in ([0, 2], [1, 2])
    assert set(reasons(plan).values()) == {Obstacle.SAME}


def test_own_entries_do_not_count_and_nothing_is_stored():
    made = Made([((0.9,), at_angle(0)), ((0.9,), at_angle(90))])
    edited = record(7, trace_id="kp:trace:1")
    embedder = type(made.embedder)(
        {one.trace.text: found for one, found in zip(made.records, made.vectors, strict=True)}
        | {edited.trace.text: at_angle(1), record(8).trace.text: at_angle(40)}
    )
    with Memory(Mode.FRESH, None) as memory:
        for _ in measure_batch([edited, record(8)], embedder, memory):
            pass
        before = memory.entries(), memory.findings_count
        places = places_of([one.trace for one in made.records], embedder)
        found = [embedded(*one, embedder, memory) for one in zip(made.records, places, strict=True)]
        batch = compared(found, embedder.model, memory, 1000)
        assert [one.trace_id for one in batch.remembered] == ["kp:trace:8"]
        assert (memory.entries(), memory.findings_count) == before


def test_of_equally_many_rather_those_that_score_more():
    made = Made([((0.8,), at_angle(0)), ((0.9,), at_angle(0)), ((0.7,), at_angle(0))])
    assert order_of(planned(made, Terms(0.5))) == [1]


def test_an_undecided_run_is_planned_at_both_ends():
    made = Made([((0.9,), at_angle(0)), ((0.9,), at_angle(90))])
    one, other = made.batch.candidates
    facts = dataclasses.replace(
        other.measurement.facts, confidence_known=False, success_known=False
    )
    unknown = dataclasses.replace(
        other, measurement=dataclasses.replace(other.measurement, facts=facts)
    )
    batch = dataclasses.replace(made.batch, candidates=(one, unknown))
    terms = Terms(score_at(record(1, 0.0), -1.0) + 0.01)
    worst = make_plan(begin_plan(batch, terms))
    best = make_plan(begin_plan(batch, terms, at_best=True))
    assert (order_of(worst), reasons(worst)) == ([0], {1: Obstacle.UNDECIDED})
    assert len(best.chosen) == 2


def ring():
    """Five traces, each too similar to the next: two of them, which no clique proves."""
    axes = np.eye(5)
    found = [((1.0,), vector(*(axes[n] + axes[(n + 1) % 5]))) for n in range(5)]
    made = Made(found, [vector(0, 0, 0, 0, 0, 1)])
    return made, Terms(float(np.nextafter(score_at(made.records[0], 0.4999), 1)))


def test_what_the_quick_bounds_leave_open_is_solved_in_another_process():
    made, terms = ring()
    draft = begin_plan(made.batch, terms)
    assert (len(draft.members), draft.at_most) == (2, 3)
    plan = make_plan(draft, limit=100.0)  # a busy machine is no reason to fail
    assert (len(plan.chosen), plan.at_most, plan.proven) == (2, 2, True)


def test_past_the_limit_the_quick_bounds_are_said():
    made, terms = ring()
    plan = make_plan(begin_plan(made.batch, terms), limit=0.0)
    assert (len(plan.chosen), plan.at_most, plan.proven) == (2, 3, False)


def test_what_a_solver_found_in_time_narrows_the_bounds():
    made, terms = ring()
    draft = begin_plan(made.batch, terms)
    assert draft.with_solved(None) is draft
    assert draft.with_solved(Solved(None, 2)).proven
    assert not draft.with_solved(Solved((0,), 3)).proven
    (pair,) = {
        one
        for one in itertools.combinations(range(5), 2)
        if draft.conflicts.allows(np.array(one)) and 0 in one and 2 in one
    }
    assert draft.with_solved(Solved(pair, 2)).members.tolist() == [0, 2]
    with pytest.raises(AssertionError, match="cannot be accepted"):
        draft.with_solved(Solved((0, 1), 2))


def test_what_can_be_added_to_an_unproven_set_is_added():
    made, terms = ring()
    draft = begin_plan(made.batch, terms)
    plan = plan_of(dataclasses.replace(draft, members=np.array([0])))
    assert len(plan.chosen) == 2


def test_what_dropped_out_on_the_way_is_nobody_s_nearest():
    traces = [((0.5,), at_angle(0)), ((0.6,), at_angle(90)), ((1.0,), at_angle(10))]
    made = Made(traces, max_elements=1)
    terms = Terms(score_at(record(1, 1.0), 1.0))
    plan = planned(made, terms)
    assert order_of(plan) == [0, 1, 2]
    assert plan.conservative and not plan.proven
    nearest = plan.chosen[2].nearest
    assert nearest is not None and nearest.candidate == 1
    assert made.scored([0, 1, 2], terms) == [one.assessment for one in plan.chosen]
    facts = [one for one, _ in traces]
    others = [vector(1), vector(0, 1), vector(0.1, 0.1, 0.99)]
    after = Made([*zip(facts, others, strict=True)], [vector(0, 0, 1)], max_elements=2)
    plan = planned(after, terms)
    assert [one.nearest and one.nearest.entry for one in plan.chosen] == [0, 0, None]
    assert after.scored(order_of(plan), terms) == [one.assessment for one in plan.chosen]
