"""A few lines of text of which some words are marked: by a tint and by a line below them."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QTextCharFormat, QTextLayout, QTextOption

from kpinspector.trace.align import Span
from kpinspector.ui.look.painting import TextFont


def spans_of(text: str, needle: str) -> list[tuple[int, int]]:
    """Where a needle stands in a text: beginnings and ends in the text.

    Folding the case can make a text longer (``ß`` becomes ``ss``), so every folded character
    remembers the one that it came from.
    """
    if not needle:
        return []
    folded = text.casefold()
    origins: range | list[int] = range(len(text))
    if len(folded) != len(text):  # it never makes a character shorter
        origins = [place for place, one in enumerate(text) for _ in one.casefold()]
    spans = []
    start = folded.find(needle)
    while start >= 0:
        end = start + len(needle)
        spans.append((origins[start], origins[end - 1] + 1))
        start = folded.find(needle, end)
    return spans


def units_before(text: str, place: int) -> int:
    """A place in a text in UTF-16 units, as Qt counts."""
    head = text[:place]
    return place if head.isascii() else len(head.encode("utf-16-le", "surrogatepass")) // 2


class MarkLook(NamedTuple):
    """The colours of words, of the ground behind marked ones and of the line below them."""

    ink: QColor
    ground: QColor
    line: QColor


class MarkedText(NamedTuple):
    """A text, its look and its marks, which are counted in characters."""

    text: str
    marks: Sequence[Span]
    style: TextFont
    look: MarkLook


def draw_marked(painter: QPainter, rect: QRect, what: MarkedText, lines: int = 1) -> None:
    """Write lines that share the height; text that does not fit is elided."""
    layout, count = _laid_out(what, rect.width(), lines)
    painter.setPen(what.look.ink)
    height = rect.height() / lines
    for number in range(min(count, lines)):
        line = layout.lineAt(number)
        top = rect.top() + number * height + (height - line.height()) / 2
        line.draw(painter, QPointF(rect.left(), round(top)))


def _laid_out(what: MarkedText, width: int, most: int) -> tuple[QTextLayout, int]:
    text = what.text
    layout, count = _broken(text, what, width, most)
    if count <= most:
        return layout, count
    units = text.encode("utf-16-le", "replace")
    start = 2 * layout.lineAt(most - 1).textStart()
    rest = units[start:].decode("utf-16-le")
    shown = what.style.metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width)
    # the ellipsis may be a little wider here than the words that it replaces
    return _broken(units[:start].decode("utf-16-le") + shown, what, width, most)


def _broken(text: str, what: MarkedText, width: int, most: int) -> tuple[QTextLayout, int]:
    """The text broken into lines, at most one more than wanted."""
    layout = QTextLayout(text, what.style.font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setFormats(_formats(text, what))
    layout.beginLayout()
    count = 0
    while count <= most and (line := layout.createLine()).isValid():
        line.setLineWidth(max(1, width))
        count += 1
    layout.endLayout()
    return layout, count


def _formats(text: str, what: MarkedText) -> list[QTextLayout.FormatRange]:
    """The marks, counted in UTF-16 units as a text layout does."""
    marked = QTextCharFormat()
    marked.setBackground(what.look.ground)
    marked.setFontUnderline(True)
    marked.setUnderlineColor(what.look.line)
    formats = []
    for start, end in what.marks:
        if start < len(text):
            part = QTextLayout.FormatRange()
            part.start, part.length = _units(text[:start]), _units(text[start:end])
            part.format = marked
            formats.append(part)
    return formats


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "replace")) // 2
