"""The Neighbours tab in every state, and what it asks for."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QLabel

from kpinspector.app.answers import explanation_of
from kpinspector.app.document import Rules
from kpinspector.app.neighbours import Question
from kpinspector.runs.rules import RunOutcome
from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.measurement import Reach
from kpinspector.settings import Mode
from kpinspector.ui.controls.base import PushButton
from kpinspector.ui.look.theme import set_palette
from kpinspector.ui.neighbours.neighbour_parts import AlikePart, OrderChart, UnseenPart
from kpinspector.ui.neighbours.neighbour_view import NeighbourView
from kpinspector.ui.parts.column_page import HintPage
from kpinspector.ui.window.score_panel import ScorePanel
from tests import undecided, user
from tests.answers import (
    document,
    measurement,
    neighbour,
    novelty,
    pending_document,
    problem_document,
    skipped_document,
)
from tests.known import of
from tests.nearest import near, today
from tests.ui.reading import table, texts, view_of

NEAREST = "Nearest remembered traces"
CUT = Reach(512, truncated=True, ends_at_step=1)


class Asked(NeighbourView):
    """With what it asked for."""

    asked_for: list[object]


@pytest.fixture
def view(qtbot):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    made = Asked()
    qtbot.addWidget(made)
    made.resize(430, 780)
    made.asked_for = []
    made.asked.connect(made.asked_for.append)
    with qtbot.waitExposed(made):
        made.show()
    return made


def show(view, one):
    view.set_explanation(explanation_of(one))
    QApplication.processEvents()


def nothing(view):
    hint = view.findChild(HintPage)
    return hint.findChild(QLabel).text() if hint.isVisible() else ""


def test_of_an_undecided_run_it_says_by_which_outcome_its_scores_are(view):
    said = "The scores here are those of the middle: confidence 0.5, succeeded."
    show(view, undecided.run_document())
    assert said in user.texts(view)
    show(view, document())
    assert said not in user.texts(view)
    show(view, undecided.run_document(undecided.record(stated=RunOutcome(0.9, None))))
    assert said.replace("0.5", "0.9") in user.texts(view)
    show(view, pending_document())
    assert not any("the middle" in text for text in user.texts(view))


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (pending_document(), "known when the trace is scored"),
        (problem_document(), "There is no score"),
        (skipped_document(), "There is no score"),
        (document(measurement(novelty(None, Basis.NO_EMBEDDER))), "novelty is assumed 0.5"),
    ],
)
def test_where_nothing_was_compared_it_says_why(view, one, words):
    show(view, one)
    assert words in nothing(view)
    assert not view.list.isVisible() and not view.findChild(OrderChart).isVisible()
    assert view.asked_for == []


def test_without_a_trace_it_says_what_would_be_here(view):
    assert nothing(view).startswith("Choose a trace")
    show(view, document())
    assert nothing(view) == ""
    view.set_explanation(None)
    assert nothing(view).startswith("Choose a trace")


def test_a_measured_trace_has_all_its_parts(view):
    show(view, document(measurement(novelty(reach=CUT))))
    assert table(view, NEAREST)[0][1].startswith("visit-08, sets novelty")
    assert texts(view.findChild(OrderChart))[1][0] == "At its place, 413"
    words = [one.text() for one in view.findChildren(PushButton) if one.isVisible()]
    assert words == ["Compare", "Open", "Leave Out in What-if", "Rank Steps"]
    view.grab()


def test_a_row_is_compared_with_the_chosen_trace(view, qtbot):
    one = document()
    show(view, one)
    with qtbot.waitSignal(view.compare_requested) as asked:
        next(b for b in view.findChildren(PushButton) if b.text() == "Compare").click()
    assert asked.args == [one.number, view.list.chosen]


def test_the_first_trace_has_an_order_but_no_neighbour(view):
    show(view, document(measurement(novelty(None, Basis.EMPTY_CACHE, reach=CUT))))
    assert view.findChild(OrderChart).isVisible()
    assert not view.findChild(AlikePart).isVisible() and view.findChild(UnseenPart).isVisible()


def test_the_parts_ask_and_can_be_stopped(view, qtbot):
    show(view, document(measurement(novelty(reach=CUT))))
    with qtbot.waitSignal(view.asked) as asked:
        user.press(view, "Rank Steps")
    assert asked.args == [Question.RANKING]
    with qtbot.waitSignal(view.stop_requested) as stopped:
        user.press(view, "Rank Steps, stop")
    assert stopped.args == [Question.RANKING]


def todays(view):
    return view.asked_for.count(Question.TODAY)


def test_today_is_asked_for_each_trace_while_it_is_looked_at(view):
    show(view, document())
    assert todays(view) == 0
    user.press(view, "Today")
    assert todays(view) == 1
    view.set_today(today(near("a", 0.5)))
    show(view, document(rules=Rules(threshold=0.5)))
    assert todays(view) == 2  # another measurement
    view.hide()
    show(view, document())
    assert todays(view) == 2
    view.show()
    assert todays(view) == 3
    view.refresh_today()
    assert todays(view) == 4
    user.press(view, "When Scored")
    view.refresh_today()
    assert todays(view) == 4


def test_other_rules_keep_what_was_answered(view):
    one = document(measurement(novelty(reach=CUT)))
    show(view, one)
    user.press(view, "Today")
    view.set_today(today(neighbour()))
    asked = list(view.asked_for)
    show(view, one.with_rules(Rules(threshold=0.5)))
    assert view.asked_for == asked
    assert table(view, NEAREST)[0][-1] == "0.5500, as it was"


def test_what_ended_early_can_be_asked_again(view):
    show(view, document(measurement(novelty(reach=CUT))))
    for question in Question:
        view.set_ended(question)
    view.set_alike(None)
    view.set_ended(Question.RANKING)
    view.set_mode(Mode.GUEST)
    assert user.is_seen(view, PushButton, "Rank Steps")


def test_two_columns_where_there_is_room(view, qtbot):
    show(view, document())
    order = view.findChild(OrderChart)

    def place():
        return order.mapTo(view, order.rect().topLeft())

    assert place().y() > view.list.geometry().bottom()
    view.resize(QSize(1400, 500))
    qtbot.waitUntil(lambda: place().y() < view.list.geometry().bottom())
    assert place().x() >= view.list.width()
    view.grab()
    view.resize(QSize(430, 500))
    qtbot.waitUntil(lambda: place().x() < view.list.width())


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
