"""The table of actions: words, keys as elsewhere, nothing dead; and the tool bar."""

from collections import Counter
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMainWindow, QPlainTextEdit, QTableWidget, QVBoxLayout, QWidget

from kpinspector.app.document import Rules
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.ui import actions as module
from kpinspector.ui.actions import enable, entries, keys_of, make_actions
from kpinspector.ui.actions.table import TRACE_MENU, Command, menus
from kpinspector.ui.controls.fields import ComboBox, ShareField, TextField
from kpinspector.ui.window.frame import ToolBar
from tests.known import present

KEY = QKeySequence.StandardKey
MEANINGS = {
    Command.OPEN: KEY.Open,
    Command.PASTE: KEY.Paste,
    Command.RELOAD: KEY.Refresh,
    Command.QUIT: KEY.Quit,
    Command.UNDO: KEY.Undo,
    Command.REDO: KEY.Redo,
    Command.COPY_TEXT: KEY.Copy,
    Command.REMOVE: KEY.Delete,
    Command.FIND: KEY.Find,
    Command.FIND_NEXT: KEY.FindNext,
    Command.FIND_PREVIOUS: KEY.FindPrevious,
    Command.SETTINGS: KEY.Preferences,
    Command.STOP: KEY.Cancel,
    Command.CLOSE_COMPARISON: KEY.Cancel,
    Command.HELP: KEY.HelpContents,
    Command.ZOOM_IN: KEY.ZoomIn,
    Command.ZOOM_OUT: KEY.ZoomOut,
    Command.NEXT_TAB: KEY.NextChild,
    Command.PREVIOUS_TAB: KEY.PreviousChild,
}
# where a platform adds keys to those that all have
PLATFORMS = {
    "x11": {
        KEY.MoveToEndOfLine: ["Ctrl+E"],
        KEY.Delete: ["Del", "Ctrl+D"],
        KEY.DeleteEndOfLine: ["Ctrl+K"],
        KEY.DeleteCompleteLine: ["Ctrl+U"],
        KEY.Quit: ["Ctrl+Q"],
        KEY.Deselect: ["Ctrl+Shift+A"],
    },
    "gnome": {
        KEY.Refresh: ["Ctrl+R", "F5"],
        KEY.FindNext: ["Ctrl+G", "F3"],
        KEY.FullScreen: ["Ctrl+F11"],
        KEY.SaveAs: ["Ctrl+Shift+S"],
    },
    "kde": {
        KEY.NextChild: ["Ctrl+Tab", "Ctrl+,"],
        KEY.PreviousChild: ["Ctrl+Shift+Backtab", "Ctrl+."],
        KEY.Replace: ["Ctrl+R"],
        KEY.AddTab: ["Ctrl+Shift+N", "Ctrl+T"],
        KEY.FullScreen: ["Ctrl+Shift+F"],
    },
    "mac": {
        KEY.HelpContents: ["Ctrl+?"],
        KEY.Preferences: ["Ctrl+,"],
        KEY.Cancel: ["Esc", "Ctrl+."],
        KEY.Refresh: ["Ctrl+R"],
        KEY.FindNext: ["Ctrl+G"],
        KEY.FindPrevious: ["Ctrl+Shift+G"],
        KEY.MoveToStartOfBlock: ["Alt+Up"],
        KEY.MoveToEndOfBlock: ["Alt+Down"],
        KEY.Redo: ["Ctrl+Shift+Z"],
    },
}


@pytest.fixture(params=["here", *PLATFORMS])
def platform(request, monkeypatch, qapp):
    """The running platform, and the others as far as they differ."""
    added = PLATFORMS.get(request.param, {})
    bindings = QKeySequence.keyBindings

    class Keys(QKeySequence):
        @staticmethod
        def keyBindings(key):  # noqa: N802 - Qt's name
            return [QKeySequence(text) for text in added[key]] if key in added else bindings(key)

    monkeypatch.setattr(module, "QKeySequence", Keys)
    module.standard_meanings.cache_clear()
    yield request.param
    module.standard_meanings.cache_clear()


@pytest.fixture
def window(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def shown(window, qtbot):
    """A window with every action connected, and the widgets that keys might be taken from."""
    parts = SimpleNamespace(window=window, actions=make_actions(window), heard=[])
    for command, action in parts.actions.items():
        action.triggered.connect(lambda _=False, command=command: parts.heard.append(command))
    enable(parts.actions, dict.fromkeys(parts.actions, True))
    parts.text, parts.number = TextField("Filter"), ShareField("Threshold")
    parts.reader, parts.list = QPlainTextEdit("some words"), QTableWidget(2, 1)
    parts.reader.setReadOnly(True)
    parts.list.addAction(parts.actions[Command.REMOVE])
    centre = QWidget()
    column = QVBoxLayout(centre)
    for widget in (parts.text, parts.number, parts.reader, parts.list):
        column.addWidget(widget)
    window.setCentralWidget(centre)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)

    def press(widget, sequence):
        widget.setFocus()
        assert window.focusWidget() is not None
        parts.heard.clear()
        qtbot.keySequence(window.focusWidget(), sequence)
        return list(parts.heard)

    parts.press = press
    return parts


def test_a_standard_key_is_used_for_its_standard_meaning_only(platform):
    for _menu, entry in entries():
        for key in keys_of(entry):
            foreign = module.standard_meanings().get(key.toString(), set()) - {
                MEANINGS.get(entry.command)
            }
            assert not foreign, f"{entry.command}: {key.toString()} is {foreign}"
        if entry.keys.standard is not None:
            assert entry.keys.standard is MEANINGS[entry.command]


def test_no_key_stands_twice(platform):
    keys = [key.toString() for _menu, entry in entries() for key in keys_of(entry)]
    assert [key for key, number in Counter(keys).items() if number > 1] == []


def test_whatever_has_a_key_anywhere_has_one_on_every_platform(platform):
    for _menu, entry in entries():
        assert bool(keys_of(entry)) == bool(entry.keys.standard is not None or entry.keys.own), (
            entry.command
        )


def test_keys_that_were_promised(window):
    keys = {command: action.shortcuts() for command, action in make_actions(window).items()}
    for command, key in {
        Command.PREVIOUS: "Alt+Up",
        Command.NEXT: "Alt+Down",
        Command.FIND_NEXT: "F3",
        Command.FIND_PREVIOUS: "Shift+F3",
        Command.HELP: "F1",
        Command.KEYS: "Ctrl+F1",
        Command.REMOVE: "Del",
        Command.ZOOM_IN: "Ctrl+=",
        Command.ACTUAL_SIZE: "Ctrl+0",
        Command.NEXT_TAB: "Ctrl+Tab",
        Command.WHY: "Alt+1",
        Command.WHAT_IF: "Alt+2",
        Command.NEIGHBOURS: "Alt+3",
    }.items():
        assert QKeySequence(key) in keys[command]


def test_words_are_in_title_case_with_one_mnemonic_each_in_a_menu():
    small = {"and", "as", "in", "from", "on", "the", "to", "this", "with", "kpinspector"}
    for menu in menus():
        texts = [line.text for line in menu.lines if line is not None]
        for text in texts:
            words = text.replace("&", "").split()
            assert all(word[0].isupper() or word in small for word in words), text
        letters = [text[text.index("&") + 1].lower() for text in texts]
        assert [one for one, number in Counter(letters).items() if number > 1] == [], menu.name


def test_the_menu_of_a_trace_has_no_letter_twice_and_nothing_of_its_own():
    texts = {entry.command: entry.text for _menu, entry in entries()}
    found = [texts[command] for command in TRACE_MENU if command is not None]
    letters = Counter(text[text.index("&") + 1].lower() for text in found)
    assert [one for one, number in letters.items() if number > 1] == []


def test_every_action_says_what_it_does(window):
    for command, action in make_actions(window).items():
        assert action.toolTip() and action.text() and action.objectName() == command


def test_the_menu_of_the_application_on_macos_has_its_three(window):
    roles = {one: action.menuRole() for one, action in make_actions(window).items()}
    role = QAction.MenuRole
    assert roles.pop(Command.SETTINGS) is role.PreferencesRole
    assert roles.pop(Command.ABOUT) is role.AboutRole
    assert roles.pop(Command.QUIT) is role.QuitRole
    assert set(roles.values()) == {role.NoRole}


@pytest.mark.parametrize("place", ["text", "number", "reader", "list"])
def test_the_next_and_the_previous_trace_from_everywhere(shown, place):
    widget = getattr(shown, place)
    assert shown.press(widget, "Alt+Down") == [Command.NEXT]
    assert shown.press(widget, "Alt+Up") == [Command.PREVIOUS]


def test_delete_removes_from_the_list_and_deletes_in_fields(shown):
    assert shown.press(shown.list, "Del") == [Command.REMOVE]
    shown.text.setText("ab")
    shown.text.setCursorPosition(0)
    assert shown.press(shown.text, "Del") == []
    assert shown.text.text() == "b"
    shown.number.setValue(1.5)
    assert shown.press(shown.number, "Del") == []
    assert shown.press(shown.reader, "Del") == []


def test_paste_goes_into_fields_and_else_opens(shown):
    QGuiApplication.clipboard().setText("0.5")
    shown.number.clear()
    for widget in (shown.text, shown.number):
        assert shown.press(widget, "Ctrl+V") == []
    assert shown.text.text() == "0.5"
    assert shown.number.text() == "0.5"
    for widget in (shown.list, shown.reader):
        assert shown.press(widget, "Ctrl+V") == [Command.PASTE]


def test_a_threshold_with_many_digits_is_shown_short_and_kept(window, qtbot):
    bar = ToolBar(make_actions(window), window)
    given = []
    bar.rules_chosen.connect(given.append)
    bar.set_rules(Rules(threshold=0.123456789))
    qtbot.keyClick(bar.findChild(ComboBox), Qt.Key.Key_Down)
    assert given == [Rules(PROFILES[0], 0.123456789)]
    assert present(bar.findChild(ShareField)).text() == "0.1235"
