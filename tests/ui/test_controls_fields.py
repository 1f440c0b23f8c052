"""Fields and choices: keys, edges, palette."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QComboBox

from kpinspector.ui.controls.base import FlatButton
from kpinspector.ui.controls.fields import ComboBox, NumberField, SearchField, TextField
from kpinspector.ui.look.theme import colours, set_palette
from tests.known import present
from tests.ui.windows import heard, windows


@pytest.fixture(autouse=True)
def light(qapp):
    set_palette(qapp, dark=False)


@pytest.fixture
def window(qtbot):
    yield from windows(qtbot)


def edge(widget):
    return widget.grab().toImage().pixelColor(widget.width() // 2, 1)


def test_a_search_field_clears_by_escape_and_by_its_button(window, qtbot):
    field = SearchField("Filter traces")
    window(field)
    field.setFocus()
    assert field.edit.hasFocus()
    with qtbot.waitSignal(field.text_changed):
        qtbot.keyClicks(field.edit, "v")
    clear = present(field.findChild(FlatButton))
    assert clear.isVisible()
    qtbot.keyClick(field.edit, Qt.Key.Key_Escape)
    assert field.text == ""
    assert not clear.isVisible()
    field.set_text("w")
    qtbot.mouseClick(clear, Qt.MouseButton.LeftButton)
    assert field.text == ""
    assert heard(clear)[1] == "Clear"


def test_a_field_shows_focus_and_fault_by_its_edge(window, qapp):
    field, other = TextField("Confidence"), TextField("Other")
    window(other, field)
    found = colours(qapp.palette())
    other.setFocus()
    assert edge(field) == found.sheet
    field.setFocus()
    assert edge(field) == found.accent
    field.set_wrong(wrong=True)
    assert edge(field) == found.rejected


def test_a_number_and_a_choice_have_the_same_edge(window, qapp, qtbot):
    number, combo = NumberField("Threshold"), ComboBox("Profile")
    combo.addItems(["default", "medical"])
    window(number, combo)
    accent = colours(qapp.palette()).accent
    number.setFocus()
    assert edge(number) == accent
    qtbot.keyClick(number, Qt.Key.Key_Up)
    assert number.value() == 1.0
    combo.setFocus()
    assert edge(combo) == accent
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert combo.currentText() == "medical"
    assert number.height() == combo.height()


def test_a_field_follows_the_palette(window, qapp, qtbot):
    field, number = TextField("Confidence"), NumberField("Threshold")
    window(field, number)
    set_palette(qapp, dark=True)
    try:
        dark = colours(qapp.palette())
        qtbot.waitUntil(lambda: colours(number.lineEdit().palette()).dark)
        for widget in (field, number):
            image = widget.grab().toImage()
            assert image.pixelColor(widget.width() // 2, widget.height() // 2) == dark.sheet
        assert field.edit.palette().text().color() == dark.text
    finally:
        set_palette(qapp, dark=False)


def test_the_list_of_a_choice_lies_on_a_sheet(window, qapp, qtbot, monkeypatch):
    monkeypatch.setattr(QComboBox, "showPopup", lambda _combo: None)  # none offscreen
    combo = ComboBox("Profile")
    combo.addItems(["finance", "medical"])
    window(combo)
    for dark in (False, True, False):
        set_palette(qapp, dark=dark)
        sheet = colours(qapp.palette()).sheet
        qtbot.waitUntil(lambda sheet=sheet: colours(combo.palette()).sheet == sheet)
        combo.showPopup()
        assert combo.view().palette().color(QPalette.ColorRole.Window) == sheet
