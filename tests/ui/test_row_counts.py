"""What the list counts is right, whatever came, changed and went; so is what it shows."""

from collections import Counter
from dataclasses import replace
from functools import partial
from math import nextafter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from kpinspector.app.document import Rules, State
from kpinspector.trace.records import ProblemKind
from kpinspector.ui.traces.row_counts import BINS, Kind, RowCounts, bin_of, traits_of
from kpinspector.ui.traces.trace_model import PROBLEM_STATES, TraceModel
from kpinspector.ui.traces.trace_row import TraceColumn
from tests.known import present
from tests.ui.documents import pending, problem, report, score, scored, skipped
from tests.ui.windows import shown_documents

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
NUMBERS = st.integers(0, 11)


def counted(*documents):
    return RowCounts(traits_of(one, found=True) for one in documents)


@pytest.mark.parametrize(
    ("document", "kinds"),
    [
        (pending(0, rules=Rules(threshold=0.8)), {Kind.TRACE, Kind.PENDING}),
        (pending(0, rules=Rules(threshold=0.1)), {Kind.TRACE, Kind.PENDING, Kind.DECIDED}),
        (scored(0), {Kind.TRACE, Kind.SCORED}),
        (scored(0, assumed=True), {Kind.TRACE, Kind.SCORED, Kind.ASSUMED}),
        (problem(0), {Kind.PROBLEM}),
        (problem(0, kind=ProblemKind.NOT_SCORABLE), {Kind.TRACE, Kind.PROBLEM}),
        (skipped(0), {Kind.SKIPPED}),
        (report(0), {Kind.REPORT}),
    ],
)
def test_a_row_is_of_all_kinds_that_it_is_counted_as(document, kinds):
    assert counted(document).kinds() == Counter(kinds)


def test_a_score_lies_in_the_step_in_which_it_is_written():
    assert [bin_of(one) for one in (-3.0, 0.0, 0.15, 0.1499, 0.75, 1.0, 2.0)] == [
        0, 0, 3, 2, 15, BINS - 1, BINS - 1,
    ]  # fmt: skip


def test_a_score_at_the_threshold_is_not_below_it():
    one = scored(0)
    at = present(one.score)
    for threshold, below in ((at, 0), (nextafter(at, 1), 1)):
        counts = counted(replace(one, rules=Rules(threshold=threshold)))
        assert counts.spread(frozenset(State)).below == below


def documents(number):
    """A row of that number in any state; under a near threshold figures take more digits."""
    path = f"/t/{'visit' if number % 2 else 'other'}-{number}.json"
    trace = pending(number, path, confidence=0.7)
    measured = st.builds(partial(score, trace), st.floats(0, 1))
    near = measured.map(
        lambda one: replace(one, rules=Rules(threshold=nextafter(present(one.score), 1)))
    )
    thresholds = st.floats(0, 1).map(lambda threshold: Rules(threshold=threshold))
    judged = st.builds(lambda one, rules: replace(one, rules=rules), measured, thresholds)
    others = st.sampled_from([trace, problem(number, path), skipped(number, path), report(number)])
    return st.one_of(others, measured, near, judged)


rows = st.lists(NUMBERS, max_size=6, unique=True).flatmap(
    lambda some: st.tuples(*map(documents, some))
)
acts = st.one_of(
    st.tuples(st.just("put"), rows),
    st.tuples(st.just("remove"), st.lists(NUMBERS, max_size=6)),
    st.tuples(st.just("text"), st.sampled_from(["", "visit", "state:accepted", "score:..0.5"])),
    st.tuples(
        st.just("states"), st.sampled_from([None, PROBLEM_STATES, frozenset({State.ACCEPTED})])
    ),
    st.tuples(st.just("sort"), st.sampled_from([-1, *TraceColumn])),
)


def act(model, name, value):
    match name:
        case "put":
            known = [one for one in value if model.document(one.number) is not None]
            model.update_documents(known)
            model.add_documents(one for one in value if one not in known)
        case "remove":
            model.remove(value)
        case "text":
            model.set_text(value)
        case "states":
            model.set_states(value)
        case "sort":
            model.sort(value, Qt.SortOrder.DescendingOrder)


def seen(model):
    """What it shows and counts; of steps the most that ever were count."""
    counts, widest = model.counts, model.widest_figures()
    names = [model.index(row, TraceColumn.TRACE).data() for row in range(model.rowCount())]
    spread = counts.spread(model.states)
    figures = widest[TraceColumn.SCORE], widest[TraceColumn.MARGIN]
    return names, counts.kinds(), counts.states(), counts.total(), spread, figures


@pytest.mark.slow
@pytest.mark.usefixtures("qapp")
@settings(deadline=None, max_examples=200)
@given(st.lists(acts, max_size=12))
def test_whatever_happens_to_a_list_it_is_as_if_it_were_made_at_once(done):
    model, fresh = TraceModel(), TraceModel()
    QAbstractItemModelTester(model, FATAL, model)
    asked = {}
    for name, value in done:
        act(model, name, value)
        asked[name] = value
    for name in asked.keys() & {"text", "states", "sort"}:
        act(fresh, name, asked[name])
    listed = [one for one in map(model.document, range(12)) if one is not None]
    fresh.add_documents(listed)
    assert seen(model) == seen(fresh)
    shown = shown_documents(model)
    spread = model.counts.spread(model.states)
    assert sum(spread.accepted) == sum(
        one.state is State.ACCEPTED and one.score is not None for one in shown
    )
    assert spread.below == sum(
        one.score is not None and one.score < one.rules.threshold for one in shown
    )
    assert model.counts.total() == model.total == len(listed)
