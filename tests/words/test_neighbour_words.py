"""What is said of neighbours, of order, and of what novelty did not see."""

import pytest

from kpinspector.scoring.findings import Basis, Finding
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.measurement import with_finding
from kpinspector.scoring.novelty.neighbours import (
    StepFall,
    StepRanking,
    compare_findings,
    order_of,
    without,
)
from kpinspector.words.novelty import (
    compared_words,
    fall_words,
    neighbour_about,
    ordinal,
    place_names,
    ranking_remark,
    standing_words,
    today_sentence,
    without_score,
)
from kpinspector.words.sentences import text_of
from tests.answers import MEDICAL, measurement, neighbour
from tests.known import present
from tests.nearest import measured, near, today


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"),
        (22, "22nd"), (111, "111th"), (413, "413th"), (1001, "1,001st"),
    ],
)  # fmt: skip
def test_ordinal(number, words):
    assert ordinal(number) == words


def test_the_places_in_the_order():
    order = present(order_of(measurement(), MEDICAL, 0.75))
    assert place_names(order) == ("Scored first", "At its place, 413th", "After itself")


@pytest.mark.parametrize(
    ("path", "shared", "about"),
    [
        ("/runs/visit-08.json", False, "Review the potassium trend"),
        ("/runs/visit-08.json", True, "visit-08.json"),
        ("/runs/session.jsonl", False, "Review the potassium trend"),
        ("/runs/session.jsonl", True, "session.jsonl"),
        ("", False, ""),
    ],
)
def test_what_stands_beside_the_name_is_not_the_name(path, shared, about):
    one = neighbour(path)
    assert neighbour_about(one, (one, one) if shared else (one,)) == about


def test_a_score_without_some_is_exact_or_a_bound():
    found = measured(near("a", 0.9), near("b", 0.7), compared_with=1200)
    one, both = (without(found, ranks, MEDICAL, 0.75) for ranks in ({0}, {0, 1}))
    assert without_score(one) == f"{one.assessment.score:.4f}"
    assert without_score(both) == f"at least {both.assessment.score:.4f}"
    assert compared_words(found.novelty) == "of 1,200 compared"


def test_what_has_become_of_the_neighbours():
    stored = measured(near("a", 0.9), near("b", 0.6), compared_with=5).novelty
    found = compare_findings(
        stored,
        today(near("c", 0.7), near("a", 0.65), near("b", 0.6), near("d", 0.5), compared_with=9),
    )
    assert [standing_words(one) for one in found.nearest] == [
        "new since then",
        "was 0.9000",
        "as it was",
        "not among the nearest then",
    ]


@pytest.mark.parametrize(
    ("names", "tail"),
    [
        ("", ""),
        ("a", " Not remembered like that any more: a."),
        ("ab", " Not remembered like that any more: a and b."),
        ("abcd", " Not remembered like that any more: a, b and 2 more."),
    ],
)
def test_what_scoring_again_would_give(names, tail):
    stored = measured(*(near(name, 0.9) for name in names))
    now = Finding(Basis.MEASURED, 0.55, (neighbour(),), 1, 0)
    again = assess(with_finding(measurement(), now), MEDICAL, 0.75)
    sentence = today_sentence(again, compare_findings(stored.novelty, now))
    assert text_of(sentence) == f"Scored again now, it would have 0.7477.{tail}"


def test_a_fall_adds_up_with_the_similarities_as_shown():
    ranking = StepRanking(0.55004, (), 3)
    assert fall_words(StepFall(0, 0.48876, 0.06128), ranking) == "\N{MINUS SIGN}0.0612"
    assert fall_words(StepFall(1, 0.5534, -0.00336), ranking) == "+0.0034"
    assert fall_words(StepFall(2, 0.55001, 0.00003), ranking) == "0.0000"


def test_a_neighbour_with_another_text_is_said():
    assert ranking_remark(StepRanking(0.55, (), 0), neighbour()) == ""
    remark = ranking_remark(StepRanking(0.3, (), 0), neighbour())
    assert "0.5500" in remark and "0.3000" in remark
