"""Chips: one is chosen, by arrow keys as well, and says its word and count."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from kpinspector.app.document import State
from kpinspector.ui.controls.chips import ChipBar, ChipSpec
from kpinspector.ui.look.marks import Shape
from kpinspector.ui.look.theme import scale, set_palette
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


def test_chips_move_together_no_more_than_they_must(window):
    states = [State.ACCEPTED, State.REJECTED, State.PENDING, State.UNREADABLE]
    specs = (ChipSpec("all", "All"), *(ChipSpec(one, one, one) for one in states))
    bar = ChipBar(specs, moves_together=True)
    window(bar)
    bar.set_counts(dict(zip(states, (0, 40, 0, 0), strict=True)))
    usual = sum(chip.sizeHint().width() for chip in bar.chips) + 4 * 4
    for missing in (4, 12, 30):
        bar.setFixedWidth(usual - missing)
        QApplication.processEvents()
        left = usual - missing - bar.chips[-1].geometry().right()
        assert 0 < left < 30, missing


@pytest.mark.parametrize("width", [224, 328])
def test_no_count_is_cut_however_many_there_are(window, width):
    states = [State.ACCEPTED, State.REJECTED, State.PENDING, State.UNREADABLE]
    specs = (ChipSpec("all", "All"), *(ChipSpec(one, one, one) for one in states))
    bar = ChipBar(specs, moves_together=True)
    bar.setFixedWidth(scale(width, bar.fontMetrics()))
    window(bar)
    for counts in ((0, 10, 290, 0), (301, 300, 0, 3), (6123, 3877, 0, 12)):
        bar.set_counts(dict(zip(states, counts, strict=True)))
        QApplication.processEvents()
        for chip in bar.chips:
            assert chip.width() >= chip.sizeHint().width()
            assert bar.rect().contains(chip.geometry())
    bar.set_counts(dict.fromkeys(states, 1))
    QApplication.processEvents()
    assert bar.chips[1].geometry().left() - bar.chips[0].geometry().right() > 3
