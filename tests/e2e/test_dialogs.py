"""Settings, memory, keys and versions, as a user comes to them from the window."""

import json

from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton

from kpinspector.kept import from_json
from kpinspector.settings import Settings
from kpinspector.ui.actions.actions import Command, is_connected
from kpinspector.ui.dialogs.about_dialog import AboutDialog
from kpinspector.ui.dialogs.dialogs import KeysDialog
from kpinspector.ui.dialogs.memory_dialog import MemoryDialog
from kpinspector.ui.dialogs.settings_dialog import SettingsDialog
from kpinspector.ui.parts.section_dialog import SIDE
from tests.e2e.driving import trigger
from tests.fakes import make_raw


def press(dialog, text):
    found = dialog.findChildren(QPushButton)
    next(one for one in found if one.text().replace("&", "") == text).click()


def scored(window, number):
    documents = window._session.documents
    return len(documents) == number and all(one.measured for one in documents)


def save(tmp_path, *raws):
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps(raw) for raw in raws), encoding="utf-8")
    return path


def three():
    return [make_raw(id=str(n), task={"objective": f"objective {n}"}) for n in range(3)]


def test_settings_apply_at_once_and_are_kept(journey, tmp_path, data_dir):
    def script(window):
        yield lambda: scored(window, 3)
        trigger(window, Command.SETTINGS)
        dialog = window.findChild(SettingsDialog)
        dialog.rows["threshold"].field.set_text("0.1")
        dialog.rows["theme"].combo.setCurrentIndex(2)
        press(dialog, "Apply")
        assert window._session.store.rules.threshold == 0.1
        assert window._actions[Command.THEME_DARK].isChecked()
        trigger(window, Command.THEME_LIGHT)
        assert dialog.rows["theme"].value == "light"
        press(dialog, "Reset to Defaults")
        dialog.rows["guest"].box.setChecked(True)
        press(dialog, "OK")
        yield lambda: window._session.remembered.state.mode == "guest"

    assert journey([save(tmp_path, *three())], script) == 0
    saved = from_json(Settings, (data_dir / "settings.json").read_bytes())
    assert saved == Settings(guest=True)


def test_entries_are_forgotten_one_by_one_and_all_at_once(journey, tmp_path):
    def script(window):
        yield lambda: scored(window, 3)
        trigger(window, Command.MANAGE_MEMORY)
        dialog = window.findChild(MemoryDialog)
        yield lambda: dialog.model.rowCount() == 3
        assert not dialog.isModal()
        dialog.search.set_text("objective 1")
        assert dialog.model.rowCount() == 1
        flags = QItemSelectionModel.SelectionFlag
        dialog.table.selectionModel().select(dialog.model.index(0, 0), flags.Select | flags.Rows)
        press(dialog, "Forget Selected")
        yield lambda: window._session.remembered.state.remembered == 2
        dialog.search.set_text("")
        yield lambda: dialog.model.rowCount() == 2
        press(dialog, "Clear…")
        box = dialog.findChild(QMessageBox)
        assert box.isModal()
        yield lambda: box.findChild(QLabel, "qt_msgbox_label").x() <= SIDE + 8
        press(box, "Cancel")
        assert window._session.remembered.state.remembered == 2
        press(dialog, "Clear…")
        press(dialog.findChildren(QMessageBox)[-1], "Clear Memory")
        yield lambda: dialog.model.rowCount() == 0
        assert window._session.remembered.state.remembered == 0

    assert journey([save(tmp_path, *three())], script) == 0


def test_one_dialog_of_each_kind_and_none_holds_up_the_window(journey, tmp_path):
    def script(window):
        for command, kind in (
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
        yield lambda: bool(window._session.documents)
        for kind in (KeysDialog, AboutDialog, SettingsDialog, MemoryDialog):
            window.findChild(kind).close()
        yield lambda: not window.findChildren(SettingsDialog)
        trigger(window, Command.SETTINGS)
        assert window.findChild(SettingsDialog).isVisible()

    assert journey([], script) == 0


def test_every_action_does_something(journey, tmp_path):
    def script(window):
        yield lambda: scored(window, 3)
        actions = window._actions
        assert actions[Command.RELOAD].isEnabled() and actions[Command.REMOVE].isEnabled()
        dead = [one for one, action in actions.items() if not is_connected(action)]
        assert [one for one in dead if actions[one].menu() is None] == []

    assert journey([save(tmp_path, *three())], script) == 0


def test_without_a_trace_nothing_that_needs_one_is_enabled(journey):
    def script(window):
        yield lambda: window._session.remembered.state is not None
        enabled = {one for one, action in window._actions.items() if action.isEnabled()}
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
            Command.KEYS,
            Command.ABOUT,
        }

    assert journey([], script) == 0


def test_delete_in_the_list_takes_the_row_off_and_in_the_filter_a_letter(journey, tmp_path, qtbot):
    def script(window):
        yield lambda: scored(window, 3)
        yield window.isActiveWindow
        window._actions[Command.FILTER].trigger()
        field = window.focusWidget()
        qtbot.keyClicks(field, "a")
        qtbot.keySequence(field, "Home")
        qtbot.keySequence(field, "Del")
        assert field.text() == "" and len(window._session.documents) == 3
        window._traces.table.setFocus()
        qtbot.keySequence(window._traces.table, "Del")
        yield lambda: len(window._session.documents) == 2

    assert journey([save(tmp_path, *three())], script) == 0
