from itertools import combinations
from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from kpinspector.batch.conflicts import Conflicts, Solved, at_most, edge_cliques, large_set, solve


def made_conflicts(size, pairs, behind=None, firsts=None, kept=()):
    apart = np.zeros((size, size), np.bool_)
    for one, other in pairs:
        apart[one, other] = apart[other, one] = one != other
    held = None
    if behind is not None:
        held = apart.copy()
        for one, other in behind:
            held[one, other] = one != other
    able = np.ones(size, np.bool_) if firsts is None else np.array(firsts, np.bool_)
    return Conflicts(apart, held, able, np.linspace(0.0, 1.0, size), tuple(kept))


def largest(conflicts):
    """By trying every set; None where no set holds what is kept."""
    for number in range(conflicts.size, -1, -1):
        for one in combinations(range(conflicts.size), number):
            if set(conflicts.kept) <= {*one} and conflicts.allows(np.array(one, np.intp)):
                return number
    return None


@st.composite
def any_conflicts(draw):
    size = draw(st.integers(0, 8))
    places = st.integers(0, max(0, size - 1))
    pairs = st.lists(st.tuples(places, places), max_size=20) if size else st.just([])
    behind = draw(st.none() | pairs)
    firsts = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    kept = draw(st.sets(places, max_size=2)) if size else ()
    return made_conflicts(size, draw(pairs), behind, firsts, sorted(kept))


@given(any_conflicts())
def test_bounds_hold_and_the_solver_finds_the_largest_set(conflicts):
    most, large = largest(conflicts), large_set(conflicts)
    if most is None:
        assert large is None
        return
    assert large is not None and conflicts.allows(large)
    assert {*conflicts.kept} <= {*large.tolist()}
    assert len(large) <= most <= at_most(conflicts)
    if most:
        solved = solve(conflicts)
        assert solved.members is not None
        assert conflicts.allows(np.array(solved.members, np.intp))
        assert {*conflicts.kept} <= {*solved.members}
        assert (len(solved.members), solved.at_most) == (most, most)


@given(any_conflicts())
def test_every_pair_that_is_apart_stands_in_a_clique(conflicts):
    found = [*edge_cliques(conflicts.apart)]
    for clique in found:
        assert all(conflicts.apart[one, other] for one, other in combinations(clique, 2))
        assert not conflicts.apart[clique].all(axis=0).any()
    pairs = {frozenset(pair) for clique in found for pair in combinations(clique, 2)}
    assert pairs == {frozenset(pair) for pair in np.argwhere(conflicts.apart).tolist()}


def test_the_work_is_that_of_all_searches_together(monkeypatch):
    limits = []

    def milp(*_arguments, options, **_more):
        limits.append(options["node_limit"])
        return SimpleNamespace(mip_dual_bound=-1.0, mip_node_count=7, x=None)

    monkeypatch.setattr(optimize, "milp", milp)
    assert solve(made_conflicts(5, [], behind=[]), 5 * 20) == Solved(None, 5)
    assert limits == [20, 13, 6]


def test_of_equally_many_the_worthier_are_taken():
    conflicts = made_conflicts(4, [(0, 3), (1, 3), (2, 3), (0, 1), (1, 2), (0, 2)])
    large = large_set(conflicts)
    assert large is not None and large.tolist() == [3]
    assert solve(conflicts).members == (3,)


def test_what_is_not_proven_is_bounded_by_the_same_at_each_run():
    """However slow the machine is, or however busy."""
    wild = np.random.default_rng(1).random((70, 70)) < 0.08
    conflicts = made_conflicts(70, np.argwhere(wild).tolist())
    found = solve(conflicts, 70)
    assert found == solve(conflicts, 70)
    assert found.members is not None and conflicts.allows(np.array(found.members, np.intp))
    assert len(found.members) < found.at_most < at_most(conflicts)
