"""The Neighbours tab in every state, and what it asks for."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QProgressBar

from kpinspector.app.answers import explanation_of
from kpinspector.app.document import Rules
from kpinspector.app.questions import Question
from kpinspector.runs.rules import RunOutcome
from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.measurement import Reach
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.scoring.novelty.neighbours import Alike, StepFall, StepRanking, order_of
from kpinspector.settings import Mode
from kpinspector.ui.controls.base import FlatButton, PushButton
from kpinspector.ui.look.theme import TextRole, set_palette
from kpinspector.ui.neighbours.neighbour_view import (
    AlikePart,
    Do,
    NeighbourView,
    NeighbourWish,
    order_axis,
)
from kpinspector.ui.parts.column_page import HintPage
from kpinspector.ui.parts.sections import WrappedLabel
from kpinspector.ui.parts.sentence_label import SentenceLabel
from kpinspector.ui.window.score_panel import ScorePanel
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

NEAREST = "Nearest remembered traces"
ALIKE = "Steps that make them alike"
CUT = Reach(512, truncated=True, ends_at_step=1)
TODAY = NeighbourWish(Do.ASK, Question.TODAY)
HOSTILE = "<b>bold</b><img src='http://x/'>"
MINUS = "\N{MINUS SIGN}"


@pytest.fixture
def view(qtbot):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    made = NeighbourView()
    qtbot.addWidget(made)
    made.resize(430, 780)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def wishes(view):
    found: list[NeighbourWish] = []
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


def test_without_a_trace_it_says_what_would_be_here(view):
    assert nothing(view).startswith("Choose a trace")
    show(view, document())
    assert nothing(view) == ""
    view.set_explanation(None)
    assert nothing(view).startswith("Choose a trace")


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


def test_the_buttons_are_about_the_chosen_trace(view, wishes):
    show_near(view, *TWO, compared_with=412)
    assert heads(view, NEAREST)[1] == "of 412 compared"
    for word in ("Compare", "Open", "Leave Out in What-if"):
        button(view, word).click()
    assert wishes == [
        NeighbourWish(Do.COMPARE, TWO[0]),
        NeighbourWish(Do.OPEN, TWO[0]),
        NeighbourWish(Do.LEAVE_OUT, 1 - 0.52),
    ]


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


def test_a_remembered_finding_says_since_when(view):
    found = measured(*TWO, compared_with=412)
    show(view, document(replace(found, novelty=replace(found.novelty, remembered=True))))
    head = heads(view, NEAREST)[1]
    assert head.startswith("of 412 compared on ") and "26" in head


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


def test_the_first_trace_has_an_order_but_no_neighbour(view):
    show(view, document(measurement(novelty(None, Basis.EMPTY_CACHE, reach=CUT))))
    assert "the first" in summary(view)
    assert not view_of(view, NEAREST).isVisible() and not button(view, "Compare").isVisible()
    assert not view.findChild(AlikePart).isVisible()
    order = table(view, "Order")
    assert order[0][1:] == order[1][1:] and order[1][0] == "At its place, 1"
    user.press(view, "Today")
    view.set_today(today(near("c", 0.7)))
    assert view_of(view, NEAREST).isVisible() and button(view, "Compare").isVisible()


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


def test_each_place_has_its_score_and_its_verdict(view):
    show(view, document(rules=Rules(threshold=0.75)))
    assert [row[1] for row in table(view, "Order")[:3]] == ["Accepted", "Rejected", "Rejected"]
    assert table(view, "Order")[3] == ["Threshold", "0.75"]
    *places, _ = view_of(view, "Order").figures.rows
    roles = [{row.cells[0].role, row.cells[2].role} for row in places]
    assert roles == [{TextRole.BODY}, {TextRole.PANE}, {TextRole.BODY}]


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


def test_a_ranking_is_asked_for_shown_when_it_is_done_and_gone_to(view, alike, wishes):
    assert asks(alike) and "compares with visit-08" in said(alike)
    alike.findChild(PushButton).setFocus()
    user.press(view, "Rank Steps")
    assert not asks(alike) and user.is_seen(alike, FlatButton, "Rank Steps, stop")
    assert alike.findChild(QProgressBar).maximum() == 1
    for done in range(4):
        alike.set_alike(found(done))
        assert table(alike, ALIKE) == []
    assert "3 of 3 steps" in user.texts(alike)
    user.press(view, "Rank Steps, stop")
    alike.set_ended()
    assert [row[1:] for row in table(alike, ALIKE)] == 3 * [
        ["0.4500 similar without it", f"{MINUS}0.1000"]
    ]
    assert not asks(alike) and said(alike) == ""
    ranked = view_of(alike, ALIKE)
    ranked.setFocus()
    QTest.keyClick(ranked, Qt.Key.Key_Down)
    QTest.keyClick(ranked, Qt.Key.Key_Return)
    assert wishes == [
        NeighbourWish(Do.ASK, Question.RANKING),
        NeighbourWish(Do.STOP, Question.RANKING),
        NeighbourWish(Do.GO_TO_STEP, 1),
    ]
    view.grab()
    show(view, document(measurement(novelty(reach=CUT))))
    assert table(alike, ALIKE) == [] and asks(alike)


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


def test_a_neighbour_that_is_forgotten_or_another_text_now_is_said(view, alike):
    alike.set_alike(found(3, similarity=0.3))
    alike.set_ended()
    assert "0.5500" in said(alike) and "0.3000" in said(alike)
    show(view, document(measurement(novelty(reach=CUT))))
    user.press(view, "Rank Steps")
    alike.set_alike(None)
    alike.set_ended()
    assert "not remembered any more" in said(alike)


def test_a_window_that_ends_in_the_objective_sees_no_step(view, alike):
    alike.set_alike(found(0, total=0))
    alike.set_ended()
    assert "no step" in said(alike) and not asks(alike)


def test_where_novelty_saw_everything_it_says_so(view):
    reach = Reach(29, truncated=False, ends_at_step=None)
    show(view, document(measurement(novelty(reach=reach))))
    assert "Novelty saw the whole text, 29 tokens." in user.texts(view)


def test_two_columns_where_there_is_room(view, qtbot):
    show(view, document())
    order, nearest = view_of(view, "Order"), view_of(view, NEAREST)

    def beside():
        return order.mapTo(view, order.rect().topLeft()).x() >= nearest.width()

    assert not beside()
    view.resize(QSize(1400, 500))
    qtbot.waitUntil(beside)
    view.grab()
    view.resize(QSize(430, 500))
    qtbot.waitUntil(lambda: not beside())


def test_the_evidence_of_novelty_leads_here(qtbot):
    panel = ScorePanel()
    qtbot.addWidget(panel)
    panel.set_document(document())
    assert not panel.neighbours.isVisibleTo(panel)
    dimensions = view_of(panel, "Dimensions")
    (wish,) = (row.wish for row in dimensions.figures.rows if row.wish is not None)
    dimensions.row_activated.emit(wish)
    assert panel.neighbours.isVisibleTo(panel)
    assert table(panel, NEAREST)[0][0] == "1"
    first = replace(novelty(None, Basis.EMPTY_CACHE))
    panel.set_document(document(measurement(first)))
    assert all(row.wish is None for row in dimensions.figures.rows)
