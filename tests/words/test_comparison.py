from decimal import Decimal

from hypothesis import assume, given
from hypothesis import strategies as st

from kpinspector.scoring.formula.assess import ScoreRange, assess
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import PROFILES, Dimension
from kpinspector.trace.align import align
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.records import Source, TraceRecord
from kpinspector.words.comparison import Side, SideBySide, differences, names_apart
from kpinspector.words.figures import decimals_for, plain
from tests.answers import MEDICAL, assessment, measurement, novelty
from tests.fakes import make_raw
from tests.known import present

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


def test_nothing_has_no_sign():
    found = differences(only(assessment()), only(assessment()))
    assert [one.shown for one in found.terms] == ["0.0000"] * 4
    assert found.shown == "0.0000"
    assert found.overrides == ()


def test_a_rule_that_fired_on_one_side_is_told():
    monotonous = assess(measurement(unique_tools=1), MEDICAL, 0.75)
    found = differences(only(assessment()), only(monotonous))
    assert [(one.rule, one.left, one.right, one.shown) for one in found.overrides] == [
        (Rule.TOOL_MONOTONY, "", "\N{MINUS SIGN}0.1000", "\N{MINUS SIGN}0.1000")
    ]
    assert {one.dimension for one in found.terms} == set(Dimension)


def test_without_both_scores_there_is_no_difference():
    scored, pending = side("a", assessment()), side("b", None)
    assert side_by_side(scored, pending).differences is None
    assert side_by_side(pending, scored).differences is None
    assert side_by_side(scored, scored).differences is not None


def test_swapping_twice_changes_nothing():
    left = side("a", assessment(), {"type": "thought", "content": "one"})
    right = side("b", None, {"type": "thought", "content": "two"}, {"type": "observation"})
    found = side_by_side(left, right)
    assert found.swapped().left is right
    assert found.swapped().alignment == align(right.record.trace, left.record.trace)
    assert found.swapped().swapped() == found


def test_sides_are_called_differently():
    assert names_apart("a", "b") == ("a", "b")
    assert names_apart("a", "a") == ("a (left)", "a (right)")
