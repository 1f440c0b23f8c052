import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter

from kpinspector.ui.look.marked_text import MarkedText, MarkLook, _laid_out, draw_marked
from kpinspector.ui.look.painting import TextFont

GROUND, LINE = QColor("#ffcc00"), QColor("#0000ff")
LOOK = MarkLook(QColor("black"), GROUND, LINE)
HEIGHT = 24


@pytest.fixture
def style(qapp):
    made = QFont()
    made.setPixelSize(14)
    return TextFont(made, QFontMetrics(made))


def painted(text, marks, style, width=300, lines=2):
    image = QImage(width, lines * HEIGHT, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    draw_marked(painter, image.rect(), MarkedText(text, marks, style, LOOK), lines)
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


def test_a_mark_goes_on_in_the_next_line(style):
    text = "one two three four five six seven eight nine ten"
    image = painted(text, [(0, len(text))], style, width=180)
    assert columns(image, GROUND, line_of(image, 0)) is not None
    assert columns(image, GROUND, line_of(image, 1)) is not None


@pytest.mark.parametrize("width", [30, 60, 180])
@pytest.mark.parametrize(
    "text",
    ["word " * 60, "x" * 400, "\U0001f600x" * 90, "שלום " * 50],
    ids=["words", "one word", "beyond 16 bits", "from the right"],
)
def test_what_has_no_room_gives_way_to_an_ellipsis(style, text, width):
    layout, count = _laid_out(MarkedText(text, [(0, len(text))], style, LOOK), width, 2)
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
    layout, count = _laid_out(MarkedText("two short\u2009words", [], style, LOOK), 300, 2)
    assert (layout.text(), count) == ("two short\u2009words", 1)


def test_marks_beyond_what_is_shown_are_passed_over(style):
    text = "word " * 60
    image = painted(text, [(290, 295)], style, width=180)
    assert columns(image, GROUND, QRect(0, 0, 180, 2 * HEIGHT)) is None
