from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster import hierarchy

from kpinspector.batch.groups import groups_at, link, linking, why_not_linked
from kpinspector.scoring.formula.profiles import Terms
from tests.batch.made import Made, at_angle, record, traces, vector

TERMS = Terms(0.5)


def components(similar, at_least):
    """The groups, by going from each trace to all that are similar enough."""
    left, found = set(range(len(similar))), set()
    while left:
        group, waiting = set(), [min(left)]
        while waiting:
            one = waiting.pop()
            if one not in group:
                group.add(one)
                waiting += np.flatnonzero(similar[one] >= at_least).tolist()
        left -= group
        found.add(tuple(sorted(group)))
    return found


@given(traces, st.data())
def test_a_group_is_what_a_chain_of_similar_traces_reaches(made, data):
    batch = Made(made).batch
    pairs = batch.similarities[np.triu_indices(batch.size, 1)].tolist()
    at_least = data.draw(st.sampled_from([0.8, *(one for one in pairs if one >= 0.01)]))
    groups = groups_at(batch, link(batch.similarities), at_least, TERMS).groups
    assert {one.members for one in groups} == components(batch.similarities, at_least)
    sizes = [len(one.members) for one in groups]
    assert sizes == sorted(sizes, reverse=True)


@given(traces)
def test_the_order_of_the_map_has_each_trace_once_and_groups_together(made):
    batch = Made(made).batch
    linked = link(batch.similarities)
    assert sorted(linked.order) == list(range(batch.size))
    for group in groups_at(batch, linked, 0.8, TERMS).groups:
        places = [linked.order.index(one) for one in group.members]
        assert max(places) - min(places) == len(places) - 1


def test_groups_of_very_many_do_not_wait_for_the_best_order_of_the_map(monkeypatch):
    """It takes 24 s for so many, and cannot be stopped."""
    monkeypatch.setattr(hierarchy, "optimal_leaf_ordering", None)
    angles = np.random.default_rng(0).random(3000) * 360
    linked = link(np.cos(np.radians(angles[:, None] - angles)))
    assert sorted(linked.order) == [*range(3000)]
    assert len(linked.links) == 2999


def test_spread_and_representative():
    made = Made([((0.5,), at_angle(0)), ((0.9,), at_angle(10)), ((0.7,), at_angle(25))])
    (group,) = groups_at(made.batch, link(made.batch.similarities), 0.9, TERMS).groups
    assert (group.members, group.representative, group.planned) == ((0, 1, 2), 1, 0)
    assert group.spread is not None
    assert group.spread.least == pytest.approx(np.cos(np.radians(25)), abs=1e-6)
    assert group.spread.greatest == pytest.approx(np.cos(np.radians(10)), abs=1e-6)
    (planned,) = groups_at(made.batch, link(made.batch.similarities), 0.9, TERMS, (2, 0)).groups
    assert (planned.representative, planned.planned) == (2, 2)


def test_of_those_alone_there_is_no_spread_and_memory_counts_for_the_best():
    made = Made(
        [((0.9,), at_angle(0)), ((0.8,), at_angle(30)), ((0.5,), vector(0, 0, 1))], [at_angle(0)]
    )
    groups = groups_at(made.batch, link(made.batch.similarities), 0.8, TERMS).groups
    assert [(one.members, one.representative) for one in groups] == [((0, 1), 1), ((2,), 2)]
    assert groups[1].spread is None


def test_what_all_have_in_common():
    made = Made([((0.9,), at_angle(0)), ((0.8,), at_angle(1)), ((0.8,), at_angle(90))])
    groups = groups_at(made.batch, link(made.batch.similarities), 0.8, TERMS).groups
    assert (groups[0].objective, groups[0].tools) == (None, (("tool 0", 2), ("tool 1", 2)))
    assert (groups[1].objective, groups[1].tools) == ("text3", (("tool 0", 1), ("tool 1", 1)))
    assert groups[0].same_tools == groups[1].same_tools == ("tool 0", "tool 1")


def test_tools_are_counted_by_the_traces_that_use_them():
    made = Made([((0.9,), at_angle(0)), ((0.8,), at_angle(1)), ((0.8,), at_angle(2))])
    fewer, more = record(2, tools=1), record(3, tools=4)
    first, *others = made.batch.candidates
    candidates = [
        first,
        *(replace(one, record=new) for one, new in zip(others, (fewer, more), strict=True)),
    ]
    batch = replace(made.batch, candidates=tuple(candidates))
    (group,) = groups_at(batch, link(batch.similarities), 0.8, TERMS).groups
    assert group.tools == (("tool 0", 3), ("tool 1", 2), ("tool 2", 1), ("tool 3", 1))
    assert group.same_tools is None


@pytest.mark.parametrize("number", [0, 1])
def test_hardly_any_traces_are_linked_as_well(number):
    batch = Made([((0.9,), at_angle(0))] * number).batch
    linked = link(batch.similarities)
    assert (linked.links, linked.order) == ((), tuple(range(number)))
    assert len(groups_at(batch, linked, 0.8, TERMS).groups) == number


def test_traces_are_linked_in_another_process():
    batch = Made([((0.9,), at_angle(0)), ((0.5,), at_angle(10))]).batch
    with linking(batch, limit=100.0) as child:  # a busy machine is no reason to fail
        assert child.result() == link(batch.similarities)
    with linking(batch, limit=0.0) as child:
        assert child.result() is None and "in time" in str(why_not_linked(child))
