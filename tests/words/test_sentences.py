"""The words of the answer, in every state."""

import json
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import Verdict, assess, score_range
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES, Dimension
from kpinspector.scoring.novelty.neighbours import order_of
from kpinspector.scoring.novelty.sequence import Flag, Measured, Place
from kpinspector.trace.read import read_bytes
from kpinspector.trace.schema import Issue, Severity
from kpinspector.words.figures import plain
from kpinspector.words.score import (
    answer,
    evidence,
    fired_phrase,
    margin_phrase,
    range_answer,
    range_margin_phrase,
    remarks,
)
from kpinspector.words.sentences import Run, text_of
from tests.answers import MEDICAL, assessment, facts, measurement, neighbour, novelty
from tests.fakes import make_raw

ISSUES = (
    Issue("@context", Severity.WARNING, "the address of older documents"),
    Issue("metadata.created_at", Severity.ERROR, "missing"),
    Issue("steps.2.tool.name", Severity.ERROR, "expected a string, found null"),
)
PLACE = Place("kp:trace:visit-03", variant=False, flags=())


def measured(of, place=PLACE, **changes):
    """A measurement of a trace; its record has the issues that the reader would give it."""
    raw = make_raw(**changes)
    record = read_bytes(json.dumps(raw).encode(), "one.json").traces[0]
    return Measured(record, place, of)


assumed = novelty(None, Basis.NO_EMBEDDER)


def said(of=None, *, profile=MEDICAL, threshold=0.75, issues=()):
    of = of or measurement()
    return text_of(
        answer(assess(of, profile, threshold), of, issues, order_of(of, profile, threshold))
    )


def strong(of, *, profile=MEDICAL, threshold=0.75, issues=()):
    sentence = answer(assess(of, profile, threshold), of, issues, order_of(of, profile, threshold))
    return [run.text for run in sentence if run.strong]


@pytest.mark.parametrize(
    ("of", "threshold", "expected"),
    [
        (measurement(), 0.75, "Short by 0.0023"),
        (measurement(), 0.7, "0.0477 above"),
        (measurement(schema_valid=False), 0.75, "Schema fails, short by 0.0023"),
        (measurement(schema_valid=False), 0.7, "Schema fails, 0.0477 above"),
        (measurement(), assessment().score, "Exactly the threshold, the SDK may differ"),
        (measurement(), 0.7477, "0.00005 above, the SDK may differ"),
    ],
)
def test_margin_phrase(of, threshold, expected):
    assert margin_phrase(assess(of, MEDICAL, threshold)) == expected


def test_a_rejected_trace_names_what_loses_most_and_for_novelty_the_neighbour():
    lost = "Most is lost to novelty, 0.1100: visit-08 is 0.5500 similar."
    assert said(threshold=0.76) == lost
    assert said() == f"{lost} Scored first, this trace would pass with 0.7577."
    assert strong(measurement()) == ["novelty", "visit-08"]


@pytest.mark.parametrize(
    ("of", "profile", "expected"),
    [
        (measurement(novelty(0.1)), DEFAULT,
         "Most is lost to complexity, 0.1263: 3 of 4 step types, no recovery, 12 steps."),
        (measurement(success=False), MEDICAL,
         "Most is lost to outcome, 0.3900: a failure counts 0.3 of confidence 0.97."),
        (measurement(novelty(None, Basis.EMPTY_CACHE)), DEFAULT,
         "Most is lost to novelty, 0.1750: 0.5, nothing to compare with."),
        (measurement(assumed), DEFAULT,
         "Most is lost to novelty, 0.1750: assumed 0.5 without the embedding model."),
        (measurement(unique_tools=1, confidence=0.5), MEDICAL,
         "Most is lost to outcome, 0.2750: confidence 0.5, succeeded."),
    ],
)  # fmt: skip
def test_a_rejected_trace(of, profile, expected):
    assert said(of, profile=profile, threshold=0.8) == expected


def test_the_override_that_decided_is_the_cause():
    monotony = measurement(novelty(0.0), unique_tools=1)
    assert said(monotony, threshold=0.8) == (
        "Tool monotony takes 0.1000 from 0.8328: one tool in 3 calls."
    )
    assert strong(monotony, threshold=0.8) == ["Tool monotony"]
    bonus = measurement(error_recoveries=3)
    without = assess(measurement(error_recoveries=1), MEDICAL, 0.75).score
    assert strong(bonus, threshold=without + 0.05) == ["recovery bonus"]
    assert "3 recoveries and success add 0.1000" in said(bonus, threshold=without + 0.05)
    assert strong(bonus, threshold=without - 0.05)[0] == "Outcome"


def test_a_single_thought_is_the_cause_whatever_the_sum():
    lone = measurement(single_thought=True, steps=1, unique_types=1, tool_steps=0, unique_tools=0)
    assert said(lone).startswith("The only step is a thought, which sets the score to 0.1000")
    with_tool = measurement(single_thought=True, steps=1, unique_types=1, unique_tools=1)
    assert said(with_tool).endswith("tool monotony takes 0.1000.")


def test_an_accepted_trace_names_what_adds_and_what_loses_most():
    assert said(threshold=0.7) == (
        "Outcome adds most, 0.5335. Most is lost to novelty, 0.1100: visit-08 is 0.5500 similar."
    )


def test_an_accepted_trace_says_that_it_would_have_failed_before_all_others():
    assert said(measurement(novelty(0.3)), threshold=0.79) == (
        "Outcome adds most, 0.5335. Scored first, this trace would fail with 0.7577."
    )


def test_nothing_lost():
    best = measurement(
        novelty(0.0), confidence=1.0, unique_types=4, error_recoveries=1, steps=20, unique_tools=20
    )
    assert said(best).endswith("No dimension loses anything.")


def test_the_schema_gate_comes_first():
    bad = measurement(schema_valid=False)
    words = "The registry refuses it: metadata.created_at missing, and 1 more issue."
    assert said(bad, issues=ISSUES) == said(bad, issues=ISSUES, threshold=0.7) == words
    assert strong(bad, issues=ISSUES) == ["metadata.created_at"]


def test_what_the_schema_has_against_an_id_is_said_whole():
    found = Issue(
        "id", Severity.ERROR, 'expected an id that begins with "kp:trace:", found "run-17"'
    )
    bad = measurement(schema_valid=False)
    assert said(bad, issues=[found]) == f"The registry refuses it: id {found.message}."


def test_the_name_of_a_file_is_one_run_without_control_characters():
    of = measurement(novelty(neighbours=(neighbour("/x/<b>bo\nld.json"),)))
    runs = answer(assess(of, MEDICAL, 0.75), of, (), order_of(of, MEDICAL, 0.75))
    assert Run("<b>bo\N{REPLACEMENT CHARACTER}ld", strong=True, key="kp:trace:visit-08") in runs


@pytest.mark.parametrize(
    ("dimension", "changes", "expected"),
    [
        (Dimension.COMPLEXITY, {}, "3 of 4 step types, no recovery, 12 steps"),
        (Dimension.COMPLEXITY, {"unique_types": 5, "error_recoveries": 1, "steps": 1},
         "5 step types, 1 recovery, 1 step"),
        (Dimension.TOOL_DIVERSITY, {}, "2 different tools in 12 steps"),
        (Dimension.TOOL_DIVERSITY, {"unique_tools": 1}, "1 tool in 12 steps"),
        (Dimension.TOOL_DIVERSITY, {"unique_tools": 0, "steps": 0}, "no tools in no steps"),
        (Dimension.OUTCOME_CONFIDENCE, {}, "confidence 0.97, succeeded"),
        (Dimension.OUTCOME_CONFIDENCE, {"confidence": 1.2, "success": False},
         "confidence 1.2, outside 0 to 1, failed: counts 0.3"),
    ],
)  # fmt: skip
def test_evidence(dimension, changes, expected):
    assert evidence(dimension, facts(**changes), novelty()) == expected


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (novelty(), "0.5500 similar to visit-08, nearest of 412"),
        (assumed, "assumed 0.5 without the embedding model"),
        (novelty(None, Basis.EMPTY_CACHE), "0.5, nothing to compare with"),
        (None, "not measured yet"),
        (novelty(compared_with=1234), "0.5500 similar to visit-08, nearest of 1,234"),
    ],
)
def test_evidence_of_novelty(of, expected):
    assert evidence(Dimension.NOVELTY, facts(), of) == expected


def test_fired_phrase():
    assert fired_phrase(assessment().overrides) == "none fired"
    assert fired_phrase(assessment(measurement(unique_tools=1)).overrides) == "1 fired"
    assert fired_phrase(assessment().overrides, pending=True) == "none will fire"


def test_remarks():
    clamped = measurement(novelty(-0.02134))
    place = Place("k", variant=True, flags=(Flag.DUPLICATE, Flag.SHARED_ID))
    one = assess(clamped, MEDICAL, 0.75)
    text = " ".join(remarks(one, measured(clamped, place)))
    assert "stands earlier in this drop" in text and "same id" in text
    assert f"the SDK has 1.0213, and a score of {one.sdk_score:.4f}" in text
    assert (*remarks(assessment(), measured(measurement())),) == ()
    close = assess(measurement(), MEDICAL, assessment().score + 1e-6)
    assert "other side of the threshold" in (*remarks(close, measured(measurement())),)[0]
    assert "assumed 0.5" in (*remarks(assessment(), measured(measurement(assumed))),)[0]


@pytest.mark.parametrize(
    ("domain", "profile", "expected"),
    [
        ("code-review", DEFAULT,
         ('No profile is named "code-review": the weights are those of default.',)),
        (None, DEFAULT, ("It names no task domain: the weights are those of default.",)),
        ("default", DEFAULT, ()),
        ("code-review", MEDICAL, ()),
        ("medical", DEFAULT, ()),
    ],
)  # fmt: skip
def test_the_remark_on_a_domain_without_a_profile(domain, profile, expected):
    of = measurement(task_domain=domain)
    assert (*remarks(assess(of, profile, 0.75), measured(of)),) == expected


def test_a_domain_that_gives_the_sdk_no_number_is_remarked():
    of = measurement(task_domain="constructor")
    found = (*remarks(assess(of, DEFAULT, 0.75), measured(of)),)
    assert found[0] == (
        "The SDK's own score is NaN, as the task domain is a name that every JavaScript object"
        " has: no threshold holds that back from being posted."
    )
    assert len(found) == 2


def test_what_the_sdk_makes_of_values_is_remarked_for_the_first_places():
    steps = [7, {"step_id": 1, "type": "thought", "content": [1, None]}]
    found = (*remarks(assessment(), measured(measurement(), steps=steps)),)
    assert found == (
        "steps.0 is 7, a number; the SDK counts a step without type, content and tool.",
        'steps.1.content is a list; the SDK reads it as "1,".',
    )
    found = (*remarks(assessment(), measured(measurement(), steps=[7] * 5)),)
    assert len(found) == 4
    assert found[3] == "The SDK reads 2 more places otherwise than the schema has it."


def test_pending():
    possible = score_range(facts(), MEDICAL, 0.75)
    sentence = range_answer(possible, ())
    assert text_of(sentence) == (
        "It passes if novelty is at least 0.4613: no remembered trace may be more than"
        " 0.5387 similar."
    )
    assert range_margin_phrase(possible) == "Waits for novelty"


@pytest.mark.parametrize(
    ("known", "threshold", "margin", "start"),
    [
        (facts(), 0.6, "At least 0.0577 above",
         "It passes whatever its novelty is: the score is 0.6577"),
        (facts(), 0.9, "Short by at least 0.0422",
         "It fails whatever its novelty is: the score is 0.8578"),
        (facts(schema_valid=False), 0.9, "Schema fails, waits for novelty",
         "The registry refuses it: metadata.created_at"),
    ],
)  # fmt: skip
def test_decided_before_novelty_is_known(known, threshold, margin, start):
    possible = score_range(known, MEDICAL, threshold)
    assert range_margin_phrase(possible) == margin
    assert text_of(range_answer(possible, ISSUES)).startswith(start)


def test_pending_with_an_outcome_that_is_not_known():
    known = facts(confidence=0.5, confidence_known=False, success_known=False)

    def said(threshold):
        possible = score_range(known, MEDICAL, threshold)
        return text_of(range_answer(possible, (), outcome_known=False))

    assert [*map(said, (0.75, 0.6))] == [
        (
            "It passes if novelty is at least 0.3788: no remembered trace"
            " may be more than 0.6212 similar. That is with the best outcome."
        ),
        "With the best outcome it passes whatever its novelty is.",
    ]
    assert [*map(said, (0.12, 0.9))] == [
        "It passes whatever its novelty and its outcome are: the score is 0.1242 or more.",
        "It fails whatever its novelty and its outcome are: the score is 0.8742 or less.",
    ]


@given(
    st.sampled_from(PROFILES),
    st.floats(0.001, 1),
    st.floats(0, 1),
    st.tuples(st.integers(0, 4), st.integers(0, 2)),
    st.tuples(st.booleans(), st.booleans()),
)
def test_the_novelty_that_is_needed_passes_and_less_fails(
    profile, share, confidence, counts, known
):
    recoveries, tools = counts
    confidence_known, success_known = known
    known = facts(
        confidence=confidence,
        error_recoveries=recoveries,
        unique_tools=tools,
        confidence_known=confidence_known,
        success_known=success_known,
    )
    ends = score_range(known, profile, 0.0)
    threshold = ends.low.score + share * (ends.high.score - ends.low.score)
    possible = score_range(known, profile, threshold)
    assume(possible.verdict is Verdict.UNDECIDED)
    words = text_of(range_answer(possible, (), outcome_known=known.outcome_known))
    figures = [float(one) for one in re.findall(r"[-\d.]+\d", plain(words))]
    assert all(0 <= one <= 1 for one in figures)
    needed = figures[0] if figures else 0.0
    best = known.outcome_ends[1]

    def score(value):
        of = Measurement(best, novelty(value=value, unclamped=value))
        return assess(of, profile, threshold).score

    assert score(needed) >= threshold - 1e-9
    if figures:
        assert score(max(0.0, needed - 0.0002)) < threshold
