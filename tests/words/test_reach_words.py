"""What is said of what a trace can reach, and of changes together."""

from dataclasses import replace

import pytest

from kpinspector.scoring.formula.measurement import Reach
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES
from kpinspector.scoring.novelty.sequence import Measured, Place
from kpinspector.scoring.whatif.changes import Search, StepCounts, steps_needed
from kpinspector.scoring.whatif.reach import ReachKind, trace_reach
from kpinspector.words.changes import combination_words, needed_sentence, reach_answer, shown_places
from kpinspector.words.explanation import explain
from kpinspector.words.sentences import text_of
from tests.answers import MEDICAL, assessment, measurement, novelty, record
from tests.cases import build


def said(threshold=0.75, similarity=0.55, needed=(), **changes):
    of = measurement(novelty(similarity), **changes)
    found = trace_reach(of, MEDICAL, threshold).low
    return text_of(reach_answer(found, of.facts, needed, threshold))


FAILED = "The run failed: even a wholly new text would score"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"similarity": 0.2}, ""),
        ({"similarity": 0.2, "schema_valid": False}, ""),
        ({}, "It passes where nothing is more than 0.5387 similar."),
        (
            {"success": False, "threshold": 0.5, "confidence": 0.6},
            f"{FAILED} 0.4233. It would pass if it had succeeded.",
        ),
        (
            {"success": False, "confidence": 0.5},
            f"{FAILED} 0.4068. It would pass if it had succeeded with confidence 0.9741 or more.",
        ),
        (
            {"confidence": 0.5, "similarity": 0.1},
            (
                "Even a wholly new text would score 0.5993."
                " It would pass with confidence 0.8105 or more."
            ),
        ),
        (
            {"confidence": 0.2, "similarity": 0.3, "threshold": 0.85},
            (
                "Even a wholly new text would score 0.4343. It would pass with confidence 1 if"
                " nothing were more than 0.1212 similar."
            ),
        ),
        (
            {"confidence": 0.2, "similarity": 0.3, "threshold": 0.87425},
            (
                "Even a wholly new text would score 0.4343. It would pass with confidence 1 if"
                " nothing were similar to it at all."
            ),
        ),
        (
            {"similarity": 0.3, "threshold": 0.87425, "confidence": 1.0},
            "It passes where nothing is similar to it at all.",
        ),
        (
            {"success": False, "confidence": 0.2, "similarity": 0.3, "threshold": 0.85},
            (
                f"{FAILED} 0.3572. It would pass if it had succeeded with confidence 1 and nothing"
                " were more than 0.1212 similar."
            ),
        ),
        (
            {"success": False, "confidence": 0.2, "similarity": 0.3, "threshold": 0.87425},
            (
                f"{FAILED} 0.3572. It would pass if it had succeeded with confidence 1 and nothing"
                " were similar to it at all."
            ),
        ),
        ({"threshold": 0.95}, "It cannot pass: at best 0.8742."),
        (
            {
                "threshold": 0.95,
                "success": False,
                "needed": (StepCounts(tools=2), StepCounts(recoveries=1, types=1, removals=3)),
            },
            (
                f"{FAILED} 0.4843. It cannot pass: at best 0.8742. It needs 2 more"
                " tools or one more recovery, a step of a new type and 3 steps fewer."
            ),
        ),
    ],
)
def test_what_it_takes(changes, sentence):
    assert said(**changes) == sentence


def headline(of, threshold=0.75):
    judged = assessment(of, MEDICAL, threshold)
    place = Place("kp:trace:visit-03", variant=False, flags=())
    return text_of(explain(Measured(record(), place, of), judged).sentence)


def test_what_it_takes_comes_before_what_is_lost_most():
    said = headline(measurement(novelty(0.9), success=False))
    assert said.startswith(FAILED)
    assert said.index("It would pass if it had succeeded") < said.index("Most is lost to")


def test_the_headline_says_where_only_the_prompt_was_read():
    within = Reach(tokens=512, truncated=True, ends_at_step=None)
    for similarity in (0.2, 0.9):
        one = measurement(novelty(similarity, reach=within))
        assert headline(one).endswith(" Novelty read only the prompt.")
        for other in (None, replace(within, ends_at_step=0), replace(within, truncated=False)):
            assert "the prompt" not in headline(measurement(novelty(similarity, reach=other)))


def test_steps_that_follow_each_other_are_a_range():
    dash = "\N{EN DASH}"
    assert shown_places([4]) == "step 4"
    assert shown_places([1, 2, 3, 7, 9, 10]) == f"steps 1{dash}3, 7, 9{dash}10"


def test_changes_together_are_one_line_with_what_is_so_now():
    kinds = ["error_recovery", "observation", *["thought"] * 14]
    calls = [{"type": "tool_call", "tool": {"name": name}} for name in "ab"]
    case = ([*calls, *({"type": kind} for kind in kinds)], 0.8, False, 0.5, PROFILES[2], 0.8)
    words = combination_words([*Search(*build(case)).combinations()][-1], build(case)[1])
    assert words.change == "Success, and confidence at least 0.8900 and 12 steps fewer"
    assert words.beside == "now 0.8, without steps 6\N{EN DASH}17, novelty held"
    assert words.score == "0.8000"


def test_what_is_needed_is_said_of_a_real_search():
    case = build(([{"type": "thought"}] * 3, 0.9, True, 0.9, DEFAULT, 0.85))
    found = steps_needed(*case)
    assert trace_reach(*case[1:]).kind is ReachKind.STRUCTURE
    assert text_of(needed_sentence(found)) == "It needs 3 more recoveries or 12 more tools."
