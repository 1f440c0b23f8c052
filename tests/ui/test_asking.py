"""A question that takes a while: button, progress and stop, one in the place of the other."""

import pytest
from PySide6.QtWidgets import QApplication, QProgressBar

from kpinspector.ui.controls.base import FlatButton, PushButton
from kpinspector.ui.look.theme import set_palette
from kpinspector.ui.neighbours.neighbour_parts import Asking
from tests.known import of


@pytest.fixture
def asking(qtbot):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    made = Asking("Rank Steps")
    qtbot.addWidget(made)
    made.resize(400, 60)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_it_offers_itself_with_a_sentence(asking, qtbot):
    asking.set_idle("Leaves out each step in turn.")
    button = asking.findChild(PushButton)
    assert button.isVisible() and not asking.findChild(QProgressBar).isVisible()
    with qtbot.waitSignal(asking.asked):
        button.click()


def test_progress_takes_the_buttons_place_and_can_be_stopped(asking, qtbot):
    asking.set_progress("3 of 12 steps", 3, 12)
    bar, stop = asking.findChild(QProgressBar), asking.findChild(FlatButton)
    assert not asking.findChild(PushButton).isVisible()
    assert (bar.value(), bar.maximum()) == (3, 12)
    assert bar.accessibleName() == "Rank Steps, progress"
    assert stop.accessibleName() == "Rank Steps, stop"
    assert bar.height() < 10
    with qtbot.waitSignal(asking.stop_requested):
        stop.click()
    asking.set_idle("")
    assert asking.findChild(PushButton).isVisible() and not stop.isVisible()


def test_what_is_not_counted_yet_has_an_empty_bar(asking):
    asking.set_progress("Waits for its turn", 0, 0)
    asking.grab()
    assert asking.findChild(QProgressBar).maximum() == 1


def test_the_keyboard_stays_where_it_was_used(asking, qtbot):
    asking.activateWindow()
    asking.findChild(PushButton).setFocus()
    asking.set_progress("1 of 2", 1, 2)
    assert asking.findChild(FlatButton).hasFocus()
    asking.set_idle("")
    assert asking.findChild(PushButton).hasFocus()
