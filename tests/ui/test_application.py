"""What the program does around its window: its first painting, and cycles that are collected."""

import gc
import sys
import weakref

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from kpinspector.app.values import Progress
from kpinspector.ui.application import SWITCH_SECONDS, FirstPaint, Interpreter
from tests.known import present

NO_WORK = Progress()
WORK = {"reading": Progress(to_read=1), "scoring": Progress(to_score=1)}


class Knot:
    def __init__(self):
        self.self = self


@pytest.fixture
def collection(qapp):
    gc.unfreeze()  # what other tests loaded
    gc.collect()
    before = sys.getswitchinterval()
    made = Interpreter()
    yield made
    made.stop()
    assert gc.isenabled() and gc.get_freeze_count() == 0
    assert sys.getswitchinterval() == before


def tied():
    return weakref.ref(Knot())


@pytest.mark.slow
def test_python_itself_collects_nothing_and_threads_hand_over_sooner(collection):
    assert not gc.isenabled()
    assert sys.getswitchinterval() == pytest.approx(SWITCH_SECONDS)


def test_cycles_go_with_the_next_round(collection):
    knot = tied()
    assert knot() is not None
    collection.collect()
    assert knot() is None


@pytest.mark.slow
def test_an_older_cycle_goes_with_a_later_round(collection):
    old = Knot()
    gc.collect()
    knot = weakref.ref(old)
    del old
    for _ in range(5):
        collection.collect()
    assert knot() is None


@pytest.mark.parametrize("work", ["reading", "scoring"])
def test_what_work_gave_is_passed_over_and_goes_without_being_looked_for(collection, work):
    collection.follow(WORK[work])
    made = [[[number]] for number in range(1000)]
    assert gc.get_freeze_count() == 0
    collection.follow(NO_WORK)
    frozen = gc.get_freeze_count()
    assert frozen >= 1000
    made.clear()
    assert gc.get_freeze_count() <= frozen - 1000


def test_nothing_is_collected_while_something_is_read(collection):
    knot = tied()
    collection.follow(Progress(to_read=1, to_score=1))
    for _ in range(5):
        collection.collect()
    assert knot() is not None


@pytest.mark.slow
def test_only_what_is_young_is_collected_while_something_is_scored(collection):
    old = Knot()
    gc.collect()
    older = weakref.ref(old)
    del old
    collection.follow(WORK["scoring"])
    young = tied()
    for _ in range(5):
        collection.collect()
    assert young() is None and older() is not None


def test_the_same_news_twice_changes_nothing(collection):
    for _ in range(2):
        collection.follow(NO_WORK)
    assert gc.get_freeze_count() == 0


class Window(QWidget):
    def __init__(self):
        super().__init__()
        self.painted = 0

    def paintEvent(self, event):  # noqa: N802
        self.painted += 1


def test_it_comes_once_and_after_the_first_painting(qtbot):
    window = Window()
    qtbot.addWidget(window)
    painted = []
    first = FirstPaint(window)
    first.came.connect(lambda: painted.append(window.painted))
    with qtbot.waitSignal(first.came, timeout=400):  # sooner than without any painting
        window.show()
    window.repaint()
    # a window manager may ask for more than one painting before that
    assert len(painted) == 1 and 1 <= painted[0] < window.painted
    assert not present(first.findChild(QTimer)).isActive()
