"""How many verdicts of a list other rules would change, counted after a rest."""

from dataclasses import replace

import pytest

from kpinspector.app.document import Rules
from kpinspector.scoring.formula.profiles import CUSTOM, PROFILES, Profile, Weights
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.ui.panes.whatif_case import FlipCounter, case_of
from tests import undecided
from tests.known import present
from tests.ui.documents import pending, problem, scored, skipped

ROWS = [
    *(scored(n, value=n / 40, confidence=0.6 + n / 100) for n in range(30)),
    pending(90),
    problem(91),
    skipped(92),
]


@pytest.fixture
def counter(qapp):
    return FlipCounter()


def count(qtbot, counter, rows, threshold, profile=None):
    with qtbot.waitSignal(counter.counted) as counted:
        counter.count(rows, threshold, profile)
    return counted.args[0]


def verdicts(rows, rules):
    judged = [row.with_rules(rules) for row in rows]
    return [row.assessment.verdict for row in judged if row.assessment is not None]


def changed(rows, rules):
    pairs = zip(verdicts(rows, Rules()), verdicts(rows, rules), strict=True)
    return sum(one is not other for one, other in pairs)


@pytest.mark.parametrize("threshold", [0.0, 0.6, 0.75, 0.8, 1.0])
def test_they_are_the_verdicts_that_the_list_would_have(qtbot, counter, threshold):
    own = Profile(CUSTOM, Weights(0.1, 0.7, 0.1, 0.1))
    found = count(qtbot, counter, ROWS, threshold, own)
    assert found.of == 30
    assert found.flipped[""] == changed(ROWS, Rules(threshold=threshold))
    for profile in (*PROFILES, own):
        expected = changed(ROWS, Rules(profile, threshold))
        assert found.flipped[profile.name] == expected, profile.name


def runs(*thresholds: float):
    """Runs of several lengths, most of them rejected whatever their outcome."""
    made = [undecided.record(failures, calls) for failures in (0, 1) for calls in (1, 2, 3)]
    return [
        replace(undecided.run_document(run, Rules(threshold=one)), number=number)
        for one in thresholds
        for number, run in enumerate(made)
    ]


@pytest.mark.parametrize("then", [0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 1.0])
@pytest.mark.parametrize("now", [0.2, 0.6, 0.75, 0.9])
def test_runs_count_where_their_verdict_is_known_now_and_then(qtbot, counter, now, then):
    rows = runs(now)
    known = [row for row in rows if row.verdict is not None]
    tried = rows[0]
    with qtbot.waitSignal(counter.counted) as counted:
        counter.count(rows, then, None, tried.number)
    found = counted.args[0]
    assert found.of == len(known)
    pairs = [(row.verdict, row.with_rules(Rules(threshold=then)).verdict) for row in known]
    both = [(one, other) for one, other in pairs if other is not None]
    assert found.of - found.opened[""] == len(both)
    assert found.flipped[""] == sum(one is not other for one, other in both)
    case = present(case_of(tried, Scenario(threshold=then)))
    for profile, one in zip(PROFILES, case.profiles, strict=True):
        pairs = [(row.verdict, row.with_rules(Rules(profile, then)).verdict) for row in known]
        both = [(before, after) for before, after in pairs if after is not None]
        flipped = sum(before is not after for before, after in both)
        assert found.with_tried(one, case) == (flipped, len(both)), profile.name


def test_only_the_last_of_many_moves_is_counted(qtbot, counter):
    heard = []
    counter.counted.connect(heard.append)
    for move in range(20):
        counter.count(ROWS, move / 20, None)
    qtbot.waitUntil(lambda: bool(heard))
    assert [one.flipped[""] for one in heard] == [changed(ROWS, Rules(threshold=0.95))]


def test_stopped_it_counts_nothing(qtbot, counter):
    counter.count(ROWS, 0.5, None)
    counter.stop()
    with qtbot.assertNotEmitted(counter.counted, wait=250):
        pass
