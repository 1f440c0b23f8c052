"""What is said of all open traces together."""

from collections import Counter

from kpinspector.batch.plan import LeftOut, Obstacle, Plan
from kpinspector.batch.summary import BatchSummary
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.settings import Mode
from kpinspector.words.batch import batch_facts, batch_title, left_out_note, plan_note


def summary(passing, rejected, undecided=0, **reach):
    verdicts = {Verdict.ACCEPTED: passing, Verdict.REJECTED: rejected}
    verdicts |= {Verdict.UNDECIDED: undecided}
    counts = Counter({ReachKind(name): count for name, count in reach.items()})
    total = passing + rejected + undecided
    return BatchSummary(total, Counter(verdicts), counts, Counter(), Counter(), (), ())


def plan(chosen, left_out, at_most=None, *, conservative=False):
    left = tuple(LeftOut(one, Obstacle.SIMILAR) for one in range(left_out))
    most = chosen if at_most is None else at_most
    return Plan((None,) * chosen, left, most, conservative)


def test_the_answer():
    some = summary(31, 80)
    assert batch_title(some, None, None) == "31 of 111 traces pass in file order"
    whole = "31 of 111 traces pass in file order, {} in the planned order"
    assert batch_title(some, plan(40, 71), None) == whole.format("40")
    assert batch_title(some, plan(40, 71, 43), None) == whole.format("at least 40")
    open_ = summary(9, 8, 1)
    said = "9 to 10 of 18 traces pass in file order, 9 to 10 in the planned order"
    assert batch_title(open_, plan(9, 9), plan(10, 8)) == said


def test_the_facts():
    some = summary(31, 80, accepted=31, novelty=72, outcome=2, both=6)
    said = batch_facts(some, (57, 1), 0.5, Mode.FRESH)
    assert said.split("  ·  ") == [
        "57 runs failed",
        "1 failed run passes",
        "8 cannot pass at any novelty",
        "threshold 0.5",
        "scored as a fresh process",
    ]
    assert "not known how it ended" in batch_facts(summary(0, 0, 1), (0, 0), 0.5, None)


def test_what_is_proven_of_a_plan():
    assert plan_note(plan(40, 71), None) == "40 of 111, the most possible"
    assert plan_note(plan(40, 71, 43), None) == "at least 40, at most 43 of 111"
    assert plan_note(plan(40, 71, conservative=True), None) == "40 of 111"
    assert plan_note(plan(9, 9), plan(10, 8)) == "9 to 10 of 18, as the outcomes may be"
    assert plan_note(plan(9, 9), plan(9, 9)) == "9 of 18, the most possible"


def test_why_traces_are_left_out():
    kinds = [Obstacle.SIMILAR, Obstacle.SAME, Obstacle.ASKED, Obstacle.OUT_OF_REACH]
    left = [LeftOut(number, why) for number, why in enumerate(kinds)]
    assert left_out_note(left) == "2 too similar, 1 as asked, 1 cannot pass"
    assert left_out_note(left[:1]) == "1 too similar"
    assert left_out_note([LeftOut(0, Obstacle.REMEMBERED)]) == "1 too similar"
