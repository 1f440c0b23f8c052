"""The Neighbours tab in every state, and what it asks for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from kpinspector.app.answers import explanation_of
from kpinspector.app.document import Rules
from kpinspector.app.questions import Question
from kpinspector.runs.rules import RunOutcome
from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.measurement import Reach
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.scoring.novelty.neighbours import Alike, StepFall, StepRanking, order_of
from kpinspector.settings import Mode
from kpinspector.ui.controls.base import FlatButton, FocusRing, PushButton
from kpinspector.ui.look.theme import set_palette
from kpinspector.ui.panes import Do, Wish
from kpinspector.ui.panes.neighbours import AlikePart, NeighbourView, order_axis
from kpinspector.ui.parts.sections import HintPage, SentenceLabel, WrappedLabel
from tests import undecided, user
from tests.answers import (
    document,
    measurement,
    novelty,
    pending_document,
    problem_document,
    skipped_document,
)
from tests.known import of, present
from tests.nearest import measured, near, today
from tests.ui.reading import heads, table, texts, view_of
from tests.ui.windows import exposed

NEAREST = "Nearest remembered traces"
ALIKE = "Steps that make them alike"
CUT = Reach(512, truncated=True, ends_at_step=1)
TODAY = Wish(Do.ASK, Question.TODAY)
HOSTILE = "<b>bold</b><img src='http://x/'>"


@pytest.fixture
def view(qtbot):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    return exposed(qtbot, NeighbourView(), 430, 780)


@pytest.fixture
def wishes(view):
    found: list[Wish] = []
    view.wished.connect(found.append)
    return found


def show(view, one):
    view.set_explanation(explanation_of(one))
    QApplication.processEvents()


def nothing(view):
    hint = view.findChild(HintPage)
    return hint.findChild(QLabel).text() if hint.isVisible() else ""


def test_of_an_undecided_run_it_says_by_which_outcome_its_scores_are(view):
    said = "The scores here suppose an outcome: confidence 0.5, succeeded."
    show(view, undecided.run_document())
    assert said in user.texts(view)
    show(view, document())
    assert said not in user.texts(view)
    show(view, undecided.run_document(undecided.record(stated=RunOutcome(0.9, None))))
    assert said.replace("0.5", "0.9") in user.texts(view)
    show(view, pending_document())
    assert not any("suppose" in text for text in user.texts(view))


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (pending_document(), "known when the trace is scored"),
        (problem_document(), "There is no score"),
        (skipped_document(), "There is no score"),
        (document(measurement(novelty(None, Basis.NO_EMBEDDER))), "novelty is assumed 0.5"),
    ],
)
def test_where_nothing_was_compared_it_says_why(view, wishes, one, words):
    show(view, one)
    assert words in nothing(view)
    assert not view_of(view, NEAREST).isVisible() and not view_of(view, "Order").isVisible()
    assert wishes == []


def button(view, word):
    return next(one for one in view.findChildren(PushButton) if one.text() == word)


def show_near(view, *neighbours, **changes):
    """Show a trace with these neighbours; gives what is shown."""
    one = document(measured(*neighbours, **changes))
    show(view, one)
    return one


def summary(view):
    label = view.findChild(SentenceLabel)
    return label.text() if label.isVisible() else ""


TWO = (near("a", 0.55), near("b", 0.52))


def test_only_what_changes_the_score_can_be_left_out(view):
    show_near(view, *TWO)
    leave_out = button(view, "Leave Out in What-if")
    assert leave_out.isEnabled()
    view_of(view, NEAREST).setFocus()
    user.press_key(Qt.Key.Key_Down)
    assert view.chosen == TWO[1] and not leave_out.isEnabled()
    show_near(view, near("a", 0.5), near("b", 0.5))
    assert not leave_out.isEnabled()


def test_the_score_without_all_of_them_is_said(view):
    show_near(view, *TWO, compared_with=412)
    assert user.reads(view, "Without all 2 the score would be at least 0.")()
    show_near(view, *TWO)
    assert user.reads(view, "Without all 2 the score would be 0.")()
    show_near(view, TWO[0])
    assert not user.reads(view, "Without all")()


def test_today_is_asked_for_each_trace_while_it_is_looked_at(view, wishes):
    one = show_near(view, *TWO)
    assert wishes == []
    user.press(view, "Today")
    assert wishes == [TODAY]
    assert summary(view) == "Comparing with what is remembered today."
    view.set_today(today(near("a", 0.55), near("c", 0.7)))
    assert summary(view).startswith("Scored again now, it would have 0.")
    assert heads(view, NEAREST)[1] == "of 2 compared today"
    assert [row[-1] for row in table(view, NEAREST)] == [
        "0.5500, as it was",
        "0.7000, new since then",
    ]
    assert not button(view, "Leave Out in What-if").isEnabled()
    assert not user.reads(view, "Without all")()
    show(view, one.with_rules(Rules(threshold=0.5)))  # the same measurement
    assert wishes == [TODAY] and heads(view, NEAREST)[1].endswith("today")
    show_near(view, *TWO)
    assert wishes == 2 * [TODAY]
    view.hide()
    show_near(view, *TWO)
    assert wishes == 2 * [TODAY]
    view.show()
    view.refresh_today()
    assert wishes == 4 * [TODAY]
    user.press(view, "When Scored")
    view.refresh_today()
    assert wishes == 4 * [TODAY]
    assert summary(view) == "" and heads(view, NEAREST)[1] == "of 2 compared"


@pytest.mark.parametrize(
    ("mode", "words"), [(Mode.GUEST, "As a guest"), (Mode.FRESH, "Fresh: "), (Mode.REMEMBER, "")]
)
def test_the_mode_is_said_with_todays(view, mode, words):
    show_near(view, *TWO)
    user.press(view, "Today")
    view.set_today(today(*TWO))
    view.set_mode(mode)
    assert words in summary(view)
    assert ("guest" in summary(view) or "Fresh" in summary(view)) is bool(words)


def show_many(view, *similarities):
    show_near(view, *(near(f"n{number}", one) for number, one in enumerate(similarities)))
    return view_of(view, NEAREST)


def test_each_row_says_how_similar_and_what_without_it(view):
    show_many(view, 0.55, 0.52, 0.4)
    rows = table(view, NEAREST)
    assert [row[:2] for row in rows] == [["1", "n0, sets novelty"], ["2", "n1"], ["3", "n2"]]
    assert rows[0][2] == "0.5500, without it 0.7537, accepted"
    assert [row[2] for row in rows[1:]] == ["0.5200, score unchanged", "0.4000, score unchanged"]


def test_the_choice_stays_with_its_trace(view):
    nearest = show_many(view, 0.55, 0.52, 0.4)
    assert view.chosen.key == "n0"
    nearest.setFocus()
    user.press_key(Qt.Key.Key_Down)
    assert view.chosen.key == "n1" and nearest.is_chosen(1) and not nearest.is_chosen(0)
    show_many(view, 0.55, 0.52, 0.4)
    assert view.chosen.key == "n1"
    show_near(view, near("m0", 0.55), near("m1", 0.52))
    assert view.chosen.key == "m0"


def test_the_first_few_are_shown_until_more_are_wanted(view):
    nearest = show_many(view, *(0.9 - number / 20 for number in range(10)))
    assert len(texts(nearest)) == 6 and texts(nearest)[-1] == ["Show 5 More"]
    nearest.setFocus()
    QTest.keyClick(nearest, Qt.Key.Key_End)
    assert view.chosen.key == "n0"
    QTest.keyClick(nearest, Qt.Key.Key_Return)
    assert len(texts(nearest)) == 10


def test_text_of_strangers_is_shown_as_it_stands(view):
    hostile = near(HOSTILE, 0.5).__class__(HOSTILE, None, HOSTILE, f"/{HOSTILE}.json", 0.5)
    show_near(view, hostile)
    nearest = view_of(view, NEAREST)
    tip = nearest.figures.index(0, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert "<img" not in tip and "&lt;img" in tip
    assert HOSTILE in texts(nearest)[0][1]


@settings(deadline=None)
@given(st.floats(-1, 1), st.sampled_from(PROFILES), st.floats(0, 1))
def test_every_score_and_the_threshold_lie_well_within(similarity, profile, threshold):
    rect = QRect(0, 0, 201, 24)
    order = present(order_of(measurement(novelty(similarity)), profile, threshold))
    scores = [one.score for one in (order.first, order.placed, order.after)]
    axis = order_axis(scores, threshold)
    for value in (*scores, threshold):
        assert rect.left() + 7 < axis.x(rect, value) < rect.right() - 7


@pytest.fixture
def alike(view, wishes):
    show(view, document(measurement(novelty(reach=CUT))))
    wishes.clear()
    return view.findChild(AlikePart)


def said(alike):
    shown = [one for one in alike.findChildren(WrappedLabel) if one.isVisible()]
    return " ".join(one.text() for one in shown)


def asks(alike):
    return user.is_seen(alike, PushButton, "Rank Steps")


def found(done, total=3, similarity=0.55, **beside):
    falls = tuple(StepFall(number, similarity - 0.1, 0.1) for number in range(done))
    return Alike(StepRanking(similarity, falls, total), **beside)


def test_what_ended_early_can_be_asked_again(view, alike):
    user.press(view, "Rank Steps")
    alike.set_ended()
    assert asks(alike)
    alike.set_alike(found(2, words=40, shared_words=12, tokens=100, same_prompt=25))
    alike.set_ended()
    assert len(table(alike, ALIKE)) == 2 and asks(alike)
    assert said(alike) == (
        "Of 40 words that novelty sees, it sees 12 in both."
        " The first 25 of 100 tokens that novelty reads are the same prompt."
        " Stopped after 2 of 3 steps."
    )
    user.press(view, "Rank Steps")
    assert table(alike, ALIKE) == [] and said(alike) == ""
    alike.set_alike(found(0))
    alike.set_ended()
    assert "before the first step" in said(alike)


def test_the_keys_come_to_the_steps_that_were_ranked(view, alike, qtbot):
    view.activateWindow()
    user.find(alike, PushButton, "Rank Steps").setFocus()
    user.press(view, "Rank Steps")
    assert user.focused() is user.find(alike, FlatButton, "Rank Steps, stop")
    alike.set_alike(found(3))
    alike.set_ended()
    qtbot.waitUntil(lambda: user.focused().isVisible() and user.focused().accessibleName() == ALIKE)
    assert [one for one in view.findChildren(FocusRing) if one.isVisible()] == []


def test_a_neighbour_that_is_forgotten_or_another_text_now_is_said(view, alike):
    alike.set_alike(found(3, similarity=0.3))
    alike.set_ended()
    assert "0.5500" in said(alike) and "0.3000" in said(alike)
    show(view, document(measurement(novelty(reach=CUT))))
    user.press(view, "Rank Steps")
    alike.set_alike(None)
    alike.set_ended()
    assert "not remembered any more" in said(alike)


def test_what_novelty_sees_is_headed_so_where_it_is_all_as_well(view):
    show(view, document(measurement(novelty(reach=Reach(29, truncated=False, ends_at_step=None)))))
    assert {"What novelty sees", "Novelty saw the whole text, 29 tokens."} <= {*user.texts(view)}


def test_a_window_that_ends_in_the_objective_sees_no_step(view, alike):
    alike.set_alike(found(0, total=0))
    alike.set_ended()
    assert "no step" in said(alike) and not asks(alike)
