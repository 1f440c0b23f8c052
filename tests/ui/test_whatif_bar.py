"""The bar that says that what is shown is not what the file holds."""

import pytest

from kpinspector.ui.controls.base import FlatButton
from kpinspector.ui.steps.step_pane import WhatIfBar


@pytest.fixture
def bar(qtbot):
    made = WhatIfBar()
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(("number", "words"), [(1, "1 change"), (1200, "1,200 changes")])
def test_it_counts_the_changes(bar, number, words):
    bar.set_changes(number)
    assert bar.isVisible()
    assert bar.accessibleDescription() == f"What-if is on: {words}. The file is not touched."


def test_it_goes_and_comes_back(bar):
    bar.set_changes(1)
    bar.set_changes(0)
    assert not bar.isVisible()
    bar.set_changes(1)
    assert bar.isVisible() and "1 change" in bar.accessibleDescription()


def test_it_can_be_turned_off(bar, qtbot):
    bar.set_changes(1)
    off = next(one for one in bar.findChildren(FlatButton) if one.text() == "Turn Off")
    with qtbot.waitSignal(bar.off.clicked):
        off.click()
