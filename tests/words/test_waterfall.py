"""The way from 0 to the score, without a gap, as doubles and as shown."""

from decimal import Decimal

from hypothesis import assume, given
from hypothesis import strategies as st

from kpinspector.scoring.formula.assess import ScoreRange, assess
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import PROFILES, Dimension
from kpinspector.words.figures import decimals_for, plain
from kpinspector.words.sums import shown_sum, waterfall
from tests.answers import assessment, measurement, novelty
from tests.words.test_sums import _changes, some_facts, thresholds


def _stretches(one):
    return waterfall(ScoreRange(one, one))


def number(figure):
    return Decimal(plain(figure))


@given(some_facts, st.floats(-1, 1), st.sampled_from(PROFILES), thresholds)
def test_each_stretch_begins_where_the_one_before_ends(known, similarity, profile, threshold):
    one = assess(measurement(novelty(similarity), **_changes(known)), profile, threshold)
    assume(decimals_for(one.score, threshold) is not None)
    stretches = _stretches(one)
    place, figure = 0.0, Decimal(0)
    for stretch in stretches:
        assert (stretch.start, number(stretch.shown_start)) == (place, figure)
        assert number(stretch.shown_start) + number(stretch.shown_change) == number(
            stretch.shown_end
        )
        place, figure = stretch.end, number(stretch.shown_end)
    assert stretches[-1].end == one.score
    assert figure == number(shown_sum(one).score)


def test_only_what_fired_is_a_stretch():
    one = assessment(measurement(unique_tools=1))
    assert [stretch.term for stretch in _stretches(one)] == [
        *Dimension,
        Rule.TOOL_MONOTONY,
    ]
    last = _stretches(one)[-1]
    assert (last.shown_start, last.shown_change, last.shown_end) == (
        "0.7228", "\N{MINUS SIGN}0.1000", "0.6228",
    )  # fmt: skip
    assert [stretch.shown_change for stretch in _stretches(one)][:2] == [
        "+0.0743",
        "+0.0900",
    ]
