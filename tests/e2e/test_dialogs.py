"""Settings, memory, keys and versions, as a user comes to them from the window."""

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QMenu, QTableView, QToolButton

from kpinspector.settings import Settings, from_json
from kpinspector.ui.actions.table import Command
from kpinspector.ui.dialogs.help import AboutDialog, HelpWindow, KeysDialog
from kpinspector.ui.dialogs.memory_dialog import MemoryDialog
from kpinspector.ui.dialogs.settings_dialog import SettingsDialog
from kpinspector.ui.parts.sections import PADDING
from tests import user
from tests.fakes import make_raw, save
from tests.user import reads, trigger


def entries(dialog):
    return user.table(dialog, "Remembered traces")


def scored(window, number):
    return user.row_count(window) == number and user.all_scored(window)


def three(folder):
    raws = (make_raw(id=str(n), task={"objective": f"objective {n}"}) for n in range(3))
    return save(folder / "a.jsonl", *raws)


def test_settings_apply_at_once_and_are_kept(tmp_path, data_dir):
    window = yield user.Main(three(tmp_path))
    yield lambda: scored(window, 3)
    trigger(window, Command.SETTINGS)
    dialog = user.dialog(window, "Settings")
    user.write(user.find(dialog, QLineEdit, "Threshold"), "0.1")
    user.choose_in(dialog, "Theme", "Dark")
    user.press(dialog, "Apply")
    assert user.number_in(window, "Threshold") == 0.1
    assert user.action(window, Command.THEME_DARK).isChecked()
    trigger(window, Command.THEME_LIGHT)
    assert user.find(dialog, QComboBox, "Theme").currentText() == "Light"
    user.press(dialog, "Reset to Defaults")
    user.press(dialog, "Add nothing to the memory")
    user.press(dialog, "OK")
    yield reads(window, "guest: 3 remembered, nothing added")
    yield user.CLOSED
    saved = from_json(Settings, (data_dir / "settings.json").read_bytes())
    assert saved == Settings(guest=True)


def test_entries_are_forgotten_one_by_one_and_all_at_once(tmp_path):
    window = yield user.Main(three(tmp_path))
    yield lambda: scored(window, 3)
    trigger(window, Command.MANAGE_MEMORY)
    dialog = user.dialog(window, "Memory")
    yield lambda: len(entries(dialog)) == 3
    assert not dialog.isModal()
    search = user.find(dialog, QLineEdit, "Search objectives, sources and ids")
    user.write(search, "objective 1")
    assert len(entries(dialog)) == 1
    table = user.find(dialog, QTableView, "Remembered traces")
    place = table.visualRect(table.model().index(0, 0)).center()
    QTest.mouseClick(table.viewport(), user.LEFT, pos=place)
    user.press(dialog, "Forget Selected")
    yield reads(window, "2 remembered")
    search.clear()
    yield lambda: len(entries(dialog)) == 2
    user.press(dialog, "Clear\N{HORIZONTAL ELLIPSIS}")
    box = user.dialog(dialog, "Clear Memory")
    assert box.isModal()
    yield lambda: box.findChild(QLabel, "qt_msgbox_label").x() <= PADDING + 8
    user.press(box, "Cancel")
    assert reads(window, "2 remembered")()
    user.press(dialog, "Clear\N{HORIZONTAL ELLIPSIS}")
    user.press(user.dialog(dialog, "Clear Memory"), "Clear Memory")
    yield lambda: entries(dialog) == []
    yield reads(window, "0 remembered")


def nothing_that_needs_a_trace_is_enabled(window):
    yield reads(window, "0 remembered")
    enabled = {one for one in Command if user.action(window, one).isEnabled()}
    assert enabled == {
        Command.OPEN,
        Command.OPEN_FOLDER,
        Command.OPEN_SAMPLES,
        Command.PASTE,
        Command.QUIT,
        Command.SETTINGS,
        Command.THEME_SYSTEM,
        Command.THEME_LIGHT,
        Command.THEME_DARK,
        Command.ZOOM_IN,
        Command.ZOOM_OUT,
        Command.RESTORE_LAYOUT,
        Command.NEXT_PANE,
        Command.PREVIOUS_PANE,
        Command.MANAGE_MEMORY,
        Command.CLEAR_MEMORY,
        Command.HELP,
        Command.KEYS,
        Command.ABOUT,
    }


def test_one_dialog_of_each_kind_and_none_holds_up_the_window():
    window = yield user.Main()
    yield from nothing_that_needs_a_trace_is_enabled(window)
    for command, kind in (
        (Command.HELP, HelpWindow),
        (Command.KEYS, KeysDialog),
        (Command.ABOUT, AboutDialog),
        (Command.SETTINGS, SettingsDialog),
        (Command.MANAGE_MEMORY, MemoryDialog),
    ):
        trigger(window, command)
        trigger(window, command)
        (dialog,) = window.findChildren(kind)
        assert dialog.isVisible() and not dialog.isModal()
    trigger(window, Command.OPEN_SAMPLES)
    yield lambda: user.row_count(window) > 0
    for kind in (HelpWindow, KeysDialog, AboutDialog, SettingsDialog, MemoryDialog):
        window.findChild(kind).close()
    yield lambda: not window.findChildren(SettingsDialog)
    trigger(window, Command.SETTINGS)
    assert window.findChild(SettingsDialog).isVisible()


def test_every_action_does_something_and_delete_what_it_does_where_one_is(tmp_path, qtbot):
    window = yield user.Main(three(tmp_path))
    yield lambda: scored(window, 3)
    actions = {one: user.action(window, one) for one in Command}
    assert actions[Command.RELOAD].isEnabled() and actions[Command.REMOVE].isEnabled()
    # menus, tool buttons and a group listen as well, each once
    dead = [
        one
        for one, action in actions.items()
        if action.receivers("2triggered(bool)")
        <= sum(isinstance(shown, QMenu | QToolButton) for shown in action.associatedObjects())
        + (action.actionGroup() is not None)
    ]
    assert [one for one in dead if actions[one].menu() is None] == []
    yield window.isActiveWindow
    trigger(window, Command.FILTER)
    field = window.focusWidget()
    qtbot.keyClicks(field, "a")
    qtbot.keySequence(field, "Home")
    qtbot.keySequence(field, "Del")
    assert field.text() == "" and user.row_count(window) == 3
    user.trace_list(window).setFocus()
    qtbot.keySequence(user.trace_list(window), "Del")
    yield lambda: user.row_count(window) == 2
