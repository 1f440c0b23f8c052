"""The sentence that stands where rows would be."""

from PySide6.QtCore import Qt

from kpinspector.ui.controls.base import FlatButton, Label
from kpinspector.ui.parts.column_page import HintPage


def test_the_link_is_heard_by_mouse_and_key(qtbot):
    page = HintPage("No trace matches.", "Clear filter", padding=12)
    qtbot.addWidget(page)
    page.show()
    (button,) = page.findChildren(FlatButton)
    heard = []
    page.link_chosen.connect(lambda: heard.append(True))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert len(heard) == 2
    assert button.text() == "Clear filter"


def test_a_sentence_alone_breaks_its_lines(qtbot):
    page = HintPage()
    qtbot.addWidget(page)
    page.set_sentence("Nothing is remembered yet. Every trace that is scored is listed here.")
    page.resize(200, 200)
    page.show()
    (label,) = page.findChildren(Label)
    assert not page.findChildren(FlatButton)
    assert label.text().startswith("Nothing is remembered")
    assert label.height() > 2 * label.fontMetrics().height()
    assert label.textFormat() is Qt.TextFormat.PlainText
