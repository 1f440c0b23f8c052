"""Parts of a text in a box, and parts above a line."""

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication

from kpinspector.ui.look.theme import TextRole, colours, set_palette
from kpinspector.ui.parts.plain_value import PlainValue
from tests.known import of

TEXT = "😀 Bearer [REDACTED:ip] and more"
BOX = (9, 22)


@pytest.fixture
def value(qtbot):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    value = PlainValue("Leaves as", TextRole.BODY)
    qtbot.addWidget(value)
    value.resize(400, 60)
    value.setPlainText(TEXT)
    value.show()
    return value


def in_fixed_font(value):
    """The characters that are."""
    cursor, found = QTextCursor(value.document()), []
    while cursor.movePosition(QTextCursor.MoveOperation.NextCharacter):
        if cursor.charFormat().fontFixedPitch():
            found.append(value.document().characterAt(cursor.position() - 1))
    return "".join(found)


def count(value, colour):
    """How many pixels of it are in a colour."""
    image = value.grab().toImage()
    places = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return sum(image.pixelColor(*place) == colour for place in places)


def test_what_stands_in_a_box_is_in_the_fixed_font(value):
    value.set_marked([BOX], [])
    assert in_fixed_font(value) == "[REDACTED:ip]"
    value.set_role(TextRole.BODY)
    assert in_fixed_font(value) == "[REDACTED:ip]"
    value.setPlainText(TEXT)
    value.set_marked([], [])
    assert in_fixed_font(value) == ""


def test_a_box_has_an_edge(value):
    edge, track = colours(value.palette()).field_edge, colours(value.palette()).track
    assert count(value, edge) == count(value, track) == 0
    value.set_marked([BOX], [])
    assert count(value, edge) > 100 and count(value, track) > 300


def test_a_line_is_two_pixels_high(value):
    ink = colours(value.palette()).text
    before = count(value, ink)
    value.set_marked([], [BOX])
    assert count(value, ink) - before > 2 * 60


def test_what_is_behind_the_end_is_not_marked(value):
    value.set_marked([(20, 900), (900, 910)], [(950, 960)])
    assert in_fixed_font(value) == "p] and more"
