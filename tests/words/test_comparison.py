"""Two scored traces side by side: differences, JSON and text."""

import json
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kpinspector.scoring.formula.assess import ScoreRange, assess
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES, Dimension
from kpinspector.trace.align import align
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.printable import printable
from kpinspector.trace.records import Source, TraceRecord
from kpinspector.words.figures import decimals_for, plain
from kpinspector.words.writers.comparison import (
    Side,
    SideBySide,
    comparison_text,
    differences,
    names_apart,
    notes_on,
)
from kpinspector.words.writers.json_answers import comparison_json
from tests.answers import MEDICAL, assessment, measurement, novelty
from tests.fakes import make_raw
from tests.known import present
from tests.strategies import hostile_texts, traces

ASSESSMENTS = st.builds(
    lambda changes, similarity, profile, threshold: assess(
        measurement(novelty(similarity), **changes), profile, threshold
    ),
    st.fixed_dictionaries(
        {
            "unique_types": st.integers(0, 5),
            "error_recoveries": st.integers(0, 5),
            "unique_tools": st.integers(0, 2),
            "single_thought": st.booleans(),
            "confidence": st.one_of(st.floats(0, 1), st.floats(-2, 3)),
            "success": st.booleans(),
        }
    ),
    st.none() | st.floats(-1, 1),
    st.sampled_from(PROFILES),
    st.sampled_from([0.5, 0.75, 0.8]) | st.floats(0, 1),
)


def number(figure):
    return Decimal(plain(figure) or "0")


def only(scored):
    return ScoreRange(scored, scored)


def side(name, scored, *steps):
    trace = trace_from_json(make_raw(steps=list(steps)))
    return Side(name, TraceRecord(Source(f"{name}.json", None, 1), trace, ()), scored)


def side_by_side(left, right):
    return SideBySide(left, right, align(left.record.trace, right.record.trace))


@given(ASSESSMENTS, ASSESSMENTS)
def test_the_differences_add_up_as_shown(left, right):
    assume(all(decimals_for(one.score, one.threshold) is not None for one in (left, right)))
    found = differences(only(left), only(right))
    parts = [number(one.shown) for one in found.terms]
    parts += [number(one.shown) for one in found.overrides]
    assert sum(parts) == number(found.shown)
    assert number(found.right.score) - number(found.left.score) == number(found.shown)
    for term in found.terms:
        assert number(term.right.adds) - number(term.left.adds) == number(term.shown)
    for one in found.overrides:
        assert number(one.right) - number(one.left) == number(one.shown)


@given(ASSESSMENTS, ASSESSMENTS)
def test_the_other_way_round_every_difference_has_the_other_sign(left, right):
    there, back = differences(only(left), only(right)), differences(only(right), only(left))
    assert [-present(one.exact) for one in there.terms] == [one.exact for one in back.terms]
    pairs = zip(there.terms, back.terms, strict=True)
    assert all(number(one.shown) == -number(other.shown) for one, other in pairs)
    assert there.exact == -present(back.exact)
    assert {one.rule for one in there.overrides} == {one.rule for one in back.overrides}


def test_a_rule_that_fired_on_one_side_is_told():
    monotonous = assess(measurement(unique_tools=1), MEDICAL, 0.75)
    found = differences(only(assessment()), only(monotonous))
    assert [(one.rule, one.left, one.right, one.shown) for one in found.overrides] == [
        (Rule.TOOL_MONOTONY, "", "\N{MINUS SIGN}0.1000", "\N{MINUS SIGN}0.1000")
    ]
    assert {one.dimension for one in found.terms} == set(Dimension)
    both = side_by_side(side("a", assessment()), side("b", monotonous))
    rules = json.loads(comparison_json(both))["differences"]["overrides"]
    assert rules["tool_monotony"] == pytest.approx(-0.1)


def test_without_both_scores_there_is_no_difference():
    scored, pending = side("a", assessment()), side("b", None)
    assert side_by_side(scored, pending).differences is None
    assert side_by_side(pending, scored).differences is None
    assert side_by_side(scored, scored).differences is not None


def test_sides_are_called_differently():
    assert names_apart("a", "b") == ("a", "b")
    assert names_apart("a", "a") == ("a (left)", "a (right)")


def test_what_is_pending_has_no_json():
    with pytest.raises(ValueError, match="not scored"):
        comparison_json(side_by_side(side("a", None), side("b", assessment())))


CALL = {"type": "tool_call", "tool": {"name": "ehr.read"}, "input": {"patient": "p-1"}}


def test_what_is_pending_is_said():
    text = comparison_text(side_by_side(side("a", None), side("b", assessment())))
    assert text.startswith("left   not scored yet  a\nright  rejected  b\n\nObjective")


def test_different_profiles_are_said():
    other = side("b", assess(measurement(), DEFAULT, 0.75))
    notes = list(notes_on(side_by_side(side("a", assessment()), other)))
    assert notes == ["a is judged as medical, b as default."]


def test_bounded_work_is_said():
    found = side_by_side(side("a", None), side("b", None))
    rough = replace(found, alignment=replace(found.alignment, weighed=False))
    assert list(notes_on(found)) == []
    assert "type and tool alone" in next(iter(notes_on(rough)))
    assert "Objective and steps: 1 the same.\n" in comparison_text(found)


def test_the_steps_are_written_for_as_long_as_they_are_wanted():
    calls = iter((None, TimeoutError))

    def check():
        if error := next(calls):
            raise error

    one = side("a", assessment(), CALL, CALL, CALL)
    with pytest.raises(TimeoutError):
        comparison_text(side_by_side(one, one), check)


def test_a_long_passage_is_cut_without_open_marks():
    long = "word " * 60
    left = side("a", None, {"type": "thought", "content": long + "x"})
    right = side("b", None, {"type": "thought", "content": "other " * 60})
    lines = comparison_text(side_by_side(left, right)).splitlines()[-2:]
    assert lines[0] == f"  [-{'word ' * 32}-]..."
    assert lines[1].endswith("-]...") or lines[1].endswith("+}...")


@given(traces(), traces(), hostile_texts())
def test_hostile_text_stays_on_its_line(one, other, name):
    left, right = side(name, None), side("b", None)
    left, right = (
        replace(each, record=replace(each.record, trace=trace_from_json(raw)))
        for each, raw in ((left, one), (right, other))
    )
    found = replace(side_by_side(left, right), remarks=(f"{name} has changed.",))
    text = comparison_text(found)
    assert text.endswith("\n") and "has changed." in text
    lines = text.removesuffix("\n").split("\n")
    assert all(printable(line) == line for line in lines)
    rows = lines[len(lines) - lines[::-1].index("") :]
    signs = [line[0] for line in rows if not line.startswith("  ")]
    assert len(signs) == len(found.alignment.pairs)
    assert set(signs) <= set("=!-+")
