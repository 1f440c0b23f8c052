"""The list of keys says what the actions have, and no more."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QKeySequence
from PySide6.QtWidgets import QMainWindow

from kpinspector.ui.actions import make_actions
from kpinspector.ui.actions.table import Command
from kpinspector.ui.dialogs.help import KeysDialog, shortcuts, shown_keys
from kpinspector.ui.tables.figure_table import FigureTable
from tests.ui.windows import exposed


@pytest.fixture
def actions(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    yield make_actions(window)
    window.close()


@pytest.fixture
def dialog(qtbot, actions):
    dialog = KeysDialog(actions)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    return exposed(qtbot, dialog)


def test_every_action_with_a_key_is_listed_once(actions):
    listed = [row for _menu, rows in shortcuts(actions) for row in rows]
    with_keys = [one for one in actions.values() if not one.shortcut().isEmpty()]
    assert len(listed) == len(with_keys) == len({words for words, _keys in listed})
    every = {words: keys.split(", ") for words, keys in listed}
    # the platform may know more of them
    assert "F3" in every["Find Next"]
    assert "Ctrl+C" in every["Copy Step as Text"]
    assert ("Keyboard Shortcuts", "Ctrl+F1") in listed


def test_it_follows_the_actions_and_not_a_list_of_its_own(actions):
    actions[Command.FILTER].setShortcut(QKeySequence("F7"))
    actions[Command.FIND].setShortcuts([])
    listed = dict(row for _menu, rows in shortcuts(actions) for row in rows)
    assert listed["Filter Traces"] == "F7"
    assert "Find in Steps" not in listed


def test_keys_that_few_keyboards_have_are_left_out():
    assert shown_keys([QKeySequence(text) for text in ("Ctrl+O", "Open")]) == "Ctrl+O"
    rare = ("Paste", "Exit", "Undo", "F14", "Refresh", "Back", "Ctrl+F20")
    assert shown_keys([QKeySequence(text) for text in rare]) == ""
    usual = ("F12", "Del", "Alt+Up", "Shift+F6", "Ctrl+.", "Esc")
    assert all(shown_keys([QKeySequence(text)]) == text for text in usual)


def test_the_tables_can_be_read_and_escape_closes(dialog, actions, qtbot):
    tables = dialog.findChildren(FigureTable)
    assert [table.accessibleName() for table in tables] == [
        f"{menu}: keys" for menu, _rows in shortcuts(actions)
    ]
    found = QAccessible.queryAccessibleInterface(tables[0])
    assert found.role() == QAccessible.Role.Table
    assert tables[0].figures.index(0, 0).data() == "Open"
    assert not dialog.isModal()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
