"""What is said of runs whose recordings do not say how they ended."""

from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kpinspector.app.answers import explanation_of
from kpinspector.app.document import Rules
from kpinspector.runs.read import run_record
from kpinspector.runs.rules import RunOutcome
from kpinspector.scoring.formula.assess import outcome_range
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES, Dimension
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.words.figures import decimals_for, plain, shown_range_sum, waterfall
from kpinspector.words.page import Sign, Table
from kpinspector.words.recordings import outcome_facts, recording_section
from kpinspector.words.run import stand_in_words
from kpinspector.words.sentences import text_of
from kpinspector.words.writers.explanation_text import explanation_text
from tests import undecided
from tests.answers import facts
from tests.cases import novelty
from tests.known import of, present
from tests.scoring.test_outcome import MEASUREMENTS, THRESHOLDS

DASH = "\N{EN DASH}"


def explained(run=None, threshold=0.7, near=None):
    return explanation_of(undecided.run_document(run, Rules(threshold=threshold), near))


def section(explanation, title):
    (found,) = [one for one in explanation.sections if one.title == title]
    return found


def cells(explanation, title):
    table = next(one for one in section(explanation, title).blocks if isinstance(one, Table))
    return [[cell.text for cell in row if cell.text] for row in table.rows]


def test_the_answer_says_what_is_not_recorded_and_from_where_on_it_is_accepted():
    found = explained()
    assert (found.sign, found.word) == (Sign.UNDECIDED, "Undecided")
    assert found.margin == "Confidence and success not recorded"
    assert found.score.text == f"0.52{DASH}0.78" and found.score.value is None
    assert text_of(found.sentence) == (
        "Accepted from confidence 0.7100 if it succeeded, rejected if it failed."
        " Without the derived recovery no outcome is enough."
    )
    strong = [run.text for run in found.sentence if run.strong]
    assert strong == ["confidence ", "0.7100", "derived recovery"]


@pytest.mark.parametrize(
    ("known", "threshold", "margin", "start"),
    [
        (RunOutcome(None, True), 0.7, "Confidence not recorded",
         "Accepted from confidence 0.7100 if"),
        (RunOutcome(0.9, None), 0.7, "Success not recorded", "Accepted from confidence 0.9000 if"),
        (RunOutcome(None, False), 0.55, "Confidence not recorded",
         "Accepted from confidence 0.3667"),
        (RunOutcome(None, None), 0.9, "Short by at least 0.1275",
         "It fails whatever its outcome is"),
        (RunOutcome(None, None), 0.4, "At least 0.1225 above", "It passes whatever its outcome is"),
    ],
)  # fmt: skip
def test_each_thing_that_may_be_missing(known, threshold, margin, start):
    found = explained(undecided.record(stated=known), threshold)
    assert found.margin == margin
    assert text_of(found.sentence).startswith(start)


@pytest.mark.parametrize("threshold", [0.9, 0.4])
def test_what_is_decided_with_and_without_derived_steps_has_its_score_without_them(threshold):
    assert text_of(explained(threshold=threshold).sentence).endswith(
        f" Without the derived recovery it is 0.41{DASH}0.67."
    )


@pytest.mark.parametrize(
    ("threshold", "ending"), [(0.7, "it is rejected: 0.6412."), (0.9, "it is 0.6412.")]
)
def test_a_stated_outcome_still_says_what_rests_on_derived_steps(threshold, ending):
    stated = undecided.record(stated=RunOutcome(0.9, True))
    found = explained(stated, threshold)
    assert f"Without the derived recovery {ending}" in found.remarks
    assert "Without" not in text_of(found.sentence)  # which has two lines of the window
    none_derived = undecided.record(failures=0, stated=RunOutcome(0.9, True))
    assert "Without" not in " ".join(explained(none_derived, threshold).remarks)


def test_a_failure_that_is_enough_has_its_bound_too():
    assert text_of(explained(undecided.record(failures=0), 0.45).sentence) == (
        "Accepted from confidence 0.1350 if it succeeded, accepted from confidence 0.4500 if it"
        " failed."
    )


def test_what_is_stated_alone_is_named():
    only = undecided.record(stated=RunOutcome(0.9, None)).imported
    assert [*outcome_facts(only)][1:] == ["confidence 0.9", "confidence stated by you"]


def test_what_would_decide_it():
    assert cells(explained(), "What would decide it") == [
        ["Succeeded, confidence 0.7100", "at least", "0.7000", "accepted"],
        ["Succeeded, confidence 1", "at best", "0.7725", "accepted"],
        ["Failed, confidence 1", "at best", "0.5975", "rejected"],
        ["The recovery not counted", "derived", f"0.41{DASH}0.67", "rejected"],
    ]
    known = explained(undecided.record(stated=RunOutcome(0.9, None)))
    assert cells(known, "What would decide it")[:2] == [
        ["Succeeded, confidence 0.9", "as stated by you", "0.7475", "accepted"],
        ["Failed, confidence 0.9", "as stated by you", "0.5900", "rejected"],
    ]
    run = undecided.record()
    told = replace(run.imported, run=replace(run.imported.run, confidence=0.9))
    recorded = explained(run_record(run.source, told))
    assert cells(recorded, "What would decide it")[0][1] == "as recorded"
    decided = explained(threshold=0.9)
    assert cells(decided, "How it may have ended")[0][0] == "Succeeded, confidence 1"


def test_a_rule_that_hangs_on_success_is_open():
    found = explained(undecided.record(failures=3, calls=4))
    row = ["Recovery bonus", "if it succeeded", f"0{DASH}0.1000", "3 recoveries and success"]
    assert cells(found, "Overrides")[1] == row


def test_content_that_was_not_recorded_is_said_so():
    text = explanation_text(explained(undecided.without_content(undecided.record())))
    assert "Novelty is assumed 0.5, as the recording left the content out." in text
    assert "assumed 0.5 without its content" in text


def test_a_rule_that_fires_whatever_the_confidence_adds_up_with_what_is_known():
    found = explained(undecided.record(failures=3, calls=4, stated=RunOutcome(None, True)))
    rows = cells(found, "How it adds up")
    assert rows[3] == ["Recovery bonus", "0.5325", "+0.1000", "0.6325"]
    assert rows[4][:3] == ["Outcome", "0.6325", f"0{DASH}0.25"]


def number(figure):
    return Decimal(plain(figure))


@given(MEASUREMENTS, st.sampled_from(PROFILES), THRESHOLDS)
def test_the_known_stretches_add_up_and_the_last_one_reaches_the_best(one, profile, threshold):
    possible = outcome_range(one, profile, threshold)
    assume(decimals_for(possible.low.score, threshold) is not None)
    stretches = waterfall(possible)
    known = [stretch for stretch in stretches if stretch.reach is None]
    assert stretches[: len(known)] == tuple(known)
    for before, after in pairwise(known):
        assert after.start == before.end and after.shown_start == before.shown_end
    for stretch in known:
        whole = number(stretch.shown_start) + number(stretch.shown_change)
        assert whole == number(stretch.shown_end)
    open_ones = stretches[len(known) :]
    for stretch in open_ones:
        assert stretch.start <= stretch.end <= present(stretch.reach)
    if open_ones and possible.high.score > possible.low.score:
        assert present(open_ones[-1].reach) == pytest.approx(possible.high.score, abs=1e-12)


@given(MEASUREMENTS, st.sampled_from(PROFILES), THRESHOLDS)
def test_a_range_as_shown_holds_every_possible_score(one, profile, threshold):
    possible = outcome_range(one, profile, threshold)
    shown = shown_range_sum(possible).score.split(DASH)
    low, high = number(shown[0]), number(shown[-1])
    assert low <= Decimal(repr(possible.low.score)) <= Decimal(repr(possible.high.score)) <= high
    outcome = shown_range_sum(possible).term(Dimension.OUTCOME_CONFIDENCE)
    is_open = Dimension.OUTCOME_CONFIDENCE in possible.open_dimensions
    assert (outcome.value == DASH) is is_open


def test_a_bonus_that_only_fills_what_monotony_took_reaches_the_best_score():
    counted = facts(
        steps=1, error_recoveries=3, unique_types=0, unique_tools=0, tool_steps=1, confidence=0.0
    )
    one = Measurement(replace(counted, success_known=False), novelty(1.0))
    possible = outcome_range(one, DEFAULT, 0.0)
    assert possible.low.score < possible.high.score < 0.1
    last = waterfall(possible)[-1]
    assert (last.term, last.reach) == (Rule.RECOVERY_BONUS, possible.high.score)


def test_what_even_a_failure_adds_is_certain():
    one = Measurement(facts(confidence=0.8, success_known=False), novelty(0.5))
    possible = outcome_range(one, DEFAULT, 0.75)
    last = waterfall(possible)[-1]
    assert (last.term, last.reach) == (Dimension.OUTCOME_CONFIDENCE, possible.high.score)
    assert last.start < last.end == possible.low.score


UNKNOWN = facts(confidence=0.5, confidence_known=False, success_known=False)


@pytest.mark.parametrize(
    ("recorded", "scenario", "words"),
    [
        (facts(), Scenario(), ""),
        (UNKNOWN, Scenario(), "It begins at confidence 0.5, succeeded: not recorded."),
        (UNKNOWN, Scenario(novelty=0.1), "It begins at confidence 0.5, succeeded: not recorded."),
        (UNKNOWN, Scenario(confidence=0.9), "Success is not recorded and stays at yes."),
        (UNKNOWN, Scenario(success=False), "Confidence is not recorded and stays at 0.5."),
        (UNKNOWN, Scenario(success=False, confidence=0.2), ""),
        (UNKNOWN, Scenario(outcome_confidence=0.2), "Success is not recorded and stays at yes."),
        (facts(confidence=0.5, confidence_known=False), Scenario(),
         "It begins at confidence 0.5, not recorded: move it."),
        (facts(success_known=False), Scenario(), "It begins as succeeded, which is not recorded."),
    ],
)  # fmt: skip
def test_a_what_if_says_what_stands_in(recorded, scenario, words):
    assert stand_in_words(recorded, scenario) == words


def test_what_a_verifier_said_is_named_and_cut():
    run = undecided.record()
    told = {"includes": "C", "match": "0.5"} | {f"long {n}": "x" * 1000 for n in range(9)}
    scored = replace(run.imported, run=replace(run.imported.run, scores=told))
    rows = recording_section(run_record(run.source, scored))
    (table,) = rows.blocks
    said = {row[0].text: row[1].text for row in of(Table, table).rows}
    scores = said["source"].partition("scores ")[2]
    assert scores.startswith("includes = C, match = 0.5, long 0 = xx")
    assert len(scores) == 300
    assert "scores" not in str(recording_section(run))
