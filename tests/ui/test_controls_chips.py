"""Chips: one is chosen, by arrow keys as well, and says its word and count."""

import pytest
from PySide6.QtCore import Qt

from kpinspector.ui.parts.controls_chips import ChipBar, ChipSpec
from kpinspector.ui.parts.marks import Shape
from kpinspector.ui.theme import set_palette
from tests.ui.windows import heard, windows


@pytest.fixture(autouse=True)
def light(qapp):
    set_palette(qapp, dark=False)


@pytest.fixture
def window(qtbot):
    yield from windows(qtbot)


def test_chips_are_exclusive_and_arrow_keys_choose(window, qtbot):
    bar = ChipBar((ChipSpec("all", "All"), ChipSpec("rejected", "Rejected", Shape.REJECTED)))
    window(bar)
    bar.chip("all").setFocus(Qt.FocusReason.TabFocusReason)
    with qtbot.waitSignal(bar.chip_chosen) as blocker:
        qtbot.keyClick(bar.chip("all"), Qt.Key.Key_Right)
    assert blocker.args == ["rejected"]
    assert bar.chosen == "rejected"
    bar.choose("all")
    assert not bar.chip("rejected").isChecked()


def test_a_chip_with_a_shape_says_its_word_and_count(window):
    bar = ChipBar((ChipSpec("all", "All"), ChipSpec("rejected", "Rejected", Shape.REJECTED)))
    window(bar)
    before = bar.chip("rejected").sizeHint().width()
    bar.set_counts({"rejected": 1234})
    assert heard(bar.chip("rejected"))[1] == "Rejected, 1,234"
    assert "Rejected" in bar.chip("rejected").toolTip()
    assert heard(bar.chip("all"))[1] == "All"
    assert bar.chip("rejected").sizeHint().width() > before
