"""Texts that are shown as they stand, with parts of them marked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QPainter,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QApplication

from kpinspector.ui.look.painting import MarkedText, TextFont, draw_marked, laid_out
from kpinspector.ui.look.plain_text import flat_text, plain_tooltip
from kpinspector.ui.look.theme import TextRole, colours, set_palette
from kpinspector.ui.parts.plain_value import PlainValue
from tests.known import of
from tests.strategies import hostile_texts

TEXT = "😀 Bearer [REDACTED:ip] and more"
BOX = (9, 22)
GROUND, LINE = QColor("#ffcc00"), QColor("#0000ff")
LOOK = QTextCharFormat()
LOOK.setBackground(GROUND)
LOOK.setFontUnderline(True)
LOOK.setUnderlineColor(LINE)
HEIGHT = 24


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


@pytest.mark.parametrize(
    ("text", "spans", "flat", "marked"),
    [
        ("a  b\n\tc", [(3, 4)], "a b c", ["b"]),
        ("a\u202eb", [(2, 3)], "ab", ["b"]),
        ("a\u202eb", [(1, 2)], "ab", []),
        ("a  b", [(2, 3)], "a  b", [" "]),
        ("\x00x", [(0, 1)], "\u2400x", ["\u2400"]),
        ("\U0001f600 x", [(2, 3)], "\U0001f600 x", ["x"]),
        ("", [], "", []),
    ],
)
def test_a_text_in_one_line_keeps_what_is_marked(text, spans, flat, marked):
    shown, moved = flat_text(text, spans)
    assert shown == flat
    assert [shown[start:end] for start, end in moved] == marked


@given(hostile_texts(), st.data())
def test_nothing_ends_a_line_and_spans_stay_apart(text, data):
    ends = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = list(zip(ends[::2], ends[1::2], strict=False))
    shown, moved = flat_text(text, spans)
    assert len(shown.splitlines()) <= 1
    assert not any("\u202a" <= one <= "\u202e" or "\u2066" <= one <= "\u2069" for one in shown)
    places = [place for span in moved for place in span]
    assert places == sorted(places) and all(start < end <= len(shown) for start, end in moved)


def test_a_tooltip_shows_any_text_as_it_stands_and_can_be_read_out():
    assert plain_tooltip("") == ""
    assert plain_tooltip("Reload (F5)") == "Reload (F5)"
    for text, shown in (
        ("<b>bold</b>", "<qt>&lt;b&gt;bold&lt;/b&gt;</qt>"),
        ("&lt;b>", "<qt>&amp;lt;b&gt;</qt>"),
        ("one\ntwo", "<qt>one<br>two</qt>"),
    ):
        assert plain_tooltip(text) == shown
    assert plain_tooltip("word " * 40).startswith("<qt>")  # else it would be one long line


@pytest.fixture
def style(qapp):
    made = QFont()
    made.setPixelSize(14)
    return TextFont(made, QFontMetrics(made))


def painted(text, marks, style, width=300, lines=2):
    image = QImage(width, lines * HEIGHT, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    draw_marked(painter, image.rect(), MarkedText(text, marks, style, LOOK), QColor("black"), lines)
    painter.end()
    return image


def columns(image, colour, rect):
    """The first and the last column of a part with a colour."""
    found = [
        x
        for x in range(rect.left(), rect.right() + 1)
        if any(image.pixelColor(x, y) == colour for y in range(rect.top(), rect.bottom() + 1))
    ]
    return (found[0], found[-1]) if found else None


def line_of(image, number):
    return QRect(0, number * HEIGHT, image.width(), HEIGHT)


@pytest.mark.parametrize("before", ["take ", "\U0001f600\U0001f600 ", "血钾 "])
def test_a_mark_is_tinted_and_underlined_where_its_word_stands(style, before):
    text = before + "fifty mg"
    image = painted(text, [(len(before), len(before) + 5)], style)
    start = style.metrics.horizontalAdvance(before)
    end = style.metrics.horizontalAdvance(before + "fifty")
    for colour in (GROUND, LINE):
        found = columns(image, colour, line_of(image, 0))
        assert found is not None
        assert abs(found[0] - start) <= 2 and abs(found[1] - end) <= 2


def test_without_marks_there_is_no_tint(style):
    assert columns(painted("take fifty mg", [], style), GROUND, QRect(0, 0, 300, 48)) is None


@pytest.mark.parametrize("width", [30, 60, 180])
@pytest.mark.parametrize(
    "text",
    ["word " * 60, "x" * 400, "\U0001f600x" * 90, "שלום " * 50],
    ids=["words", "one word", "beyond 16 bits", "from the right"],
)
def test_what_has_no_room_gives_way_to_an_ellipsis(style, text, width):
    layout, count = laid_out(MarkedText(text, [(0, len(text))], style, LOOK), width, 2)
    assert count == 2
    shown = layout.text()
    units = shown.encode("utf-16-le", "replace")
    second = layout.lineAt(1)
    last = units[2 * second.textStart() :].decode("utf-16-le", "replace")
    assert "…" in last
    assert text.startswith(shown.split("…")[0])


@pytest.mark.parametrize("width", [1, 4, 10])
def test_where_nothing_fits_nothing_fails(style, width):
    painted("\U0001f600 word " * 60, [(0, 9)], style, width=width)


def test_a_text_that_fits_stays_whole(style):
    layout, count = laid_out(MarkedText("two short\u2009words", [], style, LOOK), 300, 2)
    assert (layout.text(), count) == ("two short\u2009words", 1)
