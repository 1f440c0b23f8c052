"""What a row says of itself: the short ways to score and verdict, and the long ones."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.app.document import Rules, State
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.trace.schema import Issue, Severity
from tests.known import present
from tests.ui.documents import pending, problem, scored, skipped

ISSUE = Issue("metadata", Severity.ERROR, "missing")

all_rules = st.builds(
    Rules, profile=st.none() | st.sampled_from(PROFILES), threshold=st.floats(0, 1)
)


@given(all_rules, st.floats(0, 1), st.booleans())
def test_score_and_verdict_are_those_of_the_assessment(rules, novelty, valid):
    document = scored(1, value=novelty, rules=rules, issues=() if valid else (ISSUE,))
    assert document.score == present(document.assessment).score
    assert document.verdict is present(document.assessment).verdict
    assert document.bounds is None and document.range is None
    assert document.state == str(document.verdict)


@given(all_rules, st.booleans())
def test_bounds_and_early_verdict_are_those_of_the_range(rules, valid):
    document = pending(1, rules=rules, issues=() if valid else (ISSUE,))
    possible = present(document.range)
    assert document.bounds == (possible.low.score, possible.high.score)
    early = None if possible.verdict is Verdict.UNDECIDED else possible.verdict
    assert document.verdict is early
    assert document.score is None and document.assessment is None
    assert document.state is (State.PENDING if early is None else State(str(early)))


@given(all_rules, all_rules, st.floats(0, 1))
def test_what_other_rules_leave_as_it_was_is_as_if_judged_for_the_first_time(
    before, after, novelty
):
    judged = scored(1, value=novelty, rules=before)
    _ = judged.score, judged.assessment, judged.verdict, judged.before
    again, first = judged.with_rules(after), scored(1, value=novelty, rules=after)
    assert again.assessment == first.assessment and again.score == first.score
    assert again.verdict is first.verdict


@pytest.mark.parametrize("make", [problem, skipped])
def test_what_is_no_trace_has_neither_score_nor_verdict(make):
    document = make(1)
    assert (document.score, document.bounds, document.verdict) == (None, None, None)


def test_an_edit_is_compared_under_the_rules_of_today():
    before = scored(1, value=0.2)
    after = replace(scored(1, value=0.9), earlier=present(before.measured).measurement)
    assert after.before == before.score
    finance = Rules(profile=PROFILES[1])
    assert after.with_rules(finance).before == before.with_rules(finance).score
