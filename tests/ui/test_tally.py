"""Counts of the status bar, kept while rows come, change and go."""

from collections import Counter
from collections.abc import Callable
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from kpinspector.app.document import Document, Rules
from kpinspector.trace.read import ProblemKind
from kpinspector.ui.traces.tally import Kind, Tally
from tests.ui.documents import pending, problem, report, scored, skipped

MADE: dict[str, tuple[Callable[..., Document], set[Kind]]]
MADE = {
    "pending": (partial(pending, rules=Rules(threshold=0.8)), {Kind.TRACE, Kind.PENDING}),
    "decided": (
        partial(pending, rules=Rules(threshold=0.1)),
        {Kind.TRACE, Kind.PENDING, Kind.DECIDED},
    ),
    "scored": (scored, {Kind.TRACE, Kind.SCORED}),
    "assumed": (
        lambda number: scored(number, assumed=True),
        {Kind.TRACE, Kind.SCORED, Kind.ASSUMED},
    ),
    "unreadable": (problem, {Kind.PROBLEM}),
    "not scorable": (
        lambda number: problem(number, kind=ProblemKind.NOT_SCORABLE),
        {Kind.TRACE, Kind.PROBLEM},
    ),
    "skipped": (skipped, {Kind.SKIPPED}),
    "report": (report, {Kind.REPORT}),
}
ACTS = st.lists(st.tuples(st.integers(0, 9), st.sampled_from(["gone", *MADE])), max_size=40)


def counts(tally):
    return {kind: tally[kind] for kind in Kind if tally[kind]}


def test_a_row_is_of_all_kinds_that_it_is_counted_as():
    for made, kinds in MADE.values():
        tally = Tally()
        tally.put([made(0)])
        assert counts(tally) == dict.fromkeys(kinds, 1)
        assert len(tally) == 1


def test_a_row_that_changes_is_counted_once():
    tally = Tally()
    waiting, _kinds = MADE["pending"]
    tally.put([waiting(0), waiting(1)])
    tally.put([scored(0)])
    assert counts(tally) == {Kind.TRACE: 2, Kind.PENDING: 1, Kind.SCORED: 1}
    tally.remove([0, 1, 2])
    assert counts(tally) == {} and len(tally) == 0


@given(ACTS)
def test_however_rows_come_change_and_go_the_counts_are_those_of_a_recount(acts):
    tally, rows = Tally(), {}
    for number, what in acts:
        if what == "gone":
            rows.pop(number, None)
            tally.remove([number])
        else:
            rows[number] = MADE[what]
            tally.put([MADE[what][0](number)])
    assert len(tally) == len(rows)
    assert counts(tally) == Counter(kind for _made, kinds in rows.values() for kind in kinds)
