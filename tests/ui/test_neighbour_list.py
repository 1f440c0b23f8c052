"""Then and today: what is said above the rows, and what the buttons ask for."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.novelty.neighbours import influences
from kpinspector.settings import Mode
from kpinspector.ui.controls.base import PushButton
from kpinspector.ui.look.theme import set_palette
from kpinspector.ui.neighbours.neighbour_list import NeighbourList
from kpinspector.ui.parts.sentence_label import SentenceLabel
from tests import user
from tests.answers import MEDICAL, measurement, novelty
from tests.known import of
from tests.nearest import measured, near, today
from tests.ui.reading import heads, table, view_of


@pytest.fixture
def shown(qtbot):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    made = NeighbourList()
    qtbot.addWidget(made)
    made.resize(430, 500)
    with qtbot.waitExposed(made):
        made.show()
    return made


def show_found(shown, found, threshold=0.75):
    judged = assess(found, MEDICAL, threshold)
    shown.set_measurement(found, judged, influences(found, MEDICAL, threshold))


def show(shown, *neighbours, **changes):
    found = measured(*neighbours, **changes)
    show_found(shown, found)
    return found


def button(shown, word):
    return next(one for one in shown.findChildren(PushButton) if one.text() == word)


def summary(shown):
    label = shown.findChild(SentenceLabel)
    return label.text() if label.isVisible() else ""


def head(shown):
    return heads(shown, NEAREST)[1]


NEAREST = "Nearest remembered traces"
TWO = (near("a", 0.55), near("b", 0.52))


def test_the_buttons_are_about_the_chosen_trace(shown, qtbot):
    show(shown, *TWO, compared_with=412)
    assert head(shown) == "of 412 compared"
    for word, signal in (("Compare", shown.compare_requested), ("Open", shown.open_requested)):
        with qtbot.waitSignal(signal) as asked:
            button(shown, word).click()
        assert asked.args == [TWO[0]]
    with qtbot.waitSignal(shown.try_novelty_requested) as tried:
        button(shown, "Leave Out in What-if").click()
    assert tried.args == [1 - 0.52]


def test_only_what_changes_the_score_can_be_left_out(shown):
    show(shown, *TWO)
    leave_out = button(shown, "Leave Out in What-if")
    assert leave_out.isEnabled()
    view_of(shown, NEAREST).setFocus()
    user.press_key(Qt.Key.Key_Down)
    assert shown.chosen == TWO[1] and not leave_out.isEnabled()
    show(shown, near("a", 0.5), near("b", 0.5))
    assert not leave_out.isEnabled()


def test_the_score_without_all_of_them_is_said(shown):
    show(shown, *TWO, compared_with=412)
    assert user.reads(shown, "Without all 2 the score would be at least 0.")()
    show(shown, *TWO)
    assert user.reads(shown, "Without all 2 the score would be 0.")()
    show(shown, TWO[0])
    assert not user.reads(shown, "Without all")()


def test_a_remembered_finding_says_since_when(shown):
    found = measured(*TWO, compared_with=412)
    known = replace(found, novelty=replace(found.novelty, remembered=True))
    show_found(shown, known)
    assert head(shown).startswith("of 412 compared on ") and "26" in head(shown)


def test_today_is_asked_for_once_it_is_looked_at(shown, qtbot):
    show(shown, *TWO)
    assert not shown.wants_today and not shown.shows_today
    with qtbot.waitSignal(shown.today_chosen):
        user.press(shown, "Today")
    assert shown.wants_today
    assert summary(shown) == "Comparing with what is remembered today."
    assert len(table(shown, NEAREST)) == 2
    shown.set_today(today(near("a", 0.55), near("c", 0.7)))
    assert not shown.wants_today
    assert summary(shown).startswith("Scored again now, it would have 0.7")
    assert head(shown) == "of 2 compared today"
    assert table(shown, NEAREST)[1][-1] == "0.7000, new since then"
    assert not button(shown, "Leave Out in What-if").isEnabled()
    assert not user.reads(shown, "Without all")()
    user.press(shown, "When Scored")
    assert summary(shown) == "" and head(shown) == "of 2 compared"


def test_another_measurement_knows_nothing_of_today(shown):
    user.press(shown, "Today")
    found = show(shown, *TWO)
    shown.set_today(today(near("c", 0.7)))
    show_found(shown, found, 0.5)
    assert not shown.wants_today
    show(shown, *TWO)
    assert shown.wants_today


@pytest.mark.parametrize(
    ("mode", "words"), [(Mode.GUEST, "As a guest"), (Mode.FRESH, "Fresh: "), (Mode.REMEMBER, "")]
)
def test_the_mode_is_said_with_todays(shown, mode, words):
    show(shown, *TWO)
    user.press(shown, "Today")
    shown.set_today(today(near("a", 0.55), near("b", 0.52)))
    shown.set_mode(mode)
    assert words in summary(shown)
    assert ("guest" in summary(shown) or "Fresh" in summary(shown)) is bool(words)


def test_the_first_trace_was_compared_with_nothing(shown):
    first = measurement(novelty(None, Basis.EMPTY_CACHE))
    show_found(shown, first)
    assert "the first" in summary(shown)
    assert not view_of(shown, NEAREST).isVisible() and not button(shown, "Compare").isVisible()
    user.press(shown, "Today")
    shown.set_today(today(near("c", 0.7)))
    assert view_of(shown, NEAREST).isVisible() and button(shown, "Compare").isVisible()
