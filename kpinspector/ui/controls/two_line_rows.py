"""Rows of two lines: a sign, a title over a caption, and a note at the right."""

from enum import StrEnum

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.ui.controls.base import Ringed, paint_box
from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.marks import paint_state
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.theme import Colours, TextRole, colours, font, scale
from kpinspector.words.say import say_list

ROW_PADDING = 10

_ROW_HEIGHT = 44
_NARROWEST = 96
_WORD_GAP = 10
_LINE = Qt.TextFlag.TextSingleLine
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class _TwoLines(Ringed):
    """Mixin before a Qt class: a sign, and words for title, caption and note."""

    def _set_words(self, words: tuple[str, str, str], sign: StrEnum) -> None:
        self._words, self._sign = words, sign
        self.setToolTip(plain_tooltip("\n".join(words[:2])))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        title = QFontMetrics(font(TextRole.NAME, self.font())).height()
        caption = QFontMetrics(font(TextRole.CAPTION, self.font())).height()
        height = max(scale(_ROW_HEIGHT, self.fontMetrics()), title + caption + ROW_PADDING)
        return QSize(scale(_NARROWEST, self.fontMetrics()), height)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found = QPainter(self), colours(self.palette())
        if isinstance(self, QPushButton) and self.isEnabled():
            ground = found.line if self.isDown() or self.underMouse() else None
            paint_box(painter, self.rect(), ground)
        _paint_two_lines(painter, self, self._sign, self._words, found)


class TwoLineButton(_TwoLines, QPushButton):
    """A row that can be opened: a sign, a title over a caption, a note at the right."""

    def __init__(self, title: str, caption: str, *, sign: StrEnum, note: str = "") -> None:
        # an ampersand in a file's name is no key
        super().__init__(title.replace("&", "&&"))
        self._set_words((title, caption, note), sign)
        self.setAccessibleDescription(say_list((caption, note)))
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)


class TwoLineFact(_TwoLines, QWidget):
    """A row that cannot be opened."""

    def __init__(self, title: str, caption: str, sign: StrEnum) -> None:
        super().__init__()
        self._set_words((title, caption, ""), sign)
        self.setAccessibleName(title)
        self.setAccessibleDescription(caption)


def _paint_two_lines(
    painter: QPainter, widget: QWidget, sign: StrEnum, words: tuple[str, str, str], found: Colours
) -> None:
    metrics = widget.fontMetrics()
    title_font, small = (font(role, widget.font()) for role in (TextRole.NAME, TextRole.CAPTION))
    side, padding = scale(ICON_SIZE, metrics), scale(ROW_PADDING, metrics)
    first, second = QFontMetrics(title_font).height(), QFontMetrics(small).height()
    top = (widget.height() - first - second) // 2
    enabled = widget.isEnabled()
    place = QRect(padding, top + (first - side) // 2, side, side)
    if isinstance(sign, IconName):
        paint_icon(painter, place, sign, found.second if enabled else found.disabled)
    else:
        paint_state(painter, place, sign, found)
    left, right = padding + side + scale(_WORD_GAP, metrics), widget.width() - padding
    title, caption, note = words
    painter.setFont(small)
    painter.setPen(found.second if enabled else found.disabled)
    note_width = QFontMetrics(small).horizontalAdvance(note)
    painter.drawText(QRect(right - note_width, top, note_width, first), _LEFT | _LINE, note)
    _paint_elided(painter, QRect(left, top + first, right - left, second), caption)
    painter.setFont(title_font)
    painter.setPen(found.text if enabled else found.disabled)
    space = right - left - (note_width + padding if note else 0)
    _paint_elided(painter, QRect(left, top, space, first), title)


def _paint_elided(painter: QPainter, room: QRect, text: str) -> None:
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, _LEFT | _LINE, shown)
