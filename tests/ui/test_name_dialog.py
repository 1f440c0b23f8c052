"""A dialog that asks for a name."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from kpinspector.ui.parts.section_dialog import NameDialog
from tests import user


@pytest.fixture
def dialog(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    made = NameDialog("Save as Scenario", "Scenario 1", ["taken"], window)
    made.open()
    yield made
    window.close()


def write(dialog, qtbot, text):
    dialog.field.edit.selectAll()
    qtbot.keyClicks(dialog.field.edit, text)


def test_return_takes_the_name_without_the_spaces_around_it(dialog, qtbot):
    write(dialog, qtbot, "  more calls ")
    with qtbot.waitSignal(dialog.name_chosen) as chosen:
        qtbot.keyClick(dialog.field.edit, Qt.Key.Key_Return)
    assert chosen.args == ["more calls"]


def test_a_proposal_can_be_taken_as_it_is(dialog, qtbot):
    assert dialog.field.edit.selectedText() == "Scenario 1"
    with qtbot.waitSignal(dialog.name_chosen) as chosen:
        dialog.save.click()
    assert chosen.args == ["Scenario 1"]


def test_no_name_is_no_name(dialog, qtbot):
    write(dialog, qtbot, "   ")
    assert not dialog.save.isEnabled()
    with qtbot.assertNotEmitted(dialog.name_chosen):
        qtbot.keyClick(dialog.field.edit, Qt.Key.Key_Return)


def test_a_name_that_is_taken_says_what_becomes_of_the_other(dialog, qtbot):
    write(dialog, qtbot, "taken")
    assert user.reads(dialog, "is replaced")() and dialog.save.isEnabled()
    write(dialog, qtbot, "taken 2")
    assert not user.reads(dialog, "is replaced")()


def test_escape_asks_for_nothing(dialog, qtbot):
    with qtbot.assertNotEmitted(dialog.name_chosen):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
