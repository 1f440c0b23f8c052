"""Actions, tool bar and status bar."""

from collections import Counter
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from kpinspector.app.document import Rules
from kpinspector.app.drops import Progress
from kpinspector.app.workshop import MemoryState
from kpinspector.errors import ModelError
from kpinspector.scoring.mode import Mode
from kpinspector.scoring.profiles import PROFILES
from kpinspector.ui.actions import Command, make_actions
from kpinspector.ui.controls import Label
from kpinspector.ui.controls_fields import ComboBox, NumberField
from kpinspector.ui.status_bar import StatusBar
from kpinspector.ui.tool_bar import ToolBar
from tests.answers import document, measurement, novelty, pending_document


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
    profile, threshold = bar.findChild(ComboBox), bar.findChild(NumberField)
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
    assert bar.findChild(NumberField).text() == "0.1235"


def texts(bar):
    return [label.text() for label in bar.findChildren(Label) if label.isVisibleTo(bar)]


def test_progress_has_real_counts_and_goes_away(qtbot):
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.set_progress(Progress(scored=211, to_score=1000))
    assert "Scoring 211 of 1,000" in texts(bar)
    bar.set_progress(Progress(listing=True, listed=1234))
    assert "Looking through folders: 1,234 files" in texts(bar)
    bar.set_progress(Progress(read=2, to_read=9))
    assert "Reading 2 of 9" in texts(bar)
    bar.set_progress(Progress())
    assert not any("of" in text for text in texts(bar))
    assert "No traces open" in texts(bar)


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        (Mode.REMEMBER, "1,412 remembered"),
        (Mode.GUEST, "guest: 1,412 remembered, nothing added"),
        (Mode.FRESH, "fresh: nothing remembered"),
    ],
)
def test_memory_and_mode_are_said(qtbot, mode, words):
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.set_memory(MemoryState(mode, 1412, "a" * 64, None, ()))
    assert words in texts(bar) and "all-MiniLM-L6-v2, 512 tokens" in texts(bar)


def test_a_missing_model_is_said(qtbot):
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.set_memory(MemoryState(Mode.REMEMBER, 0, None, ModelError("gone"), ()))
    assert "no embedding model: novelty is assumed 0.5" in texts(bar)


def test_how_long_it_took_or_since_when_it_is_remembered(qtbot):
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.set_document(pending_document())
    before = texts(bar)
    bar.set_document(replace_measured(document(), took_ms=41.6))
    assert set(texts(bar)) - set(before) == {"scored in 42 ms"}
    remembered = document(measurement(novelty(remembered=True)))
    bar.set_document(remembered)
    assert any(text.startswith("remembered since ") for text in texts(bar))
    bar.set_document(None)
    assert texts(bar) == before


def replace_measured(one, **changes):
    return replace(one, measured=replace(one.measured, **changes))
