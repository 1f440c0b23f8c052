"""Counts kept by differences are the counts made anew, whatever came, changed and went."""

from dataclasses import replace
from math import nextafter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtTest import QAbstractItemModelTester

from kpinspector.app.document import Rules, State
from kpinspector.ui.traces.census import BINS, Census, bin_of, share_of
from kpinspector.ui.traces.tally import Tally
from kpinspector.ui.traces.trace_filter import TraceFilter
from kpinspector.ui.traces.trace_model import PROBLEM_STATES, TraceModel
from kpinspector.ui.traces.trace_row import TraceColumn
from tests.known import present
from tests.ui.documents import pending, problem, score, scored, skipped

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
NUMBERS = st.integers(0, 11)


def test_a_score_lies_in_the_step_in_which_it_is_written():
    assert [bin_of(one) for one in (-3.0, 0.0, 0.15, 0.1499, 0.75, 1.0, 2.0)] == [
        0, 0, 3, 2, 15, BINS - 1, BINS - 1,
    ]  # fmt: skip


def test_shares_are_inserted_replaced_and_removed_where_they_stand():
    census = Census()
    low = scored(0, value=0.0, rules=Rules(threshold=0.9))
    high = scored(1, value=1.0, rules=Rules(threshold=0.5))
    shares = [share_of(one, one.state, shown=True) for one in (low, high)]
    census.insert(0, shares)
    census.insert(1, shares[:1])
    assert census.states[State.REJECTED] == 2 and census.below == 2
    assert census.accepted[bin_of(present(high.score))] == 1
    census.replace(1, [share_of(low, low.state, shown=False)])
    assert census.states[State.REJECTED] == 2 and census.below == 1
    census.remove(0, 1)
    assert (census.states.total(), census.below, sum(census.others)) == (1, 0, 0)


def test_a_score_at_the_threshold_is_not_below_it():
    one = scored(0)
    score = present(one.score)
    at = replace(one, rules=Rules(threshold=score))
    assert not share_of(at, at.state, shown=True).below
    above = replace(one, rules=Rules(threshold=nextafter(score, 1)))
    assert share_of(above, above.state, shown=True).below


def close(document):
    """Under a threshold that its score nearly reaches: the figures take more digits."""
    return replace(document, rules=Rules(threshold=nextafter(document.score, 1)))


def documents(number):
    """A row of that number in any state."""
    path = f"/t/{'visit' if number % 2 else 'other'}-{number}.json"
    trace = pending(number, path, confidence=0.7)
    return st.one_of(
        st.just(trace),
        st.builds(lambda value: score(trace, value), st.floats(0, 1)),
        st.builds(lambda value: close(score(trace, value)), st.floats(0, 1)),
        st.builds(
            lambda value, threshold: replace(score(trace, value), rules=Rules(threshold=threshold)),
            st.floats(0, 1),
            st.floats(0, 1),
        ),
        st.sampled_from([problem(number, path), skipped(number, path)]),
    )


def any_rows(size=6):
    numbers = st.lists(NUMBERS, max_size=size, unique=True)
    return numbers.flatmap(lambda some: st.tuples(*map(documents, some)))


acts = st.one_of(
    st.tuples(st.just("add"), any_rows()),
    st.tuples(st.just("update"), any_rows()),
    st.tuples(st.just("remove"), st.lists(NUMBERS, max_size=6)),
    st.tuples(st.just("set"), any_rows()),
    st.tuples(st.just("text"), st.sampled_from(["", "visit", "state:accepted", "score:..0.5"])),
    st.tuples(
        st.just("states"), st.sampled_from([None, PROBLEM_STATES, frozenset({State.ACCEPTED})])
    ),
)


def counts(census):
    states = {state: count for state, count in census.states.items() if count}
    return states, census.accepted, census.others, census.below


def widest(model):
    """Scores and margins; of steps the most that ever were count."""
    found = model.widest_figures()
    return found[TraceColumn.SCORE], found[TraceColumn.MARGIN]


@pytest.mark.usefixtures("qapp")
@settings(deadline=None, max_examples=200)
@given(st.lists(acts, max_size=12))
def test_whatever_happens_to_a_list_its_counts_are_those_of_the_list_made_at_once(acts):
    model, proxy, tally = TraceModel(), TraceFilter(), Tally()
    QAbstractItemModelTester(proxy, FATAL)
    proxy.setSourceModel(model)
    text, states = "", None
    for name, value in acts:
        match name:
            case "add":
                new = [one for one in value if model.document(one.number) is None]
                model.add_documents(new)
                tally.put(new)
            case "update":
                known = [one for one in value if model.document(one.number) is not None]
                model.update_documents(known)
                tally.put(known)
            case "remove":
                tally.remove([one for one in set(value) if model.document(one) is not None])
                model.remove(value)
            case "set":
                tally.remove([n for n in range(12) if model.document(n) is not None])
                model.set_documents(value)
                tally.put(value)
            case "text":
                text = value
                proxy.set_text(value)
            case "states":
                states = value
                proxy.set_states(value)
    rows = [model.entry(row).document for row in range(model.rowCount())]
    other_model, other, other_tally = TraceModel(), TraceFilter(), Tally()
    other_model.set_documents(rows)
    other.setSourceModel(other_model)
    other.set_text(text)
    other.set_states(states)
    other_tally.put(rows)
    assert counts(proxy.census) == counts(other.census)
    assert widest(model) == widest(other_model)
    assert +tally.counts == +other_tally.counts and len(tally) == len(other_tally)
    shown = list(proxy.documents())
    assert sum(proxy.census.accepted) == sum(
        one.state is State.ACCEPTED and one.score is not None for one in shown
    )
    assert proxy.census.below == sum(
        one.score is not None and one.score < one.rules.threshold for one in shown
    )
