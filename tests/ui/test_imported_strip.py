"""The strip of a recording folds itself where there is little height, and as the user wants it."""

import pytest
from PySide6.QtTest import QTest

from kpinspector.ui.steps.step_pane import STRIP_FOLDED_HEIGHT, STRIP_HEIGHT
from tests import undecided, user
from tests.ui.documents import recording
from tests.ui.step_panes import show, shown_pane

HIGH, LOW = 560, 300


@pytest.fixture
def pane(qtbot):
    made = shown_pane(qtbot)
    show(made, undecided.run_document())
    resize(made, HIGH)
    return made


def resize(pane, height):
    pane.resize(636, height)
    QTest.qWait(0)


def fold(pane):
    user.press(pane, "Fold or unfold what is said of the import")


def is_folded(pane):
    strip = pane.imported
    assert strip.height() == (STRIP_FOLDED_HEIGHT if strip.folded else STRIP_HEIGHT)
    assert user.is_seen(pane, type(strip.set_outcome), "Set Outcome…")
    return strip.folded


def test_a_file_that_only_a_machine_can_tell_is_told_by_its_project(pane):
    name = "0b1c2d3e-4f50-4617-8a9b-0c1d2e3f4051.jsonl"
    show(pane, recording(0, f"/home/me/.claude/projects/-home-me-pump/{name}"))
    assert pane.header.facts.text().startswith("pump ")


def test_little_height_folds_it_and_more_unfolds_it(pane):
    assert not is_folded(pane)
    resize(pane, LOW)
    assert is_folded(pane) and not pane.imported.kept_folded
    resize(pane, HIGH)
    assert not is_folded(pane)


def test_what_the_user_folded_stays_so_with_more_height(pane):
    fold(pane)
    assert is_folded(pane) and pane.imported.kept_folded
    for height in (LOW, HIGH):
        resize(pane, height)
        assert is_folded(pane)
    fold(pane)
    assert not is_folded(pane) and not pane.imported.kept_folded


def test_what_the_user_unfolds_in_little_height_stays_so_until_there_is_more(pane):
    resize(pane, LOW)
    fold(pane)
    assert not is_folded(pane)
    resize(pane, LOW - 10)
    assert not is_folded(pane)
    resize(pane, HIGH)
    resize(pane, LOW)
    assert is_folded(pane)
