"""Cycles are collected by the window's clock, and never while something is read."""

import gc
import sys
import weakref

import pytest

from kpinspector.ui.interpreter import SWITCH_SECONDS, Interpreter


class Knot:
    def __init__(self):
        self.self = self


@pytest.fixture
def collection(qapp):
    gc.collect()
    before = sys.getswitchinterval()
    made = Interpreter()
    yield made
    made.stop()
    assert gc.isenabled() and gc.get_freeze_count() == 0
    assert sys.getswitchinterval() == before


def tied():
    return weakref.ref(Knot())


def test_python_itself_collects_nothing_and_threads_hand_over_sooner(collection):
    assert not gc.isenabled()
    assert sys.getswitchinterval() == pytest.approx(SWITCH_SECONDS)


def test_cycles_go_with_the_next_round(collection):
    knot = tied()
    assert knot() is not None
    collection.collect()
    assert knot() is None


def test_an_older_cycle_goes_with_a_later_round(collection):
    old = Knot()
    gc.collect()
    knot = weakref.ref(old)
    del old
    for _ in range(5):
        collection.collect()
    assert knot() is None


def test_what_was_read_is_passed_over_and_goes_without_being_looked_for(collection):
    collection.set_reading(reading=True)
    assert not collection._timer.isActive()
    read = [[[number]] for number in range(1000)]
    collection.set_reading(reading=False)
    assert collection._timer.isActive() and gc.get_freeze_count() >= 1000
    frozen = gc.get_freeze_count()
    read.clear()
    assert gc.get_freeze_count() <= frozen - 1000


def test_the_same_news_twice_changes_nothing(collection):
    collection.set_reading(reading=False)
    assert gc.get_freeze_count() == 0 and collection._timer.isActive()
