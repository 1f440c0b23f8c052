"""The tool bar, and the actions behind it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from kpinspector.app.document import Rules
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.ui.actions.actions import make_actions
from kpinspector.ui.controls.fields import ComboBox, ShareField
from kpinspector.ui.window.tool_bar import ToolBar
from tests.known import present


@pytest.fixture
def window(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    return window


def test_a_threshold_with_many_digits_is_shown_short_and_kept(window, qtbot):
    bar = ToolBar(make_actions(window), window)
    given = []
    bar.rules_chosen.connect(given.append)
    bar.set_rules(Rules(threshold=0.123456789))
    qtbot.keyClick(bar.findChild(ComboBox), Qt.Key.Key_Down)
    assert given == [Rules(PROFILES[0], 0.123456789)]
    assert present(bar.findChild(ShareField)).text() == "0.1235"
