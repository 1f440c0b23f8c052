"""Settings: shown, changed, refused where wrong, and handed over whole."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel

from kpinspector.settings import Settings, Theme
from kpinspector.ui.dialogs.settings_dialog import SettingsDialog, count_of, exact_number, number_of
from kpinspector.ui.look.theme import set_zoom
from tests.ui.reading import is_red
from tests.ui.windows import button

DAY = 86_400_000
OTHER = Settings(
    threshold=0.6,
    max_elements=50,
    ttl_ms=7 * DAY,
    guest=True,
    theme=Theme.DARK,
    restore_files=False,
    restore_window=False,
)


class Heard(SettingsDialog):
    """With what it gave."""

    given: list[Settings]


@pytest.fixture
def dialog(qtbot):
    return opened(qtbot, Settings())


def opened(qtbot, settings):
    dialog = Heard(settings)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.given = []
    dialog.settings_chosen.connect(dialog.given.append)
    with qtbot.waitExposed(dialog):
        dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    return dialog


def words(dialog):
    shown = (label for label in dialog.findChildren(QLabel) if label.isVisible())
    return [label.text() for label in shown]


def change_all(dialog):
    rows = dialog.rows
    rows["threshold"].field.setText("0.6")
    rows["max_elements"].field.setText("50")
    rows["ttl_ms"].box.setChecked(True)
    rows["ttl_ms"].field.setText("7")
    rows["guest"].first.setChecked(True)
    rows["theme"].first.setCurrentIndex(2)
    rows["restore_files"].first.setChecked(False)
    rows["restore_window"].first.setChecked(False)


def test_every_setting_has_a_row_with_its_default_and_a_sentence(dialog):
    assert set(dialog.rows) == {one.name for one in fields(Settings)} - {"version"}
    sentences = [text for text in words(dialog) if "Default" in text]
    assert len(sentences) == len(dialog.rows)
    assert any(text.endswith("Default 0.75.") for text in sentences)
    assert any(text.endswith("Default 1,000.") for text in sentences)


def test_all_that_is_chosen_is_handed_over_with_ok(dialog):
    change_all(dialog)
    button(dialog, "OK").click()
    assert dialog.given == [OTHER]
    assert not dialog.isVisible()


def test_apply_stays_open_and_has_nothing_more_to_apply(dialog):
    assert not button(dialog, "Apply").isEnabled()
    change_all(dialog)
    assert button(dialog, "Apply").isEnabled()
    button(dialog, "Apply").click()
    assert dialog.given == [OTHER] and dialog.isVisible()
    assert not button(dialog, "Apply").isEnabled()
    button(dialog, "OK").click()
    assert dialog.given == [OTHER]


@pytest.mark.parametrize("leave", ["escape", "cancel"])
def test_nothing_is_taken_otherwise(dialog, qtbot, leave):
    change_all(dialog)
    if leave == "escape":
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    else:
        button(dialog, "Cancel").click()
    assert dialog.given == [] and not dialog.isVisible()


def test_reset_shows_the_defaults_and_takes_them_only_with_ok(qtbot):
    dialog = opened(qtbot, OTHER)
    button(dialog, "Reset to Defaults").click()
    assert dialog.given == []
    button(dialog, "OK").click()
    assert dialog.given == [Settings()]


@pytest.mark.parametrize(
    ("name", "text", "hint"),
    [
        ("threshold", "1.2", "From 0 to 1; kept at 0.75"),
        ("threshold", "", "From 0 to 1; kept at 0.75"),
        ("threshold", "nan", "From 0 to 1; kept at 0.75"),
        ("threshold", "-0.1", "From 0 to 1; kept at 0.75"),
        ("max_elements", "0", "From 1 to 1,000,000; kept at 1,000"),
        ("max_elements", "1000001", "From 1 to 1,000,000; kept at 1,000"),
        ("max_elements", "1.5", "From 1 to 1,000,000; kept at 1,000"),
        ("ttl_ms", "0", "A number of days above 0; kept off"),
        ("ttl_ms", "9e99", "A number of days above 0; kept off"),
    ],
)
def test_wrong_input_is_marked_kept_as_typed_and_not_taken(dialog, name, text, hint):
    row = dialog.rows[name]
    if name == "ttl_ms":
        row.box.setChecked(True)
    row.field.setText(text)
    assert hint in words(dialog)
    assert is_red(row.field)
    dialog.rows["guest"].first.setFocus()
    button(dialog, "OK").click()
    assert dialog.given == [] and dialog.isVisible()
    assert row.field.hasFocus()
    assert row.field.text() == text
    if name == "ttl_ms":
        row.box.setChecked(False)
    else:
        row.field.setText("1")
    assert hint not in words(dialog)
    assert not is_red(row.field)


def test_digits_that_are_not_shown_are_kept(qtbot):
    odd = Settings(threshold=0.1 + 0.2, ttl_ms=2**53 - 2)
    dialog = opened(qtbot, odd)
    dialog.rows["guest"].first.setChecked(True)
    button(dialog, "OK").click()
    assert dialog.given == [replace(odd, guest=True)]


def test_a_decimal_comma_and_thousands_are_understood(dialog):
    dialog.rows["threshold"].field.setText("0,5")
    dialog.rows["max_elements"].field.setText("12 500")
    button(dialog, "Apply").click()
    assert dialog.given == [Settings(threshold=0.5, max_elements=12_500)]


def test_settings_from_elsewhere_come_in_but_not_over_what_was_typed(dialog):
    dialog.rows["threshold"].field.setText("0.5")
    dialog.rows["max_elements"].field.setText("wrong")
    dialog.set_settings(Settings(theme=Theme.DARK, threshold=0.9, max_elements=7))
    assert dialog.rows["theme"].read() is Theme.DARK
    assert dialog.rows["threshold"].field.text() == "0.5"
    assert dialog.rows["max_elements"].field.text() == "wrong"
    dialog.rows["max_elements"].field.setText("8")
    button(dialog, "OK").click()
    assert dialog.given == [Settings(theme=Theme.DARK, threshold=0.5, max_elements=8)]


@pytest.mark.parametrize("percent", [100, 200])
def test_the_keys_begin_in_the_first_field_however_large_it_is_written(qtbot, qapp, percent):
    set_zoom(qapp, percent)
    dialog = opened(qtbot, Settings())
    assert dialog.rows["threshold"].field.hasFocus()
    set_zoom(qapp, 100)


def test_assistive_technology_has_names_roles_and_reasons(dialog):
    roles = {
        "threshold": QAccessible.Role.EditableText,
        "max_elements": QAccessible.Role.EditableText,
        "ttl_ms": QAccessible.Role.CheckBox,
        "guest": QAccessible.Role.CheckBox,
        "theme": QAccessible.Role.ComboBox,
        "restore_files": QAccessible.Role.CheckBox,
        "restore_window": QAccessible.Role.CheckBox,
    }
    text = QAccessible.Text
    for name, role in roles.items():
        found = QAccessible.queryAccessibleInterface(dialog.rows[name].first)
        assert found.role() == role, name
        assert found.text(text.Name) and "Default" in found.text(text.Description)
    dialog.rows["threshold"].field.setText("2")
    edit = QAccessible.queryAccessibleInterface(dialog.rows["threshold"].field)
    assert edit.text(text.Name) == "Threshold"
    assert edit.text(text.Description) == "From 0 to 1; kept at 0.75"


@given(st.floats(min_value=0, max_value=1))
def test_a_number_is_read_as_it_is_written(number):
    assert number_of(exact_number(number)) == number


@pytest.mark.slow
@given(st.text(max_size=12))
def test_any_text_is_a_number_or_none(text):
    number, count = number_of(text), count_of(text)
    assert number is None or isinstance(number, float)
    assert count is None or count >= 0
