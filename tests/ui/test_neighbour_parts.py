"""The parts that ask first: what they say before, meanwhile, after, and when they were stopped."""

import pytest
from PySide6.QtWidgets import QApplication

from kpinspector.scoring.formula.measurement import Reach
from kpinspector.scoring.novelty.neighbours import Alike, StepFall, StepRanking
from kpinspector.ui.controls.base import PushButton
from kpinspector.ui.look.theme import set_palette
from kpinspector.ui.neighbours.neighbour_parts import AlikePart, UnseenPart
from kpinspector.ui.parts.sections import WrappedLabel
from kpinspector.ui.parts.sentence_label import SentenceLabel
from tests import user
from tests.answers import document, measurement, novelty
from tests.known import of
from tests.ui.reading import table

CUT = Reach(512, truncated=True, ends_at_step=1)


def measured_of(**changes):
    return document(measurement(novelty(**changes))).measured


@pytest.fixture
def alike(qtbot):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    made = AlikePart()
    qtbot.addWidget(made)
    made.resize(400, 300)
    made.set_measured(measured_of(reach=CUT))
    with qtbot.waitExposed(made):
        made.show()
    return made


def said(alike):
    shown = [one for one in alike.findChildren(WrappedLabel) if one.isVisible()]
    return " ".join(one.text() for one in shown)


def asks(alike):
    return alike.asking.isVisible() and alike.findChild(PushButton).isVisible()


def found(done, total=3, similarity=0.55, **beside):
    falls = tuple(StepFall(number, similarity - 0.1, 0.1) for number in range(done))
    return Alike(StepRanking(similarity, falls, total), **beside)


def test_it_waits_for_its_turn_and_can_be_asked_again_when_it_came_to_nothing(alike):
    assert asks(alike)
    alike.findChild(PushButton).click()
    assert not asks(alike)
    alike.set_ended()
    assert asks(alike)


def test_the_question_names_the_neighbour(alike):
    assert "compares with visit-08" in said(alike)


def test_a_ranking_is_shown_when_it_is_done(alike):
    alike.findChild(PushButton).click()
    for done in range(4):
        alike.set_alike(found(done))
        assert table(alike, "Steps that make them alike") == []
    assert "3 of 3 steps" in user.texts(alike)
    alike.set_ended()
    assert len(table(alike, "Steps that make them alike")) == 3
    assert not alike.asking.isVisible() and said(alike) == ""


def test_what_both_texts_share_stands_below_the_steps(alike):
    beside = {"words": 40, "shared_words": 12, "tokens": 100, "same_prompt": 25}
    alike.set_alike(found(2, **beside))
    alike.set_ended()
    assert said(alike) == (
        "Of 40 words that novelty sees, it sees 12 in both."
        " The first 25 of 100 tokens that novelty reads are the same prompt."
        " Stopped after 2 of 3 steps."
    )


def test_what_was_done_before_the_stop_stays(alike):
    alike.set_alike(found(2))
    alike.set_ended()
    assert len(table(alike, "Steps that make them alike")) == 2
    assert said(alike) == "Stopped after 2 of 3 steps." and asks(alike)
    alike.findChild(PushButton).click()
    assert table(alike, "Steps that make them alike") == [] and said(alike) == ""
    alike.set_alike(found(0))
    alike.set_ended()
    assert "before the first step" in said(alike)


def test_a_neighbour_that_is_forgotten_or_another_text_now_is_said(alike):
    alike.set_alike(found(3, similarity=0.3))
    alike.set_ended()
    assert "0.5500" in said(alike) and "0.3000" in said(alike)
    alike.set_measured(measured_of())
    alike.findChild(PushButton).click()
    alike.set_alike(None)
    alike.set_ended()
    assert "not remembered any more" in said(alike)


def test_a_window_that_ends_in_the_objective_sees_no_step(alike):
    alike.set_alike(found(0, total=0))
    alike.set_ended()
    assert "no step" in said(alike) and not alike.asking.isVisible()


def test_another_trace_has_no_ranking_yet(alike):
    alike.set_alike(found(3))
    alike.set_ended()
    alike.set_measured(measured_of())
    assert table(alike, "Steps that make them alike") == [] and asks(alike)


def test_where_novelty_saw_everything_it_says_so(qtbot):
    unseen = UnseenPart()
    qtbot.addWidget(unseen)
    unseen.set_reach(Reach(29, truncated=False, ends_at_step=None))
    assert (
        of(SentenceLabel, unseen.findChild(SentenceLabel)).text()
        == "Novelty saw the whole text, 29 tokens."
    )
