"""Painting that lists and trees share: fonts of rows, grounds, texts with marks, figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from kpinspector.trace.align import Span
from kpinspector.ui.look.theme import Colours, TextRole, font, row_height, scale

STRIP = 3
CELL_PADDING = 6  # as in the column heads
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine

_NO_BREAK = 1e6
_ELIDE = Qt.TextElideMode.ElideRight


@dataclass(frozen=True, slots=True)
class TextFont:
    """A font with its metrics."""

    font: QFont
    metrics: QFontMetrics


@dataclass(frozen=True, slots=True)
class RowFonts:
    """The fonts of a row, made once for each font of the view."""

    body: TextFont
    name: TextFont
    caption: TextFont
    heading: TextFont
    fixed: TextFont


class Marks(NamedTuple):
    """Spans of a line, counted in characters, and the colour of their ground."""

    spans: Sequence[tuple[int, int]]
    colour: QColor


def row_fonts(base: QFont) -> RowFonts:
    """The fonts of rows for a base font."""
    roles = (TextRole.BODY, TextRole.NAME, TextRole.CAPTION, TextRole.HEADING, TextRole.FIXED)
    return RowFonts(*(_text_font(font(role, base)) for role in roles))


def _text_font(made: QFont) -> TextFont:
    return TextFont(made, QFontMetrics(made))


def struck(style: TextFont) -> TextFont:
    """The font with a line through it, for text that is gone."""
    made = QFont(style.font)
    made.setStrikeOut(True)
    return _text_font(made)


class RowDelegate(QStyledItemDelegate):
    """Paints rows of one height; the fonts are kept until ``forget_fonts``."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    @cached_property
    def fonts(self) -> RowFonts:
        """The fonts of the rows."""
        return row_fonts(self._view.font())

    def forget_fonts(self) -> None:
        """Make the fonts again when needed, as the view's font has changed."""
        self.__dict__.pop("fonts", None)

    def scaled(self, px: float) -> int:
        """A length in px at 100 %, scaled with the rows' text."""
        return scale(px, self.fonts.body.metrics)

    @override
    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(0, row_height(self.fonts.body.metrics))


def is_selected(option: QStyleOptionViewItem) -> bool:
    """Whether the row is selected."""
    return bool(option.state & QStyle.StateFlag.State_Selected)


def row_ground(
    option: QStyleOptionViewItem, view: QWidget, found: Colours, *, hovered: bool
) -> QColor | None:
    """The ground of a row: the selection, grey without the focus, or the hover; None for none."""
    if is_selected(option):
        return found.selection if view.hasFocus() else found.selection_inactive
    return found.hover if hovered else None


def draw_text(painter: QPainter, rect: QRect, text: str, style: TextFont, colour: QColor) -> int:
    """Write one line from the left, cut at its end if it does not fit; return its width."""
    shown = style.metrics.elidedText(text, _ELIDE, rect.width())
    painter.setFont(style.font)
    painter.setPen(colour)
    painter.drawText(rect, LEFT, shown)
    return min(rect.width(), style.metrics.horizontalAdvance(shown))


def draw_name(painter: QPainter, rect: QRect, name: str, style: TextFont, colour: QColor) -> int:
    """Write a name, cut in its middle, as the ends of names differ; return its width."""
    shown = style.metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, rect.width())
    return draw_text(painter, rect, shown, style, colour)


def x_of(line: QTextLine, place: int) -> float:
    """The x coordinate where a character of a line begins, whatever the direction of its script."""
    # the stubs say object; older bindings return only the number
    found: Any = line.cursorToX(place)
    return float(found[0] if isinstance(found, tuple) else found)


def mark_text(painter: QPainter, rect: QRect, text: str, style: TextFont, marks: Marks) -> None:
    """Paint the ground of spans in a line, where `draw_text` will write them."""
    if not marks.spans:
        return
    shown = style.metrics.elidedText(text, _ELIDE, rect.width())
    kept = len(shown) if shown == text else len(shown) - 1
    layout = QTextLayout(text, style.font)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(_NO_BREAK)
    layout.endLayout()
    height = style.metrics.height() + 2
    top = rect.top() + (rect.height() - height) // 2
    for start, end in marks.spans:
        if start < kept:
            left, right = sorted(round(x_of(line, place)) for place in (start, min(end, kept)))
            painter.fillRect(rect.left() + left - 1, top, right - left + 2, height, marks.colour)


def draw_figure(painter: QPainter, rect: QRect, text: str, style: TextFont, colour: QColor) -> int:
    """Write a number or a short word at the right, never cut; return its width."""
    painter.setFont(style.font)
    painter.setPen(colour)
    painter.drawText(rect, RIGHT, text)
    return style.metrics.horizontalAdvance(text)


def centred(rect: QRect, left: int, side: int) -> QRect:
    """A square at ``left``, in the middle of a row's height."""
    return QRect(left, rect.top() + (rect.height() - side) // 2, side, side)


def band(rect: QRect, height: int) -> QRect:
    """A band as wide as a row, of this height, in its middle."""
    return QRect(rect.left(), rect.top() + (rect.height() - height) // 2, rect.width(), height)


def spans_of(text: str, needle: str) -> list[tuple[int, int]]:
    """The spans where a case-folded needle occurs in a text, counted in its characters.

    Folding can make a text longer (``ß`` becomes ``ss``), so every folded character has the place
    of the original one.
    """
    if not needle:
        return []
    folded = text.casefold()
    origins: range | list[int] = range(len(text))
    if len(folded) != len(text):  # folding never makes a character shorter
        origins = [place for place, one in enumerate(text) for _ in one.casefold()]
    spans = []
    start = folded.find(needle)
    while start >= 0:
        end = start + len(needle)
        spans.append((origins[start], origins[end - 1] + 1))
        start = folded.find(needle, end)
    return spans


def units_before(text: str, place: int) -> int:
    """The number of UTF-16 units, which Qt counts, before a place in a text."""
    head = text[:place]
    return place if head.isascii() else len(head.encode("utf-16-le", "surrogatepass")) // 2


class MarkedText(NamedTuple):
    """A text in a font, and spans of it, counted in characters, that have another format."""

    text: str
    marks: Sequence[Span]
    style: TextFont
    look: QTextCharFormat


def draw_marked(
    painter: QPainter, rect: QRect, what: MarkedText, colour: QColor, lines: int = 1
) -> None:
    """Write a text on lines that share the height; text that does not fit is cut."""
    layout, count = laid_out(what, rect.width(), lines)
    painter.setPen(colour)
    height = rect.height() / lines
    for number in range(min(count, lines)):
        line = layout.lineAt(number)
        top = rect.top() + number * height + (height - line.height()) / 2
        line.draw(painter, QPointF(rect.left(), round(top)))


def laid_out(what: MarkedText, width: int, most: int) -> tuple[QTextLayout, int]:
    """The text laid out on at most ``most`` lines, cut at its end; and the number of lines."""
    layout, count = broken(what, width, most)
    if count <= most:
        return layout, count
    units = what.text.encode("utf-16-le", "replace")
    start = 2 * layout.lineAt(most - 1).textStart()
    rest = what.style.metrics.elidedText(units[start:].decode("utf-16-le"), _ELIDE, width)
    # the ellipsis may be a little wider than the words that it replaces
    return broken(what._replace(text=units[:start].decode("utf-16-le") + rest), width, most)


def broken(what: MarkedText, width: int, most: int) -> tuple[QTextLayout, int]:
    """The text laid out on lines, at most one more than ``most``; and the number of lines."""
    layout, option, formats = QTextLayout(what.text, what.style.font), QTextOption(), []
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    for start, end in what.marks:
        if start < len(what.text):
            part = QTextLayout.FormatRange()  # in UTF-16 units
            part.start = units_before(what.text, start)
            part.length = units_before(what.text, end) - part.start
            part.format = what.look
            formats.append(part)
    layout.setFormats(formats)
    layout.beginLayout()
    count = 0
    while count <= most and (line := layout.createLine()).isValid():
        line.setLineWidth(max(1, width))
        count += 1
    layout.endLayout()
    return layout, count
