"""What is said of changes, of what a trace can reach, and of what is tried."""

from dataclasses import replace

import pytest
from hypothesis import example, given

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.measurement import Reach
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES, Dimension
from kpinspector.scoring.novelty.sequence import Measured, Place
from kpinspector.scoring.whatif.changes import Search, steps_needed
from kpinspector.scoring.whatif.counterfactuals import counterfactuals
from kpinspector.scoring.whatif.reach import ReachKind, trace_reach
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit
from kpinspector.trace.model import StepType
from kpinspector.words.changes import (
    change_words,
    edit_lines,
    reach_answer,
    reach_section,
    shown_places,
)
from kpinspector.words.explanation import explain
from kpinspector.words.figures import SCORE_DECIMALS
from kpinspector.words.page import paragraph
from kpinspector.words.sentences import text_of
from tests.answers import MEDICAL, assessment, measurement, novelty, record
from tests.cases import build, cases
from tests.ui.documents import trace

RECOVERED = "error_recovery:b"


def words(steps, confidence=0.9, success=True, similarity=0.5, profile=DEFAULT, threshold=0.75):
    case = build((steps, confidence, success, similarity, profile, threshold))
    found = counterfactuals(*case)
    return found, [change_words(change, case[1]) for change in found.changes]


def calls(*names):
    return [{"type": "tool_call", "tool": {"name": name}} for name in names]


def test_bounds_are_rounded_to_the_side_on_which_they_hold():
    steps = [{"type": "thought"}, *calls("a", "b"), {"type": "observation"}] * 3
    found, said = words(steps, 0.9, True, 0.55, MEDICAL, 0.7477)
    by_kind = {change.kind: one for change, one in zip(found.changes, said, strict=True)}
    confidence = float(by_kind["confidence"].change.removeprefix("Confidence at least "))
    assert confidence >= next(one.amount for one in found.changes if one.kind == "confidence")
    assert by_kind["confidence"].beside == "now 0.9"
    similarity = float(by_kind["similarity"].change.removeprefix("Similarity at most "))
    assert similarity <= next(one.amount for one in found.changes if one.kind == "similarity")
    assert by_kind["similarity"].beside == "now 0.5500"


@given(cases)
@example(([{"type": "thought"}, *calls("a", "b")], 0.2, True, 0.1, DEFAULT, 0.75))
def test_a_score_that_just_reaches_has_no_more_decimals_than_others(case):
    trace, measurement, profile, threshold = build((*case[:5], round(case[5], 2)))
    for change in counterfactuals(trace, measurement, profile, threshold).changes:
        shown = change_words(change, measurement).score
        assert float(shown) >= threshold
        assert len(shown.partition(".")[2]) == SCORE_DECIMALS


def test_a_rule_that_flips_is_named():
    _found, said = words(calls("a", "a", "a", "a"), 0.9, True, 0.1, DEFAULT, 0.7)
    assert any("tool monotony no longer fires" in one.beside for one in said)


@pytest.mark.parametrize(
    ("number", "phrase"), [(1, "One more recovery step"), (2, "Two more recovery steps")]
)
def test_numbers_of_steps_are_words(number, phrase):
    recoveries = [{"type": "error_recovery"}] * (3 - number)
    steps = [{"type": "thought"}, *calls("a", "b", "c"), *recoveries]
    score = assess(*build((steps, 0.5, True, 0.4, DEFAULT, 0.75))[1:]).score
    _found, said = words(steps, 0.5, True, 0.4, DEFAULT, score + 0.1)
    assert phrase in [one.change for one in said]


@pytest.mark.parametrize("names", ["aaaa", "aaaabbbbbb", "abcdef" + "f" * 30])
def test_a_tool_in_place_of_one_says_so(names):
    case = (calls(*names), 0.5, True, 0.5, DEFAULT)
    before = assess(*build((*case, 0.75))[1:]).score
    _found, said = words(*case, before + 0.005)
    (one,) = [one for one in said if "in place of" in one.change]
    assert one.change == "One new tool in place of one" and one.beside.startswith("now ")


def test_several_tools_in_place_of_repeats_are_counted():
    case = (calls(*"ab", *"c" * 28), 0.5, True, 0.5, DEFAULT)
    before = assess(*build((*case, 0.75))[1:]).score
    _found, said = words(*case, before + 0.04)
    assert "Three new tools in place of repeats" in [one.change for one in said]


def test_success_and_confidence_together_are_one_change():
    found, said = words([{"type": "thought"}, *calls("a")] * 6, 0.3, False, 0.4, MEDICAL, 0.6)
    both = next(one for one in said if one.change.startswith("Success with confidence at least 0."))
    assert both.beside == "now 0.3"
    assert Dimension.OUTCOME_CONFIDENCE in {one.dimension for one in found.changes}


def test_a_dimension_that_no_change_of_the_trace_raises_enough_is_a_value():
    _found, said = words([{"type": "thought"}] * 3, 0.9, True, None, DEFAULT, 0.55)
    novelty = next(one for one in said if one.change.startswith("Novelty at least 0."))
    assert novelty.beside == "now 0.500"


@pytest.mark.parametrize(
    ("steps", "rules", "phrase"),
    [
        (f"thought:b thought:c {RECOVERED} thought {RECOVERED} thought:b observation:a observation",
         (0.56, True, 0.32, DEFAULT, 0.84), "Two steps of other types"),
        ("observation:a", (0.28, False, 0.29, DEFAULT, 0.48), "Two steps of other types"),
        ("error_recovery:a tool_call:a tool_call:b", (0.54, True, 0.0, PROFILES[1], 0.82),
         "Three steps added or of other types"),
    ],
)  # fmt: skip
def test_steps_of_other_types_are_counted(steps, rules, phrase):
    pairs = (one.partition(":") for one in steps.split())
    made = [{"type": kind} | ({"tool": {"name": tool}} if tool else {}) for kind, _, tool in pairs]
    _found, said = words(made, *rules)
    assert phrase in [one.change for one in said]


def said(threshold=0.75, similarity=0.55, basis=Basis.MEASURED, **changes):
    of = measurement(novelty(similarity, basis), **changes)
    found = trace_reach(of, MEDICAL, threshold).low
    return text_of(reach_answer(found, of, threshold))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"similarity": 0.2}, ""),
        ({"similarity": 0.2, "schema_valid": False}, ""),
        ({}, "It passes where nothing is more than 0.5387 similar."),
        ({"similarity": None, "basis": Basis.EMPTY_CACHE, "threshold": 0.76},
         "It needs a novelty of 0.5113."),
        ({"success": False, "threshold": 0.5, "confidence": 0.6}, "It needs success."),
        ({"success": False, "confidence": 0.5},
         "It needs success, confidence 0.9741 or more."),
        ({"confidence": 0.5, "similarity": 0.1}, "It needs confidence 0.8105 or more."),
        ({"confidence": 0.2, "similarity": 0.3, "threshold": 0.85},
         "It needs confidence 1 and similarity 0.1212 or less."),
        ({"confidence": 0.2, "similarity": 0.3, "threshold": 0.87425},
         "It needs confidence 1 and similarity 0.0000 or less."),
        ({"similarity": 0.3, "threshold": 0.87425, "confidence": 1.0},
         "It passes where nothing is similar to it at all."),
        ({"success": False, "confidence": 0.2, "similarity": 0.3, "threshold": 0.85},
         "It needs success, confidence 1 and similarity 0.1212 or less."),
        ({"threshold": 0.95}, "Its own steps allow 0.8742 at most."),
        ({"threshold": 0.95, "success": False}, "Its own steps allow 0.8742 at most."),
    ],
)  # fmt: skip
def test_what_it_takes(changes, sentence):
    assert said(**changes) == sentence


def explained(of, threshold=0.75):
    judged = assessment(of, MEDICAL, threshold)
    place = Place("kp:trace:visit-03", variant=False, flags=())
    return explain(Measured(record(), place, of), judged)


def test_what_is_lost_most_comes_before_what_it_takes():
    said = text_of(explained(measurement(novelty(0.9), success=False)).sentence)
    assert said.startswith("Most is lost to outcome, 0.3900: a failure")
    assert said.index("Most is lost to") < said.index("It needs success")


def test_a_remark_says_where_only_the_prompt_was_read():
    within = Reach(tokens=512, truncated=True, ends_at_step=None)
    for similarity in (0.2, 0.9):
        one = measurement(novelty(similarity, reach=within))
        assert "Novelty read only the prompt." in explained(one).remarks
        for other in (None, replace(within, ends_at_step=0), replace(within, truncated=False)):
            remarks = explained(measurement(novelty(similarity, reach=other))).remarks
            assert "the prompt" not in " ".join(remarks)


def test_steps_that_follow_each_other_are_a_range():
    dash = "\N{EN DASH}"
    assert shown_places([4]) == "step 4"
    assert shown_places([1, 2, 3, 7, 9, 10]) == f"steps 1{dash}3, 7, 9{dash}10"


def test_changes_together_are_one_line_with_what_is_so_now():
    kinds = ["error_recovery", "observation", *["thought"] * 14]
    calls = [{"type": "tool_call", "tool": {"name": name}} for name in "ab"]
    case = ([*calls, *({"type": kind} for kind in kinds)], 0.8, False, 0.5, PROFILES[2], 0.8)
    words = change_words([*Search(*build(case)).combinations()][-1], build(case)[1])
    assert words.change == "12 steps fewer and success with confidence at least 0.8900"
    assert words.beside == "without steps 6\N{EN DASH}17, novelty held, now 0.8"
    assert words.score == "0.8000"


def test_what_is_needed_is_said_of_a_real_search():
    case = build(([{"type": "thought"}] * 3, 0.9, True, 0.9, DEFAULT, 0.85))
    found = trace_reach(*case[1:])
    assert found.kind is ReachKind.STRUCTURE
    section = reach_section(found, case[1].facts, steps_needed(*case), 0.85)
    assert section.blocks[-1] == paragraph("It needs 3 more recoveries or 12 more tools.")


TRACE = trace()


def lines(*edits, added=(), of=TRACE, **more):
    scenario = Scenario(edits=edits, added=added, **more)
    return edit_lines(scenario, of)


def test_each_edit_says_what_the_file_has_and_what_is_tried():
    found = lines(
        StepEdit(0, type=StepType.OBSERVATION),
        StepEdit(1, tool="lab.query"),
        StepEdit(2, left_out=True),
        StepEdit(3, type=StepType.THOUGHT, tool=""),
    )
    assert [(line.place, line.before, line.after) for line in found] == [
        ("Step 0", "Thought", "Observation"),
        ("Step 1", "ehr.read", "lab.query"),
        ("Step 2", "Observation", "left out"),
        ("Step 3", "Recovery, lab.query", "Thought, no tool"),
    ]
    assert found[1].text == "Step 1: ehr.read \N{RIGHTWARDS ARROW} lab.query"


def test_each_line_is_taken_back_alone():
    first, second = StepEdit(0, left_out=True), StepEdit(1, tool="x")
    added = (AddedStep(StepType.THOUGHT), AddedStep(StepType.ERROR_RECOVERY))
    found = lines(first, second, added=added, threshold=0.5)
    rest = [line.without for line in found]
    assert rest[0] == Scenario(edits=(second,), added=added, threshold=0.5)
    assert rest[1] == Scenario(edits=(first,), added=added, threshold=0.5)
    assert rest[2] == Scenario(edits=(first, second), added=added[1:], threshold=0.5)
    assert rest[3] == Scenario(edits=(first, second), added=added[:1], threshold=0.5)


def test_steps_left_out_one_after_another_are_one_line():
    of = trace([{"type": "thought", "content": str(n)} for n in range(2000)])
    gone = tuple(StepEdit(n, left_out=True) for n in (2, 3, *range(5, 1200), 1300))
    found = lines(*gone, of=of)
    assert [line.text for line in found] == [
        "Step 2: Thought \N{RIGHTWARDS ARROW} left out",
        "Step 3: Thought \N{RIGHTWARDS ARROW} left out",
        "Steps 5 to 1,199: 1,195 steps \N{RIGHTWARDS ARROW} left out",
        "Step 1,300: Thought \N{RIGHTWARDS ARROW} left out",
    ]
    assert found[2].without.left_out == {2, 3, 1300}


def test_an_edit_between_them_keeps_its_own_line():
    of = trace([{"type": "thought"}] * 9)
    edits = [StepEdit(n, left_out=True) for n in (0, 1, 2, 4, 5, 6)]
    edits.insert(3, StepEdit(3, type=StepType.OBSERVATION))
    assert [line.place for line in lines(*edits, of=of)] == [
        "Steps 0 to 2",
        "Step 3",
        "Steps 4 to 6",
    ]


def test_added_steps_are_counted_by_what_they_are():
    calls = tuple(AddedStep(StepType.TOOL_CALL, f"another tool {n}") for n in range(3))
    recoveries = (AddedStep(StepType.ERROR_RECOVERY),) * 2
    found = lines(added=(*recoveries, *calls, AddedStep(StepType.TOOL_CALL, "grep")))
    assert [line.after for line in found] == ["2 recoveries", "4 tool calls, 4 tools"]
    (alone,) = lines(added=(AddedStep(StepType.TOOL_CALL, "grep"),))
    assert alone.text == "Added: 1 tool call, grep"


def test_a_step_that_the_file_has_no_more_says_so():
    (line,) = lines(StepEdit(99, tool="x"))
    assert line.text == "Step 99: not there any more"


def test_names_of_tools_are_shown_short_and_without_controls():
    of = trace([{"type": "tool_call", "tool": {"name": "a\nb\x00" + "c" * 500}}])
    (line,) = lines(StepEdit(0, tool="d\te" * 99), of=of)
    assert len(line.text) < 160 and line.text.isprintable()
