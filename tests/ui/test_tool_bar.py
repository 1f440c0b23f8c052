"""The tool bar, and the actions behind it."""

from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMainWindow

from kpinspector.app.document import Rules
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.ui.actions.actions import Command, make_actions
from kpinspector.ui.controls.fields import ComboBox, ShareField
from kpinspector.ui.look.theme import colours, set_palette
from kpinspector.ui.window.tool_bar import MenuBar, ToolBar
from tests.known import present


@pytest.fixture
def window(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    return window


def test_every_command_has_one_action_and_no_key_stands_twice(window):
    actions = make_actions(window)
    assert set(actions) == set(Command)
    keys = [key.toString() for action in actions.values() for key in action.shortcuts()]
    assert [key for key, number in Counter(keys).items() if number > 1] == []
    assert all(action.toolTip() for action in actions.values())


def test_choosing_a_profile_or_a_threshold_gives_rules(window, qtbot):
    bar = ToolBar(make_actions(window), window)
    given = []
    bar.rules_chosen.connect(given.append)
    profile, threshold = present(bar.findChild(ComboBox)), present(bar.findChild(ShareField))
    profile.setFocus()
    qtbot.keyClick(profile, Qt.Key.Key_Down)
    assert given[-1].profile is PROFILES[0]
    threshold.setValue(0.8)
    assert given[-1].threshold == 0.8


def test_a_threshold_with_many_digits_is_shown_short_and_kept(window, qtbot):
    bar = ToolBar(make_actions(window), window)
    given = []
    bar.rules_chosen.connect(given.append)
    bar.set_rules(Rules(threshold=0.123456789))
    qtbot.keyClick(bar.findChild(ComboBox), Qt.Key.Key_Down)
    assert given == [Rules(PROFILES[0], 0.123456789)]
    assert present(bar.findChild(ShareField)).text() == "0.1235"


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0, 3.0])
def test_the_menu_bar_has_no_line_at_any_scale(qtbot, qapp, ratio):
    qapp.setStyle("Fusion")
    set_palette(qapp, dark=False)
    bar = MenuBar()
    qtbot.addWidget(bar)
    bar.addMenu("File")
    bar.resize(300, bar.sizeHint().height())
    image = QImage(bar.size() * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    bar.render(image)
    right = image.width() - 4
    column = {image.pixelColor(right, y).name() for y in range(image.height())}
    assert column == {colours(qapp.palette()).desk.name()}
