"""The figures of one answer add up as they stand on the screen."""

from collections import Counter
from decimal import Decimal
from math import inf, nan, nextafter
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from kpinspector.scoring.formula.assess import ScoreRange, assess, score_range
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DEFAULT, PROFILES
from kpinspector.words.figures import decimals_for, plain, shown_range_sum, shown_sum, waterfall
from tests.answers import assessment, facts, measurement, novelty

some_facts = st.fixed_dictionaries({
    "steps": st.integers(0, 60), "unique_types": st.integers(0, 6),
    "error_recoveries": st.integers(0, 5), "tool_steps": st.integers(0, 3),
    "unique_tools": st.integers(0, 3), "single_thought": st.booleans(),
    "confidence": st.floats(0, 1) | st.floats(-2, 3) | st.integers(0, 100).map(lambda n: n / 100),
    "success": st.booleans(),
})  # fmt: skip
thresholds = st.one_of(st.sampled_from([0.5, 0.75, 0.8]), st.floats(0, 1))


def number(figure: str) -> Decimal:
    return Decimal(plain(figure))


def assert_adds_up(one):
    shown = shown_sum(one)
    assert sum(number(term.adds) for term in shown.terms) == number(shown.total)
    assert sum(number(term.lost) for term in shown.terms) == number(shown.lost)
    for term in shown.terms:
        assert number(term.adds) + number(term.lost) == number(term.weight)
    last = number(shown.total)
    for change in shown.changes:
        assert number(change.before) == last
        assert number(change.before) + number(change.change) == number(change.after)
        last = number(change.after)
    assert last == number(shown.score)
    place, last = 0.0, Decimal(0)
    for stretch in _stretches(one):
        assert (stretch.start, number(stretch.shown_start)) == (place, last)
        assert last + number(stretch.shown_change) == number(stretch.shown_end)
        place, last = stretch.end, number(stretch.shown_end)
    assert (place, last) == (one.score, number(shown.score))


def random_assessment(draw):
    """Any trace, often so close to the threshold that only many decimals tell them apart."""
    confidence = draw.choice((
        draw.random(), draw.uniform(-3, 4), draw.uniform(-1e5, 1e5), 10 ** draw.uniform(-12, 5),
        round(draw.random(), 2),
    ))  # fmt: skip
    found = measurement(
        novelty(draw.uniform(-1, 1)), steps=draw.randint(0, 60), unique_types=draw.randint(0, 6),
        error_recoveries=draw.randint(0, 5), tool_steps=draw.randint(0, 3),
        unique_tools=draw.randint(0, 3), single_thought=draw.random() < 0.1,
        confidence=confidence, success=draw.random() < 0.6,
    )  # fmt: skip
    profile = draw.choice(PROFILES)
    threshold = assess(found, profile, 0.5).score
    for _ in range(draw.choice((0, 1, 2, 5))):
        threshold = nextafter(threshold, draw.choice((-inf, inf)))
    threshold += draw.choice((0, 0, 10 ** draw.uniform(-17, -3)))
    return assess(found, profile, threshold)


def test_every_sum_adds_up_at_every_number_of_decimals():
    draw, seen = Random(21), Counter()
    for _ in range(5000):
        one = random_assessment(draw)
        decimals = decimals_for(one.score, one.threshold)
        if decimals is not None:
            assert_adds_up(one)
            seen[decimals] += 1
    assert min(seen[decimals] for decimals in range(4, 18)) > 10


@given(some_facts, st.floats(-1, 1), st.sampled_from(PROFILES), thresholds)
def test_every_sum_adds_up_as_shown(known, similarity, profile, threshold):
    one = assess(measurement(novelty(similarity), **known), profile, threshold)
    assume(decimals_for(one.score, threshold) is not None)
    assert_adds_up(one)
    shown = shown_sum(one)
    assert abs(number(shown.total) - Decimal(one.composite)) < Decimal("0.0002")
    assert abs(number(shown.score) - number(shown.threshold)) == number(shown.margin)
    assert (number(shown.score) >= number(shown.threshold)) == one.score_passes


@given(some_facts, st.sampled_from(PROFILES), thresholds)
def test_the_known_terms_of_a_range_add_up_to_its_low_end(known, profile, threshold):
    possible = score_range(facts(**known), profile, threshold)
    shown = shown_range_sum(possible)
    low, high = (number(end) for end in shown.total.split("\N{EN DASH}"))
    known_terms = [term for term in shown.terms if term.value != "\N{EN DASH}"]
    assert len(known_terms) == 3
    assert sum(number(term.adds) for term in known_terms) == low
    assert high - low == Decimal(shown_sum(possible.low).terms[1].weight)
    bottom, top = shown.score.split("\N{EN DASH}")[0], shown.score.split("\N{EN DASH}")[-1]
    assert (number(bottom) >= Decimal(repr(threshold))) == possible.low.score_passes
    assert (number(top) >= Decimal(repr(threshold))) == possible.high.score_passes


def test_a_penalty_of_a_tenth_is_shown_as_that():
    for confidence in range(101):
        shown = shown_sum(assessment(measurement(unique_tools=1, confidence=confidence / 100)))
        assert shown.changes[2].change in ("\N{MINUS SIGN}0.1000", "\N{MINUS SIGN}0.10000")
        assert shown.total == shown.changes[0].before
        assert number(shown.total) - Decimal("0.1") == number(shown.score)


def test_a_score_that_no_decimals_can_tell_from_the_threshold():
    shown = shown_sum(assess(measurement(single_thought=True, unique_tools=1), DEFAULT, 1e-100))
    assert (shown.score, shown.threshold, shown.total) == ("0.0", "1e\N{MINUS SIGN}100", "0.5613")
    assert shown.margin == "1e\N{MINUS SIGN}100"


def test_a_score_close_to_the_threshold_gives_all_its_terms_more_decimals():
    of = measurement()
    close = assess(of, DEFAULT, assess(of, DEFAULT, 0.0).score + 4e-6)
    shown = shown_sum(close)
    places = {
        len(figure.partition(".")[2]) for figure in (shown.score, shown.threshold, shown.total)
    }
    assert places == {len(shown.terms[0].adds.partition(".")[2])}
    assert number(shown.score) < number(shown.threshold)


def test_while_pending_an_override_has_a_change_where_it_is_known():
    profile = assessment().profile
    changes = shown_range_sum(score_range(facts(unique_tools=1), profile, 0.75)).changes
    assert [(one.before, one.after) for one in changes] == [("", "")] * 3
    assert changes[2].change == "\N{MINUS SIGN}0.1000"
    single = facts(single_thought=True, steps=1, unique_types=1)
    unknown = shown_range_sum(score_range(single, profile, 0.75)).changes
    assert unknown[0].change == "" and number(unknown[1].change) == 0


def _stretches(one):
    return waterfall(ScoreRange(one, one))


def test_a_rule_has_its_own_figures_where_the_sum_is_no_number():
    one = assess(measurement(single_thought=True, confidence=nan), DEFAULT, 0.75)
    last = _stretches(one)[-1]
    assert (last.term, last.shown_start, last.shown_end) == (Rule.SINGLE_THOUGHT, "NaN", "0.1000")
